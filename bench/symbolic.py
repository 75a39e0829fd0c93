#!/usr/bin/env python3
"""Symbolic searches: bench/symbolic.py [PART…] [--limit S] [--seeds N].

  smv       the shared SMV files beside the numbers of another checker: reachable states, diameter, verdicts, lengths; times and memory
  explicit  beside breadth-first search from state to state, on models of UPPAAL, SMV and Promela: verdicts, shortest lengths, states
  proof     a property of 40 philosophers that holds: proved by sets of states, and how far single states go
  walks     what is asked of figures 5.8 and 7.7 of Bui (2009): send/receive and Peterson with a low PEP

Times are processor time of the whole program. Exits with 1 if a number is another one or a goal is missed; what does not end within
the limit is listed and is no failure. Models that are not there are skipped with a message. Results are kept as JSON in
bench/results. docs/benchmarks.md tells what the numbers mean.
"""

import argparse
import csv
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tables"))
import symbolic_claims  # noqa: E402  (the measurements are shared with `make tables`)
import symbolic_runs  # noqa: E402
import walk_runs  # noqa: E402

SHARED = ROOT.parent / "shared" / "models"
SMV = SHARED / "smv"
BEEM = SHARED / "promela" / "beem"
RESULTS = ROOT / "bench" / "results"

LARGER = 0.1  # seconds that the other checker needs: only such files count for the mean ratios
MEMORY = 24 * 2**30  # bytes of the machine that explicit search is said not to do with
WHOLE = "whole_space"
# An error for which a guided search from state to state is the fastest: shortest length, and what the other checker needs to get there.
GUIDED_FILE, GUIDED_LENGTH, GUIDED_CPU = "example_irst-dme4.smv", 52, 1.8
GUIDED = ("--search", "wastar", "--weight", "2", "--heuristic", "hff", "--prefer", "preferred")
TEMPORAL = re.compile(r"\b(AG|AF|AX|EG|EF|EX|A|E|U|V|X|F|G|ABF|ABG|EBF|EBG)\b")

FAMILIES = [
    ("arbiter", "uppaal", (2, 3, 4)), ("hanoi", "uppaal", (3, 4, 5)), ("dining", "uppaal", (8, 12, 16, 20, 24, 30)),
    ("philosophers", "smv", (8, 10, 12, 16, 20, 24, 30)),
]
LENGTHS = {"dining": lambda n: n, "philosophers": lambda n: 2 * n, "arbiter": lambda n: 2 * n + 8, "hanoi": lambda n: 2 ** (n + 2) - 2 * n - 4}
# Files that both searches finish; anderson, brp, bridge, elevator and fischer have states inside of atomic sequences.
PROMELA = ["adding.1", "anderson.4", "bakery.2", "bakery.3", "bridge.1", "brp.2", "elevator.2", "fischer.2", "frogs.2", "schedule_world.1"]
PROOF_SIZE = 40
NO_NEIGHBOURS = "A[] forall (i : seat_t) not (Philosopher(i).eating and Philosopher((i + 1) % N).eating)"


def geometric_mean(values):
    return math.exp(statistics.fmean([math.log(v) for v in values])) if values else float("nan")


def is_invariant(text):
    """Whether a property is one of those that the manifest has: an invariant that can be read off the file."""
    if text.startswith("INVARSPEC"):
        return True
    match = re.match(r"(?:SPEC AG|CTLSPEC AG|LTLSPEC G)\b(.*)", text, re.S)
    return bool(match) and not TEMPORAL.search(match[1])


class Bench:
    def __init__(self, binary, work, limit, seeds):
        self.binary = binary
        self.work = Path(work)
        self.limit = limit
        self.seeds = seeds
        self.failures = []

    def judge(self, line, good):
        """Neither good nor bad is None: a limit leaves it open."""
        print(line + {True: "", False: "   FALLS SHORT", None: "   not decided"}[good], flush=True)
        if good is False:
            self.failures.append(line)

    def same(self, what, ours, theirs):
        if ours != theirs:
            self.failures.append(f"{what}: {ours}, not {theirs}")
        return ours == theirs

    def check(self, model, *options):
        """All results of a run, with processor time and the largest resident set in MB."""
        command = [str(self.binary), "check", str(model), "--json", "--quiet", "--time-limit", str(self.limit), *options]
        out = self.work / "out.json"
        with open(out, "wb") as file, open(self.work / "err.txt", "wb") as errors:
            child = subprocess.Popen(command, stdout=file, stderr=errors)
            _, _, usage = os.wait4(child.pid, 0)
            child.returncode = 0  # it has been waited for
        answer = json.loads(out.read_text())
        if "error" in answer:
            self.failures.append(f"{Path(model).name} {' '.join(options)}: {answer['error']['text']}")
        return answer["results"], usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024

    def one(self, model, *options):
        """The last result, as a row: a query that is given comes after those of the file."""
        results, cpu, memory = self.check(model, *options)
        if not results:
            return {"verdict": "none", "cpu": cpu, "rss_mb": memory}
        r, s = results[-1], results[-1].get("statistics", {})
        return {"verdict": r["verdict"], "length": r.get("witness_length"), "states": s.get("states") or s.get("stored"), "layers": s.get("layers"),
                "bytes": s.get("memory_bytes"), "transient": s.get("transient"), "nodes": s.get("peak_nodes"), "cpu": cpu, "rss_mb": memory}

    def generate(self, family, n, language):
        """The model of a family, and its query if that stands apart."""
        command = [str(self.binary), "generate", family, str(n), "--language", language]
        model = self.work / f"{family}-{n}.{'smv' if language == 'smv' else 'xta'}"
        model.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        if language == "smv":
            return model, []
        return model, ["--query", subprocess.run([*command, "--query"], capture_output=True, text=True, check=True).stdout.strip()]

    # The shared SMV files.

    def smv(self):
        if not (SMV / "manifest.csv").is_file():
            print("SMV: the shared models are not there, LEFT OUT")
            return []
        with open(SMV / "manifest.csv", newline="") as file:
            rows = [self.smv_file(row) for row in csv.DictReader(file) if self.there(SMV / row["file"])]
        ended = [r for r in rows if r["cpu"] is not None]
        larger = [r for r in ended if r["their_cpu"] >= LARGER]
        print(f"{len(ended)} of {len(rows)} files within {self.limit:g} s; not: {', '.join(r['file'] for r in rows if r not in ended) or 'none'}")
        print(f"{len(larger)} of them for which the other checker needs {LARGER} s or more: its processor time by ours, geometric mean "
              f"{geometric_mean([r['their_cpu'] / max(r['cpu'], 0.005) for r in larger]):.3g}; its memory by ours "
              f"{geometric_mean([r['their_mb'] / r['rss_mb'] for r in larger]):.3g}")
        if self.there(SMV / GUIDED_FILE):
            guided = self.one(SMV / GUIDED_FILE, *GUIDED)
            self.judge(f"{GUIDED_FILE}, {' '.join(GUIDED)}: {guided['length']} steps, {guided['cpu']:.2f} s ({GUIDED_CPU} s up to the error)",
                       guided["length"] == GUIDED_LENGTH and 10 * guided["cpu"] <= GUIDED_CPU)
            rows.append({"guided": GUIDED_FILE, **guided})
        return rows

    def there(self, path):
        if not path.is_file():
            print(f"{path.name} is not there, LEFT OUT")
        return path.is_file()

    def with_whole(self, path):
        """The options for all states of an SMV model: a copy of it with an invariant that holds."""
        text, places = re.subn(r"^(\s*MODULE\s+main\b[^\n]*)$", rf"\1\nINVARSPEC NAME {WHOLE} := TRUE;", path.read_text(), count=1, flags=re.M)
        if places != 1:
            self.failures.append(f"{path.name}: there is no module main")
        copy = self.work / f"whole-{path.name}"
        copy.write_text(text)
        return copy, "--select", WHOLE

    def smv_file(self, row):
        """States and diameter of a copy with an invariant that holds; verdicts and lengths of the file as it is."""
        name = row["file"]
        layers, chained = (self.one(*self.with_whole(SMV / name), "--search", s) for s in ("sbfs", "schain"))
        out = {"file": name, "cpu": None, "states": None, "diameter": "open", "their_cpu": float(row["cpu_s"]), "their_mb": float(row["rss_mb"]), "same": True}
        for whole in (layers, chained):
            if whole["verdict"] != "unreachable":
                continue
            out["same"] &= self.same(f"{name}, states", float(f"{whole['states']:.6g}"), float(row["reachable_states"]))
            out.update({k: whole[k] for k in ("states", "cpu", "rss_mb", "nodes")})  # the time is that of schain, if it ends
        if layers["verdict"] == "unreachable":
            # The statistics count the layer of the goal, from which nothing was searched here, with those of the states.
            out["diameter"] = layers["layers"] - 1
            out["same"] &= self.same(f"{name}, diameter", out["diameter"], int(row["diameter"]))
        theirs = re.findall(r"(true|false)(?:\((\d+)\))?", row["verdicts(steps of the counterexample)"])
        out["verdicts"] = self.verdicts(name, theirs) if theirs else ""
        shown = f"{out['states']:.6g} states, diameter {out['diameter']}" if out["states"] is not None else "does not end within the limit"
        print(f"{name:32} {shown}{'' if out['same'] else ' DIFFERENT'}; {out['verdicts']}; "
              + (f"{out['cpu']:.2f} s ({out['their_cpu']}), {out['rss_mb']:.0f} MB ({out['their_mb']})" if out["cpu"] is not None else ""), flush=True)
        return out

    def verdicts(self, name, theirs):
        results, _, _ = self.check(SMV / name, "--search", "sbfs")
        ours = [r for r in results if is_invariant(r["property"])]
        if not self.same(f"{name}, number of invariants", len(ours), len(theirs)):
            return "DIFFERENT"
        shown = []
        for r, (verdict, steps) in zip(ours, theirs):
            if r["verdict"] == "unknown":
                shown.append("open")
                continue
            mine = ("true" if r["holds"] else "false", str(r["witness_length"]) if not r["holds"] else "")
            same = self.same(f"{name}, {r['property'][:60]}", mine, (verdict, steps))
            shown.append(mine[0] + (f"({mine[1]})" if mine[1] else "") + ("" if same else " DIFFERENT"))
        return " ".join(shown)

    # Beside breadth-first search from state to state.

    def explicit(self):
        rows = []
        for path in (SHARED / "dmc" / "arbiter" / "A2.xml", SHARED / "dmc" / "arbiter" / "A3.xml"):
            if self.there(path):
                rows.append(self.beside(path.stem, path, [], (path, "--query", "E<> false")))
        for family, language, sizes in FAMILIES:
            for n in sizes:
                model, query = self.generate(family, n, language)
                whole = (model, "--query", "E<> false") if language == "uppaal" else self.with_whole(model)
                rows.append(self.beside(f"{family} {n} ({language})", model, query, whole, LENGTHS[family](n)))
        goals = self.goals()
        for name in PROMELA:
            path = BEEM / f"{name}.pm"
            if self.there(path):
                only = ["--no-assert", "--no-deadlock"]
                rows.append(self.beside(path.name, path, ["--goal", goals[path.name], *only], (path, "--goal", "false", *only)))
        both = [r for r in rows if r["states"] is not None]
        verdicts = [r for r in rows if r["both"]]
        print(f"{len(rows)} models: verdict and length compared with bfs on {len(verdicts)}, states on {len(both)}; on the others bfs does not "
              f"end within {self.limit:g} s, and lengths are compared with the known ones")
        return rows

    def goals(self):
        if not (BEEM / "goals.csv").is_file():
            return {}
        with open(BEEM / "goals.csv", newline="") as file:
            return {row["file"]: row["goal"] for row in reversed(list(csv.DictReader(file)))}

    def beside(self, name, model, query, whole, known=None):
        """Verdict and shortest length, and of `whole`, a model with a goal that no state satisfies, all states: of Promela also those
        inside of atomic sequences, which A* stores, too."""
        ours, bfs = (self.one(model, *query, "--search", s) for s in ("sbfs", "bfs"))
        row = {"model": name, "sbfs": ours, "bfs": bfs, "both": False, "states": None}
        notes = []
        decided = ("reachable", "unreachable")
        if ours["verdict"] in decided and bfs["verdict"] in decided:
            row["both"] = True
            self.same(f"{name}, verdict and length", (ours["verdict"], ours["length"]), (bfs["verdict"], bfs["length"]))
        else:
            notes.append(", ".join(f"{s} does not end" for s, r in (("sbfs", ours), ("bfs", bfs)) if r["verdict"] not in decided))
        if known is not None and ours["verdict"] in decided:
            self.same(f"{name}, known length", ours["length"], known)
        if row["both"]:
            all_ours, stored = (self.one(*whole, "--search", *s) for s in (["sbfs"], ["astar", "--heuristic", "ha"]))
            if all_ours["verdict"] == stored["verdict"] == "unreachable":
                row["states"] = all_ours["states"]
                self.same(f"{name}, states", int(all_ours["states"]), stored["states"])
                inside = f" ({stored['transient']} inside of atomic sequences)" if stored["transient"] else ""
                notes.append(f"{stored['states']} states{inside}")
            else:
                notes.append(f"all states: sbfs {all_ours['verdict']} ({all_ours['states']:.8g}), astar {stored['verdict']} ({stored['states']})")
        print(f"{name:28} {ours['verdict']} {ours['length'] or ''}; sbfs {ours['cpu']:.2f} s, bfs {bfs['cpu']:.2f} s; {'; '.join(notes)}", flush=True)
        return row

    # A proof that explicit search cannot make.

    def proof(self):
        """Neighbours never eat at once. Deadlocks do not matter for that."""
        model, _ = self.generate("dining", PROOF_SIZE, "uppaal")
        rows = {s: self.one(model, "--query", NO_NEIGHBOURS, "--search", s, "--memory-limit", "20000") for s in ("sbfs", "bfs")}
        sets, single = rows["sbfs"], rows["bfs"]
        self.judge(f"{PROOF_SIZE} philosophers, neighbours never eat at once: sbfs {sets['verdict']}, {sets['states']:.4g} states, {sets['cpu']:.2f} s, "
                   f"{sets['rss_mb']:.0f} MB", sets["verdict"] == "unreachable")
        each = single["bytes"] / single["states"]
        needed = sets["states"] * each
        print(f"bfs {single['verdict']} after {single['cpu']:.1f} s, {single['states']} states, {each:.0f} bytes each: all states would take "
              f"{needed / 2**30:.3g} GiB; at one bit each {sets['states'] / 8 / 2**30:.3g} GiB")
        self.judge("more than 24 GiB, even at one bit a state", single["verdict"] == "unknown" and sets["states"] / 8 > MEMORY)
        return [rows]

    # Bui (2009).

    def walks(self):
        lab = symbolic_runs.Lab(self.binary, self.work, self.limit, self.limit, walk_runs.primes(self.seeds), remember=False)
        rows = []
        for claim in symbolic_claims.claims(symbolic_claims.Tests(lab)):
            if claim.place == "ours" or claim.text.startswith("Peterson, low PEP: shortest"):
                answer, numbers = claim.test()
                self.judge(f"figure {claim.figure}. {claim.text} {numbers}", answer)
                rows.append({"claim": claim.text, "answer": answer, "numbers": numbers})
        return rows


def main():
    parts = ["smv", "explicit", "proof", "walks"]
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
            (RESULTS / f"symbolic-{part}.json").write_text(json.dumps(rows, indent=1) + "\n")
    for failure in bench.failures:
        print(f"falls short: {failure}")
    return 1 if bench.failures else 0


if __name__ == "__main__":
    sys.exit(main())
