"""Random expressions of SMV by type, over what a context may read. All of them have a value everywhere: no division by zero, no
subscript out of bounds, no open case."""

from expressions import BOOL, FALSE, TRUE, E, boolean, const, divide, name, next_of

INF = 10 ** 6
HUGE = 40  # integers stay below


class Atom:
    """Something with a name. rank: variables of a lower rank never depend on it at the same time; kind: state, input (reads an
    input, no state), trans (reads next states)."""

    def __init__(self, e, values, rank, kind="state"):
        self.e, self.values, self.rank, self.kind = e, values, rank, kind

    @property
    def type(self):
        return self.e.type


class ArrayAtom:
    def __init__(self, path, low, high, values, kind, rank, reads="state"):
        self.path, self.low, self.high, self.values, self.type, self.rank, self.kind = path, low, high, values, kind, rank, reads


class Context:
    """now, after: what may be read, and what may be read as next(…)."""

    def __init__(self, now, after=(), arrays=()):
        self.now, self.after, self.arrays = list(now), list(after), list(arrays)

    def inside_next(self):
        return Context(self.after)


class Expressions:
    def __init__(self, rng):
        self.random = rng
        self.old_default = rng.random() < 0.15
        self.words = rng.random() < 0.5

    def chance(self, p):
        return self.random.random() < p

    def pick(self, of):
        return self.random.choice(of)

    # Leaves.
    def atom(self, c, fits):
        """Something that fits, perhaps its next value; None if there is nothing."""
        now = [a for a in c.now if fits(a)]
        after = [a for a in c.after if fits(a)]
        if after and (not now or self.chance(0.4)):
            return next_of(self.pick(after).e)
        arrays = [a for a in c.arrays if fits(a)]
        if arrays and self.chance(0.5):
            return self.element(self.pick(arrays), c)
        return self.pick(now).e if now else None

    def element(self, array, c):
        """A subscript that is computed, or not."""
        index = self.clip(self.integer(1, c), array.low, array.high) if self.chance(0.7) else const(self.random.randint(array.low, array.high))
        if index.op == "const":
            return name(array.path + (index.args[0],), array.type)
        return E("index", (array.path, index), array.type)

    # What all types have.
    def choice(self, kind, make, c, depth):
        """A case or ?: whose branches `make()` makes."""
        if self.chance(0.4):
            return E("ite", (self.boolean(depth - 1, c), make(), make()), kind)
        if self.chance(0.2):  # complete without a default
            condition = self.boolean(depth - 1, c)
            branches = [(condition, make()), (boolean("!", condition), make())]
        else:
            branches = [(self.boolean(depth - 1, c), make()) for _ in range(self.random.randint(1, 2))] + [(TRUE, make())]
        return E("case", (branches, "old" if self.old_default else "new"), kind)

    # Booleans.
    def boolean(self, depth, c):
        if not c.now and not c.after:
            return const(self.chance(0.5)) if self.chance(0.9) else self.comparison(0, c)
        if depth <= 0:
            e = self.atom(c, lambda a: a.type == BOOL) if self.chance(0.6) else None
            return e or self.comparison(0, c)
        way = self.random.randrange(14)
        if way < 2:
            return boolean("!", self.boolean(depth - 1, c))
        if way < 6:
            op = self.pick(["&", "&", "|", "|", "xor", "xnor", "->", "<->", "=", "!="])
            return boolean(op, self.boolean(depth - 1, c), self.boolean(depth - 1, c))
        if way == 6:
            return self.choice(BOOL, lambda: self.boolean(depth - 1, c), c, depth)
        if way == 7:
            return self.conversion_to_boolean(depth, c)
        if way == 8 and c.after and self.chance(0.5):
            return next_of(self.boolean(depth - 1, c.inside_next()))
        if way == 9:
            return self.membership(depth, c)
        if way == 10:
            return self.boolean(0, c)
        return self.comparison(depth - 1, c)

    def conversion_to_boolean(self, depth, c):
        if self.words and self.chance(0.5):
            return boolean("bool", self.word(("u", 1), depth - 1, c))
        return boolean("bool", self.integer(depth - 1, c))

    def membership(self, depth, c):
        if self.chance(0.5):
            e = self.atom(c, lambda a: a.type[0] == "enum")
            if e:
                values = sorted(e.type[1], key=str)
                return boolean("in", e, self.constants(self.random.sample(values, self.random.randint(1, len(values)))))
        e = self.integer(depth - 1, c)
        if self.chance(0.4):
            low = self.random.randint(-2, 2)
            return boolean("in", e, E("range", (low, low + self.random.randint(0, 3)), ("int", -9, 9)))
        numbers = [self.integer(0, c) for _ in range(self.random.randint(1, 3))]
        out = E("set", (numbers,), e.type)
        if self.chance(0.3):
            out = E("union", (out, self.integer(0, c)), e.type)
        return boolean("in", e, out)

    def comparison(self, depth, c):
        there = {a.type[0] for a in c.now + c.after}
        ways = [self.enum_comparison, self.enum_comparison] if "enum" in there else []
        ways += [self.integer_comparison] * (2 if "int" in there else 0 if ways else 1)
        if self.words and ("u" in there or "s" in there or self.chance(0.1)):
            ways.append(self.word_comparison)
        return self.pick(ways)(depth, c) or self.atom(c, lambda a: a.type == BOOL) or self.integer_comparison(depth, c)

    def integer_comparison(self, depth, c):
        left = self.atom(c, lambda a: a.type[0] == "int") if depth <= 0 or self.chance(0.4) else None
        left = left or self.integer(depth, c)
        low = max(left.type[1], -3)
        right = const(self.random.randint(low, max(min(left.type[2], 7), low))) if self.chance(0.6) else self.integer(depth, c)
        return boolean(self.pick(["=", "=", "=", "!=", "<", ">", "<=", ">="]), left, right)

    def enum_comparison(self, _, c):
        left = self.atom(c, lambda a: a.type[0] == "enum")
        if not left:
            return None
        right = None
        if self.chance(0.25):
            right = self.atom(c, lambda a: a.type[0] == "enum" and a.type[1] & left.type[1])
        return boolean(self.pick(["=", "=", "!="]), left, right or const(self.pick(sorted(left.type[1], key=str))))

    def word_comparison(self, depth, c):
        kind = self.word_type(c)
        op = self.pick(["=", "=", "!=", "<", ">", "<=", ">="])
        return boolean(op, self.word(kind, depth, c), self.word(kind, depth, c))

    # Integers.
    def integer(self, depth, c):
        if depth <= 0 or self.chance(0.2):
            e = self.atom(c, lambda a: a.type[0] == "int") if self.chance(0.8) else None
            return e or const(self.random.randint(-2, 4))
        way = self.random.randrange(9)
        if way < 4:
            return self.arithmetic(self.pick(["+", "-", "+", "-", "*"]), self.integer(depth - 1, c), self.integer(depth - 1, c))
        if way == 4:
            return self.arithmetic(self.pick(["/", "mod"]), self.integer(depth - 1, c), const(self.pick([2, 2, 3, -2])))
        if way == 5:
            e = self.integer(depth - 1, c)
            return E("neg", (e,), ("int", -e.type[2], -e.type[1]))
        if way == 6:
            parts = [self.boolean(depth - 1, c) for _ in range(self.random.randint(1, 3))]
            return E("count", (parts,), ("int", 0, len(parts)))
        if way == 7:
            return self.conversion_to_integer(depth, c)
        made = []

        def make():
            made.append(self.integer(depth - 1, c))
            return made[-1]
        out = self.choice(("int", 0, 0), make, c, depth)
        out.type = ("int", min(e.type[1] for e in made), max(e.type[2] for e in made))
        return out

    def conversion_to_integer(self, depth, c):
        if not self.words or self.chance(0.3):
            return E("toint", (self.boolean(depth - 1, c),), ("int", 0, 1))
        kind = self.word_type(c)
        low, high = (0, 2 ** kind[1] - 1) if kind[0] == "u" else (-2 ** (kind[1] - 1), 2 ** (kind[1] - 1) - 1)
        return E("toint", (self.word(kind, depth - 1, c),), ("int", low, high))

    def arithmetic(self, op, a, b):
        (_, l1, h1), (_, l2, h2) = a.type, b.type
        if op == "+":
            low, high = l1 + l2, h1 + h2
        elif op == "-":
            low, high = l1 - h2, h1 - l2
        elif op == "*":
            corners = [l1 * l2, l1 * h2, h1 * l2, h1 * h2]
            low, high = min(corners), max(corners)
        elif op == "/":
            corners = [divide(l1, l2), divide(h1, l2)]
            low, high = min(corners), max(corners)
        else:
            low, high = min(0, max(l1, 1 - abs(l2))), max(0, min(h1, abs(l2) - 1))
        if low < -HUGE or high > HUGE:
            return a
        return E(op, (a, b), ("int", low, high))

    def clip(self, e, low, high):
        """The same within a range."""
        if low <= e.type[1] and e.type[2] <= high:
            return e
        if e.type[1] > high or e.type[2] < low:
            return const(self.random.randint(low, high))
        kind = ("int", max(low, e.type[1]), min(high, e.type[2]))
        if self.chance(0.4):
            inside = boolean("in", e, E("range", (low, high), ("int", low, high)))
            return E("ite", (inside, e, const(self.random.randint(low, high))), ("int", low, high))
        branches = []
        if e.type[1] < low:
            branches.append((boolean("<", e, const(low)), const(low)))
        if e.type[2] > high:
            branches.append((boolean(">", e, const(high)), const(high)))
        return E("case", (branches + [(TRUE, e)], "old" if self.old_default else "new"), kind)

    # Enumerations: expressions with some of the values.
    def enum(self, values, depth, c):
        kind = ("enum", frozenset(values))
        if depth > 0 and self.chance(0.45):
            return self.choice(kind, lambda: self.enum(values, depth - 1, c), c, depth)
        e = self.atom(c, lambda a: a.values is not None and a.type[0] in ("int", "enum") and set(a.values) <= set(values)) if self.chance(0.5) else None
        return e or const(self.pick(sorted(values, key=str)))

    def constants(self, values):
        return E("set", ([const(v) for v in values],), ("enum", frozenset(values)))

    # Words.
    def word_type(self, c):
        kinds = [a.type for a in c.now + c.after if a.type[0] in "us"]
        return self.pick(kinds) if kinds and self.chance(0.7) else (self.pick("us"), self.random.randint(2, 4))

    def word_constant(self, kind):
        sign, bits = kind
        low, high = (0, 2 ** bits - 1) if sign == "u" else (-2 ** (bits - 1), 2 ** (bits - 1) - 1)
        value = self.random.randint(low, high)
        if self.chance(0.15) and value >= 0:
            return E(sign + "wconst", (value, bits), kind)
        return E("const", (value, self.pick("bdddho"), self.chance(0.3)), kind)

    def word(self, kind, depth, c):
        sign, bits = kind
        if depth <= 0 or self.chance(0.15):
            e = self.atom(c, lambda a: a.type == kind) if self.chance(0.85) else None
            return e or self.word_constant(kind)
        way = self.random.randrange(12)
        if way < 4:
            op = self.pick(["+", "-", "*", "&", "|", "xor", "xnor", "+", "-", "&", "|", "->", "<->"])
            return E(op, (self.word(kind, depth - 1, c), self.word(kind, depth - 1, c)), kind)
        if way == 4:
            divisor = self.word_constant(kind)
            while divisor.args[0] in (0, -1):
                if bits == 1:
                    return self.word(kind, depth - 1, c)
                divisor = self.word_constant(kind)
            return E(self.pick(["/", "mod"]), (self.word(kind, depth - 1, c), divisor), kind)
        if way < 7:
            return E(self.pick(["!", "neg"]), (self.word(kind, depth - 1, c),), kind)
        if way == 7:
            by = const(self.random.randint(0, bits)) if self.chance(0.6) else self.clip(self.integer(1, c), 0, bits)
            return E(self.pick(["<<", ">>"]), (self.word(kind, depth - 1, c), by), kind)
        if way == 8:
            return self.choice(kind, lambda: self.word(kind, depth - 1, c), c, depth)
        return self.word_conversion(kind, depth, c)

    def word_conversion(self, kind, depth, c):
        sign, bits = kind
        other = self.pick("us")
        ways = ["change", "resize"]
        if bits > 1:
            ways.append("extend")
        if sign == "u":
            ways += ["select"] * 2 + (["::"] * 2 if bits > 1 else ["word1"] * 2)
        way = self.pick(ways)
        if way == "change":
            return E("signed" if sign == "s" else "unsigned", (self.word(("u" if sign == "s" else "s", bits), depth - 1, c),), kind)
        if way == "resize":
            width = self.random.randint(1, 5)
            if sign == "s" and bits == 1:
                width = 1
            return E("resize", (self.word((sign, width), depth - 1, c), bits), kind)
        if way == "extend":
            less = self.random.randint(1, bits - 1)
            return E("extend", (self.word((sign, bits - less), depth - 1, c), less), kind)
        if way == "word1":
            return E("word1", (self.boolean(depth - 1, c),), kind)
        if way == "::":
            right = self.random.randint(1, bits - 1)
            return E("::", (self.word((other, bits - right), depth - 1, c), self.word((self.pick("us"), right), depth - 1, c)), kind)
        width = bits + self.random.randint(0, 2)
        low = self.random.randint(0, width - bits)
        return E("select", (self.word((other, width), depth - 1, c), low + bits - 1, low), kind)

    # For a variable: one value, or several of its domain.
    def single(self, domain, depth, c):
        kind = domain.type
        if kind == BOOL:
            return self.boolean(depth, c)
        if kind[0] == "int":
            if domain.values != tuple(range(kind[1], kind[2] + 1)):
                return self.enum(domain.values, depth, c)
            return self.clip(self.integer(depth, c), kind[1], kind[2])
        if kind[0] == "enum":
            return self.enum(domain.values, depth, c)
        return self.word(kind, depth, c)

    def several(self, domain, depth, c):
        kind = domain.type
        if kind[0] in "us" or self.chance(0.5):
            return self.single(domain, depth, c)
        if depth > 0 and self.chance(0.4):
            return self.choice(kind, lambda: self.several(domain, depth - 1, c), c, depth)
        whole = kind[0] == "int" and domain.values == tuple(range(kind[1], kind[2] + 1))
        if whole and self.chance(0.25):
            low = self.random.randint(kind[1], kind[2])
            return E("range", (low, self.random.randint(low, kind[2])), kind)
        if kind == BOOL and self.chance(0.6):
            return E("set", ([FALSE, TRUE],), kind)
        if self.chance(0.25):
            return E("union", (self.single(domain, 0, c), self.single(domain, 0, c)), kind)
        if self.chance(0.5):
            return E("set", ([self.single(domain, 0, c) for _ in range(self.random.randint(1, 3))],), kind)
        values = self.random.sample(domain.values, self.random.randint(1, len(domain.values)))
        return E("set", ([const(v) for v in values],), kind)

    def stepping(self, e, domain, c):
        """The next value of a variable that goes through its values under a condition."""
        kind, values = domain.type, domain.values
        if kind[0] in "us":
            after = E("+", (e, E("const", (0 if kind == ("s", 1) else 1,), kind)), kind)
        elif kind[0] == "int" and values == tuple(range(kind[1], kind[2] + 1)):
            after = E("case", ([(boolean("=", e, const(kind[2])), const(kind[1])), (TRUE, E("+", (e, const(1)), kind))], "new"), kind)
            if kind[1] == 0 and self.chance(0.4):
                after = E("mod", (E("+", (e, const(1)), kind), const(kind[2] + 1)), kind)
        elif kind == BOOL:
            after = boolean("!", e)
        else:
            pairs = list(zip(values, values[1:] + values[:1]))
            self.random.shuffle(pairs)
            branches = [(boolean("=", e, const(a)), const(b)) for a, b in pairs]
            if self.chance(0.5):
                branches[-1] = (TRUE, branches[-1][1])
            after = E("case", (branches, "new"), kind)
        if self.chance(0.3):
            return after
        other = e if kind[0] in "us" or self.chance(0.6) else E("set", ([e, after],), kind)
        return E("case", ([(self.boolean(1, c), after), (TRUE, other)], "old" if self.old_default else "new"), kind)
