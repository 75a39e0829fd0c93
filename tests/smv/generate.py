"""Random SMV models, small enough to be enumerated: `make(seed)` is the same in every run.

A model is synchronous (assignments), relational (INIT, INVAR, TRANS), both, or has processes; each may have modules with parameters: values,
variables that the module assigns, arrays, other instances. Variables have ranks in the order of the text; an assignment reads only
lower ones at the same time, so that there are no cycles.
"""

import random
import re

import generate_properties
from expressions import BOOL, TRUE, E, Fault, boolean, children, conjunction, const, name, next_of
from generate_expressions import INF, ArrayAtom, Atom, Context, Expressions
from model import Array, Domain, Instance, Model, Module, flatten, type_text
from semantics import Space, TooLarge

MOST_STATES = 3000  # candidates
MOST_LABELS = 12  # processes times inputs
SYMBOLS = ["red", "green", "blue", "idle", "busy", "on", "off", "s0", "s-1", "a_b"]
STYLES = ["synchronous", "synchronous", "relational", "relational", "mixed", "mixed", "processes", "processes"]


class Parameter:
    """role: early (may be read at the same time), late, out (the module assigns it), array, instance."""

    def __init__(self, label, role, domain=None, module=None):
        self.label, self.role, self.domain, self.module = label, role, domain, module


class Builder(Expressions):
    """Makes one module. What others need of it: `module`, `signature` (parameters), `exported`: (path, type, whether it may
    depend on arguments that are read late)."""

    def __init__(self, maker, label, style, signature=(), process=False):
        super().__init__(maker.random)
        self.words, self.old_default = maker.words, maker.old_default
        self.maker, self.style, self.signature, self.process = maker, style, list(signature), process
        self.module = Module(label, [p.label for p in signature])
        self.atoms, self.arrays, self.exported = [], [], []
        self.open = []  # (path, domain, rank, assigned by whom): variables without a rule yet
        self.rank = 0
        self.ranks = {}  # by first part of a name
        for p in signature:
            self.parameter(p)

    def parameter(self, p):
        rank = -1 if p.role == "early" else INF
        if p.role == "array":
            self.arrays.append(ArrayAtom((p.label,), p.domain.low, p.domain.high, p.domain.of.values, p.domain.of.type, INF))
        elif p.role == "instance":
            for path, domain, _ in p.module.exported:
                self.add(Atom(name((p.label,) + path, domain.type), domain.values, INF))
        else:
            self.add(Atom(name(p.label, p.domain.type), p.domain.values, rank))
        if p.role == "out":
            self.open.append(((p.label,), p.domain, INF))
        if p.role == "shared":
            self.open.append(((p.label,), p.domain, None))

    def add(self, atom):
        self.atoms.append(atom)
        first = atom.e.args[0][0]
        self.ranks[first] = max(self.ranks.get(first, -1), atom.rank)

    # What may be read.
    def states(self, below=INF + 1):
        return [a for a in self.atoms if a.kind == "state" and a.rank < below], [a for a in self.arrays if a.rank < below and a.kind == "state"]

    def state_context(self, below=INF + 1):
        now, arrays = self.states(below)
        return Context(now, (), arrays)

    def next_context(self, below):
        arrays = [a for a in self.arrays if a.kind in ("state", "input")]
        return Context([a for a in self.atoms if a.kind != "trans"], self.states(below)[0], arrays)

    def trans_context(self):
        return Context(self.atoms, self.states()[0], self.arrays)

    def rank_of(self, e):
        own = -1
        if e.op in ("name", "index"):
            own = self.ranks.get(e.args[0][0], INF)
        return max([own] + [self.rank_of(x) for x in children(e)])

    # Declarations.
    def declare(self, keyword="VAR", domain=None, ruled=False):
        """A variable; ruled: somebody else assigns it."""
        domain = domain or self.maker.domain()
        label = self.maker.fresh(self.pick("vxyz"))
        self.module.declared.append((keyword, label, self.with_constant(domain)))
        rank = self.rank
        self.rank += 1
        self.add(Atom(name(label, domain.type), domain.values, rank, "input" if keyword == "IVAR" else "state"))
        if keyword != "IVAR":
            self.exported.append(((label,), domain, False))
            if not ruled:
                self.open.append(((label,), domain, rank if keyword == "VAR" else "frozen"))
        return label

    def with_constant(self, domain):
        """The same type, its bound or width a defined constant."""
        if domain.type[0] not in ("int", "u", "s") or "{" in domain.written or not self.chance(0.08):
            return domain
        label = self.maker.fresh("d")
        bound = domain.type[-1]
        self.module.defines.append((label, const(bound)))
        self.add(Atom(name(label, ("int", bound, bound)), (bound,), -1))
        if domain.type[0] == "int":
            return Domain(f"{domain.type[1]}..{label}", domain.values, domain.type)
        return Domain(domain.written.replace(f"[{bound}]", f"[{label}]"), domain.values, domain.type)

    def declare_array(self, keyword="VAR"):
        domain = self.maker.domain(small=True)
        low = self.pick([0, 0, 0, 1, -1])
        inner = Array(low, low + self.random.randint(1, 2), domain)
        label = self.maker.fresh("a")
        nested = self.chance(0.2)
        self.module.declared.append((keyword, label, Array(0, 1, inner) if nested else inner))
        rank = self.rank
        self.rank += 1
        for path in [(label, 0), (label, 1)] if nested else [(label,)]:
            self.arrays.append(ArrayAtom(path, inner.low, inner.high, domain.values, domain.type, rank))
            for k in range(inner.low, inner.high + 1):
                self.add(Atom(name(path + (k,), domain.type), domain.values, rank))
                self.exported.append((path + (k,), domain, False))
                self.open.append((path + (k,), domain, rank))
        return label, inner, nested

    def define(self):
        label = self.maker.fresh("d")
        kind = self.pick(["state"] * 6 + ["input", "trans"])
        if kind == "trans" and not self.chance(0.5):
            kind = "state"
        c = {"state": self.state_context(), "input": self.next_context(-2), "trans": self.trans_context()}[kind]
        c.now = [a for a in c.now if a.kind == "state" or kind != "state"]
        domain = self.pick([Domain("", (False, True), BOOL), None])
        e = self.boolean(2, c) if domain else self.integer(2, c)
        e_values = (False, True) if domain else tuple(range(e.type[1], e.type[2] + 1))
        self.module.defines.append((label, e))
        self.add(Atom(name(label, e.type), e_values, self.rank_of(e), kind))
        if kind == "state":
            self.exported.append(((label,), Domain("", e_values, e.type), self.rank_of(e) == INF))

    # Rules for variables.
    def assign(self, path, domain, rank):
        if rank == "frozen":
            if self.chance(0.5):
                self.module.assigned.append(("init", path, self.several(domain, 1, self.state_context(0))))
            return
        if rank is None:  # another process assigns it, too
            self.module.assigned.append(("next", path, self.following(path, domain, self.next_context(0))))
            return
        below = 0 if rank == INF else rank
        if self.chance(0.12) and rank != INF:
            self.module.assigned.append(("current", path, self.several(domain, 2, self.state_context(below))))
            return
        if self.chance(0.85):
            first = self.several(domain, 1, self.state_context(below)) if self.chance(0.4) else self.fixed(domain)
            self.module.assigned.append(("init", path, first))
        if self.chance(0.9):
            self.module.assigned.append(("next", path, self.following(path, domain, self.next_context(below))))

    def fixed(self, domain):
        return self.word_constant(domain.type) if domain.type[0] in "us" else const(self.pick(domain.values))

    def following(self, path, domain, c):
        if self.chance(0.5):
            return self.stepping(name(path, domain.type), domain, c)
        return self.several(domain, self.random.randint(1, 3), c)

    def relate(self, targets):
        """INIT, TRANS and INVAR for some variables."""
        targets = [(path, domain, rank) for path, domain, rank in targets if rank is not None]
        if not targets:
            return
        initial = [self.one_of(name(path, d.type), d) for path, d, _ in targets if self.chance(0.8)]
        if initial:
            e = conjunction(initial)
            if self.chance(0.2):
                e = boolean("|", e, conjunction([self.one_of(name(path, d.type), d) for path, d, _ in targets]))
            self.module.constraints.append(("INIT", e))
        changing = [(path, d) for path, d, rank in targets if rank != "frozen"]
        if changing:
            self.transitions(changing)
        if self.chance(0.2):
            self.module.constraints.append(("INVAR", self.weak(self.state_context())))

    def weak(self, c):
        """A condition that often holds."""
        return boolean(self.pick(["->", "|"]), self.boolean(1, c), self.boolean(2, c))

    def one_of(self, e, domain):
        """That an expression has one of some constant values."""
        if domain.type == BOOL:
            return self.pick([e, boolean("!", e), boolean("=", e, const(self.chance(0.5)))])
        if domain.type[0] in "us":
            return boolean("=", e, self.word_constant(domain.type))
        if self.chance(0.6):
            return boolean("=", e, const(self.pick(domain.values)))
        return boolean("in", e, self.constants(self.random.sample(domain.values, self.random.randint(1, len(domain.values)))))

    def becomes(self, path, domain):
        """What holds of the next value of a variable."""
        e = name(path, domain.type)
        after = next_of(e)
        if self.chance(0.25):
            return boolean("=", after, e)
        if domain.type == BOOL and self.chance(0.6):
            return self.pick([after, boolean("!", after), boolean("<->", after, self.boolean(1, self.next_context(-2)))])
        if domain.type[0] == "int" and self.chance(0.3):  # not within the range everywhere: no step there
            return boolean("=", after, self.integer(1, self.next_context(-2)))
        if domain.type[0] not in "us" and self.chance(0.4):
            return boolean("in", after, self.several(domain, 0, self.next_context(-2)))
        return boolean(self.pick(["=", "=", "=", "!="]), after, self.single(domain, 1, self.next_context(-2)))

    def transitions(self, changing):
        way = self.random.randrange(5)
        if way < 2:  # guarded commands
            commands = []
            for _ in range(self.random.randint(2, 4)):
                parts = [self.boolean(1, self.next_context(-2))] if self.chance(0.8) else []
                commands.append(conjunction(parts + [self.becomes(path, d) for path, d in changing]))
            if self.chance(0.6):
                commands.append(conjunction([boolean("=", next_of(name(path, d.type)), name(path, d.type)) for path, d in changing]))
            e = commands[0]
            for other in commands[1:]:
                e = boolean("|", e, other)
            self.module.constraints.append(("TRANS", e))
        elif way < 4:  # a conjunction of rules
            for path, d in changing:
                branches = [(self.boolean(1, self.next_context(-2)), self.becomes(path, d)) for _ in range(self.random.randint(1, 2))]
                rule = E("case", (branches + [(TRUE, self.becomes(path, d))], "old" if self.old_default else "new"), BOOL)
                if self.chance(0.3):
                    rule = conjunction([boolean("->", c, b) for c, b in branches])
                self.module.constraints.append(("TRANS", rule))
        else:
            self.module.constraints.append(("TRANS", conjunction([self.becomes(path, d) for path, d in changing])))
            if self.chance(0.5):
                self.module.constraints.append(("TRANS", self.weak(self.trans_context())))

    # Instances.
    def instantiate(self, other, process=False):
        label = self.maker.fresh("p" if process else "m")
        arguments = []
        early = [self.single(p.domain, 1, self.state_context(self.rank)) for p in other.signature if p.role == "early"]
        for p in other.signature:
            if p.role == "early":
                arguments.append(early.pop(0))
            elif p.role == "late":
                arguments.append(self.single(p.domain, 1, self.state_context()))
            elif p.role == "out":
                arguments.append((self.declare(domain=p.domain, ruled=True),))
            elif p.role == "shared":
                arguments.append((self.shared(p.domain),))
            elif p.role == "array":
                arguments.append((self.passed_array(p.domain),))
            else:
                arguments.append((self.instance_of(p.module),))
        self.module.declared.append(("VAR", label, Instance(other.module, arguments, process)))
        rank = self.rank
        self.rank += 1
        for argument, p in zip(arguments, other.signature):
            if p.role == "out":  # is known when the instance is
                for a in self.atoms:
                    if a.e.args[0] == argument:
                        a.rank = rank
                self.ranks[argument[0]] = rank
        for path, domain, late in other.exported:  # late: it reads an argument that may speak of anything
            self.add(Atom(name((label,) + path, domain.type), domain.values, INF if late else rank))
            self.exported.append(((label,) + path, domain, late))
        if process:
            self.add(Atom(name((label, "running"), BOOL), (False, True), rank, "input"))
        return label

    def feed_back(self):
        """Arguments that are read late may speak of what comes after them; not of definitions, which could be cyclic."""
        now = [a for a in self.states()[0] if not [part for part in a.e.args[0] if isinstance(part, str)][-1].startswith("d")]
        for _, _, kind in self.module.declared:
            if isinstance(kind, Instance):
                for k, p in enumerate(self.maker.signatures[kind.module]):
                    if p.role == "late" and self.chance(0.5):
                        kind.arguments[k] = self.single(p.domain, 1, Context(now))

    def instance_of(self, other):
        """One that is there, or a new one."""
        there = [label for _, label, kind in self.module.declared if isinstance(kind, Instance) and kind.module is other.module]
        return self.pick(there) if there else self.instantiate(other)

    def shared(self, domain):
        """A variable that processes assign; main, which is one, may do so, too."""
        if self.chance(0.7):
            for path, d, rank in self.open:
                if rank is None and d is domain:
                    return path[0]
        label = self.declare(domain=domain, ruled=True)
        for a in self.atoms:
            if a.e.args[0] == (label,):
                a.rank = INF
        self.ranks[label] = INF
        self.open.append(((label,), domain, None))
        return label

    def passed_array(self, array):
        label = self.maker.fresh("a")
        self.module.declared.append(("VAR", label, array))
        rank = self.rank
        self.rank += 1
        self.arrays.append(ArrayAtom((label,), array.low, array.high, array.of.values, array.of.type, rank))
        for k in range(array.low, array.high + 1):
            self.add(Atom(name((label, k), array.of.type), array.of.values, rank))
            self.open.append(((label, k), array.of, rank))
        return label

    # All of it.
    def body(self, variables, defines):
        for _ in range(variables):
            if self.chance(0.12):
                self.declare_array()
            else:
                self.declare(self.pick(["VAR"] * 14 + ["FROZENVAR"] + ["IVAR"]))
        if self.process:
            self.add(Atom(name("running", BOOL), (False, True), INF, "input"))
        for _ in range(defines):
            self.define()

    def rules(self):
        relational = []
        for path, domain, rank in self.open:
            shared_by_main = rank is None and not self.process and self.module.label == "main"
            if shared_by_main:
                if self.chance(0.8):
                    self.module.assigned.append(("init", path, self.several(domain, 0, self.state_context(0))))
                if self.chance(0.2):
                    self.assign(path, domain, None)
            elif self.style == "relational" or (self.style == "mixed" and self.chance(0.5)):
                if self.style == "relational" and rank is None:
                    self.assign(path, domain, None)
                else:
                    relational.append((path, domain, rank))
            else:
                self.assign(path, domain, rank)
        self.relate(relational)
        if self.chance(0.06):
            self.module.constraints.append(("INVAR", self.weak(self.state_context())))
        if self.style == "processes" and self.chance(0.1):
            self.module.constraints.append(("TRANS", self.weak(self.trans_context())))


class Maker:
    """One model."""

    def __init__(self, rng, temporal):
        self.random, self.temporal = rng, temporal
        self.words, self.old_default = rng.random() < 0.4, rng.random() < 0.15
        self.style = rng.choice(STYLES)
        self.count = 0
        self.signatures = {}  # of modules

    def fresh(self, letter):
        self.count += 1
        return f"{letter}{self.count}" if self.random.random() < 0.93 else f"{letter}{self.count}-{self.random.choice(['x', '1', '#'])}"

    def domain(self, small=False):
        r = self.random
        way = r.randrange(12 if self.words else 10)
        if way < 4 or small and way < 6:
            return Domain("boolean", (False, True), BOOL)
        if way < 7:
            low = r.choice([0, 0, 0, 1, -1, -2])
            high = low + (1 if small else r.choice([0, 1, 2, 2, 3, 3, 4, 7]))
            return Domain(f"{low}..{high}", range(low, high + 1), ("int", low, high))
        if way < 10:
            mixed = r.randrange(8)
            if mixed == 0:
                values = r.sample(range(-2, 8), r.randint(2, 3))
                return Domain("{" + ", ".join(map(str, values)) + "}", values, ("int", min(values), max(values)))
            values = r.sample(SYMBOLS, r.randint(2, 2 if small else 4))
            if mixed == 1:
                values[-1] = r.randint(0, 3)
            return Domain("{" + ", ".join(map(str, values)) + "}", values, ("enum", frozenset(values)))
        bits = r.randint(1, 2 if small else 3)
        if r.random() < 0.5:
            return Domain(r.choice(["word", "unsigned word"]) + f"[{bits}]", range(2 ** bits), ("u", bits))
        return Domain(f"signed word[{bits}]", range(-2 ** (bits - 1), 2 ** (bits - 1)), ("s", bits))

    def signature(self, process, made):
        out = []
        for k in range(self.random.choice([0, 1, 1, 2, 2, 3])):
            role = self.random.choice(["early", "late", "late", "out", "array", "instance"])
            if process and role in ("out", "early") or process and self.random.random() < 0.3:
                role = "shared"
            usable = [m for m in made if not m.process and m.exported]
            if role == "instance" and usable:
                out.append(Parameter(f"q{k}", role, module=self.random.choice(usable)))
            elif role == "array":
                low = self.random.choice([0, 0, 1])
                out.append(Parameter(f"q{k}", role, Array(low, low + 1, self.domain(small=True))))
            else:
                out.append(Parameter(f"q{k}", "late" if role == "instance" else role, self.domain(small=True)))
        return out

    def model(self):
        r, made = self.random, []
        processes = self.style == "processes"
        for k in range(r.choice([1, 1, 2]) if processes else r.choice([0, 0, 0, 1, 1, 2])):
            process = processes and (k == 0 or r.random() < 0.5)
            inside = Builder(self, f"part{k}", self.style if r.random() < 0.7 else "mixed", self.signature(process, made), process)
            self.signatures[inside.module] = inside.signature
            inside.body(r.choice([0, 1, 1, 2]), r.choice([0, 0, 1]))
            nested = [m for m in made if not m.process and all(p.role in ("early", "late") for p in m.signature)]
            if nested and r.random() < 0.4:
                inside.instantiate(r.choice(nested))
            inside.rules()
            if r.random() < 0.12:
                generate_properties.add_inner(inside)
            made.append(inside)
        main = Builder(self, "main", self.style)
        main.body(r.randint(1, 3) if made else r.randint(2, 6), r.choice([0, 0, 1, 1, 2]))
        for m in made:
            for _ in range(r.choice([1, 2, 2, 3]) if m.process else r.choice([1, 1, 2])):
                main.instantiate(m, m.process)
        main.feed_back()
        if any(m.process for m in made):
            main.add(Atom(name("running", BOOL), (False, True), INF, "input"))
        if r.random() < 0.4:
            main.define()
        main.rules()
        if r.random() < 0.1:
            main.module.constants.append("unused_constant")
        generate_properties.add(main, self.temporal)
        model = Model([m.module for m in made] + [main.module], full=r.random() < 0.4, together=r.random() < 0.7, main_first=r.random() < 0.4,
                      remarks=r.random() < 0.15)
        main.module.constants += undeclared_symbols(model)
        return model


def undeclared_symbols(model):
    """What stands for itself, and is no value of a variable: NuSMV wants it to be declared all the same."""

    def names(text):
        return set(re.findall(r"(?<![\w$#.-])[A-Za-z_][\w$#-]*", text))

    used, declared = set(), set()
    for module in model.modules:
        used |= names(module.text(True))
        declared |= names(" ".join(type_text(kind) for _, _, kind in module.declared if not isinstance(kind, Instance)))
    return [symbol for symbol in SYMBOLS if symbol in used - declared]


def small_enough(flat):
    states = labels = 1
    for d in flat.domains:
        states *= len(d)
    for d in flat.input_domains:
        labels *= len(d)
    return 1 < states <= MOST_STATES and labels * flat.processes <= MOST_LABELS


def make(seed, temporal=False):
    """A model and its space. temporal: with fairness and formulas of temporal logic."""
    for attempt in range(1000):
        rng = random.Random(f"smv {seed} {attempt} {temporal}")
        model = Maker(rng, temporal).model()
        flat = flatten(model)
        if not small_enough(flat):
            continue
        try:
            space = Space(flat)
        except TooLarge:
            continue
        dull = space.states < 10 and rng.random() < (0.8 if space.states < 4 else 0.3)
        if dull or (temporal and (space.deadlocks or not space.initial) and rng.random() < 0.95):
            continue
        generate_properties.add_known(model.main, space, rng)
        space.flat.properties = flatten(model).properties
        return model, space
    raise Fault("no model is small enough")
