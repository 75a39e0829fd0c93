"""Writes the pages under docs/results: one for each published table, an index with medians, and a list of deviations."""

import csv
import fnmatch
import statistics

import runs
import svg

AUTHORS = {"wehrle": "Wehrle (2011)", "kupferschmid": "Kupferschmid et al. (2006)"}
TITLES = {
    "wehrle-3.1": "Greedy search with hL, with and without useless transitions",
    "wehrle-3.2": "Greedy search with hU, with and without useless transitions",
    "wehrle-3.3": "Greedy search with dU, with and without useless transitions",
    "wehrle-3.4": "How precisely useless transitions are recognised in A3",
    "wehrle-4.1": "Greedy search with dU and its alternatives",
    "wehrle-4.2": "Greedy search with hL and its alternatives",
    "wehrle-4.3": "Breadth-first search and its alternatives",
    "wehrle-4.4": "Averages and medians of all searches",
    "wehrle-4.5": "Accesses to the queues",
    "wehrle-5.1": "The causal-graph heuristic hCG against the others",
    "wehrle-6.1": "Randomised depth-first search against hU with useless transitions",
    "kupferschmid-1": "Randomised depth-first search, greedy search with hL and hU",
    "kupferschmid-2": "Greedy search with dL and dU",
    "kupferschmid-3": "Shortest error paths: breadth-first search and A*",
}
# Tables that hoffmann.py writes.
PREDICATES = {
    "1": "Predicate abstraction and merge-and-shrink against the searches before them",
    "2": "Predicates from the text of the model",
    "3": "Predicates from abstraction refinement",
}
# Figures of Bui (2009) that symbolic.py writes.
SYMBOLIC = {
    "5.5": "Symbolic walks, dining philosophers",
    "5.6": "How their times spread",
    "5.7": "Symbolic walks, leader election",
    "5.8": "Symbolic walks, send/receive",
    "5.9": "Symbolic walks, mutual exclusion",
    "5.10": "What a bound does to symbolic walks",
    "5.11": "Symbolic searches and walks, dining philosophers",
    "5.12": "Symbolic searches and walks, leader election",
    "5.13": "Symbolic searches and walks, send/receive",
    "5.14": "Symbolic searches and walks, mutual exclusion",
    "7.5": "Symbolic searches, walks on sets and from state to state, leader election",
    "7.6": "The same, Peterson's algorithm",
    "7.7": "The same, Peterson's algorithm with a low PEP",
}
PRINTED = {
    "wehrle-5.1": "Wehrle (2011), tables 5.1, 5.2 and 5.3",
    "wehrle-6.1": "Wehrle (2011), table 6.1, whose first tool is another checker's randomised depth-first search, averaged over "
                  "10 runs",
    "kupferschmid-1": "Kupferschmid et al. (2006), table 1, who count visited states and remember heuristic values in a hashed "
                      "table of 256000 entries",
    "kupferschmid-2": "Kupferschmid et al. (2006), table 2, who count visited states and remember heuristic values in a hashed "
                      "table of 256000 entries",
    "kupferschmid-3": "Kupferschmid et al. (2006), table 3, who count visited states, and mostly one step more than we do",
}
SHORT = {"UT": "useless", "CE": "contexts", "safe": "safe abstraction", "cached": ""}
SUMMARY = ["greedy hU UT", "greedy hL UT", "greedy hU CE", "greedy hL CE"]
SUSPICIOUS = 5  # more explored states than theirs by this factor are listed with an explanation
EXPERIMENTS = """\
How the numbers in the explanations were found, by small changes of the program that were not kept:

- *newest first*, *random order*: `BucketQueue::pop` takes the last entry of the best bucket, or one chosen by `Rng` (seeds 1, 2, …);
- *shuffled successors*: `BestFirst` holds the successors of a state back until its expansion ends and adds them in random order;
- *compared with the source*: `Guide::is_useless` takes the estimate of the source, not of the target;
- states by value of hL: entries popped from each bucket.

Some cells that had hit a limit of 20 s were run again with 120 s. Those that were solved then took 0.28 (S7, hL), 0.16 (S8, hL), 0.53
(S8, hU), 1.13 (S6, hCG) and 7.97 (A4, hL) times their states; S7 with hL and S8 with hU of table 1 of Kupferschmid et al. (2006)
were not.
"""
NOT_RUN = "·"
NOT_REPRODUCED = """Not reproduced, and why:

- tables 3.5 and 3.6 of Wehrle (2011): planning tasks in PDDL, which the program does not read;
- the averages of tables 4.4 and 4.5 where an instance hits our time limit, which is a fifteenth or less of theirs;
- H9 with hCG, and cells that [deviations](deviations.md) lists with a limit: with more time some are solved, as H8 with hCG was (241,263
  states, the same as with safe abstraction, which leaves nothing out there; Wehrle (2011) has 7,641,230);
- figure 2 of Andisha et al. (2015) as far as lengths go ([its page](figure-andisha-2.md) says why); the paths are not comparable
  to HSF-SPIN's.

Most ratios are below 1, and that needs as much explaining as one above. Three things make it so, none of them a better
heuristic. Zones: a state is kept only if no stored zone includes it by a_LU, which is coarser than what their tools had, so there
are fewer states with the same meaning; where nothing is timed (A, H) this does not count. Among equal estimates the oldest state comes
first, which was chosen on these very instances and suits them (lengths, too: paths are shorter than with another order). And S2 to S8, F
and H are our reconstructions ([the instances](instances.md)): where a ratio is the same over a whole family, the model may be what differs. A cell is evidence
for an implementation where search order does not matter: breadth-first search in table 4.3, whose lengths agree (median 1.00).
"""
IMPOSSIBLE = "×"


def label(configuration):
    """The name of a configuration in the heads of tables."""
    search, *rest = configuration.split()
    names = {"greedy": "", "astar": "A*", "ibp": "IB process", "ibi": "IB interference", "bfs": "BFS", "dfs": "DFS",
             "rdfs": "random DFS"}
    heuristic = [names.get(w, w) for w in rest if w not in SHORT]
    extras = [SHORT[w] for w in rest if SHORT.get(w)]
    return " + ".join([" ".join(filter(None, [names[search], *heuristic])), *extras])


def page_name(table):
    """The file of a table, without suffix."""
    return "table-" + table


def title_of(table):
    """`Wehrle (2011), table 3.1`."""
    author, number = table.split("-")
    return f"{AUTHORS[author]}, table{'s 5.1 to 5.3' if number == '5.1' else ' ' + number}"


def number(cell):
    """A published number as a float; None for dashes and what cannot be read. `124+16` is a sum."""
    if cell in ("", "-"):
        return None
    if cell.count("+") and "e" not in cell:
        return float(sum(int(part) for part in cell.split("+")))
    return float(cell)


def shown_theirs(cell):
    """A cell as it was published."""
    return {"-": "–", "": "?"}.get(cell, cell.replace("+", " + ") if "+" in cell and "e" not in cell else cell)


def shown(entry, key):
    """A cell of ours."""
    if entry is None:
        return NOT_RUN
    if entry["explored"] is None:
        return "–"
    value = entry[key]
    if key == "runtime":
        return f"{value:.1f}"
    return str(round(value)) if value < 1e6 else f"{value:.1e}".replace("e+0", "e+")


def markdown(head, rows):
    """A table; the first column is left, the others right."""
    lines = ["| " + " | ".join(head) + " |", "|" + "|".join([":--"] + ["--:"] * (len(head) - 1)) + "|"]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def ratio(entry, cell, key):
    """Ours over theirs; None unless both found the error."""
    theirs = number(cell)
    if entry is None or entry["explored"] is None or not theirs:
        return None
    return entry[key] / theirs


def median(values):
    """The median as text, or a dash."""
    return f"{statistics.median(values):.2f}" if values else "–"


class Report:
    """All numbers, and the pages made of them."""

    def __init__(self, out, published, summary, ours, available, options):
        self.out = out
        self.published = published
        self.summary = summary
        self.ours = ours
        self.available = available
        self.options = options
        out.mkdir(parents=True, exist_ok=True)

    def save(self, name, content):
        (self.out / name).write_text(content)

    def cells(self, table):
        """The instances and the configurations of a table, in its order."""
        names = list(dict.fromkeys(i for i, _ in self.published[table]))
        configurations = list(dict.fromkeys(c for _, c in self.published[table]))
        return names, configurations

    def our_limits(self):
        """The limits of the runs that hit one; they differ if the results come from several calls."""
        seconds = sorted({e["time_limit"] for e in self.ours.values() if e["explored"] is None} or {self.options.time_limit})
        return " to ".join(f"{s:g}" for s in dict.fromkeys((seconds[0], seconds[-1]))) + f" s and {self.options.memory_limit} MB"

    def limits(self):
        """What a dash means."""
        return (f"A dash: they or we hit a limit (ours: {self.our_limits()}). "
                f"`{NOT_RUN}`: not run. `?`: not readable in the original.")

    def impossible(self, configurations):
        """What the program cannot run, and why, as paragraphs."""
        reasons = {}
        for c in configurations:
            if c not in self.available:
                reasons.setdefault("unknown heuristic", []).append(label(c))
        return [f"`{IMPOSSIBLE}`: {', '.join(names)} cannot be run: {reason}.\n" for reason, names in reasons.items()]

    def table_page(self, table):
        """The page of one table, and its plots."""
        names, configurations = self.cells(table)
        there = [c for c in configurations if c in self.available]
        parts = [f"# {title_of(table)}\n\n{TITLES[table]}: the numbers of {PRINTED.get(table, title_of(table))}, "
                 f"beside ours.\n\n{self.limits()}\n"]
        parts += self.impossible(configurations)
        for key, title in (("explored", "Explored states"), ("runtime", "Runtime in seconds"), ("length", "Length of the error path")):
            head = ["instance"] + [f"{label(c)}, {who}" for c in configurations for who in ("theirs", "ours")]
            rows = []
            for name in names:
                row = [name]
                for c in configurations:
                    cell = self.published[table].get((name, c))
                    ours = shown(self.ours.get((name, c)), key) if c in there else IMPOSSIBLE
                    row += [shown_theirs(cell[key]), ours] if cell else ["", ""]
                rows.append(row)
            parts.append(f"## {title}\n\n{markdown(head, rows)}")
        rows = [self.median_row(table, c) for c in there]
        parts.append(f"## Ours over theirs\n\n{markdown(self.MEDIAN_HEAD, rows)}")
        parts += self.plots(table, names, there)
        self.save(page_name(table) + ".md", "\n".join(parts))

    MEDIAN_HEAD = ["configuration", "instances solved by both", "median, explored", "best", "worst", "median, length",
                   "solved by them", "by us"]

    def median_row(self, table, configuration):
        """Medians of the ratios ours / theirs."""
        explored, length, by_them, by_us = [], [], 0, 0
        for (name, c), cell in self.published[table].items():
            entry = self.ours.get((name, c))
            if c != configuration:
                continue
            by_them += number(cell["length"]) is not None
            by_us += entry is not None and entry["explored"] is not None
            explored.append(ratio(entry, cell["explored"], "explored"))
            length.append(ratio(entry, cell["length"], "length"))
        explored = [r for r in explored if r is not None]
        length = [r for r in length if r is not None]
        worst = f"{max(explored):.2f}" if explored else "–"
        best = f"{min(explored):.2f}" if explored else "–"
        return [label(configuration), str(len(explored)), median(explored), best, worst, median(length), str(by_them), str(by_us)]

    def plots(self, table, names, configurations):
        """The plots of a table as files; the Markdown that shows them."""
        series = {}
        for c in configurations:
            points = []
            for name in names:
                cell, entry = self.published[table].get((name, c)), self.ours.get((name, c))
                if cell is None or entry is None or (number(cell["explored"]) is None and entry["explored"] is None):
                    continue
                points.append((f"{name} {label(c)}", number(cell["explored"]), entry["explored"]))
            if points:
                series[label(c)] = points
        if not series:
            return []
        scatter = page_name(table) + "-scatter.svg"
        self.save(scatter, svg.scatter(f"{title_of(table)}: explored states", series, "theirs", "ours"))
        compared = configurations[:2]
        groups = []
        for name in names:
            values = []
            for c in compared:
                cell, entry = self.published[table].get((name, c)), self.ours.get((name, c))
                values += [number(cell["explored"]) if cell else None, entry["explored"] if entry else None]
            groups.append((name, values))
        bars = page_name(table) + "-bars.svg"
        heads = [f"{label(c)}, {who}" for c in compared for who in ("theirs", "ours")]
        self.save(bars, svg.bars(f"{title_of(table)}: explored states", groups, heads, "explored states"))
        return [f"## Plots\n\n![explored states, theirs against ours]({scatter})\n",
                "A triangle at the border: only one of the two found the error. Dashed: a factor of 5.\n",
                f"![explored states by instance]({bars})\n"]

    def precision_page(self, theirs, ours):
        """Table 3.4: the classification of transitions against the truth."""
        by_heuristic = {row["heuristic"]: row for row in ours}
        kinds = ("TP", "TN", "FP", "FN")
        rows = []
        for row in theirs:
            entry = by_heuristic.get(row["heuristic"])
            shares = [f"{entry[kind] / entry['transitions']:.3f}" for kind in kinds] if entry else [NOT_RUN] * len(kinds)
            rows.append([row["heuristic"]] + [cell for kind, share in zip(kinds, shares) for cell in (row[kind], share)]
                        + [str(entry["transitions"]) if entry else NOT_RUN])
        head = ["heuristic"] + [f"{kind}, {who}" for kind in kinds for who in ("theirs", "ours")] + ["transitions, ours"]
        self.save(page_name("wehrle-3.4") + ".md",
                  f"# {title_of('wehrle-3.4')}\n\n{TITLES['wehrle-3.4']}: shares of the transitions that create a state during "
                  "greedy search which puts useless ones back. Positive: classified as useless; true: rightly so, that is the transition "
                  "starts no shortest path to the error. `useless_precision` (`bench/`) finds the true distances by exploring all "
                  f"states. The thesis does not print the number of its transitions.\n\n{markdown(head, rows)}")

    def summary_page(self):
        """Table 4.4: averages over the instances that all configurations of a search solve."""
        parts = [f"# {title_of('wehrle-4.4')}\n\n{TITLES['wehrle-4.4']}, over the instances that all configurations of a search "
                 "solve: in their columns those that they solved, in ours those that we solved, which are fewer where our "
                 f"time limit is shorter. {self.limits()}\n"]
        names = self.cells("wehrle-4.2")[0]
        columns = ("explored, average", "explored, median", "length, average", "length, median", f"solved of {len(names)}")
        head = ["configuration"] + [f"{what}, {who}" for what in columns for who in ("theirs", "ours")]
        for search in dict.fromkeys(row["search"] for row in self.summary):
            rows, block = [], [r for r in self.summary if r["search"] == search]
            there = [r["configuration"] for r in block if r["configuration"] in self.available]
            common = [n for n in names if all((self.ours.get((n, c)) or {}).get("explored") is not None for c in there)]
            for row in block:
                c = row["configuration"]
                results = [self.ours[n, c] for n in common] if c in there else []
                explored = [r["explored"] for r in results]
                length = [r["length"] for r in results]
                solved = sum((self.ours.get((n, c)) or {}).get("explored") is not None for n in names)
                rows.append([label(c), row["explored_average"], f"{statistics.mean(explored):.1f}" if explored else NOT_RUN,
                             row["explored_median"], f"{statistics.median(explored):.1f}" if explored else NOT_RUN,
                             row["length_average"], f"{statistics.mean(length):.1f}" if length else NOT_RUN,
                             row["length_median"], f"{statistics.median(length):.1f}" if length else NOT_RUN,
                             row["solved"], str(solved) if c in there else IMPOSSIBLE])
            parts.append(f"## {search}\n\n{len(common)} instances: {', '.join(common)}.\n\n{markdown(head, rows)}")
            parts += self.impossible(r["configuration"] for r in block)
        self.save(page_name("wehrle-4.4") + ".md", "\n".join(parts))

    def queue_page(self, accesses):
        """Table 4.5: pushed and popped states by queue, averaged over the instances of a family."""
        parts = [f"# {title_of('wehrle-4.5')}\n\nStates pushed to and popped from each queue, averaged over the instances of "
                 "a family (ours: those that we solve). With contexts, queue n takes states whose transition has distance n + 1 to the "
                 "one before (`docs/preferences.md`), queue 0 also those after the same transition and after one that is not innocent. "
                 "With useless transitions, queue 1 takes states that were reached by one.\n"]
        for search, method in dict.fromkeys((row["search"], row["method"]) for row in accesses):
            configuration, rows = f"greedy {search} {method}", []
            block = [r for r in accesses if (r["search"], r["method"]) == (search, method)]
            for family in dict.fromkeys(row["family"] for row in block):
                theirs = [(r["pushed"], r["popped"]) for r in block if r["family"] == family]
                found = [e["statistics"]["queues"] for (n, c), e in self.ours.items()
                         if c == configuration and n.rstrip("0123456789") == family and e["explored"] is not None]
                rows.append([family, "theirs"] + [f"{pushed} / {popped}" for pushed, popped in theirs])
                mean = [[sum(queues[q][key] for queues in found if q < len(queues)) / len(found) if found else None
                         for key in ("pushed", "popped")] for q in range(len(theirs))]
                rows.append([family, f"ours ({len(found)})"] + [f"{m[0]:.0f} / {m[1]:.0f}" if found else NOT_RUN for m in mean])
            head = ["family", "whose (instances)"] + [f"queue {q}" for q in range(len(rows[0]) - 2)]
            parts.append(f"## {label(configuration)}\n\n{markdown(head, rows)}")
        self.save(page_name("wehrle-4.5") + ".md", "\n".join(parts))

    def deviations(self, explanations):
        """Where we explore far more states than they did, or find nothing where they do."""
        rows = []
        for table, cells in self.published.items():
            for (name, c), cell in cells.items():
                entry = self.ours.get((name, c))
                theirs = number(cell["explored"])
                if entry is None or theirs is None:
                    continue
                worse = ratio(entry, cell["explored"], "explored")
                if worse is not None and worse <= SUSPICIOUS:
                    continue
                rows.append([name, f"{title_of(table)}: {label(c)}", shown_theirs(cell["explored"]), shown(entry, "explored"),
                             f"{worse:.1f}" if worse else entry.get("reason", "limit"),
                             explain(explanations, name, c, "ratio" if worse else "limit")])
        head = ["instance", "table and configuration", "theirs", "ours", "ratio or limit", "explanation"]
        cells = sum(map(len, self.published.values()))
        self.save("deviations.md", f"# Deviations\n\nWhere we explore more than {SUSPICIOUS} times as many states as "
                  f"{' or '.join(AUTHORS.values())}, or hit a limit where they found the error ({len(rows)} of {cells} cells).\n\n"
                  + markdown(head, rows) + "\n" + EXPERIMENTS)
        return len(rows)

    def index(self, deviations):
        """README.md: medians and links."""
        rows = []
        for c in SUMMARY:
            table = next((t for t in self.published if (("S1", c) in self.published[t])), None)
            if table:
                rows.append([f"{title_of(table)}"] + self.median_row(table, c))
        parts = ["# Results\n\nThe tables of Wehrle (2011), Kupferschmid et al. (2006) and Hoffmann et al. (2006), with our numbers beside theirs "
                 "([bibliography](../bibliography.md)). `make tables` runs everything that is not "
                 "remembered from an earlier run and writes these pages; `tables/run.py --help` has limits and selections. "
                 "[The instances](instances.md) tells where the models come from; [auto](auto.md) compares the default search "
                 "with its members; [clocks](clocks.md) tells what looking at clocks is worth, [databases](databases.md) what "
                 "abstractions are worth that are built before the search; [figure 2 of "
                 "Andisha et al. (2015)](figure-andisha-2.md) is about Promela, [walks](walks.md) about the random walks of Bui "
                 "(2009), [symbolic](symbolic.md) about his symbolic searches and what he says of them.\n",
                 "Measured on two cores of an AMD EPYC with 24 GiB, while other jobs ran on the machine: times are indicative. "
                 f"Limits of each run: {self.our_limits()}; theirs were 30 minutes "
                 "and 4 GB (Wehrle 2011, chapters 3 and 4). Explored states are the states that were expanded. The order among "
                 "equal estimates (four were tried) and the reading of the reduced system of Wehrle (2011, §3.4.1; edges whose guards "
                 "read a variable) were chosen on these instances, so the ratios are not independent evidence.\n",
                 "## Medians\n\nOurs over theirs, over all instances that both solve: below 1 we explore fewer states, or find "
                 "shorter paths.\n", markdown(["table"] + self.MEDIAN_HEAD, rows), self.contexts_with_hu(),
                 "![explored states with hU and useless transitions](" + page_name("wehrle-3.2") + "-bars.svg)\n",
                 "## Tables\n"]
        for table in TITLES:
            parts.append(f"- [{title_of(table)}]({page_name(table)}.md): {TITLES[table]}")
        for table, title in PREDICATES.items():
            parts.append(f"- [Hoffmann et al. (2006), table {table}](table-hoffmann-{table}.md): {title}")
        parts += [f"- [Bui (2009), figure {figure}](figure-bui-{figure}.md): {title}" for figure, title in SYMBOLIC.items()]
        parts.append("\n" + NOT_REPRODUCED)
        parts.append(f"[Deviations](deviations.md): {deviations} cells where we explore more than {SUSPICIOUS} times as many "
                     "states or hit a limit, with explanations.\n")
        parts.append("## All configurations\n")
        rows = [[title_of(t)] + self.median_row(t, c) for t in TITLES if t in self.published
                for c in self.cells(t)[1] if c in self.available]
        parts.append(markdown(["table"] + self.MEDIAN_HEAD, rows))
        self.save("README.md", "\n".join(parts))

    def contexts_with_hu(self):
        """Wehrle (2011) prints hU with contexts only as averages."""
        row = next(r for r in self.summary if r["configuration"] == "greedy hU CE")
        found = [self.ours[n, "greedy hU CE"] for n in self.cells("wehrle-4.2")[0]
                 if (self.ours.get((n, "greedy hU CE")) or {}).get("explored") is not None]
        if not found:
            return ""
        return (f"For hU with contexts Wehrle (2011) prints only averages (table 4.4): {row['solved']} of 27 instances are solved; "
                f"the median of explored states is {row['explored_median']}, of lengths {row['length_median']}, over the instances that "
                f"all variants of hU solve there. We solve {len(found)}; over these the medians are "
                f"{statistics.median(r['explored'] for r in found):g} and {statistics.median(r['length'] for r in found):g}.\n")


def read_explanations(path):
    """Patterns of instance, configuration and kind (ratio or limit), with a text; the first row that matches counts."""
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def explain(explanations, *cell):
    """The text for an instance, a configuration and a kind of deviation, or nothing."""
    for row in explanations:
        if all(fnmatch.fnmatch(value, row[key]) for value, key in zip(cell, ("instance", "configuration", "kind"))):
            return row["explanation"]
    return ""


def write(out, published, summary, accesses, precision, ours, available, options, explanations):
    """All pages. `precision` is table 3.4, theirs and ours."""
    report = Report(out, published, summary, ours, available, options)
    for table in published:
        report.table_page(table)
    report.precision_page(*precision)
    report.summary_page()
    report.queue_page(accesses)
    report.index(report.deviations(read_explanations(explanations)))
