#!/usr/bin/env python3
"""UPPAAL models of processes that are alike (generate_symmetric.py), with every option that makes proofs cheaper: each search with a random
choice of them against breadth-first search without any: verdicts, lengths where they are said to be shortest, and whether witnesses are
validated. Models without clocks are gone through state by state by semantics.py, which is independent of Harrier.

    random_symmetric.py --harrier build/bin/harrier [--from N] [--count N] [--only=--symmetry,…] [--jobs N] [--keep FOLDER]
    random_symmetric.py --print 7
"""

import argparse
import os
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

import configurations
import generate_symmetric
import semantics

MOST_STATES = {False: 20_000, True: 2_000}  # with clocks: depth-first search keeps many more zones
SEARCHES = ["bfs", "bfs", "bfs", "dfs", "dfs", "rdfs", "greedy --heuristic hU", "greedy --heuristic hL --prefer useless", "astar --heuristic hL",
            "wastar --heuristic hadd", "auto", "walk --walks 30 --walk-depth 40"]
LIVENESS = ["dfs", "auto"]


def compare_goal(program, made, model, choice, goal, shortest):
    """`shortest` is a list with what semantics.py says, or empty."""
    # The same question in two ways: a witness of E<> is one against A[].
    query = ["--query", choice.choice([f"E<> {goal}", f"A[] !({goal})"])]
    plain = program.ask(model, program.plain("bfs"), query)
    if plain.problem or plain.verdict not in ("reachable", "unreachable"):
        return "" if "unsupported" in plain.problem or plain.verdict in ("failed", "unknown") else str(plain)
    if shortest and (shortest[0], plain.verdict) != ((plain.length, "reachable") if plain.verdict == "reachable" else (None, "unreachable")):
        return f"{query[1]}: by the manual the shortest witness has {shortest[0]} steps\n  {plain}"
    if plain.stored > MOST_STATES[made.timed]:
        return ""
    for _ in range(5):
        wrong = program.compare(model, program.sample(choice, SEARCHES), query, plain)
        if wrong:
            return f"{query[1]}: {wrong}"
    return ""


def compare_liveness(program, made, model, choice, query):
    plain = program.ask(model, program.plain("dfs"), ["--query", query])
    if plain.problem or plain.verdict not in ("reachable", "unreachable") or plain.stored > MOST_STATES[made.timed]:
        return ""
    for _ in range(2):
        wrong = program.compare(model, program.sample(choice, LIVENESS), ["--query", query], plain)
        if wrong:
            return f"{query}: {wrong}"
    return ""


def disagreement(program, path, seed):
    made = generate_symmetric.Model(seed)
    choice = random.Random(f"options {seed}")
    with open(path, "w", encoding="utf-8") as out:
        out.write(made.text())
    goals = made.goals()
    lengths = None
    if not made.timed:
        try:
            lengths = semantics.Explorer(made).reach([python for _, python in goals])
        except semantics.TooLarge:
            pass
    for index, (goal, _) in enumerate(goals):
        about = compare_goal(program, made, path, choice, goal, lengths[index:index + 1] if lengths else [])
        if about:
            return about
    return compare_liveness(program, made, path, choice, made.liveness()) if choice.random() < 0.25 else ""


def check(program, seed, keep):
    with tempfile.TemporaryDirectory(prefix="symmetric-") as folder:
        path = os.path.join(folder, f"symmetric-{seed}.xta")
        about = disagreement(program, path, seed)
        if about and keep:
            os.makedirs(keep, exist_ok=True)
            os.replace(path, os.path.join(keep, os.path.basename(path)))
    return about and f"model {seed}, {about}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--only", default="", help="options to combine, separated by commas; default: all that there are")
    parser.add_argument("--keep", help="folder for models on which two differ")
    parser.add_argument("--print", dest="show", type=int, help="print one model and stop")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    if options.show is not None:
        made = generate_symmetric.Model(options.show)
        print(made.text() + "\n".join(f"// E<> {goal}" for goal, _ in made.goals()))
        return 0
    program = configurations.Program(os.path.abspath(options.harrier), [w for w in options.only.split(",") if w])
    seeds = range(options.first, options.first + options.count)
    different = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for about in pool.map(lambda seed: check(program, seed, options.keep), seeds):
            if about:
                different += 1
                print(about, flush=True)
    print(f"{options.count - different} models agree, {different} differ")
    print(program.summary())
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
