#!/usr/bin/env python3
"""Derives the instances S_2 ... S_8 of the single-tracked line segment from S_9.

S_9 polls eight inputs, which five driver processes change at will. Each smaller instance leaves out one more polled
input: the polled variable, the guards that read it and, when nobody polls a driver's variable any more, the driver
and its variable. Edges that become equal are kept once. Without all eight inputs the result is S_1.

    stls.py S9.xta DIRECTORY       writes S1d.xta (to compare with S_1) and S2.xta ... S8.xta
"""

import re
import sys
from pathlib import Path

# Polled input -> variable that its driver changes.
INPUTS = {
    "polled_ControlUnit_numEC1": "EC1_number",
    "polled_ControlUnit_numEC2": "EC2_number",
    "polled_ControlUnit_numCL1": "CL1_number",
    "polled_ControlUnit_numCL2": "CL2_number",
    "polled_AKT1_error": "ErrorDetection_error",
    "polled_AKT2_error": "ErrorDetection_error",
    "polled_AKT1_waitingTrains": "EC1_number",
    "polled_AKT2_waitingTrains": "EC2_number",
}

# Inputs in the order in which the instances gain them: S_i polls the first i - 1. The numbers of automata and variables
# of Wehrle (2011), table 3.1, leave several orders; this one agrees with the shortest error paths and the growth of the
# searches: see docs/results/instances.md.
ORDER = [
    "polled_AKT1_error",
    "polled_AKT2_error",
    "polled_AKT1_waitingTrains",
    "polled_AKT2_waitingTrains",
    "polled_ControlUnit_numCL1",
    "polled_ControlUnit_numCL2",
    "polled_ControlUnit_numEC1",
    "polled_ControlUnit_numEC2",
]


def split_list(text, separator):
    """The parts of a list, without surrounding space."""
    return [part.strip() for part in text.split(separator) if part.strip()]


def reduce_edge(edge, dropped):
    """One edge `A -> B { guard ...; sync ...; assign ...; }` without the dropped variables."""
    head, body = edge.split("{", 1)
    body = body[: body.rindex("}")]
    parts = []
    for part in split_list(body, ";"):
        keyword, rest = part.split(None, 1)
        if keyword == "guard":
            kept = [c for c in split_list(rest, "&&") if not dropped & set(re.findall(r"\w+", c))]
            rest = " && ".join(kept)
        elif keyword == "assign":
            kept = [a for a in split_list(rest, ",") if not dropped & set(re.findall(r"\w+", a))]
            rest = ", ".join(kept)
        if rest:
            parts.append(f"{keyword} {rest};")
    return f"{head.strip()} {{ {' '.join(parts)} }}"


def reduce_model(text, kept_inputs):
    """The text of S_9 with only the given polled inputs."""
    used = {INPUTS[i] for i in kept_inputs}
    dropped = {i for i in INPUTS if i not in kept_inputs} | {v for v in INPUTS.values() if v not in used}
    out = []
    process = None
    edges = None
    for line in text.splitlines():
        stripped = line.strip()
        if match := re.match(r"process (\w+)", stripped):
            process = match.group(1)
        skip_process = process is not None and process.removeprefix("drive_") in dropped
        if stripped == "}":
            if not skip_process:
                if edges is not None:
                    out.append(",\n".join("    " + e for e in edges) + ";")
                out.append(line)
            process, edges = None, None
        elif skip_process:
            continue
        elif stripped == "trans":
            out.append(line)
            edges = []
        elif edges is not None and "->" in stripped:
            edge = reduce_edge(stripped.rstrip(",;"), dropped)
            if edge not in edges:
                edges.append(edge)
        elif match := re.match(r"int\[\d+,\d+\] (\w+)", stripped):
            if match.group(1) not in dropped:
                out.append(line)
        elif stripped.startswith("system "):
            names = split_list(stripped[len("system "):].rstrip(";"), ",")
            out.append("system " + ", ".join(n for n in names if n.removeprefix("drive_") not in dropped) + ";")
        else:
            out.append(line)
    return "\n".join(out) + "\n"


def write_instances(source, directory, order=ORDER):
    """Writes S2.xta ... S8.xta, and S1d.xta (no input), into the directory."""
    text = Path(source).read_text()
    directory = Path(directory)
    directory.mkdir(parents=True, exist_ok=True)
    for number in range(1, 9):
        name = "S1d.xta" if number == 1 else f"S{number}.xta"
        (directory / name).write_text(reduce_model(text, order[: number - 1]))


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    write_instances(sys.argv[1], sys.argv[2])
