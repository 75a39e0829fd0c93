#!/usr/bin/env python3
"""The reference semantics of temporal logic: by hand, and CTL against LTL where they say the same."""

import random
import unittest

import generate
from build import BOOLEAN, case, eq, flag, module, negated, number, otherwise, some, space, span
from expressions import E, TRUE, boolean, const
from model import Instance
from temporal import Fair, Formula as F, TooHard, random_formula


def is_at(value):
    return F("atom", eq(E("var", (0,), ("int", 0, 9)), const(value)))


def line():
    """0 stays or goes to 1; 1 goes to 2; 2 stays; x is the only variable."""
    x = number("x")
    main = module("main", variables={"x": span(0, 2)}, init={"x": const(0)},
                  next={"x": case((eq(x, const(0)), some(0, 1)), (eq(x, const(1)), const(2)), otherwise(x))})
    return space(main)


def negated_formula():
    return F("atom", negated(TRUE))


class ByHand(unittest.TestCase):
    def setUp(self):
        self.free = Fair(line(), [])
        not_zero = boolean("!=", E("var", (0,), ("int", 0, 2)), const(0))
        self.just = Fair(line(), [not_zero])

    def test_ctl(self):
        for f, free, just in [
                (F("EX", is_at(1)), True, True), (F("AX", is_at(1)), False, False), (F("EX", is_at(2)), False, False),
                (F("EF", is_at(2)), True, True), (F("AF", is_at(2)), False, True), (F("EG", is_at(0)), True, False),
                (F("AG", F("EF", is_at(2))), True, True), (F("EU", is_at(0), is_at(1)), True, True),
                (F("AU", is_at(0), is_at(1)), False, True), (F("EU", is_at(0), is_at(2)), False, False),
                (F("AG", F("->", is_at(1), F("AX", is_at(2)))), True, True), (F("AX", F("|", is_at(0), is_at(1))), True, True)]:
            self.assertEqual(self.free.holds(f), free, f.text())
            self.assertEqual(self.just.holds(f), just, f.text())

    def test_ltl(self):
        for f, free, just in [
                (F("F", is_at(2)), False, True), (F("G", F("->", is_at(1), F("X", is_at(2)))), True, True), (F("X", is_at(0)), False, False),
                (F("U", is_at(0), is_at(1)), False, True), (F("F", F("G", is_at(2))), False, True), (F("G", F("F", is_at(0))), False, False),
                (F("|", F("G", is_at(0)), F("F", is_at(2))), True, True), (F("!", F("F", is_at(2))), False, False),
                (F("V", is_at(2), F("!", is_at(1))), False, False), (F("V", is_at(1), F("|", is_at(0), is_at(1))), True, True)]:
            self.assertEqual(self.free.holds_always(f), free, f.text())
            self.assertEqual(self.just.holds_always(f), just, f.text())

    def test_no_fair_path(self):
        fair = Fair(line(), [negated(TRUE)])
        self.assertTrue(fair.holds(F("AF", is_at(2))))
        self.assertTrue(fair.holds(F("EX", is_at(1))))  # only fair initial states count, and there is none
        self.assertTrue(fair.holds_always(F("F", is_at(2))))

    def test_two_conditions(self):
        """Both have to come again and again, not at the same time."""
        x = number("x")
        result = space(module("main", variables={"x": span(0, 2)}, init={"x": const(0)},
                              next={"x": case((eq(x, const(0)), some(0, 1, 2)), otherwise(const(0)))}))
        at = [eq(E("var", (0,), ("int", 0, 2)), const(k)) for k in range(3)]
        fair = Fair(result, [at[1], at[2]])
        self.assertTrue(fair.holds(F("AG", F("AF", is_at(2)))))
        self.assertTrue(fair.holds_always(F("G", F("F", is_at(1)))))
        self.assertFalse(Fair(result, [at[1]]).holds_always(F("G", F("F", is_at(2)))))

    def test_compassion(self):
        """From 0 to 1, from 1 to 0 or 2, from 2 to 0: if 1 again and again, then 2. Justice of 2 says more."""
        x, at = number("x"), [eq(E("var", (0,), ("int", 0, 2)), const(k)) for k in range(3)]
        result = space(module("main", variables={"x": span(0, 2)}, init={"x": const(0)},
                              next={"x": case((eq(x, const(0)), some(0, 1)), (eq(x, const(1)), some(0, 2)), otherwise(const(0)))}))
        again = lambda k: F("G", F("F", is_at(k)))
        for f, free, compassionate, just in [(again(2), False, False, True), (F("->", again(1), again(2)), False, True, True),
                                             (F("F", F("G", is_at(0))), False, False, False)]:
            self.assertEqual(Fair(result, []).holds_always(f), free, f.text())
            self.assertEqual(Fair(result, [], [(at[1], at[2])]).holds_always(f), compassionate, f.text())
            self.assertEqual(Fair(result, [at[2]]).holds_always(f), just, f.text())
        self.assertTrue(Fair(result, [at[1]], [(at[1], at[2])]).holds_always(again(2)))
        self.assertTrue(Fair(result, [], [(TRUE, negated(TRUE))]).holds_always(negated_formula()))

    def test_running(self):
        """If the process runs again and again, x becomes true."""
        part = module("part", variables={"x": BOOLEAN}, init={"x": negated(TRUE)}, next={"x": TRUE}, fairness=[("FAIRNESS", flag("running"))])
        result = space(part, module("main", variables={"p": Instance(part, [], True)}))
        x = F("atom", E("var", (0,), ("bool",)))
        self.assertTrue(Fair(result, result.flat.fairness).holds(F("AF", x)))
        self.assertTrue(Fair(result, result.flat.fairness).holds_always(F("F", x)))
        self.assertFalse(Fair(result, []).holds(F("AF", x)))

    def test_text(self):
        self.assertEqual(F("AU", F("atom", flag("a")), F("EX", F("atom", flag("b")))).text(), "A [(a) U (EX (b))]")


class EachOther(unittest.TestCase):
    """Formulas of LTL with at most one temporal operator are formulas of CTL with A before it."""

    def test_random(self):
        compared = 0
        for seed in range(150):
            _, result = generate.make(seed, True)
            if result.deadlocks or not result.initial or result.states > 300:
                continue
            fair, rng = Fair(result, result.flat.fairness), random.Random(seed)
            atoms = [p.formula for p in result.flat.properties if p.form not in ("CTL", "LTL")]
            for op in ("X", "F", "G", "U"):
                args = [F("atom", rng.choice(atoms)) for _ in range(2 if op == "U" else 1)]
                try:
                    self.assertEqual(fair.holds_always(F(op, *args)), fair.holds(F("A" + op, *args)), (seed, op))
                    # And twice, where that is the same: G F p.
                    if op == "F":
                        self.assertEqual(fair.holds_always(F("G", F("F", *args))), fair.holds(F("AG", F("AF", *args))), seed)
                    compared += 1
                except TooHard:
                    pass
        self.assertGreater(compared, 200)

    def test_dualities(self):
        for seed in range(80):
            _, result = generate.make(seed, True)
            if result.deadlocks or not result.initial or result.states > 200:
                continue
            fair, rng = Fair(result, result.flat.fairness), random.Random(seed)
            atoms = [p.formula for p in result.flat.properties if p.form not in ("CTL", "LTL")]
            p, q = (random_formula(rng, "CTL", lambda: rng.choice(atoms), 2) for _ in range(2))
            no = lambda f: F("!", f)
            for a, b in [(F("AX", p), no(F("EX", no(p)))), (F("AG", p), no(F("EF", no(p)))), (F("AF", p), no(F("EG", no(p)))),
                         (F("EF", p), F("EU", F("atom", TRUE), p)), (F("AF", p), F("AU", F("atom", TRUE), p)),
                         (F("AU", p, q), no(F("|", F("EU", no(q), F("&", no(p), no(q))), F("EG", no(q)))))]:
                self.assertEqual(fair.satisfying(a), fair.satisfying(b), (seed, a.text()))


if __name__ == "__main__":
    unittest.main()
