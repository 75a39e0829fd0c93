#!/usr/bin/env python3
"""The rooms of src/ use each other as src/rooms.txt allows, and docs/architecture.md shows what is so.

    tests/rooms.py             exits with 1 and the lines that break a rule
    tests/rooms.py --graph     prints the graph for docs/architecture.md: who includes whom
"""
import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SRC = ROOT / "src"
# Public headers that are the face of one room and include nothing else.
FACES = {
    "harrier/abstraction.h": "abstraction",
    "harrier/cost.h": "model",
    "harrier/error.h": "base",
    "harrier/goal_path.h": "model",
    "harrier/language.h": "lang",
    "harrier/statistics.h": "search",
    "harrier/trace.h": "model",
}
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')


def allowed():
    rules = {}
    for number, line in enumerate((SRC / "rooms.txt").read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        room, uses = line.split(":")
        rules[room] = uses.split()
        for used in rules[room]:
            if used not in rules or used == room:
                sys.exit(f"src/rooms.txt:{number}: {room} may use only rooms above it, not {used}")
    rules["cli"] = list(rules)
    return rules


def includes():
    """(file, line number, room of the file, header) of every include of one of our own headers."""
    for path in sorted(SRC.rglob("*")):
        if path.suffix not in (".h", ".cpp"):
            continue
        room = path.relative_to(SRC).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := INCLUDE.match(line):
                yield path, number, room, match[1]


def room_of(header):
    return FACES.get(header, "api" if header.startswith("harrier/") else header.split("/")[0])


def graph(edges, rules):
    lines = []
    for room in rules:
        used = [to for to in rules if (room, to) in edges]
        lines.append(f"{room:10} -> {', '.join(used) if used else 'nothing'}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graph", action="store_true")
    arguments = parser.parse_args()
    rules = allowed()
    problems = []
    for folder in sorted(p.name for p in SRC.iterdir() if p.is_dir()):
        if folder not in rules:
            problems.append(f"src/{folder}: not a room of src/rooms.txt")
    edges = set()
    for path, number, room, header in includes():
        to = room_of(header)
        if to == room:
            continue
        edges.add((room, to))
        if to not in rules.get(room, []):
            problems.append(f"{path.relative_to(ROOT)}:{number}: {room} may not use {to} ({header})")
    if arguments.graph:
        print(graph(edges, rules))
    elif graph(edges, rules) not in (ROOT / "docs/architecture.md").read_text():
        problems.append("docs/architecture.md: the graph of the rooms is not that of tests/rooms.py --graph")
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
