#!/usr/bin/env python3
"""Figures 5.5 to 5.14 and 7.5 to 7.7 of Bui (2009) with our numbers: symbolic searches, and walks on sets of states.

    tables/symbolic.py                          everything
    tables/symbolic.py --figures '5.8,7.*'      only these, with the statements about them (what was run before is remembered)
    tables/symbolic.py --quick                  two sizes and three seeds each, limits 5 s

Writes docs/results/symbolic.md, which judges what the thesis says about them in prose, and a page and plots for each figure;
with --quick to build-tables, unless --out is given. Needs nothing but the program: the models are `harrier generate … --language smv`.
"""

import argparse
import csv
import fnmatch
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import svg
import symbolic_claims
import walk_runs
from symbolic_runs import EXPLICIT, OURS, REPEATED, SEARCHES, SIZES, TIE, TITLES, WALKS, Lab, digits
from walk_runs import ROOT

FOUR = tuple(WALKS)
BESIDE = ("NuSMV", "SGMC", "SGRMC_t")
SIX = (*FOUR, *OURS)
CHAPTER_7 = ("NuSMV", "SGMC", *SIX, EXPLICIT)
PRINTED = {("7.7", "SRMC_w"): "SRMC", ("7.7", "SGRMC_w"): "SGRMC"}  # names of columns there
PICTURE = "The numbers of the thesis are a picture only."
BOUNDS = {"5.10a": "philosophers", "5.10b": "leader", "5.10c": "send-receive", "5.10d": "mutex"}


@dataclass(frozen=True)
class Figure:
    name: str
    kind: str  # walks, spread, bounds, all
    case: str
    methods: tuple
    note: str = PICTURE

    @property
    def stem(self):
        return f"figure-bui-{self.name}"


FIGURES = [
    Figure("5.5", "walks", "philosophers", SIX),
    Figure("5.6", "spread", "philosophers", ("SRMC_t", "SGRMC_t")),
    Figure("5.7", "walks", "leader", SIX),
    Figure("5.8", "walks", "send-receive", SIX, ""),
    Figure("5.9", "walks", "mutex", SIX, ""),
    Figure("5.10", "bounds", "philosophers", FOUR, "The change of the time and of the steps of all walks; in parentheses that of the time "
           "in the thesis. The same seeds: where no walk meets the bound, the steps are the same and the times differ by chance."),
    Figure("5.11", "walks", "philosophers", BESIDE),
    Figure("5.12", "walks", "leader", BESIDE),
    Figure("5.13", "walks", "send-receive", BESIDE),
    Figure("5.14", "walks", "mutex", BESIDE),
    Figure("7.5", "walks", "leader", CHAPTER_7, PICTURE + " Its sizes are lost, too; these are those of figure 5.7."),
    Figure("7.6", "walks", "peterson", CHAPTER_7, PICTURE + " Its sizes are lost, too; these are those of figure 7.7."),
    Figure("7.7", "walks", "peterson-low", CHAPTER_7,
           "The thesis does not say whether its walks are trails here; its algorithm (fig. 7.1) has none."),
]
SPREAD_SIZE = 16  # of figure 5.6


def cost(cell):
    return str(cell.cost())


class Pages:
    """The tables and plots of the figures."""

    HEAD = ["size", "search", "found", "walks", "path length", "time, s", "deviation", "database, s", "steps", "memory, MB"]

    def __init__(self, lab, published, out, sizes):
        self.lab = lab
        self.published = published
        self.out = out
        self.sizes = sizes

    def beside(self, ours, figure, n, method, column):
        value = self.published.get((figure, str(n), f"{PRINTED.get((figure, method), method)} {column}"))
        return ours if value is None else f"{ours} ({value})"

    def row(self, figure, n, method):
        cell = self.lab.cell(figure.case, n, method)
        beside = lambda ours, column: self.beside(ours, figure.name, n, method, column)
        if cell is None:
            return ["not tried", *(beside("–", c) for c in ("n", "cx", "t", "sd")), "", "", beside("–", "m")]
        walks = method not in SEARCHES
        return [f"{len(cell.found)}/{len(cell.runs)}", beside(digits(cell.mean("walks")), "n") if walks else "",
                beside(digits(cell.mean("length")), "cx"), beside(cost(cell), "t"),
                beside(digits(cell.deviation("cpu")), "sd") if walks else "",
                digits(cell.mean("database")) if cell.mean("database") else "", digits(cell.mean("steps")) if walks else "",
                beside(digits(cell.mean("memory")), "m")]

    def table(self, figure):
        lines = ["| " + " | ".join(self.HEAD) + " |", "|--:|:--|" + "--:|" * (len(self.HEAD) - 2)]
        for n in self.sizes[figure.case]:
            for method in figure.methods:
                lines.append(f"| {n} | {method} | " + " | ".join(self.row(figure, n, method)) + " |")
            print(f"figure {figure.name}, {n}: done", file=sys.stderr, flush=True)
        return lines

    def plot(self, figure):
        series = {}
        for method in figure.methods:
            cells = [(n, self.lab.cell(figure.case, n, method)) for n in self.sizes[figure.case]]
            series[method] = [(n, c.cost().value if c and c.cost().exact else None) for n, c in cells]
        return self.save_plot(figure.stem, f"Bui (2009), figure {figure.name}: {TITLES[figure.case]}", series, "size", "processor seconds")

    def save_plot(self, stem, title, series, x, y):
        if not any(value for points in series.values() for _, value in points):
            return []
        (self.out / f"{stem}.svg").write_text(svg.lines(title, series, x, y))
        return ["", f"![{title}]({stem}.svg)"]

    def walks(self, figure):
        return self.table(figure) + self.plot(figure)

    def spread(self, figure):
        """Every run by itself, the fastest first."""
        n = SPREAD_SIZE if SPREAD_SIZE in self.sizes[figure.case] else self.sizes[figure.case][-1]
        lines = [f"{n} philosophers.", "", "| search | found | least, s | median | mean | most | deviation | deviation by mean | steps | deviation |",
                 "|:--|" + "--:|" * 9]
        series = {}
        for method in figure.methods:
            cell = self.lab.cell(figure.case, n, method)
            times = sorted(r["cpu"] for r in cell.found)
            if not times:
                lines.append(f"| {method} | 0/{len(cell.runs)} |" + " – |" * 8)
                continue
            values = [times[0], times[len(times) // 2], cell.mean("cpu"), times[-1], cell.deviation("cpu"),
                      cell.deviation("cpu") / cell.mean("cpu"), cell.mean("steps"), cell.deviation("steps")]
            lines.append(f"| {method} | {len(cell.found)}/{len(cell.runs)} | " + " | ".join(map(digits, values)) + " |")
            series[method] = list(enumerate(times, 1))
        title = f"Bui (2009), figure {figure.name}: times for {n} philosophers"
        return lines + self.save_plot(figure.stem, title, series, "run, by time", "processor seconds")

    def bounds(self, _):
        """How a bound of 100 steps a process changes the time and the number of steps, in percent."""
        tests = symbolic_claims.Tests(self.lab, self.sizes)
        lines = []
        for name, case in BOUNDS.items():
            lines += [f"## {name}: {TITLES[case]}", "", "| size | " + " | ".join(FOUR) + " |", "|--:|" + "--:|" * len(FOUR)]
            series = {m: [] for m in FOUR}
            for n in self.sizes[case]:
                changes = {m: tests.change(case, m, n) for m in FOUR}
                lines.append(f"| {n} | " + " | ".join(self.change(name, case, n, m, tests) for m in FOUR) + " |")
                for m, v in changes.items():  # at most that, where a run without a bound hit the limit
                    series[m].append((n, None if v is None else 1 + v / 100))
            title = f"Bui (2009), figure {name}: {TITLES[case]}"
            lines += [*self.save_plot(f"figure-bui-{name}", title, series, "size", "steps with a bound by steps without"), ""]
            print(f"figure {name}: done", file=sys.stderr, flush=True)
        return lines

    def change(self, figure, case, n, method, tests):
        """With the number of the thesis; where a limit was hit, the times."""
        time, steps = (tests.change(case, method, n, key) for key in ("cpu", "steps"))
        if steps is None or not self.lab.cell(case, n, method).cost().exact:
            cells = [self.lab.cell(case, n, method, bound) for bound in (0, 100 * n)]
            shown = " → ".join("not tried" if c is None else f"{cost(c)} s" for c in cells)
        else:
            shown = f"{time:+.0f}%, steps {steps:+.0f}%"
        value = self.published.get((figure, str(n), f"{method} change"))
        return shown if value is None else f"{shown} ({int(value):+d}%)"

    def write(self, figure, preface):
        title = TITLES[figure.case] if figure.kind != "bounds" else "what a bound of 100 steps a process changes"
        lines = [f"# Bui (2009), figure {figure.name}: {title}", "", *preface]
        if figure.note:
            lines += [figure.note, ""]
        lines += getattr(self, figure.kind)(figure)
        (self.out / f"{figure.stem}.md").write_text("\n".join(lines).rstrip() + "\n")


def how(options):
    """What was measured, in a paragraph."""
    parts = [f"{options.seeds} seeds of random numbers for walks, the first primes from 23 on", f"at most {options.limit:g} s of the clock a search and "
             f"{min(options.limit, options.walk_limit):g} s a walk", "4096 MB"]
    return (f"Made by `make tables` (tables/symbolic.py): {', '.join(parts)}. Times are processor time of the whole program, means over the "
            f"seeds; of a search, the least of {REPEATED} runs. *> t*: some runs hit the limit, and count with the time until then. The "
            "numbers of the thesis stand in parentheses, in seconds, on a Pentium IV of 3 GHz.")


LEGEND = ("NuSMV is `--search sbfs` here (the thesis: NuSMV's breadth-first search), SGMC `--search sgmc`; SRMC is `--search swalk`, SGRMC `--search swalk "
          "--guided --bias linear`, softmax `--search swalk --guided`, which is ours; _w walks, _t `--trails`; they have no bound (`--walk-depth 0`). *Database*: the time of the clock that building the "
          "symbolic pattern database took, which is part of the processor time; *steps*: of all walks together. Path lengths are those "
          "of the walks, unpolished. After "
          f"{walk_runs.GIVE_UP} runs without any success the rest of a cell, and the larger sizes, are not tried.")
EXPLICIT_LEGEND = f"{EXPLICIT} is `--search walk --selection all`, from state to state."


WHY = """\
## Why

- *Philosophers.* The guide makes walks longer. The lottery of the thesis (fig. 5.2) is one between sets: all states at one distance have its
  tickets together, however many they are. Where nearly every step leads nearer and one leads away, a blind walk seldom takes that one, a
  guided walk every second or third time. In a simulation of the model outside of the program (14 philosophers, 30 walks each), blind walks
  took 143 steps in the mean and guided ones 3847; if each state has the tickets of its distance, 132. Our bias (softmax) is one among states,
  and falls exponentially with the distance.
- *Leader election.* A walk can come where the error cannot be reached any more. A blind one without a bound then goes on until a limit (one of
  1.2 million steps was seen with 3 processes, which have 488 states). Trails end where they have been everywhere, and guided walks
  do not go there: the database has no way from such states.
- *Leader election, guided search.* The database knows all variables, since all are near the goal in the graph of dependencies; building it is
  searching backward from all states of the goal, reachable or not, and at the sizes of the thesis takes
  longer than the plain search does.
- *Send/receive and mutual exclusion.* The start of the program takes most of the time of a guided walk (below), and plain search takes little
  more: at the sizes of the thesis these models are small for it.
- *Peterson with 4 and 5 processes.* Most of the time of guided searches and walks is that of the database, which is given a few seconds
  of the clock. How far it comes in them depends on the machine and on what else runs there.
"""


def preface(figure, options):
    lines = [how(options) + " [What the thesis says in prose](symbolic.md)", "", LEGEND + (f" {EXPLICIT_LEGEND}" if EXPLICIT in figure.methods else ""), ""]
    return lines + ([options.remark, ""] if options.remark else [])


def floors(lab, sizes):
    """Processor time of a walk of one step: start, reading the model and encoding it."""
    lines = ["| family | size | one step, s | one guided step, s |", "|:--|--:|--:|--:|"]
    for case, ns in sizes.items():
        costs = []
        for options in ([], ["--guided"]):
            runs = [lab.walks.walk([lab.model(case, ns[-1])], [], ["--walks", "1", "--walk-depth", "1", *options], lab.walks.seeds[0],
                                   "swalk", again)["cpu"] for again in range(REPEATED)]
            costs.append(digits(min(runs)))
        lines.append(f"| {TITLES[case]} | {ns[-1]} | " + " | ".join(costs) + " |")
    return lines


def judged(claims):
    """Rows of the table of statements, and how many are true, false and open."""
    rows, count = [], {True: 0, False: 0, None: 0}
    for claim in claims:
        answer, numbers = claim.test()
        count[answer] += 1
        word = {True: "**true**", False: "**false**", None: "*open*"}[answer]
        place = claim.place if claim.place in ("ours", "larger") else f"§{claim.place}"
        rows.append(f"| [{claim.figure}](figure-bui-{claim.figure}.md) | {place} | {claim.text} | {word} | {numbers} |")
    return rows, count


def write_statements(lab, options, out, sizes, figures):
    names = {f.name for f in figures}
    claims = [c for c in symbolic_claims.claims(symbolic_claims.Tests(lab, sizes, not options.sizes)) if c.figure in names]
    rows, count = judged(claims)
    lines = ["# Symbolic searches: what Bui (2009) says, and what we see", "", how(options), "",
             "A statement is true here if it is so at every size that is shown, and false if it is not at one of them, by the means that were measured. It is "
             f"open if limits leave it so, or if who is faster hangs on less than a factor of {TIE:g}. *Ours*: a goal of this project, not of the thesis; "
             "*larger*: a statement of the thesis at sizes beyond it. The models are ours, not those of the thesis, which are lost.", ""]
    lines += [options.remark, ""] if options.remark else []
    lines += [f"**{count[True]} true, {count[False]} false, {count[None]} open.**", "",
              "| figure | where | statement | here | numbers: size, then means (seconds, or what the statement is about) |", "|:--|:--|:--|:--|:--|", *rows, "",
              "Chapter 8 of the thesis describes the tools and claims nothing about speed. What it has as options, we have, too: walks and "
              "trails, bounds, seeds, the number of walks, the choice among all successors.", "",
              *WHY.splitlines(), "",
              "## What every run costs", "", "A walk of one step: start, reading the model, encoding it and, guided, the database. No method can be faster, so "
              "that large factors of the thesis cannot show where the walks themselves are short.", "", *floors(lab, sizes), "",
              "## Figures", "", *(f"- [{f.name}]({f.stem}.md): " + (TITLES[f.case] if f.kind != "bounds" else "walks with a bound") for f in figures), "",
              "Figures 5.1 to 5.4 and 7.1 to 7.4 are algorithms, models and variables; 7.8 to 7.10 are [about walks from state to state](walks.md)."]
    (out / "symbolic.md").write_text("\n".join(lines).rstrip() + "\n")


def read_published():
    with open(ROOT / "tables" / "bui.csv", newline="") as file:
        return {(r["figure"], r["size"], r["column"]): r["value"] for r in csv.DictReader(file)}


def read_options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="models and remembered results")
    parser.add_argument("--out", type=Path, help="default: docs/results; with --quick, build-tables/quick")
    parser.add_argument("--limit", type=float, help="seconds for each search: 120, with --quick 5")
    parser.add_argument("--walk-limit", type=float, default=20, help="seconds for each walk, which some never end")
    parser.add_argument("--seeds", type=int, help="how many: 50, with --quick 3")
    parser.add_argument("--sizes", type=int, help="only so many sizes of each family, the smallest")
    parser.add_argument("--figures", default="*", help="only these, e.g. '5.*,7.7'")
    parser.add_argument("--fresh", action="store_true", help="measure again what is remembered")
    parser.add_argument("--remark", default="", help="a sentence for the pages, such as on the state of the machine")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if not options.binary.is_file():
        sys.exit(f"{options.binary} is not there: build it first (make build)")
    options.limit = options.limit or (5 if options.quick else 120)
    options.seeds = options.seeds or (3 if options.quick else 50)
    options.sizes = options.sizes or (2 if options.quick else None)
    options.out = options.out or (options.work / "quick" if options.quick else ROOT / "docs/results")
    return options


def main():
    options = read_options()
    os.makedirs(options.out, exist_ok=True)
    lab = Lab(options.binary.resolve(), options.work, options.limit, options.walk_limit, walk_runs.primes(options.seeds))
    if options.fresh:
        lab.fresh()
    sizes = {case: ns[:options.sizes] for case, ns in SIZES.items()}
    pages = Pages(lab, read_published(), options.out, sizes)
    figures = [f for f in FIGURES if any(fnmatch.fnmatch(f.name, p) for p in options.figures.split(","))]
    for figure in figures:
        pages.write(figure, preface(figure, options))
    write_statements(lab, options, options.out, sizes, figures)
    print(f"wrote {options.out / 'symbolic.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
