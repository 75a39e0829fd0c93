"""Random Promela models, small enough to be searched completely: `text(seed)` is the same in every run.

Processes run from the start, are started by `init` or by each other, and end in and out of order. They share variables, structures
and channels, and take channels as arguments.
"""

from generate_expressions import Channel
from generate_statements import Statements

KINDS = ["byte", "byte", "byte", "short", "bit", "int", "unsigned"]


class Process:
    def __init__(self, name):
        self.name = name
        self.pid = None  # where it is known
        self.kind = "byte"  # of its variable k
        self.struct = False
        self.parameters = []  # channels
        self.channels = []  # parameters and local ones
        self.children = []
        self.labels = []
        self.targets = []  # labels for jumps


class Generator(Statements):
    def __init__(self, seed):
        super().__init__(seed)
        self.label_count = 0
        self.globals = ["g0", "g1"]
        self.types = {"g0": self.pick(KINDS), "g1": self.pick(KINDS + ["mtype"])}
        self.structs = self.chance(0.35)
        self.inlines = self.chance(0.3)
        self.provided = self.chance(0.08)
        self.priorities = self.chance(0.08) or self.kind == "priority"
        self.most_processes = self.random.randint(3, 5)
        self.channels = self.make_channels()
        self.done = []  # processes whose text is complete
        self.started = 0
        self.process = None

    def make_channels(self):
        first = self.pick([["byte"], ["byte"], ["short"], ["bit"], ["int"], ["byte", "bit"], ["mtype", "byte"], ["byte", "short"]])
        out = [Channel("q0", first, self.random.randint(1, 2))]
        if self.chance(0.3):
            out.append(Channel("qs", first if self.chance(0.7) else ["byte"], 1, count=2))
        if not self.priorities:  # rendezvous and priorities do not go together
            if self.chance(0.5):
                out.append(Channel("r0", first, 0))
            if self.chance(0.12):
                out.append(Channel("rs", first, 0, count=2))
        return out

    def declaration(self, c):
        array = f"[{c.count}]" if c.count else ""
        return f"chan {c.name}{array} = [{c.room}] of {{ {', '.join(c.fields)} }}"

    def variable_of(self, kind, name):
        return f"unsigned {name} : 3" if kind == "unsigned" else f"{kind} {name}"

    # Processes.
    def head(self, p, root, init):
        if init:
            return "init"
        out = f"active {self.proctype()} {p.name}()"
        if not root:
            parameters = ["byte k"] + [f"chan {c.name}" for c in p.parameters]
            out = f"{self.proctype()} {p.name}({'; '.join(parameters)})"
        if self.priorities and self.chance(0.6):
            out += f" priority {self.random.randint(1, 3)}"
        if self.provided and self.chance(0.4):
            out += " provided (g1 != 2)"
        return out

    def body(self, p, root):
        self.process = p
        declared = ["byte i", "byte a[2]"]
        if root:
            p.kind = self.pick(KINDS)
            declared.insert(0, self.variable_of(p.kind, "k") + self.pick(["", " = 1", " = g0" if self.types["g0"] != "mtype" else ""]))
        if self.structs and self.chance(0.4):
            p.struct = True
            declared.append("T ls")
        if self.chance(0.2) and self.channels[0].room:
            p.channels.append(Channel("me", self.channels[0].fields, 0 if self.chance(0.3) and not self.priorities else 1))
            declared.append(self.declaration(p.channels[-1]))
        count = self.random.randint(2, 3) if root else self.random.randint(1, 2)
        if root and self.chance(0.6):
            p.targets = ["L0", "L1"][:count]
        lines = ["  " + "; ".join(declared) + ";"]
        must_start = bool(p.children) and self.chance(0.8)
        for index in range(count):
            statement = self.start("") if must_start and index == 0 else self.statement("", 2 if root else 1, False)
            if index < len(p.targets):
                p.labels.append(p.targets[index])
                statement = f"{p.targets[index]}: k = k; {statement}"
            elif self.chance(0.15):
                statement = self.labelled(statement)
            lines.append("  " + statement + ";")
        lines.append("  " + (self.labelled("skip") if self.chance(0.25) else self.pick(["skip", "skip", "g0 = 1"])))
        return lines

    def make_process(self, p, root, init=False):
        body = self.body(p, root)
        out = [self.head(p, root, init) + " {", *body, "}"]
        if not init:  # ":init:" cannot be named
            self.done.append(p)
        return out

    def text(self):
        lines = ["mtype = { m1, m2 };", "byte started;"]
        for name in self.globals:
            initial = self.pick(["", " = 1", " = 2"]) if self.types[name] not in ("mtype", "bit") else ""
            lines.append(self.variable_of(self.types[name], name) + initial + ";")
        if self.structs:
            lines += ["typedef U { short v; byte w[2] };", "typedef T { byte x; U u; byte z[2] };", "T s0;", "T ts[2];"]
        lines += [self.declaration(c) + ";" for c in self.channels]
        if self.inlines:
            lines += [f"inline put(v) {{ q0!{', '.join([{'mtype': 'm1', 'bit': 'v & 1'}.get(f, 'v') for f in self.channels[0].fields])}; g0 = v }}",
                      "inline next(x) { x = x + 1; if :: x > 2 -> x = 0 :: else fi }"]
        children = [Process(f"C{i}") for i in range(self.pick([0, 0, 1, 1, 1, 2]))]
        for c in children:
            if self.chance(0.4):
                like = self.pick(self.channels)
                c.parameters.append(Channel("c", like.fields, like.room))
                c.channels = list(c.parameters)
        if len(children) == 2 and self.chance(0.5):
            children[0].children = [children[1]]
        self.started = len(children)
        roots = [Process(f"P{i}") for i in range(self.random.randint(1, 2 if children else 3))]
        init = Process(":init:") if children and self.chance(0.5) else None
        order = roots + ([init] if init else [])
        self.random.shuffle(order)
        for pid, p in enumerate(order):
            p.pid = pid
            if p is init or (children and self.chance(0.5)):
                p.children = children
        self.asker = self.choices.choice(order)
        texts = [(p, True) for p in order] + [(c, False) for c in children]
        if self.chance(0.4):  # then processes can refer to those that they start
            texts = texts[len(order):] + texts[:len(order)]
        for p, root in texts:
            lines += self.make_process(p, root, p is init)
        self.process = order[0]
        return "\n".join(lines) + "\n" + self.events(self.channels[0])

    def claim(self):
        """Of the finished model, about global variables and labels."""
        labels = [f"{p.name}@{label}" for p in self.done for label in p.labels]
        atoms = ["g0 == 1", "g1 > 1", "_nr_pr > 1", "len(q0) > 0"] + [self.pick(labels) for _ in range(2) if labels]
        never = self.never(atoms)
        if never:
            return never
        a, b = (self.pick(["", "", "!"]) + f"({self.pick(atoms)})" for _ in range(2))
        formula = self.pick([f"[] {a}", f"<> {a}", f"[] ({a} -> <> {b})", f"[] <> {a}", f"<> [] {a}", f"{a} U {b}", f"[] ({a} || {b})"])
        return f"ltl p0 {{ {formula} }}"


def make(seed):
    """The text of a model, and a claim about it."""
    generator = Generator(seed)
    text = generator.text()
    return text, generator.claim()
