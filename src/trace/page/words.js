// How the parts of a trace are told in words.

class Words {
  constructor(trace) {
    this.trace = trace;
    this.telling = trace.model.telling;
    this.known = new Map();
  }

  static divisor(a, b) {
    return b === 0 ? Math.abs(a) : Words.divisor(b, a % b);
  }

  // "3", or "7/2" in lowest terms.
  time(units) {
    const {denominator} = this.trace;
    const common = Words.divisor(units, denominator) || 1;
    return denominator === common ? `${units / common}` : `${units / common}/${denominator / common}`;
  }

  value(variable, value) {
    const {values} = this.trace.variables[variable];
    return (values !== undefined && this.trace.value_names[values][value]) || `${value}`;
  }

  // "n = 3", or an atom of a planning task, which says it all.
  assignment(variable, value) {
    const text = this.value(variable, value);
    return this.isAtom(text) ? text : `${this.trace.variables[variable].name} = ${text}`;
  }

  // A value that says no more than its variable's name, as of a channel, or of a proposition that does not hold.
  isPlain(variable, text) {
    return text === this.trace.variables[variable].name;
  }

  // "0", "FALSE", "not at(van, mill)": what is drawn without colour.
  static isNegative(text) {
    return /^(0|false|not .*)$/i.test(text);
  }

  isAtom(text) {
    return this.telling === "actions" && text.endsWith(")");
  }

  queue(content) {
    return `⟨${content.join(" ")}⟩`;
  }

  position(position) {
    return this.trace.isEnd(position) ? "end" : `${position}`;
  }

  // What an edge does: its statement, or where it leads.
  move(edge) {
    if (this.telling === "statements" || this.telling === "actions") return edge.label ?? "";
    if (this.telling === "states") return "step";
    return edge.from === edge.to ? edge.from : `${edge.from} → ${edge.to}`;
  }

  // Beside a process, its own variables need no more than their names.
  local(text, edge) {
    const owner = `${this.processName(edge)}.`;
    return text.startsWith(owner) ? text.slice(owner.length) : text;
  }

  processName(edge) {
    return this.trace.processes[edge.process]?.name ?? "";
  }

  // The head of a step in lists.
  title(position) {
    if (position === 0) return "Initial state";
    if (this.trace.isEnd(position)) return this.ending();
    const edges = this.trace.edgesAt(position);
    const [first, ...others] = edges;
    if (this.telling === "actions") return this.move(first);
    if (this.telling === "states") {
      const name = this.trace.processes.length > 1 ? `${this.processName(first)}: ` : "";
      return name + (this.changes(position).join(", ") || "nothing changes");
    }
    if (others.length === 0) {
      const sync = first.channel && this.telling === "moves" ? `  ${first.channel}!` : "";
      return `${this.processName(first)}: ${this.move(first)}${sync}`;
    }
    const receivers = others.length > 3 ? `${others.length} others` : others.map((e) => this.processName(e)).join(", ");
    const what = this.telling === "statements" ? this.move(first) : first.channel;
    return `${this.processName(first)} ⇒ ${receivers}: ${what}`;
  }

  // What a step changes, apart from locations.
  changes(position) {
    if (position === 0 || this.trace.isEnd(position)) return [];
    const {set = [], reset = [], queues = []} = this.trace.step(position);
    const out = [];
    for (let i = 0; i < set.length; i += 2) {
      const text = this.assignment(set[i], set[i + 1]);
      if (!out.includes(text) && !this.isPlain(set[i], this.value(set[i], set[i + 1]))) out.push(text);
    }
    for (let i = 0; i < queues.length; i += 2) {
      out.push(`${this.trace.queues[queues[i]]} = ${this.queue(queues[i + 1])}`);
    }
    for (let i = 0; i < reset.length; i += 2) out.push(`${this.trace.clocks[reset[i]]} := ${this.time(reset[i + 1])}`);
    return out;
  }

  // The second line of a step in lists.
  subtitle(position) {
    if (position === 0) return "";
    const parts = [];
    const delay = this.trace.delay(position);
    if (delay) parts.push(`after ${this.time(delay)}`);
    if (this.trace.isEnd(position)) return parts.join(" · ");
    if (this.telling === "moves") {
      const edges = this.trace.edgesAt(position);
      if (edges.length > 1)
        parts.push(
          edges
            .slice(0, 4)
            .map((e) => `${this.processName(e)} ${this.move(e)}`)
            .join(", "),
        );
    }
    const changes = this.telling === "states" ? [] : this.changes(position);
    if (changes.length > 0) parts.push(changes.slice(0, 8).join(", "));
    return parts.join(" · ");
  }

  ending() {
    const {failure, rest, delay} = this.trace.end;
    if (failure) return failure.text;
    if (rest === "delay") return "Time passes for ever";
    if (rest === "stuck") return "Nothing can happen any more";
    return delay ? this.verdict() : "";
  }

  // What the trace shows about the property.
  verdict() {
    const {kind} = this.trace.property;
    if (this.trace.end.failure) return "the model fails";
    if (kind === "reachable") return this.telling === "actions" ? "goal reached" : "reached";
    return kind === "potentially-always" ? "satisfied" : "violated";
  }

  isGood() {
    return ["reached", "goal reached", "satisfied"].includes(this.verdict());
  }

  // All that a search looks through.
  searchText(position) {
    if (!this.known.has(position)) {
      const edges = this.trace
        .edgesAt(position)
        .map((e) =>
          [this.processName(e), e.from, e.to, e.label, e.channel, e.guard, e.update].filter(Boolean).join(" "),
        );
      const messages = this.trace.step(position)?.messages?.map((m) => m.text) ?? [];
      const texts = [this.title(position), ...edges, ...this.changes(position), ...messages];
      this.known.set(position, texts.join(" ").toLowerCase());
    }
    return this.known.get(position);
  }
}
