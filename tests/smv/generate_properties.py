"""Random properties of a random model (generate.py)."""

import temporal
from expressions import boolean, conjunction, const, name
from generate_expressions import INF
from model import Property

FORMS = ["INVARSPEC", "INVARSPEC", "AG", "AG", "EF", "!EF", "!EF bare", "G", "!F", "!F bare"]


def rare(builder):
    """A condition that few states satisfy."""
    atoms = [a for a in builder.atoms if a.kind == "state" and a.values and len(a.values) > 1]
    parts = [builder.one_of(a.e, _Values(a)) for a in builder.random.sample(atoms, min(len(atoms), builder.random.randint(1, 4)))]
    return conjunction(parts)


class _Values:
    def __init__(self, atom):
        self.values, self.type = atom.values, atom.type


def add_inner(builder):
    """To a module that is not main: a property of every instance."""
    if any(a.kind == "state" for a in builder.atoms):
        form = builder.pick(["INVARSPEC", "AG", "G"])
        builder.module.properties.append(Property(form, boolean("!", rare(builder))))


def add(builder, with_formulas):
    r, module = builder.random, builder.module
    named = r.random() < 0.3
    for k in range(r.randint(2, 4)):
        form = r.choice(FORMS)
        goal = rare(builder) if r.random() < 0.7 else builder.boolean(2, builder.state_context())
        if form in ("INVARSPEC", "AG", "G"):
            goal = boolean("!", goal)
        module.properties.append(Property(form, goal, f"prop{k}" if named else None, r.choice(["SPEC", "SPEC", "CTLSPEC"])))
    if with_formulas:
        for _ in range(r.choice([0, 1, 1, 2])):
            keyword = r.choice(["FAIRNESS", "JUSTICE"])
            running = [a.e for a in builder.atoms if a.kind == "input" and a.e.args[0][-1] == "running"]
            condition = r.choice(running) if running and r.random() < 0.5 else builder.boolean(1, builder.state_context(INF + 1))
            module.fairness.append((keyword, condition))
        if r.random() < 0.15:
            module.compassion.append(tuple(builder.boolean(1, builder.state_context()) for _ in range(2)))
        for k in range(r.randint(2, 4)):
            logic = r.choice(["CTL", "CTL", "LTL"])
            keyword = "LTLSPEC" if logic == "LTL" else r.choice(["SPEC", "CTLSPEC"])
            formula = temporal.random_formula(r, logic, lambda: builder.boolean(1, builder.state_context()), 3, r.random() < 0.9)
            module.properties.append(Property(logic, formula, f"formula{k}" if named else None, keyword))


def is_state(flat, state):
    return conjunction([boolean("=", name(path, kind), const(value, kind)) for path, kind, value in zip(flat.paths, flat.types, state)])


def add_known(main, space, rng):
    """That a state far away is not reached, which fails, and that one that is not reached is not, which holds."""
    flat = space.flat
    if space.layers > 2:
        far = max(space.distance.items(), key=lambda item: item[1])[0]
        main.properties.append(Property("INVARSPEC", boolean("!", is_state(flat, far))))
    for _ in range(10):
        state = tuple(rng.choice(d) for d in flat.domains)
        if state not in space.distance:
            main.properties.append(Property(rng.choice(["INVARSPEC", "AG", "G"]), boolean("!", is_state(flat, state))))
            return
