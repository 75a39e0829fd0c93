#!/usr/bin/env python3
"""The counts of searches on all shared models, to be compared between two versions of the program.

    bench/counts.py record OLD > old.csv         # a program's counts, one line a model, property and search
    bench/counts.py compare OLD NEW              # runs both; exits with 1 if a count differs, and names it

A run that does not end within the limit (--limit seconds, 3) has no counts and is not compared; how many there are is
told at the end. --jobs runs at a time, --only PART keeps the models whose path contains PART.
"""
import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "models"
SUFFIXES = {".pml", ".pr", ".pm", ".prom", ".p", ".xta", ".ta", ".xml"}
SEARCHES = {
    "bfs": ["--search", "bfs"],
    "dfs": ["--search", "dfs", "--reduction", "off"],
    "greedy": ["--search", "greedy", "--heuristic", "hU", "--prefer", "useless"],
    "astar": ["--search", "astar", "--heuristic", "hL"],
}
COUNTS = ("expanded", "generated", "stored")


def models(part):
    found = sorted(p for p in SHARED.rglob("*") if p.suffix in SUFFIXES and p.parent.name != "repro")
    return [p for p in found if part in str(p)]


def answers(program, model, search, limit):
    """What the program says of each property: its number, text, verdict and counts; nothing if it is refused."""
    command = [program, "check", model, *SEARCHES[search], "--json", "--time-limit", str(limit)]
    queries = model.with_suffix(".q")
    if queries.exists():
        command.append(queries)
    run = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    try:
        report = json.loads(run.stdout)
    except json.JSONDecodeError:
        return [(0, "", f"exit {run.returncode}", ())]
    rows = []
    for number, result in enumerate(report["results"]):
        verdict = result["verdict"]
        done = verdict not in ("unknown", "refused")
        counts = tuple(result["statistics"][c] for c in COUNTS) if done and "statistics" in result else ()
        rows.append((number, result["property"], verdict, counts))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, programs in (("record", ["program"]), ("compare", ["old", "new"])):
        command = commands.add_parser(name)
        for program in programs:
            command.add_argument(program, type=lambda p: pathlib.Path(p).resolve())
        command.add_argument("--limit", type=float, default=3)
        command.add_argument("--jobs", type=int, default=2)
        command.add_argument("--only", default="")
    arguments = parser.parse_args()
    if not SHARED.exists():
        sys.exit(f"skipped: there is no {SHARED}")
    recording = arguments.command == "record"
    programs = [arguments.program] if recording else [arguments.old, arguments.new]
    compared = different = open_ = 0
    tasks = [(m, s) for m in models(arguments.only) for s in SEARCHES]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        def run(task):
            return task, [answers(p, *task, arguments.limit) for p in programs]
        for (model, search), runs in pool.map(run, tasks):
            name = model.relative_to(SHARED)
            for rows in zip(*runs):
                number, text, verdict, counts = rows[0]
                if recording:
                    print(f"{name},{number},{search},{verdict}," + ",".join(map(str, counts)), flush=True)
                elif all(row[3] for row in rows):
                    compared += 1
                    if rows[0] != rows[1]:
                        different += 1
                        print(f"{name}: {search}: {text}: {verdict} {counts}, now {rows[1][2]} {rows[1][3]}", flush=True)
                elif rows[0][2] != rows[1][2] and "unknown" not in (rows[0][2], rows[1][2]):
                    different += 1
                    print(f"{name}: {search}: {text}: {verdict}, now {rows[1][2]}", flush=True)
                else:
                    open_ += 1
            if len({len(rows) for rows in runs}) > 1:
                different += 1
                print(f"{name}: {search}: another number of properties", flush=True)
    if not recording:
        print(f"{compared} runs compared, {different} differ, {open_} without counts")
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
