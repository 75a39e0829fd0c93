#!/usr/bin/env python3
"""Figure 2 of Andisha et al. (2015) with our numbers: greedy search with h^c against h_P^L (hL here) on the BEEM models.

    tables/promela.py [--limit S]

One instance a file and goal that BEEM says can be reached. The goal is made a claim, `[] !(goal)`, as in the paper; where it
counts processes at labels, a second claim follows them one by one, so that hc has more than two values. Writes
docs/results/figure-andisha-2.md and a scatter plot each of explored states, path length, time and memory. The paper prints its
figure without numbers, so there is nothing beside ours.
"""

import argparse
import csv
import json
import math
import re
import subprocess
import sys
from pathlib import Path

import svg

ROOT = Path(__file__).resolve().parent.parent
BEEM = ROOT.parent / "shared" / "models" / "promela" / "beem"
RESULTS = ROOT / "docs" / "results"
MEASURES = {"explored states": "explored", "path length": "length", "time in seconds": "time", "memory in MB": "memory"}


def goals():
    seen = set()
    with open(BEEM / "goals.csv", newline="") as file:
        for row in csv.DictReader(file):
            key = (row["file"], row["goal"])
            if row["answer"] == "reachable" and key not in seen:
                seen.add(key)
                yield key


def claim(goal):
    """What the goal contradicts."""
    return f"[] !({goal})"


def stepwise_claim(goal):
    """The same for a goal `a + b + … > n`, reached one by one; None for others."""
    match = re.fullmatch(r"\(*([^()<>=]*@[^()<>=]*\+[^()<>=]*) > (\d+)\)*", goal)
    if not match:
        return None
    formula = f"<> ({match[1]} > {match[2]})"
    for n in range(int(match[2]) - 1, -1, -1):
        formula = f"<> (({match[1]} > {n}) && {formula})"
    return f"! {formula}"


def measure(binary, name, formula, heuristic, limit):
    if formula is None:
        return None
    command = [binary, "check", BEEM / name, "--ltl", formula, "--search", "greedy", "--heuristic", heuristic,
               "--time-limit", str(limit), "--json", "--quiet"]
    output = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
    result = json.loads(output or '{"results": [{"verdict": "error"}]}')["results"][0]
    if result["verdict"] != "reachable":
        return None
    s = result["statistics"]
    return {"explored": max(1, s["expanded"]), "length": max(1, result["witness_length"]), "time": max(0.001, s["time_s"]),
            "memory": s["memory_bytes"] / 1e6}


def factor(rows, key):
    ratios = [row["hc"][key] / row["hL"][key] for row in rows if row["hc"] and row["hL"]]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else float("nan")


def stepwise(rows):
    """What a claim with more states is worth to hc."""
    both = [r for r in rows if r["stepwise"] and r["hc"]]
    if not both:
        return []
    ratios = [r["stepwise"]["explored"] / r["hc"]["explored"] for r in both]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    return [
        f"A claim `[] !(goal)` has two states, so that hc is 0 or 1, as the paper says of its example and of `bopdp`. Where the "
        f"goal counts processes at labels (`a@CS + b@CS > 1`), a claim that follows them one by one has a state more for each, and hc "
        f"more values. With it hc explores in the geometric mean {mean:.2f} times the states that it explores with the plain claim "
        f"({len(both)} instances, {min(ratios):.2f} to {max(ratios):.2f}).", "",
    ]


def page(rows, limit):
    both = [r for r in rows if r["hc"] and r["hL"]]
    fewer = [r for r in rows if r["hL"] and (not r["hc"] or r["hL"]["explored"] <= r["hc"]["explored"])]
    solved = [r for r in rows if r["hL"] or r["hc"]]
    lines = [
        "# Figure 2 of Andisha et al. (2015): h^c against h_P^L", "",
        f"Greedy search, {len(rows)} instances, at most {limit:g} s each. hL, which is h_P^L on the common model, finds "
        f"{sum(bool(r['hL']) for r in rows)} of the goals, hc {sum(bool(r['hc']) for r in rows)}. With hL no more states are explored "
        f"than with hc on {len(fewer)} of the {len(solved)} that one of them finds. Where both find the goal ({len(both)}), hc needs in "
        f"the geometric mean {factor(both, 'explored'):.1f} times the states, {factor(both, 'length'):.2f} times the path, "
        f"{factor(both, 'time'):.1f} times the time and {factor(both, 'memory'):.1f} times the memory.", "",
        *stepwise(rows),
        "A step of the claim follows every step of the model, and both count: lengths are about twice those of paths to the goal. With hc the "
        "paths are about as short as they can be: among equal estimates the oldest state comes first here, so that greedy search with a "
        "heuristic of two values is breadth-first search until the claim moves. hL leaves that order for its guidance, and explores less "
        "for it. The paper reports shorter paths with h_P^L than with h^c; that is not reproduced, and would need an order among equals "
        "that makes hc's paths long, such as newest first.", "",
        "Greedy search passes through the states inside atomic sequences; they are not counted as explored.", "",
        "Made by `make tables` (tables/promela.py). A triangle on the border: not found within the limit.", "",
    ]
    for title, key in MEASURES.items():
        file = f"figure-andisha-2-{key}.svg"
        points = [(r["model"], r["hc"] and r["hc"][key], r["hL"] and r["hL"][key]) for r in rows if r["hc"] or r["hL"]]
        (RESULTS / file).write_text(svg.scatter(f"Andisha et al. (2015), figure 2: {title}", {"BEEM": points}, "hc", "hL"))
        lines += [f"![{title}]({file})", ""]
    lines += ["| model | goal | explored hc | explored hL | length hc | length hL |", "|:--|:--|--:|--:|--:|--:|"]
    for r in rows:
        cells = [str(r[h][key]) if r[h] else "–" for key in ("explored", "length") for h in ("hc", "hL")]
        lines.append(f"| {r['model']} | `{r['goal'].replace('|', chr(92) + '|')}` | {' | '.join(cells)} |")
    (RESULTS / "figure-andisha-2.md").write_text("\n".join(lines) + "\n")


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--limit", type=float, default=10, help="seconds for each run")
    arguments.add_argument("--binary", type=Path, default=ROOT / "build" / "bin" / "harrier")
    options = arguments.parse_args()
    limit = options.limit
    if not BEEM.is_dir():
        print("the shared models are not there: figure 2 of Andisha et al. (2015) is left out", file=sys.stderr)
        return
    rows = []
    for name, goal in goals():
        row = {h: measure(options.binary, name, claim(goal), h, limit) for h in ("hc", "hL")}
        rows.append({"model": name, "goal": goal, **row, "stepwise": measure(options.binary, name, stepwise_claim(goal), "hc", limit)})
        print(f"{name} {goal}: {rows[-1]}", file=sys.stderr)
    page(rows, limit)


if __name__ == "__main__":
    main()
