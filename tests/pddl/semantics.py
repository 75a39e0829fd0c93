"""What a PDDL task means, by enumeration: a reference that is simple, slow, and knows nothing of the program.

Conditions, effects and formulas are nested tuples, as PDDL writes them: ("and", ("on", "?x", "a"), ("not", ("clear", "?x"))). A state is a
frozenset of ground atoms, without those that axioms derive. A kind is a type or several: "t", "(either s t)".
"""

import heapq
import itertools
from collections import namedtuple

Action = namedtuple("Action", "name parameters precondition effects costs")  # parameters: [("?x", "t")]; effects: a list; costs: a list
Axiom = namedtuple("Axiom", "head parameters condition")  # head: a name
# layers: lists of derived predicates, the first layer first; metric: whether costs count
Task = namedtuple("Task", "types objects constants predicates derived layers functions actions axioms init amounts goal metric")


class TooLarge(Exception):
    """There are more states than the reference wants to look at."""


def alternatives(kind):
    return kind[len("(either "):-1].split() if kind.startswith("(either ") else [kind]


class Types:
    """The hierarchy; types: [("s", "object"), ("t", "(either r s)")]."""

    def __init__(self, types):
        self.parents = {name: alternatives(kind) for name, kind in types}

    def above(self, kind):
        """A type and all that are above it."""
        out, rest = {"object"}, [kind]
        while rest:
            kind = rest.pop()
            rest += self.parents.get(kind, [])
            out.add(kind)
        return out

    def has(self, kind, own):
        """Whether an object that is said to be `own` is one of `kind`: with several, it is of all of them, and may be any."""
        above = set().union(*(self.above(a) for a in alternatives(own)))
        return any(a in above for a in alternatives(kind))


class Reference:
    def __init__(self, task, most_states=400):
        self.task = task
        self.most_states = most_states
        self.hierarchy = Types(task.types)
        self.known = {}
        self.closures = {}
        self.steps = {}
        self.bindings = [(action, binding) for action in task.actions for binding in self.tuples(action.parameters)]

    def members(self, kind):
        """The objects that a variable of this kind stands for."""
        if kind not in self.known:
            self.known[kind] = [name for name, own in self.task.objects + self.task.constants if self.hierarchy.has(kind, own)]
        return self.known[kind]

    def tuples(self, parameters):
        """All ways to give objects to variables."""
        for objects in itertools.product(*(self.members(kind) for _, kind in parameters)):
            yield dict(zip((name for name, _ in parameters), objects))

    def holds(self, condition, state, binding):
        """`state`: all atoms that hold, derived ones too."""
        kind = condition[0]
        if kind == "and":
            return all(self.holds(c, state, binding) for c in condition[1:])
        if kind == "or":
            return any(self.holds(c, state, binding) for c in condition[1:])
        if kind == "not":
            return not self.holds(condition[1], state, binding)
        if kind == "imply":
            return not self.holds(condition[1], state, binding) or self.holds(condition[2], state, binding)
        if kind in ("exists", "forall"):
            each = (self.holds(condition[2], state, {**binding, **more}) for more in self.tuples(condition[1]))
            return any(each) if kind == "exists" else all(each)
        atom = ground(condition, binding)
        return atom[1] == atom[2] if kind == "=" else atom in state

    def closure(self, state):
        """With what the axioms derive, layer by layer."""
        if state not in self.closures:
            whole = set(state)
            for layer in self.task.layers:
                again = True
                while again:
                    again = False
                    for axiom in self.task.axioms:
                        if axiom.head not in layer:
                            continue
                        for binding in self.tuples(axiom.parameters):
                            atom = (axiom.head, *(binding[v] for v, _ in axiom.parameters))
                            if atom not in whole and self.holds(axiom.condition, whole, binding):
                                whole.add(atom)
                                again = True
            self.closures[state] = whole
        return self.closures[state]

    def literals(self, effect, whole, binding):
        """What an effect does: (adds, atom)."""
        kind = effect[0]
        if kind == "and":
            for e in effect[1:]:
                yield from self.literals(e, whole, binding)
        elif kind == "forall":
            for more in self.tuples(effect[1]):
                yield from self.literals(effect[2], whole, {**binding, **more})
        elif kind == "when":
            if self.holds(effect[1], whole, binding):
                yield from self.literals(effect[2], whole, binding)
        elif kind == "not":
            yield False, ground(effect[1], binding)
        else:
            yield True, ground(effect, binding)

    def cost(self, action, binding):
        if not self.task.metric:
            return 1
        return sum(c if isinstance(c, int) else self.task.amounts[ground(c, binding)] for c in action.costs)

    def apply(self, state, action, binding):
        """The state after an action; None: it cannot be done."""
        whole = self.closure(state)
        if not self.holds(action.precondition, whole, binding):
            return None
        done = [literal for e in action.effects for literal in self.literals(e, whole, binding)]
        gone = {atom for adds, atom in done if not adds}
        return frozenset((state - gone) | {atom for adds, atom in done if adds})

    def successors(self, state):
        """(cost, state after) of everything that can be done."""
        if state not in self.steps:
            after = ((self.cost(action, binding), self.apply(state, action, binding)) for action, binding in self.bindings)
            self.steps[state] = list({step for step in after if step[1] is not None})
        return self.steps[state]

    def is_goal(self, state):
        return self.holds(self.task.goal, self.closure(state), {})

    def distances(self, counts=lambda cost: 1):
        """Every reachable state with its distance from the start; `counts`: what a step of some cost counts."""
        start = frozenset(self.task.init)
        best, queue, count = {start: 0}, [(0, 0, start)], 0
        done = set()
        while queue:
            cost, _, state = heapq.heappop(queue)
            if state in done:
                continue
            done.add(state)
            if len(done) > self.most_states:
                raise TooLarge
            for step, after in self.successors(state):
                reached = cost + counts(step)
                if reached < best.get(after, reached + 1):
                    best[after] = reached
                    count += 1
                    heapq.heappush(queue, (reached, count, after))
        return best

    def distance_to_goal(self, counts=lambda cost: 1):
        """None: there is no plan."""
        return min((d for state, d in self.distances(counts).items() if self.is_goal(state)), default=None)

    def run(self, plan):
        """Carries out a plan, a list of (name, objects…): (whether it ends in a goal, its cost); raises ValueError if it cannot be done."""
        state, cost = frozenset(self.task.init), 0
        actions = {a.name: a for a in self.task.actions}
        for name, *objects in plan:
            action = actions.get(name)
            if action is None or len(objects) != len(action.parameters):
                raise ValueError(f"there is no action {name} with {len(objects)} parameters")
            binding = dict(zip((v for v, _ in action.parameters), objects))
            if any(o not in self.members(kind) for o, (_, kind) in zip(objects, action.parameters)):
                raise ValueError(f"{name} {objects}: not of the types that it takes")
            state_after = self.apply(state, action, binding)
            if state_after is None:
                raise ValueError(f"{name} {objects}: the precondition does not hold")
            cost += self.cost(action, binding)
            state = state_after
        return self.is_goal(state), cost


def ground(atom, binding):
    return (atom[0], *(binding.get(t, t) for t in atom[1:]))
