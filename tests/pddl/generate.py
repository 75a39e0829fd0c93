"""Makes small random PDDL tasks: types, constants, negative and disjunctive conditions, quantifiers, conditional and universal effects, derived
predicates with stratified negation, action costs. Task N is the same in every run.
"""

import random

from semantics import Action, Axiom, Reference, Task, TooLarge


class Maker:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.fresh = 0
        self.parameters = None  # of the action at hand, which may get more

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def kind(self):
        return self.rng.choice(self.kinds)

    def make(self):
        self.types = []
        if self.chance(60):
            self.types.append(("t", "object"))
            if self.chance(60):
                self.types.append(self.rng.choice([("s", "t"), ("s", "object")]))
        self.kinds = ["object"] + [name for name, _ in self.types]
        names = "abcd"[:self.rng.randint(2, 4)]
        everything = [(n, self.kind()) for n in names]
        cut = self.rng.randint(0, 2) if self.chance(40) else 0
        self.constants, self.objects = everything[:cut], everything[cut:]
        self.predicates = {f"p{i}": [self.kind() for _ in range(self.rng.choice([0, 1, 1, 1, 2]))] for i in range(self.rng.randint(2, 5))}
        self.derived = {f"d{i}": [self.kind() for _ in range(self.rng.choice([0, 1, 1]))] for i in range(self.rng.choice([0, 0, 0, 1, 2]))}
        self.simple = self.chance(30)  # STRIPS with negation
        changing = [p for p in self.predicates if self.chance(85)] or ["p0"]
        costs = self.chance(50)
        functions = {}
        if costs and self.chance(50):
            functions["f0"] = [self.kind() for _ in range(self.rng.randint(0, 1))]
        actions = [self.action(f"act{i}", changing, costs, functions) for i in range(self.rng.randint(2, 4))]
        axioms = [self.axiom(d) for d in self.derived for _ in range(self.rng.randint(1, 2))]
        atoms = [a for p, kinds in self.predicates.items() for a in self.atoms(p, kinds)]
        init = [a for a in atoms if self.chance(35)]
        amounts = {a: self.rng.randint(0, 5) for f, kinds in functions.items() for a in self.atoms(f, kinds)}
        return Task(self.types, self.objects, self.constants, self.predicates, self.derived, functions, actions, axioms, init, amounts,
                    ("and",), costs)

    def atoms(self, name, kinds):
        everything = [(n, "object") for n, _ in self.objects + self.constants]
        out = [(name,)]
        for _ in kinds:
            out = [(*a, n) for a in out for n, _ in everything]
        return out if self.fits_all(kinds) else [a for a in out if self.fits(a[1:], kinds)]

    def fits_all(self, kinds):
        return all(k == "object" for k in kinds)

    def is_a(self, kind, wanted):
        parent = dict(self.types)
        while kind is not None and kind != wanted:
            kind = parent.get(kind, "object" if kind != "object" else None)
        return kind == wanted

    def fits(self, objects, kinds):
        own = dict(self.objects + self.constants)
        return all(self.is_a(own[o], k) for o, k in zip(objects, kinds))

    def variables(self, count):
        out = []
        for _ in range(count):
            self.fresh += 1
            out.append((f"?v{self.fresh}", self.kind()))
        return out

    def term(self, kind, scope):
        """A variable or a constant that may stand there; None: there is none."""
        fitting = [v for v, k in scope if self.is_a(k, kind)]
        fitting += [n for n, k in self.constants if self.is_a(k, kind)] if not fitting or self.chance(15) else []
        if self.parameters is not None and len(self.parameters) < 3 and (not fitting or self.chance(15)):
            self.fresh += 1
            self.parameters.append((f"?v{self.fresh}", kind))
            return self.parameters[-1][0]
        return self.rng.choice(fitting) if fitting else None

    def atom(self, predicates, scope):
        name = self.rng.choice(sorted(predicates))
        terms = [self.term(kind, scope) for kind in predicates[name]]
        return None if None in terms else (name, *terms)

    def literal(self, positive, negative, scope):
        """Of predicates that may stand there so or so."""
        if scope and len(scope) > 1 and self.chance(8):
            equal = ("=", self.rng.choice(scope)[0], self.rng.choice(scope)[0])
            return equal if self.chance(40) else ("not", equal)
        negated = self.chance(35)
        atom = self.atom(negative if negated else positive, scope) if (negative if negated else positive) else None
        return ("and",) if atom is None else ("not", atom) if negated else atom

    def condition(self, positive, negative, scope, depth):
        if depth == 0 or self.simple or self.chance(45):
            return self.literal(positive, negative, scope)
        kind = self.rng.choice(["and", "or", "not", "imply", "exists", "forall"])
        if kind in ("and", "or"):
            return (kind, *(self.condition(positive, negative, scope, depth - 1) for _ in range(self.rng.randint(1, 3))))
        if kind == "not":
            return ("not", self.condition(negative, positive, scope, depth - 1))
        if kind == "imply":
            return ("imply", self.condition(negative, positive, scope, depth - 1), self.condition(positive, negative, scope, depth - 1))
        more = self.variables(self.rng.choice([1, 1, 1, 2]))
        return (kind, more, self.condition(positive, negative, scope + more, depth - 1))

    def conjunction(self, scope, most, depth):
        everything = {**self.predicates, **self.derived}
        return ("and", *(self.condition(everything, everything, scope, depth) for _ in range(self.rng.randint(0, most))))

    def effect(self, changing, scope):
        if not self.simple and self.chance(20):
            more = self.variables(1)
            return ("forall", more, self.effect(changing, scope + more))
        if not self.simple and self.chance(25):
            return ("when", self.conjunction(scope, 2, 1), self.plain_effect(changing, scope))
        return self.plain_effect(changing, scope)

    def plain_effect(self, changing, scope):
        atom = self.atom({p: self.predicates[p] for p in changing}, scope)
        return ("and",) if atom is None else atom if self.chance(55) else ("not", atom)

    def action(self, name, changing, costs, functions):
        parameters = self.parameters = self.variables(self.rng.choice([0, 0, 1]))
        effects = [self.effect(changing, parameters) for _ in range(self.rng.randint(1, 3))]
        summands = []
        if costs and self.chance(85):
            summands = [self.rng.randint(0, 5)]
            call = self.atom(functions, parameters) if functions and self.chance(50) else None
            if call is not None:
                summands = [call]
        precondition = self.conjunction(parameters, 3, 2)
        self.parameters = None
        return Action(name, parameters, precondition, effects, summands)

    def axiom(self, head):
        """Negation only of predicates before it, so that there are layers."""
        parameters = [(f"?h{i}", kind) for i, kind in enumerate(self.derived[head])]
        order = list(self.derived)
        before = {d: self.derived[d] for d in order[:order.index(head)]}
        positive = {**self.predicates, **before, head: self.derived[head]}
        return Axiom(head, parameters, ("and", *(self.condition(positive, {**self.predicates, **before}, parameters, 2)
                                                 for _ in range(self.rng.randint(1, 3)))))

    def goal(self, reference, distances):
        """Mostly what holds only far away, sometimes anything."""
        if not self.chance(85):
            scope, self.constants = self.constants + self.objects, []
            return self.conjunction(scope, 3, 2)
        far = max(distances.values())
        states = sorted((s for s, d in distances.items() if 2 * d >= far), key=sorted)
        atoms = [a for p, kinds in {**self.predicates, **self.derived}.items() for a in self.atoms(p, kinds)]

        def some():
            whole = reference.closure(self.rng.choice(states))
            chosen = self.rng.sample(atoms, min(len(atoms), self.rng.randint(1, 5)))
            return ("and", *(a if a in whole else ("not", a) for a in chosen))

        def steps(goal):
            return min(d for s, d in distances.items() if reference.holds(goal, reference.closure(s), {}))
        return max((some() for _ in range(self.rng.choice([1, 8, 8, 8]))), key=steps)


def make(seed):
    """A task with its reference; tasks with too many states are made again, and most of those with few."""
    for attempt in range(100):
        maker = Maker(seed * 1000 + attempt)
        task = maker.make()
        reference = Reference(task)
        try:
            distances = reference.distances(False)
        except TooLarge:
            continue
        if (len(distances) < 20 or max(distances.values()) < 4) and not maker.chance(3):
            continue
        task = task._replace(goal=maker.goal(reference, distances))
        reference.task = task
        return task, reference
    raise RuntimeError(f"task {seed}: always too many states")


def text(thing):
    """As PDDL writes it."""
    if isinstance(thing, (str, int)):
        return str(thing)
    if thing and thing[0] in ("exists", "forall"):
        return f"({thing[0]} ({typed(thing[1])}) {text(thing[2])})"
    return "(" + " ".join(text(t) for t in thing) + ")"


def typed(names):
    return " ".join(f"{name} - {kind}" for name, kind in names)


def domain_text(task):
    lines = ["(define (domain random)", "  (:requirements :adl :derived-predicates :action-costs)"]
    if task.types:
        lines.append(f"  (:types {typed(task.types)})")
    if task.constants:
        lines.append(f"  (:constants {typed(task.constants)})")
    heads = [f"({name}{''.join(f' ?x{i} - {k}' for i, k in enumerate(kinds))})" for name, kinds in {**task.predicates, **task.derived}.items()]
    lines.append(f"  (:predicates {' '.join(heads)})")
    if task.costs:
        heads = [f"({name}{''.join(f' ?x{i} - {k}' for i, k in enumerate(kinds))}) - number" for name, kinds in task.functions.items()]
        lines.append(f"  (:functions {' '.join(['(total-cost) - number'] + heads)})")
    for axiom in task.axioms:
        head = "".join(f" {v} - {k}" for v, k in axiom.parameters)
        lines.append(f"  (:derived ({axiom.head}{head}) {text(axiom.condition)})")
    for action in task.actions:
        effects = [text(e) for e in action.effects] + [f"(increase (total-cost) {text(c)})" for c in action.costs]
        lines.append(f"  (:action {action.name} :parameters ({typed(action.parameters)})")
        lines.append(f"    :precondition {text(action.precondition)}")
        lines.append(f"    :effect (and {' '.join(effects)}))")
    return "\n".join(lines) + ")\n"


def problem_text(task):
    amounts = [f"(= {text(a)} {value})" for a, value in task.amounts.items()]
    if task.costs:
        amounts.append("(= (total-cost) 0)")
    lines = ["(define (problem random-1) (:domain random)", f"  (:objects {typed(task.objects)})",
             f"  (:init {' '.join([text(a) for a in task.init] + amounts)})", f"  (:goal {text(task.goal)})"]
    if task.costs:
        lines.append("  (:metric minimize (total-cost))")
    return "\n".join(lines) + ")\n"
