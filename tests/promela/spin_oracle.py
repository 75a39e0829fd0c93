"""Asks Spin and Harrier the same questions about a Promela model, and compares the answers.

The questions: how many states are there (without any reduction), can an assertion fail, and is there an invalid end
state. Spin is used as `spin -a -o1 -o2 -o3`, which switches off everything that changes the number of states, and pan
is compiled with -DSAFETY -DNOREDUCE, and without claims. Harrier's number is that of the stored states outside of atomic sequences.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Optional

NOT_RUN = 77  # exit code for "skipped"
UNKNOWN = 20  # Harrier's exit code for "not found, and not proved"

# What pan says about faults of a model that end Harrier with an error.
FAULTS = re.compile(
    r"block in d_step|stmnt in d_step blocks|uninitialized chan|too many processes|invalid array index|polling rv chan|"
    r"poll rendezvous|few parameters|many parameters|fields in recv|missing pars in receive|msg fields in rcv|"
    r"unconditional self-loop|max search depth too small|inherits 2 'else'")
REFUSALS = re.compile(r"unconditional self-loop|max search depth too small|inherits 2 'else'")
# What Spin calls an error, and goes on.
HARMLESS = re.compile(r"dubious use of 'else'|truncated in assignment|bad label-name")


@dataclass
class Answer:
    """What one of the two programs says about a model."""

    refused: bool = False  # Spin does not accept the model, or cannot search all of it
    problem: str = ""  # why there is no answer: the model is not accepted, or has a run-time error
    late: bool = False  # the time was not enough
    partial: bool = False  # random walks: what was not found may be there
    states: Optional[int] = None
    assertion: Optional[bool] = None  # whether one can fail
    deadlock: Optional[bool] = None  # whether there is an invalid end state

    def __str__(self):
        if self.problem:
            return self.problem
        if self.late:
            return "no answer in time"
        return f"{self.states} states, assertion {self.assertion}, invalid end state {self.deadlock}"


def compiler():
    """tcc is not as good as gcc, but ten times as fast."""
    return "tcc" if shutil.which("tcc") else "gcc"


def missing_tools():
    return [tool for tool in ("spin", compiler()) if shutil.which(tool) is None]


def run(command, cwd, seconds):
    """Exit code (None: too slow) and the output with the errors."""
    try:
        done = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout


def ask_spin(model, seconds=30, large=False, defines=()):
    """`large`: of up to millions of states; costs time to start. `defines`: such as N=3."""
    with tempfile.TemporaryDirectory(prefix="promela-") as folder:
        code, text = run(["spin", "-a", "-o1", "-o2", "-o3", *(f"-D{d}" for d in defines), os.path.abspath(model)], folder, seconds)
        errors = [line for line in text.splitlines() if "rror" in line and not HARMLESS.search(line)]
        if errors or not os.path.exists(os.path.join(folder, "pan.c")):
            return Answer(refused=True, problem=text.strip()[:300] or f"spin ends with {code}")
        flags = ["-O1" if large else "-O0", "-w", "-DSAFETY", "-DNOREDUCE", "-DNOCLAIM", "-DMEMLIM=3000", "-DVECTORSZ=8192"]
        code, text = run(["gcc" if large and shutil.which("gcc") else compiler(), *flags, "-o", "pan", "pan.c"], folder, 120)
        if code != 0:
            return Answer(refused=True, problem="the compiler: " + text.strip()[:300])
        answer = Answer()
        size = ["-m500000"] if large else ["-m50000", "-w18"]  # depth, and bits of the hash table

        def pan(*options):
            code, text = run(["./pan", *size, *options], folder, seconds)
            if code is None:
                answer.late = True
                return None, ""
            fault = FAULTS.search(text)
            errors = re.search(r"errors: (\d+)", text)
            if fault or (code != 0 and not errors):
                answer.problem = fault.group() if fault else f"pan ends with {code}"
                answer.refused = REFUSALS.search(text) is not None
            return int(errors.group(1)) > 0 if errors else None, text

        _, text = pan("-c0")
        stored = re.search(r"(\d+) states, stored", text)
        answer.states = int(stored.group(1)) if stored else None
        if not answer.late and not answer.problem:
            answer.assertion = pan("-E")[0]
            answer.deadlock = pan("-A")[0]
        return answer


def ask_spin_claim(model, claim, seconds=30):
    """Whether a claim of the model is violated, or an assertion fails; None: no answer."""
    with tempfile.TemporaryDirectory(prefix="promela-") as folder:
        # Spin's _nr_pr counts the claim.
        with open(model, encoding="utf-8") as text, open(os.path.join(folder, "model.pml"), "w", encoding="utf-8") as out:
            out.write(re.sub(r"\b_nr_pr\b", "(_nr_pr - 1)", text.read()))
        run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], folder, seconds)
        code, _ = run([compiler(), "-O0", "-w", "-DNOREDUCE", "-DMEMLIM=3000", "-DVECTORSZ=8192", "-o", "pan", "pan.c"], folder, 120)
        if code != 0:
            return None
        code, text = run(["./pan", "-m100000", "-w18", "-a", "-N", claim], folder, seconds)
        errors = re.search(r"errors: (\d+)", text)
        if code is None or FAULTS.search(text) or not errors:
            return None
        return int(errors.group(1)) > 0


def shortest_errors(harrier, model, search):
    """The steps to the nearest assertion that fails and to the nearest invalid end state; None where there is none."""
    lengths = []
    for other in ("--no-deadlock", "--no-assert"):
        code, text = run([harrier, "check", os.path.abspath(model), "--search", *search.split(), "--json", "--quiet", "--no-claim", other],
                         "/", None)
        result = json.loads(text)["results"][0] if code in (0, 10) else {}
        lengths.append(result.get("witness_length") if result.get("verdict") == "reachable" else None)
    return lengths


def ask_harrier(harrier, model, search="bfs", counts=True, defines=()):
    answer = Answer(partial=search.startswith("walk") or "--bitstate" in search or "--compact" in search)
    model = os.path.abspath(model)
    defined = [word for d in defines for word in ("--define", d)]

    def check(*options):
        """The first result, None if there is none."""
        code, text = run([harrier, "check", model, "--search", *search.split(), "--json", "--quiet", "--no-claim",
                          *defined, *options], "/", None)
        if code not in (0, 10) and not (code == UNKNOWN and answer.partial):
            answer.problem = text.strip()[:300] or f"harrier ends with {code}"
        else:
            return json.loads(text)["results"][0]
        return None

    if counts:
        result = check("--no-assert", "--no-deadlock")
        if result:
            answer.states = result["statistics"]["stored"] - result["statistics"]["transient"]
    for question, other in (("assertion", "--no-deadlock"), ("deadlock", "--no-assert")):
        if not answer.problem:
            result = check(other)
            setattr(answer, question, result and result["verdict"] == "reachable")
    return answer


def difference(spin, ours, counts=True):
    """What differs, empty if nothing does."""
    if ours.partial and not ours.problem:
        # It may have missed an error, or the fault of the model.
        if spin.problem:
            return ""
        return ", ".join(what for what, wrong in (("assertion", ours.assertion and not spin.assertion),
                                                  ("invalid end state", ours.deadlock and not spin.deadlock)) if wrong)
    if spin.problem or ours.problem:
        return "" if spin.problem and ours.problem else "problem"
    out = []
    if counts and spin.states != ours.states:
        out.append("states")
    if spin.assertion != ours.assertion:
        out.append("assertion")
    if spin.deadlock != ours.deadlock:
        out.append("invalid end state")
    return ", ".join(out)
