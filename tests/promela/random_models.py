#!/usr/bin/env python3
"""Compares Harrier with Spin on small random Promela models (generate.py): numbers of states without reduction, verdicts of blind and
guided searches with and without reduction, and a random claim. Every witness is replayed by Spin, which has to come to the same
error, the same values and the same places.

    random_models.py --harrier build/bin/harrier                        the models of the tests
    random_models.py --harrier build/bin/harrier --from 1000 --count 500
    random_models.py --print 7                                          the text of model 7

Model N is the same in every run. A model on which the two differ is kept as random-N.pml in the folder --keep.
"""

import argparse
import json
import os
import random
import re
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import generate
import spin_oracle
import trail

MOST_STATES = 30_000
# Those that also count the states.
COUNTING = ["bfs", "dfs", "rdfs", "greedy --heuristic ha"]
ALWAYS = ["bfs", "dfs --reduction on", "auto"]
SEARCHES = ["dfs", "greedy --heuristic hL", "greedy --heuristic hU --prefer useless,preferred", "astar --heuristic hL",
            "greedy --heuristic hCG", "greedy --heuristic dU --prefer contexts", "greedy --heuristic ha", "bfs --reduction on",
            "greedy --heuristic hadd --reduction on", "bfs --safe-abstraction", "wastar --heuristic hadd", "anytime",
            "ib-process", "astar --heuristic dL", "rdfs", "bfs --compress", "greedy --heuristic ha --compress",
            "dfs --bitstate 1", "rdfs --bitstate 1 --reduction on", "dfs --compact", "dfs --compact --reduction on"]
# Both tell how many steps lead to the nearest error; the second one stores the states inside atomic sequences.
SHORTEST = ["bfs", "astar --heuristic dL"]
# Random walks prove nothing: they need not find the errors that there are.
WALKS = ["walk", "walk --heuristic hU --selection all", "walk --trails", "walk --heuristic hU --restart best", "walk --threads 2"]
UNSUPPORTED = re.compile(r"unsupported: .*(D_proctype|events of a trace|between a rendezvous send|ask for each other)")
FEW = " --walks 30 --walk-depth 60"
QUESTIONS = {"assertion": ["--no-deadlock"], "deadlock": ["--no-assert"]}


def searches(seed):
    """All of them in turn, a few a model."""
    choice = random.Random(seed)
    return ALWAYS + choice.sample(SEARCHES, 4) + [choice.choice(WALKS) + FEW]


def replayed(harrier, model, search, answer):
    """What is wrong with the witnesses of a search."""
    with open(model, encoding="utf-8") as text:
        # What Spin's simulator takes otherwise than its verifier: of several processes it asks the youngest.
        if re.search(r"!timeout|\b(enabled|pc_value)\(|\bC\d[:@]", text.read()):
            return []
    wrong = []
    for question, options in QUESTIONS.items():
        if getattr(answer, question):
            # Where a run-time error ends the search first there is no witness; the verdicts say whether that may be.
            wrong += trail.replay(harrier, model, options, search) or []
    return wrong


def compare_claim(harrier, model):
    theirs = spin_oracle.ask_spin_claim(model, "p0", seconds=20)
    if theirs is None:
        return ""
    for options in (["auto"], ["dfs"]):
        code, text = spin_oracle.run([harrier, "check", model, "--search", *options, "--json", "--quiet", "--ltl", "p0"], "/", 60)
        if code is None:
            return ""
        if code not in (0, 10):
            return f"claim, {options}: harrier ends with {code}: {text[:300]}"
        ours = json.loads(text)["results"][0]["verdict"] == "reachable"
        if ours != theirs:
            return f"claim, {options}: Spin says {theirs}, Harrier {ours}"
    return ""


def disagreement(harrier, model, seed):
    """What differs, empty if nothing does; None: the model is of no use."""
    spin = spin_oracle.ask_spin(model, seconds=10)
    if spin.late or spin.refused or (spin.states or 0) > MOST_STATES or "too many processes" in spin.problem:
        return None
    for search in searches(seed):
        counts = search in COUNTING
        ours = spin_oracle.ask_harrier(harrier, model, search, counts)
        if UNSUPPORTED.search(ours.problem):
            return None
        different = spin_oracle.difference(spin, ours, counts)
        if different:
            return f"{search}: different {different}\n  spin:    {spin}\n  harrier: {ours}"
        if spin.problem:
            return None
        wrong = replayed(harrier, model, search, ours)
        if wrong:
            return f"{search}: Spin does not replay the witness: " + "\n  ".join(wrong[:5])
    lengths = [spin_oracle.shortest_errors(harrier, model, search) for search in SHORTEST]
    if lengths[0] != lengths[1]:
        return f"{SHORTEST}: nearest errors {lengths}"
    return "" if spin.assertion else compare_claim(harrier, model)


def check(harrier, seed, keep):
    """Whether the answers agree (None: the model is of no use), and a text about it."""
    text, claim = generate.make(seed)
    with tempfile.TemporaryDirectory(prefix="promela-") as folder:
        model = os.path.join(folder, f"random-{seed}.pml")
        with open(model, "w", encoding="utf-8") as out:
            out.write(text + claim + "\n")
        about = disagreement(harrier, model, seed)
        if about and keep:
            os.makedirs(keep, exist_ok=True)
            os.replace(model, os.path.join(keep, f"random-{seed}.pml"))
    return None if about is None else not about, about and f"model {seed}, {about}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", help="folder for models on which the two differ")
    parser.add_argument("--print", dest="show", type=int, help="print one model and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.show is not None:
        print(generate.make(options.show)[0], end="")
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
