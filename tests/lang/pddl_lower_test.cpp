// Finite-domain tasks as models: the edges do what the operators say, whatever their effects read and write.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/rng.h"
#include "lang/pddl/lower.h"
#include "lang/smv_support.h"
#include "model/interpreter.h"

namespace harrier::testing {
namespace {

using model::Op;
using pddl::Fact;
using pddl::FiniteTask;
using State = std::vector<int32_t>;

FiniteTask task_of(const std::vector<uint32_t>& sizes) {
  FiniteTask task;
  for (size_t v = 0; v < sizes.size(); ++v) {
    pddl::FiniteVariable variable{.name = "v" + std::to_string(v)};
    for (uint32_t i = 0; i < sizes[v]; ++i) variable.values.push_back("value " + std::to_string(i));
    task.variables.push_back(std::move(variable));
    task.initial.push_back(0);
  }
  return task;
}

bool holds(const std::vector<Fact>& facts, const State& state) {
  return std::all_of(facts.begin(), facts.end(),
                     [&](Fact f) { return state[f.variable] == static_cast<int32_t>(f.value); });
}

// What an operator is: all conditions look at the state before it, and the last effect on a variable counts.
std::set<State> meant(const pddl::Operator& op, const State& before) {
  if (!holds(op.preconditions, before)) return {};
  State after = before;
  for (const pddl::FiniteEffect& effect : op.effects) {
    if (holds(effect.conditions, before)) after[effect.fact.variable] = static_cast<int32_t>(effect.fact.value);
  }
  return {after};
}

void compare(const FiniteTask& task, const std::vector<State>& states) {
  const pddl::Lowered lowered = pddl::lower(task, Watch::none());
  for (const State& state : states) {
    State whole = state;
    whole.push_back(0);  // the location
    for (size_t o = 0; o < task.operators.size(); ++o) {
      std::set<State> found;
      for (State after : outcomes(lowered.system, model::EdgeId(o), whole)) {
        after.pop_back();
        found.insert(after);
      }
      EXPECT_EQ(found, meant(task.operators[o], state)) << "operator " << o;
    }
  }
}

TEST(PddlLower, IsOneProcessWithOneLocation) {
  FiniteTask task = task_of({3, 2});
  task.costs = true;
  task.variables[1].values = {"Atom lit()", "NegatedAtom lit()"};
  task.initial = {2, 1};
  task.goal = {{0, 1}, {1, 0}};
  task.operators.push_back({"(go a b)", {{0, 2}, {1, 1}}, {{{}, {0, 1}}}, 7});
  const pddl::Lowered lowered = pddl::lower(task, Watch::none());
  const model::System& system = lowered.system;
  ASSERT_EQ(system.variables.size(), 3u);
  EXPECT_EQ(system.variables[0].hi, 2);
  EXPECT_EQ(system.variables[0].initial, 2);
  EXPECT_EQ(system.value_names[system.variables[1].value_names - 1][1], "not lit()");
  ASSERT_EQ(system.processes.size(), 1u);
  EXPECT_EQ(system.processes[0].locations.size(), 1u);
  EXPECT_EQ(system.processes[0].edges.size(), 1u);
  const model::Edge& edge = system.edges[0];
  EXPECT_EQ(edge.label, "(go a b)");
  EXPECT_EQ(edge.cost, 7u);
  ASSERT_EQ(edge.guard.size(), 2u);
  EXPECT_EQ(system.expr(edge.guard[0]).op, Op::Eq);
  ASSERT_EQ(lowered.properties.size(), 1u);
  ASSERT_EQ(lowered.properties[0].goal.size(), 1u);
  model::Interpreter run(system);
  EXPECT_FALSE(run.holds(lowered.properties[0].goal[0].conditions, system.initial_values()));
  EXPECT_TRUE(run.holds(lowered.properties[0].goal[0].conditions, State{1, 0, 0}));
}

// What occurs in many operators is made once.
TEST(PddlLower, OperatorsShareWhatIsTheSame) {
  FiniteTask task = task_of({3, 3});
  for (int i = 0; i < 2; ++i) task.operators.push_back({"(o)", {{0, 2}}, {{{{0, 1}}, {1, 2}}, {{}, {0, 1}}}, 1});
  const model::System system = pddl::lower(task, Watch::none()).system;
  EXPECT_EQ(system.edges[0].guard, system.edges[1].guard);
  EXPECT_EQ(system.edges[0].effect, system.edges[1].effect);
}

TEST(PddlLower, ConditionsLookAtTheStateBefore) {
  FiniteTask task = task_of({2, 2, 2});
  // Values go round in a circle.
  pddl::Operator turn{"(turn)", {}, {}, 1};
  for (uint32_t v = 0; v < 3; ++v) {
    for (uint32_t value = 0; value < 2; ++value) turn.effects.push_back({{{v, value}}, {(v + 1) % 3, value}});
  }
  task.operators.push_back(turn);
  // What is read is written before it.
  task.operators.push_back({"(chain)", {}, {{{}, {2, 1}}, {{{2, 0}}, {1, 1}}, {{{1, 0}}, {0, 1}}}, 1});
  std::vector<State> states;
  for (int i = 0; i < 8; ++i) states.push_back({i & 1, i >> 1 & 1, i >> 2});
  compare(task, states);
}

TEST(PddlLower, RandomEffectsDoWhatTheyMean) {
  Rng random(7);
  const auto below = [&](size_t n) { return static_cast<uint32_t>(random.below(n)); };
  for (int round = 0; round < 300; ++round) {
    std::vector<uint32_t> sizes;
    for (uint32_t v = 0; v < 2 + below(4); ++v) sizes.push_back(2 + below(3));
    FiniteTask task = task_of(sizes);
    const auto fact = [&] {
      const uint32_t v = below(sizes.size());
      return Fact{v, below(sizes[v])};
    };
    for (int o = 0; o < 4; ++o) {
      pddl::Operator op{"(o)", {}, {}, 1};
      if (below(2) == 0) op.preconditions.push_back(fact());
      for (uint32_t e = 0; e < 1 + below(7); ++e) {
        pddl::FiniteEffect effect{{}, fact()};
        for (uint32_t c = 0; c < below(3); ++c) effect.conditions.push_back(fact());
        op.effects.push_back(std::move(effect));
      }
      task.operators.push_back(std::move(op));
    }
    std::vector<State> states;
    for (int s = 0; s < 12; ++s) {
      State state;
      for (const uint32_t size : sizes) state.push_back(static_cast<int32_t>(below(size)));
      states.push_back(state);
    }
    compare(task, states);
  }
}

// More than can be nested.
TEST(PddlLower, AVariableMayHaveManyConditionalEffects) {
  constexpr uint32_t kMany = 5000;
  FiniteTask task = task_of({kMany, 3, 3});
  pddl::Operator op{"(o)", {}, {}, 1};
  for (uint32_t i = 0; i < kMany; ++i) {
    op.effects.push_back({{{0, i}}, {1, i % 3}});
    op.effects.push_back({{{0, i}, {1, 2}}, {2, i % 2}});
  }
  task.operators.push_back(op);
  compare(task, {{0, 2, 2}, {1, 1, 1}, {4999, 2, 2}, {2500, 2, 1}});
}

TEST(PddlLower, AxiomsAreSortedByLayer) {
  FiniteTask task = task_of({2, 2, 2});
  task.variables[1].layer = 1;
  task.variables[2].layer = 0;
  task.initial = {0, 1, 1};
  task.axioms.push_back({{{2, 1}}, {1, 0}});
  task.axioms.push_back({{{0, 1}}, {2, 0}});
  const model::System system = pddl::lower(task, Watch::none()).system;
  ASSERT_EQ(system.axioms.size(), 2u);
  EXPECT_EQ(system.axioms[0].head.value, 2u);
  EXPECT_EQ(system.axioms[0].layer, 0u);
  EXPECT_EQ(system.axioms[1].head.value, 1u);
  EXPECT_EQ(system.axioms[1].value, 0);
  EXPECT_EQ(system.axioms[1].body.size(), 1u);
}

TEST(PddlLower, WhatCannotBeReachedIsNoGoal) {
  FiniteTask task;
  task.solvable = false;
  EXPECT_TRUE(pddl::lower(task, Watch::none()).properties[0].goal.empty());
  task.solvable = true;
  ASSERT_EQ(pddl::lower(task, Watch::none()).properties[0].goal.size(), 1u);
}

TEST(PddlLower, TheProcessHasANameOfItsOwn) {
  FiniteTask task = task_of({2});
  task.variables[0].name = "task";
  const model::System system = pddl::lower(task, Watch::none()).system;
  EXPECT_NE(system.variables[1].name, "task");
}

}  // namespace
}  // namespace harrier::testing
