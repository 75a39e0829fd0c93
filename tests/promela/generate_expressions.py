"""Random expressions over what a Promela model of generate.py declares."""

import random

from generate_rare import Rare

# Ranges of types. A receive is generated only into a variable that holds all values of the field: where it does not,
# Spin puts the truncated value back into the channel when it backtracks.
RANGES = {"bit": (0, 1), "byte": (0, 255), "mtype": (0, 255), "short": (-2**15, 2**15 - 1), "int": (-2**31, 2**31 - 1),
          "unsigned": (0, 7)}
MTYPES = ["m1", "m2"]


def holds(kind, field):
    """Whether a variable of one type has room for all values of another."""
    return kind == field or (field != "mtype" and kind != "mtype" and
                             RANGES[kind][0] <= RANGES[field][0] and RANGES[kind][1] >= RANGES[field][1])


class Channel:
    """A channel as a statement names it: its fields, and whether it has room for messages."""

    def __init__(self, name, fields, room, count=0):
        self.name = name
        self.fields = fields
        self.room = room
        self.count = count  # of an array


class Expressions(Rare):
    """The part of the generator that makes expressions. `self.process` is the process that they stand in."""

    def __init__(self, seed):
        super().__init__(seed)
        self.random = random.Random(seed)

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    def small(self):
        return self.pick(["0", "1", "1", "2", "3", "-1"]) if self.chance(0.93) else self.pick(["7", "255", "300", "-129"])

    # Variables.
    def index(self, count):
        """A number below `count`, which is 2."""
        return self.pick(["0", "1", "1", "k & 1", "g0 & 1", "i & 1"])

    def variables(self):
        """Names of scalars that can be read and written here, with their types."""
        out = [(name, self.types[name]) for name in self.globals]
        out += [("k", self.process.kind), ("a[%s]" % self.index(2), "byte")]
        if self.structs:
            out += [("s0.x", "byte"), ("s0.u.v", "short"), ("s0.z[%s]" % self.index(2), "byte"),
                    ("ts[%s].u.w[%s]" % (self.index(2), self.index(2)), "byte")]
        if self.process.struct:
            out.append(("ls.u.v", "short"))
        return out

    def variable(self):
        return self.pick(self.variables())[0]

    # Channels.
    def channel(self, room, fields=None):
        """A channel with room for messages or without, None if there is none."""
        fitting = [c for c in self.channels + self.process.channels
                   if (c.room > 0) == room and (fields is None or c.fields == fields)]
        return self.pick(fitting) if fitting else None

    def name_of(self, channel):
        return f"{channel.name}[{self.index(channel.count)}]" if channel.count else channel.name

    # Values.
    def value(self, depth=1):
        rare = self.rare_value()
        if rare:
            return rare
        roll = self.random.random()
        if depth == 0 or roll < 0.4:
            return self.small()
        if roll < 0.68:
            return self.variable()
        if roll < 0.72:
            return f"len({self.name_of(self.channel(True))})"
        if roll < 0.76:
            return self.pick(["_pid", "_nr_pr"])
        if roll < 0.79:
            return self.remote_variable() or self.variable()
        if roll < 0.83:
            return f"({self.comparison()} -> {self.value(depth - 1)} : {self.value(depth - 1)})"
        return f"({self.value(depth - 1)} {self.pick(['+', '-', '&', '^', '|', '*'])} {self.value(depth - 1)})"

    def value_for(self, field):
        if field == "mtype":
            return self.pick(MTYPES) if self.chance(0.8) or self.types["g1"] != "mtype" else "g1"
        # Spin's verifier keeps more than one bit in a field of one bit, its simulator does not.
        return f"({self.value(1)} & 1)" if field == "bit" else self.value(1)

    def comparison(self):
        return f"({self.variable()} {self.pick(['==', '!=', '<', '>', '>=', '<='])} {self.value(1)})"

    def condition(self, depth=1):
        rare = self.rare_condition()
        if rare:
            return rare
        roll = self.random.random()
        if depth and roll < 0.12:
            return f"({self.condition(0)} {self.pick(['&&', '||'])} {self.condition(0)})"
        if roll < 0.2:
            return f"{self.pick(['full', 'empty', 'nfull', 'nempty'])}({self.name_of(self.channel(True))})"
        if roll < 0.24:
            return f"!({self.variable()} == {self.small()})"
        if depth and roll < 0.3:
            channel = self.channel(True)
            return f"{self.name_of(channel)}{self.pick(['?', '??'])}[{self.pattern(channel, True)}]"
        if roll < 0.37:
            return self.remote_label() or self.comparison()
        if roll < 0.42:
            return f"(_nr_pr {self.pick(['==', '<', '>='])} {self.random.randint(1, self.started + 3)})"
        return self.comparison()

    def pattern(self, channel, test=False, indexed=""):
        """What a message has to look like; without `test` its fields can go into variables. pan puts a message back by the index
        of the channel after the receive: that must not change it, nor the index of an element that takes a field, nor what eval() asks for.
        And by the values of the variables: one, or two elements of an array that may be the same, must not take two fields (Spin refuses
        the first and cannot see the second)."""
        out = []
        for field in channel.fields:
            if field == "mtype":
                out.append(self.pick(MTYPES + ["_"] * (not test)))
                continue
            used = {name.split("[")[0] for name in out}
            indices = indexed + "".join(out)
            into = [] if test else [name for name, kind in self.variables()
                                    if name.split("[")[0] not in used and f"[{name} &" not in indices and holds(kind, field)
                                    and not any(f"[{other} &" in name for other in out) and f"eval({name})" not in out]
            fixed = ["1", "2", "1" if test else "_"] + [f"eval({name})" for name in ("k", "g0") if name not in out]
            out.append(self.pick(into + [self.pick(fixed)]))
        if len(out) > 1 and channel.fields[0] == "mtype" and out[0] in MTYPES and self.chance(0.4):
            return f"{out[0]}({','.join(out[1:])})"
        return ",".join(out)

    # Other processes. Spin has to know a label before it is referred to.
    def remote_label(self):
        known = [(p, label) for p in self.done for label in p.labels]
        if not known:
            return None
        process, label = self.pick(known)
        return f"({self.remote(process)}@{label})"

    def remote_variable(self):
        return f"{self.remote(self.pick(self.done))}:k" if self.done else None

    def remote(self, process):
        return f"{process.name}[{process.pid}]" if process.pid is not None and self.chance(0.5) else process.name
