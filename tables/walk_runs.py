"""Random walks and, beside them, Spin's default search: the case studies of Bui (2009), and how one run is measured.

Used by tables/walks.py and bench/walks.py, and for symbolic searches by symbolic_runs.py. Results are remembered as JSON by
the hash of program, model and options.
"""

import hashlib
import json
import math
import re
import resource
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared" / "models"
GIVE_UP = 3  # so many runs of a cell that find nothing within the limit, and none that does: the others are not tried


def primes(count, least=23):
    """The seeds of random numbers, those of Bui (2009): the first primes from 23 on."""
    out = []
    n = least
    while len(out) < count:
        if all(n % k for k in range(2, math.isqrt(n) + 1)):
            out.append(n)
        n += 1
    return out


@dataclass(frozen=True)
class Case:
    """A case study: its model, what is defined for a size, and a guide that suits its error."""

    title: str
    model: Path
    defines: tuple = ("N={n}",)
    guide: tuple = ("--heuristic", "hU")
    small: int = 3  # the size of the model from which h1 is taken
    goal: str = ""  # what is looked for; empty: assertions and end states

    def defined(self, n):
        return [d.format(n=n, last=n - 2) for d in self.defines]

    def aim(self):
        """The options for what is looked for."""
        return ["--goal", self.goal, "--no-assert", "--no-deadlock"] if self.goal else []


MODELS = ROOT / "models"
CASES = {
    "philosophers": Case("dining philosophers", MODELS / "philosophers.pml", guide=("--heuristic", "ha", "--bias", "linear")),
    "leader": Case("leader election", MODELS / "token-leader.pml"),
    "mutex": Case("mutual exclusion, any two processes", MODELS / "mutex-faulty.pml"),
    "mutex-low": Case("mutual exclusion, processes 0 and 1", MODELS / "mutex-faulty.pml", ("N={n}", "LOW=0")),
    "mutex-last": Case("mutual exclusion, the last two processes", MODELS / "mutex-faulty.pml", ("N={n}", "LOW={last}")),
    "peterson": Case("Peterson", MODELS / "peterson.pml", ("N={n}", "FAULTY")),
    "peterson-low": Case("Peterson, processes 0 and 1", MODELS / "peterson.pml", ("N={n}", "FAULTY", "LOW=0")),
    # Not more than one request is to be pending (Bui 2009, §7.4.2).
    "giop": Case("GIOP", SHARED / "promela" / "giop" / "giop1.pr", (),
                 goal="GIOPAgent[2]:numOutstandingReqs > 1 || GIOPAgent[3]:numOutstandingReqs > 1"),
}


def model_file(name, n, work):
    """The file of a case. GIOP grows by its users: such a model is written to the working directory."""
    case = CASES[name]
    if name != "giop" or n == 2:
        return case.model
    user = "\t\trun User( toUser, toClientU );\n"
    text = case.model.read_text()
    if text.count(user) != 2:
        raise ValueError(f"{case.model} does not start two users")
    work.mkdir(parents=True, exist_ok=True)
    file = work / f"giop-{n}.pr"
    file.write_text(text.replace(user, "", 1).replace(user, user * n, 1))
    return file


def digest(content):
    return hashlib.sha256(content).hexdigest()[:16]


def timed(command, cwd=None, limit=None):
    """Output, seconds of the clock, and whether it ended by itself."""
    start = time.monotonic()
    try:
        done = subprocess.run([str(c) for c in command], cwd=cwd, timeout=limit, capture_output=True, text=True, errors="replace",
                              check=False)
        return done, time.monotonic() - start, True
    except subprocess.TimeoutExpired:
        return None, time.monotonic() - start, False


def processor_time():
    """Of all processes that were started so far and have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


class Memory:
    """Results of earlier runs, a file each."""

    def __init__(self, directory):
        self.directory = directory
        self.fresh = False  # whether what was measured before this object was made counts for nothing
        self.measured = set()
        if directory:
            directory.mkdir(parents=True, exist_ok=True)

    def get(self, key, limit, measure):
        """The remembered result, unless it hit a smaller limit; otherwise what `measure` returns."""
        file = self.directory and self.directory / (digest(json.dumps(key).encode()) + ".json")
        if file and file.exists() and (not self.fresh or file in self.measured):
            entry = json.loads(file.read_text())
            if entry["found"] or entry.get("failed") or entry["limit"] >= limit:
                return entry
        entry = {"key": key, "limit": limit, **measure()}
        if file:
            file.write_text(json.dumps(entry) + "\n")
            self.measured.add(file)
        return entry


@dataclass
class Walks:
    """All runs of one cell."""

    runs: list
    tried: int

    @property
    def found(self):
        return [r for r in self.runs if r["found"]]

    def mean(self, key):
        values = [r[key] for r in self.found if r.get(key) is not None]
        return statistics.fmean(values) if values else None

    def deviation(self, key):
        values = [r[key] for r in self.found if r.get(key) is not None]
        return statistics.pstdev(values) if values else None


@dataclass
class Runner:
    binary: Path
    work: Path
    limit: float = 60
    seeds: list = field(default_factory=lambda: primes(50))
    remember: bool = True

    def __post_init__(self):
        self.hash = digest(self.binary.read_bytes())
        self.memory = Memory(self.work / "walks" if self.remember else None)
        self.heuristics = timed([self.binary, "list"])[0].stdout

    def knows(self, heuristic):
        """Whether the program has it."""
        return re.search(rf"^\s*{re.escape(heuristic)}\b", self.heuristics, re.M) is not None

    def walk(self, files, defines, options, seed=None, search="walk", again=0):
        """One run of the program; with a seed, of a walk. What is measured `again` is not the run that was remembered before."""
        command = ["check", *files, *(w for d in defines for w in ("--define", d)), *options]
        if seed is not None:
            command += ["--search", search, "--seed", seed, "--no-polish"]
        command = [str(c) for c in command]
        key = [self.hash, *(digest(Path(f).read_bytes()) for f in files), command[1 + len(files):], *([again] if again else [])]
        return self.memory.get(key, self.limit, lambda: self.measure(command))

    def measure(self, command):
        before = processor_time()
        done, wall, _ = timed([self.binary, *command, "--json", "--quiet", "--time-limit", self.limit], limit=3 * self.limit + 60)
        cpu = processor_time() - before
        try:
            first = json.loads(done.stdout)["results"][0]
        except (AttributeError, ValueError, LookupError):
            reason = "no end" if done is None else done.stderr.strip()[:300]
            return {"found": False, "failed": reason, "wall": wall, "cpu": cpu}
        s = first["statistics"]
        return {"found": first["verdict"] == "reachable", "verdict": first["verdict"], "wall": wall, "cpu": cpu, "time": s["time_s"],
                "walks": s.get("walks"), "steps": s.get("steps"), "length": s.get("walk_length", first.get("witness_length")),
                "memory": s["memory_bytes"] / 1e6, "expanded": s.get("expanded"), "states": s.get("states"),
                "database": sum(a["time_s"] for a in first.get("abstractions", []))}

    def cell(self, files, defines, options, seeds=None, search="walk"):
        """The runs with all seeds; after GIVE_UP without an error, and none with one, no more."""
        seeds = seeds or self.seeds
        runs = []
        for seed in seeds:
            runs.append(self.walk(files, defines, options, seed, search))
            if len(runs) >= GIVE_UP and not any(r["found"] for r in runs):
                break
        return Walks(runs, len(seeds))

    def spin(self, file, defines, depth, goal=""):
        """Spin's default search. `seconds`: from the start of spin to the end of pan; `pan`: pan alone."""
        text = Path(file).read_text()
        if goal:
            text += f"\nnever {{ do :: !({goal}) :: ({goal}) -> break od }}\n"
        key = ["spin", digest(text.encode()), list(defines), depth]
        return self.memory.get(key, self.limit, lambda: self.run_spin(text, defines, depth, ["-A", "-E"] if goal else []))

    def run_spin(self, text, defines, depth, options):
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "model.pml").write_text(text)
            _, made, _ = timed(["spin", "-a", *(f"-D{d}" for d in defines), "model.pml"], scratch)
            _, compiled, _ = timed(["gcc", "-O2", "-w", "-DMEMLIM=4000", "-o", "pan", "pan.c"], scratch)
            if not (Path(scratch) / "pan").is_file():
                return {"found": False, "failed": "spin makes no program of it that gcc compiles", "seconds": made + compiled}
            done, pan, ended = timed(["./pan", f"-m{depth}", *options], scratch, self.limit)
        out = done.stdout if ended else ""
        found = re.search(r"\(at depth (\d+)\)", out)
        memory = re.search(r"([\d.]+)\s+total actual memory usage", out)
        return {"found": "errors: 1" in out, "seconds": made + compiled + pan, "pan": pan, "made": made, "compiled": compiled,
                "length": int(found[1]) if found else None, "memory": float(memory[1]) if memory else None,
                "reason": "" if "errors: 1" in out else ("out of memory" if "out of memory" in out else "limit" if not ended else "none")}
