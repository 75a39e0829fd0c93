// Terms, predicates and Z3's answers about them.
#include "abstraction/predicates/terms.h"

#include <gtest/gtest.h>

#include <string>

#include "abstraction/predicates/part.h"
#include "abstraction/predicates/predicate.h"
#include "abstraction/predicates/solver.h"
#include "abstraction/predicates/symbolic.h"
#include "base/rng.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"

namespace harrier::abstraction {
namespace {

using model::Op;
using testing_support::Example;

TEST(Terms, EqualTermsAreOneAndConstantsAreFolded) {
  Terms terms;
  const TermId x = terms.variable(0);
  const TermId two = terms.constant(2);
  EXPECT_EQ(terms.make(Op::Add, two, terms.constant(3)), terms.constant(5));
  EXPECT_EQ(terms.make(Op::Add, x, two), terms.make(Op::Add, x, two));
  EXPECT_EQ(terms.make(Op::Gt, two, x), terms.make(Op::Lt, x, two));
  EXPECT_EQ(terms.make_not(terms.make(Op::Lt, x, two)), terms.make(Op::Ge, x, two));
  EXPECT_EQ(terms.make(Op::Eq, terms.make(Op::Lt, x, two), terms.constant(0)), terms.make(Op::Ge, x, two));
  EXPECT_EQ(terms.conjunction(terms.truth(false), x), terms.truth(false));
  EXPECT_TRUE(terms.has_unknown(terms.make(Op::Div, two, terms.constant(0))));
  EXPECT_NE(terms.unknown(), terms.unknown());
  EXPECT_EQ(terms.unknown(4, 4), terms.constant(4));
}

TEST(Terms, WeakeningForgetsWhatDependsOnUnknowns) {
  Terms terms;
  const TermId small = terms.make(Op::Lt, terms.variable(0), terms.constant(3));
  const TermId unknown = terms.make(Op::Lt, terms.unknown(), terms.constant(3));
  EXPECT_EQ(terms.weaken(terms.conjunction(small, unknown)), small);
  EXPECT_EQ(terms.weaken(terms.disjunction(small, unknown)), terms.truth(true));
  EXPECT_EQ(terms.weaken(terms.make_not(terms.disjunction(small, unknown))), terms.make_not(small));
  EXPECT_EQ(terms.weaken(terms.variable(1)), terms.make(Op::Ne, terms.variable(1), terms.constant(0)));
}

TEST(Terms, ValuesAndVariables) {
  Terms terms;
  const TermId x = terms.variable(0);
  const TermId y = terms.variable(1);
  const TermId term = terms.make(Op::Ite, terms.make(Op::Lt, x, y), terms.make(Op::Div, x, y), y);
  EXPECT_EQ(terms.variables(term), (std::vector<uint32_t>{0, 1}));
  EXPECT_EQ(terms.value(term, std::vector<int32_t>{5, 2}), 2);
  EXPECT_EQ(terms.value(term, std::vector<int32_t>{-5, 2}), -2);
  EXPECT_EQ(terms.value(term, std::vector<int32_t>{-5, 0}), std::nullopt);
  const TermId replaced = terms.replace(term, [&](TermId leaf) { return leaf == x ? terms.constant(9) : leaf; });
  EXPECT_EQ(terms.value(replaced, std::vector<int32_t>{0, 3}), 3);
  const auto linear =
      terms.linear(terms.make(Op::Sub, terms.make(Op::Mul, x, terms.constant(3)), terms.make(Op::Add, x, y)));
  ASSERT_TRUE(linear);
  EXPECT_EQ(linear->parts, (std::vector<std::pair<uint32_t, int64_t>>{{0, 2}, {1, -1}}));
  EXPECT_FALSE(terms.linear(terms.make(Op::Mul, x, y)));
}

TEST(Predicates, EachHasOneForm) {
  Terms terms;
  const TermId x = terms.variable(0);
  const TermId y = terms.variable(1);
  const auto of = [&](Op op, TermId a, TermId b) { return *predicate_of(terms, terms.make(op, a, b)); };
  const Predicate at_most = of(Op::Le, x, terms.constant(3));
  EXPECT_EQ(of(Op::Gt, x, terms.constant(3)), at_most);
  EXPECT_EQ(of(Op::Lt, x, terms.constant(4)), at_most);
  EXPECT_EQ(of(Op::Ge, x, terms.constant(4)), at_most);
  EXPECT_EQ(of(Op::Le, terms.make(Op::Mul, x, terms.constant(2)), terms.constant(7)), at_most);
  EXPECT_EQ(of(Op::Eq, x, y), of(Op::Ne, y, x));
  EXPECT_EQ(of(Op::Le, x, y), of(Op::Gt, x, y));
  EXPECT_EQ(of(Op::Lt, y, x), of(Op::Ge, y, x));
  EXPECT_FALSE(predicate_of(terms, terms.make(Op::Eq, terms.make(Op::Mul, x, terms.constant(2)), terms.constant(7))));
  const auto upper = predicate_of(ClockAtom{1, 0, zone::bound_lt(5)});
  EXPECT_EQ(predicate_of(ClockAtom{0, 1, zone::bound_le(-5)}), upper);
  EXPECT_FALSE(predicate_of(ClockAtom{0, 1, zone::bound_le(0)}));  // x >= 0
}

// A comparison and its predicate tell the same states apart.
TEST(Predicates, RandomComparisons) {
  Rng rng(5);
  Terms terms;
  const auto number = [&] { return static_cast<int32_t>(rng.below(9)) - 4; };
  for (int round = 0; round < 2000; ++round) {
    const auto sum = [&] {
      const TermId a = terms.make(Op::Mul, terms.variable(0), terms.constant(number()));
      const TermId b = terms.make(Op::Mul, terms.variable(1), terms.constant(number()));
      return terms.make(Op::Add, terms.make(Op::Add, a, b), terms.constant(number()));
    };
    constexpr Op kOps[] = {Op::Lt, Op::Le, Op::Eq, Op::Ne, Op::Ge, Op::Gt};
    const TermId comparison = terms.make(kOps[rng.below(6)], sum(), sum());
    const auto predicate = predicate_of(terms, comparison);
    std::optional<bool> same;
    for (int32_t x = -6; x <= 6; ++x) {
      for (int32_t y = -6; y <= 6; ++y) {
        const std::vector<int32_t> state{x, y};
        const bool holds = terms.value(comparison, state) != 0;
        if (!predicate) {
          ASSERT_TRUE(!same || *same == holds);
          same = holds;
          continue;
        }
        ASSERT_EQ(terms.value(term_of(terms, *predicate), state) != 0, predicate->holds(state.data()));
        if (!same) same = predicate->holds(state.data()) == holds;
        ASSERT_EQ(predicate->holds(state.data()) == holds, *same);
      }
    }
  }
}

TEST(Predicates, SetsKeepWhatIsNew) {
  Terms terms;
  std::vector<model::ValueSet> values(1);
  values[0].values = {0, 1};
  PredicateSet set(values);
  const auto add = [&](Op op, int32_t bound) {
    return set.add(*predicate_of(terms, terms.make(op, terms.variable(0), terms.constant(bound))));
  };
  EXPECT_TRUE(add(Op::Eq, 0));
  EXPECT_FALSE(add(Op::Eq, 0));
  EXPECT_FALSE(add(Op::Eq, 1));  // the only other value
  EXPECT_FALSE(add(Op::Ge, 1));
  EXPECT_FALSE(add(Op::Le, 5));  // always
  EXPECT_EQ(set.all().size(), 1u);
}

// What symbolic execution makes of guards and effects, against the interpreter, on states of random models with
// functions, arrays and loops.
TEST(Symbolic, RandomEffectsAgainstTheInterpreter) {
  size_t compared = 0;
  size_t known = 0;
  Rng rng(11);
  for (const auto& profile : testing_support::profiles()) {
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      const auto random = testing_support::generate(profile, seed);
      const Example example(testing_support::to_xta(random), testing_support::to_query(random, random.queries.at(0)));
      const model::System& system = example.system();
      const std::vector<bool> opaque(system.variables.size(), false);
      std::vector<model::ValueSet> values(system.variables.size());
      for (auto& set : values) set.wide = true;
      Terms terms;
      model::Accesses accesses(system);
      Symbolic symbolic(system, terms, accesses, opaque, values);
      model::Interpreter interpreter(system);
      for (const model::Edge& edge : system.edges) {
        std::vector<int32_t> state = system.initial_values();
        for (size_t v = 0; v < state.size(); ++v) {
          const model::Variable& own = system.variables[v];
          const int64_t size = std::min<int64_t>(7, int64_t{own.hi} - own.lo + 1);
          state[v] = own.lo + static_cast<int32_t>(rng.below(static_cast<uint64_t>(size)));
        }
        symbolic.start();
        for (const model::ExprId guard : edge.guard) {
          try {
            const bool holds = interpreter.value(guard, state) != 0;
            const auto value = terms.value(symbolic.value(guard), state);
            ++compared;
            known += value.has_value();
            ASSERT_TRUE(!value || (*value != 0) == holds) << profile.name << " " << seed;
          } catch (const model::EvalFailure&) {
          }
        }
        std::vector<int32_t> after = state;
        std::vector<model::ClockReset> resets;
        try {
          interpreter.execute(edge.effect, after, resets);
        } catch (const model::EvalFailure&) {
          continue;
        }
        symbolic.execute(edge.effect);
        for (uint32_t v = 0; v < state.size(); ++v) {
          const auto value = terms.value(symbolic.read(v), state);
          ++compared;
          known += value.has_value();
          ASSERT_TRUE(!value || *value == after[v]) << profile.name << " " << seed << " " << system.variables[v].name;
        }
        for (const TermId condition : symbolic.conditions()) {
          ASSERT_NE(terms.value(condition, state), 0) << profile.name << " " << seed;
        }
      }
    }
  }
  EXPECT_GT(compared, 5000u);
  EXPECT_GT(known, compared * 9 / 10);
}

class SolverTest : public ::testing::Test {
 protected:
  Example example_{
      "int x, y; int[0,9] z; process P() { state a, b; init a; trans a -> b { guard x > y; assign x = x + 1, y = x * "
      "z; "
      "}, a -> a { assign y = 7 - x, z = 3; }; } system P;",
      "E<> x == 5"};
  Workbench bench_{example_.system(), example_.property().goal, Watch::none()};
  Solver solver_{bench_};

  TermId x() { return bench_.terms.variable(0); }
  TermId y() { return bench_.terms.variable(1); }
  TermId z() { return bench_.terms.variable(2); }
  TermId number(int32_t value) { return bench_.terms.constant(value); }
  TermId make(Op op, TermId a, TermId b) { return bench_.terms.make(op, a, b); }
};

TEST_F(SolverTest, WhatConditionsImply) {
  const std::vector<TermId> conditions{make(Op::Lt, x(), y()), make(Op::Lt, y(), number(5)),
                                       make(Op::Ge, z(), number(0))};
  const std::vector<TermId> outputs{make(Op::Lt, x(), number(4)), make(Op::Lt, x(), number(3)),
                                    make(Op::Gt, x(), number(4)), make(Op::Le, z(), number(9)),
                                    make(Op::Eq, make(Op::Mod, z(), number(2)), number(0))};
  const auto values = solver_.common(conditions, outputs);
  ASSERT_TRUE(values);
  EXPECT_EQ(*values, (std::vector<uint16_t>{1, Solver::kAny, 0, 1, Solver::kAny}));
  const std::vector<TermId> impossible{make(Op::Lt, x(), y()), make(Op::Lt, y(), x())};
  EXPECT_FALSE(solver_.common(impossible, outputs));
  EXPECT_GT(solver_.calls(), 2u);
}

TEST_F(SolverTest, DivisionRoundsTowardsZero) {
  for (const int32_t value : {-7, -6, -1, 0, 1, 6, 7}) {
    const std::vector<TermId> conditions{make(Op::Eq, x(), number(value))};
    const std::vector<TermId> outputs{make(Op::Eq, make(Op::Div, x(), number(3)), number(value / 3)),
                                      make(Op::Eq, make(Op::Mod, x(), number(3)), number(value % 3))};
    EXPECT_EQ(solver_.common(conditions, outputs), (std::vector<uint16_t>{1, 1})) << value;
  }
}

TEST_F(SolverTest, ConflictsOfPaths) {
  std::vector<Solver::Constraint> constraints(4);
  constraints[0].condition = make(Op::Gt, x(), number(3));
  constraints[1] = {1, true, 2, 0, 0, 0, number(5), false};   // T2 <= 5
  constraints[2] = {1, true, 0, 1, 0, 0, number(-5), false};  // T1 >= 5
  constraints[3].condition = make(Op::Lt, y(), number(3));
  EXPECT_FALSE(solver_.conflict(constraints, 3));
  constraints[2].strict = true;  // T1 > 5
  EXPECT_EQ(solver_.conflict(constraints, 3), (std::vector<size_t>{1, 2}));
  constraints[2].condition = make(Op::Lt, x(), number(3));  // only if
  EXPECT_FALSE(solver_.conflict(constraints, 3));
  constraints[3].condition = make(Op::Lt, x(), number(2));
  EXPECT_EQ(solver_.conflict(constraints, 3), (std::vector<size_t>{0, 3}));
}

}  // namespace
}  // namespace harrier::abstraction
