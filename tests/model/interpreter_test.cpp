// The reference interpreter: every operator, every statement, every fault.
#include "model/interpreter.h"

#include <gtest/gtest.h>

#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::SystemBuilder;

// Evaluates without constant folding: operands are variables.
class InterpreterTest : public ::testing::Test {
 protected:
  SystemBuilder b;
  VarId x = b.var("x", INT32_MIN, INT32_MAX, 0);
  VarId y = b.var("y", INT32_MIN, INT32_MAX, 0);

  int32_t value(ExprId e) { return Interpreter(b.system).value(e, values()); }
  Fault fault(ExprId e) {
    try {
      value(e);
    } catch (const EvalFailure& failure) {
      last_at = failure.at;
      return failure.fault;
    }
    return Fault::None;
  }
  int32_t binary(Op o, int32_t left, int32_t right) {
    set(left, right);
    return value(b.op(o, b.get(x), b.get(y)));
  }
  Fault binary_fault(Op o, int32_t left, int32_t right) {
    set(left, right);
    return fault(b.op(o, b.get(x), b.get(y)));
  }
  int32_t unary(Op o, int32_t operand) {
    set(operand, 0);
    return value(b.op(o, b.get(x)));
  }
  void set(int32_t left, int32_t right) {
    b.system.variables[x.value].initial = left;
    b.system.variables[y.value].initial = right;
  }
  std::vector<int32_t> values() { return b.system.initial_values(); }
  // Runs statements from the initial values; the fault that ended them.
  Fault execute(const std::vector<StmtId>& statements) {
    after = values();
    resets.clear();
    try {
      Interpreter(b.system).execute(statements, after, resets);
    } catch (const EvalFailure& failure) {
      last_at = failure.at;
      return failure.fault;
    }
    return Fault::None;
  }

  std::vector<int32_t> after;
  std::vector<ClockReset> resets;
  SourceRef last_at;
};

TEST_F(InterpreterTest, Arithmetic) {
  EXPECT_EQ(value(b.num(-7)), -7);
  EXPECT_EQ(binary(Op::Add, 3, 4), 7);
  EXPECT_EQ(binary(Op::Sub, 3, 4), -1);
  EXPECT_EQ(binary(Op::Mul, -3, 4), -12);
  EXPECT_EQ(binary(Op::Div, -7, 2), -3);
  EXPECT_EQ(binary(Op::Mod, -7, 2), -1);
  EXPECT_EQ(binary(Op::Mod, INT32_MIN, -1), 0);
  EXPECT_EQ(binary(Op::Shl, 3, 4), 48);
  EXPECT_EQ(binary(Op::Shr, -8, 1), -4);
  EXPECT_EQ(binary(Op::BitAnd, 12, 10), 8);
  EXPECT_EQ(binary(Op::BitOr, 12, 10), 14);
  EXPECT_EQ(binary(Op::BitXor, 12, 10), 6);
  EXPECT_EQ(binary(Op::Min, 12, 10), 10);
  EXPECT_EQ(binary(Op::Max, 12, 10), 12);
  EXPECT_EQ(unary(Op::Neg, 5), -5);
  EXPECT_EQ(unary(Op::Not, 5), 0);
  EXPECT_EQ(unary(Op::Not, 0), 1);
  EXPECT_EQ(unary(Op::BitNot, 5), -6);
}

TEST_F(InterpreterTest, Comparisons) {
  const int32_t expected[][7] = {
      // left, Lt, Le, Eq, Ne, Ge, Gt against 2
      {1, 1, 1, 0, 1, 0, 0},
      {2, 0, 1, 1, 0, 1, 0},
      {3, 0, 0, 0, 1, 1, 1},
  };
  const Op ops[] = {Op::Lt, Op::Le, Op::Eq, Op::Ne, Op::Ge, Op::Gt};
  for (const auto& row : expected) {
    for (size_t i = 0; i < 6; ++i) EXPECT_EQ(binary(ops[i], row[0], 2), row[i + 1]);
  }
}

TEST_F(InterpreterTest, ArithmeticFaults) {
  EXPECT_EQ(binary_fault(Op::Add, INT32_MAX, 1), Fault::Overflow);
  EXPECT_EQ(binary_fault(Op::Sub, INT32_MIN, 1), Fault::Overflow);
  EXPECT_EQ(binary_fault(Op::Mul, INT32_MAX, 2), Fault::Overflow);
  EXPECT_EQ(binary_fault(Op::Div, INT32_MIN, -1), Fault::Overflow);
  EXPECT_EQ(binary_fault(Op::Div, 1, 0), Fault::DivisionByZero);
  EXPECT_EQ(binary_fault(Op::Mod, 1, 0), Fault::DivisionByZero);
  EXPECT_EQ(binary_fault(Op::Shl, 1, 32), Fault::BadShift);
  EXPECT_EQ(binary_fault(Op::Shr, 1, -1), Fault::BadShift);
  EXPECT_EQ(binary_fault(Op::Shl, 1, 31), Fault::Overflow);
  EXPECT_EQ(last_at.line, 1U);
  set(INT32_MIN, 0);
  EXPECT_EQ(fault(b.op(Op::Neg, b.get(x))), Fault::Overflow);
}

TEST_F(InterpreterTest, ConnectivesEvaluateOnlyWhatTheyNeed) {
  set(1, 0);
  const ExprId fails = b.op(Op::Div, b.get(x), b.get(y));
  const ExprId yes = b.op(Op::Eq, b.get(x), b.num(1));
  const ExprId no = b.op(Op::Eq, b.get(x), b.num(2));
  EXPECT_EQ(value(b.op(Op::And, no, fails)), 0);
  EXPECT_EQ(value(b.op(Op::Or, yes, fails)), 1);
  EXPECT_EQ(fault(b.op(Op::And, yes, fails)), Fault::DivisionByZero);
  EXPECT_EQ(fault(b.op(Op::Or, no, fails)), Fault::DivisionByZero);
  EXPECT_EQ(value(b.system.make_ite(yes, b.num(5), fails)), 5);
  EXPECT_EQ(value(b.system.make_ite(no, fails, b.num(6))), 6);
  set(7, 9);
  EXPECT_EQ(value(b.op(Op::And, b.get(x), b.get(y))), 1);
  EXPECT_EQ(value(b.op(Op::Or, b.get(x), b.get(y))), 1);
}

TEST_F(InterpreterTest, Blocks) {
  const VarId a = b.array("a", 3, 0, 9);
  b.system.variables[a.value + 2].initial = 8;
  set(2, 0);
  EXPECT_EQ(value(b.load(a, 3, b.get(x))), 8);
  set(3, 0);
  EXPECT_EQ(fault(b.load(a, 3, b.get(x))), Fault::IndexOutOfBounds);
  EXPECT_EQ(last_at.line, 2U);
  set(-1, 0);
  EXPECT_EQ(fault(b.load(a, 3, b.get(x))), Fault::IndexOutOfBounds);
  const ExprId index = b.system.make({.op = Op::Index, .count = 4, .a = b.get(x)});
  EXPECT_EQ(fault(index), Fault::IndexOutOfBounds);
  set(3, 0);
  EXPECT_EQ(value(index), 3);
  set(4, 0);
  EXPECT_EQ(fault(index), Fault::IndexOutOfBounds);
}

TEST_F(InterpreterTest, InRangeIsARangeViolation) {
  const ExprId checked = b.system.make({.op = Op::InRange, .a = b.get(x), .b = b.num(-2), .c = b.num(2)});
  for (const int32_t good : {-2, 0, 2}) {
    set(good, 0);
    EXPECT_EQ(value(checked), good);
  }
  for (const int32_t bad : {-3, 3}) {
    set(bad, 0);
    EXPECT_EQ(fault(checked), Fault::RangeViolation);
  }
}

TEST_F(InterpreterTest, Quantifiers) {
  set(3, 0);
  const ExprId below_x = b.op(Op::Lt, b.local(0), b.get(x));
  EXPECT_EQ(value(b.quantify(Op::Forall, 0, 0, 2, below_x)), 1);
  EXPECT_EQ(value(b.quantify(Op::Forall, 0, 0, 3, below_x)), 0);
  EXPECT_EQ(value(b.quantify(Op::Exists, 0, 2, 5, below_x)), 1);
  EXPECT_EQ(value(b.quantify(Op::Exists, 0, 3, 5, below_x)), 0);
  EXPECT_EQ(value(b.quantify(Op::Sum, 0, 1, 4, b.local(0))), 10);
  EXPECT_EQ(value(b.quantify(Op::Forall, 0, 1, 0, b.num(0))), 1);
  EXPECT_EQ(value(b.quantify(Op::Exists, 0, 1, 0, b.num(1))), 0);
  EXPECT_EQ(value(b.quantify(Op::Sum, 0, 1, 0, b.num(1))), 0);
  // Nested: pairs i < j.
  const ExprId pairs = b.quantify(Op::Sum, 0, 0, 3, b.quantify(Op::Sum, 1, 0, 3, b.op(Op::Lt, b.local(0), b.local(1))));
  EXPECT_EQ(value(pairs), 6);
  EXPECT_EQ(fault(b.quantify(Op::Sum, 0, 1, 2, b.num(INT32_MAX))), Fault::Overflow);
  EXPECT_EQ(last_at.line, 4U);
}

TEST_F(InterpreterTest, StoresAndComma) {
  const VarId n = b.var("n", 0, 5, 1);
  const VarId a = b.array("a", 3, 0, 9);
  EXPECT_EQ(execute({b.run(b.store(n, b.op(Op::Add, b.get(n), b.num(1))))}), Fault::None);
  EXPECT_EQ(after[n.value], 2);
  EXPECT_EQ(execute({b.run(b.store(a, 3, b.get(n), b.num(7)))}), Fault::None);
  EXPECT_EQ(after[a.value + 1], 7);
  EXPECT_EQ(execute({b.set(n, 6)}), Fault::RangeViolation);
  EXPECT_EQ(last_at.line, 3U);
  EXPECT_EQ(execute({b.set(n, -1)}), Fault::RangeViolation);
  EXPECT_EQ(execute({b.run(b.store(a, 3, b.num(3), b.num(7)))}), Fault::IndexOutOfBounds);
  const ExprId both = b.system.make({.op = Op::Comma, .a = b.store(n, b.num(4)), .b = b.get(n)});
  EXPECT_EQ(execute({b.run(b.store(x, both))}), Fault::None);
  EXPECT_EQ(after[x.value], 4);
  // The index is checked before the value is computed.
  const ExprId fails = b.op(Op::Div, b.num(1), b.get(y));
  EXPECT_EQ(execute({b.run(b.store(a, 3, b.num(3), fails))}), Fault::IndexOutOfBounds);
}

TEST_F(InterpreterTest, PureExpressionsCannotWrite) {
  EXPECT_THROW(value(b.store(x, b.num(1))), Error);
  const ClockId c = b.clock("c");
  const FunctionId f = b.function("f", 0, 0, {b.reset(c)});
  EXPECT_THROW(value(b.call(f, {})), Error);
}

TEST_F(InterpreterTest, FunctionsAndLoops) {
  // factorial(n) with locals: slot 0 the parameter, 1 the product.
  const auto store_local = [&](uint32_t slot, ExprId v) {
    return b.run(b.system.make({.op = Op::StoreLocal, .base = slot, .b = v}));
  };
  const StmtId body = b.block(
      {store_local(1, b.op(Op::Mul, b.local(1), b.local(0))), store_local(0, b.op(Op::Sub, b.local(0), b.num(1)))});
  const FunctionId factorial =
      b.function("factorial", 1, 2,
                 {store_local(1, b.num(1)), b.loop(b.op(Op::Gt, b.local(0), b.num(0)), body), b.give_back(b.local(1))});
  EXPECT_EQ(value(b.call(factorial, {b.num(5)})), 120);
  EXPECT_EQ(fault(b.call(factorial, {b.num(13)})), Fault::Overflow);
  // Frames are separate, and slots beyond the parameters start as 0.
  const FunctionId twice =
      b.function("twice", 1, 2,
                 {b.give_back(b.op(Op::Add, b.local(1), b.op(Op::Add, b.call(factorial, {b.local(0)}), b.local(0))))});
  EXPECT_EQ(value(b.call(twice, {b.num(3)})), 9);
  // Without Return: 0. Return leaves loops and blocks.
  EXPECT_EQ(value(b.call(b.function("none", 0, 0, {}), {})), 0);
  const FunctionId leaves =
      b.function("leaves", 0, 0, {b.loop(b.num(1), b.block({b.give_back(b.num(3)), b.give_back(b.num(4))}))});
  EXPECT_EQ(value(b.call(leaves, {})), 3);
  const FunctionId empty = b.function("empty", 0, 0, {b.give_back({}), b.give_back(b.num(4))});
  EXPECT_EQ(value(b.call(empty, {})), 0);
  const FunctionId chooses = b.function(
      "chooses", 1, 1, {b.branch(b.local(0), b.give_back(b.num(1)), b.give_back(b.num(2))), b.give_back(b.num(3))});
  EXPECT_EQ(value(b.call(chooses, {b.num(9)})), 1);
  EXPECT_EQ(value(b.call(chooses, {b.num(0)})), 2);
}

TEST_F(InterpreterTest, LocalArrays) {
  const auto at = [&](ExprId i) { return b.system.make({.op = Op::LoadLocal, .base = 1, .count = 2, .a = i}); };
  const ExprId put = b.system.make({.op = Op::StoreLocal, .base = 1, .count = 2, .a = b.local(0), .b = b.num(5)});
  const FunctionId f = b.function("f", 1, 3, {b.run(put), b.give_back(b.op(Op::Add, at(b.num(0)), at(b.num(1))))});
  EXPECT_EQ(value(b.call(f, {b.num(1)})), 5);
  EXPECT_EQ(fault(b.call(f, {b.num(2)})), Fault::IndexOutOfBounds);
}

TEST_F(InterpreterTest, EndlessLoopsEnd) {
  const FunctionId f = b.function("f", 0, 0, {b.loop(b.num(1), b.block({}))});
  EXPECT_EQ(fault(b.call(f, {})), Fault::StepLimit);
  EXPECT_EQ(fault(b.quantify(Op::Forall, 0, 0, INT32_MAX, b.num(1))), Fault::StepLimit);
}

TEST_F(InterpreterTest, Resets) {
  const ClockId c = b.clock("c[0]");
  b.clock("c[1]");
  EXPECT_EQ(execute({b.reset(c, 3), b.reset(c)}), Fault::None);
  ASSERT_EQ(resets.size(), 2U);
  EXPECT_EQ(resets[0].value, 3);
  EXPECT_EQ(resets[1].value, 0);
  EXPECT_EQ(execute({b.reset(c, -1)}), Fault::NegativeClock);
  EXPECT_EQ(last_at.line, 9U);
  const auto reset_at = [&](int32_t i) {
    return b.system.make_stmt(
        {.kind = StmtKind::Reset, .expr = b.num(0), .count = 2, .clock = c, .offset = b.num(i), .at = b.line(9)});
  };
  EXPECT_EQ(execute({reset_at(1)}), Fault::None);
  EXPECT_EQ(resets[0].clock, ClockId(2));
  EXPECT_EQ(execute({reset_at(2)}), Fault::IndexOutOfBounds);
}

TEST_F(InterpreterTest, HoldsStopsAtTheFirstFalseCondition) {
  const ExprId fails = b.op(Op::Div, b.num(1), b.get(x));
  const std::vector<ExprId> conditions{b.eq(x, 1), fails};
  EXPECT_FALSE(Interpreter(b.system).holds(conditions, values()));
  EXPECT_TRUE(Interpreter(b.system).holds({}, values()));
}

TEST_F(InterpreterTest, ErrorsShowThePlace) {
  const Error error = to_error(b.system, {Fault::DivisionByZero, b.line(3)});
  EXPECT_EQ(error.kind(), ErrorKind::Runtime);
  EXPECT_EQ(std::string(error.what()), "test.xta:3:1: error: division by zero");
}

}  // namespace
}  // namespace harrier::model
