"""Random networks of Promela processes that have few run-time errors and much to reduce: `make(seed)` is the same in every run.

Processes come in instances of one proctype or of several, started by `active`, by `init` or by each other. They talk by channels with
one or more senders and receivers, declared `xr` and `xs` or not, and by arrays that they index by their number; their variables are often
dead. Values are small, loops go on for ever. generate.py makes models with more kinds of statements and less structure.
"""

import random


class Port:
    """A channel as one proctype names it."""

    def __init__(self, name, fields, room, exclusive=False):
        self.name = name
        self.fields = fields
        self.room = room
        self.exclusive = exclusive  # only processes of this proctype are at this end: others must not poll


class Proctype:
    def __init__(self, name, count=1):
        self.name = name
        self.count = count
        self.head = ""  # filled in where it is not `active`
        self.me = "_pid"
        self.declared = []  # xr and xs
        self.locals = []
        self.ins = []
        self.outs = []
        self.children = []
        self.channels = []  # what its parameter `c` can be
        self.labels = []
        self.jumps = []
        self.escaping = 0


class Network:
    def __init__(self, seed):
        self.random = random.Random(f"network {seed}")
        self.values = self.pick([2, 2, 3, 3, 4])
        self.globals = ["g0", "g1"][:self.pick([1, 1, 2])]
        self.array = self.pick([0, 2, 3])
        self.scratch = self.chance(0.25)
        self.count = 0
        self.lines = []  # declarations
        self.proctypes = []
        self.spoken = False  # timeouts are rare: only one process may ask, so that they end
        self.process = None
        self.made = ""

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    # Expressions.
    def element(self):
        index = self.pick(["0", "1", *self.process.locals, self.globals[0], self.process.me])
        return f"ga[{index}]" if index in "01" else f"ga[({index}) % {self.array}]"

    def targets(self):
        out = self.process.locals * 2 + self.globals
        return out + ([self.element()] if self.array else [])

    def value(self, depth=1):
        roll = self.random.random()
        if depth == 0 or roll < 0.3:
            return str(self.random.randint(0, self.values - 1))
        if roll < 0.7:
            return self.pick(self.targets())
        if roll < 0.75:
            return self.process.me
        if roll < 0.85:
            return f"(({self.condition(0)}) -> {self.value(0)} : {self.value(depth - 1)})"
        return f"(({self.value(depth - 1)} + {self.value(depth - 1)}) % {self.values})"

    def poll(self):
        port = self.pick([p for p in self.process.ins + self.process.outs])
        if port.room == 0:
            return None
        reads = port in self.process.ins
        own = (port.exclusive, reads)
        tests = {(True, True): ["nempty", "nempty", "empty"], (True, False): ["nfull", "nfull", "full"]}
        test = self.pick(tests.get(own, ["nempty", "nfull", "empty", "full", "len"]))
        if reads and self.chance(0.3):
            fields = [str(self.random.randint(0, self.values - 1)) if self.chance(0.7) else f"eval({self.pick(self.process.locals)})"
                      for _ in port.fields]
            return f"{port.name}{self.pick(['?', '??'])}[{','.join(fields)}]"
        return f"len({port.name}) {self.pick(['<', '==', '>='])} {self.random.randint(0, 2)}" if test == "len" else f"{test}({port.name})"

    def condition(self, depth=1):
        roll = self.random.random()
        if roll < 0.2 and self.process.ins + self.process.outs:
            out = self.poll()
            if out:
                return out
        if depth and roll < 0.35:
            return f"({self.condition(0)}) {self.pick(['&&', '||'])} ({self.condition(0)})"
        if roll < 0.4:
            return f"!({self.condition(0)})" if depth else "true"
        return f"{self.pick(self.targets())} {self.pick(['==', '==', '!=', '<', '>='])} {self.value(depth)}"

    # Statements.
    def send(self, port):
        sign = "!!" if port.room and self.chance(0.15) else "!"
        return f"{port.name}{sign}{','.join(self.value() + ' & 1' * (f == 'bit') for f in port.fields)}"

    def receive(self, port):
        """No variable takes two fields, and none of them is an index: pan cannot take that back."""
        out, free = [], [x for x in self.process.locals if x != self.process.me and x not in port.name]
        self.random.shuffle(free)
        for kind in port.fields:
            roll = self.random.random()
            if roll < 0.65 and free:
                out.append(free.pop())
            elif roll < 0.8:
                out.append(str(self.random.randint(0, 1 if kind == "bit" else self.values - 1)))
            elif roll < 0.9 and free:
                out.append(f"eval({free.pop()})")
            else:
                out.append("_")
        sign = "??" if port.room and self.chance(0.2) else "?"
        return f"{port.name}{sign}<{','.join(out)}>" if port.room and self.chance(0.08) else f"{port.name}{sign}{','.join(out)}"

    def transfer(self, buffered=False):
        ports = [(p, self.receive) for p in self.process.ins] + [(p, self.send) for p in self.process.outs]
        ports = [p for p in ports if p[0].room or not buffered]
        if not ports:
            return None
        port, make = self.pick(ports)
        return make(port)

    def assignment(self):
        return f"{self.pick(self.targets())} = {self.value(2)}"

    def assertion(self):
        if self.chance(0.35):
            return f"assert({self.condition()})"
        return f"assert({self.pick(self.targets())} < {self.values})"

    def basic(self):
        roll = self.random.random()
        if roll < 0.4:
            return self.transfer() or self.assignment()
        if roll < 0.75:
            return self.assignment()
        if roll < 0.83:
            return self.condition()
        if roll < 0.88:
            return self.assertion()
        if roll < 0.9 and self.scratch:
            x = self.pick(self.process.locals)
            return self.pick([f"h = {self.value()}", f"d_step {{ h = {x}; {self.pick(self.targets())} = h }}"])
        if roll < 0.92 and not self.spoken:
            self.spoken = True
            return self.pick(["timeout", f"(timeout && {self.condition(0)})"])
        if roll < 0.95 and self.process.children:
            return self.start()
        return self.pick(["skip", "printf(\"x\")", self.assignment()])

    def start(self):
        child, most = self.pick(self.process.children), self.random.randint(2, 4)
        wait = self.pick(["", "", f"; (_nr_pr < {most})"])
        channel = f", {self.pick(child.channels)}" if child.channels else ""
        return f"atomic {{ _nr_pr < {most} -> run {child.name}({self.value(0)}{channel}) }}{wait}"

    def d_step(self):
        first = self.transfer(buffered=True) if self.chance(0.5) else self.condition()
        out = [first or self.condition()] + [self.assignment() for _ in range(self.random.randint(1, 2))]
        if self.chance(0.3):
            out.append(f"if :: {self.condition()} -> {self.assignment()} :: else fi")
        return "d_step { " + "; ".join(out) + " }"

    def atomic(self, depth):
        out = [self.guard()]
        for _ in range(self.random.randint(1, 3)):
            out.append(self.choice("atomic", depth - 1) if depth and self.chance(0.2) else self.basic())
        return "atomic { " + "; ".join(out) + " }"

    def guard(self):
        return (self.transfer() if self.chance(0.55) else None) or self.condition()

    def choice(self, inside, depth):
        out = [f"{self.guard()} -> {self.sequence(inside, depth - 1, 2)}" for _ in range(self.random.randint(1, 3))]
        if self.chance(0.5):
            out.append("else" + (f" -> {self.basic()}" if self.chance(0.5) else ""))
        return "if " + " ".join(":: " + o for o in out) + " fi"

    def unless(self, depth):
        """An escape begins with what pan and its manual agree on: a plain guard."""
        self.process.escaping += 1
        body = self.sequence("", depth - 1, 2)
        if "atomic" in body or "d_step" in body or "if" in body:
            body = f"{self.assignment()}; {self.assignment()}"
        return f"{{ {body} }} unless {{ {self.condition()} -> {self.basic()} }}"

    def statement(self, inside, depth):
        roll = self.random.random()
        if depth <= 0 or roll < 0.5:
            return self.basic()
        if roll < 0.68:
            return self.choice(inside, depth)
        if inside:
            return self.basic()
        if roll < 0.8:
            return self.atomic(depth)
        if roll < 0.88:
            return self.d_step()
        if roll < 0.92 and self.process.escaping < 2:
            return self.unless(depth)
        if roll < 0.97 and self.process.jumps:
            return f"if :: {self.guard()} -> goto {self.pick(self.process.jumps)} :: {self.guard()} fi"
        return self.basic()

    def label(self):
        self.count += 1
        name = f"{self.pick(['l', 'l', 'l', 'end', 'progress', 'accept'])}{self.count}"
        self.process.labels.append(name)
        return name + ": "

    def sequence(self, inside, depth, most):
        out = []
        for index in range(self.random.randint(1, most)):
            statement = self.statement(inside, depth)
            simple = ";" not in statement and "unless" not in statement or statement.startswith(("atomic", "d_step", "if"))
            out.append(self.label() + statement if index and simple and "unless" not in statement and self.chance(0.2) else statement)
        return "; ".join(out)

    # Processes.
    def body(self, p, ending=False):
        self.process = p
        lines = [f"  {d};" for d in p.declared]
        lines += [f"  {self.pick(['byte', 'byte', 'byte', 'short', 'int', 'local byte'])} {x}"
                  f"{self.pick(['', '', ' = 1'])};" for x in p.locals if x != p.me and x != "k"]
        if self.chance(0.3):
            p.jumps.append(f"J{p.name}")
        lines.append(f"  {self.assignment()};")
        if self.chance(0.4) and not ending:
            lines.append(f"  {self.sequence('', 2, 2)};")
        lines += [f"  {j}: {self.assignment()};" for j in p.jumps]
        if ending:
            return lines + [f"  {self.sequence('', 2, 3)}"]
        options = [f"{self.guard()} -> {self.sequence('', 2, 3)}" for _ in range(self.random.randint(1, 3))]
        options += [self.atomic(1)] * self.chance(0.25) + [self.d_step()] * self.chance(0.15)
        if self.chance(0.35):
            options.append(f"{self.condition()} -> break")
        self.random.shuffle(options)
        end = "end" if self.chance(0.5) else self.pick(["loop", "loop", "progress", "accept"])
        p.labels.append(end + p.name)
        lines += [f"  {end}{p.name}: do"] + [f"  :: {o}" for o in options] + ["  od"]
        if self.chance(0.2):
            lines[-1] += ";"
            lines.append(f"  {self.basic()}")
        return lines

    def text_of(self, p, ending=False):
        body = self.body(p, ending)
        head = p.head or f"active {f'[{p.count}] ' if p.count > 1 else ''}proctype {p.name}()"
        if not p.head and self.chance(0.05):
            head += f" provided ({self.globals[0]} != 1)"
        return [head + " {", *body, "}"]

    def proctype(self, name, count=1):
        p = Proctype(name, count)
        p.locals = ["x", "y", "z"][:self.random.randint(1, 3)]
        self.proctypes.append(p)
        return p

    def fields(self):
        return self.pick([["byte"], ["byte"], ["byte", "byte"], ["bit", "byte"], ["short"]])

    # Networks.
    def free(self):
        parts = [self.proctype(f"P{i}", 2 if self.chance(0.15) else 1) for i in range(self.random.randint(2, 3))]
        for c in range(self.random.randint(0, 3)):
            room, fields, name = self.pick([0, 1, 1, 2]), self.fields(), f"q{c}"
            self.lines.append(f"chan {name} = [{room}] of {{ {', '.join(fields)} }};")
            for ends, word in (("ins", "xr"), ("outs", "xs")):
                users = self.random.sample(parts, 1 if self.chance(0.6) else self.random.randint(1, len(parts)))
                alone = len(users) == 1 and users[0].count == 1
                for p in users:
                    getattr(p, ends).append(Port(name, fields, room, alone))
                    if alone and room and self.chance(0.5):
                        p.declared.append(f"{word} {name}")

    def ring(self):
        """Each instance receives from one channel and sends to the next."""
        n, room, fields = self.random.randint(2, 3), self.pick([0, 1, 1, 2]), self.fields()
        self.lines.append(f"chan qs[{n}] = [{room}] of {{ {', '.join(fields)} }};")
        p = self.proctype("W", n)
        if self.chance(0.5):
            p.ins = [Port("qs[_pid]", fields, room, True)]
            p.outs = [Port(f"qs[(_pid + 1) % {n}]", fields, room, True)]
        else:
            p.head = "proctype W(chan left; chan right; byte me)"
            p.me = "me"
            p.ins, p.outs = [Port("left", fields, room, True)], [Port("right", fields, room, True)]
            if self.chance(0.3):  # found out only when it runs
                p.outs[0].name = "next"
                p.declared = ["chan next = right"] if self.chance(0.5) else ["chan next; next = right"]
            elif room and self.chance(0.6):
                p.declared = ["xr left", "xs right"]
            runs = "; ".join(f"run W(qs[{i}], qs[{(i + 1) % n}], {i})" for i in range(n))
            loop = f"byte i; atomic {{ do :: i < {n} -> run W(qs[i], qs[(i + 1) % {n}], i); i++ :: else -> break od }}"
            self.started = f"init {{ {loop} }}" if self.chance(0.5) else f"init {{ atomic {{ {runs} }} }}"
        if self.chance(0.4):
            other = self.proctype("P")
            if self.chance(0.5):
                other.outs = [Port("qs[0]", fields, room)]
                p.declared = [d for d in p.declared if not d.startswith("xs")]
                p.outs[0].exclusive = False

    def server(self):
        n, room = self.random.randint(2, 3), self.pick([0, 1, 2])
        back = self.pick([0, 1])
        self.lines += [f"chan req = [{room}] of {{ byte, byte }};", f"chan rep[{n}] = [{back}] of {{ byte }};"]
        client, server = self.proctype("C", n), self.proctype("S")
        client.ins = [Port("rep[_pid]", ["byte"], back)]
        client.outs = [Port("req", ["byte", "byte"], room)]
        server.ins = [Port("req", ["byte", "byte"], room, True)]
        server.outs = [Port(f"rep[{self.pick(server.locals)} % {n}]", ["byte"], back)]
        if room and self.chance(0.4):
            server.declared = ["xr req"]

    def shared(self):
        self.array = max(self.array, 2)
        self.proctype("P", self.random.randint(2, 3))
        if self.chance(0.3):
            self.proctype("O")

    def dynamic(self):
        """Processes that end, so that their numbers are used again."""
        self.free()
        child = Proctype("K")
        child.head, child.locals = "proctype K(byte k)", ["k", "x"]
        source = self.pick(self.proctypes)
        for ends in ("ins", "outs"):
            for port in getattr(source, ends):
                if not port.exclusive and "[" not in port.name:
                    getattr(child, ends).append(port)
        shared = [port for p in self.proctypes for port in p.ins + p.outs if not port.exclusive and port.room]
        if shared and self.chance(0.6):
            of = self.pick(shared)
            child.head = "proctype K(byte k; chan c)"
            child.channels = sorted({p.name for p in shared if (p.room, p.fields) == (of.room, of.fields)})
            getattr(child, self.pick(["ins", "outs"])).append(Port("c", of.fields, of.room))
        for p in self.random.sample(self.proctypes, self.random.randint(1, len(self.proctypes))):
            p.children = [child]
        self.ending = child

    def text(self):
        self.started, self.ending = "", None
        self.pick([self.free, self.free, self.ring, self.server, self.shared, self.dynamic])()
        lines = [f"{self.pick(['byte', 'byte', 'short'])} {g}{self.pick(['', ' = 1'])};" for g in self.globals]
        lines += [f"byte ga[{self.array}];"] * bool(self.array) + ["hidden byte h;"] * self.scratch + self.lines
        texts = [self.text_of(p) for p in self.proctypes]
        if self.ending:
            texts.append(self.text_of(self.ending, ending=True))
        lines += [line for text in texts for line in text] + [self.started] * bool(self.started)
        self.made = "\n".join(lines) + "\n"
        return self.made

    # Questions.
    def atoms(self):
        out = [f"{g} {self.pick(['==', '>='])} {self.random.randint(0, self.values - 1)}" for g in self.globals]
        if self.array:
            out.append(f"ga[{self.random.randint(0, self.array - 1)}] == {self.random.randint(0, self.values - 1)}")
        for p in self.proctypes:
            there = [label for label in p.labels if f"{label}:" in self.made]  # others were in what was thrown away
            if there and not p.head:
                out.append(f"{p.name}@{self.pick(there)}")
            for port in p.ins:
                if port.room and "[" not in port.name and not p.head and not port.exclusive:
                    out.append(f"len({port.name}) > 0")
        return out

    def formula(self):
        atoms = self.atoms()
        a, b, c = (self.pick(["", "", "!"]) + f"({self.pick(atoms)})" for _ in range(3))
        return self.pick([f"[] {a}", f"<> {a}", f"[] ({a} -> <> {b})", f"[] <> {a}", f"<> [] {a}", f"{a} U {b}", f"[] ({a} || {b})",
                          f"[] ({a} -> ({b} U {c}))", f"([] <> {a}) -> ([] <> {b})", f"[] ({a} -> [] {b})", f"[] ({a} -> X ({b}))"])

    def never(self):
        """A claim that ends where something bad has happened."""
        a, b = (f"({x})" for x in (self.pick(self.atoms()), self.pick(self.atoms())))
        return self.pick([f"do :: {a} -> break :: else od", f"do :: true :: {a} && !{b} -> break od",
                          f"do :: !{a} :: {a} -> break od; do :: !{b} :: {b} -> break od", f"T0: if :: {a} -> goto accept1 :: else -> goto T0 fi; "
                          f"accept1: if :: {b} -> goto accept1 :: true -> goto T0 fi"])


def make(seed):
    """The text of a model, a formula about it, a claim and a goal."""
    network = Network(seed)
    text = network.text()
    return text, network.formula(), network.never(), network.pick(network.atoms())
