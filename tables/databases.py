#!/usr/bin/env python3
"""What abstraction databases are worth, docs/results/databases.md: A*, Promela, proofs by pruning; `tables/databases.py --help`."""

import argparse
import csv
import json
import math
import re
import subprocess
from pathlib import Path

import auto
import instances
import pages
import runs

ROOT = Path(__file__).resolve().parent.parent
REFERENCE = "astar hL"
DATABASES = ["astar pdb", "astar ms", "astar zdb clocks", "astar lmcut", "astar max(hL,pdb)", "astar max(pdb,ms)",
             "astar max(pdb,lmcut)"]
BESIDE = ["astar lmcut"]  # no database, shown for comparison
PROMELA = ["astar pdb", "astar ms"]
PROOFS = ["astar pdb", "astar ms", "astar zdb clocks"]
SHORTEST = ["M1", "M2", "M3", "M4", "N1", "N2", "N3", "N4", "S1", "A3", "A4", "H3", "H4", "H5", "H6", "H7"]
SHARE = 0.5  # of the states that A* with hL expands, in the geometric mean
LONG = 1.0  # seconds of A* with hL from which on a database has to be faster, with its building
PRUNED = 0.1  # of the states that breadth-first search stores
# Of runs with a short limit, building may take only a part.
BUDGET = ["--abstraction-seconds", "3"]
LOOKUPS = {"pdb": 2_000_000, "pa": 200_000}  # a second, at least

NEIGHBOURS = "E<> Philosopher({}).eating and Philosopher({}).eating"
# Families of ours: (family, size, query or None for its own).
FAMILIES = [("fischer", 6, None), ("csma", 6, None), ("train-gate", 5, None), ("dining", 12, NEIGHBOURS.format(0, 1)),
            ("dining", 14, NEIGHBOURS.format(5, 6))]
# Too large for breadth-first search in 10 minutes or 24 GiB.
LARGE = [("dining", 100, NEIGHBOURS.format(0, 1))]
# The same for shared models with a greater constant: (model, constant, value there, value).
GROWN = [("speed/csma-10", "N", 10, 20)]


class Subject:
    """A model with one property: files, and options that name the property."""

    def __init__(self, name, files, options=()):
        self.name = name
        self.files = [Path(f) for f in files]
        self.options = list(options)


def name_of(configuration):
    """The heuristic of a configuration, as the page names it."""
    return " + ".join(w for w in configuration.split() if w != "astar")


def expanded(entry):
    """States that a run that found the error expanded; at least 1."""
    return max(1, entry["statistics"]["expanded"])


def built(entry):
    """Seconds that building took."""
    return sum(a["time_s"] for a in entry.get("abstractions", []))


def kept(entry):
    """States that a run stored, and abstract states that it built."""
    return entry["statistics"]["stored"] + sum(a["states"] for a in entry.get("abstractions", []))


def solved(entry):
    """Whether the run found the error."""
    return entry is not None and entry["explored"] is not None


def proved(entry):
    """Whether the run proved that there is none."""
    return entry is not None and entry.get("verdict") == "unreachable"


def mean(ratios):
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def count(number):
    """A number of states."""
    return f"{number:,}".replace(",", " ") if number < 1e6 else f"{number:.2e}".replace("e+0", "e+")


class Bench:
    """Runs configurations on subjects; remembers what it ran."""

    def __init__(self, runner, run, heuristics):
        self.runner = runner
        self.run = run
        self.heuristics = heuristics  # that are to be run; None: all

    def available(self, configurations):
        """Those that the program has."""
        return [c for c in configurations if self.runner.has(c)]

    def result(self, subject, configuration, time_limit, memory_limit, budget=()):
        """One run, or None."""
        self.runner.time_limit, self.runner.memory_limit = time_limit, memory_limit
        options = runs.arguments(configuration) + subject.options + list(budget)
        name = name_of(configuration)
        run = self.run and (self.heuristics is None or name in self.heuristics)
        entry = self.runner.single(subject, name, options, run)
        if entry is not None and "is for models with clocks" in entry["reason"]:
            return self.result(subject, configuration.replace(" clocks", ""), time_limit, memory_limit, budget)
        return entry

    def results(self, subject, configurations, time_limit, memory_limit):
        """Runs with a short limit, those with a database with a budget for it; by configuration."""
        return {c: self.result(subject, c, time_limit, memory_limit, BUDGET if c in DATABASES else ()) for c in configurations}


def shortest_section(bench, models, options):
    """A* with databases against A* with hL: the lines of the section, and those of the summary."""
    databases = bench.available(DATABASES)
    head = ["instance", "length", "hL"] + [name_of(c) for c in databases] + ["fewest states", "ratio", "least time", "ratio"]
    rows, states, times, slower, lengths = [], {c: [] for c in ["best", *databases]}, [], [], []
    missing, unanswered, limits = [], [], set()
    for name in SHORTEST:
        if name not in models:
            continue
        subject = Subject(name, models[name].files)
        entries = {c: bench.result(subject, c, options.time_limit, options.memory_limit) for c in [REFERENCE, *databases]}
        reference = entries[REFERENCE]
        found = [c for c in databases if solved(entries[c]) and c not in BESIDE]
        row = [name, str(reference["length"]) if solved(reference) else "–"] + [cell(entries[c]) for c in [REFERENCE, *databases]]
        limits |= {e["time_limit"] for e in entries.values() if e is not None and not solved(e)}
        if not found or not solved(reference):
            rows.append(row + ["–"] * 4)
            missing.append(name)
            if solved(reference) and reference["runtime"] > LONG:
                unanswered.append(name)
            continue
        for c in (c for c in databases if solved(entries[c])):
            states[c].append(expanded(entries[c]) / expanded(reference))
            if entries[c]["length"] != reference["length"]:
                lengths.append(f"{name} with {name_of(c)}")
        fewest = min(found, key=lambda c: (expanded(entries[c]), entries[c]["runtime"]))
        fastest = min(found, key=lambda c: entries[c]["runtime"])
        states["best"].append(expanded(entries[fewest]) / expanded(reference))
        time_ratio = entries[fastest]["runtime"] / max(1e-4, reference["runtime"])
        if reference["runtime"] > LONG:
            times.append(name)
            if time_ratio >= 1:
                slower.append(name)
        rows.append(row + [name_of(fewest), f"{states['best'][-1]:.3f}", name_of(fastest), f"{time_ratio:.2f}"])
    lines = ["## Shortest error paths\n",
             "A\\* with each heuristic: expanded states / total time in seconds (of which building). "
             f"Limits: {' or '.join(f'{s:g}' for s in sorted(limits or {options.time_limit}))} s and {options.memory_limit} MB; a dash is a run "
             f"that hit one, `{pages.NOT_RUN}` one that was not made. The ratios are those of the "
             "best database (lmcut is none), by states and by time, to hL. Where a model has no clocks (A, H), zdb runs without `--heuristic-clocks`.\n", pages.markdown(head, rows)]
    short = []
    if states["best"]:
        best_single = min((c for c in databases if c not in BESIDE and len(states[c]) == len(states["best"])), key=lambda c: mean(states[c]), default=None)
        short.append(f"- Shortest error paths: A\\* with the best database of each instance expands **{mean(states['best']):.3f}** of the "
                     f"states of A\\* with hL in the geometric mean of {len(states['best'])} of {len(SHORTEST)} instances (the goal is {SHARE}, over all)"
                     + (f"; with the best single one, {name_of(best_single)}, {mean(states[best_single]):.3f}." if best_single else "."))
        if times:
            short.append(f"- Where A\\* with hL takes over {LONG:g} s ({', '.join(times)}) the fastest database, building included, is "
                         + ("faster everywhere." if not slower else "faster but for " + ", ".join(slower) + "."))
        else:
            short.append(f"- A\\* with hL takes over {LONG:g} s on none of them.")
        if missing:
            short.append(f"- **Incomplete**: without a result of a database, or of hL: {', '.join(missing)}"
                         + (f"; of these hL takes over {LONG:g} s on {', '.join(unanswered)}." if unanswered else "."))
        short.append("- Lengths: " + ("all the same as with hL." if not lengths else "**different** on " + ", ".join(lengths) + "."))
        rows = [[name_of(c), str(len(r)), f"{mean(r):.3f}", f"{min(r):.3f}", f"{max(r):.3f}"] for c, r in states.items() if r and c != "best"]
        lines.append("By heuristic, expanded states over those of hL, on the instances that both solve:\n")
        lines.append(pages.markdown(["heuristic", "instances", "geometric mean", "least", "largest"], rows))
    return lines, short


def cell(entry):
    """Expanded states / total time (building); a dagger for runs that had to be killed."""
    if entry is None:
        return pages.NOT_RUN
    if not solved(entry):
        return "– †" if "not obeyed" in entry["reason"] else "–"
    building = f" ({built(entry):.2f})" if entry.get("abstractions") else ""
    return f"{count(entry['statistics']['expanded'])} / {entry['runtime']:.2f}{building}"


def goals(beem, answers):
    """(file, goal) of the BEEM models whose answer is one of `answers`, each once."""
    with open(beem / "goals.csv", newline="") as file:
        return list(dict.fromkeys((row["file"], row["goal"]) for row in csv.DictReader(file) if row["answer"] in answers))


def promela_section(bench, beem, options):
    """A* on the reachable goals."""
    databases = bench.available(PROMELA)
    rows, different, both, ratios, times, only = [], [], 0, [], [], {True: [], False: []}
    for file, goal in goals(beem, ("reachable",)):
        subject = Subject(file, [beem / file], ["--goal", goal])
        entries = bench.results(subject, [REFERENCE, *databases], options.promela_limit, options.memory_limit)
        found = [c for c in databases if solved(entries[c])]
        best = min(found, key=lambda c: expanded(entries[c]), default=None)
        ratio = "–"
        if best and solved(entries[REFERENCE]):
            both += 1
            ratios.append(expanded(entries[best]) / expanded(entries[REFERENCE]))
            if entries[REFERENCE]["runtime"] > LONG:
                times.append(min(entries[c]["runtime"] for c in found) < entries[REFERENCE]["runtime"])
            ratio = f"{ratios[-1]:.3f}"
            different += [f"{file} `{goal}` with {name_of(c)}" for c in found if entries[c]["length"] != entries[REFERENCE]["length"]]
        elif best or solved(entries[REFERENCE]):
            only[best is not None].append(file)
        lengths = [str(e["length"]) for e in entries.values() if solved(e)]
        rows.append([file, f"`{goal}`".replace("|", "\\|"), lengths[0] if lengths else "–",
                     *(cell(entries[c]) for c in [REFERENCE, *databases]), ratio])
    lines = ["## Promela\n", f"A\\* on the goals of the BEEM models that can be reached, {options.promela_limit:g} s each, at most {BUDGET[1]} s of them for building; cells as above. "
             "The ratio is that of expanded states, of the best database to hL."
             + (" †: building took no heed of its limits (mended since), and the run was killed." if any("†" in text for row in rows for text in row) else "")
             + "\n",
             pages.markdown(["model", "goal", "length", "hL", *map(name_of, databases), "ratio"], rows)]
    short = []
    if ratios:
        short.append(f"- Promela: {both} goals are reached by A\\* with hL and with a database within {options.promela_limit:g} s; the best "
                     f"database expands {mean(ratios):.3f} of the states in the geometric mean ({min(ratios):.3f} to {max(ratios):.3f}). "
                     f"Where hL takes over {LONG:g} s, the fastest database is faster on {sum(times)} of {len(times)}, building included. "
                     f"Only with a database: {', '.join(only[True]) or 'none'}; only with hL: {', '.join(only[False]) or 'none'}. Lengths: "
                     + ("all equal." if not different else "**different** on " + ", ".join(different) + "."))
    return lines, short


def properties(binary, files, known):
    """How many properties a model has; `known` remembers it."""
    key = str(files[0])
    if key in known:
        return known[key]
    command = [binary, "check", *files, "--json", "--quiet", "--search", "bfs", "--time-limit", "0.05"]
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
    try:
        known[key] = len(json.loads(done.stdout)["results"])
    except (json.JSONDecodeError, KeyError):
        known[key] = 0
    return known[key]


def generated(binary, directory, family, size, query):
    """A model of a family as a subject."""
    model = directory / f"{family}-{size}.xta"
    model.write_text(instances.output(binary, "generate", family, str(size)))
    own = instances.output(binary, "generate", "--query", family, str(size)).strip()
    return Subject(f"generate {family} {size}" + (f", `{query}`" if query else ""), [model], ["--query", query or own])


def grown(shared, directory, name, constant, old, new):
    """A shared model with a greater constant as a subject."""
    text = (shared / f"{name}.xta").read_text()
    before, after = (f"const int {constant} = {value};" for value in (old, new))
    if before not in text:
        raise ValueError(f"{name}.xta has no {before}")
    model = directory / f"{Path(name).name}-{constant}-{new}.xta"
    model.write_text(text.replace(before, after))
    return Subject(f"{name}.xta with {constant} = {new}", [model, shared / f"{name}.q"], ["--select", "1"])


def candidates(binary, shared, directory):
    """Properties that may hold: of the shared models, the goals of BEEM, and families of ours."""
    counts = directory / "properties.json"
    known = json.loads(counts.read_text()) if counts.exists() else {}
    for name, arguments in auto.all_queries(shared):
        if name.startswith("promela"):
            continue
        number_of = properties(binary, arguments, known)
        counts.write_text(json.dumps(known, indent=1) + "\n")
        for number in range(1, number_of + 1):
            yield Subject(f"{name} {number}", [a for a in arguments if isinstance(a, Path)],
                          [str(a) for a in arguments if not isinstance(a, Path)] + ["--select", str(number)])
    beem = shared / "promela/beem"
    for file, goal in goals(beem, ("unreachable", "unknown")):
        yield Subject(f"{file} `{goal}`", [beem / file], ["--goal", goal])
    for family, size, query in FAMILIES:
        yield generated(binary, directory, family, size, query)


def proof_row(name, bfs, best, entry):
    """A line of the table of proofs."""
    stored = entry["statistics"]["stored"]
    share = ("" if proved(bfs) else "< ") + f"{stored / max(1, bfs['statistics']['stored']):.2g}"
    ended = f"{count(bfs['statistics']['stored'])} / {bfs['runtime']:.2f}"
    if not proved(bfs):
        ended = f"> {ended} ({bfs['reason']}, {bfs['time_limit']:g} s, {bfs['memory_limit'] / 1024:g} GiB)"
    return [name.replace("|", "\\|"), ended, name_of(best), f"{count(stored)} / {entry['runtime']:.2f} ({built(entry):.2f})", share,
            str(entry["statistics"].get("dead_ends", 0)), count(kept(entry) - stored)]


def joined(found_rows):
    """Lines of properties of the same model as one, where all but the times is equal; the times are those of the first."""
    lines = {}
    for subject, row in found_rows:
        model, _, number = row[0].rpartition(" ")
        if "--select" not in subject.options:
            model, number = row[0], ""
        key = (model, *(re.sub(r" / .*", "", text) for text in row[1:]))
        lines.setdefault(key, (row, []))[1].append(number)
    return [[" ".join(filter(None, (key[0], ", ".join(numbers)))), *row[1:]] for key, (row, numbers) in lines.items()]


def proof_section(bench, binary, shared, directory, options):
    """Proofs with fewer than a tenth of the states."""
    databases = bench.available(PROOFS)
    found_rows, seen, unknown, fewer, beyond = [], 0, 0, 0, []
    for subject in candidates(binary, shared, directory):
        bfs = bench.result(subject, "bfs", options.proof_limit, options.memory_limit)
        if bfs is None or bfs["explored"] is not None or "statistics" not in bfs:
            continue
        entries = bench.results(subject, databases, options.proof_limit, options.memory_limit)
        found = [c for c in databases if proved(entries[c])]
        if any(e is None for e in entries.values()):
            unknown += 1
            continue
        if not found and not proved(bfs):
            continue
        seen += 1
        enough = PRUNED * bfs["statistics"]["stored"]
        found = [c for c in found if entries[c]["statistics"]["stored"] < enough]
        best = min(found, key=lambda c: (kept(entries[c]), entries[c]["runtime"]), default=None)
        if best:
            found_rows.append((subject, proof_row(subject.name, bfs, best, entries[best])))
            fewer += kept(entries[best]) < enough
    large = [generated(binary, directory, *which) for which in LARGE]
    large += [grown(shared, directory, *which) for which in GROWN if (shared / f"{which[0]}.xta").exists()]
    for subject in large:
        entries = bench.results(subject, databases, options.proof_limit, options.memory_limit)
        found = [c for c in databases if proved(entries[c])]
        bfs = bench.result(subject, "bfs", options.large_limit, options.large_memory)
        if found and bfs is not None and "statistics" in bfs and not proved(bfs):
            best = min(found, key=lambda c: entries[c]["runtime"])
            beyond.append(proof_row(subject.name, bfs, best, entries[best]))
    head = ["property", "bfs: stored / s", "database", "stored / s (building)", "share", "dead ends pruned", "abstract states"]
    lines = ["## Proofs by pruning\n",
             f"Properties that hold (the goal cannot be reached), where A\\* with a database stores less than {100 * PRUNED:g} % of the states "
             f"that breadth-first search stores. All properties of the shared models, the goals of BEEM and small members of our families were "
             f"tried, {options.proof_limit:g} s a run, at most {BUDGET[1]} s of them for building; {seen} of them were proved by breadth-first search or with a database. `>`: breadth-first search "
             "did not finish, so that the share is at most the one shown. Properties of a model that differ in nothing but times share a line. Of several databases the line has the one with the fewest states, abstract "
             "ones included. Where the abstract states are as many as those of the model, the work was only moved into building; where they are few, it was saved.\n", pages.markdown(head, joined(found_rows))]
    if beyond:
        lines += ["Too large for breadth-first search (in `dining 100` every second philosopher may eat or not, whatever the others do: there "
                  "are more than 2^50 states. csma has 20 738 zones with 8 stations and 144 898 with 10; if it goes on like this, 2·10^9 with 20. Other jobs left "
                  "breadth-first search about a fifth of a core here):\n", pages.markdown(head, beyond)]
    if unknown and not seen:
        return lines[:1] + ["Not measured yet.\n"], ["- Proofs by pruning: not measured yet."]
    short = [f"- Proofs by pruning: {len(found_rows)} of {seen} properties with less than {100 * PRUNED:g} % of the states of breadth-first search, "
             f"{fewer} of them also with the abstract states counted"
             + (f"; {len(beyond)} that breadth-first search did not prove in {options.large_limit:g} s." if beyond else ".")]
    return lines, short


def lookup_section(bench, file, run):
    """What heuristic_bench measures, or measured last."""
    program = bench.runner.binary.parent / "heuristic_bench"
    names = [name for name in ("pdb", "ms", "pa", "zdb") if bench.runner.has("astar " + name)]
    if run and names and program.exists():
        command = [program, f"--benchmark_filter=^({'|'.join(names)})/", "--benchmark_format=json", "--benchmark_min_time=0.2"]
        done = subprocess.run([str(c) for c in command], capture_output=True, text=True)
        if done.returncode == 0:
            file.write_text(done.stdout)
    if not file.exists():
        return [], []
    measured = [b for b in json.loads(file.read_text())["benchmarks"] if "items_per_second" in b]
    by_name = {}
    for b in measured:
        heuristic, model = b["name"].split("/", 1)
        by_name.setdefault(heuristic, []).append((b["items_per_second"], model, b["allocations"]))
    rows, short = [], []
    for heuristic, found in by_name.items():
        slowest, fastest = min(found), max(found)
        rows.append([heuristic, f"{slowest[0]:.2e} ({slowest[1]})", f"{fastest[0]:.2e} ({fastest[1]})",
                     str(round(sum(f[2] for f in found))), f"{LOOKUPS[heuristic]:.0e}" if heuristic in LOOKUPS else "–"])
        short.append(f"{heuristic} {slowest[0] / 1e6:.2f} to {fastest[0] / 1e6:.2f} million")
    lines = ["## Look-ups\n", "Estimates a second on one core, of states that a breadth-first search reaches (`heuristic_bench`, "
             "[benchmarks](../benchmarks.md)), and how often memory was allocated.\n",
             pages.markdown(["heuristic", "slowest", "fastest", "allocations", "goal"], rows)]
    return lines, ["- Look-ups a second: " + "; ".join(short) + "."]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/models", help="the shared benchmark sets")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="derived models and remembered results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/results")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each run of A* on a timed model")
    parser.add_argument("--promela-limit", type=float, default=10, help="seconds for each run on a model in Promela")
    parser.add_argument("--proof-limit", type=float, default=10, help="seconds for each proof")
    parser.add_argument("--memory-limit", type=int, default=4096, help="MB for each run")
    parser.add_argument("--large-limit", type=float, default=600, help="seconds for breadth-first search where it is to fail")
    parser.add_argument("--large-memory", type=int, default=24576, help="MB for that")
    parser.add_argument("--reuse", choices=["none", "limits", "all"], default="none",
                        help="results of other versions of the program that count: none, those that hit a limit, all")
    parser.add_argument("--sections", default="shortest,promela,proofs,lookups", help="what to run; the page shows all that is known")
    parser.add_argument("--heuristics", help="only run these, as the page names them, separated by semicolons: 'hL;pdb;bfs'")
    parser.add_argument("--pages-only", action="store_true", help="run nothing, write the page from what is known")
    options = parser.parse_args()

    binary = options.binary.resolve()
    runner = runs.Runner(binary, options.work / "results", options.time_limit, options.memory_limit, 1, options.reuse)
    models = instances.collect(binary, options.shared / "dmc", options.work / "models")
    directory = options.work / "databases"
    directory.mkdir(parents=True, exist_ok=True)

    def bench(section):
        return Bench(runner, not options.pages_only and section in options.sections.split(","),
                     options.heuristics and options.heuristics.split(";"))

    beem = options.shared / "promela/beem"
    parts = [shortest_section(bench("shortest"), models, options)]
    if beem.is_dir():
        parts.append(promela_section(bench("promela"), beem, options))
    parts.append(proof_section(bench("proofs"), binary, options.shared, directory, options))
    parts.append(lookup_section(bench("lookups"), options.work / "lookups.json", bench("lookups").run))
    lines = ["# Abstraction databases\n",
             "What is built once before the search and looked up in every state (`harrier explain pdb`, `ms`, `zdb`): what it is worth to A\\* "
             "and to proofs. `tables/databases.py` writes this page. Measured on two cores of an AMD EPYC with 24 GiB, while other jobs ran on the "
             "machine: times are indicative.\n", "## In short\n", *(line for _, short in parts for line in short), ""]
    lines += [line for section, _ in parts for line in section]
    (options.out / "databases.md").write_text("\n".join(lines))


if __name__ == "__main__":
    main()
