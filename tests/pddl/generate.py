"""Makes small random PDDL tasks: types with `either`, constants, negative and disjunctive conditions, quantifiers, conditional and universal
effects nested in each other, derived predicates with recursion and stratified negation, action costs. Task N is the same in every run.
"""

import random

from semantics import Action, Axiom, Reference, Task, TooLarge, Types, alternatives


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.fresh = 0
        self.parameters = None  # of the action at hand, which may get more

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def kind(self):
        if len(self.types) > 1 and self.chance(12):
            return "(either {} {})".format(*self.rng.sample([name for name, _ in self.types], 2))
        return self.rng.choice(self.kinds)

    def make(self):
        self.make_types()
        self.make_names()
        self.predicates = {p: self.kinds_of([0, 1, 1, 1, 2]) for p in self.names["p"]}
        self.make_derived()
        self.simple = self.chance(25)  # STRIPS with negation
        changing = [p for p in self.predicates if self.chance(85)] or self.names["p"][:1]
        self.functions = {f: self.kinds_of([0, 1, 2]) for f in self.names["f"]}
        self.costs = self.chance(60)
        actions = [self.action(name, changing) for name in self.names["act"]]
        axioms = [self.axiom(d) for d in self.derived for _ in range(self.rng.randint(0 if self.chance(10) else 1, 2))]
        atoms = [a for p, kinds in self.predicates.items() for a in self.atoms(p, kinds)]
        init = [a for a in atoms if self.chance(35)]
        amounts = {a: self.rng.choice([0, 0, 1, 2, 3, 5, 1000]) for f, kinds in self.functions.items() for a in self.atoms(f, kinds)}
        return Task(self.types, self.objects, self.constants, self.predicates, self.derived, self.layers, self.functions if self.costs else {},
                    actions, axioms, init, amounts if self.costs else {}, ("and",), self.costs and self.chance(85))

    def make_types(self):
        self.types = []
        if self.chance(60):
            self.types.append(("t", "object"))
            if self.chance(60):
                self.types.append(("s", self.rng.choice(["t", "object"])))
                if self.chance(40):
                    self.types.append(("u", self.rng.choice(["s", "t", "object", "(either s t)"])))
        self.hierarchy = Types(self.types)
        self.kinds = ["object"] + [name for name, _ in self.types]

    def make_names(self):
        """Predicates, functions, actions and types may have the same names, and those of objects."""
        odd = self.chance(20)
        everything = [(n, self.kind()) for n in ("a7b-" if odd else "abcd")[:self.rng.randint(2, 4)].replace("-", "=")]
        everything = [("x_1" if n == "=" else n, kind) for n, kind in everything]
        cut = self.rng.randint(0, 2) if self.chance(40) else 0
        self.constants, self.objects = everything[:cut], everything[cut:]
        counts = {"p": self.rng.randint(2, 5), "d": self.rng.choice([0, 0, 1, 2, 3]), "f": self.rng.randint(0, 2), "act": self.rng.randint(2, 4)}
        self.names = {stem: [f"{stem}{i}" for i in range(count)] for stem, count in counts.items()}
        if odd:
            self.names["p"][:2] = ["t", "at"]
            self.names["act"][0] = "a"
            self.names["f"] = ["t", "p2"][:counts["f"]]

    def make_derived(self):
        layer, self.layers = None, []
        self.derived = {d: self.kinds_of([0, 1, 1, 2]) for d in self.names["d"]}
        for d in self.derived:
            if layer is None or self.chance(50):
                layer = []
                self.layers.append(layer)
            layer.append(d)

    def kinds_of(self, counts):
        return [self.kind() for _ in range(self.rng.choice(counts))]

    def atoms(self, name, kinds):
        """All whose arguments are of the kinds."""
        out = [(name,)]
        for kind in kinds:
            out = [(*a, n) for a in out for n, own in self.objects + self.constants if self.hierarchy.has(kind, own)]
        return out

    def surely(self, own, wanted):
        """Whether what a variable of a kind stands for is of another kind."""
        return all(self.hierarchy.has(wanted, a) for a in alternatives(own))

    def perhaps(self, own, wanted):
        return any(self.surely(a, b) or self.surely(b, a) for a in alternatives(own) for b in alternatives(wanted))

    def variables(self, count, scope):
        """New ones; they may hide others."""
        out = []
        for _ in range(count):
            self.fresh += 1
            names = [v for v, _ in scope if v[0] == "?" and v not in (o for o, _ in out)]
            out.append((self.rng.choice(names) if names and self.chance(12) else f"?v{self.fresh}", self.kind()))
        return out

    def within(self, scope, more):
        return [(v, kind) for v, kind in scope if v not in (m for m, _ in more)] + more

    def term(self, kind, scope, strict=False):
        """A variable or a constant that may stand there; None: there is none. Where it is not strict, a variable may stand for other objects, too."""
        loose = not strict and self.chance(15)
        fitting = [v for v, own in scope if (self.perhaps if loose and v[0] == "?" else self.surely)(own, kind)]
        fitting += [n for n, own in self.constants if self.hierarchy.has(kind, own)] if not fitting or self.chance(15) else []
        if self.parameters is not None and len(self.parameters) < 3 and (not fitting or self.chance(15)):
            self.fresh += 1
            self.parameters.append((f"?v{self.fresh}", kind))
            return self.parameters[-1][0]
        return self.rng.choice(fitting) if fitting else None

    def atom(self, predicates, scope, strict=False):
        name = self.rng.choice(sorted(predicates))
        terms = [self.term(kind, scope, strict) for kind in predicates[name]]
        return None if None in terms else (name, *terms)

    def literal(self, positive, negative, scope):
        """Of predicates that may stand there so or so."""
        if len(scope) > 1 and self.chance(8):
            equal = ("=", self.rng.choice(scope)[0], self.rng.choice(scope + self.constants)[0])
            return equal if self.chance(40) else ("not", equal)
        negated = self.chance(35)
        atom = self.atom(negative if negated else positive, scope) if (negative if negated else positive) else None
        return ("and",) if atom is None else ("not", atom) if negated else atom

    def condition(self, positive, negative, scope, depth):
        if depth == 0 or self.simple or self.chance(45):
            return self.literal(positive, negative, scope)
        kind = self.rng.choice(["and", "or", "not", "imply", "exists", "forall"])
        if kind in ("and", "or"):
            count = 0 if self.chance(4) else self.rng.randint(1, 3)
            return (kind, *(self.condition(positive, negative, scope, depth - 1) for _ in range(count)))
        if kind == "not":
            return ("not", self.condition(negative, positive, scope, depth - 1))
        if kind == "imply":
            return ("imply", self.condition(negative, positive, scope, depth - 1), self.condition(positive, negative, scope, depth - 1))
        more = self.variables(self.rng.choice([1, 1, 1, 2]), scope)
        return (kind, more, self.condition(positive, negative, self.within(scope, more), depth - 1))

    def any_condition(self, scope, depth):
        everything = {**self.predicates, **self.derived}
        return self.condition(everything, everything, scope, depth)

    def conjunction(self, scope, most, depth):
        """Sometimes of many disjunctions: too many to be multiplied."""
        if most > 1 and not self.simple and self.chance(6):
            return ("and", *(("or", *(self.any_condition(scope, 1) for _ in range(self.rng.randint(2, 4)))) for _ in range(self.rng.randint(3, 7))))
        return ("and", *(self.any_condition(scope, depth) for _ in range(self.rng.randint(0, most))))

    def effect(self, changing, scope, depth):
        kind = self.rng.choice(["forall"] * 4 + ["when"] * 5 + ["and"] * 2 + ["atom"] * 9)
        if depth == 0 or self.simple or kind == "atom":
            return self.plain_effect(changing, scope)
        if kind == "forall":
            more = self.variables(self.rng.choice([1, 1, 2]), scope)
            return ("forall", more, self.effect(changing, self.within(scope, more), depth - 1))
        if kind == "when":
            return ("when", self.conjunction(scope, 2, 2), self.effect(changing, scope, depth - 1))
        return ("and", *(self.effect(changing, scope, depth - 1) for _ in range(self.rng.randint(0, 3))))

    def plain_effect(self, changing, scope):
        atom = self.atom({p: self.predicates[p] for p in changing}, scope)
        return ("and",) if atom is None else atom if self.chance(55) else ("not", atom)

    def action(self, name, changing):
        parameters = self.parameters = self.variables(self.rng.choice([0, 0, 1]), [])
        effects = [self.effect(changing, parameters, 3) for _ in range(self.rng.randint(1, 3))]
        summands = []
        if self.costs and self.chance(85):
            for _ in range(self.rng.choice([1, 1, 1, 2])):
                call = self.atom(self.functions, parameters, True) if self.functions and self.chance(50) else None
                summands.append(self.rng.randint(0, 5) if call is None else call)
        precondition = self.conjunction(parameters, 3, 2)
        self.parameters = None
        return Action(name, parameters, precondition, effects, summands)

    def axiom(self, head):
        """Positive ones of its own layer and those before it, negations only of those before it."""
        parameters = [(f"?h{i}", kind) for i, kind in enumerate(self.derived[head])]
        own = next(i for i, layer in enumerate(self.layers) if head in layer)
        before = {d: self.derived[d] for layer in self.layers[:own] for d in layer}
        positive = {**self.predicates, **before, **{d: self.derived[d] for d in self.layers[own]}}
        return Axiom(head, parameters, ("and", *(self.condition(positive, {**self.predicates, **before}, parameters, 2)
                                                 for _ in range(self.rng.randint(1, 3)))))

    def goal(self, reference, distances):
        """Mostly what holds only far away, sometimes anything."""
        far = max(distances.values())
        states = sorted((s for s, d in distances.items() if 2 * d >= far), key=sorted)
        atoms = [a for p, kinds in {**self.predicates, **self.derived}.items() for a in self.atoms(p, kinds)]
        scope, self.constants = self.constants + self.objects, []

        def literals():
            whole = reference.closure(self.rng.choice(states))
            chosen = self.rng.sample(atoms, min(len(atoms), self.rng.randint(1, 5)))
            return ("and", *(a if a in whole else ("not", a) for a in chosen))

        def steps(goal):
            return min((d for s, d in distances.items() if reference.holds(goal, reference.closure(s), {})), default=-1)
        if self.chance(10):
            return self.conjunction(scope, 3, 2)
        if self.chance(30):
            return max((("and", literals(), self.any_condition(scope, 3)) for _ in range(8)), key=steps)
        return max((literals() for _ in range(self.rng.choice([1, 8, 8, 8]))), key=steps)


def make(seed):
    """A task with its reference; tasks with too many states are made again, and most of those with few."""
    for attempt in range(300):
        maker = Maker(seed * 1000 + attempt)
        task = maker.make()
        reference = Reference(task)
        try:
            distances = reference.distances()
        except TooLarge:
            continue
        if (len(distances) < 20 or max(distances.values()) < 4) and not maker.chance(3):
            continue
        task = task._replace(goal=maker.goal(reference, distances))
        reference.task = task
        return task, reference
    raise RuntimeError(f"task {seed}: always too many states")
