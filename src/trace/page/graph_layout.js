// Layered drawings of graphs, after Sugiyama, Tagawa and Toda (1981): edges point down where they can, a node lies
// below those that lead to it, the order in each layer keeps crossings few, and nodes lie near the middle of their
// neighbours. Labels of edges take part as nodes of their own, so that nothing covers them.
//
//     const {width, height, nodes, edges} = layOutGraph(sizes, edges, initial);
//
// Sizes are {width, height}, edges {from, to, width, height} with the size of the label. Nodes come back as {x, y} of
// their middles; edges as {points, label: {x, y, left}}, from the source to the target, the label to the left or to the
// right of its place. Loops at a node have no points.

const kNodeGap = 28;
const kLayerGap = 17;
const kSweeps = 12;

class LayeredGraph {
  constructor(nodes, edges, initial) {
    this.given = edges;
    // A node of the drawing: a location, the label of an edge, or a bend of one.
    this.nodes = nodes.map(({width, height}) => ({width, height, up: [], down: [], layer: 0, port: 0}));
    this.turned = this.backEdges(initial);
    this.rank();
    this.chains = edges.map((edge, i) => (edge.from === edge.to ? null : this.chain(edge, this.turned[i])));
    this.order();
    this.place();
  }

  ends(i) {
    const {from, to} = this.given[i];
    return this.turned[i] ? [to, from] : [from, to];
  }

  // The edges that lead back on the way of a depth-first search: turned, they leave no cycle.
  backEdges(initial) {
    const out = this.nodes.map(() => []);
    this.given.forEach(({from}, i) => out[from].push(i));
    const turned = this.given.map(() => false);
    const state = this.nodes.map(() => 0); // 1 while it is on the way, 2 when it is done
    this.found = [];
    for (const start of [initial, ...this.nodes.keys()]) {
      if (state[start] !== 0) continue;
      state[start] = 1;
      this.found.push(start);
      const way = [[start, 0]];
      while (way.length > 0) {
        const top = way.at(-1);
        const [node, next] = top;
        if (next === out[node].length) {
          state[node] = 2;
          way.pop();
          continue;
        }
        top[1] += 1;
        const {to} = this.given[out[node][next]];
        if (state[to] === 1) turned[out[node][next]] = to !== node;
        if (state[to] !== 0) continue;
        state[to] = 1;
        this.found.push(to);
        way.push([to, 0]);
      }
    }
    return turned;
  }

  // By the longest way from above. Locations have even layers: labels fit in between.
  rank() {
    const below = this.nodes.map(() => []);
    const waiting = this.nodes.map(() => 0);
    this.given.forEach(({from, to}, i) => {
      if (from === to) return;
      const [upper, lower] = this.ends(i);
      below[upper].push(lower);
      waiting[lower] += 1;
    });
    const ready = this.found.filter((node) => waiting[node] === 0);
    while (ready.length > 0) {
      const node = ready.pop();
      for (const lower of below[node]) {
        this.nodes[lower].layer = Math.max(this.nodes[lower].layer, this.nodes[node].layer + 2);
        waiting[lower] -= 1;
        if (waiting[lower] === 0) ready.push(lower);
      }
    }
  }

  // The bends of an edge, one in every layer that it passes; that in the middle has the label.
  chain(edge, turned) {
    const [upper, lower] = turned ? [edge.to, edge.from] : [edge.from, edge.to];
    const top = this.nodes[upper].layer;
    const bottom = this.nodes[lower].layer;
    let middle = Math.floor((top + bottom) / 2);
    if (middle % 2 === 0) middle += 1;
    const out = {nodes: [upper], label: 0};
    for (let layer = top + 1; layer < bottom; ++layer) {
      const labelled = layer === middle;
      const bend = this.nodes.length;
      this.nodes.push({
        width: labelled ? edge.width : 4,
        height: labelled ? edge.height : 0,
        up: [],
        down: [],
        layer,
        port: 0,
        bend: true,
      });
      if (labelled) out.label = out.nodes.length;
      out.nodes.push(bend);
    }
    out.nodes.push(lower);
    for (let i = 1; i < out.nodes.length; ++i) {
      this.nodes[out.nodes[i - 1]].down.push(out.nodes[i]);
      this.nodes[out.nodes[i]].up.push(out.nodes[i - 1]);
    }
    return out;
  }

  order() {
    const count = 1 + this.nodes.reduce((most, node) => Math.max(most, node.layer), 0);
    this.layers = Array.from({length: count}, () => []);
    const seen = new Set();
    const add = (node) => {
      if (seen.has(node)) return;
      seen.add(node);
      this.layers[this.nodes[node].layer].push(node);
    };
    for (const node of this.found) {
      add(node);
      this.nodes[node].down.forEach(add);
    }
    this.nodes.forEach((_, node) => add(node));
    let best = {crossings: Infinity};
    for (let sweep = 0; sweep < kSweeps; ++sweep) {
      this.renumber();
      const crossings = this.crossings();
      if (crossings < best.crossings) best = {crossings, layers: this.layers.map((layer) => layer.slice())};
      if (crossings === 0) break;
      this.sweep(sweep % 2 === 0);
    }
    this.layers = best.layers;
    this.renumber();
  }

  renumber() {
    for (const layer of this.layers) layer.forEach((node, at) => (this.nodes[node].at = at));
  }

  sweep(down) {
    const layers = down ? this.layers : [...this.layers].reverse();
    for (const layer of layers) {
      for (const node of layer) {
        const near = down ? this.nodes[node].up : this.nodes[node].down;
        const {at} = this.nodes[node];
        this.nodes[node].wish =
          near.length === 0 ? at : near.reduce((sum, other) => sum + this.nodes[other].at, 0) / near.length;
      }
      layer.sort((a, b) => this.nodes[a].wish - this.nodes[b].wish || this.nodes[a].at - this.nodes[b].at);
      layer.forEach((node, at) => (this.nodes[node].at = at));
    }
  }

  // Pairs of edges between two layers whose ends are in opposite order, counted with a binary indexed tree.
  crossings() {
    let sum = 0;
    this.layers.forEach((layer, number) => {
      const tree = new Int32Array((this.layers[number + 1]?.length ?? 0) + 1);
      let passed = 0;
      for (const node of layer) {
        const ends = this.nodes[node].down.map((lower) => this.nodes[lower].at + 1);
        for (const end of ends) {
          sum += passed;
          for (let i = end; i > 0; i -= i & -i) sum -= tree[i];
        }
        for (const end of ends) for (let i = end; i < tree.length; i += i & -i) tree[i] += 1;
        passed += ends.length;
      }
    });
    return sum;
  }

  place() {
    for (const layer of this.layers) {
      let x = 0;
      for (const node of layer) {
        this.nodes[node].x = x + this.nodes[node].width / 2;
        x += this.nodes[node].width + kNodeGap;
      }
    }
    for (let round = 0; round < 24; ++round) {
      if (round === 12) this.choosePorts();
      const layers = round % 2 === 0 ? this.layers : [...this.layers].reverse();
      for (const layer of layers) this.align(layer, round < 2 ? (round % 2 === 0 ? "up" : "down") : "both");
    }
    const left = Math.min(...this.nodes.map(({x, width}) => x - width / 2));
    for (const node of this.nodes) node.x -= left;
    this.width = Math.max(...this.nodes.map(({x, width}) => x + width / 2));
    let y = 0;
    for (const layer of this.layers) {
      const height = Math.max(...layer.map((node) => this.nodes[node].height));
      for (const node of layer) this.nodes[node].y = y + height / 2;
      y += height + kLayerGap;
    }
    this.height = y - kLayerGap;
  }

  // A label stands beside its edge, on the side where it lies anyway.
  choosePorts() {
    for (const chain of this.chains) {
      if (chain === null || chain.label === 0) continue;
      const label = this.nodes[chain.nodes[chain.label]];
      const [before, behind] = [this.nodes[chain.nodes[chain.label - 1]], this.nodes[chain.nodes[chain.label + 1]]];
      const left = label.x < (before.x + behind.x) / 2 - 4;
      label.port = (left ? 1 : -1) * (label.width / 2 - 2);
    }
  }

  // Moves the nodes of a layer to the middle of their neighbours, as near as order and distances allow: the least sum
  // of squares, by pooling those that would overlap.
  align(layer, side) {
    let offset = 0;
    const pools = [];
    layer.forEach((number) => {
      const node = this.nodes[number];
      const near = side === "both" ? [...node.up, ...node.down] : node[side];
      const wish =
        near.length === 0
          ? node.x
          : near.reduce((sum, other) => sum + this.nodes[other].x + this.nodes[other].port, 0) / near.length -
            node.port;
      node.offset = offset + node.width / 2;
      offset += node.width + kNodeGap;
      const weight = node.bend ? 3 : 1;
      pools.push({sum: (wish - node.offset) * weight, weight, nodes: [node]});
      while (pools.length > 1 && pools.at(-2).sum / pools.at(-2).weight > pools.at(-1).sum / pools.at(-1).weight) {
        const last = pools.pop();
        const into = pools.at(-1);
        into.sum += last.sum;
        into.weight += last.weight;
        into.nodes.push(...last.nodes);
      }
    });
    for (const {sum, weight, nodes} of pools) for (const node of nodes) node.x = node.offset + sum / weight;
  }

  result() {
    const point = (number) => {
      const node = this.nodes[number];
      return {x: node.x + node.port, y: node.y};
    };
    return {
      width: this.width,
      height: this.height,
      nodes: this.nodes.filter((node) => !node.bend).map(({x, y}) => ({x, y})),
      edges: this.chains.map((chain, i) => {
        if (chain === null) return {points: []};
        const points = chain.nodes.map(point);
        const label = chain.label
          ? {...points[chain.label], left: this.nodes[chain.nodes[chain.label]].port > 0}
          : undefined;
        return {points: this.turned[i] ? points.reverse() : points, label};
      }),
    };
  }
}

function layOutGraph(nodes, edges, initial) {
  return new LayeredGraph(nodes, edges, initial).result();
}
