#!/usr/bin/env python3
"""Compares `--search auto` with the searches it is made of and writes docs/results/auto.md: `tables/auto.py --help`."""

import argparse
import csv
import json
import math
import os
import re
import subprocess
from pathlib import Path

import instances
import pages
import runs

ROOT = Path(__file__).resolve().parent.parent
SETS = ["dmc", "uppaal", "speed"]
SINGLE = {
    "bfs": ["--search", "bfs"],
    "hU useless": ["--search", "greedy", "--heuristic", "hU", "--prefer", "useless"],
    "hadd preferred": ["--search", "greedy", "--heuristic", "hadd", "--prefer", "preferred"],
    "hL contexts": ["--search", "greedy", "--heuristic", "hL", "--prefer", "contexts"],
}
AUTO = ["--search", "auto", "--first", "--no-polish"]  # until the first answer, as for the others
FLOOR = 0.005  # seconds; below that a ratio says nothing
PATIENCE = 3  # a single configuration may take this many times as long as the best one before it
GOAL = 1.5


def first_query(path):
    """The first query of a `.q` file, without comments; None if there is none."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", path.read_text(), flags=re.DOTALL).replace("\\\n", " ")
    return next((line.strip() for line in text.splitlines() if line.strip()), None)


def collect(shared, directory):
    """(name, files) of every model that has a query; names of those that have none."""
    directory.mkdir(parents=True, exist_ok=True)
    found, without = [], []
    models = [m for s in SETS for m in (shared / s).rglob("*") if m.suffix in (".xta", ".xml")]
    for model in sorted(models, key=lambda m: [int(w) if w.isdigit() else w for w in re.split(r"(\d+)", str(m))]):
        name = str(model.relative_to(shared))
        beside = [q for q in [model.with_suffix(".q"), *sorted(model.parent.glob("*.q"))] if q.exists()]
        query = first_query(beside[0]) if beside else instances.STLS_QUERY if model.name == "S9.xta" else None
        if query is not None:
            file = directory / (name.replace("/", "-") + ".q")
            file.write_text(query + "\n")
            found.append((name, [model, file]))
        elif model.suffix == ".xml":
            found.append((name, [model]))
        else:
            without.append(name)
    return found, without


def all_queries(shared):
    """(name, arguments) of every model with all its queries, and of every BEEM model with its goals."""
    models = [m for s in SETS for m in sorted((shared / s).rglob("*")) if m.suffix in (".xta", ".xml")]
    for model in models:
        beside = [q for q in [model.with_suffix(".q"), *sorted(model.parent.glob("*.q"))] if q.exists()]
        if beside:
            yield str(model.relative_to(shared)), [model, beside[0]]
        elif model.name == "S9.xta":
            yield str(model.relative_to(shared)), [model, "--query", instances.STLS_QUERY]
        elif model.suffix == ".xml":
            yield str(model.relative_to(shared)), [model]
    beem = shared / "promela" / "beem"
    goals = {}
    if (beem / "goals.csv").exists():
        with open(beem / "goals.csv", newline="") as file:
            for row in csv.DictReader(file):
                goals.setdefault(row["file"], []).append(row["goal"])
    for name, texts in goals.items():
        yield f"promela/beem/{name}", [beem / name, *(a for goal in dict.fromkeys(texts) for a in ("--goal", goal))]


class Runner:
    """Runs the program; remembers what it has run."""

    def __init__(self, binary, store, memory_limit, repeats):
        self.binary = binary
        self.hash = runs.digest(binary)
        self.store = store
        self.known = json.loads(store.read_text()) if store.exists() else {}
        self.memory_limit = memory_limit
        self.repeats = repeats

    def result(self, name, files, options, limit):
        """(verdict of the first property, seconds): the best of several runs, or of one that hits a limit."""
        key = " ".join([self.hash, name, *options])
        known = self.known.get(key)
        if known is None or (known[0] == "unknown" and known[2] < limit):
            results = [self.measure(files, options, limit)]
            while results[0][0] in ("reachable", "unreachable") and len(results) < self.repeats:
                results.append(self.measure(files, options, limit))
            known = [results[0][0], min(seconds for _, seconds in results), limit]
            self.known[key] = known
            self.store.write_text(json.dumps(self.known, indent=1) + "\n")
        return known[0], known[1]

    def properties(self, name, arguments, options, limit):
        """Of each property: verdict, length of the witness, user seconds of the whole run over their number."""
        key = " ".join([self.hash, "all", name, *options, f"{limit:g}"])
        if key not in self.known:
            command = [self.binary, "check", *arguments, "--json", "--quiet", *options, "--time-limit", f"{limit:g}",
                       "--memory-limit", self.memory_limit]
            child = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
            output = child.stdout.read()
            _, _, usage = os.wait4(child.pid, 0)
            try:
                results = json.loads(output)["results"]
                seconds = usage.ru_utime / max(1, len(results))
                known = [[r["property"], r["verdict"], r["witness_length"], seconds] for r in results]
            except (json.JSONDecodeError, KeyError):
                known = []
            self.known[key] = known
            self.store.write_text(json.dumps(self.known, indent=1) + "\n")
        return self.known[key]

    def measure(self, files, options, limit):
        """One run."""
        command = [self.binary, "check", *files, "--json", *options, "--time-limit", f"{limit:.3f}",
                   "--memory-limit", self.memory_limit]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if done.returncode not in (0, 10, 20):
            return "not accepted", 0.0
        first = json.loads(done.stdout)["results"][0]
        return first["verdict"], first["statistics"]["time_s"]


def compare(runner, name, files, time_limit):
    """The runs on one model: configuration -> (verdict, seconds), the best single one and the ratio to it."""
    cells = {}
    best = None
    for label, options in SINGLE.items():
        limit = time_limit if best is None else min(time_limit, max(1.0, PATIENCE * cells[best][1]))
        cells[label] = runner.result(name, files, options, limit)
        if cells[label][0] in ("reachable", "unreachable") and (best is None or cells[label][1] < cells[best][1]):
            best = label
    cells["auto"] = runner.result(name, files, AUTO, time_limit)
    ratio = None
    if best is not None:
        ratio = max(FLOOR, cells["auto"][1]) / max(FLOOR, cells[best][1])
    return cells, best, ratio


def witnesses_and_proofs(runner, shared, limit):
    """What bfs and auto say about all properties: (length of bfs, of auto) and (seconds of bfs, of auto)."""
    lengths, proofs, longest = [], [], []
    for name, arguments in all_queries(shared):
        bfs = runner.properties(name, arguments, ["--search", "bfs"], limit)
        auto = runner.properties(name, arguments, [], limit)
        for (text, verdict, shortest, seconds), (_, found, length, taken) in zip(bfs, auto):
            what = f"{name} `{text}`"
            if verdict == found == "reachable":
                lengths.append((what, shortest, length))
            elif verdict == found == "unreachable":
                proofs.append((what, seconds, taken))
            elif found == "reachable":
                longest.append((what, length))
        print(f"{name:50} {len(bfs)} properties", flush=True)
    return lengths, proofs, longest


def witness_section(lengths, only_auto, limit):
    """How long the witnesses are that auto shows."""
    ratios = sorted(((length / max(1, shortest), what, shortest, length) for what, shortest, length in lengths), reverse=True)
    mean = math.exp(sum(math.log(max(r[0], 1)) for r in ratios) / len(ratios))
    within = sum(r[0] <= 2 for r in ratios)
    equal = sum(r[0] == 1 for r in ratios)
    lines = [
        "## Lengths of witnesses", "",
        f"All properties of these models and all goals of the BEEM models in Promela that `bfs` and `auto` both reach within {limit:g} s: "
        f"{len(ratios)}. The witness of `auto` is as long as a shortest one on {equal} of them, at most twice as long on {within}; the "
        f"geometric mean of the ratios is **{mean:.3f}**, the largest **{ratios[0][0]:.2f}**. `auto` alone reaches {len(only_auto)} more.", "",
        "| longest, relative to `bfs` | bfs | auto | ratio |", "|:--|--:|--:|--:|",
    ]
    lines += [f"| {what.replace('|', chr(92) + '|')} | {shortest} | {length} | {ratio:.2f} |" for ratio, what, shortest, length in ratios[:10]]
    return lines + [""]


def proof_section(proofs, limit):
    """What a proof costs with auto."""
    beyond = sorted(((max(0.0, taken - 0.5) / max(seconds, FLOOR), what, seconds, taken) for what, seconds, taken in proofs), reverse=True)
    lines = [
        "## Proofs", "",
        f"All properties whose goal `bfs` and `auto` both prove unreachable within {limit:g} s: {len(proofs)}. Processor time of the whole run, "
        "divided by the number of properties of the model. Beyond half a second, `auto` is to take at most twice the time of `bfs`; the "
        f"largest ratio is **{beyond[0][0]:.2f}**.", "",
        "| dearest, beyond half a second | bfs | auto | ratio |", "|:--|--:|--:|--:|",
    ]
    lines += [f"| {what.replace('|', chr(92) + '|')} | {seconds:.2f} | {taken:.2f} | {ratio:.2f} |" for ratio, what, seconds, taken in beyond[:10]]
    return lines + [""]


def shown(cell):
    """A time; with a mark if the run ended without an answer."""
    verdict, seconds = cell
    return f"{seconds:.3f}" if verdict != "unknown" else f"> {seconds:.1f}"


def page(rows, without, rejected, sections, options):
    """The text of the page."""
    ratios = [ratio for _, _, _, ratio in rows if ratio is not None]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    worst = sorted((r for r in rows if r[3] is not None), key=lambda r: -r[3])[:5]
    unsolved = [name for name, cells, best, _ in rows if best is not None and cells["auto"][0] == "unknown"]
    extra = [name for name, cells, best, _ in rows if best is None and cells["auto"][0] != "unknown"]
    lines = [
        "# `--search auto` against the searches it is made of", "",
        f"Geometric mean of the ratios over {len(ratios)} models: **{mean:.2f}** (the aim is {GOAL}). A ratio is the time of "
        f"`auto` over that of the best single configuration; times below {1000 * FLOOR:g} ms count as {1000 * FLOOR:g} ms. "
        "The best one differs from model to model, and nobody knows it beforehand.", "",
        "Largest ratios: " + ", ".join(f"{name} ({ratio:.1f})" for name, _, _, ratio in worst) + ".", "",
        f"`tables/auto.py` writes this page. The first property of each model of the shared sets {', '.join(SETS)}; time of the "
        f"search in seconds, best of {options.repeats} runs, limits {options.time_limit:g} s and {options.memory_limit} MB. A "
        f"single configuration is not waited for longer than {PATIENCE} times the best one to the left of it (at least 1 s); "
        "`>` is a run that ended without an answer. The directed searches are greedy ones. "
        "`auto` stops at the first answer here (`--first --no-polish`). The shares of the members were chosen on these models, so expect somewhat larger ratios on others; and other jobs may "
        "run on the machine: single ratios are indicative.", "",
    ]
    if unsolved:
        lines += ["Solved by a single configuration, but not by `auto`: " + ", ".join(unsolved) + ".", ""]
    if extra:
        lines += ["Solved by `auto` only: " + ", ".join(extra) + ".", ""]
    table = []
    for name, cells, best, ratio in rows:
        verdict = next((v for v, _ in cells.values() if v != "unknown"), "unknown")
        table.append([name, verdict, *(shown(cells[label]) for label in SINGLE), best or "–", shown(cells["auto"]),
                      "–" if ratio is None else f"{ratio:.2f}"])
    lines.append(pages.markdown(["model", "verdict", *SINGLE, "best", "auto", "ratio"], table))
    lines += ["", *sections]
    for names, why in ((without, "without a query"), (rejected, "not accepted by the program")):
        if names:
            lines += ["", f"Left out, {why}: " + ", ".join(names) + "."]
    return "\n".join(lines) + "\n", mean


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/models", help="the shared benchmark sets")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="queries and remembered results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/results")
    parser.add_argument("--time-limit", type=float, default=20, help="seconds for each run")
    parser.add_argument("--memory-limit", type=int, default=4096, help="MB for each run")
    parser.add_argument("--repeats", type=int, default=2, help="runs of which the best counts")
    parser.add_argument("--witness-limit", type=float, default=10, help="seconds for each property, for lengths and proofs")
    options = parser.parse_args()

    models, without = collect(options.shared, options.work / "auto")
    runner = Runner(options.binary.resolve(), options.work / "auto.json", options.memory_limit, options.repeats)
    lengths, proofs, only_auto = witnesses_and_proofs(runner, options.shared, options.witness_limit)
    sections = witness_section(lengths, only_auto, options.witness_limit) if lengths else []
    sections += proof_section(proofs, options.witness_limit) if proofs else []
    rows, rejected = [], []
    for name, files in models:
        cells, best, ratio = compare(runner, name, files, options.time_limit)
        if any(verdict == "not accepted" for verdict, _ in cells.values()):
            rejected.append(name)
            continue
        rows.append((name, cells, best, ratio))
        print(f"{name:40} {best or '–':15} {shown(cells['auto']):>10} {'–' if ratio is None else f'{ratio:.2f}':>6}", flush=True)
    if not any(ratio is not None for _, _, _, ratio in rows):
        print("nothing was solved; is the shared benchmark set there?")
        return
    text, mean = page(rows, without, rejected, sections, options)
    (options.out / "auto.md").write_text(text)
    print(f"geometric mean {mean:.3f}")


if __name__ == "__main__":
    main()
