// A lane for every process and queue that takes part, a row for every step: synchronisations and messages are arrows,
// what a process does alone stands in a box on its lane. Only what is in view is drawn.

const kLaneRow = 44;
const kLaneHead = 34;

class Lanes {
  constructor(app) {
    this.app = app;
    this.text = new TextMeasure("11.5px system-ui, sans-serif");
    this.statement = new TextMeasure(`11px ${getComputedStyle(document.documentElement).getPropertyValue("--mono")}`);
    this.collect();
    this.svg = svg("svg", {class: "lanes-drawing", role: "img", "aria-label": "Lanes of the processes"});
    this.space = el("div", {class: "space"}, this.svg);
    this.scroller = el("div", {class: "lanes", tabindex: "0", "aria-label": "Lanes"}, this.space);
    this.element = el("div", {class: "view lanes-view"}, this.scroller);
    this.update = oncePerFrame(() => this.draw());
    this.scroller.addEventListener("scroll", this.update, {passive: true});
    this.svg.addEventListener("click", (event) => this.onClick(event));
    new ResizeObserver(this.update).observe(this.scroller);
  }

  // The lanes, in the order in which they first take part: {name, process} or {name, queue}.
  collect() {
    const {trace} = this.app;
    this.lanes = [];
    this.ofProcess = new Map();
    this.ofQueue = new Map();
    for (let i = 1; i <= trace.last; ++i) {
      for (const edge of trace.edgesAt(i))
        this.add(this.ofProcess, edge.process, {
          name: trace.processes[edge.process]?.name ?? "",
          process: edge.process,
        });
      for (const {queue} of trace.step(i)?.messages ?? [])
        this.add(this.ofQueue, queue, {name: trace.queues[queue], queue});
    }
    const timed = trace.model.timed;
    this.gutter = timed ? 112 : 58;
  }

  add(known, key, lane) {
    if (known.has(key)) return;
    known.set(key, this.lanes.length);
    this.lanes.push(lane);
  }

  layOut() {
    this.width = this.scroller.clientWidth;
    this.height = this.scroller.clientHeight;
    const room = (this.width - this.gutter - 16) / Math.max(this.lanes.length, 1);
    this.lane = Math.min(Math.max(room, 124), 260);
    const wide = Math.max(this.gutter + this.lane * this.lanes.length + 16, this.width);
    this.space.style.width = `${wide}px`;
    this.space.style.height = `${kLaneHead + (this.app.trace.last + 2) * kLaneRow}px`;
    this.svg.setAttribute("width", this.width);
    this.svg.setAttribute("height", this.height);
  }

  x(lane) {
    return this.gutter + (lane + 0.5) * this.lane - this.scroller.scrollLeft;
  }

  y(position) {
    return kLaneHead + position * kLaneRow - this.scroller.scrollTop;
  }

  draw() {
    this.layOut();
    if (this.width === 0 || this.height === 0) return;
    const {trace} = this.app;
    const {scrollLeft, scrollTop} = this.scroller;
    const first = Math.max(Math.floor((scrollTop - kLaneHead) / kLaneRow), 0);
    const end = Math.min(Math.ceil((scrollTop + this.height) / kLaneRow), trace.last + 1);
    this.firstLane = Math.max(Math.floor(scrollLeft / this.lane) - 1, 0);
    this.endLane = Math.min(Math.ceil((scrollLeft + this.width) / this.lane) + 1, this.lanes.length);
    const parts = [
      svg("rect", {class: "current-band", x: 0, y: this.y(this.app.position), width: this.width, height: kLaneRow}),
    ];
    const bottom = Math.min(this.y(trace.last + 1) + 4, this.height);
    for (let k = this.firstLane; k < this.endLane; ++k) {
      parts.push(
        svg("line", {
          class: `life${this.lanes[k].queue === undefined ? "" : " queue"}`,
          x1: this.x(k),
          x2: this.x(k),
          y1: kLaneHead,
          y2: bottom,
        }),
      );
    }
    for (let i = first; i < end; ++i) parts.push(...this.row(i));
    parts.push(...this.gutterParts(first, end), ...this.head());
    this.svg.replaceChildren(...parts.filter(Boolean));
  }

  row(position) {
    const {trace} = this.app;
    const out = [];
    const y = this.y(position);
    if (position === 0) return this.boxesOfStart(y);
    if (trace.delay(position))
      out.push(svg("line", {class: "passing", x1: this.gutter - 8, x2: this.width, y1: y, y2: y}));
    if (trace.isEnd(position)) return [...out, this.across(y, this.app.words.ending(), trace.end.failure ? "bad" : "")];
    const edges = trace.edgesAt(position);
    const messages = trace.step(position).messages ?? [];
    for (const message of messages) out.push(...this.message(edges[0], message, y));
    if (edges.length > 1) out.push(...this.synchronisation(edges, y));
    else if (messages.length === 0 || trace.model.telling === "moves")
      out.push(...this.alone(position, edges[0], y, messages.length > 0));
    return out;
  }

  boxesOfStart(y) {
    const {trace} = this.app;
    const out = [];
    for (let k = this.firstLane; k < this.endLane; ++k) {
      const {process} = this.lanes[k];
      if (process === undefined) continue;
      const name = trace.processes[process].locations[trace.initial.locations[process]];
      out.push(...this.box(k, y + kLaneRow / 2, name, "location"));
    }
    return out;
  }

  across(y, text, kind) {
    return svg("text", {class: `across ${kind}`, x: this.gutter, y: y + 26}, text);
  }

  inView(lane) {
    return lane >= this.firstLane && lane < this.endLane;
  }

  isSeen(lane) {
    const x = this.x(lane);
    return x > this.gutter - 10 && x < this.width;
  }

  box(lane, y, text, kind) {
    if (!this.inView(lane)) return [];
    const measure = kind === "statement" ? this.statement : this.text;
    const shown = measure.fitted(text, this.lane - 26);
    const width = Math.max(measure.width(shown) + 16, 28);
    return [
      svg(
        "g",
        {class: `box ${kind}`, hue: hueOf(this.lanes[lane].process ?? 0)},
        svg("title", {}, text),
        svg("rect", {x: this.x(lane) - width / 2, y: y - 10, width, height: 20, rx: kind === "statement" ? 4 : 10}),
        svg("text", {x: this.x(lane), y: y + 4}, shown),
      ),
    ];
  }

  alone(position, edge, y, besideArrow) {
    const {words} = this.app;
    const lane = this.ofProcess.get(edge.process);
    if (words.telling !== "moves") return this.box(lane, y + kLaneRow / 2, words.move(edge), "statement");
    const changes = this.inView(lane)
      ? words
          .changes(position)
          .map((change) => words.local(change, edge))
          .join(", ")
      : "";
    const text = edge.channel ? `${edge.channel}!  ${edge.to}` : edge.to;
    return [
      ...this.box(lane, y + (besideArrow ? 33 : changes ? 15 : kLaneRow / 2), text, "location"),
      changes && !besideArrow
        ? svg(
            "text",
            {class: "change", x: this.x(lane), y: y + 38},
            svg("title", {}, changes),
            this.text.fitted(changes, this.lane - 12),
          )
        : null,
    ];
  }

  synchronisation(edges, y) {
    const {words} = this.app;
    const [sender, ...receivers] = edges;
    const from = this.ofProcess.get(sender.process);
    const label = words.telling === "statements" ? words.move(sender) : sender.channel;
    const out = [];
    const labelled = new Set();
    for (const receiver of receivers) {
      const to = this.ofProcess.get(receiver.process);
      const side = Math.sign(to - from);
      out.push(...this.arrow(from, to, y + 17, labelled.has(side) ? "" : label, "sync"));
      labelled.add(side);
    }
    if (words.telling === "moves") {
      for (const edge of edges)
        out.push(...this.box(this.ofProcess.get(edge.process), y + 33, edge.to, "location small"));
    }
    return out;
  }

  message(edge, {queue, kind, text, sent_in: sentIn}, y) {
    const process = this.ofProcess.get(edge.process);
    const lane = this.ofQueue.get(queue);
    const label = sentIn ? `${text}  (of ${sentIn})` : text;
    return kind === "taken"
      ? this.arrow(lane, process, y + 26, label, "taken")
      : this.arrow(process, lane, y + 26, label, kind);
  }

  // Its label stands in the gap beside the lane where it starts, or, if that is out of view, beside that where it ends;
  // and names the lane that is out of view.
  arrow(from, to, y, what, kind) {
    if (Math.max(from, to) < this.firstLane || Math.min(from, to) >= this.endLane) return [];
    const side = Math.sign(to - from) || 1;
    const x1 = this.x(from);
    const x2 = this.x(to) - side;
    const starts = this.isSeen(from);
    const label =
      starts && this.isSeen(to)
        ? what
        : starts
          ? `${what} → ${this.lanes[to].name}`
          : `${this.lanes[from].name}: ${what}`;
    const next = Math.abs(to - from) === 1;
    const shown = what && this.text.fitted(label, next ? this.lane - 22 : 1.8 * this.lane);
    const beside = next ? this.lane / 2 : this.text.width(shown) / 2 + 14;
    const anchor = starts ? x1 + side * beside : x2 - side * beside;
    return [
      svg(
        "g",
        {class: `message ${kind}`},
        svg("title", {}, label),
        svg("line", {x1, x2: x2 - side * 7, y1: y, y2: y}),
        svg("path", {d: `M${x2},${y} l${-side * 9},-4.5 v9 z`}),
        kind === "sync" ? svg("circle", {cx: x1, cy: y, r: 3}) : null,
        shown ? svg("text", {x: anchor, y: y - 5}, shown) : null,
      ),
    ];
  }

  // Numbers and times at the left, over what is scrolled beneath, and the cycle.
  gutterParts(first, end) {
    const {trace, words} = this.app;
    const out = [svg("rect", {class: "gutter", x: 0, y: 0, width: this.gutter - 10, height: this.height})];
    out.push(
      svg("rect", {
        class: "current-band",
        x: 0,
        y: this.y(this.app.position),
        width: this.gutter - 10,
        height: kLaneRow,
      }),
    );
    for (let i = first; i < end; ++i) {
      const y = this.y(i);
      const current = i === this.app.position ? " current" : "";
      out.push(svg("text", {class: `number${current}`, x: 44, y: y + 26}, words.position(i)));
      if (trace.model.timed && (i === 0 || trace.delay(i))) {
        out.push(svg("text", {class: "time", x: this.gutter - 16, y: y + 26}, `t=${words.time(trace.time(i))}`));
      }
      if (trace.premise?.steps === i && i > 0) out.push(this.note(y + kLaneRow, "here the left side of --> holds"));
    }
    if (trace.loop !== undefined) out.push(...this.cycle());
    return out;
  }

  note(y, text) {
    return svg(
      "g",
      {class: "premise"},
      svg("line", {x1: this.gutter - 8, x2: this.width, y1: y, y2: y}),
      svg("text", {x: this.width - 12, y: y - 5}, text),
    );
  }

  // A bracket from the end of the trace back to where the cycle starts.
  cycle() {
    const {trace} = this.app;
    const top = this.y(trace.loop) + kLaneRow;
    const bottom = this.y(trace.length) + kLaneRow - 4;
    return [
      svg(
        "g",
        {class: "cycle"},
        svg("title", {}, "These steps are repeated for ever"),
        svg("path", {d: `M18,${bottom} H8 V${top} H16`}),
        svg("path", {class: "tip", d: `M20,${top} l-7,-4.5 v9 z`}),
        svg("line", {x1: this.gutter - 8, x2: this.width, y1: top, y2: top}),
        svg("text", {x: this.width - 12, y: top + 13}, "cycle"),
      ),
    ];
  }

  head() {
    const {app} = this;
    const moving = new Set(app.trace.edgesAt(app.position).map((edge) => edge.process));
    const out = [svg("rect", {class: "head", x: 0, y: 0, width: this.width, height: kLaneHead})];
    for (let k = this.firstLane; k < this.endLane; ++k) {
      const {name, process, queue} = this.lanes[k];
      const active = process !== undefined && moving.has(process);
      out.push(
        svg(
          "g",
          {
            class: `lane-name${active ? " active" : ""}${queue === undefined ? "" : " queue"}`,
            hue: hueOf(process ?? 0),
          },
          svg("title", {}, queue === undefined ? name : `queue ${name}`),
          svg("text", {x: this.x(k), y: 20}, this.text.fitted(name, this.lane - 16)),
          svg("rect", {x: this.x(k) - 18, y: kLaneHead - 4, width: 36, height: 3, rx: 1.5}),
        ),
      );
    }
    out.push(svg("rect", {class: "head", x: 0, y: 0, width: this.gutter - 10, height: kLaneHead}));
    out.push(svg("text", {class: "head-label", x: 44, y: 20}, "step"));
    if (app.trace.model.timed) out.push(svg("text", {class: "head-label", x: this.gutter - 16, y: 20}, "time"));
    out.push(svg("line", {class: "rule", x1: 0, x2: this.width, y1: kLaneHead, y2: kLaneHead}));
    return out;
  }

  onClick(event) {
    const y = event.clientY - this.svg.getBoundingClientRect().top;
    if (y < kLaneHead) return;
    const position = Math.floor((y - kLaneHead + this.scroller.scrollTop) / kLaneRow);
    if (position >= 0 && position <= this.app.trace.last) this.app.go(position);
  }

  show(position) {
    this.layOut();
    const top = kLaneHead + position * kLaneRow;
    const {scrollTop, scrollLeft, clientHeight, clientWidth} = this.scroller;
    const margin = kLaneRow;
    if (top - kLaneHead - margin < scrollTop) this.scroller.scrollTop = top - kLaneHead - margin;
    else if (top + kLaneRow + margin > scrollTop + clientHeight)
      this.scroller.scrollTop = top + kLaneRow + margin - clientHeight;
    const [edge] = this.app.trace.edgesAt(position);
    if (edge && this.ofProcess.has(edge.process)) {
      const left = this.ofProcess.get(edge.process) * this.lane;
      const room = clientWidth - this.gutter;
      if (left < scrollLeft || left + this.lane > scrollLeft + room)
        this.scroller.scrollLeft = left - (room - this.lane) / 2;
    }
    this.update();
  }
}
