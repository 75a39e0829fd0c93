"""Runs of the program, remembered as JSON files so that a second call costs nothing.

A result is found again by the hash of the program, of the model and of the options. Limits are not part of that: a run
that found the error is good for all limits, one that hit a limit is repeated only if a limit is larger now.
"""

import hashlib
import json
import re
import subprocess
import time

# Options behind the words of a configuration such as `greedy hU UT`; other words name heuristics.
SEARCHES = {
    "greedy": ["--search", "greedy"],
    "astar": ["--search", "astar"],
    "ibp": ["--search", "ib-process"],
    "ibi": ["--search", "ib-interference"],
    "bfs": ["--search", "bfs"],
    "dfs": ["--search", "dfs"],
    "rdfs": ["--search", "rdfs"],
}
EXTRAS = {"UT": ["--prefer", "useless"], "CE": ["--prefer", "contexts"], "cached": ["--cache", "256000"],
          "safe": ["--safe-abstraction"], "clocks": ["--heuristic-clocks"], "syntax": ["--predicates", "syntax"],
          "refinement": ["--predicates", "refinement"], "dfp": ["--merge", "dfp"]}
PARAMETERS = {"N": "--merge-states", "b": "--split", "r": "--refinements"}  # words such as `N50`; `b0` does not split
WITHIN = ("bfs", "dfs")  # orders of context bounding without a heuristic


def arguments(configuration):
    """The options of a configuration such as `greedy hU UT`, which the program can run."""
    search, *rest = configuration.split()
    out = list(SEARCHES[search])
    for word in rest:
        parameter = re.fullmatch(r"([Nbr])(\d+)", word)
        if parameter:
            out += [PARAMETERS[parameter[1]], parameter[2]]
            continue
        out += EXTRAS.get(word) or ["--within" if word in WITHIN else "--heuristic", word]
    return out


def digest(path):
    """A short hash of a file's content."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:16]


class Runner:
    """Runs configurations on instances, or finds their remembered results."""

    def __init__(self, binary, directory, time_limit, memory_limit, random_runs, reuse):
        self.binary = binary
        self.hash = digest(binary)
        self.directory = directory
        self.time_limit = time_limit
        self.memory_limit = memory_limit
        self.random_runs = random_runs
        self.reuse = reuse  # which results of other versions of the program count: none, limits, all
        directory.mkdir(parents=True, exist_ok=True)
        self.model_hashes = {}
        self.known_heuristics = {}

    def has(self, configuration):
        """Whether the program knows this configuration."""
        options = arguments(configuration)
        name = options[options.index("--heuristic") + 1] if "--heuristic" in options else None
        if name is None:
            return True
        if name not in self.known_heuristics:
            model = self.directory / "probe.xta"
            model.write_text(subprocess.run([self.binary, "generate", "fischer-b", "2"], capture_output=True, text=True).stdout)
            command = [self.binary, "check", model, "--query", "E<> P(1).cs", "--search", "greedy", "--heuristic", name]
            self.known_heuristics[name] = subprocess.run(command, capture_output=True).returncode in (0, 10)
        return self.known_heuristics[name]

    def result(self, instance, configuration, run=True):
        """The measured numbers; None if they are unknown and `run` is false. `explored` is None where a limit was hit."""
        if configuration != "rdfs":
            return self.single(instance, configuration, arguments(configuration), run)
        results = []
        for seed in range(1, self.random_runs + 1):
            one = self.single(instance, configuration, arguments(configuration) + ["--seed", str(seed)], run)
            if one is None or one["explored"] is None:
                return one
            results.append(one)
        return {key: sum(r[key] for r in results) / len(results) for key in ("explored", "runtime", "length")}

    def single(self, instance, configuration, options, run):
        """One run of the program, remembered or new."""
        if instance.name not in self.model_hashes:
            self.model_hashes[instance.name] = "-".join(digest(f) for f in instance.files)
        key = json.dumps([self.model_hashes[instance.name], options])
        file = self.directory / (hashlib.sha256(key.encode()).hexdigest()[:24] + ".json")
        stored = json.loads(file.read_text()) if file.exists() else {}
        entry = stored.get(self.hash)
        if entry is None and stored and self.reuse != "none":
            newest = max(stored.values(), key=lambda e: e["when"])
            if self.reuse == "all" or newest["explored"] is None:
                entry = newest
        if entry is not None and self.good(entry):
            return entry
        if not run:
            return entry
        entry = self.measure(instance, options)
        stored[self.hash] = entry
        file.write_text(json.dumps(stored, indent=1) + "\n")
        shown = entry["explored"] if entry["explored"] is not None else entry["reason"]
        print(f"{instance.name:5} {configuration:18} {shown!s:>12}  {entry['runtime']:8.2f} s  {entry['length']}", flush=True)
        return entry

    def good(self, entry):
        """Whether a remembered entry answers for the limits of today."""
        if entry["explored"] is not None or entry.get("verdict") == "unreachable":
            return True
        limits = entry["time_limit"] >= self.time_limit and entry["memory_limit"] >= self.memory_limit
        by_memory = "memory" in entry["reason"] and entry["memory_limit"] >= self.memory_limit
        return limits or by_memory

    def measure(self, instance, options):
        """Runs the program."""
        command = [self.binary, "check", *instance.files, "--json", *options]
        command += ["--time-limit", str(self.time_limit), "--memory-limit", str(self.memory_limit)]
        entry = {"instance": instance.name, "options": options, "time_limit": self.time_limit,
                 "memory_limit": self.memory_limit, "when": time.time(), "explored": None, "length": None,
                 "runtime": self.time_limit, "reason": ""}
        try:
            done = subprocess.run([str(c) for c in command], capture_output=True, text=True,
                                  timeout=3 * self.time_limit + 60)
            if done.returncode not in (0, 10, 20):
                raise ValueError(f"exit code {done.returncode}: {done.stderr.strip()[:200]}")
            first = json.loads(done.stdout)["results"][0]
        except subprocess.TimeoutExpired:
            entry["reason"] = "time limit, not obeyed"
            return entry
        except ValueError as problem:
            entry["reason"] = f"failed: {problem}"
            return entry
        statistics = first["statistics"]
        entry.update(runtime=statistics["time_s"], statistics=statistics, verdict=first["verdict"],
                     abstractions=first.get("abstractions", []))
        if first["verdict"] == "reachable":
            entry.update(explored=statistics["expanded"], length=first["witness_length"])
        else:
            entry["reason"] = first.get("reason") or "the error was not found: " + first["verdict"]
        return entry
