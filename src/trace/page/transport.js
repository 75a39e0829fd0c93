// The head of the page: what the trace shows, and the buttons and the slider that go through it.

class Transport {
  constructor(app) {
    this.app = app;
    const {trace} = app;
    const button = (name, label, keys, action) =>
      el(
        "button",
        {
          class: "icon",
          type: "button",
          title: `${label} (${keys})`,
          "aria-label": label,
          onclick: action,
        },
        icon(name),
      );
    this.slider = el("input", {
      type: "range",
      min: 0,
      max: trace.last,
      step: 1,
      value: 0,
      "aria-label": "Step",
      oninput: () => app.go(Number(this.slider.value)),
    });
    this.track = el("div", {class: "slider"}, this.slider);
    if (trace.loop !== undefined) this.markCycle();
    this.where = el("output", {class: "where", "aria-live": "polite"});
    this.element = el(
      "nav",
      {class: "transport", "aria-label": "Steps"},
      button("first", "First", "Home", () => app.go(0)),
      button("back", "Back", "←", () => app.back()),
      button("next", "Next", "→", () => app.next()),
      button("last", "Last", "End", () => app.go(trace.last)),
      this.track,
      this.where,
    );
  }

  markCycle() {
    const {trace} = this.app;
    const mark = el("span", {class: "cycle-mark", title: "the cycle"});
    const share = (position) => (trace.last === 0 ? 0 : position / trace.last) * 100;
    mark.style.left = `${share(trace.loop)}%`;
    mark.style.width = `${share(trace.length) - share(trace.loop)}%`;
    this.track.append(mark);
  }

  show(position) {
    const {trace, words} = this.app;
    const time = trace.model.timed ? ` · t = ${words.time(trace.time(position))}` : "";
    const cycle = trace.inCycle(position) ? " · in the cycle" : "";
    const name = position === 0 ? "start" : trace.isEnd(position) ? "end" : `step ${position}`;
    this.slider.value = position;
    this.slider.setAttribute("aria-valuetext", `${name}${time}: ${words.title(position)}`);
    this.slider.style.setProperty("--share", `${trace.last === 0 ? 0 : (position / trace.last) * 100}%`);
    this.where.replaceChildren(el("b", {}, name), ` of ${trace.length}${time}${cycle}`);
  }
}

function pageHead(app) {
  const {trace, words} = app;
  const facts = [`${trace.length} step${trace.length === 1 ? "" : "s"}`];
  if (trace.model.timed) facts.push(`${words.time(trace.end.time)} time units`);
  if (trace.loop !== undefined) facts.push(`a cycle of ${trace.length - trace.loop} from step ${trace.loop + 1} on`);
  if (trace.end.rest === "delay") facts.push("then time passes for ever");
  if (trace.end.rest === "stuck") facts.push("then nothing can happen");
  if (trace.end.reason) facts.push(trace.end.reason);
  const more = el(
    "details",
    {class: "facts"},
    el("summary", {}, facts.join(" · ")),
    el(
      "dl",
      {},
      ...[["model", trace.model.name], ["language", trace.model.language], ...trace.facts].flatMap(([title, text]) => [
        el("dt", {}, title),
        el("dd", {}, text),
      ]),
    ),
  );
  return el(
    "header",
    {class: "page-head"},
    el(
      "div",
      {class: "brand"},
      el("b", {}, "Harrier"),
      el("span", {class: "model", title: trace.model.name}, trace.model.name.split("/").pop()),
    ),
    el(
      "div",
      {class: "property"},
      el("code", {title: trace.property.text}, trace.property.text),
      el("span", {class: `verdict ${words.isGood() ? "good" : "bad"}`}, words.verdict()),
    ),
    more,
    el(
      "div",
      {class: "head-tools"},
      app.theme.button,
      el(
        "button",
        {class: "icon", type: "button", title: "Keys (?)", "aria-label": "Keys", onclick: () => app.help.showModal()},
        "?",
      ),
    ),
  );
}
