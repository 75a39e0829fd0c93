#!/usr/bin/env python3
"""Tables 3.5 and 3.6 of Wehrle (2011), unsolved planning tasks by domain, and what else is measured on planning tasks; writes
docs/results/planning.md: `tables/planning.py --help`. Remembers what it ran in build-tables/planning.json."""

import argparse
import csv
import fnmatch
import json
import math
import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import runs

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models" / "pddl"
COLUMNS = {
    "greedy": [],
    "useless": ["--prefer", "useless"],
    "helpful": ["--prefer", "preferred", "--queues", "alternating"],
    "both": ["--prefer", "useless,preferred", "--queues", "alternating"],
}
HEADS = {"greedy": "greedy", "useless": "+ useless", "helpful": "+ helpful", "both": "+ both"}
AUTO = "auto"
EXTRA = "philosophers"  # no domain of the thesis
FLOOR = 0.01  # seconds; below that a ratio says nothing


def options_of(configuration):
    """Of `hff both`, or of `auto`."""
    if configuration == AUTO:
        return ["--search", "auto", "--first"]
    heuristic, column = configuration.split()
    return ["--search", "greedy", "--heuristic", heuristic, *COLUMNS[column]]


def natural(name):
    return [int(w) if w.isdigit() else w for w in re.split(r"(\d+)", name)]


def collect(shared, wanted):
    """domain -> [(name, problem)], in natural order."""
    out = {}
    for folder in sorted(p for p in shared.iterdir() if p.is_dir()):
        problems = sorted((p for p in folder.glob("*.pddl") if "domain" not in p.name), key=lambda p: natural(p.name))
        chosen = [(f"{folder.name}/{p.stem}", p) for p in problems]
        chosen = [(n, p) for n, p in chosen if not wanted or any(fnmatch.fnmatch(n, w) for w in wanted)]
        if chosen:
            out[folder.name] = chosen
    return out


class Runner:
    """Runs the program; remembers what it has run, by the program, the task and the options."""

    def __init__(self, binary, store, options):
        self.binary, self.store, self.options = binary, store, options
        self.hash = runs.digest(binary)
        self.known = json.loads(store.read_text()) if store.exists() else {}

    def key(self, name, configuration):
        return f"{name} {configuration}"

    def good(self, entry):
        """Whether a remembered run answers for the limits of today."""
        if entry is None or (entry["hash"] != self.hash and not self.options.reuse):
            return False
        return entry["verdict"] == "reachable" or entry["limit"] >= self.options.limit

    def missing(self, jobs):
        return [job for job in jobs if not self.good(self.known.get(self.key(job[0], job[2])))]

    def fill(self, jobs):
        """Runs what is missing, several at once."""
        todo = self.missing(jobs)
        with ThreadPoolExecutor(self.options.jobs) as pool:
            for done, (job, entry) in enumerate(zip(todo, pool.map(lambda j: self.measure(*j), todo)), 1):
                self.known[self.key(job[0], job[2])] = entry
                print(f"{done}/{len(todo)} {job[0]} {job[2]}: {entry['verdict']} {entry.get('length', '')} {entry['cpu']:.2f} s", flush=True)
                if done % 10 == 0 or done == len(todo):
                    self.store.write_text(json.dumps(self.known, indent=1) + "\n")

    def result(self, name, configuration):
        return self.known.get(self.key(name, configuration))

    def measure(self, name, problem, configuration):
        command = [self.binary, "check", problem, "--json", "--quiet", "--no-polish", *options_of(configuration),
                   "--time-limit", f"{self.options.limit:g}", "--memory-limit", str(self.options.memory)]
        child = subprocess.Popen([str(c) for c in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        output = child.stdout.read()
        _, _, usage = os.wait4(child.pid, 0)
        child.returncode = 0  # it has been waited for
        entry = {"hash": self.hash, "limit": self.options.limit, "cpu": usage.ru_utime + usage.ru_stime, "rss_kb": usage.ru_maxrss,
                 "verdict": "failed"}
        try:
            document = json.loads(output)
            result = document["results"][0]
        except (ValueError, KeyError, IndexError):
            entry["reason"] = output[:300]
            return entry
        entry.update(verdict=result["verdict"], length=result.get("witness_length"), statistics=result.get("statistics", {}),
                     reason=result.get("reason", ""))
        return entry


class Page:
    def __init__(self, runner, domains, published, options):
        self.runner, self.domains, self.published, self.options = runner, domains, published, options

    def unsolved(self, domain, configuration):
        """Number of unsolved tasks of a domain; None: not all have been run."""
        entries = [self.runner.result(name, configuration) for name, _ in self.domains[domain]]
        return None if None in entries else sum(e["verdict"] != "reachable" for e in entries)

    def cell(self, row, column):
        ours = self.unsolved(row["domain"], f"{row['heuristic']} {column}") if row["domain"] in self.domains else None
        return f"{'·' if ours is None else ours} ({row[column]})"

    def table(self, number):
        rows = [r for r in self.published if r["table"] == number]
        columns = [c for c in COLUMNS if rows[0][c]]
        lines = [f"## Table {number}: unsolved tasks", "", "| | domain | " + " | ".join(HEADS[c] for c in columns) + " |",
                 "|:--|:--|" + "--:|" * len(columns)]
        for row in rows:
            lines.append(f"| {row['heuristic']} | {row['domain']} ({row['instances']}) | " + " | ".join(self.cell(row, c) for c in columns) + " |")
        sums = []
        for c in columns:
            ours = [self.unsolved(r["domain"], f"{r['heuristic']} {c}") if r["domain"] in self.domains else None for r in rows]
            sums.append(f"{'·' if None in ours else sum(ours)} ({sum(int(r[c]) for r in rows)})")
        return lines + ["| | all | " + " | ".join(sums) + " |", ""] + self.direction(rows)

    def direction(self, rows):
        """In how many domains useless actions help, as the thesis says they do."""
        lines = []
        for heuristic in dict.fromkeys(r["heuristic"] for r in rows):
            same, counted = [], 0
            for r in (r for r in rows if r["heuristic"] == heuristic and r["domain"] in self.domains):
                plain, useless = (self.unsolved(r["domain"], f"{heuristic} {c}") for c in ("greedy", "useless"))
                if plain is None or useless is None:
                    continue
                counted += 1
                theirs = sign(int(r["useless"]) - int(r["greedy"]))
                if sign(useless - plain) == theirs:
                    same.append(r["domain"])
            if counted:
                lines.append(f"{heuristic}: useless actions have the direction of the thesis in {len(same)} of {counted} domains.")
        return [" ".join(lines), ""] if lines else []

    def coverage(self):
        """Solved tasks of all configurations, with `auto`."""
        configurations = [c for c in self.options.configurations if any(self.runner.result(n, c) for d in self.domains.values() for n, _ in d)]
        lines = ["## Solved tasks", "", "| domain | " + " | ".join(configurations) + " |", "|:--|" + "--:|" * len(configurations)]
        totals = [0] * len(configurations)
        for domain, tasks in self.domains.items():
            row = []
            for i, c in enumerate(configurations):
                unsolved = self.unsolved(domain, c)
                row.append("·" if unsolved is None else str(len(tasks) - unsolved))
                totals[i] += 0 if unsolved is None else len(tasks) - unsolved
            lines.append(f"| {domain} ({len(tasks)}) | " + " | ".join(row) + " |")
        return lines + ["| all | " + " | ".join(map(str, totals)) + " |", ""]

    def peer(self):
        """Beside the numbers of another planner, where it was run (shared/models/pddl/results.csv)."""
        path = self.options.shared / "results.csv"
        if not path.exists():
            return []
        with open(path, newline="") as file:
            theirs = {(f"{r['domain']}/{Path(r['problem']).stem}", r["config"]): r for r in csv.DictReader(file)}
        pairs = {"lama-first": AUTO, "ff-pref": "hff helpful"}
        lines = ["## Beside another planner", "", "| its configuration | ours | its solved | ours of these tasks | ratio of states evaluated a second |",
                 "|:--|:--|--:|--:|--:|"]
        for config, ours in pairs.items():
            rows = [(name, r, self.runner.result(name, ours)) for (name, c), r in theirs.items() if c == config]
            rows = [x for x in rows if x[2] is not None]
            if not rows:
                continue
            ratios = [self.rate(e) / (float(r["evaluated"]) / float(r["search_s"])) for _, r, e in rows
                      if r["solved"] == "1" and e["verdict"] == "reachable" and float(r["search_s"]) >= FLOOR and self.rate(e)]
            solved = sum(e["verdict"] == "reachable" for _, _, e in rows)
            mean = f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2g} ({len(ratios)})" if ratios else "–"
            lines.append(f"| {config} | {ours} | {sum(r['solved'] == '1' for _, r, _ in rows)} of {len(rows)} | {solved} | {mean} |")
        return lines + [""]

    def rate(self, entry):
        statistics = entry.get("statistics", {})
        return statistics["evaluated"] / statistics["time_s"] if statistics.get("evaluated") and statistics.get("time_s", 0) >= FLOOR else None

    def text(self):
        lines = ["# Planning tasks", "",
                 f"Made by `make tables` (tables/planning.py): at most {self.options.limit:g} s and {self.options.memory} MB a run"
                 f"{', ' + str(self.options.jobs) + ' runs beside each other' if self.options.jobs > 1 else ''}. The tasks are those of the planning "
                 "competitions that Wehrle (2011) names; his numbers, with 600 s and 1 GB on a Pentium 4 of 3 GHz, stand in parentheses. "
                 "·: not run.", ""]
        if self.options.remark:
            lines += [self.options.remark, ""]
        for number in ("3.5", "3.6"):
            lines += self.table(number)
        return "\n".join(lines + self.coverage() + self.peer()).rstrip() + "\n"


def sign(x):
    return (x > 0) - (x < 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks", nargs="*", help="only these, e.g. 'depot/*' (patterns)")
    parser.add_argument("--binary", type=Path, default=ROOT / "build" / "bin" / "harrier")
    parser.add_argument("--shared", type=Path, default=SHARED)
    parser.add_argument("--limit", type=float, default=60, help="seconds a run")
    parser.add_argument("--memory", type=int, default=4096, help="MB a run")
    parser.add_argument("--jobs", type=int, default=1, help="runs beside each other")
    parser.add_argument("--configurations", type=lambda s: s.split(","), help="e.g. 'hff both,auto'; all without")
    parser.add_argument("--reuse", action="store_true", help="results of other versions of the program count, too")
    parser.add_argument("--only-write", action="store_true", help="run nothing")
    parser.add_argument("--remark", default="", help="a sentence for the page, about the machine")
    parser.add_argument("--store", type=Path, default=ROOT / "build-tables" / "planning.json")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "results" / "planning.md")
    options = parser.parse_args()
    if not options.shared.is_dir():
        print("skipped tables 3.5 and 3.6: the shared models are not there")
        return
    with open(ROOT / "tables" / "planning.csv", newline="") as file:
        published = list(csv.DictReader(file))
    everything = [f"{h} {c}" for h in dict.fromkeys(r["heuristic"] for r in published) for c in COLUMNS
                  if any(r[c] for r in published if r["heuristic"] == h)] + [AUTO]
    options.configurations = options.configurations or everything
    options.store.parent.mkdir(parents=True, exist_ok=True)
    domains = collect(options.shared, options.tasks)
    runner = Runner(options.binary, options.store, options)
    if not options.only_write:
        runner.fill([(name, problem, c) for c in options.configurations for tasks in domains.values() for name, problem in tasks
                     if c.split()[0] == AUTO or c.endswith("both") or not name.startswith(EXTRA)])
    options.out.write_text(Page(runner, domains, published, options).text())


if __name__ == "__main__":
    main()
