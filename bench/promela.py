#!/usr/bin/env python3
"""Harrier beside Spin on Promela models, in one run on one machine: bench/promela.py [PART…] [--limit S] [--only TEXT].

  errors      time to the first error, for every goal of the BEEM files that can be reached, end to end:
              spin -a, gcc -O2, pan (depth-first as it comes, and breadth-first) against `harrier check`
  spaces      whole state spaces without reduction, depth-first: states a second and bytes a state, against pan -O2
  heuristics  greedy search with hL (h_P^L of Andisha et al. 2015) against hc: expanded states

The peer is Spin of Debian. Its goal is a never claim that ends where the goal holds. Times are those of the clock, from
the first command to the end of the last; a run that finds nothing within the limit counts with the limit. Spaces are
compared with spin -a -o1 -o2 -o3 (no statement merging, no dead variables), which has the same states as Harrier, outside of
atomic sequences: depth-first searches of both pass through the states inside. Results are kept as JSON in bench/results.
docs/benchmarks.md tells what the numbers mean.
"""

import argparse
import csv
import json
import math
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models"
BEEM = SHARED / "promela" / "beem"
RESULTS = ROOT / "bench" / "results"

LEAST_AHEAD = 0.90  # share of the instances on which Harrier is ahead of both ways to run Spin
LEAST_FACTOR = 5  # geometric mean, of the faster of the two
LEAST_SHORT_PATHS = 0.95  # share of the instances with a path no longer than that of Spin's depth-first search
LEAST_RATE = 0.5  # of pan's states a second, geometric mean
LEAST_FEWER = 0.80  # share of the instances on which hL expands fewer states than hc

# All shared files of which Spin has 10^5 to 10^7 states (production_cell.2 gives C that gcc refuses), and Peterson for 4.
SPACES_OF_BEEM = [
    "adding 2 3 4 5 6", "anderson 1", "bakery 4 5", "bopdp 3", "bridge 1", "brp 3", "cambridge 1 2 3 4", "elevator2 2",
    "extinction 1 2", "fischer 3 4 6", "frogs 3", "gear 2", "hanoi 2", "iprotocol 3", "lamport 2 5 6",
    "lamport_nonatomic 1 2 3", "mcs 3 6", "needham 3 4", "peg_solitaire 3 4 6", "peterson 2 3 4", "phils 4 5",
    "production_cell 1", "protocols 4", "reader_writer 3", "rushhour 3 4", "schedule_world 2", "sokoban 2 3",
]
SPACES = ["speed/petersonN.pml"]
for family, *numbers in map(str.split, SPACES_OF_BEEM):
    SPACES += [f"promela/beem/{family}.{number}.pm" for number in numbers]


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


def run(command, cwd=None, limit=None):
    """Output and seconds; no output after the limit."""
    start = time.monotonic()
    try:
        done = subprocess.run(command, cwd=cwd, timeout=limit, capture_output=True, text=True, errors="replace")
        return done.stdout, time.monotonic() - start
    except subprocess.TimeoutExpired:
        return None, limit


class SpinRefuses(Exception):
    """There is no pan to compare with."""


class Spin:
    """A model translated and compiled in a directory of its own."""

    def __init__(self, text, spin_options, gcc_options, limit):
        self.scratch = tempfile.TemporaryDirectory()
        self.dir = Path(self.scratch.name)
        (self.dir / "model.pml").write_text(text)
        self.limit = limit
        _, made = run(["spin", "-a", *spin_options, "model.pml"], self.dir)
        _, compiled = run(["gcc", "-O2", "-w", *gcc_options, "-o", "pan", "pan.c"], self.dir)
        self.seconds = made + compiled
        if not (self.dir / "pan").is_file():
            raise SpinRefuses("spin makes no program of it that gcc compiles")

    def pan(self, *options):
        """What pan prints, with the seconds from the start of spin; nothing if it did not come to an end."""
        out, seconds = run(["./pan", *options], self.dir, max(1, self.limit - self.seconds))
        return out, self.seconds + seconds

    def steps(self):
        """The steps of the system in the trail, the claim's left out; a rendezvous is two."""
        trail = self.dir / "model.pml.trail"
        if not trail.is_file():
            return None
        lines = [line.split(":") for line in trail.read_text().split() if not line.startswith("-")]
        return sum(1 for line in lines if line[1] != "0")


class Bench:
    def __init__(self, build, limit, only):
        self.harrier = Path(build).resolve() / "bin" / "harrier"
        self.limit = limit
        self.only = only
        self.failures = []
        if not self.harrier.is_file():
            sys.exit(f"{self.harrier} is not there: build it first (make build)")

    def require(self, what, value, least):
        verdict = "" if value >= least else "   FALLS SHORT"
        print(f"{what}: {value:.3g} (at least {least}){verdict}")
        if value < least:
            self.failures.append(what)

    def check(self, model, *options):
        out, seconds = run([str(self.harrier), "check", str(model), "--json", "--quiet", "--time-limit", str(self.limit), *options])
        return json.loads(out)["results"][0], seconds

    def goals(self):
        """File and goal of everything that BEEM says can be reached."""
        seen = set()
        with open(BEEM / "goals.csv", newline="") as file:
            for row in csv.DictReader(file):
                key = (row["file"], row["goal"])
                if row["answer"] == "reachable" and key not in seen and self.only in row["file"]:
                    seen.add(key)
                    yield key

    def errors(self):
        rows = []
        for name, goal in self.goals():
            text = (BEEM / name).read_text() + f"\nnever {{ do :: !({goal}) :: ({goal}) -> break od }}\n"
            ours, seconds = self.check(BEEM / name, "--goal", goal)
            row = {"model": name, "goal": goal, "seconds": seconds, "verdict": ours["verdict"], "steps": ours["witness_length"]}
            for way, gcc in [("dfs", ["-DSAFETY"]), ("bfs", ["-DSAFETY", "-DBFS"])]:
                try:
                    spin = Spin(text, [], gcc, self.limit)
                except SpinRefuses as reason:
                    row["refused"] = str(reason)
                    break
                out, taken = spin.pan()
                found = out is not None and "errors: 1" in out
                row[way] = taken if found else self.limit
                row[f"{way}_found"] = found
                if way == "dfs":
                    row["dfs_steps"] = spin.steps() if found else None
            if "refused" in row:
                print(f"{name:24} {goal[:28]:28} left out: {row['refused']}")
                continue
            rows.append(row)
            print(f"{name:24} {goal[:28]:28} ours {seconds:6.2f} s {row['steps']!s:>5}   spin dfs {row['dfs']:6.2f} s "
                  f"{row['dfs_steps']!s:>5}  bfs {row['bfs']:6.2f} s", flush=True)
        ahead = [r for r in rows if r["verdict"] == "reachable" and r["seconds"] < min(r["dfs"], r["bfs"])]
        both = [r for r in rows if r["verdict"] == "reachable" and r["dfs_steps"] is not None]
        short = [r for r in both if r["steps"] <= r["dfs_steps"]]
        wrong = [r for r in rows if r["verdict"] == "unreachable" and (r["dfs_found"] or r["bfs_found"])]
        for r in wrong:
            self.failures.append(f"{r['model']}: unreachable, although Spin finds an error")
        factors = [min(r["dfs"], r["bfs"]) / (r["seconds"] if r["verdict"] == "reachable" else self.limit) for r in rows]
        print(f"{len(rows)} instances; Harrier found {sum(r['verdict'] == 'reachable' for r in rows)}, "
              f"Spin's dfs {sum(r['dfs_found'] for r in rows)}, bfs {sum(r['bfs_found'] for r in rows)}")
        self.require("ahead of Spin, share of instances", len(ahead) / len(rows), LEAST_AHEAD)
        self.require("times as fast as the faster way to run Spin, geometric mean", geometric_mean(factors), LEAST_FACTOR)
        self.require("paths no longer than Spin's depth-first ones, share", len(short) / max(1, len(both)), LEAST_SHORT_PATHS)
        return rows

    def spaces(self):
        rows = []
        for name in SPACES:
            if self.only not in name:
                continue
            path = SHARED / name
            spin = Spin(path.read_text(), ["-o1", "-o2", "-o3"], ["-DSAFETY", "-DNOREDUCE", "-DMEMLIM=12000"], self.limit)
            out, _ = spin.pan("-m1000000", "-c0", "-E", "-A", "-w25")
            ours, _ = self.check(path, "--search", "dfs", "--reduction", "off", "--no-assert", "--no-deadlock")
            tree, _ = self.check(path, "--search", "dfs", "--reduction", "off", "--compress", "--no-assert", "--no-deadlock")
            if out is None or ours["verdict"] != "unreachable":
                print(f"{name:34} over the limit")
                continue
            states = int(re.search(r"(\d+) states, stored", out)[1])
            seconds = float(re.search(r"elapsed time ([\d.]+)", out)[1])
            memory = re.search(r"([\d.]+)\s+actual memory usage for states", out) or re.search(r"([\d.]+)\s+equivalent memory usage", out)
            s = ours["statistics"]
            stable = s["stored"] - s["transient"]
            if stable != states:
                self.failures.append(f"{name}: {stable} states, Spin has {states}")
            row = {"model": name, "states": stable, "spin_states": states, "transient": s["transient"],
                   "rate": stable / s["time_s"], "spin_rate": states / max(seconds, 0.01),
                   "bytes": s["memory_bytes"] / stable, "spin_bytes": float(memory[1]) * 2**20 / states,
                   "tree_bytes": tree["statistics"]["memory_bytes"] / stable, "tree_rate": stable / tree["statistics"]["time_s"]}
            if tree["statistics"]["stored"] != s["stored"]:
                self.failures.append(f"{name}: {tree['statistics']['stored']} states with --compress, {s['stored']} without")
            row["ratio"] = row["rate"] / row["spin_rate"]
            rows.append(row)
            print(f"{name:34} {states:9} states, {row['rate'] / 1e6:5.2f} M/s, pan {row['spin_rate'] / 1e6:5.2f} M/s, ratio "
                  f"{row['ratio']:5.2f}; bytes a state {row['bytes']:4.0f}, compressed {row['tree_bytes']:4.0f} ({row['tree_rate'] / 1e6:.2f} M/s), "
                  f"pan {row['spin_bytes']:4.0f}", flush=True)
        self.require("of pan's states a second, geometric mean", geometric_mean([r["ratio"] for r in rows]), LEAST_RATE)
        self.require("pan's bytes a state by ours, geometric mean",
                     geometric_mean([r["spin_bytes"] / r["bytes"] for r in rows]), 1)
        print(f"pan's bytes a state by those of --compress, geometric mean: {geometric_mean([r['spin_bytes'] / r['tree_bytes'] for r in rows]):.2f}")
        return rows

    def heuristics(self):
        rows = []
        for name, goal in self.goals():
            row = {"model": name, "goal": goal}
            for heuristic in ["hL", "hc"]:
                result, seconds = self.check(BEEM / name, "--goal", goal, "--search", "greedy", "--heuristic", heuristic)
                row[heuristic] = result["statistics"]["expanded"] if result["verdict"] == "reachable" else None
                row[f"{heuristic}_seconds"] = seconds
                row[f"{heuristic}_steps"] = result["witness_length"]
            rows.append(row)
            print(f"{name:24} {goal[:28]:28} hL {row['hL']!s:>9}  hc {row['hc']!s:>9}", flush=True)
        solved = [r for r in rows if r["hL"] is not None or r["hc"] is not None]
        fewer = [r for r in solved if r["hL"] is not None and (r["hc"] is None or r["hL"] < r["hc"])]
        factors = [r["hc"] / max(1, r["hL"]) for r in solved if r["hL"] and r["hc"]]
        print(f"hc expands {geometric_mean(factors):.1f} times as many states as hL (geometric mean where both find the goal)")
        self.require("fewer states with hL than with hc, share", len(fewer) / len(solved), LEAST_FEWER)
        return rows


def main():
    parts = ["errors", "spaces", "heuristics"]
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts) + "; default: all")
    arguments.add_argument("--build", default=ROOT / "build")
    arguments.add_argument("--limit", type=float, default=60, help="seconds for each run")
    arguments.add_argument("--only", default="", help="files whose name contains this")
    a = arguments.parse_args()
    if unknown := set(a.parts) - set(parts):
        arguments.error(f"no such part: {', '.join(unknown)}")
    if not BEEM.is_dir():
        sys.exit("the shared models are not there: nothing to measure")
    if not shutil.which("spin") or not shutil.which("gcc"):
        sys.exit("spin and gcc are needed (scripts/setup.sh test)")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bench = Bench(a.build, a.limit, a.only)
    RESULTS.mkdir(exist_ok=True)
    for part in a.parts or parts:
        rows = getattr(bench, part)()
        (RESULTS / f"promela-{part}.json").write_text(json.dumps(rows, indent=1) + "\n")
    for failure in bench.failures:
        print(f"falls short: {failure}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
