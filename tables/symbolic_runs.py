"""Symbolic searches on the models of Bui (2009, chapters 5 and 7): families of SMV models, methods, and what one cell holds.

Used by tables/symbolic.py and bench/symbolic.py. A run is measured and remembered by walk_runs. Costs are processor time of the
whole program (start, reading the model, search, output), which other work on the machine disturbs less than time of the clock.
"""

import statistics
import subprocess
from dataclasses import dataclass

import walk_runs

TITLES = {
    "philosophers": "dining philosophers", "leader": "leader election", "send-receive": "send/receive", "mutex": "mutual exclusion",
    "peterson": "Peterson", "peterson-low": "Peterson, processes 1 and 2",
}
# Sizes of the thesis; of Peterson's high-PEP variant and of figure 7.5, which are pictures only, those of the other figures.
SIZES = {
    "philosophers": (10, 12, 14, 16, 18), "leader": (3, 4, 5, 6), "send-receive": (3, 4, 5, 6), "mutex": (16, 20, 24, 28),
    "peterson": (3, 4, 5), "peterson-low": (3, 4, 5),
}
# Beyond the thesis, where the models of this project give its methods something to do.
LARGER = {"philosophers": (30,), "leader": (10, 14), "send-receive": (12, 20), "mutex": (40, 60)}
SEARCHES = {"NuSMV": ["--search", "sbfs"], "SGMC": ["--search", "sgmc"]}
# Those of the thesis, whose lottery is `--bias linear`, and ours.
WALKS = {"SRMC_w": [], "SRMC_t": ["--trails"], "SGRMC_w": ["--guided", "--bias", "linear"], "SGRMC_t": ["--guided", "--bias", "linear", "--trails"]}
OURS = {"softmax_w": ["--guided"], "softmax_t": ["--guided", "--trails"]}
EXPLICIT = "ranSPIN_a"  # walks from state to state, for which the order of values in a set does not matter: one of all successors
MEMORY = ["--memory-limit", "4096"]
TIE = 1.1  # means that are nearer to each other than by this factor are not told apart
REPEATED = 3  # runs of a search without random numbers; the least counts


@dataclass
class Cost:
    """A mean; only a lower bound if some run hit a limit."""

    value: float
    exact: bool

    def less(self, other, factor=1):
        """Whether this, `factor` times, is at most the other; None if limits leave that open, or, without a factor, chance."""
        margin = TIE if factor == 1 else factor
        if self.exact and margin * self.value <= other.value:
            return True
        least = other.value * (TIE if factor == 1 else 1 / factor)
        return False if other.exact and self.value > least else None

    def __str__(self):
        return ("" if self.exact else "> ") + digits(self.value)


def digits(value):
    """Two or three that count."""
    if value is None:
        return "–"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}" if value >= 1 else f"{value:.2g}"


class Cell(walk_runs.Walks):
    """All runs of a method on a model."""

    def cost(self, key="cpu"):
        """Over all runs: one that hit its limit counts with what it took until then."""
        return Cost(statistics.fmean(r[key] for r in self.runs), len(self.found) == len(self.runs))


class Lab:
    """Measures cells, or remembers them."""

    def __init__(self, binary, work, limit, walk_limit, seeds, remember=True):
        self.models = work / "smv"
        self.models.mkdir(parents=True, exist_ok=True)
        self.searches = walk_runs.Runner(binary, work, limit, seeds, remember)
        self.walks = walk_runs.Runner(binary, work, min(limit, walk_limit), seeds, remember)
        self.binary = binary
        self.cells = {}
        self.given_up = {}  # case and method: the size at which no run found the error

    def fresh(self):
        """What was measured before this counts for nothing."""
        self.searches.memory.fresh = self.walks.memory.fresh = True

    def model(self, case, n):
        file = self.models / f"{case}-{n}.smv"
        command = [str(self.binary), "generate", case, str(n), "--language", "smv"]
        file.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return file

    def cell(self, case, n, method, bound=0):
        """None for sizes beyond one at which no run found the error. `bound`: steps of a walk at most."""
        key = (case, n, method, bound)
        if key not in self.cells:
            row = (case, method, bool(bound))
            if n > self.given_up.get(row, n):
                return None
            self.cells[key] = self.measure(self.model(case, n), method, bound)
            if not self.cells[key].found:
                self.given_up[row] = n
        return self.cells[key]

    def measure(self, file, method, bound):
        if method in SEARCHES:
            return self.search(file, SEARCHES[method])
        depth = ["--walk-depth", str(bound), *MEMORY]
        if method == EXPLICIT:
            cell = self.walks.cell([file], [], ["--selection", "all", *depth])
        else:
            cell = self.walks.cell([file], [], [*{**WALKS, **OURS}[method], *depth], search="swalk")
        return Cell(cell.runs, cell.tried)

    def search(self, file, options):
        """The cheapest of some runs of a search that always does the same; one that hits a limit is not repeated."""
        runs = []
        for again in range(REPEATED):
            runs.append(self.searches.walk([file], [], [*options, *MEMORY], again=again))
            if not runs[-1]["found"]:
                return Cell(runs[-1:], 1)
        return Cell([min(runs, key=lambda r: r["cpu"])], 1)
