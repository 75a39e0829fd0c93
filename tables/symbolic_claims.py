"""What Bui (2009) says about symbolic searches and walks in prose, judged by our numbers.

Each claim has a place in the thesis, its words in ours, and a test. A test answers true, false, or neither where limits leave it
open, and shows the numbers. How much a vague word such as "much faster" is taken to mean stands in the claim.
"""

from dataclasses import dataclass
from typing import Callable

from symbolic_runs import EXPLICIT, LARGER, OURS, SIZES, TITLES, WALKS, digits

BLIND = ("SRMC_w", "SRMC_t")
GUIDED = ("SGRMC_w", "SGRMC_t")
CHAPTER_5 = ("philosophers", "leader", "send-receive", "mutex")
HIGH = ("philosophers", "leader", "peterson")
UNITS = {"cpu": " s", "steps": " steps"}
LOW = ("send-receive", "mutex", "peterson-low")


@dataclass(frozen=True)
class Claim:
    figure: str
    place: str
    text: str
    test: Callable


def every(answers):
    """True if all are, false if one is, otherwise open."""
    answers = list(answers)
    if False in answers:
        return False
    return None if None in answers or not answers else True


class Tests:
    """Makes tests of what a lab measures at some sizes."""

    def __init__(self, lab, sizes=SIZES, larger=True):
        self.lab = lab
        self.sizes = sizes
        self.larger = LARGER if larger else {}

    def bound(self, n, bounded):
        return 100 * n if bounded else 0

    def cells(self, case, methods, n, bounded=False):
        """Method -> cell; nothing unless all were tried."""
        row = {m: self.lab.cell(case, n, m, self.bound(n, bounded and m in WALKS)) for m in methods}
        return row if all(row.values()) else None

    def at(self, case, methods, judge, sizes=None, bounded=False):
        """`judge` answers for one row of cells, with numbers; the claim is that it does so at each size."""
        answers, shown = [], []
        for n in sizes or self.sizes[case]:
            row = self.cells(case, methods, n, bounded) if n in (*self.sizes[case], *self.larger.get(case, ())) else None
            if row is None:
                answers.append(None)
                shown.append(f"{n}: not tried")
                continue
            answer, text = judge(row, n)
            answers.append(answer)
            shown.append(f"{n}: {text}")
        return every(answers), "; ".join(shown)

    def largest(self, case):
        """Of the thesis, whether it is among the sizes or not."""
        return SIZES[case][-1:]

    def ahead(self, case, winners, losers, factor=1, key="cpu", sizes=None, bounded=False):
        """Each of the winners costs less than each of the losers, by the factor."""
        def judge(row, _):
            costs = {m: row[m].cost(key) for m in (*winners, *losers)}
            return every(costs[w].less(costs[o], factor) for w in winners for o in losers), listed(costs, UNITS[key])
        return self.at(case, (*winners, *losers), judge, sizes, bounded)

    def together(self, *tests):
        """Several tests as one, with the names of the cases."""
        return every(answer for _, (answer, _) in tests), "; ".join(f"*{TITLES[case]}* {text}" for case, (_, text) in tests)

    def each(self, cases, test):
        return self.together(*((case, test(case)) for case in cases))

    def alike(self, case, first, second, factor):
        def judge(row, _):
            a, b = row[first].cost(), row[second].cost()
            near = every((a.less(b, 1 / factor), b.less(a, 1 / factor))) if a.exact and b.exact else None
            return near, listed({first: a, second: b}, " s")
        return self.at(case, (first, second), judge)

    def lengths(self, case, methods, judge):
        """By mean lengths of the runs that found the error."""
        def by_length(row, n):
            means = {m: row[m].mean("length") for m in methods}
            answer = judge(means, n) if None not in means.values() else None
            return answer, ", ".join(f"{m} {digits(v)}" for m, v in means.items())
        return self.at(case, methods, by_length)

    def traversals(self, case):
        def judge(row, _):
            means = {m: row[m].mean("walks") for m in WALKS}
            if None in means.values():
                return None, "not all methods found the error"
            answer = all(means[m] == 1 for m in ("SRMC_w", "SGRMC_w"))
            return answer, ", ".join(f"{m} {digits(v)}" for m, v in means.items())
        return self.at(case, tuple(WALKS), judge)

    def steadier(self, case, n, calm, wild):
        """A smaller standard deviation of the time."""
        def judge(row, _):
            values = {m: row[m].deviation("cpu") for m in (calm, wild)}
            if not all(row[m].cost().exact for m in values):
                return None, "not all runs found the error"
            return values[calm] < values[wild], ", ".join(f"{m} {digits(v)} s" for m, v in values.items())
        return self.at(case, (calm, wild), judge, [n])

    def change(self, case, method, n, key="steps"):
        """Of the number of steps, or of the time, in percent, by a bound; at most that if runs without one hit a limit, None
        if runs with one did. A run that never meets the bound takes the same steps."""
        free, bounded = self.lab.cell(case, n, method), self.lab.cell(case, n, method, self.bound(n, True))
        if not free or not bounded:
            return None
        free, bounded = free.cost(key), bounded.cost(key)
        if bounded.exact and (free.exact or free.value > bounded.value):
            return 100 * (bounded.value / free.value - 1)
        return None

    def changes(self, case, methods, judge):
        """`judge` sees the changes in steps of all methods at all sizes; open if one is not known."""
        rows = {m: [self.change(case, m, n) for n in self.sizes[case]] for m in methods}
        known = all(v is not None for row in rows.values() for v in row)
        shown = "; ".join(f"{m} " + ", ".join("–" if v is None else f"{v:+.0f}%" for v in row) for m, row in rows.items())
        return (bool(judge(rows)) if known else None), "steps: " + shown

    def within(self, pair, method, factor):
        """Two cases cost about the same."""
        def judge(n):
            a, b = (self.lab.cell(case, n, method) for case in pair)
            if not a or not b:
                return None, f"{n}: not tried"
            a, b = a.cost(), b.cost()
            near = every((a.less(b, 1 / factor), b.less(a, 1 / factor))) if a.exact and b.exact else None
            return near, f"{n}: {method} {a}, {b} s"
        judged = [judge(n) for n in self.sizes[pair[0]]]
        return every(a for a, _ in judged), "; ".join(text for _, text in judged)


def listed(costs, unit):
    return ", ".join(f"{m} {c}" for m, c in costs.items()) + unit


def mean(values):
    return sum(values) / len(values)


def claims(t):
    """All of them; `t` makes the tests."""
    four = tuple(WALKS)
    rest = tuple(m for m in WALKS if m != "SGRMC_t")
    return [
        Claim("5.5", "5.4.3", "Philosophers: walks reach the goal in the first traversal (trails may need more).",
              lambda: t.traversals("philosophers")),
        Claim("5.5", "5.4.3", "Philosophers: paths are much longer than the shortest, which has two steps for each (here: at least twice).",
              lambda: t.lengths("philosophers", four, lambda m, n: min(m.values()) >= 4 * n)),
        Claim("5.5", "5.4.3", "Philosophers: guided trails are the fastest of the four kinds of walks.",
              lambda: t.ahead("philosophers", ("SGRMC_t",), rest)),
        Claim("5.6", "5.4.3", "Times of guided trails deviate less than those of blind ones, 16 philosophers.",
              lambda: t.steadier("philosophers", 16, "SGRMC_t", "SRMC_t")),
        Claim("5.7", "5.4.3", "Leader election: blind trails are faster than blind walks.",
              lambda: t.ahead("leader", ("SRMC_t",), ("SRMC_w",))),
        Claim("5.7", "5.4.3", "Leader election: guided trails are faster than guided walks.",
              lambda: t.ahead("leader", ("SGRMC_t",), ("SGRMC_w",))),
        Claim("5.7", "5.4.3", "Leader election: guided trails are the fastest.", lambda: t.ahead("leader", ("SGRMC_t",), rest)),
        Claim("5.8", "5.4.3", "Send/receive: guided walks and trails behave alike (here: times within a factor of 1.5).",
              lambda: t.alike("send-receive", "SGRMC_w", "SGRMC_t", 1.5)),
        Claim("5.8", "5.4.3", "Send/receive: both are much faster than blind ones (here: 10 times).",
              lambda: t.ahead("send-receive", GUIDED, BLIND, 10)),
        Claim("5.8", "ours", "Send/receive with 6: our guided walks and trails are at least 100 times as fast as blind ones.",
              lambda: t.ahead("send-receive", tuple(OURS), BLIND, 100, sizes=t.largest("send-receive"))),
        Claim("5.8", "ours", "The same by steps of all walks, which the start of the program does not count for.",
              lambda: t.ahead("send-receive", tuple(OURS), BLIND, 100, "steps", t.largest("send-receive"))),
        Claim("5.9", "5.4.3", "Mutual exclusion: guided walks take about half the time of blind ones (here: at most two thirds).",
              lambda: t.ahead("mutex", GUIDED, BLIND, 1.5)),
        Claim("5.10", "5.4.3", "Philosophers: a bound makes walks longer in the mean over the sizes, and guided ones less so than blind ones.",
              lambda: t.changes("philosophers", four, lambda r: mean([mean(r[m]) for m in BLIND]) > max(0, mean([mean(r[m]) for m in GUIDED])))),
        Claim("5.10", "5.4.3", "Leader election: a bound makes walks longer, and trails less so (in the mean over the sizes).",
              lambda: t.changes("leader", four, lambda r: min(mean(v) for v in r.values()) > 0 and all(
                  mean(r[f"{m}_t"]) < mean(r[f"{m}_w"]) for m in ("SRMC", "SGRMC")))),
        Claim("5.10", "5.4.3", "Send/receive: a bound saves blind walks about 90% (here: at least 75% at each size).",
              lambda: t.changes("send-receive", ("SRMC_w",), lambda r: max(r["SRMC_w"]) <= -75)),
        Claim("5.10", "5.4.3", "Send/receive with 6: blind walks with a bound are still 100 times slower than guided ones.",
              lambda: t.ahead("send-receive", ("SGRMC_w",), ("SRMC_w",), 100, sizes=t.largest("send-receive"), bounded=True)),
        Claim("5.10", "5.4.3", "Mutual exclusion: a bound has no effect (here: at most 10% either way).",
              lambda: t.changes("mutex", four, lambda r: max(abs(v) for row in r.values() for v in row) <= 10)),
        Claim("5.5", "5.4.3", "Guided trails find shorter paths than blind ones, in all four cases.",
              lambda: t.each(CHAPTER_5, lambda c: t.lengths(c, ("SGRMC_t", "SRMC_t"), lambda m, _: m["SGRMC_t"] < m["SRMC_t"]))),
        Claim("5.11", "5.4.4", "Philosophers: guided trails are orders of magnitude faster than plain and guided search (here: 10 times "
              "at the largest size).", lambda: t.ahead("philosophers", ("SGRMC_t",), ("NuSMV", "SGMC"), 10, sizes=t.largest("philosophers"))),
        Claim("5.11", "5.4.4", "Philosophers: guided search is no faster than plain search.",
              lambda: t.ahead("philosophers", ("NuSMV",), ("SGMC",))),
        Claim("5.12", "5.4.4", "Leader election: guided trails are faster than plain and guided search.",
              lambda: t.ahead("leader", ("SGRMC_t",), ("NuSMV", "SGMC"))),
        Claim("5.12", "5.4.4", "Leader election: guided search is ahead of plain search.", lambda: t.ahead("leader", ("SGMC",), ("NuSMV",))),
        Claim("5.13", "5.4.4", "Send/receive: guided search and guided trails are very fast beside plain search (here: 10 times).",
              lambda: t.ahead("send-receive", ("SGMC", "SGRMC_t"), ("NuSMV",), 10)),
        Claim("5.13", "5.4.4", "Send/receive: guided search is ahead of guided trails.",
              lambda: t.ahead("send-receive", ("SGMC",), ("SGRMC_t",))),
        Claim("5.13", "5.4.4", "Send/receive: plain and guided search find shortest paths; those of guided trails are longer by an order "
              "of magnitude (here: 5 times).", lambda: t.lengths(
                  "send-receive", ("NuSMV", "SGMC", "SGRMC_t"), lambda m, _: m["NuSMV"] == m["SGMC"] and m["SGRMC_t"] >= 5 * m["SGMC"])),
        Claim("5.14", "5.4.4", "Mutual exclusion: guided search and guided trails are many orders of magnitude faster than plain search "
              "(here: 100 times at the largest size).",
              lambda: t.ahead("mutex", ("SGMC", "SGRMC_t"), ("NuSMV",), 100, sizes=t.largest("mutex"))),
        Claim("5.14", "5.4.4", "Mutual exclusion: plain and guided search find shortest paths, guided trails do not.",
              lambda: t.lengths("mutex", ("NuSMV", "SGMC", "SGRMC_t"), lambda m, _: m["NuSMV"] == m["SGMC"] < m["SGRMC_t"])),
        Claim("5.11", "larger", "Philosophers: guided trails are faster than plain search.",
              lambda: t.ahead("philosophers", ("SGRMC_t",), ("NuSMV",), sizes=LARGER["philosophers"])),
        Claim("5.12", "larger", "Leader election: guided search is ahead of plain search.",
              lambda: t.ahead("leader", ("SGMC",), ("NuSMV",), sizes=LARGER["leader"])),
        Claim("5.12", "larger", "Leader election: guided trails are faster than plain and guided search.",
              lambda: t.ahead("leader", ("SGRMC_t",), ("NuSMV", "SGMC"), sizes=LARGER["leader"])),
        Claim("5.13", "larger", "Send/receive: guided search is ahead of guided trails.",
              lambda: t.ahead("send-receive", ("SGMC",), ("SGRMC_t",), sizes=LARGER["send-receive"])),
        Claim("5.13", "larger", "Send/receive: guided search is ahead of plain search.",
              lambda: t.ahead("send-receive", ("SGMC",), ("NuSMV",), sizes=LARGER["send-receive"])),
        Claim("5.14", "larger", "Mutual exclusion: guided search and guided trails are faster than plain search.",
              lambda: t.ahead("mutex", ("SGMC", "SGRMC_t"), ("NuSMV",), sizes=LARGER["mutex"])),
        Claim("7.5", "7.4.1", "Leader election: both kinds of walks are an order of magnitude faster than plain and guided search (here: 10 "
              "times at the largest size).",
              lambda: t.ahead("leader", ("SRMC_w", "SGRMC_w"), ("NuSMV", "SGMC"), 10, sizes=t.largest("leader"))),
        Claim("7.5", "7.4.1", "Leader election: guided walks are faster than blind ones.", lambda: t.ahead("leader", ("SGRMC_w",), ("SRMC_w",))),
        Claim("7.6", "7.4.1", "Peterson, high PEP: both kinds of walks are faster than plain and guided search.",
              lambda: t.ahead("peterson", ("SRMC_w", "SGRMC_w"), ("NuSMV", "SGMC"))),
        Claim("7.6", "7.4.1", "Peterson, high PEP: guided walks are the fastest.",
              lambda: t.ahead("peterson", ("SGRMC_w",), ("SRMC_w", "NuSMV", "SGMC"))),
        Claim("7.6", "7.4.1", "Peterson, high PEP: guided search is very slow (here: slower than both kinds of walks, 10 times at the largest size).",
              lambda: t.ahead("peterson", ("SRMC_w", "SGRMC_w"), ("SGMC",), 10, sizes=t.largest("peterson"))),
        Claim("7.7", "7.4.1", "Peterson, low PEP: shortest paths of plain and guided search are equal.",
              lambda: t.lengths("peterson-low", ("NuSMV", "SGMC"), lambda m, _: m["NuSMV"] == m["SGMC"])),
        Claim("7.7", "ours", "Peterson, low PEP, with 5: guided search is at least 10 times as fast as plain search.",
              lambda: t.ahead("peterson-low", ("SGMC",), ("NuSMV",), 10, sizes=t.largest("peterson-low"))),
        Claim("7.7", "ours", "Peterson, low PEP: paths of our guided walks are at least 3 times shorter than those of blind ones.",
              lambda: t.lengths("peterson-low", ("softmax_w", "SRMC_w"), lambda m, _: 3 * m["softmax_w"] <= m["SRMC_w"])),
        Claim("7.7", "7.4.1", "Peterson, low PEP, with 5: guided search is ahead of both kinds of walks.",
              lambda: t.ahead("peterson-low", ("SGMC",), ("SRMC_w", "SGRMC_w"), sizes=t.largest("peterson-low"))),
        Claim("7.7", "7.4.1", "The PEP does not matter much to guided walks (here: times on both variants of Peterson within a factor of 3).",
              lambda: t.within(("peterson", "peterson-low"), "SGRMC_w", 3)),
        Claim("7.5", "7.4.3", "In all cases guided walks are faster than blind ones.",
              lambda: t.each(SIZES, lambda c: t.ahead(c, ("SGRMC_w",), ("SRMC_w",)))),
        Claim("7.5", "7.4.3", "In all cases guided walks have shorter paths than blind ones.",
              lambda: t.each(SIZES, lambda c: t.lengths(c, ("SGRMC_w", "SRMC_w"), lambda m, _: m["SGRMC_w"] < m["SRMC_w"]))),
        Claim("7.5", "7.4.3", "Leader election: walks from state to state are faster than walks on sets.",
              lambda: t.ahead("leader", (EXPLICIT,), ("SRMC_w",))),
        Claim("7.6", "7.4.3", "Peterson: walks from state to state are faster than walks on sets.",
              lambda: t.each(("peterson", "peterson-low"), lambda c: t.ahead(c, (EXPLICIT,), ("SRMC_w",)))),
        Claim("7.5", "7.4.3", "Low PEP: guided search is the best of the symbolic methods (at the largest sizes).",
              lambda: t.each(LOW, lambda c: t.ahead(c, ("SGMC",), ("NuSMV", *four), sizes=t.largest(c)))),
        Claim("7.5", "7.4.3", "High PEP: guided walks or trails are the best (at the largest sizes, guided trails).",
              lambda: t.each(HIGH, lambda c: t.ahead(c, ("SGRMC_t",), ("NuSMV", "SGMC", *BLIND), sizes=t.largest(c)))),
    ]
