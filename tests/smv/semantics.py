"""The states of a flat model by plain enumeration, and what its properties are worth.

A state is a tuple of values. A step: some process runs, the inputs have some values, and every candidate for the next state is
tried, variable by variable; a constraint is asked as soon as the variables that it speaks of have values. Of variables that are
assigned the candidates are the values of what is assigned.

Processes are as NuSMV's flattener makes them: who runs is an input; a variable that some process assigns keeps its value unless one
that assigns it runs; a variable that nobody assigns may change in every step; INVAR and TRANS hold whoever runs.
"""

import itertools
from collections import deque

from expressions import Fault, function, source, values_source, variables


class TooLarge(Exception):
    pass


class Candidates:
    """All ways to give the variables values. assigned: {variable: (function of the values, variables that it needs)};
    checks: [(function, variables that it needs)]. phase: where the values go, s (initial states) or n."""

    def __init__(self, domains, assigned, checks, phase):
        self.domains, self.phase = domains, phase
        self.assigned = {number: made for number, (made, _) in assigned.items()}
        self.order, placed = [], set()
        while len(self.order) < len(domains):
            ready = [k for k in range(len(domains)) if k not in placed and (k not in assigned or assigned[k][1] <= placed)]
            if not ready:
                raise Fault("a cycle of assignments")
            self.order.append(ready[0])
            placed.add(ready[0])
        place = {number: index for index, number in enumerate(self.order)}
        self.checks = [[] for _ in range(len(domains) + 1)]
        for check, needed in checks:
            self.checks[max((place[k] + 1 for k in needed), default=0)].append(check)

    def all(self, s, i, p):
        values = [None] * len(self.domains)
        arguments = (values, None, i, p) if self.phase == "s" else (s, values, i, p)
        return self.extended(0, values, arguments)

    def extended(self, depth, values, arguments):
        for check in self.checks[depth]:
            if not check(*arguments):
                return
        if depth == len(self.order):
            yield tuple(values)
            return
        number = self.order[depth]
        candidates = self.domains[number]
        if number in self.assigned:
            allowed = self.assigned[number](*arguments)
            if any(v not in candidates for v in allowed):
                raise Fault("a value outside the range is assigned")
            candidates = [v for v in candidates if v in allowed]
        for value in candidates:
            values[number] = value
            yield from self.extended(depth + 1, values, arguments)


def kept_unless(number, parts):
    """The next value with processes: what the running one assigns, else the old one."""
    out = f"(s[{number}],)"
    for process, e in parts:
        out = f"({values_source(e)} if p == {process} else {out})"
    return out


class Steps:
    def __init__(self, flat):
        self.flat = flat
        now = {k: (function(values_source(e)), variables(e)[0]) for k, e in flat.current.items()}
        then = {k: (function(values_source(e, "n")), variables(e)[0]) for k, e in flat.current.items()}
        first = dict(now)
        for k, e in flat.init_assigned.items():
            if k in flat.current:
                raise Fault("assigned twice")
            first[k] = (function(values_source(e)), variables(e)[0])
        after = dict(then)
        for k, parts in flat.next_assigned.items():
            if k in flat.current or flat.frozen[k] or (flat.processes == 1 and len(parts) > 1):
                raise Fault("assigned twice")
            made = kept_unless(k, parts) if flat.processes > 1 else values_source(parts[0][1])
            after[k] = (function(made), set().union(*(variables(e)[1] for _, e in parts)))
        for k, frozen in enumerate(flat.frozen):
            if frozen:
                after[k] = (function(f"(s[{k}],)"), set())
        invar = [(function(source(e)), variables(e)[0]) for e in flat.invar]
        invar_after = [(function(source(e, "n")), variables(e)[0]) for e in flat.invar]
        init = [(function(source(e)), variables(e)[0]) for e in flat.init]
        trans = [(function(source(e)), variables(e)[1]) for e in flat.trans]
        self.first = Candidates(flat.domains, first, init + invar, "s")
        self.after = Candidates(flat.domains, after, trans + invar_after, "n")
        self.labels = [(p, i) for p in range(flat.processes) for i in itertools.product(*flat.input_domains)]

    def initial(self):
        return list(self.first.all(None, None, None))

    def labelled(self, state):
        """The steps from a state: (process and inputs, next state)."""
        for label in self.labels:
            for after in self.after.all(state, label[1], label[0]):
                yield label, after


class Space:
    """The reachable states: number, distances, steps."""

    def __init__(self, flat, most_states=3000, most_steps=200_000):
        self.flat, self.steps = flat, Steps(flat)
        self.initial = []
        for state in self.steps.initial():
            self.initial.append(state)
            if len(self.initial) > most_states:
                raise TooLarge
        self.distance = {state: 0 for state in self.initial}
        self.successors = {}
        self.edges = {}  # (process and inputs, next state)s
        waiting, steps = deque(self.initial), 0
        while waiting:
            state = waiting.popleft()
            self.edges[state] = list(self.steps.labelled(state))
            self.successors[state] = set(after for _, after in self.edges[state])
            steps += len(self.edges[state])
            if len(self.distance) > most_states or steps > most_steps:
                raise TooLarge
            for _, after in self.edges[state]:  # in the same order in every run
                if after not in self.distance:
                    self.distance[after] = self.distance[state] + 1
                    waiting.append(after)

    @property
    def states(self):
        return len(self.distance)

    @property
    def layers(self):
        return max(self.distance.values(), default=-1) + 1

    @property
    def deadlocks(self):
        return [state for state, after in self.successors.items() if not after]

    def satisfying(self, e):
        holds = function(source(e))
        return {state for state in self.distance if holds(state, None, None, None)}

    def reaching(self, goal):
        """The states from which a goal state can be reached."""
        before = {}
        for state, after in self.successors.items():
            for other in after:
                before.setdefault(other, []).append(state)
        seen, waiting = set(goal), list(goal)
        while waiting:
            for state in before.get(waiting.pop(), ()):
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return seen


class Answer:
    """holds: of the property as written; length: of a shortest witness or counterexample, None if there is none, -1 if it is not known."""

    def __init__(self, holds, length):
        self.holds, self.length = holds, length

    def __repr__(self):
        return ("holds" if self.holds else "fails") + ("" if self.length is None else ", length unknown" if self.length < 0 else f", length {self.length}")


def answer(space, form, e):
    """Of a property over one state formula, where every reachable state counts."""
    goal = space.satisfying(e)
    if form in ("INVARSPEC", "AG", "G"):
        goal = set(space.distance) - goal
    length = min((space.distance[state] for state in goal), default=None)
    if form == "EF":  # all initial states have to satisfy it
        good = space.reaching(goal)
        holds = all(state in good for state in space.initial)
        return Answer(holds, length if len(space.initial) == 1 or length is None else -1)
    return Answer(length is None, length)
