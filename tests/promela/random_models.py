#!/usr/bin/env python3
"""Compares Harrier with Spin on small random Promela models, as compare.py does, by blind and guided searches, with and
without reduction.

    random_models.py --harrier build/bin/harrier                        the models of the tests
    random_models.py --harrier build/bin/harrier --from 1000 --count 500
    random_models.py --print 7                                          the text of model 7

Model N is the same in every run. A model on which the two differ is kept as random-N.pml in the folder --keep.
"""

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import spin_oracle

MOST_STATES = 60_000
# Those that also count the states.
COUNTING = ["bfs", "dfs", "rdfs", "greedy --heuristic ha"]
SEARCHES = ["bfs", "dfs", "auto", "greedy --heuristic hL", "greedy --heuristic hU --prefer useless,preferred", "astar --heuristic hL",
            "greedy --heuristic hCG", "greedy --heuristic dU --prefer contexts", "greedy --heuristic ha", "bfs --reduction on",
            "dfs --reduction on", "greedy --heuristic hadd --reduction on", "bfs --safe-abstraction", "wastar --heuristic hadd", "anytime",
            "ib-process", "astar --heuristic dL", "rdfs"]
# Random walks prove nothing: they need not find the errors that there are.
WALKS = ["walk", "walk --heuristic hU --selection all", "walk --trails", "walk --heuristic hU --restart best", "walk --threads 2"]
FEW = " --walks 30 --walk-depth 60"
# Ranges of types. A receive is generated only into a variable that holds all values of the field: where it does not,
# Spin puts the truncated value back into the channel when it backtracks.
RANGES = {"bit": (0, 1), "byte": (0, 255), "mtype": (0, 255), "short": (-2**15, 2**15 - 1), "int": (-2**31, 2**31 - 1),
          "unsigned k : 2": (0, 3), "unsigned": (0, 7)}


class Generator:
    """One model. Loops are bounded by counters or by what they wait for, so that the models stay small."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.labels = 0
        self.globals = ["g0", "g1"]
        self.types = {"a[0]": "byte"}
        self.buffered = ["q0"]
        self.rendezvous = ["r0"] if self.chance(0.6) else []
        self.two_fields = self.chance(0.3)
        self.fields = ["byte", self.pick(["bit", "short"])] if self.two_fields else [self.pick(["byte", "short", "bit", "int"])]
        self.children = self.random.choice([0, 0, 1])
        self.provided = self.chance(0.06)

    def chance(self, p):
        return self.random.random() < p

    def pick(self, items):
        return self.random.choice(items)

    # Expressions.
    def variable(self):
        return self.pick(self.globals + ["k", "a[k % 2]" if self.chance(0.3) else "a[1]"])

    def small(self):
        return self.pick(["0", "1", "1", "2", "3", "-1"]) if self.chance(0.93) else self.pick(["7", "255", "300", "-129"])

    def value(self, depth=1):
        roll = self.random.random()
        if depth == 0 or roll < 0.4:
            return self.small()
        if roll < 0.7:
            return self.variable()
        if roll < 0.74:
            return f"len({self.pick(self.buffered)})"
        if roll < 0.77:
            return self.pick(["_pid", "_nr_pr"])
        if roll < 0.82:
            return f"({self.comparison()} -> {self.value(depth - 1)} : {self.value(depth - 1)})"
        return f"({self.value(depth - 1)} {self.pick(['+', '-', '&', '^', '|', '*'])} {self.value(depth - 1)})"

    def condition(self, depth=1):
        roll = self.random.random()
        if depth and roll < 0.12:
            return f"({self.condition(0)} {self.pick(['&&', '||'])} {self.condition(0)})"
        if roll < 0.2:
            return f"{self.pick(['full', 'empty', 'nfull', 'nempty'])}({self.pick(self.buffered)})"
        if roll < 0.24:
            return f"!({self.variable()} == {self.small()})"
        if depth and roll < 0.28 and not self.two_fields:
            return f"{self.pick(self.buffered)}{self.pick(['?', '??'])}[{self.pick(['1', 'k', 'eval(k)'])}]"
        return self.comparison()

    def comparison(self):
        return f"({self.variable()} {self.pick(['==', '!=', '<', '>', '>=', '<='])} {self.value(1)})"

    # Statements.
    def arguments(self, receive):
        def holds(variable, field):
            low, high = RANGES[self.types[variable]]
            return low <= RANGES[field][0] and high >= RANGES[field][1]

        out = []
        for field in self.fields:
            if not receive:
                out.append(self.value(1))
                continue
            into = [v for v in ("k", "g0", "g1", "a[0]") if v not in out and holds(v, field)]
            out.append(self.pick(into * 2 + ["_", "1", "eval(k)", "eval(g0)", "2"]))
        return ",".join(out)

    def transfer(self, inside):
        roll = self.random.random()
        channel = self.pick(self.buffered)
        if self.rendezvous and inside != "d_step" and roll < 0.5:
            channel = self.pick(self.rendezvous)
            return f"{channel}!{self.arguments(False)}" if self.chance(0.5) else f"{channel}?{self.arguments(True)}"
        if roll < 0.75:
            return f"{channel}{self.pick(['!', '!', '!!'])}{self.arguments(False)}"
        arguments = self.arguments(True)
        sign = self.pick(["?", "?", "??"])
        return f"{channel}{sign}<{arguments}>" if self.chance(0.15) else f"{channel}{sign}{arguments}"

    def basic(self, inside):
        roll = self.random.random()
        if roll < 0.4:
            target = self.variable()
            return f"{target}{self.pick(['++', '--'])}" if self.chance(0.2) else f"{target} = {self.value(2)}"
        if inside == "d_step":
            return f"{self.variable()} = {self.value(1)}"
        if roll < 0.6:
            return self.transfer(inside)
        if roll < 0.75:
            return self.condition()
        if roll < 0.82:
            return self.pick(["skip", "true", "printf(\"x\")"])
        if roll < 0.9:
            return f"assert({self.condition()})"
        if roll < 0.93:
            return self.pick(["timeout", "(timeout || g0 == 2)", "(!timeout && g1 < 2)"])
        if roll < 0.96 and self.children and self.in_root:
            return f"run C({self.value(1)})" if self.chance(0.5) else f"k = run C({self.value(1)})"
        return f"{self.pick(self.globals)} = {self.small()}"

    def options(self, inside, depth, loop):
        count = self.random.randint(1, 3)
        out = []
        for i in range(count):
            out.append(self.sequence(inside, depth - 1, loop, guard=True))
        if inside == "d_step" or self.chance(0.4):
            rest = self.sequence(inside, depth - 1, loop) if self.chance(0.6) else ""
            if loop and (inside == "d_step" or self.chance(0.6)):
                rest = "break"
            out.insert(self.random.randint(0, count), "else" + (" -> " + rest if rest else ""))
        return out

    def compound(self, inside, depth, loop):
        roll = self.random.random()
        if roll < 0.3:
            return "if " + " ".join(":: " + o for o in self.options(inside, depth, loop)) + " fi"
        if roll < 0.5 and inside == "d_step":
            return f"i = 0; do :: i < 2 -> i++; {self.basic(inside)} :: else -> break od"
        if roll < 0.42:
            return "do " + " ".join(":: " + o for o in self.options(inside, depth, True)) + " :: k > 1 -> break od"
        if roll < 0.48:
            return f"for (i : 0 .. {self.pick(['1', 'g0 & 1'])}) {{ {self.sequence(inside, depth - 1, True)} }}"
        if roll < 0.54:
            return self.pick(["select (k : 0 .. 2)", "select (k : 0 .. (g0 & 3))"])
        if roll < 0.68:
            return "atomic { " + self.sequence("atomic", depth - 1, loop, most=3) + " }"
        if roll < 0.8:
            body = self.pick([self.basic("d_step"), self.condition(), "k < 2"])
            if self.chance(0.5):
                body += "; " + self.sequence("d_step", depth - 1, False)
            return "d_step { " + body + " }"
        if roll < 0.86:
            return "{ " + self.sequence(inside, depth - 1, loop, most=3) + " }"
        if roll < 0.95 and inside != "d_step":
            escape = self.sequence(inside, depth - 1, loop, guard=True)
            return "{ " + self.sequence(inside, depth - 1, loop, most=3) + " } unless { " + escape + " }"
        return self.basic(inside)

    def statement(self, inside, depth, loop):
        roll = self.random.random()
        if loop and roll < 0.08 and inside != "d_step":
            return "break"
        if roll < 0.16 and inside != "d_step" and self.in_root:
            return "goto " + self.pick(["L0", "L1"])
        if depth > 0 and roll < 0.55:
            return self.compound(inside, depth, loop)
        return self.basic(inside)

    def label(self):
        self.labels += 1
        return f"{self.pick(['end', 'l'])}{self.labels}: "

    def sequence(self, inside, depth, loop, guard=False, most=2):
        all = []
        if guard and self.chance(0.75):
            all.append(self.transfer(inside) if self.chance(0.3) else self.condition())
        for _ in range(self.random.randint(1, most)):
            if all and inside != "d_step" and self.chance(0.08):
                all.append(self.label() + self.basic(inside))
            else:
                all.append(self.statement(inside, depth, loop))
        return "; ".join(all)

    def process(self, name, root):
        self.in_root = root
        head = f"active proctype {name}()" if root else f"proctype {name}(byte k)"
        if root and self.provided and self.chance(0.5):
            head += " provided (g1 != 2)"
        kind = self.pick(["byte", "byte", "short", "bit", "int", "unsigned k : 2"]) if root else "byte"
        self.types["k"] = kind
        k = kind if kind.startswith("unsigned") else kind + " k"
        start = self.pick(["", " = 1", " = g0"])
        lines = [head + " {", "  " + (k + start + "; " if root else "") + "byte i; byte a[2];"]
        count = self.random.randint(2, 3) if root else self.random.randint(1, 2)
        for index in range(count):
            label = f"L{index}: " if root and index < 2 else ""
            lines.append("  " + label + self.plain(self.statement("", 2 if root else 1, False)) + ";")
        lines += ["  skip", "}"]
        return lines

    @staticmethod
    def plain(statement):
        """A statement that can carry a label: an unless stands in braces, and so does more than one statement."""
        simple = statement.startswith(("if ", "do ", "atomic {", "d_step {")) and "unless" not in statement
        return statement if simple else "k = k; " + statement

    def text(self):
        kinds = ["byte", "byte", "bit", "short", "int", "mtype", "unsigned"]
        lines = ["mtype = { m1, m2 };"]
        for name in self.globals:
            kind = self.types[name] = self.pick(kinds)
            lines.append(f"{kind} {name}{' : 3' if kind == 'unsigned' else ''}{self.pick(['', ' = 1', ' = 2'])};")
        fields = ", ".join(self.fields)
        lines.append(f"chan q0 = [{self.random.randint(1, 3)}] of {{ {fields} }};")
        for name in self.rendezvous:
            lines.append(f"chan {name} = [0] of {{ {fields} }};")
        for i in range(self.random.randint(2, 3)):
            lines += self.process(f"P{i}", True)
        if self.children:
            lines += self.process("C", False)
        return "\n".join(lines) + "\n"


def check(harrier, seed, keep):
    """Whether the answers agree (None: the model is of no use), and a text about it."""
    text = Generator(seed).text()
    with tempfile.TemporaryDirectory(prefix="promela-") as folder:
        model = os.path.join(folder, f"random-{seed}.pml")
        with open(model, "w", encoding="utf-8") as out:
            out.write(text)
        spin = spin_oracle.ask_spin(model, seconds=10)
        if spin.late or spin.refused or (spin.states or 0) > MOST_STATES or "too many processes" in spin.problem:
            return None, ""
        for search in SEARCHES + [walk + FEW for walk in WALKS]:
            counts = search in COUNTING
            ours = spin_oracle.ask_harrier(harrier, model, search, counts)
            different = spin_oracle.difference(spin, ours, counts)
            if different:
                if keep:
                    os.makedirs(keep, exist_ok=True)
                    with open(os.path.join(keep, f"random-{seed}.pml"), "w", encoding="utf-8") as out:
                        out.write(text)
                return False, f"model {seed}, {search}: different {different}\n  spin:    {spin}\n  harrier: {ours}"
            if spin.problem:
                return None, spin.problem
    return True, ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--keep", help="folder for models on which the two differ")
    parser.add_argument("--print", dest="show", type=int, help="print one model and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.show is not None:
        print(Generator(options.show).text(), end="")
        return 0
    missing = spin_oracle.missing_tools()
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        return spin_oracle.NOT_RUN
    harrier = os.path.abspath(options.harrier)
    same = useless = 0
    different = []
    with ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.count)
        for agrees, about in pool.map(lambda seed: check(harrier, seed, options.keep), seeds):
            if agrees is None:
                useless += 1
            elif agrees:
                same += 1
            else:
                different.append(about)
                print(about, flush=True)
    print(f"{same} models agree, {len(different)} differ, {useless} give no verdict (faults, or too large)")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
