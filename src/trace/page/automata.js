// The automata of the processes, with the location that each is in and the edges that fire.

const kMostCards = 60;
const kLeastScale = 0.55; // smaller letters cannot be read

// One process: a drawing that is made once, and marked at every step.
class AutomatonCard {
  constructor(app, process, drawing) {
    this.app = app;
    this.process = process;
    this.drawing = drawing;
    const {name} = app.trace.processes[process];
    this.shape = app.trace.shapes[app.trace.processes[process].shape];
    this.where = el("span", {class: "where"});
    this.nodes = drawing.nodes.map((node, i) => this.node(node, this.shape.locations[i], i === this.shape.initial));
    this.edges = drawing.edges.map((edge, i) => this.edge(edge, this.shape.edges[i]));
    this.svg = svg(
      "svg",
      {class: "automaton", role: "img", "aria-label": `Automaton of ${name}`, preserveAspectRatio: "xMidYMid meet"},
      ...this.edges,
      ...this.nodes,
    );
    this.element = el(
      "article",
      {class: "card", hue: hueOf(process)},
      el(
        "button",
        {
          class: "card-head",
          type: "button",
          title: "Only this process, or all again",
          onclick: () => app.automata.toggleOnly(process),
        },
        el("span", {class: "dot", "aria-hidden": "true"}),
        el("b", {}, name),
        this.where,
      ),
      this.svg,
    );
    this.addPanning();
    this.visits();
  }

  text({text, full, x, y, anchor, kind}) {
    return svg(
      "text",
      {class: `label ${kind}`, x, y, "text-anchor": anchor},
      full && full !== text ? svg("title", {}, full) : null,
      text,
    );
  }

  node({x, y, width, height, round, texts}, {kind, name, invariant}, initial) {
    const outline = (grow) =>
      round
        ? svg("circle", {cx: x, cy: y, r: width / 2 + grow})
        : svg("rect", {
            x: x - width / 2 - grow,
            y: y - height / 2 - grow,
            width: width + 2 * grow,
            height: height + 2 * grow,
            rx: 13 + grow,
          });
    const mark = {urgent: "U", committed: "C"}[kind];
    const ring = initial ? outline(3.5) : null;
    ring?.classList.add("ring");
    return svg(
      "g",
      {class: `node ${kind ?? ""}${round ? " round" : ""}`},
      svg("title", {}, [name, kind, invariant].filter(Boolean).join("\n")),
      ring,
      outline(0),
      mark
        ? svg(
            "text",
            {
              class: "mark",
              x: round ? x : x + width / 2 - 2,
              y: round ? y + 4.5 : y - height / 2 + 5,
              "text-anchor": "middle",
            },
            mark,
          )
        : null,
      ...texts.map((text) => this.text(text)),
    );
  }

  edge({path, tip, texts}, edge) {
    return svg(
      "g",
      {class: "edge"},
      svg(
        "title",
        {},
        AutomatonDrawing.lines(edge)
          .map(({full}) => full)
          .join("\n"),
      ),
      svg("path", {class: "reach", d: path}),
      svg("path", {class: "line", d: path}),
      svg("path", {class: "tip", d: tip}),
      ...texts.map((text) => this.text(text)),
    );
  }

  // What the trace never uses is paler.
  visits() {
    const used = this.app.automata.usage(this.process);
    this.edges.forEach((element, i) => element.classList.toggle("unused", !used.edges.has(i)));
    const linked = new Set(this.shape.edges.flatMap(({from, to}) => [from, to]));
    this.nodes.forEach((element, i) => {
      element.classList.toggle("unused", !used.locations.has(i));
      element.classList.toggle("apart", !linked.has(i));
    });
  }

  show(position) {
    const {trace} = this.app;
    const here = trace.state(position).locations[this.process];
    const fired = new Set(
      trace
        .edgesAt(position)
        .filter((edge) => edge.process === this.process)
        .map((edge) => edge.drawn),
    );
    this.where.textContent = trace.processes[this.process].locations[here];
    this.nodes.forEach((element, i) => element.classList.toggle("here", i === here));
    this.edges.forEach((element, i) => element.classList.toggle("fired", fired.has(i)));
    this.element.classList.toggle("moves", fired.size > 0);
    const failed = trace.isEnd(position) && fired.size > 0;
    this.element.classList.toggle("fails", failed);
    this.view(here);
  }

  // All of it, if it can be read; otherwise what is around the current location.
  view(here) {
    const {bounds, nodes} = this.drawing;
    const width = this.svg.clientWidth || 300;
    const height = this.svg.clientHeight || 220;
    const fit = Math.min(width / bounds.width, height / bounds.height, 1.1);
    this.scale = this.chosen ?? Math.max(fit, kLeastScale);
    const seen = {width: width / this.scale, height: height / this.scale};
    const centre = (low, size, view, wish) =>
      size <= view ? low - (view - size) / 2 : Math.min(Math.max(wish - view / 2, low), low + size - view);
    const node = nodes[here] ?? nodes[0];
    const moved = this.moved ?? {x: 0, y: 0};
    this.svg.setAttribute(
      "viewBox",
      [
        centre(bounds.x, bounds.width, seen.width, node.x) + moved.x,
        centre(bounds.y, bounds.height, seen.height, node.y) + moved.y,
        seen.width,
        seen.height,
      ].join(" "),
    );
  }

  addPanning() {
    let from = null;
    const refresh = () => this.view(this.app.trace.state(this.app.position).locations[this.process]);
    this.svg.addEventListener("pointerdown", (event) => {
      from = {x: event.clientX, y: event.clientY, moved: this.moved ?? {x: 0, y: 0}};
      this.svg.setPointerCapture(event.pointerId);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (from === null) return;
      this.moved = {
        x: from.moved.x - (event.clientX - from.x) / this.scale,
        y: from.moved.y - (event.clientY - from.y) / this.scale,
      };
      refresh();
    });
    this.svg.addEventListener("pointerup", () => (from = null));
    this.svg.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey) return;
        event.preventDefault();
        this.chosen = Math.min(Math.max(this.scale * Math.exp(-event.deltaY / 300), 0.1), 3);
        refresh();
      },
      {passive: false},
    );
    this.svg.addEventListener("dblclick", () => {
      this.moved = this.chosen = undefined;
      refresh();
    });
  }
}

class Automata {
  constructor(app) {
    this.app = app;
    this.measure = new TextMeasure("12px system-ui, sans-serif");
    this.drawings = new Map();
    this.cards = new Map();
    const {processes} = app.trace;
    this.drawable = [...processes.keys()].filter((p) => processes[p].shape !== undefined);
    this.choice = el(
      "select",
      {"aria-label": "Which automata", onchange: () => this.show(app.position)},
      el("option", {value: "moving"}, "those that move"),
      el("option", {value: "all"}, this.drawable.length > kMostCards ? `the first ${kMostCards}` : "all processes"),
      ...this.drawable.map((p) => el("option", {value: p}, processes[p].name)),
    );
    this.grid = el("div", {class: "cards"});
    this.element = el("div", {class: "view automata-view"}, this.grid);
    new ResizeObserver(oncePerFrame(() => this.show(app.position))).observe(this.grid);
  }

  // The locations and edges of a process that the trace uses, found once for all processes.
  usage(process) {
    if (this.used === undefined) {
      const {trace} = this.app;
      this.used = trace.processes.map((_, p) => ({locations: new Set([trace.initial.locations[p]]), edges: new Set()}));
      for (let i = 1; i <= trace.length; ++i) {
        const {at = []} = trace.step(i);
        for (let k = 0; k < at.length; k += 2) this.used[at[k]].locations.add(at[k + 1]);
        for (const edge of trace.edgesAt(i)) this.used[edge.process]?.edges.add(edge.drawn);
      }
    }
    return this.used[process];
  }

  card(process) {
    if (!this.cards.has(process)) {
      if (this.cards.size >= kMostCards) this.cards.delete(this.cards.keys().next().value);
      const {shape} = this.app.trace.processes[process];
      if (!this.drawings.has(shape))
        this.drawings.set(shape, new AutomatonDrawing(this.app.trace.shapes[shape], this.measure));
      this.cards.set(process, new AutomatonCard(this.app, process, this.drawings.get(shape)));
    }
    return this.cards.get(process);
  }

  shown(position) {
    const {trace} = this.app;
    if (this.choice.value === "all") return this.drawable.slice(0, kMostCards);
    if (this.choice.value !== "moving") return [Number(this.choice.value)];
    const moving = [...new Set(trace.edgesAt(position).map((edge) => edge.process))].filter((p) =>
      this.drawable.includes(p),
    );
    if (moving.length > 0) this.recent = moving.slice(0, 12);
    return this.recent ?? this.drawable.slice(0, 4);
  }

  toggleOnly(process) {
    this.choice.value = this.choice.value === `${process}` ? this.usual : `${process}`;
    this.show(this.app.position);
  }

  show(position) {
    if (this.grid.clientWidth === 0) return;
    if (this.usual === undefined) this.choice.value = this.usual = this.chooseUsual();
    const cards = this.shown(position).map((process) => this.card(process));
    const elements = cards.map((card) => card.element);
    if (
      elements.length !== this.grid.children.length ||
      elements.some((element, i) => element !== this.grid.children[i])
    ) {
      this.grid.replaceChildren(...elements);
    }
    this.arrange(cards);
    for (const card of cards) card.show(position);
  }

  // All of them, if they can be read side by side.
  chooseUsual() {
    if (this.drawable.length > 12) return "moving";
    const {scale} = this.arrangement(this.drawable.map((process) => this.card(process)));
    return scale >= kLeastScale ? "all" : "moving";
  }

  arrange(cards) {
    const {columns, leastHeight} = this.arrangement(cards);
    this.grid.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    this.grid.style.gridAutoRows = `minmax(${leastHeight}px, 1fr)`;
  }

  // So many columns that the drawings are as large as they can be.
  arrangement(cards) {
    const {clientWidth: width, clientHeight: height} = this.grid;
    const head = 46;
    const leastHeight = 190;
    let best = {scale: 0, columns: 1};
    for (let columns = 1; columns <= Math.min(cards.length, Math.max(1, Math.floor(width / 170))); ++columns) {
      const rows = Math.ceil(cards.length / columns);
      const room = {width: width / columns - 18, height: Math.max(height / rows, leastHeight) - head};
      const scale = Math.min(
        ...cards.map(({drawing: {bounds}}) => Math.min(room.width / bounds.width, room.height / bounds.height, 1.1)),
      );
      if (scale > best.scale * 1.02) best = {scale, columns};
    }
    return {...best, leastHeight};
  }
}
