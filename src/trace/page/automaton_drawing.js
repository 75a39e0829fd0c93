// Where the parts of an automaton are drawn: at the coordinates of the file, or where the layout puts them.
//
// {bounds, nodes: [{x, y, width, height, round, texts}], edges: [{path, tip, texts}]}, where texts are
// {text, x, y, anchor, kind} and y is that of the base line.

const kLine = 14;
const kLongestLabel = 42;

class AutomatonDrawing {
  constructor(shape, measure) {
    this.shape = shape;
    this.measure = measure;
    this.isDrawn = shape.locations.length > 0 && shape.locations.every((location) => location.at);
    if (this.isDrawn) this.asDrawn();
    else this.laidOut();
    this.findBounds();
  }

  // The lines of an edge's label: {text, kind}.
  static lines(edge) {
    const cut = (text) => (text.length > kLongestLabel ? `${text.slice(0, kLongestLabel)}…` : text);
    // A choice of the channel shows in the synchronisation.
    const chosen = edge.sync?.startsWith(edge.label) ? undefined : edge.label;
    return [
      ["select", chosen],
      ["guard", edge.guard],
      ["sync", edge.sync],
      ["update", edge.update],
    ]
      .filter(([, text]) => text)
      .map(([kind, text]) => ({kind, text: cut(text), full: text}));
  }

  // As in the editor of UPPAAL: circles, with texts where the file has them.
  asDrawn() {
    this.nodes = this.shape.locations.map(({at: [x, y], name, name_at, invariant, invariant_at}) => {
      const texts = [{text: name, kind: "name", ...this.spot(name_at, x + 14, y - 12)}];
      if (invariant) texts.push({text: invariant, kind: "invariant", ...this.spot(invariant_at, x + 14, y + 8)});
      return {x, y, width: 24, height: 24, round: true, texts};
    });
    const loops = new Map();
    this.edges = this.shape.edges.map((edge) => {
      const from = this.nodes[edge.from];
      const to = this.nodes[edge.to];
      const bends = (edge.bends ?? []).map(([x, y]) => ({x, y}));
      if (bends.length === 0 && from === to) return this.loop(from, edge, loops);
      const inner = [from, ...bends, to];
      const points = [this.border(from, inner[1]), ...bends, this.border(to, inner.at(-2))];
      const path = points.map(({x, y}, i) => `${i === 0 ? "M" : "L"}${x},${y}`).join(" ");
      const middle = this.middle(points);
      const places = {select: edge.select_at, guard: edge.guard_at, sync: edge.sync_at, update: edge.update_at};
      const lines = AutomatonDrawing.lines(edge);
      // What the file has no place for was not in the file, but follows from what is.
      const placed = lines.filter(({kind}) => places[kind]);
      const texts = (placed.length > 0 ? placed : lines).map((line, i) => ({
        ...line,
        ...this.spot(places[line.kind], middle.x + 4, middle.y + i * kLine - 6),
      }));
      return {path, tip: this.tip(points.at(-2), points.at(-1)), texts, middle};
    });
  }

  // UPPAAL notes the upper left corner of a text.
  spot(given, x, y) {
    return given ? {x: given[0], y: given[1] + 12} : {x, y: y + 4};
  }

  middle(points) {
    const at = (points.length - 1) / 2;
    const a = points[Math.floor(at)];
    const b = points[Math.ceil(at)];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2};
  }

  border(node, towards) {
    const dx = towards.x - node.x;
    const dy = towards.y - node.y;
    const length = Math.hypot(dx, dy) || 1;
    const radius = node.width / 2 + 1;
    return {x: node.x + (dx / length) * radius, y: node.y + (dy / length) * radius};
  }

  tip(before, end) {
    const angle = Math.atan2(end.y - before.y, end.x - before.x);
    const corner = (turn) => `${end.x - 9 * Math.cos(angle + turn)},${end.y - 9 * Math.sin(angle + turn)}`;
    return `M${end.x},${end.y} L${corner(0.42)} L${corner(-0.42)} z`;
  }

  loop(node, edge, loops) {
    const number = loops.get(node) ?? 0;
    loops.set(node, number + 1);
    const x = node.x + node.width / 2;
    const reach = 30 + 10 * number;
    const y = node.y;
    const end = {x, y: y + 5};
    const texts = AutomatonDrawing.lines(edge);
    const top = y + 4 + (number === 0 ? 0 : (loops.get(`${node.x}:${node.y}`) ?? 0)) - ((texts.length - 1) * kLine) / 2;
    loops.set(`${node.x}:${node.y}`, (loops.get(`${node.x}:${node.y}`) ?? 0) + texts.length * kLine + 4);
    return {
      path: `M${x},${y - 5} C${x + reach},${y - 18} ${x + reach},${y + 18} ${end.x},${end.y}`,
      tip: this.tip({x: x + 16, y: y + 10}, end),
      texts: texts.map((line, i) => ({...line, x: x + reach * 0.8 + 2, y: top + i * kLine})),
      middle: {x: x + reach, y},
    };
  }

  size(lines) {
    return {
      width: lines.reduce((most, {text}) => Math.max(most, this.measure.width(text)), 0),
      height: lines.length * kLine,
    };
  }

  laidOut() {
    const {locations, edges, initial} = this.shape;
    const labels = edges.map((edge) => AutomatonDrawing.lines(edge));
    const loops = locations.map(() => 0);
    edges.forEach((edge, i) => {
      if (edge.from === edge.to) loops[edge.from] = Math.max(loops[edge.from], 34 + this.size(labels[i]).width);
    });
    const boxes = locations.map(({name, invariant}) => ({
      width: Math.max(this.measure.width(name), invariant ? this.measure.width(invariant) : 0, 22) + 22,
      height: invariant ? 40 : 26,
    }));
    const layout = layOutGraph(
      boxes.map(({width, height}, i) => ({width: width + loops[i], height})),
      edges.map((edge, i) => {
        const {width, height} = this.size(labels[i]);
        return {from: edge.from, to: edge.to, width: width + 12, height};
      }),
      initial,
    );
    this.nodes = layout.nodes.map(({x, y}, i) => {
      const {name, invariant} = locations[i];
      const middle = x - loops[i] / 2;
      const texts = [{text: name, kind: "name", x: middle, y: y + (invariant ? -2 : 4), anchor: "middle"}];
      if (invariant) texts.push({text: invariant, kind: "invariant", x: middle, y: y + 12, anchor: "middle"});
      return {x: middle, y, ...boxes[i], texts};
    });
    const drawnLoops = new Map();
    this.edges = edges.map((edge, i) => {
      if (edge.from === edge.to) return this.loop(this.nodes[edge.from], edge, drawnLoops);
      return this.curve(edge, layout.edges[i], labels[i]);
    });
  }

  curve(edge, {points, label}, lines) {
    const from = this.nodes[edge.from];
    const to = this.nodes[edge.to];
    const down = points[1].y > from.y ? 1 : -1;
    const start = {x: from.x, y: from.y + (down * from.height) / 2};
    const way = AutomatonDrawing.simplified([
      start,
      ...points.slice(1, -1),
      {x: to.x, y: to.y - (down * to.height) / 2},
    ]);
    let path = `M${way[0].x},${way[0].y}`;
    for (let i = 1; i < way.length; ++i) {
      const half = (way[i - 1].y + way[i].y) / 2;
      path += ` C${way[i - 1].x},${half} ${way[i].x},${half} ${way[i].x},${way[i].y}`;
    }
    const end = way.at(-1);
    const top = (label?.y ?? 0) - (lines.length * kLine) / 2 + 11;
    return {
      path,
      tip: this.tip({x: end.x, y: end.y - down * 10}, end),
      texts: lines.map((line, i) => ({
        ...line,
        x: label.x + (label.left ? -6 : 6),
        y: top + i * kLine,
        anchor: label.left ? "end" : "start",
      })),
      middle: label,
    };
  }

  // Without the bends that lie near the line between others (Douglas and Peucker 1973): what is left is smooth.
  static simplified(points) {
    const first = points[0];
    const last = points.at(-1);
    const length = Math.hypot(last.x - first.x, last.y - first.y) || 1;
    const away = ({x, y}) => Math.abs((last.x - first.x) * (first.y - y) - (first.x - x) * (last.y - first.y)) / length;
    let farthest = 0;
    points.forEach((point, i) => (farthest = away(point) > away(points[farthest]) ? i : farthest));
    if (away(points[farthest]) <= 9) return [first, last];
    const before = AutomatonDrawing.simplified(points.slice(0, farthest + 1));
    return [...before.slice(0, -1), ...AutomatonDrawing.simplified(points.slice(farthest))];
  }

  findBounds() {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    const add = (x1, y1, x2, y2) => {
      left = Math.min(left, x1);
      top = Math.min(top, y1);
      right = Math.max(right, x2);
      bottom = Math.max(bottom, y2);
    };
    const addTexts = (texts) =>
      texts.forEach(({text, x, y, anchor}) => {
        const width = this.measure.width(text);
        const start = anchor === "middle" ? x - width / 2 : anchor === "end" ? x - width : x;
        add(start, y - 11, start + width, y + 4);
      });
    for (const {x, y, width, height, texts} of this.nodes) {
      add(x - width / 2, y - height / 2, x + width / 2, y + height / 2);
      addTexts(texts);
    }
    this.edges.forEach(({texts, middle}, i) => {
      addTexts(texts);
      if (middle) add(middle.x, middle.y, middle.x, middle.y);
      for (const [x, y] of (this.isDrawn && this.shape.edges[i].bends) || []) add(x, y, x, y);
    });
    const pad = 14;
    this.bounds = {x: left - pad, y: top - pad, width: right - left + 2 * pad, height: bottom - top + 2 * pad};
  }
}
