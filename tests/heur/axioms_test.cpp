// What heuristics promise in models with derived variables, against the true distances.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "heur/landmark_count.h"
#include "heur/recipe.h"
#include "heur/relaxation.h"
#include "heur/table.h"
#include "heur/views.h"
#include "random/rng.h"
#include "support/random_axioms.h"
#include "support/state_graph.h"
#include "support/system_builder.h"
#include "task/variable_domains.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using model::VarId;
using testing_support::RandomAxioms;
using testing_support::Rng;
using testing_support::StateGraph;
using testing_support::SystemBuilder;

// Operators with preconditions, some on derived variables, and a goal that mostly speaks of some.
struct RandomTask {
  SystemBuilder b;
  model::Property property;

  explicit RandomTask(uint64_t seed) {
    Rng rng(seed);
    const auto p = b.process("P", {"A"});
    std::vector<VarId> plain;
    for (int i = 0; i < 4; ++i) plain.push_back(b.var("v" + std::to_string(i), 0, 2));
    std::vector<VarId> all = RandomAxioms(b, rng).add(6);
    all.insert(all.end(), plain.begin(), plain.end());
    const auto fact = [&](VarId v) { return b.eq(v, rng.between(0, b.system.variable(v).hi)); };
    for (int i = rng.between(3, 8); i > 0; --i) {
      const auto e = b.edge(p, 0, 0);
      for (int k = rng.between(0, 2); k > 0; --k) b.edge(e).guard.push_back(fact(rng.pick(all)));
      for (int k = rng.between(1, 2); k > 0; --k) b.edge(e).effect.push_back(b.set(rng.pick(plain), rng.between(0, 2)));
    }
    std::vector<model::ExprId> goal;
    for (int k = rng.between(1, 3); k > 0; --k) goal.push_back(fact(rng.pick(all)));
    property = SystemBuilder::reachable(goal);
  }
};

TEST(HeuristicsWithAxioms, PromisesAreKept) {
  size_t compared = 0, dead_ends = 0;
  for (uint64_t seed = 0; seed < 80; ++seed) {
    RandomTask task(seed);
    const auto graph = StateGraph::explore(task.b.system, task.property, 5'000);
    ASSERT_TRUE(graph.has_value());
    for (const heur::Entry& entry : heur::table()) {
      if (entry.sibling || !entry.is_for(task.b.system)) continue;
      const auto h = entry.make(task.b.system, task.property.goal);
      for (size_t id = 0; id < std::min<size_t>(graph->states.size(), 60); ++id) {
        const uint32_t estimate = h->evaluate(graph->states[id].data());
        const uint32_t distance = graph->distance[id];
        const std::string where = std::string(entry.name) + ", " + std::to_string(seed) + ", " + std::to_string(id);
        ASSERT_TRUE(!graph->goal[id] || estimate == 0) << where << ": " << estimate << " in a goal state";
        ASSERT_TRUE(!entry.safe || estimate != kDeadEnd || distance == kDeadEnd) << where;
        ASSERT_TRUE(!entry.admissible || estimate == kDeadEnd || estimate <= distance)
            << where << ": " << estimate << " exceeds " << distance;
        ++compared;
        dead_ends += estimate == kDeadEnd ? 1 : 0;
      }
    }
  }
  EXPECT_GT(compared, 5000u);
  EXPECT_GT(dead_ends, 200u);
}

TEST(HeuristicsWithAxioms, RelaxationsAgree) {
  for (uint64_t seed = 0; seed < 150; ++seed) {
    RandomTask task(seed);
    const auto graph = StateGraph::explore(task.b.system, task.property, 5'000);
    ASSERT_TRUE(graph.has_value());
    const auto layers = heur::get("hL").make(task.b.system, task.property.goal);
    for (const char* name : {"hmax", "hU", "hadd", "hff", "lmcut"}) {
      const auto other = heur::get(name).make(task.b.system, task.property.goal);
      for (size_t id = 0; id < std::min<size_t>(graph->states.size(), 60); ++id) {
        const int32_t* const state = graph->states[id].data();
        ASSERT_GE(other->evaluate(state), layers->evaluate(state)) << name << ", " << seed;
        ASSERT_EQ(other->evaluate(state) == kDeadEnd, layers->evaluate(state) == kDeadEnd) << name << ", " << seed;
      }
    }
  }
}

// A chain of variables a, b, c, each set by an operator of its own, and what they say together.
struct Chain {
  SystemBuilder b;
  std::vector<VarId> plain;
  VarId both, all;
  std::vector<model::EdgeId> operators;

  Chain() {
    const auto p = b.process("P", {"A"});
    for (const char* name : {"a", "b", "c"}) plain.push_back(b.var(name, 0, 1));
    both = b.var("both", 0, 1);
    all = b.var("all", 0, 1);
    b.system.axioms.push_back({both, 1, 0, {b.eq(plain[0], 1), b.eq(plain[1], 1)}, {}});
    b.system.axioms.push_back({all, 1, 0, {b.eq(both, 1), b.eq(plain[2], 1)}, {}});
    for (size_t i = 0; i < plain.size(); ++i) {
      operators.push_back(b.edge(p, 0, 0));
      b.edge(operators[i]).effect = {b.set(plain[i], 1)};
    }
    b.edge(operators[2]).guard = {b.eq(both, 1)};
  }
  uint32_t estimate(const char* name, const model::Property& property) const {
    return heur::get(name).make(b.system, property.goal)->evaluate(b.system.initial_values().data());
  }
};

TEST(HeuristicsWithAxioms, AxiomsCostNothing) {
  Chain chain;
  const auto goal = SystemBuilder::reachable({chain.b.eq(chain.all, 1)});
  EXPECT_EQ(chain.estimate("hmax", goal), 2u) << "a and b at once, then c";
  for (const char* name : {"hU", "hff", "lmcut", "lmcount"}) EXPECT_EQ(chain.estimate(name, goal), 3u) << name;
  for (const char* name : {"hadd", "hcea", "hCG"}) {
    EXPECT_EQ(chain.estimate(name, goal), 5u) << name << ": a and b count for what follows, and for c";
  }
}

TEST(HeuristicsWithAxioms, OnlyOperatorsArePreferred) {
  Chain chain;
  const auto goal = SystemBuilder::reachable({chain.b.eq(chain.all, 1)});
  for (const char* name : {"hff", "hcea", "hCG"}) {
    const auto h = heur::get(name).make(chain.b.system, goal.goal);
    h->evaluate(chain.b.system.initial_values().data());
    const auto prefers = [&](size_t i) { return h->prefers(std::vector{chain.operators[i].value}); };
    EXPECT_TRUE(prefers(0) && prefers(1)) << name;
    EXPECT_FALSE(prefers(2)) << name;
  }
}

TEST(HeuristicsWithAxioms, WhatFollowsFromALandmarkDoesNotCountAgain) {
  Chain chain;
  const auto goal = SystemBuilder::reachable({chain.b.eq(chain.all, 1)});
  heur::LandmarkCount count(
      std::make_shared<heur::RelaxedTask>(std::make_shared<const task::Task>(chain.b.system, goal.goal)));
  EXPECT_GE(count.landmarks().size(), 5u) << "the variables, and what follows";
  std::vector<uint64_t> memory(count.memory_words());
  EXPECT_EQ(count.evaluate_after(nullptr, chain.b.system.initial_values().data(), memory.data()), 3u);
}

TEST(HeuristicsWithAxioms, InitialValuesCanBeHadAgain) {
  Chain chain;
  const auto goal = SystemBuilder::reachable({chain.b.eq(chain.both, 0)});
  std::vector<int32_t> state = chain.b.system.initial_values();
  for (const VarId v : {chain.plain[0], chain.plain[1], chain.both}) state[v.value] = 1;
  for (const char* name : {"hmax", "hff", "lmcut", "hcea", "hCG"}) {
    EXPECT_EQ(heur::get(name).make(chain.b.system, goal.goal)->evaluate(state.data()), 0u) << name;
  }
}

TEST(HeuristicsWithAxioms, PredicateAbstractionIsRefused) {
  Chain chain;
  const auto goal = SystemBuilder::reachable({chain.b.eq(chain.all, 1)});
  EXPECT_FALSE(heur::get("pa").is_for(chain.b.system));
  heur::Views views(chain.b.system, goal.goal);
  abstraction::Workshop workshop;
  try {
    heur::recipes("pa")[0].make({views, heur::Clocks::Ignore, nullptr, Watch::none(), &workshop});
    FAIL() << "not refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Unsupported);
    EXPECT_STREQ(e.what(), "unsupported: pa in a model with derived variables");
  }
}

}  // namespace
}  // namespace harrier
