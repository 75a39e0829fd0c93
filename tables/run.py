#!/usr/bin/env python3
"""Reproduces the published tables with Harrier and writes docs/results: `make tables`, or `tables/run.py --help`."""

import argparse
import csv
import fnmatch
import json
import subprocess
from pathlib import Path

import instances
import pages
import runs

ROOT = Path(__file__).resolve().parent.parent
# In this order: the tables that the index summarises come first.
TABLES = ["wehrle-3.2", "wehrle-3.1", "wehrle-6.1", "wehrle-4.2", "wehrle-3.3", "wehrle-4.1", "wehrle-5.1",
          "wehrle-4.3", "kupferschmid-1", "kupferschmid-2", "kupferschmid-3", "wehrle-4.4"]


def read_published(path):
    """The published numbers: table -> (instance, configuration) -> {explored, runtime, length}, as printed there."""
    out = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            table = out.setdefault(row["table"], {})
            table[row["instance"], row["configuration"]] = {k: row[k] for k in ("explored", "runtime", "length")}
    return out


def read_rows(path):
    """A file with a head line as a list of rows."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def wanted(published, summary):
    """What to run: table -> list of (instance, configuration), each in the order of the tables."""
    out = {table: list(published[table]) for table in TABLES if table in published}
    names = list(dict.fromkeys(instance for instance, _ in published["wehrle-4.2"]))
    out["wehrle-4.4"] = [(name, row["configuration"]) for row in summary for name in names]
    return out


def precision(program, rows, file, run):
    """Table 3.4 of Wehrle (2011): what useless_precision measures, or what it measured last."""
    if run and program.exists():
        command = [program, "dmc/arbiter/A3.xml", *(row["heuristic"] for row in rows)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode == 0:
            file.write_text(done.stdout)
        else:
            print(f"skipped table 3.4: {done.stderr.strip()}")
    elif run:
        print(f"skipped table 3.4: {program} is not there (target useless_precision)")
    return json.loads(file.read_text()) if file.exists() else []


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/models/dmc", help="the shared benchmark set")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="derived models and remembered results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/results")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--memory-limit", type=int, default=4096, help="MB for each run")
    parser.add_argument("--random-runs", type=int, default=3, help="runs of randomised depth-first search to average")
    parser.add_argument("--tables", default="*", help="only run these, e.g. 'wehrle-3.*,kupferschmid-1'; pages show what is known")
    parser.add_argument("--instances", default="*", help="only run these instances, e.g. 'S*,M1'")
    parser.add_argument("--configurations", default="*", help="only run these configurations, e.g. '*UT'")
    parser.add_argument("--reuse", choices=["none", "limits", "all"], default="none",
                        help="results of other versions of the program that count: none, those that hit a limit, all")
    parser.add_argument("--pages-only", action="store_true", help="run nothing, write the pages from what is known")
    options = parser.parse_args()

    def selected(patterns, name):
        return any(fnmatch.fnmatch(name, pattern) for pattern in patterns.split(","))

    published = read_published(ROOT / "tables/published.csv")
    summary = read_rows(ROOT / "tables/wehrle-4.4.csv")
    accesses = read_rows(ROOT / "tables/wehrle-4.5.csv")
    runner = runs.Runner(options.binary.resolve(), options.work / "results", options.time_limit, options.memory_limit,
                         options.random_runs, options.reuse)
    models = instances.collect(options.binary.resolve(), options.shared, options.work / "models")
    ours = {}
    for table, cells in wanted(published, summary).items():
        for instance, configuration in cells:
            if instance not in models or not runner.has(configuration) or (instance, configuration) in ours:
                continue
            run = (not options.pages_only and selected(options.tables, table)
                   and selected(options.instances, instance) and selected(options.configurations, configuration))
            result = runner.result(models[instance], configuration, run)
            if result is not None:
                ours[instance, configuration] = result
    classified = read_rows(ROOT / "tables/wehrle-3.4.csv")
    measured = precision(options.binary.resolve().parent / "useless_precision", classified, options.work / "precision.json",
                         not options.pages_only and selected(options.tables, "wehrle-3.4"))
    available = {c for cells in wanted(published, summary).values() for _, c in cells if runner.has(c)}
    pages.write(options.out, published, summary, accesses, (classified, measured), ours, available, options,
                ROOT / "tables/explanations.csv")


if __name__ == "__main__":
    main()
