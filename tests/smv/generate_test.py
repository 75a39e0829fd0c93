#!/usr/bin/env python3
"""The generator makes every construct, the texts mean what the trees do, and differences are found and made smaller."""

import re
import unittest

import generate
import program
import reduce
from build import BOOLEAN, flag, module, negated, number, space, span
from expressions import PRECEDENCE, TRUE, E, boolean, children, const, text
from model import Instance, Property, flatten
from semantics import Space, answer

SEEDS = range(1, 301)
WORDS = ["VAR", "IVAR", "FROZENVAR", "DEFINE", "CONSTANTS", "ASSIGN", "INIT", "INVAR", "TRANS", "FAIRNESS", "JUSTICE", "COMPASSION", "INVARSPEC", "SPEC",
         "CTLSPEC", "LTLSPEC", "NAME", "process", "running", "array", "boolean", "word", "unsigned word", "signed word", "union", "in", "case", "next", "init",
         "count", "toint", "bool", "word1", "unsigned", "signed", "extend", "resize", "uwconst", "swconst", "mod", "xor", "xnor", "EF", "AG", "EX",
         "AX", "AF", "EG", "U", "V", "X", "G", "F"]
SIGNS = ["->", "<->", "::", "<<", ">>", "?", "!=", "<=", ">=", "..", "* ", "/ ", "& ", "| ", "{", "1 : ", "!EF", "! F"]
SHAPES = [r"\[\d+:\d+\]", r"0u?b\d", r"0so\d", r"0s?h\d", r"-0sd\d", r"\.running", r"array -\d", r"array 0\.\.1 of array", r"-\d\.\.", r"\w\[case",
          r"next\(\w+\.", r"\.\.d\d", r"word\[d\d", r"^/-- one", r"\b[AE][GF] [\w.]+ (=|in) ", r"LTLSPEC.* [GF] !?\w", r": \w+\([^)]*, [^)]*\);"]


def pairs(e):
    yield e
    for child in children(e):
        yield from pairs(child)


class Reader:
    """Reads expressions with infix operators, numbers and names, by the precedence of the manual: not of the code under test."""

    LEVELS = [["->"], ["<->"], ["?"], ["|", "xor", "xnor"], ["&"], ["=", "!=", "<", ">", "<=", ">="], ["in"], ["union"], ["<<", ">>"], ["+", "-"],
              ["*", "/", "mod"]]

    def __init__(self, written):
        self.tokens = re.findall(r"->|<->|!=|<=|>=|<<|>>|\.\.|[A-Za-z_][A-Za-z0-9_$#-]*|\d+|\S", written) + [""]
        self.at = 0

    def accept(self, *tokens):
        if self.tokens[self.at] in tokens:
            self.at += 1
            return self.tokens[self.at - 1]
        return None

    def level(self, k):
        if k == len(self.LEVELS):
            return self.prefix()
        left = self.level(k + 1)
        if self.LEVELS[k] == ["->"]:
            return ("->", left, self.level(k)) if self.accept("->") else left
        if self.LEVELS[k] == ["?"]:
            if self.accept("?"):
                middle = self.level(k)
                assert self.accept(":")
                return ("?", left, middle, self.level(k))
            return left
        while op := self.accept(*self.LEVELS[k]):
            left = (op, left, self.level(k + 1))
        return left

    def prefix(self):
        if self.accept("-"):
            return ("neg", self.prefix())
        if self.accept("!"):
            return ("!", self.prefix_of_not())
        return self.primary()

    def prefix_of_not(self):
        return ("!", self.prefix_of_not()) if self.accept("!") else self.primary()

    def primary(self):
        token = self.tokens[self.at]
        self.at += 1
        if token == "(":
            out = self.level(0)
            assert self.accept(")")
            return out
        if token == "case":
            out = ["case"]
            while not self.accept("esac"):
                out.append(self.level(0))
                assert self.accept(":")
                out.append(self.level(0))
                assert self.accept(";")
            return tuple(out)
        if token == "{" or (self.tokens[self.at] == "(" and token[:1].isalpha()):
            close = "}" if token == "{" else ")"
            if close == ")":
                self.at += 1
            out = [token, self.level(0)]
            while self.accept(","):
                out.append(self.level(0))
            assert self.accept(close)
            return tuple(out)
        if self.accept(".."):
            minus = "-" if self.accept("-") else ""
            self.at += 1
            return ("..", token, minus + self.tokens[self.at - 1])
        return token


class Generator(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.made = [generate.make(seed) for seed in SEEDS]
        formulas = [generate.make(seed, True)[0] for seed in range(1, 101)]
        cls.texts = "\n".join(model.text() for model in [model for model, _ in cls.made] + formulas)

    def test_constructs(self):
        missing = [w for w in WORDS if not re.search(rf"\b{w}\b", self.texts)] + [s for s in SIGNS if s not in self.texts]
        missing += [s for s in SHAPES if not re.search(s, self.texts, re.MULTILINE)]
        self.assertEqual(missing, [])

    def test_same_again(self):
        self.assertEqual(generate.make(5)[0].text(), generate.make(5)[0].text())

    def test_spaces(self):
        """There are models with deadlocks, without initial states, with processes, with long ways."""
        spaces = [s for _, s in self.made]
        self.assertGreater(sum(bool(s.deadlocks) for s in spaces), 10)
        self.assertGreater(sum(not s.initial for s in spaces), 0)
        self.assertGreater(sum(s.flat.processes > 1 for s in spaces), 40)
        self.assertGreater(sum(s.layers > 4 for s in spaces), 30)
        self.assertGreater(sum(s.states > 50 for s in spaces), 30)

    def test_parentheses(self):
        """Those that are left out do not change what is read."""
        compared = 0
        for model, _ in self.made:
            for module_ in model.modules:
                for e in [e for _, e in module_.constraints] + [e for _, e in module_.defines] + [e for _, _, e in module_.assigned]:
                    if any(x.type[0] in "us" or x.op in ("index", "select", "next") for x in pairs(e)) or re.search(r"[\w#]\.[a-z]|\[", text(e)):
                        continue
                    few, many = text(e, False), text(e, True)
                    self.assertEqual(Reader(few).level(0), Reader(many).level(0), (few, many))
                    compared += few != many
        self.assertGreater(compared, 100)

    def test_precedence_is_complete(self):
        self.assertEqual({op for level in Reader.LEVELS for op in level} - {"?"}, set(PRECEDENCE) - {"!", "neg", "::", "ite"})


class Reducer(unittest.TestCase):
    def test_smaller(self):
        """All that is left of a model whose first property fails is what makes it fail."""
        for seed in (2, 3, 4, 5, 8):
            model, result = generate.make(seed)

            def fails(_, small):
                first = small.flat.properties[:1]
                return bool(first) and bool(small.initial) and not answer(small, first[0].form.replace(" bare", ""), first[0].formula).holds
            if not fails(model, result):
                continue
            small, small_space = reduce.reduce(model, result, fails)
            self.assertTrue(fails(small, small_space))
            self.assertLess(len(small.text()), len(model.text()))
            self.assertTrue(fails(None, Space(flatten(small))))

    def test_simpler(self):
        e = E("case", ([(flag("a"), const(1)), (TRUE, const(2))], "new"), ("int", 1, 2))
        self.assertIn("case a : 1; esac", [text(x) for x in reduce.simpler(e)])
        self.assertIn("1", [text(x) for x in reduce.simpler(e)])
        self.assertIn("case TRUE : 1; TRUE : 2; esac", [text(x) for x in reduce.simpler(e)])


class Comparison(unittest.TestCase):
    """What the program might say about a model with two properties."""

    def setUp(self):
        x = number("x")
        main = module("main", variables={"x": span(0, 3)}, init={"x": const(0)},
                      next={"x": E("mod", (E("+", (x, const(1)), x.type), const(3)), x.type)})
        main.properties = [Property("INVARSPEC", boolean("<", x, const(2))), Property("AG", boolean("!=", x, const(3)))]
        self.reference = program.Reference(space(main))

    def said(self, search="bfs", first=None, second=None, **document):
        results = [{"number": 1, "holds": False, "verdict": "reachable", "witness_length": 2, "validated": True, "statistics": {"stored": 3}} | (first or {}),
                   {"number": 2, "holds": True, "verdict": "unreachable", "witness_length": None, "statistics": {"stored": 3}} | (second or {})]
        asker = program.Asker("", ["bfs"])
        asker.document = lambda *_: ({"exit_code": 10, "results": results} | document, "")
        return asker.compare("", search, self.reference)

    def kinds(self, *args, **more):
        return [d.split(":")[0] for d in self.said(*args, **more).differences]

    def test_right(self):
        outcome = self.said()
        self.assertEqual((outcome.differences, outcome.agreed, outcome.counted), ([], 2, 1))

    def test_wrong(self):
        self.assertEqual(self.kinds(first={"holds": True}), ["verdict"])
        self.assertEqual(self.kinds(second={"holds": False}), ["verdict"])
        self.assertEqual(self.kinds(first={"witness_length": 3}), ["length"])
        self.assertEqual(self.kinds("dfs", first={"witness_length": 3}), [])
        self.assertEqual(self.kinds("dfs", first={"witness_length": 3, "shortest": True}), ["length"])
        self.assertEqual(self.kinds("dfs", first={"witness_length": 1}), ["length"])
        self.assertEqual(self.kinds(second={"statistics": {"stored": 4}}), ["states"])
        self.assertEqual(self.kinds("dfs", second={"statistics": {"stored": 4}}), [])
        self.assertEqual(self.kinds(results=[]), ["number"])
        self.assertEqual(self.kinds(exit_code=70), ["broken"])
        self.assertEqual(self.kinds(exit_code=2, results=[], error={"kind": "input", "text": "no"}), ["error"])
        self.assertEqual(self.kinds(first={"error": {"kind": "run-time", "text": "no"}}), ["error"])

    def test_properties_of_instances(self):
        part = module("part", ["v"], variables={"x": span(0, 1)}, init={"x": number("v")}, next={"x": number("x")})
        part.properties = [Property("INVARSPEC", boolean("=", number("x"), const(0)))]
        self.reference = program.Reference(space(part, module("main", variables={k: Instance(part, [const(v)]) for k, v in (("a", 0), ("b", 1))})))
        one = {"statistics": {"stored": 1}}
        self.assertEqual(self.kinds(first={"holds": True} | one, second={"holds": False} | one), [])
        self.assertEqual(self.kinds(first=one, second=one), [])
        self.assertEqual(self.kinds(first={"holds": True} | one, second=one), ["verdict"])

    def test_no_answer(self):
        outcome = self.said(exit_code=3, results=[], error={"kind": "unsupported", "text": "no words"})
        self.assertEqual((outcome.differences, outcome.reason), ([], "unsupported: no words"))
        self.assertEqual(self.said(first={"holds": None, "verdict": "unknown"}).open, 1)

    def test_no_initial_state(self):
        main = module("main", variables={"x": BOOLEAN}, init={"x": TRUE}, INVAR=[negated(flag("x"))])
        main.properties = [Property("INVARSPEC", flag("x"))] * 2
        self.reference = program.Reference(space(main))
        self.assertEqual(self.kinds(), ["empty"])
        self.assertEqual(self.kinds(warnings="empty"), ["empty"])  # one fails
        self.assertEqual(self.kinds(warnings="empty", first={"holds": True}), [])
        self.assertEqual(self.kinds(exit_code=2, results=[], error={"kind": "input", "text": "empty"}), [])

    def test_deadlocks(self):
        main = module("main", variables={"x": BOOLEAN}, INIT=[negated(flag("x"))], TRANS=[negated(flag("x"))])
        main.properties = [Property("INVARSPEC", negated(flag("x"))), Property("AG", negated(flag("x")))]
        self.assertEqual([a.holds for a in program.Reference(space(main)).answers], [False, False])
        self.assertEqual([a and a.holds for a in program.Reference(space(main), "skip").answers], [False, None])


if __name__ == "__main__":
    unittest.main()
