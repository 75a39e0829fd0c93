"""What few Promela models use: questions about places and priorities of other processes, priorities that change, D_proctype, event
traces, never claims. The choices have a source of their own, so that models without any of these stay what they are.
"""

import random


class Rare:
    """The part of the generator for these. A model has at most one kind."""

    def __init__(self, seed):
        self.choices = random.Random(f"rare {seed}")
        self.kind = self.choices.choice(["pc_value", "enabled", "priority", "determinism", "trace", "notrace"]) if self.rarely(0.25) else ""
        self.asker = None  # the one process that asks enabled(): they must not ask for each other

    def rarely(self, p):
        return self.choices.random() < p

    def rare_value(self):
        """An expression, None if there is to be none here."""
        if self.kind == "pc_value" and self.rarely(0.15):
            return f"(pc_value({self.choices.randint(0, 2)}) & 3)"
        if self.kind == "priority" and self.rarely(0.15):
            return self.choices.choice(["_priority", f"get_priority({self.choices.randint(0, 2)})", "get_priority(_pid)"])
        return None

    def rare_condition(self):
        if self.kind == "pc_value" and self.rarely(0.2):
            return f"(pc_value({self.choices.randint(0, 2)}) {self.choices.choice(['==', '<', '!='])} {self.choices.randint(0, 12)})"
        if self.kind == "enabled" and self.process is self.asker and self.rarely(0.4):
            others = [pid for pid in range(4) if pid != self.process.pid]
            return f"{self.choices.choice(['', '!'])}enabled({self.choices.choice(others)})"
        return None

    def rare_statement(self, inside):
        if self.kind == "priority" and self.rarely(0.12):
            level = self.choices.randint(1, 4)
            # Process 0 always runs. Undoing a change of one that does not, pan changes process 0.
            return self.choices.choice([f"set_priority(_pid, {level})", f"set_priority(0, {level})", f"_priority = {level}"])
        return None

    def rare_start(self):
        """What goes behind a `run`."""
        return f" priority {self.choices.randint(1, 4)}" if self.kind == "priority" and self.rarely(0.5) else ""

    def proctype(self):
        return "D_proctype" if self.kind == "determinism" and self.rarely(0.6) else "proctype"

    def events(self, channel):
        """A trace of the events of a channel without sorted sends and random receives."""
        if self.kind not in ("trace", "notrace"):
            return ""

        def event():
            constants = {"mtype": ["m1", "m2"], "bit": ["0", "1"]}
            fields = [self.choices.choice(constants.get(f, ["0", "1", "2"]) + ["_"] * 3) for f in channel.fields]
            return f"{channel.name}{self.choices.choice('!!?')}{','.join(fields)}"

        sequence = "; ".join(event() for _ in range(self.choices.randint(1, 3)))
        if self.rarely(0.6):
            options = " ".join(f":: {event()}" + (f"; {event()}" if self.rarely(0.4) else "") for _ in range(self.choices.randint(1, 3)))
            if self.kind == "trace":
                sequence = f"do {options} od"
            else:
                sequence += f"; if {options} fi"
        return f"{self.kind} {{ {'end0: ' if self.kind == 'trace' and self.rarely(0.5) else ''}{sequence} }}\n"

    def never(self, atoms):
        """A never claim, None if the model has a formula."""
        if not self.rarely(0.25):
            return None
        a, b, c = (f"{self.choices.choice(['', '!'])}({self.choices.choice(atoms)})" for _ in range(3))
        first = f"T0: do :: {a} -> {self.choices.choice(['break', 'goto accept1', 'goto T2'])} :: {self.choices.choice(['true', b, 'else'])} od;"
        second = self.choices.choice([f"accept1: do :: {b} :: {c} -> goto T2 od;", f"accept1: if :: {b} -> goto accept1 :: else -> goto T0 fi;"])
        last = self.choices.choice([f"T2: do :: {c} -> break :: else od", f"T2: {b} -> goto accept1", "T2: skip", f"T2: if :: {c} :: {b} -> goto T0 fi"])
        return f"never p0 {{ {first} {second} {last} }}"
