// The list of steps, with a search and filters by process and variable.

class StepList {
  constructor(app) {
    this.app = app;
    const {trace} = app;
    this.listed = [];
    this.search = el("input", {
      type: "search",
      placeholder: "Search steps",
      "aria-label": "Search steps",
      "aria-keyshortcuts": "/",
      oninput: () => this.filter(),
      onkeydown: (event) => this.onSearchKey(event),
    });
    this.process = this.choice(
      "any process",
      "Only steps of a process",
      trace.processes.map((p) => p.name),
    );
    const changing = [...trace.variables.map((v) => v.name), ...trace.queues, ...trace.clocks];
    this.variable = this.choice("any variable", "Only steps that change a variable", changing);
    this.count = el("span", {class: "count", role: "status"});
    this.list = new VirtualList({
      rowHeight: 46,
      render: (index) => this.row(this.listed[index]),
      attributes: {role: "listbox", tabindex: "0", "aria-label": "Steps", onkeydown: (event) => this.onKey(event)},
    });
    this.element = el(
      "section",
      {class: "panel steps", "aria-label": "Steps"},
      el(
        "div",
        {class: "panel-head column"},
        el("div", {class: "search"}, this.search, el("kbd", {"aria-hidden": "true"}, "/")),
        el("div", {class: "filters"}, this.process, this.variable),
        this.count,
      ),
      this.list.element,
    );
    this.filter();
  }

  choice(none, label, names) {
    return el(
      "select",
      {"aria-label": label, onchange: () => this.filter(), disabled: names.length <= 1},
      el("option", {value: ""}, none),
      ...names.map((name, i) => el("option", {value: i}, name)),
    );
  }

  // Whether a step changes the variable, queue or clock of this number in the list of them all.
  changes(position, number) {
    const {trace} = this.app;
    const {set = [], queues = [], reset = []} = trace.step(position);
    const has = (pairs, wanted) => pairs.some((entry, i) => i % 2 === 0 && entry === wanted);
    const queue = number - trace.variables.length;
    const clock = queue - trace.queues.length;
    return has(set, number) || (queue >= 0 && has(queues, queue)) || (clock >= 0 && has(reset, clock));
  }

  filter() {
    const {trace, words} = this.app;
    const wanted = this.search.value.trim().toLowerCase().split(/\s+/).filter(Boolean);
    const process = this.process.value === "" ? null : Number(this.process.value);
    const variable = this.variable.value === "" ? null : Number(this.variable.value);
    this.filtered = wanted.length > 0 || process !== null || variable !== null;
    this.listed = [];
    for (let i = 0; i <= trace.last; ++i) {
      if (process !== null && !trace.edgesAt(i).some((edge) => edge.process === process)) continue;
      if (variable !== null && (i === 0 || trace.isEnd(i) || !this.changes(i, variable))) continue;
      if (wanted.length > 0) {
        const text = words.searchText(i);
        if (!wanted.every((word) => text.includes(word))) continue;
      }
      this.listed.push(i);
    }
    this.count.textContent = this.filtered
      ? `${this.listed.length} of ${trace.last + 1} entries`
      : `${trace.length} step${trace.length === 1 ? "" : "s"}`;
    this.list.setCount(this.listed.length);
    this.show(this.app.position);
  }

  row(position) {
    const {trace, words} = this.app;
    const current = position === this.app.position;
    const edges = trace.edgesAt(position);
    const cycle = trace.inCycle(position);
    const time =
      trace.model.timed && !(position && !trace.delay(position)) ? `t = ${words.time(trace.time(position))}` : "";
    return el(
      "div",
      {
        class: `row step${current ? " current" : ""}${cycle ? " cycle" : ""}`,
        role: "option",
        id: `step-${position}`,
        "aria-selected": current ? "true" : "false",
        hue: edges.length > 0 ? hueOf(edges[0].process) : undefined,
        title: words.title(position),
        onclick: () => this.app.go(position),
      },
      el("span", {class: "number"}, words.position(position)),
      el(
        "span",
        {class: "what"},
        el("span", {class: "title"}, words.title(position)),
        el("span", {class: "subtitle"}, words.subtitle(position)),
      ),
      trace.loop === position ? el("span", {class: "tag"}, "cycle starts") : null,
      el("span", {class: "time"}, time),
    );
  }

  show(position) {
    const index = this.indexOf(position);
    if (index >= 0) this.list.reveal(index);
    this.list.element.setAttribute("aria-activedescendant", `step-${position}`);
    this.list.draw();
  }

  indexOf(position) {
    if (!this.filtered) return position;
    return this.listed.indexOf(position);
  }

  // The listed step that follows in a direction.
  neighbour(direction) {
    const here = this.app.position;
    if (direction > 0) return this.listed.find((position) => position > here);
    return this.listed.findLast((position) => position < here);
  }

  // With a filter, the arrows in the list go through what is listed.
  onKey(event) {
    const direction = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (direction === undefined || !this.filtered) return;
    event.preventDefault();
    event.stopPropagation();
    const next = this.neighbour(direction);
    if (next !== undefined) this.app.go(next);
  }

  onSearchKey(event) {
    if (event.key === "Enter") {
      const next = this.neighbour(event.shiftKey ? -1 : 1) ?? (event.shiftKey ? this.listed.at(-1) : this.listed[0]);
      if (next !== undefined) this.app.go(next);
    } else if (event.key === "Escape") {
      this.search.value = "";
      this.filter();
      this.list.element.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusSearch() {
    this.search.focus();
    this.search.select();
  }
}
