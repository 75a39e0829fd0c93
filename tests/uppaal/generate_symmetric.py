"""Random UPPAAL models of processes that are alike, as text: instances of one or two templates by number, with arrays, channels and clocks
by that number, variables that hold numbers, and sometimes something that tells the numbers apart. `Model(seed)` is the same in every run.

What is said about values is written so that it is Python, too, but for the connectives: each condition is a pair of both texts.
semantics.py goes through models without clocks by the second.
"""

import random
from dataclasses import dataclass, field


@dataclass
class Edge:
    source: int
    target: int
    select: bool = False  # a number e
    guard: tuple = ("", "")
    clocks: str = ""
    sync: tuple = ()  # channel, by what it is indexed (or ""), "!" or "?"
    updates: list = field(default_factory=list)  # as texts of both languages

    def text(self, names):
        parts = []
        if self.select:
            parts.append("select e : id_t;")
        guards = " && ".join(g for g in (f"({self.guard[0]})" if self.guard[0] else "", self.clocks) if g)
        if guards:
            parts.append(f"guard {guards};")
        if self.sync:
            name, index, sign = self.sync
            parts.append(f"sync {name}{f'[{index}]' if index else ''}{sign};")
        if self.updates:
            parts.append(f"assign {', '.join(u for u, _ in self.updates)};")
        return f"    {names[self.source]} -> {names[self.target]} {{ {' '.join(parts)} }}"


@dataclass
class Template:
    name: str
    single: bool  # one process without a number
    locations: int = 0
    committed: set = field(default_factory=set)
    urgent: set = field(default_factory=set)
    invariants: dict = field(default_factory=dict)
    edges: list = field(default_factory=list)
    variables: list = field(default_factory=list)  # name and kind: "int" or "id"
    clock: bool = False


class Model:
    def __init__(self, seed):
        self.random = random.Random(f"symmetric {seed}")
        self.timed = self.chance(0.5)
        self.scalar = self.chance(0.3)
        self.low = 0 if self.scalar or self.chance(0.6) else 1
        self.count = self.random.randint(2, 4 if not self.timed else 3)
        self.breaking = not self.scalar and self.chance(0.3)  # something may tell the numbers apart
        self.lock = not self.scalar and self.low == 1 and self.chance(0.6)  # 0: nobody
        self.ids = self.some(["who", "turn"], 0.5)  # variables that hold a number
        self.flags = self.some(["flag", "want"], 0.5)  # bool by number
        self.counters = self.some(["cnt"], 0.4)  # int by number
        self.links = self.some(["next"], 0.3)  # number by number
        self.pairs = self.chance(0.2)  # bool by two numbers
        self.uneven = not self.scalar and self.chance(0.15)  # counters begin with different values
        self.ints = self.some(["n", "m"], 0.6)
        if not self.ids + self.flags + self.counters + self.links:
            names, name = self.pick([(self.ids, "who"), (self.flags, "flag"), (self.counters, "cnt")])
            names.append(name)
        self.clocks = self.timed and self.chance(0.3)  # an array by number
        self.clock = self.timed and self.chance(0.3)  # a global one
        self.functions = bool(self.flags) and self.chance(0.3)
        self.last = bool(self.flags and self.ids) and not self.scalar and self.chance(0.2)  # a loop in which the greatest number wins
        self.table = self.breaking and self.chance(0.3)  # constants by number
        self.channels = [c for c in (("a", False, False), ("b", True, False), ("c", False, True), ("d", True, True)) if self.chance(0.4)]
        self.single = self.chance(0.35)
        self.templates = [self.template("P", False)]
        if self.chance(0.25):
            self.templates.append(self.template("Q", False))
        if self.single:
            self.templates.append(self.template("C", True))

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def some(self, names, p):
        return [name for name in names if self.chance(p)]

    # Expressions. `numbers` are names of what holds a number here.
    def number(self, numbers, depth=1):
        options = numbers * 3 + self.ids
        if depth and self.links and options:
            options.append(f"next[{self.number(numbers, 0)}]")
        if not self.breaking and not options:
            return None
        if self.breaking and self.chance(0.15) or not options:
            first = self.pick(numbers) if numbers and self.low == 0 and self.chance(0.5) else None
            return f"({first} + 1) % {self.count}" if first else str(self.random.randint(self.low, self.low + self.count - 1))
        return self.pick(options)

    def atom(self, numbers, local):
        numbers = numbers + [name for name, kind in local if kind == "id"]
        number = self.number(numbers)
        options = [f"{name} {self.pick(['==', '!=', '<'])} {self.random.randint(0, 2)}" for name in self.ints]
        options += [f"{name} == {self.random.randint(0, 2)}" for name, kind in local if kind == "int"]
        if number:
            other = self.number(numbers)
            options += [f"{number} {self.pick(['==', '!='])} {other}"] * 2 * (number != other)
            options += [f"{name}[{number}] == {self.pick(['true', 'false'])}" for name in self.flags]
            options += [f"{name}[{number}] {self.pick(['==', '<'])} {self.random.randint(0, 2)}" for name in self.counters]
            if self.pairs:
                options += [f"seen[{number}][{other}] == {self.pick(['true', 'false'])}"] * 2
            if self.lock:
                options += [f"lock == {self.pick([number, '0'])}"] * 2
            if self.functions:
                options.append(f"f({number})")
            if self.table:
                options.append(f"table[{number}] {self.pick(['==', '<'])} {self.random.randint(0, 2)}")
            if self.breaking and self.chance(0.3):
                options = [f"{number} {self.pick(['<', '<='])} {other}"]
        out = self.pick(options or ["true"])
        return out, out.replace("true", "True").replace("false", "False")

    def condition(self, numbers, local=(), depth=2):
        roll = self.random.random()
        if self.counters and roll < 0.08:
            bound = self.random.randint(1, 3)
            return f"(sum (s : id_t) cnt[s]) < {bound}", f"sum(cnt[s] for s in IDS) < {bound}"
        if depth and roll < 0.25:
            name = f"i{depth}"
            body = self.condition(numbers + [name], local, depth - 1)
            if numbers and self.chance(0.5):
                differs = f"{name} != {self.pick(numbers)}"
                body = (f"!({differs}) || ({body[0]})", f"(not ({differs}) or ({body[1]}))")
            word, call = self.pick([("forall", "all"), ("exists", "any")])
            return f"{word} ({name} : id_t) ({body[0]})", f"{call}(({body[1]}) for {name} in IDS)"
        if depth and roll < 0.4:
            a, b = self.condition(numbers, local, depth - 1), self.condition(numbers, local, depth - 1)
            word, python = self.pick([("&&", "and"), ("||", "or")])
            return f"({a[0]}) {word} ({b[0]})", f"({a[1]}) {python} ({b[1]})"
        return self.atom(numbers, local)

    def update(self, numbers, local):
        numbers = numbers + [name for name, kind in local if kind == "id"]
        options = [f"{name} = ({name} + 1) % 3" for name in self.ints] + [f"{name} = 0" for name in self.ints]
        options += [f"{name} = ({name} + 1) % 3" for name, kind in local if kind == "int"]
        number = self.number(numbers)
        if number:
            ids = self.ids + [name for name, kind in local if kind == "id"]
            options += [f"{name} = {number}" for name in ids] * 2
            index = self.number(numbers)
            options += [f"{name}[{index}] = {self.pick(['true', 'false'])}" for name in self.flags] * 2
            options += [f"{name}[{index}] = ({name}[{index}] + 1) % 3" for name in self.counters]
            options += [f"next[{index}] = {number}" for _ in self.links]
            if self.pairs:
                options += [f"seen[{number}][{index}] = {self.pick(['true', 'false'])}"] * 2
            if self.lock:
                options += [f"lock = {self.pick([number, '0'])}"] * 2
        if self.functions and self.chance(0.15):
            return "reset()", "reset()"
        if self.last and self.chance(0.15):
            return "last()", "last()"
        if not options:
            return None
        out = self.pick(options)
        return out, out.replace("true", "True").replace("false", "False")

    # Templates.
    def clock_names(self, t):
        return ["x"] * t.clock + [f"y[{t.name == 'C' and 'e' or 'id'}]"] * (self.clocks and not t.single) + ["z"] * self.clock

    def template(self, name, single):
        t = Template(name, single, self.random.randint(2, 4))
        t.variables = self.some_kinds()
        t.clock = self.timed and self.chance(0.7)
        t.committed = {loc for loc in range(1, t.locations) if self.chance(0.1)}
        t.urgent = {loc for loc in range(1, t.locations) if self.chance(0.07)}
        for loc in range(t.locations):
            clocks = self.clock_names(t)
            if clocks and self.chance(0.35):
                t.invariants[loc] = f"{self.pick(clocks)} <= {self.random.randint(2, 4)}"
        for loc in range(t.locations):
            t.edges += [self.edge(t, loc) for _ in range(self.random.randint(1, 3))]
        if self.chance(0.8):  # something can be done
            t.edges[0].guard, t.edges[0].sync = ("", ""), ()
        return t

    def some_kinds(self):
        return [v for v in (("v", "int"), ("w", "id")) if self.chance(0.2) and not (v[1] == "id" and self.scalar and self.chance(0.5))]

    def edge(self, t, source):
        e = Edge(source, self.random.randrange(t.locations))
        e.select = self.chance(0.3)
        numbers = ["id"] * (not t.single) + ["e"] * e.select
        if self.channels and self.chance(0.5):
            name, _, by_number = self.pick(self.channels)
            index = self.number(numbers) if by_number else ""
            if index is not None:
                e.sync = (name, index, self.pick("!?"))
        if self.chance(0.6):
            e.guard = self.condition(numbers, t.variables)
        clocks = [c for c in self.clock_names(t) if c != "y[e]" or e.select]
        if clocks and self.chance(0.4):
            bound = "id" if self.breaking and not t.single and self.chance(0.2) else str(self.random.randint(1, 3))
            e.clocks = f"{self.pick(clocks)} {self.pick(['<=', '>=', '>', '<', '=='])} {bound}"
        e.updates = [u for u in (self.update(numbers, t.variables) for _ in range(self.random.randint(0, 2))) if u]
        if clocks and self.chance(0.5):
            e.updates.append((f"{self.pick(clocks)} = 0", ""))
        return e

    def constants(self):
        return [(i + 1) // 2 % 3 for i in range(self.count)]

    # The text.
    def declarations(self):
        out = ["typedef scalar[%d] id_t;" % self.count if self.scalar else f"typedef int[{self.low},{self.low + self.count - 1}] id_t;"]
        out += [f"id_t {name};" for name in self.ids]
        out += [f"bool {name}[id_t];" for name in self.flags]
        initial = f" = {{ {', '.join(str(c) for c in self.constants())} }}" if self.uneven else ""
        out += [f"int[0,2] {name}[id_t]{initial};" for name in self.counters]
        out += ["bool seen[id_t][id_t];"] * self.pairs
        out += ["id_t next[id_t];" for _ in self.links]
        out += [f"int[0,2] {name};" for name in self.ints]
        out += [f"int[0,{self.count}] lock;"] * self.lock
        out += [f"{'broadcast ' * broadcast}chan {name}{'[id_t]' * by_number};" for name, broadcast, by_number in self.channels]
        out += ["clock y[id_t];"] * self.clocks + ["clock z;"] * self.clock
        out += [f"const int[0,2] table[id_t] = {{ {', '.join(str(c) for c in self.constants())} }};"] * self.table
        if self.last:
            out.append(f"void last() {{ for (i : id_t) if ({self.flags[0]}[i]) {self.ids[0]} = i; }}")
        if self.functions:
            name = self.flags[0]
            out += [f"bool f(id_t i) {{ return {name}[i]; }}", f"void reset() {{ for (i : id_t) {name}[i] = false; }}"]
        return out

    def text_of(self, t):
        names = [f"l{i}" for i in range(t.locations)]
        out = [f"process {t.name}({'' if t.single else 'const id_t id'})", "{"]
        out += [f"  {'id_t' if kind == 'id' else 'int[0,2]'} {name};" for name, kind in t.variables] + ["  clock x;"] * t.clock
        states = [f"{n} {{ {t.invariants[i]} }}" if i in t.invariants else n for i, n in enumerate(names)]
        out.append(f"  state {', '.join(states)};")
        for word, which in (("commit", t.committed), ("urgent", t.urgent - t.committed)):
            if which:
                out.append(f"  {word} {', '.join(names[i] for i in sorted(which))};")
        out.append("  init l0;")
        out.append("  trans\n" + ",\n".join(e.text(names) for e in t.edges) + ";")
        return out + ["}"]

    def text(self):
        lines = self.declarations()
        for t in self.templates:
            lines += self.text_of(t)
        return "\n".join(lines + [f"system {', '.join(t.name for t in self.templates)};"]) + "\n"

    # Properties.
    def state_atom(self, numbers):
        """About the location of a process."""
        t = self.pick(self.templates)
        loc = self.random.randrange(t.locations)
        if t.single:
            return f"{t.name}.l{loc}", f"at['{t.name}', 0] == {loc}"
        number = self.pick(numbers) if numbers else str(self.random.randint(self.low, self.low + self.count - 1))
        return f"{t.name}({number}).l{loc}", f"at['{t.name}', {number}] == {loc}"

    def property_of(self, numbers, depth):
        if depth and self.chance(0.5 if numbers else 0.85) or (self.scalar and not numbers):
            name = f"j{depth}"
            a = self.property_of(numbers + [name], depth - 1)
            b = self.state_atom(numbers + [name])
            if numbers and self.chance(0.5):
                b = (f"{b[0]} && {name} != {numbers[0]}", f"{b[1]} and {name} != {numbers[0]}")
            word, call, join, python = self.pick([("exists", "any", "&&", "and"), ("exists", "any", "&&", "and"), ("forall", "all", "||", "or")])
            return (f"{word} ({name} : id_t) (({b[0]}) {join} ({a[0]}))", f"{call}((({b[1]}) {python} ({a[1]})) for {name} in IDS)")
        if self.chance(0.3):
            a, b = self.state_atom(numbers), self.state_atom(numbers)
            return f"{a[0]} && {b[0]}", f"{a[1]} and {b[1]}"
        return self.atom(numbers, ()) if self.chance(0.5) else self.state_atom(numbers)

    def condition_text(self):
        text, python = self.property_of([], 2)
        if self.timed and self.clock and self.chance(0.2):
            return f"({text}) && z >= {self.random.randint(1, 4)}", None
        return text, python

    def goals(self):
        """Conditions that a state may fulfil, as pairs; the second is None where there is no Python for it."""
        out = [self.condition_text() for _ in range(3)]
        return out + [("deadlock", "DEADLOCK")] * self.chance(0.3)

    def liveness(self):
        a, b = self.property_of([], 1)[0], self.property_of([], 1)[0]
        return self.pick([f"A<> {a}", f"E[] {a}", f"{a} --> {b}"])
