"""All states of a model of generate_symmetric.py without clocks, one by one, straight from UPPAAL's manual. Nothing here is fast."""

from itertools import product

MOST_STATES = 3000


class TooLarge(Exception):
    pass


class Explorer:
    def __init__(self, model):
        self.model = model
        self.ids = list(range(model.low, model.low + model.count))
        self.processes = [(t, number) for t in model.templates for number in ([0] if t.single else self.ids)]
        self.broadcast = {name: broadcast for name, broadcast, _ in model.channels}
        self.codes = {}

    # A state: values of globals, and for each process its location and values.
    def initial(self):
        m, size, low = self.model, self.model.low + self.model.count, self.model.low
        values = {name: low for name in m.ids} | {name: [False] * size for name in m.flags}
        values |= {name: [0] * low + m.constants() if m.uneven else [0] * size for name in m.counters}
        values |= {"seen": [[False] * size] * size} if m.pairs else {}
        values |= {"next": [low] * size for _ in m.links} | {name: 0 for name in m.ints}
        if m.lock:
            values["lock"] = 0
        local = tuple((0, tuple(low if kind == "id" else 0 for _, kind in t.variables)) for t, _ in self.processes)
        return self.frozen(values), local

    def frozen(self, value):
        if isinstance(value, dict):
            return tuple((name, self.frozen(v)) for name, v in value.items())
        return tuple(self.frozen(v) for v in value) if isinstance(value, list) else value

    def thawed(self, value):
        return [self.thawed(v) for v in value] if isinstance(value, tuple) else value

    def surroundings(self, values):
        env = {name: self.thawed(v) for name, v in values}
        env["IDS"] = self.ids
        env["table"] = [0] * self.model.low + self.model.constants()
        if self.model.last:
            env["last"] = lambda: self.last(env)
        if self.model.functions:
            flags = env[self.model.flags[0]]
            env["f"] = lambda i: flags[i]
            env["reset"] = lambda: flags.__setitem__(slice(None), [False] * len(flags))
        return env

    def last(self, env):
        for i in self.ids:
            if env[self.model.flags[0]][i]:
                env[self.model.ids[0]] = i

    def evaluate(self, text, env, how="eval"):
        if text not in self.codes:
            self.codes[text] = compile(text, "model", how)
        return (eval if how == "eval" else exec)(self.codes[text], env)

    def place(self, env, local, p, chosen):
        """Makes the names of one process known."""
        t, number = self.processes[p]
        env.update({"id": number, "e": chosen} | {name: v for (name, _), v in zip(t.variables, local[p][1])})

    # Steps.
    def enabled(self, state):
        """Edges whose guards hold: process, edge, what is selected, the channel."""
        values, local = state
        env = self.surroundings(values)
        for p, (t, _) in enumerate(self.processes):
            for edge in t.edges:
                if edge.source != local[p][0]:
                    continue
                for chosen in self.ids if edge.select else [0]:
                    self.place(env, local, p, chosen)
                    if edge.guard[1] and not self.evaluate(edge.guard[1], env):
                        continue
                    channel = None
                    if edge.sync:
                        channel = (edge.sync[0], self.evaluate(edge.sync[1], env) if edge.sync[1] else 0)
                    yield p, edge, chosen, channel

    def taken(self, state, moves):
        """The state behind edges that are taken together, in this order."""
        values, local = state
        env, local = self.surroundings(values), list(local)
        for p, edge, chosen, _ in moves:
            self.place(env, local, p, chosen)
            for _, update in edge.updates:
                if update:
                    self.evaluate(update, env, "exec")
            local[p] = (edge.target, tuple(env[name] for name, _ in self.processes[p][0].variables))
        return self.frozen({name: env[name] for name, _ in values}), tuple(local)

    def steps(self, state):
        enabled = list(self.enabled(state))
        committed = [at in t.committed for (at, _), (t, _) in zip(state[1], self.processes)]
        for move in enabled:
            p, edge, _, channel = move
            if edge.sync and edge.sync[2] == "?":
                continue
            if not edge.sync:
                together = [(move,)]
            elif self.broadcast[channel[0]]:
                receivers = {}
                for other in enabled:
                    if other[0] != p and other[3] == channel and other[1].sync[2] == "?":
                        receivers.setdefault(other[0], []).append(other)
                together = [(move, *rest) for rest in product(*(receivers[q] for q in sorted(receivers)))]
            else:
                together = [(move, other) for other in enabled if other[0] != p and other[3] == channel and other[1].sync[2] == "?"]
            for moves in together:
                if not any(committed) or any(committed[q] for q, *_ in moves):
                    yield self.taken(state, moves)

    def reach(self, goals):
        """The least number of steps to each condition, None: it is never reached."""
        lengths = [None] * len(goals)
        layer, seen, depth = [self.initial()], set(), 0
        seen.add(layer[0])
        while layer:
            following = []
            for state in layer:
                after = list(self.steps(state))
                self.look(state, not after, goals, lengths, depth)
                for s in after:
                    if s not in seen:
                        seen.add(s)
                        following.append(s)
            if len(seen) > MOST_STATES:
                raise TooLarge
            layer, depth = following, depth + 1
        return lengths

    def look(self, state, stuck, goals, lengths, depth):
        env = self.surroundings(state[0])
        env["DEADLOCK"] = stuck
        env["at"] = {(t.name, number): at for (t, number), (at, _) in zip(self.processes, state[1])}
        for g, goal in enumerate(goals):
            if lengths[g] is None and self.evaluate(goal, env):
                lengths[g] = depth
