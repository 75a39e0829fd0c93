"""Expressions of SMV as trees: their text, their meaning as Python source, and names resolved to variables.

The meaning is meant to be that of NuSMV 2.6 (Cavada et al., 2010), and stands nowhere else in the tests. It was written without that
program at hand: precedence follows its published grammar; that signed words keep their sign when they are cut (resize) and shifted, and
that constants like 0sb3_100 are bits, is not confirmed by a run of it.

An expression has an operator, arguments and a type:
    ("bool",)   ("int", lowest, highest)   ("enum", frozenset of values)   ("u", bits)   ("s", bits)
A value is a bool, an int or a string (a symbol); words are ints, signed ones between -2^(bits-1) and 2^(bits-1) - 1.

In the source, `s` has the values of the state variables, `n` those after the step, `i` those of the inputs, and `p` is the
number of the process that runs.
"""

BOOL = ("bool",)


class Fault(Exception):
    """The model has no meaning: a value out of range, an open case, a division by zero, a cycle."""


class E:
    __slots__ = ("op", "args", "type")

    def __init__(self, op, args, kind):
        self.op, self.args, self.type = op, args, kind

    def __repr__(self):
        return text(self)

    def __deepcopy__(self, _):
        return self  # they do not change


# Construction.
def const(value, kind=None):
    if kind is None:
        kind = BOOL if isinstance(value, bool) else ("int", value, value) if isinstance(value, int) else ("enum", frozenset([value]))
    return E("const", (value,), kind)


TRUE, FALSE = const(True), const(False)


def name(path, kind):
    """A name as it is written: parts between dots, an int is a subscript."""
    return E("name", (path if isinstance(path, tuple) else (path,),), kind)


def boolean(op, *args):
    return E(op, args, BOOL)


def conjunction(parts):
    out = None
    for part in parts:
        out = part if out is None else boolean("&", out, part)
    return TRUE if out is None else out


def next_of(e):
    return E("next", (e,), e.type)


# Text. Precedence as in the manual, the highest binds most.
PRECEDENCE = {"!": 13, "::": 12, "neg": 11, "*": 10, "/": 10, "mod": 10, "+": 9, "-": 9, "<<": 8, ">>": 8, "union": 7, "in": 6,
              "=": 5, "!=": 5, "<": 5, ">": 5, "<=": 5, ">=": 5, "&": 4, "|": 3, "xor": 3, "xnor": 3, "ite": 2, "<->": 1, "->": 0}
TIGHT, LOOSE = 20, -1
WORD_BASES = {"b": 2, "o": 8, "d": 10, "h": 16}


def path_text(path):
    out = ""
    for part in path:
        out += f"[{part}]" if isinstance(part, int) else f".{part}" if out else part
    return out


def digits(value, base):
    out = ""
    while True:
        out = "0123456789abcdef"[value % base] + out
        value //= base
        if not value:
            return out


def word_text(value, kind, base="d", short=False):
    """short: without the letter for unsigned, which is the default."""
    sign, bits = kind
    if sign == "s" and base == "d" and value == -2 ** (bits - 1):
        base = "b"  # the positive number has no room
    if sign == "s" and base == "d":
        minus = "-" if value < 0 else ""
        return f"{minus}0sd{bits}_{abs(value)}"
    letter = "" if short and sign == "u" else sign
    return f"0{letter}{base}{bits}_{digits(value % 2 ** bits, WORD_BASES[base])}"


def constant_text(e):
    value = e.args[0]
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if e.type[0] in "us":
        return word_text(value, e.type, *e.args[1:])
    return str(value)


def case_text(e, full):
    branches = [f"{inner(c, 3, full)} : {text(v, full)};" for c, v in e.args[0]]
    if e.args[1] == "old" and branches and e.args[0][-1][0] is TRUE:  # the default as it was written before there was TRUE
        branches[-1] = f"1 : {text(e.args[0][-1][1], full)};"
    return "case " + " ".join(branches) + " esac"


def binary_text(e, full):
    own = PRECEDENCE[e.op]
    left, right = (own + 1, own) if e.op == "->" else (own, own + 1)
    return f"{inner(e.args[0], left, full)} {e.op} {inner(e.args[1], right, full)}"


def inner(e, needed, full):
    out = text(e, full)
    negative = e.op == "neg" or (e.op == "const" and out.startswith("-"))
    own = LOOSE if negative and needed > PRECEDENCE["="] + 1 else PRECEDENCE.get(e.op, TIGHT)
    return f"({out})" if own < needed or (full and e.op in PRECEDENCE) else out


def listed(args, full):
    return ", ".join(text(a, full) for a in args)


def text(e, full=True):
    """full: with parentheses everywhere; otherwise only where precedence asks for them."""
    op, a = e.op, e.args
    if op == "const":
        return constant_text(e)
    if op == "name":
        return path_text(a[0])
    if op == "index":
        return f"{path_text(a[0])}[{text(a[1], full)}]"
    if op == "range":
        return f"{a[0]}..{a[1]}"
    if op == "set":
        return "{" + listed(a[0], full) + "}"
    if op == "case":
        return case_text(e, full)
    if op == "ite":
        return f"{inner(a[0], 3, full)} ? {inner(a[1], 3, full)} : {inner(a[2], 3, full)}"
    if op == "!":
        return "!" + inner(a[0], PRECEDENCE["!"], full)
    if op == "neg":
        return "-" + inner(a[0], PRECEDENCE["!"], full)
    if op == "select":
        return f"{inner(a[0], TIGHT, full)}[{a[1]}:{a[2]}]"
    if op in ("extend", "resize"):
        return f"{op}({text(a[0], full)}, {a[1]})"
    if op in ("uwconst", "swconst"):
        return f"{op}({a[0]}, {a[1]})"
    if op == "count":
        return "count(" + ", ".join(inner(x, PRECEDENCE["!"], full) for x in a[0]) + ")"
    if op in ("next", "toint", "bool", "word1", "signed", "unsigned"):
        return f"{op}({text(a[0], full)})"
    if op == "element":
        return f"<{listed(a[0], full)}>[{text(a[2], full)}]"
    if op in ("var", "input", "running"):
        return f"<{op} {a[0]}>"
    return binary_text(e, full)


# Meaning.
def wrap(value, kind):
    """The word of this type with the same lowest bits."""
    sign, bits = kind
    value &= 2 ** bits - 1
    return value - 2 ** bits if sign == "s" and value >> (bits - 1) else value


def divide(a, b):
    """Towards zero, as since NuSMV 2.4."""
    if b == 0:
        raise Fault("division by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def modulo(a, b):
    return a - b * divide(a, b)


def shift(a, by, bits, left):
    if not 0 <= by <= bits:
        raise Fault("shift by more than the width")
    return a << by if left else a >> by


def open_case():
    raise Fault("no condition of a case holds")


def chosen(elements, low, index):
    if not 0 <= index - low < len(elements):
        raise Fault("subscript out of bounds")
    return elements[index - low]


HELPERS = {"wrap": wrap, "divide": divide, "modulo": modulo, "shift": shift, "open_case": open_case, "chosen": chosen}
COMPARISONS = {"=": "==", "!=": "!=", "<": "<", ">": ">", "<=": "<=", ">=": ">="}
LOGICAL = {"&": "({} and {})", "|": "({} or {})", "xor": "({} != {})", "xnor": "({} == {})", "<->": "({} == {})", "->": "(not {} or {})"}
BITWISE = {"&": "({} & {})", "|": "({} | {})", "xor": "({} ^ {})", "xnor": "~({} ^ {})", "<->": "~({} ^ {})", "->": "(~{} | {})"}
ARITHMETIC = {"+": "({} + {})", "-": "({} - {})", "*": "({} * {})", "/": "divide({}, {})", "mod": "modulo({}, {})"}


def is_word(e):
    return e.type[0] in ("u", "s")


def wrapped(source, kind):
    return f"wrap({source}, {kind!r})"


def case_source(branches, value, phase):
    out = "open_case()"
    for condition, result in reversed(branches):
        out = value(result, phase) if condition is TRUE else f"({value(result, phase)} if {source(condition, phase)} else {out})"
    return out


def word_source(e, phase):
    """Of an operator that makes a word, or none."""
    op, a = e.op, e.args
    if op in ("uwconst", "swconst"):
        return wrapped(str(a[0]), e.type)
    if op == "word1":
        return f"int({source(a[0], phase)})"
    if op in ("signed", "unsigned", "extend"):
        return wrapped(source(a[0], phase), e.type)
    if op == "select":
        return wrapped(f"({source(a[0], phase)} >> {a[2]})", e.type)
    if op == "::":
        left, right = (source(x, phase) for x in a)
        return wrapped(f"(({left}) << {a[1].type[1]}) | ({right} & {2 ** a[1].type[1] - 1})", e.type)
    if op == "resize":
        inside, (sign, bits), width = source(a[0], phase), a[0].type, a[1]
        if sign == "s" and width < bits:  # the sign and the lowest bits
            return wrapped(f"(({inside} & {2 ** (width - 1) - 1}) | (({inside} < 0) << {width - 1}))", e.type)
        return wrapped(inside, e.type)
    if op in ("<<", ">>"):
        return wrapped(f"shift({source(a[0], phase)}, {source(a[1], phase)}, {e.type[1]}, {op == '<<'})", e.type)
    return None


def source(e, phase="s"):
    """Python for the one value of an expression; phase n: after the step."""
    op, a = e.op, e.args
    if op == "const":
        return repr(a[0])
    if op == "var":
        return f"{phase}[{a[0]}]"
    if op == "input":
        return f"i[{a[0]}]"
    if op == "running":
        return f"(p == {a[0]})"
    if op == "next":
        return source(a[0], "n")
    if op == "case":
        return case_source(a[0], source, phase)
    if op == "ite":
        return f"({source(a[1], phase)} if {source(a[0], phase)} else {source(a[2], phase)})"
    if op == "element":
        return f"chosen([{', '.join(source(x, phase) for x in a[0])}], {a[1]}, {source(a[2], phase)})"
    if op == "in":
        return f"({source(a[0], phase)} in {values_source(a[1], phase)})"
    if op == "count":
        return "(" + " + ".join(f"int({source(x, phase)})" for x in a[0]) + ")"
    if op == "toint":
        return f"int({source(a[0], phase)})"
    if op == "bool":
        return f"({source(a[0], phase)} != 0)"
    word = word_source(e, phase)
    return word if word is not None else operator_source(e, phase)


def operator_source(e, phase):
    op, args = e.op, [source(x, phase) for x in e.args]
    if op == "!":
        return wrapped(f"~{args[0]}", e.type) if is_word(e) else f"(not {args[0]})"
    if op == "neg":
        return wrapped(f"-{args[0]}", e.type) if is_word(e) else f"(-{args[0]})"
    if op in COMPARISONS:
        return f"({args[0]} {COMPARISONS[op]} {args[1]})"
    if op in ARITHMETIC:
        out = ARITHMETIC[op].format(*args)
    else:
        out = (BITWISE if is_word(e) else LOGICAL)[op].format(*args)
    return wrapped(out, e.type) if is_word(e) else out


def values_source(e, phase="s"):
    """Python for the values that an expression may have: a tuple."""
    op, a = e.op, e.args
    if op == "set":
        return "(" + " + ".join(values_source(x, phase) for x in a[0]) + ")"
    if op == "range":
        return repr(tuple(range(a[0], a[1] + 1)))
    if op == "union":
        return f"({values_source(a[0], phase)} + {values_source(a[1], phase)})"
    if op == "case":
        return case_source(a[0], values_source, phase)
    if op == "ite":
        return f"({values_source(a[1], phase)} if {source(a[0], phase)} else {values_source(a[2], phase)})"
    return f"({source(e, phase)},)"


def function(python):
    """Of (s, n, i, p)."""
    return eval(f"lambda s, n, i, p: {python}", dict(HELPERS))  # pylint: disable=eval-used


# Walks.
def children(e):
    op, a = e.op, e.args
    if op == "case":
        return [x for branch in a[0] for x in branch]
    if op in ("set", "count"):
        return list(a[0])
    if op == "element":
        return [*a[0], a[2]]
    return [x for x in a if isinstance(x, E)]


def rebuilt(e, change):
    """The same with changed children."""
    op, a = e.op, e.args
    if op == "case":
        branches = [(c if c is TRUE else change(c), change(v)) for c, v in a[0]]
        return E(op, (branches, *a[1:]), e.type)
    if op in ("set", "count"):
        return E(op, ([change(x) for x in a[0]],), e.type)
    if op == "element":
        return E(op, ([change(x) for x in a[0]], a[1], change(a[2])), e.type)
    return E(op, tuple(change(x) if isinstance(x, E) else x for x in a), e.type)


def variables(e, after=False):
    """The numbers of the state variables that are read: now, after the step."""
    if e.op == "var":
        return (set(), {e.args[0]}) if after else ({e.args[0]}, set())
    now, then = set(), set()
    for child in children(e):
        a, b = variables(child, after or e.op == "next")
        now |= a
        then |= b
    return now, then
