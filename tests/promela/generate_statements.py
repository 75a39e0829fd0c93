"""Random statements of a Promela process. Loops are bounded by counters or by what they wait for."""

import re

from generate_expressions import MTYPES, Expressions


class Statements(Expressions):
    """The part of the generator that makes statements. `inside` is "", "atomic" or "d_step"."""

    # Basic statements.
    def transfer(self, inside):
        channel = None
        if inside != "d_step" and self.chance(0.45):
            channel = self.channel(False)
        channel = channel or self.channel(True)
        name = self.name_of(channel)
        if self.chance(0.5):
            message = [self.value_for(field) for field in channel.fields]
            sign = "!!" if channel.room and self.chance(0.3) and not self.traced(channel) else "!"
            if sign == "!!":  # Spin's verifier sorts by what is sent, its simulator by what fits the field
                message = [m if m in MTYPES or field == "bit" else f"({m} & 127)" for m, field in zip(message, channel.fields)]
            if len(message) > 1 and message[0] in MTYPES and self.chance(0.4):
                return f"{name}{sign}{message[0]}({','.join(message[1:])})"
            return f"{name}{sign}{','.join(message)}"
        pattern = self.pattern(channel, indexed=name)
        sign = "??" if channel.room and self.chance(0.3) and not self.traced(channel) else "?"
        return f"{name}{sign}<{pattern}>" if channel.room and self.chance(0.15) else f"{name}{sign}{pattern}"

    def assignment(self):
        target, kind = self.pick(self.variables())
        if kind == "mtype":
            return f"{target} = {self.pick(MTYPES)}"
        if "." in target:  # Spin's simulator does not cut off what does not fit a field
            return f"{target} = ({self.value(2)} & 127)"
        return f"{target}{self.pick(['++', '--'])}" if self.chance(0.2) else f"{target} = {self.value(2)}"

    def traced(self, channel):
        return self.kind in ("trace", "notrace") and channel.fields == self.channels[0].fields

    def basic(self, inside):
        rare = self.rare_statement(inside)
        if rare:
            return rare
        roll = self.random.random()
        if roll < 0.38 or inside == "d_step":
            return self.assignment()
        if roll < 0.6:
            return self.transfer(inside)
        if roll < 0.75:
            return self.condition()
        if roll < 0.81:
            return self.pick(["skip", "true", "printf(\"x\")"])
        if roll < 0.9:
            return f"assert({self.condition()})"
        if roll < 0.93:
            return self.pick(["timeout", "(timeout || g0 == 2)", "(!timeout && g1 < 2)"])
        if roll < 0.96 and self.inlines:
            return self.pick([f"put({self.value(1)})", f"next({self.pick(self.globals)})"])
        return self.assignment()

    # Processes that start, and are waited for.
    def start(self, inside):
        """A `run` of a proctype that comes later in the text, with a bound on the number of processes."""
        child = self.pick(self.process.children)
        # Spin's simulator counts the new process, and takes it for the first of its type.
        arguments = [re.sub(r"\w+(\[\d+\])?:k|get_priority\(\d\)", "k", self.value(1).replace("_nr_pr", "_pid"))]
        for needs in child.parameters:
            given = self.channel(needs.room > 0, needs.fields)
            if given is None:
                return self.assignment()
            arguments.append(self.name_of(given))
        run = f"run {child.name}({', '.join(arguments)})" + self.rare_start()
        if self.chance(0.3):
            run = f"k = {run}"
        wait = self.pick(["", "", f"; (_nr_pr == {self.random.randint(1, 3)})", f"; (g0 == {self.small()})", "; " + self.transfer(inside),
                          "; (_nr_pr <= _pid + 1)"])
        most = self.most_processes
        return self.pick([f"if :: _nr_pr < {most} -> {run}{wait} :: else fi", f"_nr_pr < {most}; {run}{wait}",
                          f"atomic {{ _nr_pr < {most} -> {run}; {self.assignment()} }}{wait}",
                          f"if :: (started < 2) -> started++; {run}{wait} :: else fi"])

    # Compound statements.
    def options(self, inside, depth, loop):
        count = self.random.randint(1, 3)
        out = [self.sequence(inside, depth - 1, loop, guard=True) for _ in range(count)]
        if self.kind == "determinism":  # pan does not count a jump or skip as a choice
            out = [self.condition() + "; " + o if re.match(r"(\w+: |\{ |atomic \{ )*(goto|break|skip|true)\b", o) else o for o in out]
        if inside == "d_step" or self.chance(0.4):
            rest = self.sequence(inside, depth - 1, loop) if self.chance(0.6) else ""
            if loop and (inside == "d_step" or self.chance(0.6)):
                rest = "skip; " + self.label() + "break" if inside != "d_step" and self.chance(0.2) else "break"
            out.insert(self.random.randint(0, count), "else" + (" -> " + rest if rest else ""))
        return out

    def compound(self, inside, depth, loop):
        roll = self.random.random()
        if roll < 0.3:
            return "if " + " ".join(":: " + o for o in self.options(inside, depth, loop)) + " fi"
        if inside == "d_step":
            if roll < 0.5:
                return f"i = 0; do :: i < 2 -> i++; {self.basic(inside)} :: else -> break od"
            return f"if :: {self.condition()} -> {self.basic(inside)} :: {self.condition()} -> {self.basic(inside)} :: else fi"
        if roll < 0.42:
            return "do " + " ".join(":: " + o for o in self.options(inside, depth, True)) + " :: k > 1 -> break od"
        if roll < 0.48:
            return f"for (i : 0 .. {self.pick(['1', 'g0 & 1'])}) {{ {self.sequence(inside, depth - 1, True)} }}"
        if roll < 0.5:
            return f"for (i in a) {{ {self.sequence(inside, depth - 1, True)} }}"
        if roll < 0.55:
            return self.pick(["select (k : 0 .. 2)", "select (k : 0 .. (g0 & 3))"])
        if roll < 0.68:
            return "atomic { " + self.sequence("atomic", depth - 1, loop, most=3) + " }"
        if roll < 0.8:
            return self.d_step(depth)
        if roll < 0.86:
            return "{ " + self.sequence(inside, depth - 1, loop, most=3) + " }"
        if roll < 0.95:
            escape = self.sequence(inside, depth - 1, loop, guard=True)
            if re.match(r"(\w+: |\{ |atomic \{ )*(if|do) .*\belse\b", escape):
                escape = self.condition() + "; " + escape  # pan always takes an else that an escape begins with
            wrapped = self.chance(0.2)  # a jump out of an atomic sequence that an escape may forestall
            body = self.sequence("atomic" if wrapped else inside, depth - 1, loop, most=3)
            if wrapped:
                jumps = ["goto " + t for t in self.process.targets] + ["break"] * loop + ["skip"]
                body = "atomic { " + body + "; " + self.pick(jumps) + " }"
            if "atomic {" in body and re.match(r"(\w+: )*(\{|(if|do|for|select|atomic|d_step)\b)", escape):
                escape = self.condition() + "; " + escape  # pan loses or forces escapes there that begin otherwise
            if inside == "atomic" and body.startswith(("goto", "break")):
                body = "skip; " + body  # pan has nothing to do where such a jump leaves the sequence
            return "{ " + body + " } unless { " + escape + " }"
        return self.basic(inside)

    def d_step(self, depth):
        """With several guards and choices inside, of which the first that is possible is taken."""
        body = [self.pick([self.basic("d_step"), self.condition(), "k < 2"])]
        while self.chance(0.45) and len(body) < 4:
            body.append(self.sequence("d_step", depth - 1, False))
        if self.chance(0.1):
            body.append(self.condition())  # may block
        return "d_step { " + "; ".join(body) + " }"

    def statement(self, inside, depth, loop):
        roll = self.random.random()
        if inside != "d_step":
            if loop and roll < 0.08:
                return "break"
            if roll < 0.14 and self.process.targets:
                return "goto " + self.pick(self.process.targets)
            if roll < 0.2 and self.process.children:
                return self.start(inside)
        if depth > 0 and roll < 0.58:
            return self.compound(inside, depth, loop)
        return self.basic(inside)

    def label(self):
        self.label_count += 1
        name = f"{self.pick(['end', 'l', 'l', 'progress'])}{self.label_count}"
        self.process.labels.append(name)
        return name + ": "

    def labelled(self, statement):
        """A statement under labels; one that is more than a statement gets braces."""
        simple = statement.startswith(("if ", "do ", "atomic {", "d_step {", "goto ", "break")) and "unless" not in statement
        if not simple and (";" in statement or "unless" in statement or statement.startswith(("for", "select"))):
            statement = "{ " + statement + " }"
        return self.label() + (self.label() if self.chance(0.15) else "") + statement

    def sequence(self, inside, depth, loop, guard=False, most=2):
        out = []
        if guard and self.chance(0.75):
            out.append(self.transfer(inside) if self.chance(0.3) else self.condition())
        for _ in range(self.random.randint(1, most)):
            statement = self.statement(inside, depth, loop)
            if out and inside != "d_step" and self.chance(0.12):  # a label cannot stand first
                statement = self.labelled(statement)
            out.append(statement)
        return "; ".join(out)
