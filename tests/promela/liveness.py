#!/usr/bin/env python3
"""Compares verdicts about claims, formulas and cycles, and numbers of states, with those of Spin.

    liveness.py --harrier build/bin/harrier [--formulas N] [--seed S] [--model NAME]

Every model is checked with its own claims, with N random formulas (with and without fairness), for acceptance cycles and
for cycles without progress; by the search for cycles and, without fairness, by sets of states. Exit code 77: Spin or a C compiler is missing.
"""
import argparse
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

SKIPPED = 77
MODELS = pathlib.Path(__file__).parent / "liveness"
ATOMS = re.compile(r"^// atoms: (.*)$", re.M)


def run(command, directory):
    return subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=600)


class Spin:
    """A verifier that Spin makes of a model, compiled once for each kind of check."""

    def __init__(self, directory, text):
        self.directory = directory
        (directory / "model.pml").write_text(text)
        made = run(["spin", "-a", "-o1", "-o2", "-o3", "model.pml"], directory)
        if made.returncode != 0 or "rror:" in made.stdout:
            sys.exit(f"spin refuses the model:\n{made.stdout}\n{text}")
        self.built = set()

    def check(self, defines, options):
        """Whether there is an error (None: no answer within the depth), and the number of states."""
        name = "pan" + "".join(defines)
        if name not in self.built:
            done = run(["gcc", "-w", "-O0", "-DNOREDUCE", *defines, "-o", name, "pan.c"], self.directory)
            if done.returncode != 0:
                sys.exit(f"the verifier does not compile:\n{done.stderr}")
            self.built.add(name)
        out = run([f"./{name}", "-m200000", *options], self.directory).stdout
        errors = re.search(r"errors: (\d+)", out)
        states = re.search(r"(\d+) states, stored", out)
        if not errors or not states:
            sys.exit(f"no answer from the verifier:\n{out}")
        if errors.group(1) == "0" and "max search depth too small" in out:
            return None, 0
        return errors.group(1) != "0", int(states.group(1))


# All states of the model as it is written, which is what Spin is told to count.
PLAIN = ["--no-simplify", "--reduction", "off", "--symmetry", "off"]


class Comparison:
    def __init__(self, harrier):
        self.harrier = harrier
        self.verdicts = self.violations = self.counts = 0
        self.failures = []

    def harrier_says(self, directory, options, search="dfs"):
        """Whether there is an error, and the number of states between steps."""
        done = run([self.harrier, "check", "model.pml", "--json", "--search", search, *options], directory)
        if done.returncode not in (0, 10):
            sys.exit(f"harrier {options} gives exit code {done.returncode}:\n{done.stderr}{done.stdout}\n"
                     + (directory / "model.pml").read_text())
        result = json.loads(done.stdout)["results"][0]
        return done.returncode == 10, result["statistics"]["stored"] - result["statistics"]["transient"]

    def compare(self, what, spin, defines, options, own, count=False):
        ours, _ = self.harrier_says(spin.directory, own)
        theirs, their_states = spin.check(defines, options)
        if theirs is None:
            return
        self.verdicts += 1
        self.violations += theirs
        if ours != theirs:
            self.failures.append(f"{what} {own}: Spin says {theirs}, Harrier {ours}")
        elif "--fairness" not in own and self.harrier_says(spin.directory, own, "sbfs")[0] != theirs:
            self.failures.append(f"{what} {own}: Spin says {theirs}, Harrier with sets of states {not theirs}")
        elif count and not theirs:
            self.counts += 1
            _, our_states = self.harrier_says(spin.directory, own + PLAIN)
            if our_states != their_states:
                self.failures.append(f"{what} {own}: Spin has {their_states} states, Harrier {our_states}")


def random_formula(rng, atoms, depth):
    if depth == 0 or rng.random() < 0.15:
        atom = "(" + rng.choice(atoms) + ")"
        return "!" + atom if rng.random() < 0.4 else atom
    a = random_formula(rng, atoms, depth - 1)
    kind = rng.randrange(9)
    if kind < 4:
        return ["[] ", "<> ", "[]<> ", "!"][kind] + f"({a})"
    b = random_formula(rng, atoms, depth - 1)
    return f"({a}) " + ["&&", "||", "->", "U", "V"][kind - 4] + f" ({b})"


def compare_model(path, comparison, rng, formulas):
    text = path.read_text()
    name = path.name
    atoms = [a.strip() for a in ATOMS.search(text).group(1).split(";")]
    own_claims = re.findall(r"^(?:ltl|never) (\w+)", text, re.M)
    finite = re.findall(r"^// finite: (\w+)", text, re.M)
    plain = re.sub(r"^ltl .*\n", "", text, flags=re.M)
    plain = re.sub(r"^never \w+ \{.*?^\}\n", "", plain, flags=re.M | re.S)
    labels = re.search(r"^accept", plain, re.M)
    if labels:
        # For Spin accept labels of processes count beside those of a claim, and would be in the way.
        text = text.replace("accept", "mark")
        atoms = [a.replace("accept", "mark") for a in atoms]
    with tempfile.TemporaryDirectory() as place:
        directory = pathlib.Path(place)
        claims = {claim: "" for claim in own_claims}
        for i in range(formulas):
            claims[f"f{i}"] = random_formula(rng, atoms, rng.randrange(1, 4))
            text += f"ltl f{i} {{ {claims[f'f{i}']} }}\n"
        spin = Spin(directory, text)
        for claim, formula in claims.items():
            what = f"{name} {formula}"
            comparison.compare(what, spin, [], ["-a", "-N", claim], ["--ltl", claim])
            if formula and "// all processes end" in text:
                continue  # Spin misses fair cycles in which no process is left
            comparison.compare(what, spin, [], ["-a", "-f", "-N", claim], ["--ltl", claim, "--fairness"])
        for claim in finite:
            # The product of system and claim, whatever the claim accepts.
            comparison.compare(name, spin, ["-DSAFETY"], ["-N", claim], ["--ltl", claim], count=True)
    with tempfile.TemporaryDirectory() as place:
        spin = Spin(pathlib.Path(place), plain)
        if labels:
            comparison.compare(name, spin, [], ["-a"], ["--acceptance"])
            comparison.compare(name, spin, [], ["-a", "-f"], ["--acceptance", "--fairness"])
        comparison.compare(name, spin, ["-DNP"], ["-l"], ["--non-progress"])
        comparison.compare(name, spin, ["-DNP"], ["-l", "-f"], ["--non-progress", "--fairness"])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--harrier", required=True)
    parser.add_argument("--formulas", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--model", help="only the model of this name")
    args = parser.parse_args()
    for tool in ("spin", "gcc"):
        if not shutil.which(tool):
            print(f"skipped: {tool} is not installed")
            sys.exit(SKIPPED)
    rng = random.Random(args.seed)
    comparison = Comparison(str(pathlib.Path(args.harrier).resolve()))
    for path in sorted(MODELS.glob("*.pml")):
        if not args.model or path.stem == args.model:
            compare_model(path, comparison, rng, args.formulas)
    print(f"{comparison.verdicts} verdicts ({comparison.violations} violations) and {comparison.counts} numbers of states"
          f" compared, {len(comparison.failures)} differ")
    for failure in comparison.failures:
        print(failure)
    sys.exit(1 if comparison.failures else 0)


main()
