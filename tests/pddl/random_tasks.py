#!/usr/bin/env python3
"""Compares Harrier with a reference semantics on small random PDDL tasks (generate.py): verdicts, lengths and costs of shortest and cheapest
plans; every plan is carried out by the reference (semantics.py), which enumerates and knows nothing of the program. Each task is also written
as SAS+, which has to have as many states, and is searched in its place for some of the answers.

    random_tasks.py --harrier build/bin/harrier                         the tasks of the tests
    random_tasks.py --harrier build/bin/harrier --from 1000 --count 500 --keep FOLDER
    random_tasks.py --print 7                                           the two files of task 7, and what is known of it

Task N is the same in every run. A task on which the two differ is kept as random-N.pddl and random-N-domain.pddl in the folder --keep.
"""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import generate
from writing import Writer

ALWAYS = "bfs"
SEARCHES = ("dfs,auto,greedy:hff,greedy:hadd,greedy:hmax,greedy:hCG,greedy:hcea,greedy:hL,greedy:hU,greedy:lmcut,greedy:lmcount,"
            "greedy:hamming,greedy:pdb,greedy:ms,astar:hL,astar:hmax,astar:lmcut,astar:pdb,astar:ms,astar:spdb:--cost unit,"
            "astar:lmcut:--cost real,astar:hmax:--cost real,astar:pdb:--cost real,astar:ms:--cost unit,astar:hL:--cost unit,anytime,"
            "anytime::--cost real,anytime::--evaluation lazy,wastar:hff:--weight 3,wastar:hadd:--cost plus-one,auto::--cost real,"
            "anytime::--cost plus-one,auto::--cost plus-one,auto::--cost unit,astar:lmcut:--cost plus-one,astar:pdb:--cost plus-one,"
            "astar:hmax:--cost plus-one,astar:ms:--cost plus-one,wastar:lmcount:--cost real,wastar:hcea:--weight 2 --cost real,"
            "greedy:hff,,lmcount:--prefer preferred --evaluation lazy,greedy:hcea:--prefer preferred --evaluation lazy,"
            "greedy:hff:--prefer useless,greedy:hff:--prefer preferred,greedy:hff:--prefer useless,,preferred,sbfs,swalk::--walks 50,walk:hff:--walks 200")
# These find shortest plans, or cheapest ones where costs are counted, and say so.
OPTIMAL = re.compile(r"(bfs|sbfs|sbwd|sbidi|sgmc|anytime|auto|astar --heuristic (hL|hmax|pdb|spdb|ms|lmcut))\b")
WALKS = re.compile(r"s?walk\b")


def spelled(search):
    """greedy:hff:--prefer useless is greedy --heuristic hff --prefer useless."""
    order, _, rest = search.partition(":")
    heuristic, _, more = rest.partition(":")
    return " ".join([order] + (["--heuristic", heuristic] if heuristic else []) + more.split())


def listed(text):
    """Separated by commas; two of them are one within an option."""
    return [spelled(s.replace("\0", ",")) for s in text.replace(",,", "\0").split(",") if s]


def searches(seed, options):
    """All of them in turn, a few a task."""
    rest = listed(options.searches)
    few = rest if options.all else random.Random(seed).sample(rest, min(len(rest), options.few))
    return listed(options.always) + few


def written(seed, task, folder, label):
    problem = os.path.join(folder, label + ".pddl")
    domain = os.path.join(folder, label + "-domain.pddl")
    writer = Writer(task, seed)
    for path, text in ((domain, writer.domain()), (problem, writer.problem())):
        with open(path, "w", encoding="utf-8") as out:
            out.write(text)
    return domain, problem


class Known:
    """What the reference knows of a task."""

    def __init__(self, seed):
        self.task, self.reference = generate.make(seed)
        self.steps = self.reference.distance_to_goal()
        self.cost = self.reference.distance_to_goal(lambda cost: cost)
        self.plus_one = self.reference.distance_to_goal(lambda cost: cost + 1)

    def __str__(self):
        return "no plan" if self.steps is None else f"shortest plan {self.steps}, cheapest {self.cost}, by costs and steps {self.plus_one}"


class Report:
    """Of one task."""

    def __init__(self, seed):
        self.seed, self.texts, self.counts, self.reasons = seed, [], Counter(), Counter()


def steps_of(path):
    """Of a file with a plan."""
    with open(path, encoding="utf-8") as lines:
        plain = [line.split(";")[0].strip() for line in lines]
    return [tuple(line.strip("()").split()) for line in plain if line]


def wrong_plan(result, plan, known, search):
    """What is wrong with a plan that was found."""
    if not os.path.exists(plan):
        return "plan: none was written"
    steps = steps_of(plan)
    try:
        reached, cost = known.reference.run(steps)
    except ValueError as problem:
        return f"plan: {problem}"
    if not reached:
        return "plan: it does not end in a goal"
    if len(steps) != result["witness_length"]:
        return f"plan: it has {len(steps)} steps, the witness {result['witness_length']}"
    if result.get("witness_cost", cost) != cost:
        return f"cost: the plan costs {cost}, the program says {result['witness_cost']}"
    if result.get("shortest") and len(steps) != known.steps:
        return f"length: reference: {known}; program: {len(steps)}"
    best, found = (known.plus_one, cost + len(steps)) if "--cost plus-one" in search else (known.cost, cost)
    if result.get("cheapest") and found != best:
        return f"cost: reference: {known}; program: {found}"
    if OPTIMAL.match(search) and not result.get("shortest") and not result.get("cheapest"):
        return "no proof: the plan is not said to be a best one"
    return ""


def as_sas(files, folder, options):
    """The task as a file of SAS+."""
    path = os.path.join(folder, "task.sas")
    done = subprocess.run([options.harrier, "print", "--sas", *files], capture_output=True, text=True, check=False, errors="replace")
    with open(path, "w", encoding="utf-8") as out:
        out.write(done.stdout)
    return path, "" if done.returncode == 0 else f"print --sas: exit code {done.returncode}, {done.stderr[:500]!r}"


def compare(search, known, files, folder, options, report, sizes):
    """What is wrong with the answer, empty if nothing is. `sizes` gets the numbers of states and of transitions."""
    plan = os.path.join(folder, "plan")
    if os.path.exists(plan):
        os.remove(plan)
    command = [options.harrier, "check", *files, "--search", *search.split(), "--plan", plan, "--json", "--quiet"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=options.seconds, check=False, errors="replace")
        document = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        report.reasons[f"{search}: no answer in time"] += 1
        return ""
    except ValueError:
        return f"broken: exit code {done.returncode}, {done.stdout[:200]!r} {done.stderr[:500]!r}"
    error = document.get("error") or next((r["error"] for r in document["results"] if r.get("error")), None)
    if error:
        if error["kind"] not in ("unsupported", "limit"):
            return f"error: {error['kind']}: {error['text'].strip()}"
        report.reasons[f"{error['kind']}: {error['text'].strip().splitlines()[0]}"] += 1
        return ""
    result = document["results"][0]
    sizes.append(None if result["search"] == "translation" else [result["statistics"][key] for key in ("stored", "generated")])
    verdict = result["verdict"]
    if verdict == "unknown" or (WALKS.match(search) and verdict == "unreachable"):
        report.counts["open"] += 1
        return ""
    if verdict not in ("reachable", "unreachable"):
        return f"verdict: {verdict}"
    if (verdict == "reachable") != (known.steps is not None):
        return f"verdict: reference: {known}; program: {verdict}"
    report.counts["agreed"] += 1
    if verdict == "reachable":
        return wrong_plan(result, plan, known, search)
    return ""


def check(seed, options):
    report = Report(seed)
    known = Known(seed)
    report.counts["plans"] += known.steps is not None
    with tempfile.TemporaryDirectory(prefix="pddl-") as folder:
        files = written(seed, known.task, folder, f"random-{seed}")
        sas, failed = as_sas(files, folder, options)
        sizes = []
        runs = [(search, files) for search in searches(seed, options)]
        runs.insert(1, (runs[0][0], [sas]))
        runs[-1] = (runs[-1][0], [sas])
        for number, (search, of) in enumerate(runs):
            wrong = failed or compare(search, known, of, folder, options, report, sizes)
            if number == 1 and len(sizes) == 2 and sizes[0] is not None and sizes[0] != sizes[1]:
                wrong = wrong or f"states and transitions: {sizes[0]}, from SAS+ {sizes[1]}"
            if wrong and not report.texts and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                written(seed, known.task, options.keep, f"random-{seed}")
            report.texts += [f"task {seed}, {'SAS+, ' if of == [sas] else ''}{search}: {wrong}"] if wrong else []
    return report


def show(seed):
    known = Known(seed)
    writer = Writer(known.task, seed)
    print(writer.domain() + writer.problem(), end="")
    print(f"; {known}; {len(known.reference.steps)} reachable states")


def summary(reports):
    """Prints it; whether all is well."""
    counts, reasons = Counter(), Counter()
    for r in reports:
        counts += r.counts
        reasons += r.reasons
    differ = sum(bool(r.texts) for r in reports)
    silent = sum(not r.texts and not r.counts["agreed"] for r in reports)
    print(f"{len(reports) - differ - silent} tasks agree, {differ} differ, {silent} without verdict; answers: {counts['agreed']} agree, "
          f"{counts['open']} open; {counts['plans']} tasks have a plan")
    for reason, count in reasons.most_common(20):
        print(f"  {count} times: {reason}")
    return not differ and 2 * silent < len(reports)  # a program that refuses everything is not right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for tasks on which the two differ")
    parser.add_argument("--always", default=ALWAYS, help="searches for every task, separated by commas; astar:hL has a heuristic")
    parser.add_argument("--searches", default=SEARCHES, help="of these a few a task; after a second colon there are options")
    parser.add_argument("--few", type=int, default=4, help="how many")
    parser.add_argument("--all", action="store_true", help="all searches for every task")
    parser.add_argument("--seconds", type=float, default=60, help="for each run of the program")
    parser.add_argument("--print", dest="show", type=int, help="print one task and stop")
    options = parser.parse_args()
    if options.show is not None:
        show(options.show)
        return 0
    options.harrier = os.path.abspath(options.harrier)
    reports = []
    with ProcessPoolExecutor(options.jobs) as pool:
        seeds = range(options.first, options.first + options.count)
        for report in pool.map(check, seeds, [options] * options.count, chunksize=4):
            reports.append(report)
            for text in report.texts:
                print(text, flush=True)
    return 0 if summary(reports) else 1


if __name__ == "__main__":
    sys.exit(main())
