#!/usr/bin/env python3
"""Compares Harrier with Spin on Promela models: number of states, failing assertions, invalid end states, by breadth-first
search, which stores every state, and by depth-first search, which passes through the states inside atomic sequences.

    compare.py --harrier build/bin/harrier                  the models of this folder, the examples, and small shared ones
    compare.py --harrier build/bin/harrier --all            all shared ones of at most 10^6 states, too
    compare.py --harrier build/bin/harrier a.pml b.pml      these

Ends with 0 if nothing differs, 1 if something does, and 77 if Spin or gcc are missing.
"""

import argparse
import glob
import os
import sys
from concurrent.futures import ThreadPoolExecutor

import spin_oracle

HERE = os.path.dirname(os.path.abspath(__file__))
MOST_STATES = 1_000_000
SEARCHES = ["bfs", "dfs --reduction off"]

# Shared models that take well below a second.
SMALL = """beem/adding.1.pm beem/bakery.1.pm beem/bridge.1.pm beem/cambridge.1.pm beem/fischer.1.pm
    beem/frogs.1.pm beem/gear.1.pm beem/hanoi.1.pm beem/lamport.1.pm beem/needham.1.pm beem/peterson.1.pm beem/phils.1.pm
    beem/protocols.1.pm beem/reader_writer.1.pm spin/abp.pml spin/hello.pml spin/leader0.pml
    spin/loops.pml spin/peterson.pml spin/eratosthenes.pml""".split()

# The examples of the project, in sizes that take well below a second.
EXAMPLES = """abp|abp FAULTY|leader N=3|leader N=3 FAULTY|mutex-faulty N=2|mutex-faulty N=3 LOW=0|peterson N=3|
    peterson N=2 FAULTY|peterson N=2 FAULTY LOW=0|peterson-faulty|philosophers N=5|send-receive N=1|token-leader N=2|
    token-leader N=3""".split("|")

# Not to be compared: what they contain is refused.
REFUSED = {
    "leader_trace.pml": "notrace",
}


def shared_folder():
    """The folder of shared models next to the repository or one of the folders above it, None if there is none."""
    folder = HERE
    while folder != "/":
        folder = os.path.dirname(folder)
        candidate = os.path.join(folder, "shared", "models", "promela")
        if os.path.isdir(candidate):
            return candidate
    return None


def shared_models(everything):
    folder = shared_folder()
    if folder is None:
        print("skipped: the models of ../shared/models/promela, which are not beside the project")
        return []
    if not everything:
        return [os.path.join(folder, name) for name in SMALL]
    found = []
    for pattern in ("beem/*.pm", "spin/*.pml", "giop/*.pr"):
        found += sorted(glob.glob(os.path.join(folder, pattern)))
    return [name for name in found if os.path.basename(name) not in REFUSED]


def examples():
    """Paths of the example models, each with what is to be defined."""
    words = [example.split() for example in EXAMPLES]
    return [(os.path.join(HERE, "..", "..", "models", name + ".pml"), defines) for name, *defines in words]


def compare(harrier, model, defines, seconds):
    """The line to print, and whether it is one of agreement."""
    name = " ".join([os.path.basename(model), *defines])
    own = model.startswith(HERE)
    spin = spin_oracle.ask_spin(model, seconds, large=not own, defines=defines)
    if spin.late or (spin.states or 0) > MOST_STATES:
        return f"-    {name}: too large", True
    if spin.refused and not own:
        return f"-    {name}: Spin has no answer: {spin.problem.splitlines()[0]}", True
    for search in SEARCHES:
        ours = spin_oracle.ask_harrier(harrier, model, search, defines=defines)
        different = spin_oracle.difference(spin, ours)
        if different:
            return f"BAD  {name}: {search}: different {different}\n     spin:    {spin}\n     harrier: {ours}", False
    return f"ok   {name}: {ours}", True


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--harrier", required=True, help="the program")
    parser.add_argument("--all", action="store_true", help="all shared models")
    parser.add_argument("--seconds", type=float, default=30, help="time for each run of pan")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("models", nargs="*")
    options = parser.parse_args()
    missing = spin_oracle.missing_tools()
    if missing:
        print("skipped: not installed: " + ", ".join(missing))
        return spin_oracle.NOT_RUN
    paths = options.models or sorted(glob.glob(os.path.join(HERE, "models", "*.pml"))) + shared_models(options.all)
    models = [(path, []) for path in paths] + ([] if options.models else examples())
    harrier = os.path.abspath(options.harrier)
    bad = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        for line, agrees in pool.map(lambda model: compare(harrier, *model, options.seconds), models):
            print(line, flush=True)
            bad += not agrees
    print(f"{len(models)} models, {bad} different")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
