"""The instances of the published tables: files of the shared benchmark set, and models that we derive or generate."""

import subprocess
from pathlib import Path

import stls

SHARED = {"A": ("arbiter/A{}.xml", range(2, 7)), "M": ("mutex/M{}.xml", range(1, 5)), "N": ("mutex/N{}.xml", range(1, 5))}
STLS_QUERY = "E<> AKT1.Driving and AKT2.Driving"

# The F_n of Wehrle (2011) is our variant B: its shortest error path, and the number of states that greedy search with h^L
# explores, agree.
GENERATED = {
    "F": ("fischer-b", (5, 10, 15)),
    "FA": ("fischer-a", (5, 10, 15)),
    "FB": ("fischer-b", (5, 10, 15)),
    "FC": ("fischer-c", (5, 10, 15)),
    "H": ("hanoi", range(3, 10)),
}


class Instance:
    """A model with its query: in a file of its own, or the first one in the model."""

    def __init__(self, name, model, query, directory):
        self.name = name
        self.files = [Path(model)]
        if query is not None:
            self.files.append(directory / f"{name}.q")
            self.files[1].write_text(query + "\n")


def collect(binary, shared, directory):
    """All instances by name; those whose source is missing are reported and left out."""
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    shared = Path(shared)
    found = {}

    def add(name, model, query):
        if Path(model).exists():
            found[name] = Instance(name, model, query, directory)
        else:
            print(f"skipped {name}: {model} is not there")

    for family, (pattern, numbers) in SHARED.items():
        for n in numbers:
            add(f"{family}{n}", shared / pattern.format(n), None)
    largest = shared / "stls/S9.xta"
    if largest.exists():
        stls.write_instances(largest, directory)
    for n in range(1, 10):
        model = {1: shared / "stls/S1.xml", 9: largest}.get(n, directory / f"S{n}.xta")
        add(f"S{n}", model, None if n == 1 else STLS_QUERY)
    for name, (family, numbers) in GENERATED.items():
        for n in numbers:
            model = directory / f"{family}-{n}.xta"
            model.write_text(output(binary, "generate", family, str(n)))
            add(f"{name}{n}", model, output(binary, "generate", "--query", family, str(n)).strip())
    return found


def output(*command):
    """What a command prints; it must succeed."""
    return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout
