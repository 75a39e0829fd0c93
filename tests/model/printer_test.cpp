// The text of expressions, edges and systems.
#include "model/printer.h"

#include <gtest/gtest.h>

#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::SystemBuilder;

class PrinterTest : public ::testing::Test {
 protected:
  SystemBuilder b;
  VarId x = b.var("x", 0, 9, 1);
  VarId y = b.var("y", 0, 9);
  VarId a = b.array("a", 3, 0, 1);
  ClockId c = b.clock("c");
  ClockId d = b.clock("d");
  ProcessId p = b.process("P(1)", {"idle", "busy"});

  std::string text(ExprId e) { return to_text(b.system, e); }
  ExprId gx() { return b.get(x); }
  ExprId gy() { return b.get(y); }
};

TEST_F(PrinterTest, MinimalParentheses) {
  EXPECT_EQ(text(b.op(Op::Mul, b.op(Op::Add, gx(), gy()), gx())), "(x + y) * x");
  EXPECT_EQ(text(b.op(Op::Add, b.op(Op::Mul, gx(), gy()), gx())), "x * y + x");
  EXPECT_EQ(text(b.op(Op::Sub, gx(), b.op(Op::Sub, gy(), gx()))), "x - (y - x)");
  EXPECT_EQ(text(b.op(Op::Sub, b.op(Op::Sub, gx(), gy()), gx())), "x - y - x");
  EXPECT_EQ(text(b.op(Op::And, b.op(Op::Or, b.eq(x, 1), b.eq(y, 2)), b.op(Op::And, b.eq(x, 3), b.eq(y, 4)))),
            "(x == 1 || y == 2) && x == 3 && y == 4");
  EXPECT_EQ(text(b.op(Op::Not, b.op(Op::Lt, gx(), gy()))), "!(x < y)");
  EXPECT_EQ(text(b.op(Op::Neg, b.op(Op::Neg, gx()))), "-(-x)");
  EXPECT_EQ(text(b.op(Op::BitAnd, b.op(Op::Eq, gx(), gy()), gx())), "x == y & x");
  EXPECT_EQ(text(b.op(Op::Add, gx(), b.num(-1))), "x + -1");
  EXPECT_EQ(text(b.system.make_ite(b.eq(x, 1), gx(), b.system.make_ite(gx(), gy(), gx()))), "x == 1 ? x : x ? y : x");
  EXPECT_EQ(text(b.op(Op::Min, gx(), gy())), "min(x, y)");
}

TEST_F(PrinterTest, AccessesCallsAndQuantifiers) {
  EXPECT_EQ(text(b.load(a, 3, gx())), "a[x]");
  EXPECT_EQ(text(b.load(a, 2, gx())), "a[x]");
  EXPECT_EQ(text(b.load(x, 2, gx())), "x{x}");
  EXPECT_EQ(text(b.store(a, 3, gx(), b.num(1))), "a[x] := 1");
  EXPECT_EQ(text(b.quantify(Op::Forall, 0, 0, 2, b.load(a, 3, b.local(0)))), "forall ($0 : 0..2) a[$0]");
  EXPECT_EQ(text(b.op(Op::Add, b.quantify(Op::Sum, 0, 0, 2, b.local(0)), gx())), "(sum ($0 : 0..2) $0) + x");
  const FunctionId f = b.function("f", 2, 2, {b.give_back(b.op(Op::Add, b.local(0), b.local(1)))});
  EXPECT_EQ(text(b.call(f, {gx(), b.num(2)})), "f(x, 2)");
  const ExprId checked = b.system.make({.op = Op::InRange, .a = gx(), .b = b.num(0), .c = b.num(3)});
  EXPECT_EQ(text(checked), "in_range(x, 0, 3)");
}

TEST_F(PrinterTest, LocationTests) {
  EXPECT_EQ(text(b.at(p, 1)), "P(1).busy");
  EXPECT_EQ(text(b.op(Op::Ne, b.num(0), b.get(b.system.process(p).location))), "!P(1).idle");
}

TEST_F(PrinterTest, ClockConstraints) {
  EXPECT_EQ(to_text(b.system, b.le(c, 5)), "c <= 5");
  EXPECT_EQ(to_text(b.system, b.lt(c, 5)), "c < 5");
  EXPECT_EQ(to_text(b.system, b.ge(c, 5)), "c >= 5");
  EXPECT_EQ(to_text(b.system, b.gt(c, 5)), "c > 5");
  EXPECT_EQ(to_text(b.system, b.difference(c, d, -2, true)), "c - d < -2");
  ClockConstraint conditional = b.le(c, 5);
  conditional.condition = b.eq(x, 1);
  EXPECT_EQ(to_text(b.system, conditional), "x == 1 imply c <= 5");
  ClockConstraint below = b.ge(c, 0);
  below.bound = b.op(Op::Neg, b.op(Op::Add, gx(), gy()));
  EXPECT_EQ(to_text(b.system, below), "c >= x + y");
}

TEST_F(PrinterTest, Statements) {
  const StmtId s = b.branch(b.eq(x, 1), b.block({b.set(y, 2), b.reset(c)}), b.give_back(gx()));
  EXPECT_EQ(to_text(b.system, s), "if (x == 1) { y := 2; c := 0; } else return x;");
  EXPECT_EQ(to_text(b.system, b.loop(gx(), b.set(x, 0))), "while (x) x := 0;");
}

TEST_F(PrinterTest, WholeSystem) {
  const ChannelId go = b.channel("go", true, true, 2);
  const EdgeId e = b.send(p, 0, 1, go);
  b.edge(e).guard = {b.eq(x, 1)};
  b.edge(e).clock_guard = {b.ge(c, 2)};
  b.edge(e).effect = {b.set(x, 2), b.reset(c)};
  b.edge(e).label = "i = 3";
  b.location(p, 0).clock_invariant = {b.le(c, 5)};
  b.location(p, 1).kind = LocationKind::Committed;
  b.system.after_update = {b.set(y, 0)};
  b.system.axioms = {{y, 7, 0, {b.eq(x, 1), b.at(p, 1)}, {}}, {y, 7, 0, {}, {}}};
  EXPECT_EQ(to_text(b.system),
            "system test.xta\n"
            "var x : [0, 9] = 1\n"
            "var y : [0, 9] = 0\n"
            "var a[0] : [0, 1] = 0\n"
            "var a[1] : [0, 1] = 0\n"
            "var a[2] : [0, 1] = 0\n"
            "clock c\n"
            "clock d\n"
            "urgent broadcast chan go priority 2\n"
            "after_update y := 0\n"
            "axiom layer 0 y := 7 if x == 1 && P(1).busy\n"
            "axiom layer 0 y := 7 if true\n"
            "process P(1)\n"
            "  initial location idle invariant c <= 5\n"
            "  committed location busy\n"
            "  edge idle -> busy select i = 3 guard x == 1 && c >= 2 sync go! do x := 2, c := 0\n");
  EXPECT_EQ(to_text(b.system, Clause{{b.at(p, 1)}, {b.le(c, 1)}, DeadlockTest::IsDeadlock}),
            "P(1).busy && c <= 1 && deadlock");
  EXPECT_EQ(to_text(b.system, Clause{}), "true");
}

}  // namespace
}  // namespace harrier::model
