"""Harrier in every way that it can prove something, for the random testers: searches, each with some of the options that make proofs
cheaper. An option that the program does not have is left out, and so is one that it refuses for a search or a model.
"""

import json
import re
import subprocess
from dataclasses import dataclass, field
from typing import Optional

# Each option with its values; None: it is not given. What is given more often stands there more often.
AXES = {
    "--reduction": [None, "on", "on", "off"],
    "--no-simplify": [None, None, ""],
    "--symmetry": [None, "on", "on", "off"],
    "--threads": [None, "1", "2", "2", "3"],
    "--bitstate": [None, None, None, None, None, "1"],
    "--compact": [None, None, None, None, None, ""],
    "--compress": [None, None, None, ""],
    "--native": [None, None, None, None, None, None, None, "on"],
}
# Everything switched off that can be: what all others are compared with.
PLAIN = {"--reduction": "off", "--no-simplify": "", "--symmetry": "off", "--threads": "1", "--native": "off"}
# How a refusal names an option, where it does not name it by its letters.
NAMED = {"--reduction": "(--reduction|partial-order reduction)", "--symmetry": "([Ss]ymmetr[yi]|scalar)"}
PARTIAL = ("--bitstate", "--compact")  # they need not find what there is
SECONDS = 20


@dataclass
class Answer:
    words: list = field(default_factory=list)  # the options that were heeded
    verdict: str = ""  # reachable, unreachable, unknown; failed: the model is at fault
    problem: str = ""  # why there is no verdict, where the model is not to blame
    length: Optional[int] = None
    shortest: bool = False
    validated: Optional[bool] = None
    stored: int = 0
    expanded: int = 0

    def partial(self):
        """Whether it may say that it does not know. Sets of states are slow where values have large domains."""
        return any(word in self.words for word in (*PARTIAL, "walk", "sbfs"))

    def __str__(self):
        return f"{' '.join(self.words)}: {self.problem or self.verdict}, length {self.length}, {self.stored} stored"


class Program:
    def __init__(self, path, only=()):
        """`only`: these axes, and the others as they are by default."""
        self.path = path
        listed = subprocess.run([path, "list", "--options"], capture_output=True, text=True, check=True).stdout
        names = set(re.findall(r"^  (--[\w-]+)", listed, re.M))
        self.axes = {name: values for name, values in AXES.items() if name in names and (not only or name in only)}
        self.refused = {}  # why an option was left out, and how often
        self.used = {}
        self.useless = set()  # search, option and value that are refused whatever the model

    def plain(self, search):
        return {"--search": search} | {name: value for name, value in PLAIN.items() if name in self.axes}

    def sample(self, random, searches):
        search = random.choice(searches)
        chosen = {"--search": search}
        for name, values in self.axes.items():
            value = random.choice(values)
            if value is not None and (search, name, value) not in self.useless:
                chosen[name] = value
        return chosen

    def run(self, words):
        try:
            return subprocess.run([self.path, "check", *words], capture_output=True, text=True, errors="replace", timeout=4 * SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return None

    def ask(self, model, chosen, question):
        """The answer to one question; options that the program refuses are left out one by one."""
        chosen = dict(chosen)
        while True:
            words = [word for name, value in chosen.items() for word in [name, *value.split()]]
            done = self.run([model, "--json", "--quiet", "--time-limit", str(SECONDS), *question, *words])
            answer = Answer(words)
            if done is None:
                answer.problem = "does not keep its time limit"
                return answer
            refusal = self.read(done, answer)
            given = [n for n in chosen if n != "--search"]
            # One that is not named may be the one that was added last.
            name = next((n for n in given if re.search(NAMED.get(n, re.escape(n)) + r"\b", refusal)), given[-1] if given else None)
            if not refusal or name is None:
                for n in chosen:
                    self.used[n] = self.used.get(n, 0) + 1
                answer.problem = answer.problem or refusal
                return answer
            told = re.sub(r"\d+", "N", re.sub(r"'/[^']*'", "MODEL", refusal))[:100]
            self.refused[told] = self.refused.get(told, 0) + 1
            if "has no effect with --search" in refusal:
                self.useless.add((chosen["--search"], name, chosen[name]))
            del chosen[name]

    def compare(self, model, chosen, question, plain):
        """What is wrong with the answer in the chosen way, empty if nothing is. How many threads there are must not change
        what a proof counts; but a single one may store less (docs/threads.md)."""
        other = self.ask(model, chosen, question)
        wrong = difference(plain, other)
        threads = chosen.get("--threads") if "--threads" in other.words else None
        if not wrong and other.verdict == "unreachable" and threads in ("2", "3") and not other.partial():
            more = "3" if threads == "2" else "2"
            again = self.ask(model, {name: value for name, value in chosen.items() if name in other.words} | {"--threads": more}, question)
            if again.verdict == "unreachable" and (again.stored, again.expanded) != (other.stored, other.expanded):
                wrong = f"other counts with {more} threads, {again.stored} stored and {again.expanded} expanded instead of {other.expanded}"
        return wrong and f"{wrong}\n  {plain}\n  {other}"

    def summary(self):
        """How often each option was heeded, and why others were not."""
        used = ", ".join(f"{name} {count}" for name, count in sorted(self.used.items()) if name != "--search")
        told = "".join(f"\n  {count} x {text}" for text, count in sorted(self.refused.items(), key=lambda r: -r[1])[:12])
        return f"options heeded: {used or 'none'}" + ("; refused:" + told if told else "")

    def read(self, done, answer):
        """Fills in the answer; returns what the program says if it refuses the options."""
        if done.returncode not in (0, 2, 3, 10, 20):
            answer.problem = f"ends with {done.returncode}: {done.stderr.strip()[:300]}"
            return ""
        out = json.loads(done.stdout)
        if not out["results"]:
            return out.get("error", {}).get("text") or done.stderr.strip()[:300] or f"ends with {done.returncode}"
        result = out["results"][0]
        answer.verdict = result["verdict"]
        if "error" in result:
            return result["error"].get("text") or answer.verdict
        answer.length, answer.shortest, answer.validated = result.get("witness_length"), bool(result.get("shortest")), result.get("validated")
        statistics = result.get("statistics") or {}
        answer.stored, answer.expanded = statistics.get("stored", 0), statistics.get("expanded", 0)
        return ""


def difference(plain, other):
    """What contradicts the plain answer, empty if nothing does. `plain` has a verdict, from a breadth-first search where lengths count."""
    if other.problem:
        return other.problem
    if other.verdict == "unknown":
        return "" if other.partial() else "unknown"
    if other.verdict == "failed":
        # Behind an error that ended the plain search the model may have a fault.
        return "" if plain.verdict == "reachable" else "failed"
    if other.verdict != plain.verdict:
        return f"{other.verdict}, not {plain.verdict}"
    if other.verdict == "unreachable" and other.partial():
        return "proved by a search that cannot prove anything" if any(word in other.words for word in PARTIAL) else ""
    if other.verdict == "reachable" and other.validated is not True:
        return "the witness is not validated"
    if other.shortest and plain.length is not None and plain.shortest and other.length != plain.length:
        return f"shortest witness of {other.length} steps, not {plain.length}"
    return ""
