// Tabs, and borders between panes that can be moved.

// `views`: {name, view, tools?}, of which one is seen at a time.
class Tabs {
  constructor(label, views, onChange) {
    this.views = views;
    this.onChange = onChange;
    this.tools = el("span", {class: "tab-tools"});
    this.body = el("div", {class: "tab-body", role: "tabpanel"});
    this.buttons = views.map(({name}, i) =>
      el(
        "button",
        {
          type: "button",
          role: "tab",
          onclick: () => this.open(i),
          onkeydown: (event) => this.onKey(event, i),
        },
        name,
      ),
    );
    this.element = el(
      "section",
      {class: "panel tabbed", "aria-label": label},
      el("div", {class: "panel-head"}, el("div", {role: "tablist", "aria-label": label}, ...this.buttons), this.tools),
      this.body,
    );
    this.open(0);
  }

  open(number) {
    this.current = number;
    this.buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", `${i === number}`);
      button.tabIndex = i === number ? 0 : -1;
    });
    const {view, tools} = this.views[number];
    this.body.replaceChildren(view.element);
    this.tools.replaceChildren(...(tools ? [tools] : []));
    this.onChange?.();
  }

  onKey(event, number) {
    const direction = {ArrowRight: 1, ArrowLeft: -1}[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    const next = (number + direction + this.views.length) % this.views.length;
    this.open(next);
    this.buttons[next].focus();
  }

  get view() {
    return this.views[this.current].view;
  }
}

// A border that is dragged, or moved with the arrows: `apply` gets the share of the container before it.
function splitter({container, vertical, label, share, least = 0.12, apply}) {
  const element = el("div", {
    class: `splitter ${vertical ? "vertical" : "horizontal"}`,
    role: "separator",
    tabindex: "0",
    "aria-label": label,
    "aria-orientation": vertical ? "vertical" : "horizontal",
  });
  const set = (value) => {
    share = Math.min(Math.max(value, least), 1 - least);
    element.setAttribute("aria-valuenow", Math.round(share * 100));
    apply(share);
  };
  element.addEventListener("pointerdown", (event) => {
    event.preventDefault();
    element.setPointerCapture(event.pointerId);
    element.classList.add("dragged");
  });
  element.addEventListener("pointermove", (event) => {
    if (!element.hasPointerCapture(event.pointerId)) return;
    const box = container.getBoundingClientRect();
    set(vertical ? (event.clientX - box.left) / box.width : (event.clientY - box.top) / box.height);
  });
  element.addEventListener("pointerup", () => element.classList.remove("dragged"));
  element.addEventListener("keydown", (event) => {
    const direction = (vertical ? {ArrowLeft: -1, ArrowRight: 1} : {ArrowUp: -1, ArrowDown: 1})[event.key];
    if (direction === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(share + direction * 0.03);
  });
  set(share);
  return element;
}
