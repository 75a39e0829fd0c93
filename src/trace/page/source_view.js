// The texts of the model, with the lines that fire marked, and how often each line fires in the trace.

class SourceView {
  constructor(app) {
    this.app = app;
    this.file = 0;
    this.fired = new Set();
    this.files = app.trace.files.map((file) => file.text?.split(/\r?\n/) ?? null);
    this.counts = this.files.map(() => new Map());
    this.count();
    this.names = el("div", {class: "file-names"});
    this.list = new VirtualList({
      rowHeight: 20,
      render: (index) => this.line(index),
      attributes: {class: "virtual-list source", tabindex: "0", "aria-label": "Source"},
    });
    this.element = el("div", {class: "view source-view"}, this.names, this.list.element);
    this.open(0);
  }

  // The places of what happens at a position, as pairs of a file and a line: edges; or in a model that is told by
  // states, the variables that change.
  places(position) {
    const {trace} = this.app;
    const out = [];
    for (const edge of trace.edgesAt(position)) for (const line of edge.lines ?? []) out.push([edge.file, line]);
    if (trace.model.telling !== "states" || position === 0 || trace.isEnd(position)) return out;
    const {set = []} = trace.step(position);
    return set
      .filter((_, i) => i % 2 === 0)
      .map((v) => trace.variables[v].at)
      .filter(Boolean);
  }

  count() {
    for (let i = 1; i <= this.app.trace.length; ++i) {
      for (const [file, line] of this.places(i)) {
        this.counts[file].set(line, (this.counts[file].get(line) ?? 0) + 1);
      }
    }
  }

  open(file) {
    this.file = file;
    const several = this.files.length > 1;
    this.names.replaceChildren(
      ...this.app.trace.files.map((entry, i) =>
        el(
          "button",
          {
            type: "button",
            "aria-pressed": i === file ? "true" : "false",
            disabled: !several,
            title: entry.name,
            onclick: () => this.open(i),
          },
          entry.name.split("/").pop(),
        ),
      ),
    );
    const lines = this.files[file];
    const longest = lines ? lines.reduce((most, line) => Math.max(most, line.length), 0) : 0;
    this.list.space.style.minWidth = `${Math.min(longest, 2000) + 12}ch`;
    this.list.setCount(lines ? lines.length : 1);
  }

  line(index) {
    const lines = this.files[this.file];
    if (!lines)
      return el(
        "div",
        {class: "row line"},
        el("span", {class: "text"}, "This text is too long to be part of the page."),
      );
    const number = index + 1;
    const count = this.counts[this.file].get(number);
    const fired = this.fired.has(`${this.file}:${number}`);
    return el(
      "div",
      {class: `row line${fired ? " fired" : ""}${count ? " covered" : ""}`},
      el(
        "span",
        {class: "times", title: count ? `fires ${count} time${count === 1 ? "" : "s"} in this trace` : undefined},
        count ? `${count}×` : "",
      ),
      el("span", {class: "number"}, `${number}`),
      el("span", {class: "text"}, lines[index]),
    );
  }

  show(position) {
    const places = this.places(position).filter(([file]) => file < this.files.length);
    this.fired = new Set(places.map(([file, line]) => `${file}:${line}`));
    if (places.length > 0) {
      const [file] = places[0];
      if (file !== this.file) this.open(file);
      this.list.reveal(Math.min(...places.filter(([f]) => f === file).map(([, line]) => line)) - 1);
    }
    this.list.draw();
  }
}
