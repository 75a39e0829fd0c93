#!/usr/bin/env python3
"""Compares Harrier with a reference semantics on small random SMV models (generate.py): verdicts, lengths of shortest witnesses and numbers
of reachable states. The reference (semantics.py) enumerates all candidates for next states and knows nothing of the program.

    random_models.py --harrier build/bin/harrier                        the models of the tests
    random_models.py --harrier build/bin/harrier --from 1000 --count 500 --keep FOLDER --reduce
    random_models.py --harrier build/bin/harrier --ctl                  with fairness, CTL and LTL
    random_models.py --print 7                                          the text of model 7, and what is known of it

Model N is the same in every run. A model on which the two differ is kept as random-N.smv in the folder --keep, with --reduce also a
smaller one that shows the same as random-N-small.smv.
"""

import argparse
import os
import random
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor

import generate
import reduce
from expressions import Fault
from program import Asker, Reference

ALWAYS = "bfs --no-simplify,bfs"
SEARCHES = ("dfs,auto,astar:hL,astar:hmax,astar:hamming,astar:spdb,greedy:hL,greedy:hU,greedy:hmax,greedy:hadd,greedy:hff,greedy:hCG,"
            "greedy:hamming,greedy:spdb,sbfs,sbwd,sbidi,schain,sgmc")


def spelled(search):
    """astar:hL is astar --heuristic hL."""
    order, _, heuristic = search.partition(":")
    return f"{order} --heuristic {heuristic}" if heuristic else order


def searches(seed, options):
    """All of them in turn, a few a model."""
    rest = [spelled(s) for s in options.searches.split(",") if s]
    few = rest if options.all else random.Random(seed).sample(rest, min(len(rest), options.few))
    return [spelled(s) for s in options.always.split(",") if s] + few


def written(model, folder, label):
    path = os.path.join(folder, label + ".smv")
    with open(path, "w", encoding="utf-8") as out:
        out.write(model.text())
    return path


class Report:
    """Of one model."""

    def __init__(self, seed):
        self.seed, self.texts, self.counts, self.reasons, self.warned, self.deadlocks = seed, [], Counter(), Counter(), False, False


def smaller(model, space, asker, search, kind, options, folder):
    """A smaller model with a difference of the same kind."""
    def same(small, small_space):
        path = written(small, folder, "small")
        found = asker.compare(path, search, Reference(small_space, options.deadlocks)).differences
        return any(d.split(":")[0] == kind for d in found)
    return reduce.reduce(model, space, same)[0]


def check(seed, options):
    report = Report(seed)
    try:
        model, space = generate.make(seed, options.ctl)
    except Fault as fault:
        report.texts.append(f"model {seed}: a mistake of the generator: {fault}")
        return report
    reference = Reference(space, options.deadlocks)
    report.deadlocks = bool(space.deadlocks)
    asker = Asker(options.harrier, [spelled(s) for s in options.counting.split(",")], options.seconds)
    with tempfile.TemporaryDirectory(prefix="smv-") as folder:
        path = written(model, folder, f"random-{seed}")
        for search in searches(seed, options):
            outcome = asker.compare(path, search, reference)
            report.counts.update(agreed=outcome.agreed, open=outcome.open, counted=outcome.counted, differing=len(outcome.differences))
            report.warned |= outcome.warned
            if outcome.reason:
                report.reasons[f"{search}: {outcome.reason.strip().splitlines()[-1]}" if outcome.reason.startswith("usage") else outcome.reason.strip()] += 1
            if outcome.differences and not report.texts and options.keep:
                os.makedirs(options.keep, exist_ok=True)
                written(model, options.keep, f"random-{seed}")
                if options.reduce:
                    kind = outcome.differences[0].split(":")[0]
                    small = smaller(model, space, asker, search, kind, options, folder)
                    written(small, options.keep, f"random-{seed}-small")
            report.texts += [f"model {seed}, {search}: {d}" for d in outcome.differences]
    return report


def show(seed, options):
    model, space = generate.make(seed, options.ctl)
    print(model.text(), end="")
    print(f"-- {space.states} states, {space.layers} layers, {len(space.deadlocks)} deadlocks, {len(space.initial)} initial states")
    for k, (p, known) in enumerate(zip(space.flat.properties, Reference(space, options.deadlocks).answers)):
        print(f"-- property {k + 1}, {p.form}: {known}")


def summary(reports):
    """Prints it; whether all is well."""
    counts, reasons = Counter(), Counter()
    for r in reports:
        counts += r.counts
        reasons += r.reasons
    differ = sum(bool(r.texts) for r in reports)
    silent = sum(not r.texts and not r.counts["agreed"] for r in reports)
    stuck = [r for r in reports if r.deadlocks]
    print(f"{len(reports) - differ - silent} models agree, {differ} differ, {silent} without verdict; answers: {counts['agreed']} agree, "
          f"{counts['differing']} differ, {counts['open']} open; numbers of states compared: {counts['counted']}; "
          f"deadlocks: {len(stuck)} models, {sum(r.warned for r in stuck)} with a warning")
    for reason, count in reasons.most_common(20):
        print(f"  {count} times: {reason}")
    return not differ and 2 * silent < len(reports)  # a program that refuses everything is not right


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", help="the program")
    parser.add_argument("--from", dest="first", type=int, default=1)
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--keep", help="folder for models on which the two differ")
    parser.add_argument("--reduce", action="store_true", help="look for smaller models with the same difference")
    parser.add_argument("--ctl", action="store_true", help="models with fairness and formulas of CTL and LTL")
    parser.add_argument("--always", default=ALWAYS, help="searches for every model, separated by commas; astar:hL has a heuristic")
    parser.add_argument("--searches", default=SEARCHES, help="of these a few a model")
    parser.add_argument("--few", type=int, default=4, help="how many")
    parser.add_argument("--all", action="store_true", help="all searches for every model")
    parser.add_argument("--counting", default="bfs --no-simplify",
                        help="searches whose stored states are compared with the reachable ones")
    parser.add_argument("--deadlocks", choices=["reach", "skip"], default="reach",
                        help="AG, EF, G and F in models with deadlocks: every reachable state counts, or they are not compared")
    parser.add_argument("--seconds", type=float, default=60, help="for each run of the program")
    parser.add_argument("--print", dest="show", type=int, help="print one model and stop")
    options = parser.parse_args()
    if options.show is not None:
        show(options.show, options)
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
