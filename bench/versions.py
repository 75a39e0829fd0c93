#!/usr/bin/env python3
"""Speed and memory of two versions of the program, side by side: bench/versions.py OLD NEW [--limit S] [--runs N] [--only PART] [--instructions].

Whole state spaces by breadth-first and depth-first search, and greedy and A* searches for errors, on shared models; the two take turns,
and the least processor time of each counts, so that other work on the machine disturbs little. Ends with 1 if the new version is below 0.95 of the old one's states a second, or
above its bytes a state, on any model on which the old one takes long enough to be measured. A search that stores another number of states than
before is told, and not compared.

On a machine where the same program takes a fifth more or less from run to run, that says little. `--instructions` counts instructions with valgrind instead,
which no other work disturbs: of the searches that take the old version at most SHORT seconds, since counting takes fifty times as long, and without those of
starting up, which are counted apart.
"""

import argparse
import concurrent.futures
import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SHARED = Path(__file__).resolve().parent.parent.parent / "shared" / "models"
LEAST_SPEED = 0.95
MOST_BYTES = 1.005
SHORTEST = 0.1  # seconds
SHORT = 1.0

ALL = ["--query", "A[] true"]
SPACE = ["--no-assert", "--no-deadlock", "--goal", "false"]
TIMED = [("speed/fischer-8.xta", []), ("speed/fischer-9.xta", []), ("speed/fischer-10.xta", []), ("speed/csma-8.xta", []),
         ("speed/csma-10.xta", []), ("dmc/arbiter/A3.xml", ALL)]
PROMELA = ["speed/petersonN.pml"] + [f"promela/beem/{name}.pm" for name in (
    "adding.2", "anderson.1", "bakery.4", "bopdp.3", "bridge.1", "brp.3", "cambridge.2", "elevator2.2", "extinction.1", "fischer.3", "frogs.3",
    "gear.2", "hanoi.2", "iprotocol.3", "lamport.5", "lamport_nonatomic.1", "mcs.3", "needham.3", "peterson.2", "phils.4", "protocols.4",
    "reader_writer.3", "rushhour.3", "schedule_world.2", "sokoban.2")]
GUIDED = [("dmc/arbiter/A3.xml", []), ("dmc/arbiter/A4.xml", [])]


def searches():
    """Name, file and options of each."""
    for file, options in TIMED:
        yield f"bfs {file}", file, ["--search", "bfs", *options]
    for file in PROMELA:
        for search in ("bfs", "dfs"):
            yield f"{search} {file}", file, ["--search", search, "--reduction", "off", *SPACE]
    for file, options in GUIDED:
        yield f"greedy {file}", file, ["--search", "greedy", "--heuristic", "hL", *options]
        yield f"astar {file}", file, ["--search", "astar", "--heuristic", "hL", *options]


def measure(program, file, options, limit):
    """Processor time of the whole run, states and bytes; None if it does not end."""
    with tempfile.TemporaryFile() as out:
        command = [program, "check", str(SHARED / file), "--json", "--quiet", "--time-limit", str(limit), *options]
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode not in (0, 10):
            return None
        out.seek(0)
        s = json.loads(out.read())["results"][-1]["statistics"]
        return usage.ru_utime + usage.ru_stime, s["stored"], s["memory_bytes"]


def instructions(program, arguments):
    """That the program executes."""
    with tempfile.NamedTemporaryFile("r") as log:
        subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"--log-file={log.name}", program, *arguments],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        return next(int(line.split(":")[1]) for line in log if "Collected" in line)


def compare_instructions(given):
    programs = (given.old, given.new)
    with concurrent.futures.ThreadPoolExecutor(len(programs)) as pool:
        def count(arguments):
            return list(pool.map(lambda program: instructions(program, arguments), programs))

        start = count(["list"])
        print(f"starting up: {start[0]:,} and {start[1]:,} instructions")
        print(f"{'search':48} {'old':>15} {'new':>15} {'speed':>6}")
        speeds = []
        for name, file, options in searches():
            if given.only not in name or not (SHARED / file).exists():
                continue
            runs = [measure(program, file, options, given.limit) for program in programs]
            if None in runs or runs[0][1] != runs[1][1] or not SHORTEST / 2 <= runs[0][0] <= SHORT:
                continue
            old, new = (counted - first for counted, first in zip(count(["check", str(SHARED / file), "--quiet", *options]), start))
            speeds.append(old / new)
            print(f"{name:48} {old:15,} {new:15,} {old / new:6.3f}{'' if speeds[-1] >= LEAST_SPEED else '  FALLS SHORT'}", flush=True)
    return summary(speeds, sum(speed < LEAST_SPEED for speed in speeds), 0)


def summary(speeds, failures, left_out):
    mean = math.exp(sum(map(math.log, speeds)) / len(speeds)) if speeds else float("nan")
    print(f"{len(speeds)} compared, speed {mean:.2f} (geometric mean), least {min(speeds, default=float('nan')):.2f}; "
          f"{failures} fall short, {left_out} without an answer")
    return 1 if failures else 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("old")
    arguments.add_argument("new")
    arguments.add_argument("--limit", type=float, default=60)
    arguments.add_argument("--runs", type=int, default=6)
    arguments.add_argument("--only", default="")
    arguments.add_argument("--instructions", action="store_true")
    given = arguments.parse_args()
    if given.instructions:
        return compare_instructions(given)
    speeds, failures, left_out = [], 0, 0
    print(f"{'search':48} {'states':>9} {'old s':>7} {'new s':>7} {'speed':>6} {'bytes':>6}")
    for name, file, options in searches():
        if given.only not in name or not (SHARED / file).exists():
            continue
        runs = {given.old: [], given.new: []}
        for turn in range(given.runs):
            for program in (given.old, given.new) if turn % 2 == 0 else (given.new, given.old):
                if None not in runs[program]:
                    runs[program].append(measure(program, file, options, given.limit))
        if any(None in results for results in runs.values()):
            print(f"{name:48} {'no answer':>9}")
            left_out += 1
            continue
        (old, old_states, _), (new, states, _) = (min(runs[p]) for p in (given.old, given.new))
        # What is resident differs a little from run to run, too.
        old_bytes, bytes_ = (min(run[2] for run in runs[p]) for p in (given.old, given.new))
        speed, memory = (states / new) / (old_states / old), (bytes_ / states) / (old_bytes / old_states)
        remark = ""
        if states != old_states:
            remark = f"was {old_states} states"
        elif old >= SHORTEST:
            speeds.append(speed)
            if speed < LEAST_SPEED or memory > MOST_BYTES:
                failures += 1
                remark = "FALLS SHORT"
        print(f"{name:48} {states:9} {old:7.2f} {new:7.2f} {speed:6.2f} {memory:6.2f}  {remark}", flush=True)
    return summary(speeds, failures, left_out)


if __name__ == "__main__":
    sys.exit(main())
