"""Asks the program about a model and compares its answers with those of the reference semantics (semantics.py, temporal.py)."""

import json
import re
import subprocess
from dataclasses import dataclass, field

import temporal
from semantics import Answer, answer

# These find shortest witnesses.
OPTIMAL = re.compile(r"(bfs|sbfs|sbwd|sbidi|sgmc|astar --heuristic (hL|hmax|dL|pdb|spdb|ms|lmcut))\b")
WALKS = re.compile(r"s?walk\b")
ABOUT_DEADLOCKS = re.compile(r"deadlock|total", re.IGNORECASE)


@dataclass
class Outcome:
    """Of one search on one model."""

    differences: list = field(default_factory=list)
    agreed: int = 0  # properties
    open: int = 0  # properties without an answer
    counted: int = 0  # properties whose number of states was compared
    reason: str = ""  # why there is no answer to anything
    warned: bool = False  # of deadlocks


def run(command, seconds):
    """Exit code (None: too slow), output, errors."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False, errors="replace")
    except subprocess.TimeoutExpired:
        return None, "", ""
    return done.returncode, done.stdout, done.stderr


def formula_of(form, e):
    """A property over a state formula as one of temporal logic."""
    atom = temporal.Formula("atom", e)
    shapes = {"AG": ["AG"], "EF": ["EF"], "!EF": ["!", "EF"], "G": ["G"], "!F": ["!", "F"]}
    for op in reversed(shapes[form]):
        atom = temporal.Formula(op, atom)
    return atom


class Reference:
    """The answers to all properties; None: not known, or not to be compared."""

    def __init__(self, space, deadlocks="reach"):
        self.space, self.deadlocks = space, deadlocks
        self.fair = None
        self.answers = [self.answer(p) for p in space.flat.properties]

    def answer(self, p):
        form = p.form.replace(" bare", "")
        if form == "INVARSPEC":
            return answer(self.space, form, p.formula)
        stuck = bool(self.space.deadlocks)
        flat, linear = self.space.flat, form in ("LTL", "G", "!F")
        plain = form not in ("CTL", "LTL") and not flat.fairness and not flat.compassion
        plain = plain and not (form == "EF" and len(self.space.initial) > 1)  # a formula about paths from all of them
        if plain and (not stuck or self.deadlocks == "reach"):
            return answer(self.space, form, p.formula)
        if stuck or (flat.compassion and not linear):  # NuSMV has no compassion in CTL, and no rule for paths that end
            return None
        if self.fair is None:
            self.fair = temporal.Fair(self.space, flat.fairness, flat.compassion)
        formula = p.formula if form in ("CTL", "LTL") else formula_of(form, p.formula)
        try:
            return Answer(self.fair.holds_always(formula) if linear else self.fair.holds(formula), -1)
        except temporal.TooHard:
            return None


class Asker:
    """counting: searches whose stored states are the reachable ones if the property is proved."""

    def __init__(self, harrier, counting=("bfs",), seconds=60):
        self.harrier, self.counting, self.seconds = harrier, set(counting), seconds

    def document(self, path, search):
        command = [self.harrier, "check", path, "--search", *search.split(), "--json", "--quiet"]
        code, out, err = run(command, self.seconds)
        if code is None:
            return None, "no answer in time"
        try:
            return json.loads(out), ""
        except ValueError:
            return {"exit_code": code, "results": [], "broken": f"exit code {code}, {out[:200]!r} {err[:500]!r}"}, ""

    def compare(self, path, search, reference):
        out = Outcome()
        document, out.reason = self.document(path, search)
        if document is None:
            return out
        if "broken" in document or document["exit_code"] == 70:
            out.differences.append("broken: " + document.get("broken", json.dumps(document.get("error"))))
            return out
        error = document.get("error")
        if error and error["kind"] in ("unsupported", "usage", "limit") and not document["results"]:
            out.reason = f"{error['kind']}: {error['text']}"
            return out
        warnings = document.get("warnings", "") + " ".join(w for r in document["results"] for w in r.get("warnings", ()))
        out.warned = bool(ABOUT_DEADLOCKS.search(warnings))
        if not reference.space.initial:
            self.compare_empty(document, warnings, out)
            return out
        if error and not document["results"]:
            out.differences.append(f"error: the model is right, the program says {error['kind']}: {error['text'].strip()}")
            return out
        self.compare_results(document["results"], search, reference, out)
        return out

    def compare_empty(self, document, warnings, out):
        """No initial state: an error, or a warning and everything holds."""
        if document["exit_code"] == 2:
            out.agreed += 1
        elif document["exit_code"] == 3:
            out.reason = "unsupported"
        elif not warnings:
            out.differences.append("empty: there is no initial state, and the program does not say so")
        elif any(r["holds"] is False for r in document["results"]):
            out.differences.append("empty: there is no initial state, and a property fails")
        else:
            out.agreed += 1

    def compare_results(self, results, search, reference, out):
        properties = reference.space.flat.properties
        named = {r["name"]: r for r in results if r.get("name")}
        if len(results) != len(properties):
            out.differences.append(f"number: {len(properties)} properties, the program has {len(results)}")
            return
        if any(p.inner for p in properties):
            self.compare_bags(results, search, reference, out)
            return
        by_number = sorted(results, key=lambda r: r["number"])
        for k, (p, expected) in enumerate(zip(properties, reference.answers)):
            result = named.get(p.label, by_number[k])
            about = f"property {k + 1} ({p.form}{' ' + p.label if p.label else ''})"
            wrong = self.wrong(result, search, expected, out) or (
                p.form != "LTL" and self.wrong_count(result, search, reference.space, out))
            if wrong:
                out.differences.append(wrong.replace(":", f": {about}:", 1))

    def compare_bags(self, results, search, reference, out):
        """With properties of instances, which have no order that we know: only how many hold is compared."""
        properties = reference.space.flat.properties
        for r in [] if any(p.form == "LTL" for p in properties) else results:
            wrong = self.wrong_count(r, search, reference.space, out)
            if wrong:
                out.differences.append(wrong)
        if any(a is None for a in reference.answers) or any(r["holds"] is None for r in results) or WALKS.match(search):
            out.open += len(results)
            return
        expected, got = sum(a.holds for a in reference.answers), sum(r["holds"] for r in results)
        if expected != got:
            out.differences.append(f"verdict: reference: {expected} of {len(results)} hold; program: {got}")
        out.agreed += len(results)

    def wrong(self, result, search, expected, out):
        """What is wrong with the answer to one property, empty if nothing is."""
        error = result.get("error")
        if error and error["kind"] not in ("unsupported", "limit"):
            return f"error: {error['kind']}: {error['text'].strip()}"
        if expected is None or error or result["verdict"] == "unknown" or result["holds"] is None:
            out.open += 1
            return f"verdict: {result['verdict']}" if result["verdict"] == "failed" else ""
        if result["holds"] != expected.holds:
            if WALKS.match(search) and result["verdict"] == "unreachable":
                out.open += 1
                return ""
            return f"verdict: reference: {expected}; program: {'holds' if result['holds'] else 'fails'}, length {result.get('witness_length')}"
        out.agreed += 1
        return self.wrong_length(result, search, expected)

    def wrong_length(self, result, search, expected):
        length = result.get("witness_length")
        if result["verdict"] == "reachable" and result.get("validated") is False:
            return "witness: it is not validated"
        if expected.length in (None, -1) or length is None or "loop_start" in result:
            return ""
        shortest = OPTIMAL.match(search) or result.get("shortest")
        if length < expected.length or (shortest and length != expected.length):
            return f"length: reference: {expected}; program: {length}"
        return ""

    def wrong_count(self, result, search, space, out):
        """Not where something watches the model to tell fair paths: it is part of the states."""
        statistics = result.get("statistics", {})
        watched = any("fair path" in w for w in result.get("warnings", ()))
        if result["verdict"] == "unreachable" and not watched and search in self.counting and "stored" in statistics:
            out.counted += 1
            if statistics["stored"] != space.states:
                return f"states: reference: {space.states}; program: {statistics['stored']}"
            if statistics.get("layers", space.layers) != space.layers:
                return f"layers: reference: {space.layers}; program: {statistics['layers']}"
        return ""
