#!/usr/bin/env python3
"""Trails for Spin: an error path that Harrier writes has to be one that Spin can replay.

    trail.py --harrier PROGRAM [--shared DIRECTORY]

For each model in trails/ and models/, and some of the directory of shared models if it is there, Harrier looks for an
error (or for the goal: `/* goal: … */` in the first line, or given below) with several searches. Spin then replays the trail, must not complain, and must end with the
same values, messages and number of processes as Harrier's own trace; a failed assertion must fail for Spin, too.
`harrier validate` has to accept the trace.
"""
import argparse
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

SEARCHES = ["bfs", "dfs", "greedy"]
FAULTS = ["sequence of statements blocks", "use of a channel that was never created"]  # end a run without a path
# Where Spin's simulator, which replays, differs from its verifier.
SIMULATOR_DIFFERS = {
    "channel_tests.pml",  # nfull() of a rendezvous channel
    "enabled.pml",  # enabled() looks at one statement, not at what the process can do
    "last_mover.pml",  # _last
    "remote_without_pid.pml",  # references to a process that does not run
    "struct_messages.pml",  # more than one bit in a bool inside a structure
    "timeout.pml",  # timeout is always true
}
PROVED, WITNESS, INCONCLUSIVE = 0, 10, 20  # exit codes of harrier
SHARED = {
    "spin/pathfinder.pml": None,
    "spin/snoopy.pml": None,
    "beem/adding.1.pm": "(c==17)",
    "beem/anderson.1.pm": "(P_0@CS + P_1@CS > 1)",
}
COMPLAINTS = ["transition failed", "no matching stmnt", "invalid statement", "cannot find", "error: "]


def mtype_values(text):
    """The number of each message type: the last one of a declaration is the smallest."""
    values, used = {}, {}
    text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", text, flags=re.S)
    for subtype, names in re.findall(r"\bmtype\s*(?::\s*(\w+)\s*)?=?\s*\{([^}]*)\}", text):
        names = re.split(r"[\s,]+", names.strip())
        for i, name in enumerate(reversed(names)):
            values[name] = used.get(subtype, 0) + i + 1
        used[subtype] = used.get(subtype, 0) + len(names)
    return values


def number(word, mtypes):
    return int(word) if re.fullmatch(r"-?\d+", word) else mtypes.get(word)


def spin_end(output, mtypes):
    """Values, queues and number of processes that Spin shows behind the last step."""
    tail = output[output.index("#processes:"):]
    values, queues = {}, {}
    for name, value in re.findall(r"^\t\t(\S+) = (\S+)$", tail, flags=re.M):
        values[re.sub(r"^(\S+?\(\d+\)):", r"\1.", name)] = number(value, mtypes)
    for name, content in re.findall(r"^\t\tqueue \d+ \((\S+)\): ?(.*)$", tail, flags=re.M):
        name = re.sub(r"^(\S+?\(\d+\)):", r"\1.", name)
        queues[name] = [[number(w, mtypes) for w in message.split(",")] for message in re.findall(r"\[([^\]]*)\]", content)]
    return values, queues, int(re.match(r"#processes: (\d+)", tail).group(1))


def harrier_end(trace):
    values = dict(trace["initial"]["variables"])
    locations = dict(trace["initial"]["locations"])
    for step in trace["steps"]:
        values.update(step["changed"]["variables"])
        locations.update(step["changed"]["locations"])
    return values, sum(at != "-" for at in locations.values())


def slots(values, name, index):
    single = f"{name}<{index}>"
    if single in values:
        return [values[single]]
    fields = []
    while f"{single}.{len(fields)}" in values:
        fields.append(values[f"{single}.{len(fields)}"])
    return fields


def differences(output, trace, mtypes):
    spin_values, spin_queues, spin_processes = spin_end(output, mtypes)
    values, processes = harrier_end(trace)
    if processes != spin_processes:
        yield f"{processes} processes, Spin has {spin_processes}"
    for name, value in spin_values.items():
        if value is not None and name in values and f"{name}#2" not in values and values[name] != value:
            yield f"{name} = {values[name]}, Spin has {value}"
    for name, content in spin_queues.items():
        if f"len({name})" not in values:
            continue
        ours = [slots(values, name, i) for i in range(values[f"len({name})"])]
        if ours != content:
            yield f"{name} holds {ours}, Spin has {content}"


def other_places(output, trace, text):
    """Processes that do not stand in the line in which Spin shows them at the end, or failed in another one."""
    lines = text.splitlines()
    failed = re.match(r"assertion failed: .*\([^()]*:(\d+):\d+\)", trace["end"]["reason"])
    if failed and f":{failed.group(1)}, Error: assertion violated" not in output:
        yield f"'{trace['end']['reason']}', but Spin says: {output[-300:]}"
    locations = dict(trace["initial"]["locations"])
    for step in trace["steps"]:
        locations.update(step["changed"]["locations"])
    # The statement that failed has been executed in one, and not in the other.
    tail = "" if failed else output[output.index("#processes:"):]
    shown = re.findall(r"^ *\d+:\tproc +(\d+) \(([^):]*|:init:):\d+\) [^:]*:(\d+) ", tail, flags=re.M)
    for pid, proctype, line in shown:
        at = locations.get(f"{proctype}({pid})", "-")
        told = re.match(r"line (\d+)", at)
        if not told or told.group(1) == line:
            continue
        # Spin's simulator takes a jump, also that at the end of a choice, together with the statement before it, and shows where it leads.
        if not re.search(r"\b(goto|break|fi|od|unless)\b", lines[int(told.group(1)) - 1]):
            yield f"{proctype}({pid}) is at '{at}', Spin has line {line}"


def replay(harrier, model, options, search, limit=20):
    """None if there is nothing to replay, else a list of what is wrong."""
    with tempfile.TemporaryDirectory() as here:
        trail, trace = os.path.join(here, "trail"), os.path.join(here, "trace.json")
        run = subprocess.run([harrier, "check", model, "--no-claim", *options, "--search", *search.split(), "--time-limit", str(limit),
                              "--quiet", "--memory-limit", "1000", "--trail", trail, "--trace", trace], capture_output=True, text=True)
        if run.returncode != WITNESS:
            if run.returncode in (PROVED, INCONCLUSIVE) or any(fault in run.stdout + run.stderr for fault in FAULTS):
                return None
            return [f"harrier: exit code {run.returncode}: {run.stderr.strip()}"]
        replayed = subprocess.run(["spin", "-t", "-p", "-g", "-l", "-k", trail, os.path.abspath(model)],
                                  capture_output=True, text=True, cwd=here, errors="replace")
        output = replayed.stdout + replayed.stderr
        with open(trace) as file:
            path = json.load(file)
        with open(model, errors="replace") as file:
            text = file.read()
        if "remote reference error" in output:
            return None  # a variable of a process that does not run is 0 for Spin's verifier, an error for its simulator
        wrong = [f"Spin says: {line.strip()}" for line in output.splitlines() if any(c in line for c in COMPLAINTS)]
        lines = sum(len(step["edges"]) for step in path["steps"])
        if f"trail ends after {lines} steps" not in output:
            wrong.append(f"Spin does not follow all {lines} steps: {output[-300:]}")
        elif "--no-assert" in options and "assertion violated" in output:
            return None  # Spin goes no further
        elif path["end"]["reason"].startswith("assertion failed") != ("assertion violated" in output):
            wrong.append(f"'{path['end']['reason']}', but Spin says: {output[-300:]}")
        else:
            wrong += differences(output, path, mtype_values(text))
            wrong += other_places(output, path, text)
        validated = subprocess.run([harrier, "validate", model, trace, "--no-claim", *options], capture_output=True, text=True)
        if validated.returncode != 0:
            wrong.append(f"validate: {validated.stdout}{validated.stderr}".strip())
        return wrong


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--harrier", required=True)
    arguments.add_argument("--shared", default="")
    given = arguments.parse_args()
    if shutil.which("spin") is None:
        print("spin is not installed: nothing to replay with")
        return 77  # skipped
    jobs = []
    for model in sorted(glob.glob(os.path.join(os.path.dirname(os.path.abspath(__file__)), "*", "*.pml"))):
        if os.path.basename(model) in SIMULATOR_DIFFERS:
            continue
        with open(model) as file:
            goal = re.match(r"/\* goal: (.*) \*/", file.readline())
        jobs.append((model, goal and goal.group(1)))
    if given.shared and not os.path.isdir(given.shared):
        print(f"skipped: the models of {os.path.basename(given.shared)} in ../shared/models, which are not beside the project")
    if os.path.isdir(given.shared):
        jobs += [(os.path.join(given.shared, model), goal) for model, goal in SHARED.items()]
    failed = replayed = 0
    for model, goal in jobs:
        for search in SEARCHES:
            wrong = replay(given.harrier, model, ["--goal", goal] if goal else [], search)
            replayed += wrong is not None
            if wrong:
                failed += 1
                print(f"{model} ({search}{', ' + goal if goal else ''}):")
                print("\n".join("  " + w for w in wrong[:5]))
    print(f"{replayed} trails of {len(jobs)} models, {failed} failed")
    return failed != 0 or replayed == 0


if __name__ == "__main__":
    sys.exit(main())
