#!/usr/bin/env python3
"""The reference semantics on models whose answers are computed by hand."""

import unittest

from build import (BOOLEAN, case, enum, eq, flag, integer, module, negated, number, otherwise, s, some, space, span, u, word)
from expressions import BOOL, FALSE, TRUE, E, Fault, boolean, const, function, name, next_of, source, text, values_source
from model import Array, Instance, Property
from semantics import answer


def value(e):
    return function(source(e))((), (), (), 0)


def plus_one(path):
    return integer("+", number(path), const(1))


class Operators(unittest.TestCase):
    def test_integers(self):
        for op, a, b, expected in [("+", 2, 3, 5), ("-", 2, 3, -1), ("*", -2, 3, -6), ("/", 7, 2, 3), ("/", -7, 2, -3), ("/", 7, -2, -3),
                                   ("mod", 7, 5, 2), ("mod", -7, 5, -2), ("mod", 7, -5, 2), ("/", -7, 5, -1)]:
            self.assertEqual(value(integer(op, const(a), const(b))), expected, (op, a, b))
        self.assertEqual(value(integer("neg", const(3))), -3)
        with self.assertRaises(Fault):
            value(integer("/", const(1), const(0)))

    def test_comparisons(self):
        for op, expected in [("=", False), ("!=", True), ("<", True), (">", False), ("<=", True), (">=", False)]:
            self.assertEqual(value(boolean(op, const(-1), const(2))), expected, op)
        self.assertTrue(value(eq(const("red"), const("red"))))
        self.assertFalse(value(eq(const("red"), const(1))))

    def test_logic(self):
        table = {"&": "0001", "|": "0111", "xor": "0110", "xnor": "1001", "->": "1101", "<->": "1001", "=": "1001", "!=": "0110"}
        for op, expected in table.items():
            got = "".join(str(int(value(boolean(op, const(a), const(b))))) for a in (False, True) for b in (False, True))
            self.assertEqual(got, expected, op)
        self.assertFalse(value(negated(TRUE)))

    def test_words_wrap(self):
        u3, s3 = ("u", 3), ("s", 3)
        self.assertEqual(value(word("+", u3, u(3, 7), u(3, 2))), 1)
        self.assertEqual(value(word("-", u3, u(3, 1), u(3, 2))), 7)
        self.assertEqual(value(word("*", u3, u(3, 3), u(3, 3))), 1)
        self.assertEqual(value(word("+", s3, s(3, 3), s(3, 1))), -4)
        self.assertEqual(value(word("-", s3, s(3, -4), s(3, 1))), 3)
        self.assertEqual(value(word("/", s3, s(3, -3), s(3, 2))), -1)
        self.assertEqual(value(word("mod", s3, s(3, -3), s(3, 2))), -1)
        self.assertEqual(value(word("neg", u3, u(3, 1))), 7)
        self.assertEqual(value(word("neg", s3, s(3, -4))), -4)

    def test_words_by_bits(self):
        u3, s3 = ("u", 3), ("s", 3)
        self.assertEqual(value(word("!", u3, u(3, 0b101))), 0b010)
        self.assertEqual(value(word("!", s3, s(3, 0))), -1)
        for op, expected in [("&", 0b100), ("|", 0b111), ("xor", 0b011), ("xnor", 0b100), ("<->", 0b100), ("->", 0b110)]:
            self.assertEqual(value(word(op, u3, u(3, 0b101), u(3, 0b110))), expected, op)
        self.assertTrue(value(boolean("<", s(3, -1), s(3, 0))))

    def test_words_shift(self):
        self.assertEqual(value(word("<<", ("u", 3), u(3, 0b011), const(1))), 0b110)
        self.assertEqual(value(word("<<", ("u", 3), u(3, 0b011), const(3))), 0)
        self.assertEqual(value(word("<<", ("s", 3), s(3, 0b011), const(1))), -2)
        self.assertEqual(value(word(">>", ("u", 3), u(3, 0b100), const(2))), 1)
        self.assertEqual(value(word(">>", ("s", 3), s(3, -4), const(2))), -1)
        self.assertEqual(value(word(">>", ("s", 3), s(3, -4), const(3))), -1)
        with self.assertRaises(Fault):
            value(word(">>", ("u", 3), u(3, 1), const(4)))

    def test_words_change(self):
        self.assertEqual(value(word("signed", ("s", 2), u(2, 3))), -1)
        self.assertEqual(value(word("unsigned", ("u", 2), s(2, -1))), 3)
        self.assertEqual(value(word("extend", ("u", 4), u(2, 2), 2)), 2)
        self.assertEqual(value(word("extend", ("s", 4), s(2, -2), 2)), -2)
        self.assertEqual(value(word("resize", ("u", 2), u(3, 0b110), 2)), 0b10)
        self.assertEqual(value(word("resize", ("u", 5), u(3, 0b110), 5)), 0b110)
        self.assertEqual(value(word("resize", ("s", 2), s(4, -3), 2)), -1)  # 1101: the sign 1, the lowest bit 1
        self.assertEqual(value(word("resize", ("s", 2), s(4, 6), 2)), 0)  # 0110: the sign 0, the lowest bit 0
        self.assertEqual(value(word("resize", ("s", 5), s(4, -3), 5)), -3)
        self.assertEqual(value(word("::", ("u", 5), u(2, 0b10), s(3, -3))), 0b10101)
        self.assertEqual(value(word("::", ("u", 5), s(2, -1), u(3, 1))), 0b11001)
        self.assertEqual(value(E("select", (u(4, 0b1101), 2, 1), ("u", 2))), 0b10)
        self.assertEqual(value(E("select", (s(4, -3), 3, 2), ("u", 2))), 0b11)
        self.assertEqual(value(word("word1", ("u", 1), TRUE)), 1)
        self.assertEqual(value(E("uwconst", (5, 3), ("u", 3))), 5)
        self.assertEqual(value(E("swconst", (-1, 3), ("s", 3))), -1)

    def test_conversions_of_values(self):
        self.assertIs(value(boolean("bool", const(2))), True)
        self.assertIs(value(boolean("bool", u(1, 0))), False)
        self.assertEqual(value(integer("toint", s(3, -4))), -4)
        self.assertEqual(value(integer("toint", TRUE)), 1)
        self.assertEqual(value(E("count", ([TRUE, FALSE, TRUE],), ("int", 0, 3))), 2)

    def test_choice(self):
        self.assertEqual(value(E("ite", (FALSE, const(1), const(2)), ("int", 1, 2))), 2)
        self.assertEqual(value(case((FALSE, const(1)), (TRUE, const(2)), (TRUE, const(3)))), 2)
        with self.assertRaises(Fault):
            value(case((FALSE, const(1))))

    def test_sets(self):
        inside = E("range", (1, 3), ("int", 1, 3))
        self.assertTrue(value(boolean("in", const(2), inside)))
        self.assertFalse(value(boolean("in", const(4), inside)))
        self.assertTrue(value(boolean("in", const(4), E("union", (inside, const(4)), ("int", 1, 4)))))
        chosen = E("ite", (TRUE, some(1, some(2, 3)), const(9)), ("int", 1, 9))
        self.assertEqual(function(values_source(chosen))((), (), (), 0), (1, 2, 3))


class Texts(unittest.TestCase):
    def test_precedence(self):
        a, b, c = flag("a"), flag("b"), flag("c")
        x, y = number("x"), number("y")
        for e, expected in [
                (boolean("->", a, boolean("->", b, c)), "a -> b -> c"), (boolean("->", boolean("->", a, b), c), "(a -> b) -> c"),
                (boolean("&", boolean("|", a, b), c), "(a | b) & c"), (boolean("|", a, boolean("&", b, c)), "a | b & c"),
                (boolean("|", a, boolean("xor", b, c)), "a | (b xor c)"), (negated(eq(x, y)), "!(x = y)"), (eq(negated(a), b), "!a = b"),
                (integer("-", x, integer("-", y, x)), "x - (y - x)"), (integer("*", integer("neg", x), y), "(-x) * y"),
                (eq(x, const(-1)), "x = -1"), (boolean("<->", boolean("->", a, b), c), "(a -> b) <-> c"),
                (boolean("in", integer("+", x, y), some(1, 2)), "x + y in {1, 2}"),
                (word("::", ("u", 3), word("!", ("u", 1), u(1, 1)), word("+", ("u", 2), u(2, 1), u(2, 2))), "!0ud1_1 :: (0ud2_1 + 0ud2_2)"),
                (word("neg", ("u", 3), word("::", ("u", 3), u(1, 1), u(2, 1))), "-(0ud1_1 :: 0ud2_1)"),
                (E("count", ([boolean("&", a, b), negated(c), eq(x, y)],), ("int", 0, 3)), "count((a & b), !c, (x = y))"),
                (E("ite", (a, x, E("ite", (b, x, y), x.type)), x.type), "a ? x : (b ? x : y)"),
                (E("select", (word("+", ("u", 2), u(2, 1), u(2, 2)), 1, 0), ("u", 2)), "(0ud2_1 + 0ud2_2)[1:0]")]:
            self.assertEqual(text(e, False), expected)

    def test_properties(self):
        x, a, b = number("x"), flag("a"), flag("b")
        for form, e, expected in [("AG", eq(x, const(1)), "SPEC AG x = 1"), ("AG", boolean("&", a, b), "SPEC AG (a & b)"),
                                  ("!EF bare", negated(a), "SPEC !EF !a"), ("!F", boolean("->", a, b), "LTLSPEC !(F (a -> b))"),
                                  ("INVARSPEC", boolean("->", a, b), "INVARSPEC a -> b"), ("G", a, "LTLSPEC G a")]:
            self.assertEqual(Property(form, e).text(False), expected)

    def test_constants(self):
        for e, expected in [(s(3, -3), "-0sd3_3"), (s(3, -4), "0sb3_100"), (u(4, 10), "0ud4_10"), (TRUE, "TRUE"),
                            (E("const", (10, "h", True), ("u", 4)), "0h4_a"), (E("const", (-1, "o", False), ("s", 3)), "0so3_7")]:
            self.assertEqual(text(e), expected)

    def test_old_default(self):
        e = E("case", ([(flag("a"), const(1)), (TRUE, const(2))], "old"), ("int", 1, 2))
        self.assertEqual(text(e), "case a : 1; 1 : 2; esac")


class Synchronous(unittest.TestCase):
    def test_counter(self):
        main = module("main", variables={"x": span(0, 7)}, init={"x": const(0)},
                      next={"x": case((eq(number("x"), const(7)), const(0)), otherwise(plus_one("x")))})
        result = space(main)
        self.assertEqual((result.states, result.layers, len(result.deadlocks)), (8, 8, 0))
        self.assertEqual(answer(result, "AG", result_formula(result, main, boolean("<", number("x"), const(5)))).length, 5)

    def test_choices(self):
        """init in two values; the next one stays or grows."""
        main = module("main", variables={"x": span(0, 3)}, init={"x": some(0, 1)},
                      next={"x": case((eq(number("x"), const(3)), const(3)), otherwise(some(number("x"), plus_one("x"))))})
        result = space(main)
        self.assertEqual((len(result.initial), result.states, result.layers), (2, 4, 3))

    def test_without_assignment(self):
        """Nothing is said about y: it has any value in every state."""
        result = space(module("main", variables={"x": BOOLEAN, "y": BOOLEAN}, init={"x": FALSE}, next={"x": flag("y")}))
        self.assertEqual((len(result.initial), result.states, result.layers), (2, 4, 2))

    def test_next_on_the_right(self):
        """y follows the next x at once."""
        main = module("main", variables={"x": BOOLEAN, "y": BOOLEAN}, init={"x": FALSE, "y": FALSE},
                      next={"x": negated(flag("x")), "y": next_of(flag("x"))})
        self.assertEqual(space(main).states, 2)

    def test_current(self):
        """y is a function of x in every state."""
        main = module("main", variables={"x": span(0, 2), "y": BOOLEAN}, current={"y": eq(number("x"), const(1))}, init={"x": const(0)},
                      next={"x": case((flag("y"), const(2)), otherwise(const(1)))})
        self.assertEqual(set(space(main).distance), {(0, False), (1, True), (2, False)})

    def test_frozen_and_input(self):
        """The frozen variable keeps its first value; inputs are not part of the state."""
        main = module("main", declared=[("FROZENVAR", "f", span(0, 2)), ("IVAR", "i", BOOLEAN), ("VAR", "x", BOOLEAN)], init={"x": FALSE},
                      next={"x": boolean("|", flag("x"), boolean("&", flag("i"), eq(number("f"), const(1))))})
        result = space(main)
        self.assertEqual((result.states, result.layers), (4, 2))
        self.assertEqual(sum(x for _, x in result.distance), 1)

    def test_arrays(self):
        """a[x] := TRUE goes through the elements; b counts from -1."""
        a = ("a",)
        main = module("main", variables={"a": Array(0, 2, BOOLEAN), "x": span(0, 2), "b": Array(-1, 0, BOOLEAN)},
                      init={("a", 0): FALSE, ("a", 1): FALSE, ("a", 2): FALSE, "x": const(0), ("b", -1): TRUE, ("b", 0): FALSE},
                      next={("a", k): boolean("|", name(a + (k,), BOOL), eq(number("x"), const(k))) for k in range(3)}
                      | {"x": integer("mod", plus_one("x"), const(3)), ("b", 0): E("index", (a, number("x")), BOOL),
                         ("b", -1): name(("b", -1), BOOL)})
        result = space(main)
        self.assertEqual(result.states, 7)
        self.assertEqual(result.distance[(True, True, True, 1, True, True)], 4)

    def test_faults(self):
        for main in (module("main", variables={"x": span(0, 1)}, init={"x": const(0)}, next={"x": plus_one("x")}),
                     module("main", variables={"x": BOOLEAN, "y": BOOLEAN}, current={"x": flag("y"), "y": flag("x")}),
                     module("main", variables={"x": BOOLEAN}, current={"x": TRUE}, init={"x": TRUE}),
                     module("main", variables={"x": BOOLEAN}, init={"x": flag("z")}),
                     module("main", variables={"x": BOOLEAN}, defines=[("d", flag("e")), ("e", flag("d"))], init={"x": flag("d")})):
            with self.assertRaises(Fault):
                space(main)


def result_formula(result, main, e):
    """A state formula over the names of main."""
    main.properties = [Property("INVARSPEC", e)]
    return space(main).flat.properties[0].formula


class Relational(unittest.TestCase):
    def test_init_invar_trans(self):
        """x grows by at most one and is never 2: it does not get past."""
        x = number("x")
        main = module("main", variables={"x": span(0, 3)}, INIT=[eq(x, const(0))], INVAR=[boolean("!=", x, const(2))],
                      TRANS=[boolean("|", eq(next_of(x), x), eq(next_of(x), plus_one("x")))])
        self.assertEqual(set(space(main).distance), {(0,), (1,)})

    def test_deadlock(self):
        """Where the range ends there is no step."""
        main = module("main", variables={"x": span(0, 2)}, init={"x": const(0)}, TRANS=[eq(next_of(number("x")), plus_one("x"))])
        result = space(main)
        self.assertEqual((result.states, result.deadlocks), (3, [(2,)]))

    def test_empty(self):
        result = space(module("main", variables={"x": BOOLEAN}, init={"x": TRUE}, INVAR=[negated(flag("x"))]))
        self.assertEqual((result.states, result.layers), (0, 0))

    def test_input_in_trans(self):
        """The same input has to do for both."""
        main = module("main", declared=[("IVAR", "i", BOOLEAN), ("VAR", "x", BOOLEAN), ("VAR", "y", BOOLEAN)], init={"x": FALSE, "y": FALSE},
                      TRANS=[boolean("<->", next_of(flag("x")), flag("i")), boolean("<->", next_of(flag("y")), flag("i"))])
        self.assertEqual(set(space(main).distance), {(False, False), (True, True)})

    def test_next_of_a_definition(self):
        main = module("main", variables={"x": span(0, 3)}, defines=[("odd", eq(integer("mod", number("x"), const(2)), const(1)))],
                      init={"x": const(0)}, TRANS=[next_of(flag("odd"))])
        self.assertEqual(set(space(main).distance), {(0,), (1,), (3,)})


class Modules(unittest.TestCase):
    def test_parameters(self):
        """Two cells: the second counts the carries of the first, by an instance as argument, and sets a variable of main."""
        cell = module("cell", ["carry"], variables={"bit": BOOLEAN}, defines=[("out", boolean("&", flag("bit"), flag("carry")))],
                      init={"bit": FALSE}, next={"bit": boolean("xor", flag("bit"), flag("carry"))})
        watch = module("watch", ["of", "seen"], init={"seen": FALSE}, next={"seen": boolean("|", flag("seen"), flag(("of", "out")))})
        main = module("main", variables={"low": Instance(cell, [TRUE]), "high": Instance(cell, [flag(("low", "out"))]), "full": BOOLEAN,
                                         "w": Instance(watch, [("high",), ("full",)])})
        result = space(cell, watch, main)
        self.assertEqual(result.flat.paths, [("low", "bit"), ("high", "bit"), ("full",)])
        self.assertEqual((result.states, result.layers), (8, 8))  # four to fill it, four with full
        self.assertIn((False, False, True), result.distance)
        self.assertEqual(result.distance[(False, False, True)], 4)

    def test_nested(self):
        inner = module("inner", ["p"], variables={"x": BOOLEAN}, init={"x": FALSE}, next={"x": flag("p")})
        outer = module("outer", ["q"], variables={"i": Instance(inner, [negated(flag("q"))])})
        main = module("main", variables={"y": BOOLEAN, "o": Instance(outer, [flag("y")])}, init={"y": TRUE}, next={"y": FALSE})
        self.assertEqual(set(space(inner, outer, main).distance), {(True, False), (False, False), (False, True)})


class Processes(unittest.TestCase):
    def test_ring_of_inverters(self):
        gate = module("gate", ["input"], variables={"output": BOOLEAN}, init={"output": FALSE}, next={"output": negated(flag("input"))})
        main = module("main", variables={f"g{k}": Instance(gate, [flag((f"g{(k + 2) % 3}", "output"))], True) for k in range(3)})
        result = space(gate, main)
        self.assertEqual((result.states, result.layers, result.flat.processes), (7, 3, 4))

    def test_only_one_runs(self):
        """Each may set its variable, never both at once; main may run as well: nothing happens."""
        part = module("part", variables={"x": BOOLEAN}, init={"x": FALSE}, next={"x": TRUE})
        main = module("main", variables={"p": Instance(part, [], True), "q": Instance(part, [], True)})
        result = space(part, main)
        self.assertEqual(result.distance[(True, True)], 2)
        self.assertIn((False, False), result.successors[(False, False)])

    def test_shared(self):
        """Both assign the same variable: the one that runs decides."""
        part = module("part", ["x", "v"], next={"x": number("v")})
        main = module("main", variables={"x": span(0, 2), "p": Instance(part, [("x",), const(1)], True),
                                         "q": Instance(part, [("x",), const(2)], True)}, init={"x": const(0)})
        self.assertEqual(space(part, main).successors[(0,)], {(0,), (1,), (2,)})

    def test_unassigned_is_free(self):
        """A variable without next assignment changes whoever runs."""
        part = module("part", variables={"x": BOOLEAN, "y": BOOLEAN}, init={"x": FALSE, "y": FALSE}, next={"x": TRUE})
        result = space(part, module("main", variables={"p": Instance(part, [], True)}))
        self.assertEqual(result.successors[(False, False)], {(False, False), (False, True), (True, False), (True, True)})

    def test_trans_and_running(self):
        """TRANS of a process holds in all steps, unless it says otherwise."""
        part = module("part", variables={"x": BOOLEAN}, init={"x": FALSE},
                      TRANS=[boolean("->", flag("running"), next_of(flag("x"))), boolean("->", negated(flag("running")), eq(next_of(flag("x")), flag("x")))])
        main = module("main", variables={"p": Instance(part, [], True), "z": BOOLEAN}, init={"z": FALSE}, next={"z": TRUE},
                      TRANS=[boolean("|", flag("running"), flag(("p", "running")))])
        result = space(part, main)
        self.assertEqual(result.successors[(False, False)], {(True, False), (False, True)})

    def test_instances_inside(self):
        """An instance without `process` belongs to the process around it."""
        inner = module("inner", variables={"x": BOOLEAN}, init={"x": FALSE}, next={"x": negated(flag("x"))})
        part = module("part", variables={"i": Instance(inner, []), "y": BOOLEAN}, init={"y": FALSE}, next={"y": negated(flag("y"))})
        result = space(inner, part, module("main", variables={"p": Instance(part, [], True)}))
        self.assertEqual(set(result.distance), {(False, False), (True, True)})


class Properties(unittest.TestCase):
    def setUp(self):
        """From 0 to 1 and 2, from 3 to 3; both 0 and 3 are initial."""
        self.main = module("main", variables={"x": span(0, 3)}, init={"x": some(0, 3)},
                           next={"x": case((boolean("<", number("x"), const(2)), plus_one("x")), otherwise(number("x")))})
        self.space = space(self.main)

    def ask(self, form, e):
        found = answer(self.space, form, result_formula(self.space, self.main, e))
        return found.holds, found.length

    def test_forms(self):
        two = eq(number("x"), const(2))
        for form in ("INVARSPEC", "AG", "G"):
            self.assertEqual(self.ask(form, negated(two)), (False, 2), form)
            self.assertEqual(self.ask(form, TRUE), (True, None), form)
        for form in ("!EF", "!F"):
            self.assertEqual(self.ask(form, two), (False, 2), form)
            self.assertEqual(self.ask(form, FALSE), (True, None), form)

    def test_all_initial_states_count(self):
        self.assertEqual(self.ask("EF", eq(number("x"), const(2))), (False, -1))  # not from 3
        self.assertEqual(self.ask("EF", boolean(">=", number("x"), const(2))), (True, -1))
        self.assertEqual(self.ask("EF", FALSE), (False, None))

    def test_mixed_values(self):
        main = module("main", variables={"x": enum("off", 1)}, init={"x": const("off")}, next={"x": const(1)})
        self.assertEqual(space(main).distance, {("off",): 0, (1,): 1})


if __name__ == "__main__":
    unittest.main()
