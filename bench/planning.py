#!/usr/bin/env python3
"""Planning tasks beside another planner: bench/planning.py [--limit S] [--jobs N] [--auto].

The shared results.csv says what another planner needed for fifty tasks on this kind of machine: times of its translation, and states
evaluated a second by its lazy greedy search with h^FF and preferred operators. The same search runs here on the same tasks. Asked for are
3 times as many evaluations a second and a translation 10 times as fast, in the geometric mean. --auto also counts what `auto` solves.

Times of searches are processor time of the program without the translation. Those of the peer are of another day, so that ratios say how many times, not how many per cent. Exits with 1 if a goal is missed. Without the shared
models nothing is measured. Results are kept as JSON in bench/results. docs/benchmarks.md tells what the numbers mean.
"""

import argparse
import csv
import json
import math
import os
import statistics
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models" / "pddl"
RESULTS = ROOT / "bench" / "results"

LAZY = ["--search", "greedy", "--heuristic", "hff", "--prefer", "preferred", "--evaluation", "lazy"]
AUTO = ["--search", "auto", "--first"]
PEER = {"lazy": "ff-pref", "auto": "lama-first"}  # configurations of the other planner
PHASES = ("parsing_s", "grounding_s", "invariants_s", "encoding_s", "lowering_s")
EVALUATIONS, TRANSLATION = 3, 10  # times as fast
FLOOR = 0.01  # seconds of search, ours and its; in less there is little to count
ONE_STATE = ["--cost", "unit", "--depth", "0"]  # everything is made, and the initial state looked at
LEAST = 0.001  # seconds; a translation counts as no faster


def geometric_mean(values):
    return math.exp(statistics.fmean([math.log(v) for v in values])) if values else float("nan")


def run(binary, problem, options, limit):
    """Its time does not count what is made before the search; ours is taken off by a second run that stops there."""
    whole, before = measure(binary, problem, options, limit), measure(binary, problem, [*options, *ONE_STATE], limit)
    return {**whole, "search_s": max(0.0, whole["search_s"] - before["search_s"])}


def measure(binary, problem, options, limit):
    command = [str(binary), "check", str(problem), *options, "--json", "--quiet", "--no-polish", "--time-limit", str(limit), "--memory-limit", "4096"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    output = child.stdout.read()
    _, _, usage = os.wait4(child.pid, 0)
    child.returncode = 0  # it has been waited for
    document = json.loads(output)
    result = document["results"][0] if document["results"] else {"verdict": "none", "statistics": {}}
    translation = document.get("translation")
    translation_s = sum(translation[p] for p in PHASES) if translation else None
    return {
        "verdict": result["verdict"], "length": result.get("witness_length"), "evaluated": result["statistics"].get("evaluated"),
        "search_s": usage.ru_utime + usage.ru_stime - (translation_s or 0), "translation_s": translation_s,
    }


def compare(theirs, ours):
    """Ratios, where there is enough to measure."""
    out = {"task": f"{theirs['domain']}/{theirs['problem']}", **ours, "their_verdict": theirs["solved"]}
    if ours["translation_s"] is not None:
        out["translation"] = float(theirs["translate_cpu_s"]) / max(LEAST, ours["translation_s"])
    enough = theirs["solved"] == "1" and float(theirs["search_s"]) >= FLOOR
    if enough and ours["evaluated"] and ours["search_s"] >= FLOOR:
        out["evaluations"] = ours["evaluated"] / ours["search_s"] / (float(theirs["evaluated"]) / float(theirs["search_s"]))
    return out


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--build", type=Path, default=ROOT / "build")
    arguments.add_argument("--limit", type=float, default=10, help="seconds for each run")
    arguments.add_argument("--jobs", type=int, default=1, help="runs beside each other")
    arguments.add_argument("--auto", action="store_true", help="also what auto solves within the limit")
    a = arguments.parse_args()
    binary = a.build.resolve() / "bin" / "harrier"
    if not binary.is_file():
        sys.exit(f"{binary} is not there: build it first (make build)")
    if not (SHARED / "results.csv").is_file():
        print("planning: the shared models are not there, LEFT OUT")
        return 0
    with open(SHARED / "results.csv", newline="") as file:
        published = list(csv.DictReader(file))
    RESULTS.mkdir(exist_ok=True)
    good = True
    for name, options in [("lazy", LAZY)] + ([("auto", AUTO)] if a.auto else []):
        theirs = [r for r in published if r["config"] == PEER[name]]
        with ThreadPoolExecutor(a.jobs) as pool:
            ours = list(pool.map(lambda r: run(binary, SHARED / r["domain"] / r["problem"], options, a.limit), theirs))
        rows = [compare(t, o) for t, o in zip(theirs, ours)]
        (RESULTS / f"planning-{name}.json").write_text(json.dumps(rows, indent=1) + "\n")
        for row in rows:
            print(f"{row['task']:48} {row['verdict']:10} {row['search_s']:8.3f} s "
                  + " ".join(f"{key} x {row[key]:.1f}" for key in ("translation", "evaluations") if key in row), flush=True)
        solved = sum(r["verdict"] == "reachable" for r in rows)
        print(f"{name}: {solved} of {len(rows)} tasks solved within {a.limit:g} s; {PEER[name]} solved {sum(r['solved'] == '1' for r in theirs)} within 30 s")
        if name != "lazy":
            continue
        for key, wanted in (("evaluations", EVALUATIONS), ("translation", TRANSLATION)):
            ratios = [r[key] for r in rows if key in r]
            mean = geometric_mean(ratios)
            enough = mean >= wanted
            good = good and enough
            print(f"{key}: {mean:.3g} times as fast in the geometric mean of {len(ratios)}{'' if enough else '   FALLS SHORT'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
