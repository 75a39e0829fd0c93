#!/usr/bin/env python3
"""Compares `--search auto` with the searches it is made of and writes docs/results/auto.md: `tables/auto.py --help`."""

import argparse
import json
import math
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
AUTO = ["--search", "auto"]
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


def shown(cell):
    """A time; with a mark if the run ended without an answer."""
    verdict, seconds = cell
    return f"{seconds:.3f}" if verdict != "unknown" else f"> {seconds:.1f}"


def page(rows, without, rejected, options):
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
        "`>` is a run that ended without an answer. The directed searches are greedy ones. The "
        "shares of the members were chosen on these models, so expect somewhat larger ratios on others; and other jobs may "
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
    options = parser.parse_args()

    models, without = collect(options.shared, options.work / "auto")
    runner = Runner(options.binary.resolve(), options.work / "auto.json", options.memory_limit, options.repeats)
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
    text, mean = page(rows, without, rejected, options)
    (options.out / "auto.md").write_text(text)
    print(f"geometric mean {mean:.3f}")


if __name__ == "__main__":
    main()
