#!/usr/bin/env python3
"""Random walks: bench/walks.py [PART…] [--seeds N] [--limit S].

  speed     steps a second of blind walks on one core, and walks a second with two threads beside one
  deadlock  150 and 1,000 philosophers: the whole program, from start to end
  spin      the case studies of Bui (2009) beside Spin's default search, end to end (spin -a, gcc -O2, pan -m10000)
  guide     GIOP: guided walks beside blind ones

Times are those of the clock, so the machine should be quiet. Exits with 1 if a goal is missed. Results are kept as JSON in
bench/results. docs/benchmarks.md tells what the numbers mean.
"""

import argparse
import csv
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tables"))
import walk_runs  # noqa: E402  (the measurements are shared with `make tables`)

RESULTS = ROOT / "bench" / "results"
LEAST_STEPS = {"philosophers": 2e6, "giop": 1e6}  # a second
LEAST_THREADS = 1.8  # walks a second, two threads by one
MOST_SECONDS = 1  # to the deadlock of 150 and of 1,000 philosophers

# Case, figure of Bui (2009), sizes there, and sizes at which it has no time of Spin.
BESIDE_SPIN = [
    ("leader", "4.4", (3, 4, 5, 6, 7, 8), (9, 20)),
    ("mutex-low", "6.7", (8, 20, 32, 44, 60), ()),
    ("peterson", "6.10", (3, 5), (7, 9, 11)),
]


def geometric_mean(values):
    return math.exp(statistics.fmean([math.log(v) for v in values]))


class Bench:
    def __init__(self, binary, work, limit, seeds):
        self.binary = binary
        self.work = Path(work)
        self.seeds = walk_runs.primes(seeds)
        self.runner = walk_runs.Runner(binary, self.work, limit, self.seeds, remember=False)
        self.failures = []

    def require(self, what, value, least):
        self.judge(f"{what}: {value:.4g} (at least {least:.4g})", value >= least)

    def allow(self, what, value, most):
        self.judge(f"{what}: {value:.4g} (at most {most:.4g})", value <= most)

    def judge(self, line, good):
        print(line + ("" if good else "   FALLS SHORT"), flush=True)
        if not good:
            self.failures.append(line)

    def has(self, case):
        there = walk_runs.CASES[case].model.is_file()
        if not there:
            print(f"{case}: the shared models are not there, left out")
        return there

    def statistics(self, case, n, *options):
        """Of walks for two seconds towards a goal that does not exist."""
        c = walk_runs.CASES[case]
        defines = [w for d in c.defined(n) for w in ("--define", d)]
        command = [self.binary, "check", c.model, *defines, "--goal", "false", "--no-assert", "--no-deadlock", "--search", "walk",
                   "--time-limit", "2", "--json", "--quiet", *options]
        done = subprocess.run([str(x) for x in command], capture_output=True, text=True, check=False)
        return json.loads(done.stdout)["results"][0]["statistics"]

    def speed(self):
        rows = []
        for case, n in (("philosophers", 100), ("giop", 2)):
            if not self.has(case):
                continue
            s = max((self.statistics(case, n) for _ in range(3)), key=lambda s: s["steps"] / s["time_s"])
            rows.append({"case": case, "steps_per_s": s["steps"] / s["time_s"]})
            self.require(f"steps a second, {walk_runs.CASES[case].title}", rows[-1]["steps_per_s"], LEAST_STEPS[case])
        rates = {}
        for threads in (1, 2):
            options = ["--walk-depth", "1000", "--threads", str(threads)]
            before = walk_runs.processor_time()
            many = [self.statistics("philosophers", 100, *options) for _ in range(3)]
            rates[threads] = {"by_clock": max(s["walks"] / s["time_s"] for s in many),
                              "by_processor": sum(s["walks"] for s in many) / (walk_runs.processor_time() - before)}
        rows.append({"walks_per_s": rates})
        share = rates[2]["by_processor"] / rates[1]["by_processor"]
        print(f"walks by second of processor time, two threads by one: {share:.3f} (tells how busy the machine was, if the next is low)")
        self.require("walks a second, two threads by one", rates[2]["by_clock"] / rates[1]["by_clock"], LEAST_THREADS)
        return rows

    def deadlock(self):
        rows = []
        dining = self.work / "dining.xta"
        dining.write_text(subprocess.run([self.binary, "generate", "dining", "1000"], capture_output=True, text=True, check=True).stdout)
        query = self.work / "dining.q"
        query.write_text("E<> deadlock\n")
        for name, files, defines in (("150 philosophers", [walk_runs.CASES["philosophers"].model], ["N=150"]),
                                     ("1000 philosophers", [dining, query], [])):
            w = self.runner.cell(files, defines, [])
            worst = max(r["wall"] for r in w.runs)
            rows.append({"name": name, "mean": w.mean("wall"), "search": w.mean("time"), "worst": worst, "found": len(w.found)})
            self.require(f"{name}, found, share of {len(self.seeds)} seeds", len(w.found) / len(self.seeds), 1)
            if w.found:
                print(f"{name}: seconds of the search {w.mean('time'):.4f}, longest process {worst:.3f}")
                self.allow(f"{name}, seconds, mean", w.mean("wall"), MOST_SECONDS)
        return rows

    def published_factors(self, figure, sizes):
        """SPIN over ranSPIN_t in Bui (2009); what is printed as 0 ms counts as one."""
        with open(ROOT / "tables" / "bui.csv", newline="") as file:
            cells = {(r["figure"], r["size"], r["column"]): r["value"] for r in csv.DictReader(file)}
        unit = 1000 if figure.startswith("4") else 1
        times = [[max(1, unit * float(cells[figure, str(n), f"{v} t"])) for v in ("Spin", "ranSPIN_t")] for n in sizes]
        return [spin / ours for spin, ours in times]

    def spin(self):
        rows = []
        if not shutil.which("spin") or not shutil.which("gcc"):
            print("spin and gcc are not there: nothing to compare with (scripts/setup.sh test)")
            return rows
        for case, figure, sizes, larger in BESIDE_SPIN:
            c = walk_runs.CASES[case]
            factors = []
            found = 0
            theirs = dict(zip(sizes, self.published_factors(figure, sizes)))
            for n in sizes:
                w = self.runner.cell([c.model], c.defined(n), [])
                s = self.runner.spin(c.model, c.defined(n), 10000)
                found += len(w.found)
                mean = w.mean("wall") or self.runner.limit
                factors.append(s["seconds"] / mean)
                rows.append({"case": case, "size": n, "walk": mean, "search": w.mean("time"), "spin": s["seconds"], "pan": s.get("pan"),
                             "spin_found": s["found"]})
                print(f"{c.title} {n}: {mean * 1000:.1f} ms, search {1000 * (w.mean('time') or 0):.2f} ms; Spin {s['seconds']:.2f} s, pan "
                      f"{s.get('pan', 0):.2f} s{'' if s['found'] else ', not found'}", flush=True)
                if not s["found"] and factors[-1] < theirs[n]:
                    print(f"{c.title} {n}: more than {factors[-1]:.4g} times as fast as Spin, Bui (2009) has {theirs[n]:.4g}: "
                          "not decided")
                else:
                    self.require(f"{c.title} {n}, times as fast as Spin end to end", factors[-1], theirs[n])
            for n in larger:
                w = self.runner.cell([c.model], c.defined(n), [])
                found += len(w.found)
                print(f"{c.title} {n}: {1000 * (w.mean('wall') or 0):.1f} ms, search {1000 * (w.mean('time') or 0):.2f} ms", flush=True)
            self.require(f"{c.title}, found, share of runs", found / len(sizes + larger) / len(self.seeds), 1)
            print(f"{c.title}, times as fast as Spin end to end, geometric mean over the sizes: {geometric_mean(factors):.4g}, "
                  f"Bui (2009) {geometric_mean(theirs.values()):.4g}")
        return rows

    def guide(self):
        if not self.has("giop"):
            return []
        c = walk_runs.CASES["giop"]
        rows = {name: self.runner.cell([c.model], [], c.aim() + list(guide)) for name, guide in (("blind", []), ("guided", c.guide))}
        out = []
        for name, w in rows.items():
            self.require(f"GIOP {name}, found, share of {len(self.seeds)} seeds", len(w.found) / len(self.seeds), 1)
            out.append({"name": name, "walks": w.mean("walks"), "steps": w.mean("steps"), "length": w.mean("length"),
                        "seconds": w.mean("wall"), "found": len(w.found)})
            print(f"GIOP {name}: {out[-1]}")
        if rows["blind"].found and rows["guided"].found:
            blind, guided = (rows[name].mean("walks") for name in ("blind", "guided"))
            self.judge(f"GIOP, walks in the mean: guided {guided:.2f}, blind {blind:.2f} (fewer)", guided < blind)
        return out


def main():
    parts = ["speed", "deadlock", "spin", "guide"]
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("parts", nargs="*", metavar="PART", help=", ".join(parts) + "; default: all")
    arguments.add_argument("--build", type=Path, default=ROOT / "build")
    arguments.add_argument("--limit", type=float, default=60, help="seconds for each run")
    arguments.add_argument("--seeds", type=int, default=50, help="of random numbers, for each mean")
    a = arguments.parse_args()
    if unknown := set(a.parts) - set(parts):
        arguments.error(f"no such part: {', '.join(unknown)}")
    binary = a.build.resolve() / "bin" / "harrier"
    if not binary.is_file():
        sys.exit(f"{binary} is not there: build it first (make build)")
    RESULTS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        bench = Bench(binary, work, a.limit, a.seeds)
        for part in a.parts or parts:
            rows = getattr(bench, part)()
            (RESULTS / f"walks-{part}.json").write_text(json.dumps(rows, indent=1) + "\n")
    for failure in bench.failures:
        print(f"falls short: {failure}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
