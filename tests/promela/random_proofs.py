#!/usr/bin/env python3
"""Proofs and errors of small random Promela models, with every option that makes proofs cheaper: each search with a random choice of them
against breadth-first search without any, and that against Spin with its defaults, partial-order reduction included.

    random_proofs.py --harrier build/bin/harrier                            the models of the tests
    random_proofs.py --harrier build/bin/harrier --from 1000 --count 500 --jobs 2
    random_proofs.py --harrier build/bin/harrier --only=--threads,--symmetry   these options, the others as they are by default
    random_proofs.py --harrier build/bin/harrier --spin 10                  Spin for every tenth model (0: for none)
    random_proofs.py --print 7                                              the text of model 7 with its questions

Model N is the same in every run; it comes from generate_networks.py, every fourth from generate.py. Where Spin with its defaults is not of
Harrier's opinion, it is asked again without reduction, which decides. A model on which the two differ is kept in the folder --keep.
"""

import argparse
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import configurations
import generate
import generate_networks
import spin_oracle

MOST_STATES = 40_000
SEARCHES = ["bfs", "bfs", "dfs", "dfs", "rdfs", "greedy --heuristic hU", "greedy --heuristic hL --prefer useless", "astar --heuristic hL",
            "greedy --heuristic ha", "wastar --heuristic hadd", "auto", "walk --walks 30 --walk-depth 60", "sbfs"]
CLAIM_SEARCHES = ["dfs", "dfs", "auto", "sbfs"]




class Question:
    def __init__(self, name, ours, made=None, asked=()):
        self.name = name
        self.ours = ours  # options of Harrier
        self.made = made  # how pan is compiled, None: Spin is not asked
        self.asked = asked  # options of pan

    def cycles(self):
        return self.name in ("claim", "acceptance", "non-progress")


def claim_question(text, claim, choice):
    """For Spin the accept labels of processes would count beside those of a claim."""
    text = re.sub(r"\baccept(?=\w)", "mark", text) + re.sub(r"@accept(?=\w)", "@mark", claim) + "\n"
    text = re.sub(r"\bassert *\(", "(true || ", text)  # the claim of a safety formula is an assertion, too
    fair = ["--fairness"] if "never" not in claim and choice.random() < 0.15 else []
    made = ["-DNOREDUCE"] if " X (" in claim else []
    return text, Question("claim", ["--ltl", "p0", "--no-assert", "--no-deadlock", *fair], made, ["-a", "-N", "p0"] + ["-f"] * len(fair))


def make(seed):
    """Text of a model, and the questions about it."""
    choice = random.Random(f"question {seed}")
    safety = ["-DSAFETY", "-DNOCLAIM"]
    out = [Question("assertion", ["--no-deadlock", "--no-claim"], safety, ["-E"]),
           Question("end state", ["--no-assert", "--no-claim"], safety, ["-A"])]
    if seed % 4 == 0:
        text, claim = generate.make(seed)
        if choice.random() < 0.4 and "_nr_pr" not in text:
            text, question = claim_question(text, claim, choice)
            out.append(question)
        return text, out
    text, formula, never, goal = generate_networks.make(seed)
    out.append(Question("goal", ["--goal", goal, "--no-assert", "--no-deadlock", "--no-claim"]))
    kind = choice.choice(["ltl", "ltl", "never", "acceptance", "non-progress", "", "", ""])
    if "_nr_pr" in text:  # of which the claim is one in Spin (docs/liveness.md)
        kind = ""
    if kind in ("ltl", "never"):
        claim = f"ltl p0 {{ {formula} }}" if kind == "ltl" else f"never p0 {{ {never} }}"
        text, question = claim_question(text, claim, choice)
        out[2].ours[1] = re.sub(r"@accept(?=\w)", "@mark", goal)
        out.append(question)
    elif kind:
        fair = choice.random() < 0.3
        ours = [f"--{kind}", "--no-assert", "--no-deadlock"] + ["--fairness"] * fair
        made, asked = ([], ["-a", "-E", "-A"]) if kind == "acceptance" else (["-DNP"], ["-l", "-E", "-A"])
        out.append(Question(kind, ours, made, asked + ["-f"] * fair))
    return text, out


class Pan:
    """What Spin makes of a model, compiled once for each kind of question."""

    def __init__(self, text, folder, plain, claim):
        self.folder = folder
        if claim:
            text = re.sub(r"\b_nr_pr\b", "(_nr_pr - 1)", text)  # Spin's counts the claim
        self.plain = plain  # without anything that reduces
        self.made = {}
        with open(os.path.join(folder, "spin.pml"), "w", encoding="utf-8") as out:
            out.write(text)
        options = ["-o1", "-o2", "-o3"] if plain else []
        _, told = spin_oracle.run(["spin", "-a", *options, "spin.pml"], folder, 60)
        errors = [line for line in told.splitlines() if "rror" in line and not spin_oracle.HARMLESS.search(line)]
        self.refused = bool(errors) or not os.path.exists(os.path.join(folder, "pan.c"))

    def violated(self, question):
        """Whether there is an error; None: no answer."""
        made = tuple(question.made) + (("-DNOREDUCE",) if self.plain else ())
        if self.refused:
            return None
        if made not in self.made:
            self.made[made] = f"pan{len(self.made)}"
            flags = ["-O0", "-w", "-DMEMLIM=3000", "-DVECTORSZ=8192", *made]
            spin_oracle.run([spin_oracle.compiler(), *flags, "-o", self.made[made], "pan.c"], self.folder, 120)
        if not os.path.exists(os.path.join(self.folder, self.made[made])):
            return None
        code, told = spin_oracle.run([f"./{self.made[made]}", "-m100000", "-w18", *question.asked], self.folder, 20)
        errors = re.search(r"errors: (\d+)", told)
        if "accept stutter" in told and question.name == "acceptance":
            return None  # a process that stands at the label for ever, where nothing goes on, is no cycle for Harrier
        if code is None or not errors or spin_oracle.FAULTS.search(told) or "xs assertion" in told or "xr assertion" in told:
            return None
        return int(errors.group(1)) > 0


class Check:
    """One model with everything that is asked about it."""

    def __init__(self, program, seed, folder, with_spin):
        self.program = program
        self.choice = random.Random(f"options {seed}")
        self.text, self.questions = make(seed)
        self.model = os.path.join(folder, f"proof-{seed}.pml")
        self.folder = folder
        self.with_spin = with_spin
        self.pans = {}
        self.asked = 0
        with open(self.model, "w", encoding="utf-8") as out:
            out.write(self.text)

    def compare(self):
        """What differs, empty if nothing does; None: the model is of no use."""
        everything = self.program.ask(self.model, self.program.plain("bfs"), ["--no-assert", "--no-deadlock", "--no-claim"])
        if everything.verdict != "unreachable" or everything.stored > MOST_STATES:
            # What is accepted, random_models.py compares.
            useless = everything.verdict in ("unreachable", "failed", "unknown") or re.search(r"unsupported|: error: ", everything.problem)
            return None if useless else str(everything)
        for question in self.questions:
            about = self.compare_question(question)
            if about:
                return f"{question.name} ({' '.join(question.ours)}): {about}"
        return ""

    def compare_question(self, question):
        plain = self.program.ask(self.model, self.program.plain("dfs" if question.cycles() else "bfs"), question.ours)
        if plain.problem or plain.verdict not in ("reachable", "unreachable"):
            return "" if re.search(r"unsupported|not answered|: error: ", plain.problem) else str(plain)
        if self.with_spin and question.made is not None:
            about = self.compare_spin(question, plain)
            if about:
                return about
        fair = "--fairness" in question.ours
        searches = (["dfs"] if fair else CLAIM_SEARCHES) if question.cycles() else SEARCHES
        for _ in range(3 if question.cycles() else 4):
            self.asked += 1
            wrong = self.program.compare(self.model, self.program.sample(self.choice, searches), question.ours, plain)
            if wrong:
                return wrong
        return ""

    def compare_spin(self, question, plain):
        theirs = self.pan(question, False).violated(question)
        if theirs is None or theirs == (plain.verdict == "reachable"):
            return ""
        decided = self.pan(question, True).violated(question)
        return f"Spin says {theirs}, without reduction, too\n  {plain}" if decided == theirs else ""

    def pan(self, question, plain):
        kind = (plain, question.name == "claim")
        if kind not in self.pans:
            self.pans[kind] = Pan(self.text, tempfile.mkdtemp(dir=self.folder), *kind)
        return self.pans[kind]


def check(program, seed, keep, with_spin):
    """Whether all agree (None: the model is of no use), a text about it, and how many questions that were."""
    with tempfile.TemporaryDirectory(prefix="proofs-") as folder:
        made = Check(program, seed, folder, with_spin)
        about = made.compare()
        if about and keep:
            os.makedirs(keep, exist_ok=True)
            os.replace(made.model, os.path.join(keep, os.path.basename(made.model)))
    return None if about is None else not about, about and f"model {seed}, {about}", made.asked


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="options to combine, separated by commas; default: all that there are")
    parser.add_argument("--spin", type=int, default=1, metavar="N", help="ask Spin about every Nth model, 0: about none")
    parser.add_argument("--keep", help="folder for models on which two differ")
    parser.add_argument("--print", dest="show", type=int, help="print one model and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.show is not None:
        text, questions = make(options.show)
        print(text + "\n".join(f"// {q.name}: {' '.join(q.ours)}" for q in questions))
        return 0
    missing = spin_oracle.missing_tools() if options.spin else []
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        return spin_oracle.NOT_RUN
    program = configurations.Program(os.path.abspath(options.harrier), [w for w in options.only.split(",") if w])
    same = useless = asked = 0
    different = []
    with ThreadPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.count)
        for agrees, about, questions in pool.map(
                lambda seed: check(program, seed, options.keep, options.spin and seed % options.spin == 0), seeds):
            asked += questions
            useless += agrees is None
            same += agrees is True
            if agrees is False:
                different.append(about)
                print(about, flush=True)
    print(f"{same} models agree in {asked} ways to ask, {len(different)} differ, {useless} are of no use (faults, or too large)")
    print(program.summary())
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
