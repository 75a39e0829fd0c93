"""Short words to write models down by hand, for the tests of the reference semantics."""

from expressions import BOOL, TRUE, E, boolean, const, name
from model import Domain, Model, Module, flatten
from semantics import Space

BOOLEAN = Domain("boolean", (False, True), BOOL)


def span(low, high):
    return Domain(f"{low}..{high}", range(low, high + 1), ("int", low, high))


def enum(*values):
    return Domain("{" + ", ".join(map(str, values)) + "}", values, ("enum", frozenset(values)))


def number(path):
    return name(path, ("int", -99, 99))


def flag(path):
    return name(path, BOOL)


def integer(op, *args):
    return E(op, args, ("int", -99, 99))


def word(op, kind, *args):
    return E(op, args, kind)


def u(bits, value):
    return const(value, ("u", bits))


def s(bits, value):
    return const(value, ("s", bits))


def eq(a, b):
    return boolean("=", a, b)


def negated(a):
    return boolean("!", a)


def case(*branches, kind=BOOL):
    return E("case", (list(branches), "new"), kind)


def otherwise(e):
    return TRUE, e


def some(*elements):
    return E("set", ([e if isinstance(e, E) else const(e) for e in elements],), ("int", -99, 99))


def module(label, parameters=(), **parts):
    """declared=[(keyword, name, type)], and the other lists of Module; init, next, current: {name: expression}."""
    out = Module(label, parameters)
    for when in ("init", "next", "current"):
        for path, e in parts.pop(when, {}).items():
            out.assigned.append((when, path if isinstance(path, tuple) else (path,), e))
    for key, value in parts.items():
        if key in ("INIT", "INVAR", "TRANS"):
            out.constraints += [(key, e) for e in value]
        elif key == "variables":
            out.declared += [("VAR", label, kind) for label, kind in value.items()]
        else:
            getattr(out, key).extend(value)
    return out


def space(*modules):
    """The last one is main."""
    return Space(flatten(Model(list(modules))))
