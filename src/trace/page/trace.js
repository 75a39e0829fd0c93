// The trace: what is true after each step. Step 0 is the initial state; a trace may have an end behind its last step,
// where time passes or the model fails.

const kCheckpointEvery = 100;

class Trace {
  constructor(data) {
    Object.assign(this, data);
    this.length = this.steps.length;
    const {delay, failure, rest} = this.end;
    this.hasEnd = Boolean(delay || failure || rest);
    // The last position that can be looked at.
    this.last = this.length + (this.hasEnd ? 1 : 0);
    for (const process of this.processes) {
      process.locations ??= this.shapes[process.shape].locations.map((location) => location.name);
    }
    this.checkpoints = [this.initialState()];
    this.recent = {position: 0, state: this.initialState()};
  }

  initialState() {
    const {locations, values, clocks, queues} = this.initial;
    return {
      locations: Int32Array.from(locations),
      values: Int32Array.from(values),
      clocks: Float64Array.from(clocks),
      queues: queues.slice(),
    };
  }

  // Of a position behind the initial one.
  step(position) {
    return this.steps[position - 1];
  }

  isEnd(position) {
    return position > this.length;
  }

  time(position) {
    if (position === 0) return 0;
    return this.isEnd(position) ? this.end.time : (this.step(position).time ?? 0);
  }

  delay(position) {
    if (position === 0) return 0;
    return (this.isEnd(position) ? this.end.delay : this.step(position).delay) ?? 0;
  }

  // The edges that fire, or that fail.
  edgesAt(position) {
    if (position === 0) return [];
    const numbers = this.isEnd(position) ? (this.end.failure?.edges ?? []) : this.step(position).edges;
    return numbers.map((number) => this.edges[number]);
  }

  apply(state, position) {
    const delay = this.delay(position);
    if (delay) state.clocks.forEach((value, c) => (state.clocks[c] = value + delay));
    if (this.isEnd(position)) return;
    const {at = [], set = [], reset = [], queues = []} = this.step(position);
    for (let i = 0; i < at.length; i += 2) state.locations[at[i]] = at[i + 1];
    for (let i = 0; i < set.length; i += 2) state.values[set[i]] = set[i + 1];
    for (let i = 0; i < reset.length; i += 2) state.clocks[reset[i]] = reset[i + 1];
    for (let i = 0; i < queues.length; i += 2) state.queues[queues[i]] = queues[i + 1];
  }

  static copy({locations, values, clocks, queues}) {
    return {locations: locations.slice(), values: values.slice(), clocks: clocks.slice(), queues: queues.slice()};
  }

  // The state after a step; it is not to be changed.
  state(position) {
    if (position < this.recent.position || position > this.recent.position + kCheckpointEvery) {
      const nearest = Math.min(Math.floor(position / kCheckpointEvery), this.checkpoints.length - 1);
      this.recent = {position: nearest * kCheckpointEvery, state: Trace.copy(this.checkpoints[nearest])};
    }
    while (this.recent.position < position) {
      this.apply(this.recent.state, ++this.recent.position);
      const {position: here, state} = this.recent;
      if (here % kCheckpointEvery === 0 && here / kCheckpointEvery === this.checkpoints.length) {
        this.checkpoints.push(Trace.copy(state));
      }
    }
    return this.recent.state;
  }

  zone(position) {
    const zone = position === 0 ? this.initial.zone : this.isEnd(position) ? undefined : this.step(position).zone;
    return (zone ?? []).map((number) => this.constraints[number]);
  }

  // Where one goes from here: at the end of a cycle to its second state, since the last one is its first again.
  after(position) {
    if (position < this.last) return position + 1;
    return this.loop === undefined || this.loop >= this.length ? position : this.loop + 1;
  }

  before(position) {
    return Math.max(position - 1, 0);
  }

  inCycle(position) {
    return this.loop !== undefined && position > this.loop && !this.isEnd(position);
  }
}
