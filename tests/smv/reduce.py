"""Makes a model smaller as long as something stays as it is: drops declarations, rules and properties, simplifies expressions."""

import copy

from expressions import BOOL, FALSE, TRUE, E, Fault, children, rebuilt
from model import flatten
from semantics import Space, TooLarge

LISTS = ["properties", "compassion", "fairness", "constraints", "assigned", "defines", "constants", "declared"]


def alike(a, b):
    return a.type == b.type if a.type[0] in "us" else a.type[0] == b.type[0] or {a.type[0], b.type[0]} == {"int", "enum"}


def simpler(e):
    """One step simpler each, the largest steps first."""
    if e.type == BOOL and e is not TRUE and e is not FALSE:
        yield TRUE
        yield FALSE
    for child in children(e):
        if alike(child, e) and e.op not in ("next", "in"):
            yield child
    if e.op == "case" and len(e.args[0]) > 1:
        for k in range(len(e.args[0])):
            yield E(e.op, (e.args[0][:k] + e.args[0][k + 1:], *e.args[1:]), e.type)
    if e.op in ("set", "count") and len(e.args[0]) > 1:
        for k in range(len(e.args[0])):
            yield E(e.op, (e.args[0][:k] + e.args[0][k + 1:],), e.type)
    parts = children(e)
    for k, child in enumerate(parts):
        if child is TRUE or child is FALSE:
            continue
        for small in simpler(child):
            yield replaced(e, k, small)


def replaced(e, number, by):
    count = -1

    def change(child):
        nonlocal count
        count += 1
        return by if count == number else child
    # The default of a case is passed over by `rebuilt`, but counts as a child.
    if e.op == "case":
        branches, k = [], 0
        for c, v in e.args[0]:
            branches.append((by if k == number else c, by if k + 1 == number else v))
            k += 2
        return E(e.op, (branches, *e.args[1:]), e.type)
    return rebuilt(e, change)


def expressions_of(module):
    """(list, index, position in the tuple or None for properties)."""
    for label in ("constraints", "fairness", "defines"):
        for k in range(len(getattr(module, label))):
            yield label, k, 1
    for k in range(len(module.assigned)):
        yield "assigned", k, 2
    for k, p in enumerate(module.properties):
        if p.form not in ("CTL", "LTL"):
            yield "properties", k, None


def candidates(model):
    """Smaller models, as functions that make them."""
    for m, module in enumerate(model.modules):
        for label in LISTS:
            for k in range(len(getattr(module, label)) - 1, -1, -1):
                def drop(m=m, label=label, k=k):
                    out = copy.deepcopy(model)
                    del getattr(out.modules[m], label)[k]
                    return out
                yield drop
    for m, module in enumerate(model.modules):
        for label, k, position in expressions_of(module):
            entry = getattr(module, label)[k]
            for small in simpler(entry.formula if position is None else entry[position]):
                def change(m=m, label=label, k=k, position=position, small=small):
                    out = copy.deepcopy(model)
                    entries = getattr(out.modules[m], label)
                    if position is None:
                        entries[k].formula = small
                    else:
                        entries[k] = entries[k][:position] + (small,) + entries[k][position + 1:]
                    return out
                yield change


def used(model):
    """Without modules that nobody instantiates."""
    names = {model.main}
    while True:
        more = {kind.module for module in names for _, _, kind in module.declared if hasattr(kind, "module")}
        if more <= names:
            model.modules = [m for m in model.modules if m in names]
            return model
        names |= more


def reduce(model, space, same, tries=600):
    """same(model, space): whether the smaller model shows what the first one did."""
    progress = True
    while progress and tries > 0:
        progress = False
        for make in candidates(model):
            if tries <= 0:
                break
            small = used(make())
            try:
                small_space = Space(flatten(small))
            except (Fault, TooLarge, KeyError, TypeError, ValueError):
                continue
            if not small_space.flat.domains:
                continue
            tries -= 1
            if same(small, small_space):
                model, space, progress = small, small_space, True
                break
    return model, space
