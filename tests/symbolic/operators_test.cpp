// The symbolic evaluator against the reference interpreter, on random expressions and statements of all kinds.
#include "random/operators.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include "symbolic/compare.h"

namespace harrier::testing_support {
namespace {

using model::StmtKind;

// The system without clocks, and with domains of at most four values, some of them at the ends of all integers.
model::System small(model::System system, uint64_t seed) {
  Rng rng(seed);
  const std::vector<int32_t> lowest = {0, -2, -1, 0, 5, INT32_MIN, INT32_MAX - 3, 30};
  for (model::Variable& v : system.variables) {
    if (v.kind == model::VarKind::Location) continue;
    v.lo = rng.pick(lowest);
    v.hi = v.lo + rng.between(0, 3);
    v.initial = v.lo;
  }
  system.clocks.resize(1);
  for (model::Edge& e : system.edges) e.clock_guard.clear();
  for (model::Stmt& s : system.stmts) {
    if (s.kind == StmtKind::Reset) s = {.kind = StmtKind::Expr, .expr = s.expr};
  }
  return system;
}

// Effects that choose: the value of a slot, which is stored, or assumed to be something, anywhere.
model::System with_choices(model::System system, uint64_t seed) {
  Rng rng(seed);
  const uint32_t first = system.quantifier_slots;
  system.quantifier_slots += 3;
  const auto variable = [&] { return model::VarId(rng.below(system.variables.size() - 1)); };
  const auto local = [&] { return system.make({.op = model::Op::Local, .base = first + uint32_t(rng.below(3))}); };
  const auto some = [&] {
    return rng.chance(50) ? local() : system.make_binary(model::Op::Sub, local(), system.make_var(variable()));
  };
  const auto choose = [&](uint32_t slot) {
    const model::Variable& v = system.variable(variable());
    const auto count = static_cast<uint32_t>(rng.between(1, 4));
    const auto low = std::clamp<int64_t>(int64_t{v.hi} - 3, INT32_MIN, v.lo);
    return system.make_stmt(
        {.kind = StmtKind::Choose, .first = slot, .count = count, .low = static_cast<int32_t>(low)});
  };
  const auto store = [&](model::ExprId value) {
    return system.make_expr_stmt(system.make({.op = model::Op::Store, .base = variable().value, .b = value}));
  };
  for (size_t e = 0; e < system.edges.size(); ++e) {
    std::vector<model::StmtId> effect;
    if (rng.chance(30)) effect = system.edges[e].effect;
    for (uint32_t i = 0; i < 3; ++i) {
      if (rng.chance(70)) effect.push_back(choose(first + i));
      if (rng.chance(30)) {
        effect.push_back(system.make_expr_stmt(
            system.make({.op = model::Op::StoreLocal, .base = first + uint32_t(rng.below(3)), .b = some()})));
      }
      if (rng.chance(40)) {
        const model::ExprId test = system.make_binary(rng.chance(50) ? model::Op::Le : model::Op::Ne, some(), some());
        effect.push_back(system.make_stmt({.kind = StmtKind::Assume, .expr = test}));
      }
      if (rng.chance(30)) {
        model::Stmt branch{.kind = StmtKind::If, .expr = some()};
        branch.a = choose(first + uint32_t(rng.below(3)));
        branch.b = system.make_stmt({.kind = StmtKind::Assume, .expr = some()});
        effect.push_back(system.make_stmt(branch));
      }
    }
    for (size_t i = rng.below(4); i > 0; --i) effect.push_back(store(rng.chance(70) ? local() : some()));
    system.edges[e].effect = effect;
  }
  return system;
}

TEST(SymbolicOperators, ChooseAsTheyAreInterpreted) {
  int moved = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const model::System system = with_choices(small(random_operators(seed), seed), seed);
    Comparison comparison(system);
    ASSERT_EQ(comparison.difference(seed, 10), "") << "seed " << seed;
    moved += comparison.moved;
  }
  EXPECT_GT(moved, 1000);
}

TEST(SymbolicOperators, AreAsTheyAreInterpreted) {
  int compared = 0;
  int failed = 0;
  int moved = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    const model::System system = small(random_operators(seed), seed);
    Comparison comparison(system);
    ASSERT_EQ(comparison.difference(seed, 20), "") << "seed " << seed;
    compared += comparison.compared;
    failed += comparison.failed;
    moved += comparison.moved;
  }
  EXPECT_GT(failed, compared / 10);
  EXPECT_GT(moved, compared / 10);
}

}  // namespace
}  // namespace harrier::testing_support
