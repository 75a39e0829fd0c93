#!/usr/bin/env python3
"""Proofs beside Spin as its users run it: bench/spin.py [--all] [--limit S] [--only TEXT].

Spin has its defaults (partial-order reduction, dead variables, merged statements): spin -a, gcc -O2 -DSAFETY, pan with a depth
that suffices. Harrier has its defaults: `harrier check FILE --search dfs` with one thread, `--search bfs --reduction on` with two, and
`harrier check FILE`. Both look for failed assertions and invalid end states; where there is an invalid end state, for assertions
only (pan -E, --no-deadlock). Models with an error are left out, and so are those with less than 10^4 states, where nothing makes them fewer.

Times of one thread are processor time; those of two threads and of a plain `check`, which may use every core, are those of the
clock, as is what they are compared with. Bytes a state are those of everything that grows with Harrier's search, and of states
without table and stack for pan. A model of which Harrier stores less than 100 states needs no search; it is shown, and not part of the
means. Results are kept as JSON in bench/results; docs/benchmarks.md tells what the numbers mean.
"""

import argparse
import csv
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models"
RESULTS = ROOT / "bench" / "results"

MOST_STATES = 1  # of Spin's, geometric mean
MOST_STATES_ONCE = 3  # of Spin's, for each model
LEAST_SPEEDUP = 2  # of pan's time, one thread, geometric mean
LEAST_SPEEDUP_TWO = 3  # two threads
LEAST_SPEEDUP_ALL = 10  # with spin and gcc counted, plain check
MOST_BYTES = 0.5  # of pan's bytes a state, geometric mean
LEAST_STATES = 10_000
MOST_KNOWN = 10_000_000  # without reduction: larger ones only by --all
TRIVIAL = 100
MEMORY_MB = 8000
LATE = "late"  # instead of an exit code: the time was not enough


@dataclass
class Run:
    output: str
    code: object
    cpu: float
    wall: float
    memory: int


def run(command, cwd=None, limit=None):
    """`limit`: seconds of processor time; by the clock, four times as many, since other work may go on."""
    start = time.monotonic()
    bound = (lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit))) if limit else None
    with tempfile.TemporaryFile("w+", errors="replace") as out:
        child = subprocess.Popen([str(word) for word in command], cwd=cwd, stdout=out, stderr=subprocess.STDOUT, preexec_fn=bound)
        late = threading.Timer(4 * limit, child.kill) if limit else None
        if late:
            late.start()
        _, status, usage = os.wait4(child.pid, 0)
        wall = time.monotonic() - start
        child.returncode = os.waitstatus_to_exitcode(status)
        if late:
            late.cancel()
        out.seek(0)
        killed = limit is not None and child.returncode < 0 and (wall >= limit or usage.ru_utime + usage.ru_stime >= limit - 1)
        return Run(out.read(), LATE if killed else child.returncode, usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss * 1024)


def best(command, cwd, limit):
    """The fastest of up to three runs; one is enough where it is long."""
    out = run(command, cwd, limit)
    for _ in range(2):
        if out.code != LATE and out.wall < 3:
            again = run(command, cwd, limit)
            out.cpu, out.wall = min(out.cpu, again.cpu), min(out.wall, again.wall)
    return out


def geometric_mean(values):
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else float("nan")


class Spin:
    """A model made with Spin and gcc in a directory of its own."""

    def __init__(self, model, defines, limit):
        self.scratch = tempfile.TemporaryDirectory()
        self.dir = Path(self.scratch.name)
        shutil.copy(model, self.dir / "model.pml")
        made = run(["spin", "-a", *(f"-D{d}" for d in defines), "model.pml"], self.dir)
        flags = ["-O2", "-w", "-DSAFETY", f"-DMEMLIM={MEMORY_MB}", "-DVECTORSZ=4096"]
        compiled = run(["gcc", *flags, "-o", "pan", "pan.c"], self.dir)
        self.compile_cpu = made.cpu + compiled.cpu
        self.compile_wall = made.wall + compiled.wall
        self.refused = not (self.dir / "pan").is_file()
        self.limit = limit

    def pan(self):
        """The best run and the options it needs to be without errors; None instead of the run: there is none."""
        for options in ([], ["-E"]):
            for depth in ("10000", "1000000", "20000000"):
                out = run(["./pan", f"-m{depth}", *options], self.dir, self.limit)
                if "max search depth too small" not in out.output:
                    break
            errors = re.search(r"errors: (\d+)", out.output)
            if out.code == LATE or not errors or "max search depth" in out.output or "out of memory" in out.output:
                return None, "over the limit"
            if errors[1] == "0":
                return (best(["./pan", f"-m{depth}", *options], self.dir, self.limit) if out.wall < 3 else out), options
            if "invalid end state" not in out.output:
                break
        return None, "has an error"


def statistics_of(out):
    """The verdict, states stored outside of atomic sequences, bytes a state, and seconds of the search, as Harrier counts them."""
    result = json.loads(out.output)["results"][0]
    s = result.get("statistics") or {}
    stored = s.get("stored", 0)
    return result["verdict"], stored, s.get("memory_bytes", 0) / max(1, stored), s.get("time_s", 0)


class Bench:
    def __init__(self, build, limit):
        self.harrier = Path(build).resolve() / "bin" / "harrier"
        self.limit = limit
        self.failures = []
        if not self.harrier.is_file():
            sys.exit(f"{self.harrier} is not there: build it first (make build)")
        self.one = self.first_accepted(["--search", "dfs", "--threads", "1"], ["--search", "dfs"])
        self.plain = [word for words in (["--reduction", "off"], ["--no-simplify"], ["--symmetry", "off"]) if self.accepted(words) for word in words]
        # Of several threads, by the search that has them.
        self.two = self.first_accepted(["--search", "bfs", "--reduction", "on", "--threads", "2"], ["--search", "bfs", "--threads", "2"])

    def accepted(self, words):
        return bool(self.first_accepted(["--search", "dfs", *words]))

    def first_accepted(self, *ways):
        for words in ways:
            if run([self.harrier, "check", ROOT / "models" / "peterson.pml", "--quiet", *words]).code in (0, 10):
                return words
        return None

    def require(self, what, value, bound, most=False):
        good = value <= bound if most else value >= bound
        print(f"{what}: {value:.3g} (at {'most' if most else 'least'} {bound}){'' if good else '   FALLS SHORT'}")
        if not good:
            self.failures.append(what)

    def check(self, model, defines, *options):
        defined = [word for d in defines for word in ("--define", d)]
        return best([self.harrier, "check", model, *defined, "--json", "--quiet", "--memory-limit", MEMORY_MB, *options], None, 2 * self.limit)

    def unreduced(self, model, defines, question):
        """States without anything that makes them fewer."""
        out = self.check(model, defines, "--search", "dfs", *question, *self.plain)
        return statistics_of(out)[1] if out.code in (0, 10, 20) else LEAST_STATES

    def row(self, name, defines):
        """What was measured, or why nothing was."""
        model = SHARED / name
        spin = Spin(model, defines, self.limit)
        if spin.refused:
            return "Spin makes no program of it that gcc compiles"
        pan, options = spin.pan()
        if pan is None:
            return f"Spin: {options}"
        question = ["--no-deadlock"] if options else []
        one = self.check(model, defines, *self.one, *question)
        states = int(re.search(r"(\d+) states, stored", pan.output)[1])
        if one.code not in (0, 10, 20):
            self.failures.append(f"{name}: Harrier proves nothing, Spin has {states} states")
            return f"Harrier is {one.code}; Spin has {states} states in {pan.cpu:.2f} s; {one.output.strip()[:200]}"
        verdict, stored, size, seconds = statistics_of(one)
        if verdict != "unreachable":
            self.failures.append(f"{name}: Harrier says {verdict}, Spin finds no error")
            return f"Harrier: {verdict}; Spin has {states} states in {pan.cpu:.2f} s"
        if max(stored, states) < LEAST_STATES and self.unreduced(model, defines, question) < LEAST_STATES:
            return f"small: {states} states, ours {stored}"
        memory = re.search(r"([\d.]+)\s+actual memory usage for states", pan.output) or re.search(
            r"([\d.]+)\s+equivalent memory usage", pan.output)
        row = {"model": " ".join([name, *defines]), "question": "assertions" if options else "assertions, end states", "spin_states": states,
               "states": stored, "pan_s": pan.cpu, "pan_wall_s": pan.wall, "one_s": one.cpu, "one_wall_s": one.wall, "search_s": seconds,
               "spin_bytes": float(memory[1]) * 2**20 / states, "bytes": size, "pan_total_bytes": pan.memory, "total_bytes": one.memory,
               "compile_s": spin.compile_cpu, "compile_wall_s": spin.compile_wall}
        if self.two:
            row["two_wall_s"] = self.check(model, defines, *self.two, *question).wall
        plain = self.check(model, defines, *question)
        row["plain_wall_s"], row["plain_s"] = plain.wall, plain.cpu
        row["plain_verdict"], row["plain_states"] = statistics_of(plain)[:2] if plain.code in (0, 10, 20) else ("failed", 0)
        if row["plain_verdict"] != "unreachable":
            self.failures.append(f"{name}: a plain check says {row['plain_verdict']}")
        return row

    def measure(self, models):
        rows = []
        if os.getloadavg()[0] > os.cpu_count() / 2:
            print("other work goes on here: times of the clock tell little")
        print(f"{'model':30}{'spin states':>12}{'ours':>11}{'ratio':>7}{'pan':>9}{'1 thread':>10}{'factor':>8}{'2, clock':>10}{'factor':>8}"
              f"{'B/state':>9}{'spin':>6}{'plain':>9}{'all':>8}")
        for name, *defines in models:
            row = self.row(name, defines)
            if isinstance(row, str):
                print(f"{' '.join([Path(name).name, *defines]):30} left out: {row}", flush=True)
                continue
            row |= {"ratio": row["states"] / row["spin_states"], "factor": row["pan_s"] / row["one_s"],
                    "factor_two": row["pan_wall_s"] / row["two_wall_s"] if "two_wall_s" in row else None,
                    "factor_all": (row["pan_wall_s"] + row["compile_wall_s"]) / row["plain_wall_s"], "trivial": row["states"] < TRIVIAL}
            rows.append(row)
            short = [what for what, bad in (("states", row["ratio"] > MOST_STATES_ONCE), ("time", row["factor"] < 1),
                                            ("bytes", row["bytes"] > MOST_BYTES * row["spin_bytes"] and not row["trivial"])) if bad]
            two = f"{row['two_wall_s']:8.2f} s{row['factor_two']:8.2f}" if self.two else f"{'-':>10}{'-':>8}"
            print(f"{Path(row['model']).name:30}{row['spin_states']:12}{row['states']:11}{row['ratio']:7.2f}{row['pan_s']:7.2f} s"
                  f"{row['one_s']:8.2f} s{row['factor']:8.2f}{two}{row['bytes']:9.0f}{row['spin_bytes']:6.0f}{row['plain_wall_s']:7.2f} s"
                  f"{row['factor_all']:8.1f}  {'no search' if row['trivial'] else ''}{'behind in ' + ', '.join(short) if short else ''}", flush=True)
        return rows

    def judge(self, rows):
        counted = [r for r in rows if not r["trivial"]]
        print(f"{len(rows)} models, {len(rows) - len(counted)} of them decided without a search and left out of the means")
        if not counted:
            self.failures.append("nothing was measured")
            return
        for row in counted:
            if row["ratio"] > MOST_STATES_ONCE:
                self.failures.append(f"{row['model']}: {row['ratio']:.2f} times Spin's states")
        self.require("of Spin's states, geometric mean", geometric_mean([r["ratio"] for r in counted]), MOST_STATES, most=True)
        self.require("times as fast as pan with one thread, geometric mean", geometric_mean([r["factor"] for r in counted]), LEAST_SPEEDUP)
        if self.two:
            self.require("times as fast as pan with two threads, geometric mean", geometric_mean([r["factor_two"] for r in counted]),
                         LEAST_SPEEDUP_TWO)
        else:
            self.failures.append("no exhaustive search has --threads")
        self.require("of pan's bytes a state, geometric mean", geometric_mean([r["bytes"] / r["spin_bytes"] for r in counted]), MOST_BYTES,
                     most=True)
        self.require("times as fast as spin, gcc and pan, geometric mean", geometric_mean([r["factor_all"] for r in counted]),
                     LEAST_SPEEDUP_ALL)


def known_sizes():
    """Reachable states of the BEEM files, where it tells."""
    with open(SHARED / "promela" / "beem" / "goals.csv", newline="") as file:
        return {row["file"]: int(row["dve_reachable_states"]) for row in csv.DictReader(file) if row["dve_reachable_states"]}


def models(everything, only):
    """Shared files, each with what is to be defined."""
    out = [("speed/petersonN.pml", "N=4")] + [("speed/petersonN.pml", "N=5")] * everything
    sizes = known_sizes()
    for folder, pattern in (("spin", "*.pml"), ("giop", "*.pr"), ("beem", "*.pm")):
        for path in sorted((SHARED / "promela" / folder).glob(pattern)):
            if everything or 0.8 * LEAST_STATES <= sizes.get(path.name, LEAST_STATES) <= MOST_KNOWN:
                out.append((f"promela/{folder}/{path.name}",))
    return [m for m in out if any(text in " ".join(m) for text in only.split(","))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=ROOT / "build", help="build directory (default: build)")
    parser.add_argument("--limit", type=int, default=120, help="seconds of processor time for each run")
    parser.add_argument("--only", default="", help="files whose name contains one of these, separated by commas")
    parser.add_argument("--all", action="store_true", help="also petersonN for 5, and those that are known to be small or large")
    a = parser.parse_args()
    if not (SHARED / "promela").is_dir():
        sys.exit("the shared models are not there: nothing to measure")
    if not shutil.which("spin") or not shutil.which("gcc"):
        sys.exit("spin and gcc are needed (scripts/setup.sh test)")
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    bench = Bench(a.build, a.limit)
    RESULTS.mkdir(parents=True, exist_ok=True)
    rows = bench.measure(models(a.all, a.only))
    bench.judge(rows)
    (RESULTS / "spin.json").write_text(json.dumps({"rows": rows, "failures": bench.failures}, indent=1) + "\n")
    for failure in bench.failures:
        print(f"falls short: {failure}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
