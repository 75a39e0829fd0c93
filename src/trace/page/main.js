// Puts the page together. The current step is the one thing that all views share.

class App {
  constructor(data) {
    this.trace = new Trace(data);
    this.words = new Words(this.trace);
    this.position = this.positionOfLink() ?? 0;
    this.theme = new Theme();
    this.help = this.keys();
    this.plots = new Plots(this);
    this.transport = new Transport(this);
    this.list = new StepList(this);
    this.table = new StateTable(this);
    this.makePanes();
    document.title = `${this.trace.property.text} – Harrier`;
    document.getElementById("app").replaceChildren(pageHead(this), this.transport.element, this.main, this.help);
    document.addEventListener("keydown", (event) => this.onKey(event));
    window.addEventListener("hashchange", () => this.go(this.positionOfLink() ?? this.position));
    preparePrinting(this);
    this.show();
  }

  makePanes() {
    const {telling} = this.trace.model;
    const plots = {
      name: telling === "moves" || telling === "statements" ? "Plots" : "Timeline",
      view: this.plots,
      tools: this.plots.tools,
    };
    const upper = [plots];
    const lower = [];
    if (telling === "moves" || telling === "statements") upper.unshift({name: "Lanes", view: new Lanes(this)});
    if (this.trace.shapes.length > 0) {
      this.automata = new Automata(this);
      lower.push({name: "Automata", view: this.automata, tools: this.automata.choice});
    }
    if (this.trace.files.length > 0) lower.push({name: "Source", view: new SourceView(this)});
    const refresh = () => this.tabs && this.showViews();
    this.tabs = [new Tabs("Course", upper, refresh), ...(lower.length > 0 ? [new Tabs("Model", lower, refresh)] : [])];
    const centre = el("div", {class: "centre"}, ...this.tabs.map((tabs) => tabs.element));
    this.main = el("main", {class: "panes"}, this.list.element, centre, this.table.element);
    const [first, second] = this.tabs.map((tabs) => tabs.element);
    if (second) {
      first.after(
        splitter({
          container: centre,
          vertical: false,
          label: "Height of the upper views",
          share: 0.52,
          apply: (share) => centre.style.setProperty("--upper", `${share * 100}%`),
        }),
      );
    } else centre.classList.add("whole");
    this.list.element.after(
      splitter({
        container: this.main,
        vertical: true,
        label: "Width of the steps",
        share: 0.24,
        apply: (share) => this.main.style.setProperty("--left", `${share * 100}%`),
      }),
    );
    this.table.element.before(
      splitter({
        container: this.main,
        vertical: true,
        label: "Width of the state",
        share: 0.77,
        apply: (share) => this.main.style.setProperty("--right", `${(1 - share) * 100}%`),
      }),
    );
  }

  // "#step=12" or "#step=end"; anything else is no place.
  positionOfLink() {
    const [, text] = /^#step=(\d+|end)$/.exec(location.hash) ?? [];
    if (text === undefined) return undefined;
    return text === "end" ? this.trace.last : Math.min(Number(text), this.trace.last);
  }

  go(position) {
    if (position === this.position || !(position >= 0 && position <= this.trace.last)) return;
    this.position = position;
    this.show();
  }

  next() {
    this.go(this.trace.after(this.position));
  }

  back() {
    this.go(this.trace.before(this.position));
  }

  show() {
    const {position} = this;
    this.transport.show(position);
    this.list.show(position);
    this.table.show(position);
    this.showViews();
    this.link();
  }

  showViews() {
    for (const tabs of this.tabs) tabs.view.show(this.position);
  }

  // The address follows at a distance: browsers refuse many changes in a short time.
  link() {
    clearTimeout(this.linking);
    this.linking = setTimeout(() => {
      const name = this.trace.isEnd(this.position) ? "end" : this.position;
      if (this.positionOfLink() !== this.position) history.replaceState(null, "", `#step=${name}`);
    }, 150);
  }

  togglePlot(track) {
    this.plots.toggle(track);
    this.table.list.draw();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || this.help.open) return;
    if (event.target.closest("input:not([type=range]):not([type=checkbox]), select, textarea")) return;
    const actions = {
      ArrowRight: () => this.next(),
      ArrowDown: () => this.next(),
      ArrowLeft: () => this.back(),
      ArrowUp: () => this.back(),
      PageDown: () => this.go(Math.min(this.position + 10, this.trace.last)),
      PageUp: () => this.go(Math.max(this.position - 10, 0)),
      Home: () => this.go(0),
      End: () => this.go(this.trace.last),
      "/": () => this.list.focusSearch(),
      t: () => this.theme.next(),
      "?": () => this.help.showModal(),
    };
    const action = actions[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action();
  }

  keys() {
    const keys = [
      ["← → ↑ ↓", "one step back, one step on"],
      ["PgUp PgDn", "ten steps"],
      ["Home End", "first and last step"],
      ["/", "search the steps; Enter goes to the next one found"],
      ["Ctrl + wheel", "zoom an automaton; drag to move it, double click to see all of it"],
      ["t", "light or dark"],
      ["?", "these keys"],
    ];
    const dialog = el(
      "dialog",
      {class: "keys", "aria-label": "Keys"},
      el("h2", {}, "Keys"),
      el(
        "dl",
        {},
        ...keys.flatMap(([key, what]) => [
          el("dt", {}, ...key.split(" ").map((k) => el("kbd", {}, k))),
          el("dd", {}, what),
        ]),
      ),
      el("p", {}, "The address of the page ends in the step: #step=12 leads there."),
      el("button", {type: "button", onclick: () => dialog.close()}, "Close"),
    );
    return dialog;
  }
}

const app = new App(JSON.parse(document.getElementById("data").textContent));
