"""Formulas of CTL and LTL over a space (semantics.py) without deadlocks, with justice: their text and whether they hold.

CTL by fixpoints (Emerson and Lei, 1986; a fair path satisfies each condition infinitely often, and conditions may speak of inputs and
of the process that runs). LTL by guessing the truth of all subformulas along a path (Clarke, Grumberg and Hamaguchi, 1997) and
looking for fair cycles. As in NuSMV only fair initial states count.
"""

from expressions import function, source, text as expression_text

MOST_EDGES = 300_000


class TooHard(Exception):
    pass


class Formula:
    __slots__ = ("op", "args")

    def __init__(self, op, *args):
        self.op, self.args = op, args

    def text(self, full=True):
        if self.op == "atom":
            return f"({expression_text(self.args[0], full)})"
        inner = [a.text(full) for a in self.args]
        if self.op in ("EU", "AU"):
            return f"{self.op[0]} [{inner[0]} U {inner[1]}]"
        if len(inner) == 1:
            return f"({self.op} {inner[0]})"
        return f"({inner[0]} {self.op} {inner[1]})"

    def mapped(self, change):
        return Formula(self.op, change(self.args[0])) if self.op == "atom" else Formula(self.op, *(a.mapped(change) for a in self.args))

    def atoms(self):
        return 1 if self.op == "atom" else sum(a.atoms() for a in self.args)


def random_formula(rng, logic, atom, depth, temporal=True):
    if depth <= 0 or (not temporal and rng.random() < 0.3):
        return Formula("atom", atom())
    if logic == "CTL":
        unary, binary = ["EX", "AX", "EF", "AF", "EG", "AG"], ["EU", "AU"]
    else:
        unary, binary = ["X", "F", "G", "F", "G"], ["U", "V"]
    way = rng.random()
    if temporal and way < 0.7 or way < 0.45:
        op = rng.choice(unary + binary)
    else:
        op = rng.choice(["!", "&", "|", "->", "<->"])
    count = 1 if op in unary or op == "!" else 2
    return Formula(op, *(random_formula(rng, logic, atom, depth - 1 - rng.randint(0, 1), False) for _ in range(count)))


BOOLEAN = {"!": lambda a: not a, "&": lambda a, b: a and b, "|": lambda a, b: a or b, "->": lambda a, b: not a or b, "<->": lambda a, b: a == b}


class Fair:
    """A space with the conditions of justice, and those of compassion: (if this infinitely often, then that). The latter count for LTL
    only, as in NuSMV."""

    def __init__(self, space, conditions, compassion=()):
        self.space = space
        self.states = set(space.distance)
        self.before = {}
        for state, after in space.successors.items():
            for other in after:
                self.before.setdefault(other, set()).add(state)
        self.conditions = []  # {state: the states after those of its steps that satisfy the condition}
        for e in conditions:
            holds = function(source(e))
            self.conditions.append({state: {after for (p, i), after in edges if holds(state, None, i, p)}
                                    for state, edges in space.edges.items()})
        self.compassion = [(space.satisfying(a), space.satisfying(b)) for a, b in compassion]
        self.fair = self.always(self.states)

    def previous(self, some):
        return set().union(*(self.before.get(state, ()) for state in some)) if some else set()

    def until(self, left, right):
        """E [left U right], on any path."""
        seen, waiting = set(right), list(right)
        while waiting:
            for state in self.before.get(waiting.pop(), ()):
                if state in left and state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return seen

    def always(self, some):
        """EG, on fair paths."""
        z = set(some)
        while True:
            new = set(z)
            for good in self.conditions or [self.space.successors]:
                new &= self.until(some, {state for state in z if good[state] & z})
            if new == z:
                return z
            z = new

    def satisfying(self, f):
        op = f.op
        if op == "atom":
            return self.space.satisfying(f.args[0])
        parts = [self.satisfying(a) for a in f.args]
        everything = self.states
        if op in BOOLEAN:
            return {s for s in everything if BOOLEAN[op](*(s in part for part in parts))}
        if op == "EX":
            return self.previous(parts[0] & self.fair)
        if op == "AX":
            return everything - self.previous((everything - parts[0]) & self.fair)
        if op == "EF":
            return self.until(everything, parts[0] & self.fair)
        if op == "AG":
            return everything - self.until(everything, (everything - parts[0]) & self.fair)
        if op == "EG":
            return self.always(parts[0])
        if op == "AF":
            return everything - self.always(everything - parts[0])
        if op == "EU":
            return self.until(parts[0], parts[1] & self.fair)
        assert op == "AU"
        not_first, not_second = everything - parts[0], everything - parts[1]
        return everything - (self.until(not_second, not_first & not_second & self.fair) | self.always(not_second))

    def holds(self, f):
        good = self.satisfying(f)
        return all(state in good for state in self.space.initial if state in self.fair)

    # LTL.
    def holds_always(self, f):
        """On all fair paths from initial states."""
        tableau = Tableau(self, f)
        start = [(s, guess) for s in self.space.initial for guess in tableau.guesses if not tableau.value(f, s, guess)]
        return not tableau.fair_cycle(start)


class Tableau:
    """Nodes: a state and the truth of the temporal subformulas there."""

    def __init__(self, fair, f):
        self.fair, self.temporal = fair, []
        self.atoms = {}
        self.collect(f)
        self.guesses = [tuple(bool(k >> j & 1) for j in range(len(self.temporal))) for k in range(2 ** len(self.temporal))]
        steps = sum(len(edges) for edges in fair.space.edges.values())
        if steps * len(self.guesses) > MOST_EDGES:
            raise TooHard
        self.build()

    def collect(self, f):
        if f.op == "atom":
            self.atoms[f] = self.fair.space.satisfying(f.args[0])
            return
        for a in f.args:
            self.collect(a)
        if f.op not in BOOLEAN:
            self.temporal.append(f)

    def value(self, f, state, guess):
        if f.op == "atom":
            return state in self.atoms[f]
        if f.op in BOOLEAN:
            return BOOLEAN[f.op](*(self.value(a, state, guess) for a in f.args))
        return guess[self.temporal.index(f)]

    def guess_before(self, state, after, guess):
        """The truth in a state, from that in the state after it."""
        out = []
        for k, f in enumerate(self.temporal):
            known = tuple(out)
            args = [self.value(a, state, known) for a in f.args]
            if f.op == "X":
                value = self.value(f.args[0], after, guess)
            elif f.op == "F":
                value = args[0] or guess[k]
            elif f.op == "G":
                value = args[0] and guess[k]
            elif f.op == "U":
                value = args[1] or (args[0] and guess[k])
            else:
                assert f.op == "V"
                value = args[1] and (args[0] or guess[k])
            out.append(value)
        return tuple(out)

    def build(self):
        self.after = {}  # node: [(node, conditions of justice that the step satisfies)]
        conditions = self.fair.conditions
        for state, others in self.fair.space.successors.items():
            for other in others:
                satisfied = frozenset(k for k, good in enumerate(conditions) if other in good[state])
                for guess in self.guesses:
                    self.after.setdefault((state, self.guess_before(state, other, guess)), []).append(((other, guess), satisfied))

    def promises(self, node):
        """Which of the temporal subformulas are not merely put off here."""
        state, guess = node
        out = set()
        for k, f in enumerate(self.temporal):
            last = self.value(f.args[-1], state, guess)
            if f.op == "X" or (f.op in "FU" and (last or not guess[k])) or (f.op in "GV" and (guess[k] or not last)):
                out.add(k)
        return out

    def fair_cycle(self, start):
        return any(self.has_fair_cycle(component) for component in components(start, self.nodes_after))

    def nodes_after(self, node):
        return [other for other, _ in self.after.get(node, ())]

    def has_fair_cycle(self, component):
        inside = set(component)
        satisfied, kept, steps = set(), set(), 0
        for node in component:
            kept |= self.promises(node)
            for other, conditions in self.after.get(node, ()):
                if other in inside:
                    steps += 1
                    satisfied |= conditions
        if not steps or len(kept) < len(self.temporal) or len(satisfied) < len(self.fair.conditions):
            return False
        for if_this, then_that in self.fair.compassion:
            if any(s in if_this for s, _ in component) and not any(s in then_that for s, _ in component):
                rest = {(s, guess) for s, guess in component if s not in if_this}
                smaller = components(rest, lambda node: [n for n in self.nodes_after(node) if n in rest])
                return any(self.has_fair_cycle(c) for c in smaller)
        return True


def components(start, after):
    """The strongly connected components that can be reached (Tarjan, 1972)."""
    index, low, on_stack, stack = {}, {}, set(), []
    for root in start:
        if root in index:
            continue
        calls = [(root, iter(after(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on_stack.add(root)
        while calls:
            node, rest = calls[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on_stack.add(other)
                    calls.append((other, iter(after(other))))
                    break
                if other in on_stack:
                    low[node] = min(low[node], index[other])
            else:
                calls.pop()
                if calls:
                    low[calls[-1][0]] = min(low[calls[-1][0]], low[node])
                if low[node] == index[node]:
                    component = []
                    while not component or component[-1] != node:
                        component.append(stack.pop())
                        on_stack.discard(component[-1])
                    yield component
