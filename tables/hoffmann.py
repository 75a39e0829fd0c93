#!/usr/bin/env python3
"""Tables 1 to 3 of Hoffmann et al. (2006) with our numbers, docs/results/table-hoffmann-*.md: `tables/hoffmann.py --help`."""

import argparse
import csv
import fnmatch
import re
import statistics
from pathlib import Path

import instances
import pages
import runs
import svg

ROOT = Path(__file__).resolve().parent.parent
AUTHORS = "Hoffmann et al. (2006)"
# Nothing is to be built coarser: a building that takes too long runs into the limit of the run, as theirs did.
BUDGET = ["--abstraction-seconds", "300", "--abstraction-states", "20000000"]
BEST_OF = ("greedy hL", "greedy hU")
GOALS = {"Syntax-b2": 2, "ARMC-b3-r4": 2, "[5]-N50": 2}  # explored states, ours over theirs, at most this in the median
SUSPICIOUS = 2  # times their explored states, from which on a cell is explained


def ours_of(name):
    """The name of an instance in the rest of these pages: their C1 to C6 are S1 to S6."""
    return "S" + name[1:] if name.startswith("C") else name


def shown_name(name):
    """`C1 (S1)`, and names that are the same as they are."""
    return f"{name} ({ours_of(name)})" if ours_of(name) != name else name


def label(configuration):
    """The name of a configuration in the paper."""
    if configuration in ("rdfs", "best"):
        return {"rdfs": "RDF", "best": "[13]-best"}[configuration]
    _, heuristic, *rest = configuration.split()
    if heuristic == "ms":
        return "[5]-" + rest[0]
    split = "all" if rest[1] == "b0" else rest[1]
    return "-".join([{"syntax": "Syntax", "refinement": "ARMC"}[rest[0]], split, *rest[2:]])


def read(path):
    """The published numbers: table -> (instance, configuration) -> row."""
    out = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            out.setdefault(row["table"], {})[row["instance"], row["configuration"]] = row
    return out


def overhead(entry):
    """Seconds that building took; None where nothing is built or it was not finished."""
    built = (entry or {}).get("abstractions")
    return sum(b["time_s"] for b in built) if built else None


def details(entry):
    """What the report of an abstraction says, line by line."""
    return [d["title"] + ": " + d["text"] for built in (entry or {}).get("abstractions", []) for d in built["details"]]


def is_coarser(entry):
    """Whether a budget cut the abstraction."""
    return any(word in line for line in details(entry) for word in ("used up", "cut at", "hurried"))


def path_lengths(entry):
    """The lengths of the shortest abstract error paths after the last iteration, of each part that has a say in the goal."""
    found = [re.search(r"abstract paths of length ([\d, none]+):", line) for line in details(entry)]
    last = [match[1].split(", ")[-1] for match in found if match]
    return ", ".join(last) or (pages.NOT_RUN if entry is None else "–")


class Results:
    """Our numbers for the cells of the tables."""

    def __init__(self, runner, models):
        self.runner = runner
        self.models = models

    def get(self, name, configuration, run):
        """The result of a cell, or None if it is not known and not to be run, or cannot be run."""
        instance = self.models.get(ours_of(name))
        if instance is None:
            return None
        if configuration == "best":
            tried = [self.runner.result(instance, c, run) for c in BEST_OF]
            found = [r for r in tried if r is not None and r["explored"] is not None]
            return min(found, key=lambda r: r["explored"]) if found else tried[-1]
        if not self.runner.has(configuration):
            return None
        if configuration == "rdfs":
            return self.runner.result(instance, configuration, run)
        return self.runner.single(instance, label(configuration), runs.arguments(configuration) + BUDGET, run)


def shown_theirs(row):
    """A cell as it was printed: overhead, explored states, runtime."""
    if row["explored"] == "-":
        return "–"
    return " / ".join(filter(None, (row["overhead"], row["explored"], row["runtime"])))


def shown_ours(entry, row):
    """The same of ours; with hundredths, since many take less than a tenth of a second."""
    if entry is None:
        return pages.NOT_RUN
    if entry["explored"] is None:
        seconds = overhead(entry)
        return "–" if seconds is None or not row["overhead"] else f"{seconds:.2f} / –"
    parts = [pages.shown(entry, "explored"), f"{entry['runtime']:.2f}"]
    if row["overhead"]:
        parts.insert(0, f"{overhead(entry) or 0:.2f}")
    return " / ".join(parts) + ("\\*" if is_coarser(entry) else "")


class Report:
    """The pages."""

    def __init__(self, published, ours, options, explanations):
        self.published = published
        self.ours = ours
        self.options = options
        self.explanations = explanations

    def page(self, table):
        """One of the three tables."""
        cells = self.published[table]
        parts = [f"# {AUTHORS}, table {table}\n\n{pages.PREDICATES[table]}: the numbers of {AUTHORS}, table {table} "
                 f"([bibliography](../bibliography.md)), beside ours. {self.notes()}\n"]
        if table == "1":
            parts.append(self.summary())
        parts.append(self.by_example(cells) if table == "3" else self.by_configuration(cells))
        if table == "3":
            parts.append(self.series())
        parts.append(self.medians(table))
        parts += self.plot(table)
        if table == "1":
            parts.append(self.deviations())
        (self.options.out / f"table-hoffmann-{table}.md").write_text("\n".join(parts))

    def notes(self):
        """How to read a cell."""
        return ("A cell is overhead / explored states / runtime, both times in seconds; overhead is the time that building the "
                "abstraction takes, and a part of the runtime. A dash: they or we hit a limit. Theirs: 300 s for building on a PC with 1.2 "
                f"GHz and 1 GB; ours: {self.limits()} s and {self.options.memory_limit} MB for everything, on two cores of an AMD EPYC while other "
                "jobs ran on the machine: our times are indicative. `\\*`: the "
                f"abstraction is coarser than asked for, to stay within its budget. `{pages.NOT_RUN}`: not run. Their C1 to C6 are our S1 to S6 ([the instances](instances.md)); ARMC is `--predicates refinement`, b is "
                "`--split` (all: 0), r is `--refinements`, [5]-N50 is `--heuristic ms --merge-states 50 --merge dfp`, all with `--search greedy`; [13]-best "
                "is the better one, by explored states, of greedy search with hL and hU; RDF is `--search rdfs`, "
                f"the average of {self.options.random_runs} runs.")

    def limits(self):
        """The time limits of the runs that hit one."""
        hit = {e["time_limit"] for e in self.ours.values() if e["explored"] is None}
        return " or ".join(f"{seconds:g}" for seconds in sorted(hit or {self.options.time_limit}))

    def by_configuration(self, cells):
        """Instances in rows, configurations in columns."""
        names = list(dict.fromkeys(n for n, _ in cells))
        configurations = list(dict.fromkeys(c for _, c in cells))
        head = ["instance"] + [f"{label(c)}, {who}" for c in configurations for who in ("theirs", "ours")]
        rows = [[shown_name(n)] + [text for c in configurations
                                   for text in (shown_theirs(cells[n, c]), shown_ours(self.ours.get((n, c)), cells[n, c]))]
                for n in names]
        return pages.markdown(head, rows)

    def by_example(self, cells):
        """As they print table 3: a block for each instance, with split bounds in rows and iterations in columns."""
        parts = []
        for name in dict.fromkeys(n for n, _ in cells):
            by_split = {}
            for (n, c), row in cells.items():
                if n == name:
                    split, iterations = c.split()[-2:]
                    by_split.setdefault("all" if split == "b0" else split, {})[iterations] = (row, self.ours.get((n, c)))
            iterations = list(next(iter(by_split.values())))
            head = [shown_name(name)] + [f"{r}, {who}" for r in iterations for who in ("theirs", "ours")]
            rows = [[split] + [text for r in iterations for text in (shown_theirs(by[r][0]), shown_ours(by[r][1], by[r][0]))]
                    for split, by in by_split.items()]
            parts.append(pages.markdown(head, rows))
        return "\n".join(parts)

    def series(self):
        """C4 with split bound 3: iterations against explored states and lengths of abstract error paths."""
        rows = []
        for (name, c), row in self.published["series"].items():
            entry = self.ours.get((name, c))
            rows.append([c.split()[-1][1:], row["explored"], row["lengths"].replace(" ", ", "),
                         pages.shown(entry, "explored"), path_lengths(entry)])
        head = ["refinements", "explored, theirs", "lengths, theirs", "explored, ours", "lengths, ours"]
        return ("## Iterations on C4 with split bound 3\n\nExplored states, and the lengths of the shortest error paths in the "
                "abstractions of the parts (§5; two parts, the path of the second one is feasible from iteration 3 on).\n\n"
                + pages.markdown(head, rows))

    def ratios(self, table, configuration, of):
        """Ours over theirs on all instances where both have a number; `of` is explored or overhead."""
        out = []
        for (name, c), row in self.published[table].items():
            entry = self.ours.get((name, c))
            if c != configuration or entry is None or entry["explored"] is None:
                continue
            theirs = pages.number(row[of])
            ours = overhead(entry) if of == "overhead" else entry[of]
            if theirs and ours is not None:
                out.append((ours / theirs, name))
        return out

    def medians(self, table):
        """Medians of the ratios, by configuration."""
        rows = []
        for c in dict.fromkeys(c for _, c in self.published[table]):
            explored = [r for r, _ in self.ratios(table, c, "explored")]
            built = [r for r, _ in self.ratios(table, c, "overhead")]
            by_them = sum(row["explored"] != "-" for (_, d), row in self.published[table].items() if d == c)
            by_us = sum((self.ours.get(key) or {}).get("explored") is not None for key in self.published[table] if key[1] == c)
            rows.append([label(c), str(len(explored)), pages.median(explored), f"{min(explored):.2f}" if explored else "–",
                         f"{max(explored):.2f}" if explored else "–", f"{statistics.median(built):.3f}" if built else "–",
                         str(by_them), str(by_us)])
        head = ["configuration", "instances solved by both", "median, explored", "best", "worst", "median, overhead",
                "solved by them", "by us"]
        return "## Ours over theirs\n\n" + pages.markdown(head, rows)

    def plot(self, table):
        """The scatter of explored states."""
        series = {}
        for (name, c), row in self.published[table].items():
            entry = self.ours.get((name, c))
            if entry is None or (row["explored"] == "-" and entry["explored"] is None):
                continue
            group = label(c) if table != "3" else "r " + c.split()[-1][1:]
            series.setdefault(group, []).append((f"{name} {label(c)}", pages.number(row["explored"]), entry["explored"]))
        if not series:
            return []
        file = f"table-hoffmann-{table}-scatter.svg"
        (self.options.out / file).write_text(svg.scatter(f"{AUTHORS}, table {table}: explored states", series, "theirs", "ours"))
        return [f"## Plot\n\n![explored states, theirs against ours]({file})\n",
                "A triangle at the border: only one of the two found the error. Dashed: a factor of 5.\n"]

    def above(self):
        """Cells whose overhead is not below theirs: (table, instance, configuration, theirs, ours), and the number compared."""
        compared, out = 0, []
        for table, cells in self.published.items():
            for (name, c), row in cells.items():
                seconds, theirs = overhead(self.ours.get((name, c))), pages.number(row["overhead"])
                if theirs is None or self.ours.get((name, c)) is None:
                    continue
                compared += 1
                # 0.0 as printed is anything below a twentieth of a second.
                if seconds is None or seconds >= (theirs or 0.05):
                    out.append((table, name, c, row["overhead"], seconds))
        return compared, out

    def summary(self):
        """Whether the goals are reached."""
        compared, above = self.above()
        lines = ["## In short\n"]
        if compared:
            words = "on every row" if not above else "but for " + ", ".join(
                f"{name} {label(c)} (table {table}: {theirs} s, ours {'not finished' if seconds is None else f'{seconds:.2f} s'})"
                for table, name, c, theirs, seconds in above)
            lines.append(f"- Overhead: below theirs in {compared - len(above)} of {compared} cells of the three tables, {words}. (Where "
                         "they print 0.0, below 0.05 s.)")
        for c in dict.fromkeys(c for _, c in self.published["1"]):
            goal = GOALS.get(label(c))
            found = [r for r, _ in self.ratios("1", c, "explored")]
            if goal and found:
                best = sum(r <= goal for r in found)
                lines.append(f"- {label(c)}: {statistics.median(found):.2f} times their explored states in the median of {len(found)} "
                             f"instances ({min(found):.2f} to {max(found):.2f}; at most {goal} on {best} of them). The goal is {goal}.")
        solved = [(label(c), e) for (name, c), e in self.ours.items()
                  if name == "C6" and "refinement" in c and e is not None and e["explored"] is not None]
        if solved:
            fastest = min(solved, key=lambda s: s[1]["runtime"])
            lines.append(f"- C6 is solved with {len(solved)} configurations of refinement, fastest with {fastest[0]}: "
                         f"{pages.shown(fastest[1], 'explored')} states, {fastest[1]['runtime']:.2f} s.")
        return "\n".join(lines) + "\n\n## The table\n"

    def deviations(self):
        """Where we explore far more states, or hit a limit where they do not."""
        rows, reasons = [], []
        for table in ("1", "2", "3"):
            for (name, c), row in self.published[table].items():
                entry, theirs = self.ours.get((name, c)), pages.number(row["explored"])
                if entry is None or theirs is None or (table == "2" and (name, c) in self.published["1"]):
                    continue
                worse = entry["explored"] / theirs if entry["explored"] is not None else None
                if worse is not None and worse <= SUSPICIOUS:
                    continue
                reason = pages.explain(self.explanations, name, c, "ratio" if worse else "limit")
                if reason and reason not in reasons:
                    reasons.append(reason)
                rows.append([shown_name(name), f"table {table}: {label(c)}", row["explored"], pages.shown(entry, "explored"),
                             f"{worse:.2f}" if worse else entry.get("reason", "limit"), str(reasons.index(reason) + 1) if reason else ""])
        if not rows:
            return ""
        head = ["instance", "table and configuration", "theirs", "ours", "ratio or limit", "see"]
        return (f"## Deviations\n\nWhere we explore more than {SUSPICIOUS} times as many states as they do, or hit a limit where "
                "they found the error, in any of the three tables.\n\n" + pages.markdown(head, rows)
                + "\n" + "\n".join(f"{number}. {reason}" for number, reason in enumerate(reasons, 1)) + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--shared", type=Path, default=ROOT.parent / "shared/models/dmc", help="the shared benchmark set")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="derived models and remembered results")
    parser.add_argument("--out", type=Path, default=ROOT / "docs/results")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each run")
    parser.add_argument("--memory-limit", type=int, default=4096, help="MB for each run")
    parser.add_argument("--random-runs", type=int, default=3, help="runs of randomised depth-first search to average")
    parser.add_argument("--tables", default="*", help="only run these: 1, 2, 3, series")
    parser.add_argument("--instances", default="*", help="only run these instances, e.g. 'C*,M1'")
    parser.add_argument("--configurations", default="*", help="only run these, as the paper names them, e.g. 'Syntax-b2,ARMC-*'")
    parser.add_argument("--reuse", choices=["none", "limits", "all"], default="none",
                        help="results of other versions of the program that count: none, those that hit a limit, all")
    parser.add_argument("--pages-only", action="store_true", help="run nothing, write the pages from what is known")
    options = parser.parse_args()

    def selected(patterns, name):
        # Brackets are part of their names, not of a pattern.
        return any(fnmatch.fnmatch(name, pattern.replace("[", "[[]")) for pattern in patterns.split(","))

    published = read(ROOT / "tables/hoffmann.csv")
    binary = options.binary.resolve()
    runner = runs.Runner(binary, options.work / "results", options.time_limit, options.memory_limit, options.random_runs,
                         options.reuse)
    results = Results(runner, instances.collect(binary, options.shared, options.work / "models"))
    ours = {}
    for table, cells in published.items():
        for name, configuration in cells:
            run = (not options.pages_only and selected(options.tables, table) and selected(options.instances, name)
                   and selected(options.configurations, label(configuration)))
            result = results.get(name, configuration, run)
            if result is not None:
                ours[name, configuration] = result
    report = Report(published, ours, options, pages.read_explanations(ROOT / "tables/explanations.csv"))
    for table in pages.PREDICATES:
        report.page(table)


if __name__ == "__main__":
    main()
