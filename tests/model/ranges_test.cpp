// Intervals of expressions: exact where it is easy, sound everywhere.
#include "model/ranges.h"

#include <gtest/gtest.h>

#include <random>

#include "model/interpreter.h"
#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::SystemBuilder;

TEST(Ranges, Simple) {
  SystemBuilder b;
  const VarId n = b.var("n", -2, 5);
  const VarId a = b.array("a", 3, 0, 9);
  b.system.variables[a.value + 2].hi = 40;
  const auto range = [&](ExprId e) { return range_of(b.system, e); };
  EXPECT_EQ(range(b.num(4)), (Interval{4, 4}));
  EXPECT_EQ(range(b.get(n)), (Interval{-2, 5}));
  EXPECT_EQ(range(b.op(Op::Add, b.get(n), b.num(10))), (Interval{8, 15}));
  EXPECT_EQ(range(b.op(Op::Mul, b.get(n), b.num(-3))), (Interval{-15, 6}));
  EXPECT_EQ(range(b.op(Op::Mod, b.get(n), b.num(3))), (Interval{-2, 2}));
  EXPECT_EQ(range(b.op(Op::Div, b.get(n), b.num(2))), (Interval{-1, 2}));
  EXPECT_EQ(range(b.op(Op::Lt, b.get(n), b.num(6))), (Interval{1, 1}));
  EXPECT_EQ(range(b.op(Op::Eq, b.get(n), b.num(6))), (Interval{0, 0}));
  EXPECT_EQ(range(b.op(Op::Eq, b.get(n), b.num(5))), (Interval{0, 1}));
  EXPECT_EQ(range(b.load(a, 3, b.get(n))), (Interval{0, 40}));
  EXPECT_EQ(range(b.load(a, 3, b.op(Op::Lt, b.get(n), b.num(0)))), (Interval{0, 9}));
  EXPECT_EQ(range(b.quantify(Op::Sum, 0, 1, 3, b.local(0))), (Interval{3, 9}));
  EXPECT_EQ(range(b.quantify(Op::Forall, 0, 1, 3, b.op(Op::Gt, b.local(0), b.num(0)))), (Interval{1, 1}));
  EXPECT_EQ(range(b.local(0)), (Interval{INT32_MIN, INT32_MAX}));
  EXPECT_EQ(range(b.store(n, b.num(3))), (Interval{3, 3}));
  const ExprId checked = b.system.make({.op = Op::InRange, .a = b.get(n), .b = b.num(0), .c = b.num(3)});
  EXPECT_EQ(range(checked), (Interval{0, 3}));
}

TEST(Ranges, FunctionsByTheirReturns) {
  SystemBuilder b;
  const VarId n = b.var("n", 0, 5);
  const auto total = b.function("total", 1, 1, {b.branch(b.local(0), b.give_back(b.get(n)), b.give_back(b.num(9)))});
  EXPECT_EQ(range_of(b.system, b.call(total, {b.num(1)})), (Interval{0, 9}));
  const auto partial = b.function("partial", 1, 1, {b.branch(b.local(0), b.give_back(b.num(7)))});
  EXPECT_EQ(range_of(b.system, b.call(partial, {b.num(1)})), (Interval{0, 7}));
}

TEST(Ranges, AlwaysFailingExpressionsHaveSomeRange) {
  SystemBuilder b;
  const VarId n = b.var("n", 1, 5);
  const Interval r = range_of(b.system, b.op(Op::Div, b.get(n), b.num(0)));
  EXPECT_LE(r.lo, r.hi);
  const ExprId never = b.system.make({.op = Op::InRange, .a = b.get(n), .b = b.num(8), .c = b.num(9)});
  EXPECT_LE(range_of(b.system, never).lo, range_of(b.system, never).hi);
}

// Random expressions over variables of random domains, random states: the value is always in the interval.
class RandomExpressions {
 public:
  explicit RandomExpressions(unsigned seed) : rng_(seed) {
    for (int i = 0; i < 6; ++i) {
      int32_t lo = constant();
      int32_t hi = constant();
      if (lo > hi) std::swap(lo, hi);
      b.var("v[" + std::to_string(i) + "]", lo, hi, lo);
    }
  }

  SystemBuilder b;

  ExprId expr(int depth) {
    if (depth == 0) return leaf();
    const auto op = static_cast<Op>(pick(static_cast<int>(Op::Comma) + 1));
    switch (op) {
      case Op::Const:
      case Op::Var:
      case Op::Local:
      case Op::LoadLocal:
      case Op::StoreLocal: return leaf();
      case Op::Load: {
        const auto first = static_cast<uint32_t>(pick(4));
        return b.load(VarId(first), static_cast<uint32_t>(1 + pick(2)), expr(depth - 1));
      }
      case Op::Index:
        return b.system.make({.op = op, .count = 1U + static_cast<uint32_t>(pick(9)), .a = expr(depth - 1)});
      case Op::InRange: {
        int32_t lo = constant();
        int32_t hi = constant();
        if (lo > hi) std::swap(lo, hi);
        const ExprId a = expr(depth - 1);
        return b.system.make({.op = op, .a = a, .b = b.num(lo), .c = b.num(hi)});
      }
      case Op::Neg:
      case Op::Not:
      case Op::BitNot: return b.op(op, expr(depth - 1));
      case Op::Ite: {
        const ExprId c = expr(depth - 1);
        const ExprId t = expr(depth - 1);
        return b.system.make_ite(c, t, expr(depth - 1));
      }
      case Op::Forall:
      case Op::Exists:
      case Op::Sum: {
        if (bound_ == 3) return leaf();
        const auto lo = pick(5) - 2;
        ++bound_;
        const ExprId body = expr(depth - 1);
        --bound_;
        return b.quantify(op, bound_, lo, lo + pick(4) - 1, body);
      }
      case Op::Call: {
        std::vector<StmtId> body;
        const uint32_t around = std::exchange(bound_, 0);  // a new frame
        if (pick(2) != 0) body.push_back(b.branch(expr(1), b.give_back(expr(depth - 1))));
        body.push_back(b.give_back(expr(depth - 1)));
        bound_ = around;
        return b.call(b.function("f", 0, 4, body), {});
      }
      case Op::Store: return b.store(VarId(static_cast<size_t>(pick(6))), expr(depth - 1));
      case Op::Comma: {
        const ExprId first = expr(depth - 1);
        return b.system.make({.op = op, .a = first, .b = expr(depth - 1)});
      }
      default: {
        const ExprId left = expr(depth - 1);
        return b.op(op, left, expr(depth - 1));
      }
    }
  }

  std::vector<int32_t> state() {
    std::vector<int32_t> values;
    for (const Variable& v : b.system.variables) {
      switch (pick(4)) {
        case 0: values.push_back(v.lo); break;
        case 1: values.push_back(v.hi); break;
        default: values.push_back(std::uniform_int_distribution<int32_t>(v.lo, v.hi)(rng_));
      }
    }
    return values;
  }

 private:
  int pick(int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng_); }
  int32_t constant() {
    switch (pick(8)) {
      case 0: return INT32_MAX - pick(3);
      case 1: return INT32_MIN + pick(3);
      case 2: return std::uniform_int_distribution<int32_t>(INT32_MIN, INT32_MAX)(rng_);
      default: return pick(41) - 20;
    }
  }
  ExprId leaf() {
    if (bound_ > 0 && pick(3) == 0) return b.local(static_cast<uint32_t>(pick(static_cast<int>(bound_))));
    return pick(3) == 0 ? b.num(constant()) : b.get(VarId(static_cast<size_t>(pick(6))));
  }

  std::mt19937 rng_;
  uint32_t bound_ = 0;  // slots of the quantifiers around
};

TEST(Ranges, SoundOnRandomExpressions) {
  size_t checked = 0;
  for (unsigned seed = 0; seed < 2000; ++seed) {
    RandomExpressions random(seed);
    const VarId result = random.b.var("result", INT32_MIN, INT32_MAX);
    const ExprId e = random.expr(1 + static_cast<int>(seed % 4));
    const Interval range = range_of(random.b.system, e);
    ASSERT_LE(range.lo, range.hi);
    ASSERT_GE(range.lo, INT32_MIN);
    ASSERT_LE(range.hi, INT32_MAX);
    const std::vector<StmtId> run{random.b.run(random.b.store(result, e))};
    Interpreter interpreter(random.b.system);
    for (int i = 0; i < 20; ++i) {
      std::vector<int32_t> values = random.state();
      std::vector<ClockReset> resets;
      try {
        interpreter.execute(run, values, resets);
      } catch (const EvalFailure&) {
        continue;
      }
      ++checked;
      ASSERT_TRUE(range.contains(values[result.value]))
          << "seed " << seed << ": " << values[result.value] << " not in [" << range.lo << ", " << range.hi << "]";
    }
  }
  EXPECT_GT(checked, 5000U);
}

}  // namespace
}  // namespace harrier::model
