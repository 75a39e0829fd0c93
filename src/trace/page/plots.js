// Plots of chosen variables, clocks, queues and locations over the steps or the time: lines for numbers, bands for
// names.

const kPlotHeight = 58;
const kBandHeight = 26;
const kFirstPlots = {moves: 4, statements: 4, states: 40, actions: 40};

class Plots {
  constructor(app) {
    this.app = app;
    const {trace} = app;
    this.tracks = [];
    this.overTime = false;
    this.zoom = 1;
    this.measure = new TextMeasure("11px system-ui, sans-serif");
    this.names = [
      ...(trace.model.telling === "moves" || trace.model.telling === "statements"
        ? trace.processes.map((p, number) => ({kind: "location", number, name: p.name}))
        : []),
      ...trace.variables.map((v, number) => ({kind: "variable", number, name: v.name})),
      ...trace.queues.map((name, number) => ({kind: "queue", number, name})),
      ...trace.clocks.map((name, number) => ({kind: "clock", number, name})),
    ];
    this.chooseFirst();
    this.list = el("div", {class: `tracks ${trace.model.telling}`, tabindex: "0", "aria-label": "Plots"});
    this.adding = el(
      "select",
      {"aria-label": "Add a plot", onchange: () => this.addChosen()},
      el("option", {value: ""}, "add a plot…"),
      ...this.names.map(({name}, i) => el("option", {value: i}, name)),
    );
    const axis = (over, text) =>
      el(
        "button",
        {
          type: "button",
          "aria-pressed": `${this.overTime === over}`,
          onclick: (event) => this.setAxis(over, event.target),
        },
        text,
      );
    this.axes = trace.model.timed
      ? el("span", {class: "segmented", role: "group", "aria-label": "Axis"}, axis(false, "steps"), axis(true, "time"))
      : null;
    const zoom = (factor, name, label) =>
      el(
        "button",
        {class: "icon", type: "button", title: label, "aria-label": label, onclick: () => this.setZoom(factor)},
        icon(name),
      );
    this.tools = el(
      "span",
      {class: "tools"},
      this.adding,
      this.axes,
      zoom(0.5, "minus", "Zoom out"),
      zoom(2, "plus", "Zoom in"),
    );
    this.element = el("div", {class: "view plots-view"}, this.list);
    new ResizeObserver(oncePerFrame(() => this.show(app.position))).observe(this.list);
  }

  // What changes most tells most; what never changes, nothing.
  chooseFirst() {
    const {trace} = this.app;
    const changes = new Map();
    for (const {set = []} of trace.steps) {
      for (let i = 0; i < set.length; i += 2) changes.set(set[i], (changes.get(set[i]) ?? 0) + 1);
    }
    const most = kFirstPlots[trace.model.telling];
    const best = [...changes]
      .sort((a, b) => b[1] - a[1])
      .slice(0, most)
      .map(([number]) => number)
      .sort((a, b) => a - b);
    this.tracks = best.map((number) => ({kind: "variable", number}));
    if (this.tracks.length === 0) this.tracks = trace.clocks.slice(0, 3).map((_, number) => ({kind: "clock", number}));
  }

  find({kind, number}) {
    return this.tracks.findIndex((track) => track.kind === kind && track.number === number);
  }

  has(track) {
    return this.find(track) >= 0;
  }

  toggle(track) {
    const at = this.find(track);
    if (at >= 0) this.tracks.splice(at, 1);
    else this.tracks.push({kind: track.kind, number: track.number});
    this.show(this.app.position);
  }

  addChosen() {
    const track = this.names[this.adding.value];
    this.adding.value = "";
    if (track && !this.has(track)) this.app.togglePlot(track);
  }

  setAxis(over, button) {
    this.overTime = over;
    this.zoom = 1;
    for (const other of button.parentElement.children) other.setAttribute("aria-pressed", `${other === button}`);
    this.show(this.app.position);
  }

  setZoom(factor) {
    this.zoom = Math.min(Math.max(this.zoom * factor, 1), Math.max(1, this.app.trace.last / 4));
    this.show(this.app.position);
  }

  name({kind, number}) {
    const {trace} = this.app;
    if (kind === "location") return trace.processes[number].name;
    return kind === "variable"
      ? trace.variables[number].name
      : kind === "queue"
        ? trace.queues[number]
        : trace.clocks[number];
  }

  // The points at which a track changes, [position, value], found once.
  series(track) {
    if (track.points) return track.points;
    const {trace} = this.app;
    const list = {location: "at", variable: "set", queue: "queues", clock: "reset"}[track.kind];
    const first = {location: trace.initial.locations, variable: trace.initial.values, clock: trace.initial.clocks}[
      track.kind
    ];
    const value = track.kind === "queue" ? (content) => content.length : (v) => v;
    track.points = [[0, value((first ?? trace.initial.queues)[track.number])]];
    for (let i = 1; i <= trace.length; ++i) {
      const pairs = trace.step(i)[list] ?? [];
      for (let k = 0; k < pairs.length; k += 2)
        if (pairs[k] === track.number) track.points.push([i, value(pairs[k + 1])]);
    }
    return track.points;
  }

  text(track, value) {
    const {trace, words} = this.app;
    if (track.kind === "location") return trace.processes[track.number].locations[value];
    if (track.kind === "clock") return words.time(value);
    return track.kind === "variable" ? words.value(track.number, value) : `${value}`;
  }

  isBand(track) {
    if (track.kind === "location") return true;
    if (track.kind !== "variable") return false;
    return this.app.trace.variables[track.number].values !== undefined;
  }

  // The axis: from a position to what is seen of it.
  scale(width) {
    const {trace, position} = this.app;
    const at = (i) => (this.overTime ? trace.time(i) : i);
    const whole = Math.max(at(trace.last), 1) + (this.overTime ? 0 : 1);
    const seen = whole / this.zoom;
    const start = Math.min(Math.max(at(position) - seen / 2, 0), whole - seen);
    return {at, start, seen, x: (value) => ((value - start) / seen) * width, width};
  }

  show(position) {
    const width = this.list.clientWidth - 232;
    if (this.list.clientWidth === 0) return;
    const scale = this.scale(Math.max(width, 80));
    if (this.tracks.length === 0) {
      return this.list.replaceChildren(
        el(
          "p",
          {class: "hint"},
          "Nothing is plotted. Choose variables here or with the waves in the table of the state.",
        ),
      );
    }
    this.list.replaceChildren(...this.tracks.map((track) => this.track(track, scale, position)));
  }

  track(track, scale, position) {
    const band = this.isBand(track);
    const height = band ? kBandHeight : kPlotHeight;
    const drawing = svg("svg", {width: scale.width, height, class: "plot"});
    const now = this.valueAt(track, position);
    drawing.append(...(band ? this.band(track, scale) : this.line(track, scale)));
    const x = scale.x(scale.at(position) + (this.overTime ? 0 : 0.5));
    drawing.append(svg("line", {class: "cursor", x1: x, x2: x, y1: 0, y2: height}));
    drawing.addEventListener("click", (event) =>
      this.pick(event.clientX - drawing.getBoundingClientRect().left, scale),
    );
    return el(
      "div",
      {class: "track", hue: hueOf(track.number + (band ? 3 : 0))},
      el("span", {class: "track-name", title: this.name(track)}, this.name(track)),
      el("span", {class: "track-value"}, this.text(track, now)),
      drawing,
      el(
        "button",
        {
          class: "icon",
          type: "button",
          title: "Remove",
          "aria-label": `Remove the plot of ${this.name(track)}`,
          onclick: () => this.app.togglePlot(track),
        },
        icon("remove"),
      ),
    );
  }

  valueAt(track, position) {
    if (track.kind === "clock") return this.app.trace.state(position).clocks[track.number];
    const points = this.series(track);
    let low = 0;
    let high = points.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (points[middle][0] <= position) low = middle;
      else high = middle;
    }
    return points[low][1];
  }

  pick(x, scale) {
    const {trace} = this.app;
    const value = scale.start + (x / scale.width) * scale.seen;
    if (!this.overTime) return this.app.go(Math.min(Math.floor(value), trace.last));
    let best = 0;
    for (let i = 1; i <= trace.last; ++i)
      if (Math.abs(trace.time(i) - value) < Math.abs(trace.time(best) - value)) best = i;
    this.app.go(best);
  }

  // Stretches of one value, {from, to, value} on the axis, those in view.
  stretches(track, {at, start, seen}) {
    const {trace} = this.app;
    const points = this.series(track);
    const end = at(trace.last) + (this.overTime ? 0 : 1);
    return points
      .map(([i, value], k) => ({from: at(i), to: k + 1 < points.length ? at(points[k + 1][0]) : end, value}))
      .filter(({from, to}) => to >= start && from <= start + seen);
  }

  // Of two values, the one that is coloured is always of the same colour.
  hueNumber({kind, number}, value) {
    const {trace} = this.app;
    const names = kind === "variable" && trace.value_names[trace.variables[number].values];
    return names && names.length <= 2 ? 0 : value;
  }

  band(track, scale) {
    const out = [];
    let covered = -Infinity;
    for (const {from, to, value} of this.stretches(track, scale)) {
      const x1 = Math.max(scale.x(from), 0);
      const x2 = Math.min(scale.x(to), scale.width);
      if (x2 < covered + 0.5) continue; // narrower than can be seen
      covered = x2;
      const text = this.text(track, value);
      const shown = x2 - x1 > 24 ? this.measure.fitted(text, x2 - x1 - 8) : "";
      out.push(
        svg(
          "g",
          {class: `band${Words.isNegative(text) ? " zero" : ""}`, hue: hueOf(this.hueNumber(track, value))},
          svg("title", {}, text),
          svg("rect", {x: x1 + 0.5, y: 3, width: Math.max(x2 - x1 - 1, 0.75), height: kBandHeight - 6, rx: 3}),
          shown ? svg("text", {x: x1 + 5, y: 17}, shown) : null,
        ),
      );
    }
    return out;
  }

  // A clock runs; anything else stays until it is set.
  corners(track, scale) {
    const {trace} = this.app;
    const out = [];
    if (track.kind !== "clock") {
      for (const {from, to, value} of this.stretches(track, scale)) out.push([from, value], [to, value]);
      return out;
    }
    let value = trace.initial.clocks[track.number];
    const resets = new Map(this.series(track));
    out.push([0, value]);
    for (let i = 1; i <= trace.last; ++i) {
      value += trace.delay(i);
      const here = scale.at(i) + (this.overTime ? 0 : 0.5);
      if (value !== out.at(-1)[1]) out.push([here, value]);
      if (resets.has(i)) out.push([here, (value = resets.get(i))]);
    }
    out.push([scale.at(trace.last) + (this.overTime ? 0 : 1), value]);
    return out;
  }

  line(track, scale) {
    const corners = this.corners(track, scale);
    const values = corners.map(([, value]) => value);
    const low = values.reduce((a, b) => Math.min(a, b), 0);
    const high = values.reduce((a, b) => Math.max(a, b), low + 1);
    const y = (value) => kPlotHeight - 8 - ((value - low) / (high - low)) * (kPlotHeight - 18);
    const path = this.thinned(corners.map(([at, value]) => [scale.x(at), y(value)]))
      .map(([x, top], i) => `${i === 0 ? "M" : "L"}${x.toFixed(1)},${top.toFixed(1)}`)
      .join("");
    return [
      svg("line", {class: "zero-line", x1: 0, x2: scale.width, y1: y(low), y2: y(low)}),
      svg("path", {class: "curve", d: path}),
      svg("text", {class: "scale", x: 3, y: 9}, this.text(track, high)),
    ];
  }

  // Of the points that share a column of pixels, the first, the last, the lowest and the highest.
  thinned(points) {
    if (points.length < 4000) return points;
    const columns = new Map();
    for (const point of points) {
      const column = Math.floor(point[0]);
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push(point);
    }
    return [...columns.values()].flatMap((column) => {
      if (column.length <= 4) return column;
      const by = (better) => column.reduce((a, b) => (better(b[1], a[1]) ? b : a));
      return [column[0], by((a, b) => a < b), by((a, b) => a > b), column.at(-1)];
    });
  }
}
