#!/usr/bin/env python3
"""Figures 4.3 to 4.7, 6.6 to 6.12 and 7.8 to 7.10 of Bui (2009) with our numbers: random walks beside Spin's default search.

    tables/walks.py                          everything
    tables/walks.py --figures '4.*,6.10'     only these (what was run before is remembered)
    tables/walks.py --quick                  two sizes and three seeds each, limit 5 s

Writes docs/results/walks.md and plots; with --quick to build-tables, unless --out is given. Needs Spin and gcc for
their columns, and the shared models for GIOP, S9 and A6; without, these are left out with a note.
"""

import argparse
import csv
import fnmatch
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

import instances
import svg
import walk_runs
from walk_runs import CASES, ROOT

BLIND = ("ranSPIN_t", "ranSPIN_a")
GUIDED = ("granSPIN_t", "granSPIN_a")
MISLED = ("unguided", "h0", "h0 rev", "h1", "h1 rev")
UNIT = {"4": 1000, "6": 1, "7": 1000}  # the thesis's times to milliseconds, by chapter
REVERSED_LIMIT = 10  # seconds, if the limit is larger: runs that are led astray hit it again and again


@dataclass(frozen=True)
class Figure:
    name: str
    case: str
    sizes: tuple
    variants: tuple
    depth: int = 10000  # of Spin; 0: the figure has no Spin
    note: str = ""

    @property
    def stem(self):
        return f"figure-bui-{self.name}"


PICTURE = "The numbers of the thesis are a picture only."
DEEP = 10_000_000  # where the paths of the thesis are longer than 10,000 steps
TENS = tuple(range(10, 151, 10))
FOURS = tuple(range(8, 61, 4))
FIGURES = [
    Figure("4.3", "philosophers", TENS, ("ranSPIN_t",), DEEP),
    Figure("4.4", "leader", tuple(range(3, 10)), ("ranSPIN_t",), DEEP),
    Figure("4.5", "mutex", FOURS, ("ranSPIN_t",), note=PICTURE),
    Figure("4.6-worst", "mutex-low", FOURS, ("ranSPIN_t",), note=PICTURE + " Its text on best and worst cases is lost, too. We place "
           "the error where Spin's depth-first search comes last: at the processes with the smallest numbers."),
    Figure("4.6-best", "mutex-last", FOURS, ("ranSPIN_t",), note="The same error where depth-first search comes first."),
    Figure("4.7a", "philosophers", TENS, ("ranSPIN_t", "ranStart"), 0, PICTURE),
    Figure("4.7b", "leader", tuple(range(3, 10)), ("ranSPIN_t", "ranStart"), 0, PICTURE),
    Figure("4.7c", "mutex", FOURS, ("ranSPIN_t", "ranStart"), 0, PICTURE),
    Figure("6.6", "philosophers", TENS, BLIND + GUIDED + ("ours",), DEEP),
    Figure("6.7", "mutex-low", FOURS, BLIND + GUIDED + ("ours",)),
    Figure("6.9", "leader", tuple(range(4, 21, 2)), BLIND + GUIDED + ("ours",)),
    Figure("6.10", "peterson", (3, 5, 7, 9, 11), BLIND + GUIDED + ("ours",)),
    Figure("6.11a", "philosophers", TENS, MISLED, 0),
    Figure("6.11b", "mutex-low", (12, 20, 28, 36, 44, 52, 60), MISLED, 0),
    Figure("6.12a", "leader", (4, 8, 12, 16, 20), MISLED, 0),
    Figure("6.12b", "peterson", (3, 5, 7, 9, 11), MISLED, 0),
    Figure("7.8", "leader", (4, 8, 12, 16, 20), ("ranSPIN_t", "granSPIN_t")),
    Figure("7.9", "peterson", (3, 5, 7, 9, 11), ("ranSPIN_t", "granSPIN_t"), note=PICTURE),
    Figure("7.9-low", "peterson-low", (3, 5, 7, 9, 11), ("ranSPIN_t", "granSPIN_t"), note="The variant with a low PEP. " + PICTURE),
    Figure("7.10", "giop", (2, 3, 4), ("ranSPIN_t", "granSPIN_t"), note=PICTURE + " The size is the number of users; the "
           "thesis's GIOP3 has two. The goal is that an agent has more than one request pending. granSPIN is guided by hU."),
]


class Tables:
    def __init__(self, options, runner):
        self.options = options
        self.runner = runner
        self.notes = set()
        self.spin_there = shutil.which("spin") and shutil.which("gcc")
        if not self.spin_there:
            self.notes.add("Spin or gcc are not there: their columns are empty.")

    def variant(self, name, case):
        """The options of a variant; None, with a note, if the program does not know its heuristic."""
        def abstraction(heuristic):
            return ["--heuristic", heuristic, "--bias", "linear", "--guide-from", case.model] + [
                word for d in case.defined(case.small) for word in ("--guide-define", d)]

        base, _, rest = name.partition(" ")
        selection = ["--selection", "all" if base.endswith("_a") else "one"]
        if base in (*BLIND, "unguided"):
            return selection
        if base == "ranStart":
            return ["--restart", "previous"]
        if base == "ours":
            return selection + list(case.guide)
        heuristic = "h1" if base in GUIDED else base
        if self.runner.knows(heuristic) and case.defines:
            guide = abstraction(heuristic)
        elif base in GUIDED:
            guide = list(case.guide)
            if case.defines:
                self.notes.add("This version has no heuristic h1: granSPIN is guided by ha (philosophers) or hU instead.")
        else:
            self.notes.add(f"This version has no heuristic {heuristic}: its rows are left out.")
            return None
        return selection + guide + (["--reverse-bias"] if rest == "rev" else [])

    def figure(self, figure):
        """size -> variant -> Walks, or what Spin did; nothing if the model is not there."""
        case = CASES[figure.case]
        if not case.model.is_file():
            self.notes.add(f"Figure {figure.name} is left out: {case.model.name} is not there.")
            return {}
        sizes = figure.sizes if not self.options.quick else figure.sizes[:2]
        if self.options.sizes:
            sizes = [n for n in sizes if n <= self.options.sizes]
        rows = {}
        given_up = set()
        for n in sizes:
            file = walk_runs.model_file(figure.case, n, self.options.work)
            row = rows.setdefault(n, {})
            if figure.depth and self.spin_there and "Spin" not in given_up:
                row["Spin"] = self.runner.spin(file, case.defined(n), figure.depth, case.goal)
                if not row["Spin"]["found"]:
                    given_up.add("Spin")
            for variant in figure.variants:
                options = self.variant(variant, case)
                if options is None or variant in given_up:
                    continue
                full = self.runner.limit
                if variant.endswith("rev"):
                    self.runner.limit = min(full, REVERSED_LIMIT)
                row[variant] = self.runner.cell([file], case.defined(n), case.aim() + options)
                self.runner.limit = full
                if not row[variant].found:
                    given_up.add(variant)
                failed = [r["failed"] for r in row[variant].runs if r.get("failed")]
                if failed:
                    self.notes.add(f"Figure {figure.name}, {variant}: {failed[0]}")
            print(f"{figure.name} {n}: " + ", ".join(f"{v} {brief(x)}" for v, x in row.items()), file=sys.stderr, flush=True)
        return rows

    def greedy(self):
        """S9 and A6: walks beside greedy search."""
        shared = walk_runs.SHARED / "dmc"
        if not shared.is_dir():
            self.notes.add("S9 and A6 are left out: the shared models are not there.")
            return []
        models = instances.collect(self.runner.binary, shared, self.options.work / "models")
        rows = []
        for name in ("S9", "A6"):
            if name not in models:
                continue
            one = self.runner.walk(models[name].files, [], ["--search", "greedy", "--heuristic", "hU", "--no-polish"])
            guided = ["--heuristic", "hU", "--restart", "best", "--trails"]
            many = self.runner.cell(models[name].files, [], guided, self.runner.seeds[:10])
            rows.append((name, one, many))
            print(f"{name}: greedy {one['time']:.3f} s, walks {brief(many)}", file=sys.stderr, flush=True)
        return rows


def brief(x):
    if isinstance(x, dict):
        return f"{x['seconds']:.2f} s" if x["found"] else "not found"
    return f"{len(x.found)}/{len(x.runs)} {number(x.mean('wall'), 1000)} ms"


def number(value, factor=1):
    """Four digits or so."""
    if value is None:
        return "–"
    value = float(value) * factor
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


class Page:
    """Tables as Markdown, with the numbers of the thesis in parentheses."""

    HEAD = ["size", "search", "found", "walks", "path length", "search, ms", "deviation", "process, ms", "memory, MB"]

    def __init__(self, published):
        self.published = published

    def beside(self, ours, figure, n, column):
        """Our number and that of the thesis; of its times, in milliseconds."""
        value = self.published.get((figure.name, str(n), column))
        if value is None:
            return ours
        if column.endswith((" t", " sd")) and value != "oom":
            value = number(float(value) * UNIT[figure.name[0]])
        return f"{ours} ({value})"

    def figure(self, figure, rows, lines):
        case = CASES[figure.case]
        lines += [f"## Figure {figure.name}: {case.title}", ""]
        if figure.note:
            lines += [figure.note, ""]
        if not any(rows.values()):
            lines += ["Nothing measured.", ""]
            return
        lines += ["| " + " | ".join(self.HEAD) + " |", "|--:|:--|" + "--:|" * (len(self.HEAD) - 2)]
        for n, row in rows.items():
            for variant in ("Spin", *figure.variants):
                if variant not in row and (figure.name, str(n), f"{variant} t") not in self.published:
                    continue
                if variant not in row:
                    cells = self.untried(figure, n, variant)
                else:
                    cells = self.spin(figure, n, row[variant]) if variant == "Spin" else self.walks(figure, n, variant, row[variant])
                lines.append(f"| {n} | {variant} | " + " | ".join(cells) + " |")
        lines.append("")

    def untried(self, figure, n, variant):
        """Only the numbers of the thesis."""
        return ["not tried", *(self.beside("", figure, n, f"{variant} {c}").strip() for c in ("n", "cx", "t", "sd")), "",
                self.beside("", figure, n, f"{variant} m").strip()]

    def spin(self, figure, n, s):
        beside = lambda ours, column: self.beside(ours, figure, n, f"Spin {column}")
        if not s["found"]:
            return [s.get("reason") or "no", "", beside("–", "cx"), beside("–", "t"), "", number(s["seconds"], 1000), beside("–", "m")]
        return ["yes", "", beside(str(s["length"]), "cx"), beside(number(s["pan"], 1000), "t"), "", number(s["seconds"], 1000),
                beside(number(s["memory"]), "m")]

    def walks(self, figure, n, variant, w):
        beside = lambda ours, column: self.beside(ours, figure, n, f"{variant} {column}")
        return [f"{len(w.found)}/{len(w.runs)}", beside(number(w.mean("walks")), "n"), beside(number(w.mean("length")), "cx"),
                beside(number(w.mean("time"), 1000), "t"), beside(number(w.deviation("time"), 1000), "sd"),
                number(w.mean("wall"), 1000), beside(number(w.mean("memory")), "m")]


def plot(figure, rows, out):
    """Process times, Spin's end to end."""
    series = {}
    for n, row in rows.items():
        for variant, x in row.items():
            value = (x["seconds"] if x["found"] else None) if variant == "Spin" else x.mean("wall")
            series.setdefault("Spin, end to end" if variant == "Spin" else variant, []).append((n, value and value * 1000))
    if any(y for points in series.values() for _, y in points):
        title = f"Bui (2009), figure {figure.name}: {CASES[figure.case].title}"
        (out / f"{figure.stem}.svg").write_text(svg.lines(title, series, "size", "milliseconds"))
        return True
    return False


def factors(done, published):
    """Rows of the summary: how much faster than Spin, here and in the thesis, at the largest size that both finish."""
    rows = []
    for figure, sizes in done:
        for variant in figure.variants:
            both = [n for n, row in sizes.items() if row.get("Spin", {"found": 0})["found"] and variant in row and row[variant].found]
            if not figure.depth or not both:
                continue
            n = max(both)
            row = sizes[n]
            spin, ours = (published.get((figure.name, str(n), f"{v} t")) for v in ("Spin", variant))
            theirs = f"{float(spin) / float(ours):.1f}" if spin and ours and spin != "oom" and float(spin) * float(ours) > 0 else "–"
            rows.append((figure.name, CASES[figure.case].title, n, variant, number(row["Spin"]["seconds"] / row[variant].mean("wall")),
                         number(row["Spin"]["pan"] / max(1e-6, row[variant].mean("time"))), theirs))
    return rows


def write(tables, done, greedy, published, out):
    page = Page(published)
    o = tables.options
    lines = [
        "# Random walks: figures of Bui (2009)", "",
        f"Made by `make tables` (tables/walks.py): {len(tables.runner.seeds)} seeds, the first primes from 23 on; at most "
        f"{tables.runner.limit:g} s a run, {min(tables.runner.limit, REVERSED_LIMIT):g} s where the guide is reversed; means over "
        "the runs that found the error, so where some did not the true means are larger. The numbers of the thesis stand in "
        "parentheses, its times in milliseconds, on a Pentium IV of 3 GHz. *Search* is the time of the search alone, *process* "
        "that of the whole program as the clock shows it: start, reading the model, search, output. For Spin, *search* is pan alone and "
        "*process* all of `spin -a`, `gcc -O2` and `pan`. Memory is that of the search; pan's has a hash table of 128 MB in it. Path "
        "lengths are those of the walks, unpolished.", "",
        "ranSPIN is blind, granSPIN guided by h1 (the abstraction to fewer processes, with the linear bias) if the program has it; _t is "
        "`--selection one`, _a `--selection all`; ranStart is `--restart previous`; *ours* is `--heuristic ha --bias linear` for philosophers and "
        "`--heuristic hU` otherwise. The models are ours, not those of the thesis, except GIOP. After "
        f"{walk_runs.GIVE_UP} runs without any success the rest of a cell, and the larger sizes, are not tried. Figure 6.8 is a "
        "plot of one walk and has no counterpart. Spin is used as it comes (`pan -m10000`; -m10000000 where the paths of the "
        "thesis are longer, 4.3, 4.4 and 6.6), with at most 4 GB.", "",
    ]
    if o.remark:
        lines += [o.remark, ""]
    if o.quick:
        lines += ["**Quick mode: two sizes, few seeds.**", ""]
    lines += [f"- {note}" for note in sorted(tables.notes)] + ([""] if tables.notes else [])
    summary = factors(done, published)
    if summary:
        lines += ["## How many times as fast as Spin", "",
                  "At the largest size of each figure for which Spin finds the error within the limit. The thesis compares the searches "
                  "alone.", "",
                  "| figure | case | size | walk | end to end | searches alone | the thesis |", "|:--|:--|--:|:--|--:|--:|--:|"]
        lines += ["| " + " | ".join(map(str, row)) + " |" for row in summary] + [""]
    for figure, rows in done:
        page.figure(figure, rows, lines)
        if plot(figure, rows, out):
            lines += [f"![process times]({figure.stem}.svg)", ""]
    if greedy:
        lines += ["## S9 and A6: guided walks beside greedy search", "",
                  "`--search greedy --heuristic hU` and `--search walk --heuristic hU --restart best --trails`, 10 seeds, without polishing.", "",
                  "| model | search | found | path length | deviation | search, ms | deviation | memory, MB |", "|:--|:--|--:|--:|--:|--:|--:|--:|"]
        for name, one, many in greedy:
            lines.append(f"| {name} | greedy | {'yes' if one['found'] else 'no'} | {one['length'] or '–'} | | {number(one['time'], 1000)} | | "
                         f"{number(one['memory'])} |")
            lines.append(f"| {name} | walks | {len(many.found)}/{len(many.runs)} | {number(many.mean('length'))} | "
                         f"{number(many.deviation('length'))} | {number(many.mean('time'), 1000)} | {number(many.deviation('time'), 1000)} | "
                         f"{number(many.mean('memory'))} |")
        lines.append("")
    (out / "walks.md").write_text("\n".join(lines).rstrip() + "\n")


def read_published():
    with open(ROOT / "tables" / "bui.csv", newline="") as file:
        return {(r["figure"], r["size"], r["column"]): r["value"] for r in csv.DictReader(file)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", type=Path, default=ROOT / "build/bin/harrier")
    parser.add_argument("--work", type=Path, default=ROOT / "build-tables", help="derived models and remembered results")
    parser.add_argument("--out", type=Path, help="default: docs/results; with --quick, build-tables/quick")
    parser.add_argument("--limit", type=float, help="seconds for each run: 60, with --quick 5")
    parser.add_argument("--seeds", type=int, help="how many: 50, with --quick 3")
    parser.add_argument("--sizes", type=int, help="only sizes up to this one")
    parser.add_argument("--figures", default="*", help="only these, e.g. '4.*,6.10,greedy'")
    parser.add_argument("--fresh", action="store_true", help="measure again what is remembered; for times on a quiet machine")
    parser.add_argument("--remark", default="", help="a sentence for the page, such as on the state of the machine")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    if not options.binary.is_file():
        sys.exit(f"{options.binary} is not there: build it first (make build)")
    out = options.out or (options.work / "quick" if options.quick else ROOT / "docs/results")
    out.mkdir(parents=True, exist_ok=True)
    runner = walk_runs.Runner(options.binary.resolve(), options.work, options.limit or (5 if options.quick else 60),
                              walk_runs.primes(options.seeds or (3 if options.quick else 50)))
    runner.memory.fresh = options.fresh
    tables = Tables(options, runner)

    def selected(name):
        return any(fnmatch.fnmatch(name, pattern) for pattern in options.figures.split(","))

    done = [(figure, tables.figure(figure)) for figure in FIGURES if selected(figure.name)]
    write(tables, done, tables.greedy() if selected("greedy") else [], read_published(), out)
    print(f"wrote {out / 'walks.md'}", file=sys.stderr)


if __name__ == "__main__":
    main()
