#!/usr/bin/env python3
"""Measures Harrier and fails where it falls short: `make bench`, or bench/run.py [PART…].

  models      whole state spaces, beside the numbers of another checker: at least 5 times as fast, no more states, less memory
  proofs      timed models with what makes proofs cheaper and without
  native      states a second with native code and with bytecode; no model may become slower
  heuristics  evaluations of hU and hL a second, on samples of reachable states, without allocating memory
  searches    states that are given an estimate a second, within greedy searches
  micro       everything else that bench/*_bench.cpp measures; nothing to fail

Times are processor time, the best of several runs, so that other work on the machine disturbs them little.
docs/benchmarks.md tells what the numbers mean. Results are kept as JSON in bench/results.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models"
RESULTS = ROOT / "bench" / "results"

LEAST_SPEEDUP = 5  # of the peer's time; 10 is the aim
AIMED_SPEEDUP = 10
LEAST_EVALUATIONS = {"hU": 150_000, "hL": 250_000}  # a second; other heuristics are measured only

# The peer: zone inclusion, Extra+_LU with bounds by location, breadth-first, one thread, on this kind of machine.
# name, file, options: expanded, successors, seconds, MB
PEER = [
    ("fischer-8", "speed/fischer-8.xta", [], 40_536, 132_592, 1.24, 28),
    ("fischer-9", "speed/fischer-9.xta", [], 135_485, 487_458, 6.0, 55),
    ("fischer-10", "speed/fischer-10.xta", [], 447_598, 1_758_660, 31.9, 141),
    ("csma-8", "speed/csma-8.xta", [], 20_738, 48_091, 0.64, 27),
    ("csma-10", "speed/csma-10.xta", [], 144_898, 328_381, 7.1, 78),
    ("A3", "dmc/arbiter/A3.xml", ["--query", "A[] true"], 248_075, 1_070_542, 2.5, 120),
]

# Our own models, which are always there: family, size, options.
OWN = [
    ("fischer", 8, []),
    ("fischer", 9, []),
    ("csma", 8, []),
    ("train-gate", 6, []),
    ("arbiter", 3, ["--query", "A[] true"]),
    ("hanoi", 8, ["--query", "A[] true"]),
]

# Proofs with one thread: family, size, whether it is also proved without what makes proofs cheaper, how much faster than that it has to be,
# and within how many seconds.
PROOFS = [
    ("fischer", 10, True, 3, None),
    ("fischer", 15, False, None, 60),
    ("csma", 8, True, 0.9, None),
    ("csma", 10, True, 0.9, None),
    ("csma", 12, False, None, 600),
    ("csma", 14, False, None, 600),
    ("train-gate", 6, True, 0.9, None),
]
PROOF_MEMORY_MB = 8192
# With native code and without: file below the shared models, options. Some spend their time in the store, some in the model.
NATIVE = [
    ("speed/petersonN.pml", ["--reduction", "off", "--symmetry", "off"]),
    ("speed/petersonN.pml", []),
    ("promela/beem/lamport.6.pm", []),
    ("promela/beem/extinction.1.pm", ["--reduction", "off"]),
    ("promela/beem/rushhour.3.pm", []),
    ("promela/beem/sokoban.2.pm", []),
]
LEAST_NATIVE_GAIN = 0.95  # of the time with bytecode by that with native code, without that of the compiler
# What makes proofs cheaper, switched off.
PLAIN = {"--symmetry": "off", "--reduction": "off", "--no-simplify": ""}


class Bench:
    def __init__(self, build, runs):
        self.bin = Path(build).resolve() / "bin"
        self.runs = runs
        self.failures = []
        self.scratch = tempfile.TemporaryDirectory()
        if not (self.bin / "harrier").is_file():
            sys.exit(f"{self.bin / 'harrier'} is not there: build it first (make build)")

    def fail(self, message):
        self.failures.append(message)

    def generate(self, family, n):
        """Writes a model of a family and its query; returns the path of the model."""
        model = Path(self.scratch.name) / f"{family}-{n}.xta"
        command = [self.bin / "harrier", "generate", family, str(n)]
        model.write_bytes(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        query = subprocess.run(command + ["--query"], check=True, stdout=subprocess.PIPE).stdout
        model.with_suffix(".q").write_bytes(query)
        return model

    def check(self, model, options, runs=None, codes=(0, 10)):
        """The result of the last query of `harrier check`, with the least processor time and memory of several runs of the program."""
        best = None
        for _ in range(runs or self.runs):
            out = Path(self.scratch.name) / "out"
            with open(out, "wb") as file:
                command = [str(self.bin / "harrier"), "check", str(model), "--json", "--quiet", *options]
                child = subprocess.Popen(command, stdout=file)
                _, status, usage = os.wait4(child.pid, 0)
                child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode not in codes:
                sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
            result = json.loads(out.read_text())["results"][-1]
            result["cpu_s"] = usage.ru_utime + usage.ru_stime
            result["rss_bytes"] = usage.ru_maxrss * 1024
            if best is None:
                best = result
            best["cpu_s"] = min(best["cpu_s"], result["cpu_s"])
            best["rss_bytes"] = min(best["rss_bytes"], result["rss_bytes"])
        return best

    def model_row(self, name, model, options, peer=None):
        result = self.check(model, ["--search", "bfs", *options])
        s = result["statistics"]
        seconds, memory = result["cpu_s"], result["rss_bytes"] / 1e6
        row = {
            "model": name,
            "verdict": result["verdict"],
            "expanded": s["expanded"],
            "generated": s["generated"],
            "stored": s["stored"],
            "seconds": seconds,
            "successors_per_second": s["generated"] / seconds,
            "bytes_per_state": s["memory_bytes"] / max(1, s["stored"]),
            "memory_mb": memory,
        }
        if result["verdict"] != "unreachable":
            self.fail(f"{name}: {result['verdict']}, although it should be proved unreachable")
        if peer:
            expanded, generated, peer_seconds, peer_memory = peer
            row["speedup"] = peer_seconds / seconds
            row["memory_ratio"] = memory / peer_memory
            if row["speedup"] < LEAST_SPEEDUP:
                self.fail(f"{name}: {row['speedup']:.1f} times as fast as the peer, not {LEAST_SPEEDUP}")
            if memory >= peer_memory:
                self.fail(f"{name}: {memory:.0f} MB, the peer {peer_memory} MB")
            if s["expanded"] > expanded or s["generated"] > generated:
                self.fail(f"{name}: {s['expanded']} expanded and {s['generated']} generated, above the peer's counts")
        return row

    def models(self):
        rows = []
        for name, path, options, *peer in PEER:
            if (SHARED / path).is_file():
                rows.append(self.model_row(name, SHARED / path, options, peer))
            else:
                print(f"skipped {name}: {path} is not in ../shared/models")
        for family, n, options in OWN:
            rows.append(self.model_row(f"generate {family} {n}", self.generate(family, n), options))
        print(f"\n{'model':<22}{'expanded':>10}{'generated':>11}{'time':>9}{'speed-up':>10}{'succ./s':>11}"
              f"{'B/state':>9}{'memory':>10}{'of peer':>9}")
        for r in rows:
            speedup = f"{r['speedup']:.1f}" + (" *" if r["speedup"] >= AIMED_SPEEDUP else "  ") if "speedup" in r else "-  "
            ratio = f"{r['memory_ratio']:.0%}" if "memory_ratio" in r else "-"
            print(f"{r['model']:<22}{r['expanded']:>10}{r['generated']:>11}{r['seconds']:>7.2f} s{speedup:>10}"
                  f"{r['successors_per_second']:>11.0f}{r['bytes_per_state']:>9.0f}{r['memory_mb']:>7.1f} MB{ratio:>9}")
        print(f"speed-up over the peer: at least {LEAST_SPEEDUP} is demanded, * meets the aim of {AIMED_SPEEDUP}")
        return rows

    def options_that_apply(self, options, model):
        """Those of some options that the program has, and does not refuse for this model."""
        out = []
        for name, value in options.items():
            words = [name, *value.split()]
            command = [self.bin / "harrier", "check", model, "--search", "bfs", "--quiet", "--depth", "1", *words]
            if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode not in (2, 3):
                out += words
        return out

    def proofs(self):
        rows = []
        print(f"\n{'proof':<22}{'stored':>10}{'time':>9}{'memory':>11}{'plain':>11}{'time':>9}{'factor':>8}")
        for family, n, also_plain, factor, seconds in PROOFS:
            model = self.generate(family, n)
            limits = ["--search", "bfs", "--memory-limit", str(PROOF_MEMORY_MB), "--time-limit", str(4 * (seconds or 150)), "--select", "1"]
            alone = self.options_that_apply({"--threads": "1"}, model)
            runs = 1 if seconds else None
            result = self.check(model, limits + alone, runs, (0, 10, 20))
            row = {"model": f"{family} {n}", "verdict": result["verdict"], "stored": result["statistics"]["stored"],
                   "seconds": result["cpu_s"], "memory_mb": result["rss_bytes"] / 1e6}
            text = f"{row['model']:<22}{row['stored']:>10}{row['seconds']:>7.2f} s{row['memory_mb']:>8.0f} MB"
            if row["verdict"] != "unreachable":
                self.fail(f"proof of {row['model']}: {row['verdict']}")
            elif seconds and row["seconds"] > seconds:
                self.fail(f"proof of {row['model']}: {row['seconds']:.0f} s, not {seconds}")
            if also_plain:
                plain = self.check(model, limits + alone + self.options_that_apply(PLAIN, model), runs, (0, 10, 20))
                row |= {"plain_stored": plain["statistics"]["stored"], "plain_seconds": plain["cpu_s"], "factor": plain["cpu_s"] / row["seconds"]}
                text += f"{row['plain_stored']:>11}{row['plain_seconds']:>7.2f} s{row['factor']:>8.2f}"
                if row["factor"] < factor:
                    self.fail(f"proof of {row['model']}: {row['factor']:.2f} times as fast as without anything, not {factor}")
            print(text, flush=True)
            rows.append(row)
        return rows

    def micro_results(self, name, *options):
        out = RESULTS / f"{name}.json"
        subprocess.run([self.bin / name, f"--benchmark_out={out}", "--benchmark_out_format=json", *options], check=True,
                       stdout=None if not options else subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.loads(out.read_text())["benchmarks"]

    def best_of(self, name, pattern):
        """The fastest of several runs of each benchmark that matches, by name."""
        best = {}
        options = [f"--benchmark_filter={pattern}", f"--benchmark_repetitions={self.runs}", "--benchmark_min_time=0.2"]
        for b in self.micro_results(name, *options):
            if b.get("error_occurred"):
                print(f"skipped {b['run_name']}: {b['error_message']}")
            elif b["run_type"] == "iteration":
                best[b["run_name"]] = max(best.get(b["run_name"], b), b, key=lambda r: r["items_per_second"])
        return best

    def heuristics(self):
        best = self.best_of("heuristic_bench", "^(useless/)?(hU|hL|hCG)/")
        print(f"\n{'heuristic alone':<22}{'evaluations/s':>15}{'goal':>10}{'allocations':>13}")
        for name, b in best.items():
            goal = LEAST_EVALUATIONS.get(name.split("/")[0])
            print(f"{name:<22}{b['items_per_second']:>15.0f}{goal or '-':>10}{b['allocations']:>13.0f}")
            if goal and b["items_per_second"] < goal:
                self.fail(f"{name}: {b['items_per_second']:.0f} evaluations a second, not {goal}")
            if b["allocations"]:
                self.fail(f"{name}: memory is allocated {b['allocations']:.0f} times by 10,000 evaluations")
        return best

    def searches(self):
        best = self.best_of("search_bench", "")
        print(f"\n{'search':<24}{'length':>7}{'expanded':>10}{'estimated':>11}{'computed':>10}{'time':>11}"
              f"{'estimated/s':>13}{'computed/s':>12}{'goal':>9}")
        for name, b in best.items():
            search, heuristic, _ = name.split("/")
            goal = LEAST_EVALUATIONS[heuristic] if search == "greedy" else None
            print(f"{name:<24}{b['length']:>7.0f}{b['expanded']:>10.0f}{b['estimated']:>11.0f}{b['computed']:>10.0f}"
                  f"{b['cpu_time']:>8.1f} ms{b['items_per_second']:>13.0f}{b['computed_per_second']:>12.0f}{goal or '-':>9}")
            if goal and b["items_per_second"] < goal:
                self.fail(f"{name}: {b['items_per_second']:.0f} states estimated a second, not {goal}")
        return best

    def native(self):
        print(f"\n{'native code':<32}{'stored':>10}{'bytecode':>11}{'native':>9}{'gain':>7}{'compiling':>11}")
        rows = []
        for name, options in NATIVE:
            model = SHARED / name
            if not model.is_file():
                print(f"{name:<32}  skipped: not there")
                continue

            def seconds(native):
                """Of the search, by the clock, the best of several runs; and of the compiler."""
                words = ["--search", "dfs", "--no-deadlock", *options, "--native", native]
                runs = [self.check(model, words, runs=1)["statistics"] for _ in range(2 * self.runs)]
                best = min(runs, key=lambda s: s["time_s"] - s.get("native_s", 0))
                return best, best["time_s"] - best.get("native_s", 0)

            plain, plain_s = seconds("off")
            compiled, compiled_s = seconds("on")
            row = {"model": name, "options": options, "bytecode_s": plain_s, "native_s": compiled_s, "gain": plain_s / compiled_s,
                   "compiling_s": compiled.get("native_s", 0)}
            rows.append(row)
            print(f"{name:<32}{plain['stored']:>10}{plain_s:>9.2f} s{compiled_s:>7.2f} s{row['gain']:>7.2f}{row['compiling_s']:>9.2f} s", flush=True)
            if plain["stored"] != compiled["stored"]:
                self.fail(f"{name}: {compiled['stored']} states with native code, {plain['stored']} without")
            if row["gain"] < LEAST_NATIVE_GAIN:
                self.fail(f"{name}: {row['gain']:.2f} times as fast with native code, not {LEAST_NATIVE_GAIN}")
        return rows

    def micro(self):
        for path in sorted(self.bin.glob("*_bench")):
            print(f"\n{path.name}", flush=True)
            self.micro_results(path.name)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parts = ["models", "proofs", "native", "heuristics", "searches", "micro"]
    parser.add_argument("part", nargs="*", help=f"any of {', '.join(parts)}; default: all")
    parser.add_argument("--build", default=ROOT / "build", help="build directory (default: build)")
    parser.add_argument("--runs", type=int, default=3, help="runs of each measurement, of which the best counts")
    arguments = parser.parse_args()
    if unknown := set(arguments.part) - set(parts):
        parser.error(f"unknown part {', '.join(sorted(unknown))}")
    RESULTS.mkdir(parents=True, exist_ok=True)
    bench = Bench(arguments.build, max(1, arguments.runs))
    results = {part: getattr(bench, part)() for part in parts if not arguments.part or part in arguments.part}
    results["failures"] = bench.failures
    (RESULTS / "run.json").write_text(json.dumps(results, indent=2) + "\n")
    for failure in bench.failures:
        print(f"FAILED  {failure}", file=sys.stderr)
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
