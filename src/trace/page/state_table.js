// The state after the current step: locations, variables, queues, clocks and the zone, with what has changed marked.

const kLongTable = 60;

class StateTable {
  constructor(app) {
    this.app = app;
    this.rows = [];
    this.search = el("input", {
      type: "search",
      placeholder: "Filter names",
      "aria-label": "Filter names",
      oninput: () => this.show(app.position),
    });
    this.onlyChanged = el("input", {type: "checkbox", onchange: () => this.show(app.position)});
    this.list = new VirtualList({
      rowHeight: 26,
      render: (index) => this.row(this.rows[index]),
      attributes: {role: "table", tabindex: "0", "aria-label": "State"},
    });
    this.element = el(
      "section",
      {class: "panel state", "aria-label": "State"},
      el("div", {class: "panel-head"}, this.search, el("label", {class: "check"}, this.onlyChanged, "changed")),
      this.list.element,
    );
  }

  show(position) {
    const {trace, words} = this.app;
    // The trace has one state at a time: that before is copied.
    const before = position === 0 ? null : Trace.copy(trace.state(position - 1));
    const now = trace.state(position);
    const wanted = this.search.value.trim().toLowerCase();
    const only = this.onlyChanged.checked && before !== null;
    this.rows = [];
    const resets = this.resets(position);
    const section = (title, names, value, was, track) => {
      const found = [];
      names.forEach((name, i) => {
        if (wanted && !name.toLowerCase().includes(wanted)) return;
        const text = value(i);
        if (track?.kind === "variable" && words.isPlain(i, text)) return;
        const old = was === null ? text : was(i);
        const changed = old !== text;
        if (only && !changed) return;
        found.push({
          name,
          text,
          old,
          changed,
          running: changed && track?.kind === "clock" && !resets.has(i),
          track: track && {...track, number: i},
        });
      });
      if (found.length > 0) this.rows.push({title, count: found.length}, ...found);
    };
    const locationText = (state) => (i) => trace.processes[i].locations[state.locations[i]];
    if (trace.model.telling === "moves" || trace.model.telling === "statements") {
      section(
        "Processes",
        trace.processes.map((p) => p.name),
        locationText(now),
        before && locationText(before),
        {kind: "location"},
      );
    }
    section(
      "Variables",
      trace.variables.map((v) => v.name),
      (i) => words.value(i, now.values[i]),
      before && ((i) => words.value(i, before.values[i])),
      {kind: "variable"},
    );
    section(
      "Queues",
      trace.queues,
      (i) => words.queue(now.queues[i]),
      before && ((i) => words.queue(before.queues[i])),
      {kind: "queue"},
    );
    section("Clocks", trace.clocks, (i) => words.time(now.clocks[i]), before && ((i) => words.time(before.clocks[i])), {
      kind: "clock",
    });
    this.addZone(position, wanted, only);
    // In a long table, what has changed is also at its top.
    const changed = this.rows.filter((row) => row.changed && !row.running && !row.constraint);
    if (this.rows.length > kLongTable && changed.length > 0 && !only)
      this.rows.unshift({title: "Changed", count: changed.length}, ...changed);
    if (this.rows.length === 0) this.rows.push({title: wanted ? "No such name" : "Nothing has changed", count: null});
    this.list.setCount(this.rows.length);
    this.list.draw();
  }

  // The clocks that are set, instead of running on.
  resets(position) {
    const {trace} = this.app;
    if (position === 0 || trace.isEnd(position)) return new Set();
    return new Set((trace.step(position).reset ?? []).filter((_, i) => i % 2 === 0));
  }

  addZone(position, wanted, only) {
    const {trace} = this.app;
    const old = new Set(position === 0 ? trace.zone(0) : trace.zone(position - 1));
    const zone = trace.zone(position).filter((text) => !wanted || text.toLowerCase().includes(wanted));
    const rows = zone
      .map((text) => ({name: text, text: "", changed: !old.has(text), constraint: true}))
      .filter((row) => !only || row.changed);
    if (rows.length > 0)
      this.rows.push(
        {title: "Zone", count: rows.length, help: "All clock values with which the path can be here"},
        ...rows,
      );
  }

  row(row) {
    if (row.title !== undefined) {
      return el(
        "div",
        {class: "row section", role: "row", title: row.help},
        el("span", {role: "columnheader"}, row.title),
        row.count === null ? null : el("span", {class: "count"}, `${row.count}`),
      );
    }
    const value = el("span", {class: "value", role: "cell"});
    if (row.changed && !row.constraint)
      value.append(el("s", {}, row.old), el("span", {class: "arrow", "aria-hidden": "true"}, "→"));
    value.append(el("b", {}, row.text));
    const plotted = row.track && this.app.plots.has(row.track);
    return el(
      "div",
      {
        class: `row entry${row.running ? " running" : row.changed ? " changed" : ""}`,
        role: "row",
        title: row.constraint ? row.name : `${row.name} = ${row.text}`,
      },
      el("span", {class: "name", role: "cell"}, row.name),
      row.constraint ? null : value,
      row.track
        ? el(
            "button",
            {
              class: "plot-toggle",
              type: "button",
              "aria-pressed": plotted ? "true" : "false",
              title: plotted ? "Remove from the plots" : "Plot",
              "aria-label": `Plot ${row.name}`,
              onclick: () => this.app.togglePlot(row.track),
            },
            icon("plot"),
          )
        : null,
    );
  }
}
