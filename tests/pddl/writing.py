"""Tasks as PDDL writes them. There are many ways to say the same: sections in any order, names grouped by their type or not, in upper and lower
case, with comments, and said twice; a number decides which.
"""

import random


def text(thing):
    if isinstance(thing, (str, int)):
        return str(thing)
    if thing and thing[0] in ("exists", "forall"):
        return f"({thing[0]} ({typed(thing[1])}) {text(thing[2])})"
    return "(" + " ".join(text(t) for t in thing) + ")"


def typed(names):
    return " ".join(f"{name} - {kind}" for name, kind in names)


class Writer:
    def __init__(self, task, seed):
        self.task, self.rng = task, random.Random(seed)
        self.plain = self.chance(40)

    def chance(self, percent):
        return self.rng.randrange(100) < percent

    def odd(self, percent):
        return not self.plain and self.chance(percent)

    def domain(self):
        task = self.task
        sections = [f"(:predicates {' '.join(self.head(*h) for h in {**task.predicates, **task.derived}.items())})"]
        if not self.odd(40):
            sections.append("(:requirements :adl :derived-predicates :action-costs)")
        if task.types:
            sections.append(f"(:types {self.grouped(task.types)})")
        if task.constants:
            sections.append(f"(:constants {self.grouped(task.constants)})")
        if self.uses_costs():
            heads = ["(total-cost)"] + [self.head(*h) for h in task.functions.items()]
            sections.append(f"(:functions {' '.join(h + ('' if self.odd(30) else ' - number') for h in heads)})")
        sections += [f"(:derived {self.head(a.head, a.parameters)} {text(a.condition)})" for a in task.axioms]
        sections += [self.action(a) for a in task.actions]
        return self.whole(["(domain random)"], sections)

    def problem(self):
        task = self.task
        init = [text(a) for a in task.init] + [f"(= {text(a)} {value})" for a, value in task.amounts.items()]
        if self.uses_costs() and not self.odd(30):
            init.append("(= (total-cost) 0)")
        init += [self.rng.choice(init) for _ in range(3) if init and self.odd(40)]
        if self.odd(30):
            init.append("(not (p2))" if task.predicates.get("p2") == [] and ("p2",) not in task.init else "")
        objects = task.objects + [c for c in task.constants if self.odd(20)]
        sections = [f"(:objects {self.grouped(objects)})", f"(:init {' '.join(init)})", f"(:goal {text(task.goal)})"]
        if task.metric:
            sections.append(f"(:metric minimize {'total-cost' if self.odd(30) else '(total-cost)'})")
        return self.whole(["(problem random-1)", "(:domain random)"], sections)

    def uses_costs(self):
        return bool(self.task.metric or self.task.functions or any(a.costs for a in self.task.actions))

    def head(self, name, parameters):
        """Parameters: kinds, or names and kinds."""
        return f"({name} {typed((f'?x{i}', p) if isinstance(p, str) else p for i, p in enumerate(parameters))})"

    def grouped(self, names):
        """`a b - t c`: one type for several, and none for objects at the end."""
        out = ""
        for i, (name, kind) in enumerate(names):
            last = i + 1 == len(names)
            said = not (self.odd(60) and (kind == "object" if last else kind == names[i + 1][1]))
            out += f" {name} - {kind}" if said else f" {name}"
        return out.strip()

    def action(self, action):
        effects = [text(e) for e in action.effects]
        costs = [text(c) for c in action.costs]
        if len(costs) > 1 and self.chance(50):
            costs = [f"(+ {' '.join(costs)})"]
        effects += [f"(increase (total-cost) {c})" for c in costs]
        effect = effects[0] if len(effects) == 1 and self.odd(50) else f"(and {' '.join(effects)})"
        precondition = text(action.precondition)
        if precondition == "(and)":
            precondition = "()" if self.odd(50) else precondition
        parts = [f":precondition {precondition}", f":effect {effect}"]
        if precondition in ("()", "(and)") and self.odd(50):
            parts.pop(0)
        elif self.odd(20):
            parts.reverse()
        if action.parameters or not self.odd(30):
            parts.insert(0, f":parameters ({typed(action.parameters)})")
        return f"(:action {action.name}\n    " + "\n    ".join(parts) + ")"

    def whole(self, first, sections):
        if self.odd(50):
            self.rng.shuffle(sections)
        lines = "\n  ".join(first + sections)
        if self.odd(30):
            lines = "".join(c.upper() if self.chance(20) else c for c in lines)
        if self.odd(30):
            lines = "".join(" ; ) not this (\n\t" if c == " " and self.chance(5) else c for c in lines)
        return f"(define {lines})\n"
