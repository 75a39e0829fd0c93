// What heuristics promise, checked on every state of random small models without clocks, against the true distances.
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <set>
#include <string>

#include "heur/landmark_cut.h"
#include "heur/relaxation.h"
#include "heur_support.h"
#include "random/rng.h"
#include "random_models.h"
#include "task/causal_graph.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using heur::RelaxedTask;
using testing_support::Example;
using testing_support::for_random_models;
using testing_support::samples;
using testing_support::StateGraph;

constexpr size_t kMostEvaluated = 150;

TEST(RandomHeuristics, PromisesAreKept) {
  for_random_models(120, [](Example& example, const StateGraph& graph, const std::string& name) {
    for (const uint64_t id : samples(graph, kMostEvaluated)) {
      const auto& state = graph.states[id];
      for (const heur::Entry& entry : heur::table()) {
        if (entry.sibling) continue;
        const uint32_t h = example.estimate(entry.name, state);
        const std::string where = std::string(entry.name) + ", " + name + ", state " + std::to_string(id);
        ASSERT_TRUE(!graph.goal[id] || h == 0) << where << ": " << h << " in a goal state";
        ASSERT_TRUE(!entry.safe || h != kDeadEnd || graph.distance[id] == kDeadEnd) << where;
        ASSERT_TRUE(!entry.admissible || h == kDeadEnd || h <= graph.distance[id])
            << where << ": " << h << " exceeds " << graph.distance[id];
      }
      const uint32_t layers = example.estimate("hL", state);
      ASSERT_EQ(example.estimate("hmax", state), layers);
      for (const char* larger : {"hU", "hadd", "hff", "lmcut"}) {
        ASSERT_GE(example.estimate(larger, state), layers) << larger << " " << name;
        ASSERT_EQ(example.estimate(larger, state) == kDeadEnd, layers == kDeadEnd) << larger << " " << name;
      }
    }
  });
}

// The same with variables that count as too wide to have a fact for each value.
TEST(RandomHeuristics, PromisesAreKeptOfWideVariables) {
  size_t dead_ends = 0;
  for_random_models(120, [&](Example& example, const StateGraph& graph, const std::string& name) {
    for (const auto& [most_values, largest_window] :
         {std::pair(0, 0), {1, 0}, {2, 0}, {0, 2}, {0, 3}, {1, 4}, {2, 64}}) {
      const task::Task::Limits limits{static_cast<size_t>(most_values), static_cast<size_t>(largest_window)};
      const auto task = std::make_shared<RelaxedTask>(
          std::make_shared<const task::Task>(example.system(), example.property().goal, limits));
      heur::Relaxation layers(task, heur::RelaxedValue::Layers);
      heur::Relaxation plan(task, heur::RelaxedValue::Plan);
      heur::LandmarkCut cuts(task);
      for (const uint64_t id : samples(graph, kMostEvaluated)) {
        const uint32_t h = layers.evaluate(graph.states[id].data());
        const std::string where = name + ", state " + std::to_string(id) + ", " + std::to_string(most_values) + ", " +
                                  std::to_string(largest_window);
        ASSERT_TRUE(h == kDeadEnd ? graph.distance[id] == kDeadEnd : h <= graph.distance[id]) << where << ": " << h;
        // Intervals may see a range violation where single facts do not.
        if (h != kDeadEnd) {
          ASSERT_LE(h, example.estimate("hL", graph.states[id])) << where;
        }
        ASSERT_EQ(plan.evaluate(graph.states[id].data()) == kDeadEnd, h == kDeadEnd) << where;
        const uint32_t cut = cuts.evaluate(graph.states[id].data());
        ASSERT_TRUE(cut >= h && cut <= graph.distance[id] && (cut == kDeadEnd) == (h == kDeadEnd))
            << where << ": " << cut;
        dead_ends += h == kDeadEnd;
      }
    }
  });
  EXPECT_GT(dead_ends, 1000u);
}

TEST(RandomHeuristics, EstimatesDoNotDependOnEarlierOnes) {
  for_random_models(40, [](Example& example, const StateGraph& graph, const std::string& name) {
    const auto ids = samples(graph, 25);
    for (const heur::Entry& entry : heur::table()) {
      if (entry.sibling) continue;
      std::vector<uint32_t> forwards;
      for (const uint64_t id : ids) forwards.push_back(example.estimate(entry.name, graph.states[id]));
      for (size_t i = ids.size(); i-- > 0;) {
        const auto fresh = entry.make(example.system(), example.property().goal);
        ASSERT_EQ(fresh->evaluate(graph.states[ids[i]].data()), forwards[i]) << entry.name << " " << name;
        ASSERT_EQ(example.estimate(entry.name, graph.states[ids[i]]), forwards[i]) << entry.name << " " << name;
        if (entry.name != std::string("hU") && entry.name != std::string("hff")) {
          const uint32_t same = example.estimate_without(entry.name, graph.states[ids[i]], {});
          ASSERT_EQ(same, forwards[i]) << entry.name << " without nothing, " << name;
        }
      }
    }
  });
}

TEST(RandomHeuristics, WithoutEdgesIsInTheModelWithoutThem) {
  testing_support::Rng rng(7);
  for_random_models(60, [&](Example& example, const StateGraph& graph, const std::string& name) {
    if (example.system().edges.empty()) return;
    std::vector<uint32_t> removed;
    for (size_t n = 1 + rng.below(3); n > 0; --n)
      removed.push_back(static_cast<uint32_t>(rng.below(example.system().edges.size())));
    model::System reduced = example.system();
    for (const uint32_t e : removed) reduced.edges[e].guard = {reduced.make_const(0)};
    const auto& goal = example.property().goal;
    const auto order = [&](const model::System& system) {
      return task::CausalGraph(task::VariableDomains(std::make_shared<const task::Task>(system, goal))).order();
    };
    const bool same_order = order(example.system()) == order(reduced);
    for (const char* h : {"hL", "hmax", "hadd", "hU", "hff", "lmcut", "hCG", "hcea"}) {
      if (h == std::string("hCG") && !same_order) continue;
      const auto expected = heur::find(h)->make(reduced, goal);
      for (const uint64_t id : samples(graph, 20)) {
        const uint32_t value = expected->evaluate(graph.states[id].data());
        const uint32_t found = example.estimate_without(h, graph.states[id], removed);
        ASSERT_EQ(found == kDeadEnd, value == kDeadEnd) << h << " " << name;
        // Paths and cuts that are selected from many may differ by the order in which rules come.
        const bool selected = h == std::string("hU") || h == std::string("hff") || h == std::string("lmcut");
        ASSERT_TRUE(selected || found == value) << h << " " << name << ": " << found << ", not " << value;
      }
    }
  });
}

// h^+ (Kupferschmid et al. 2006, §3): the number of transitions of a shortest abstract path, by breadth-first search
// over sets of facts. None if there are too many sets.
std::optional<uint32_t> optimal_relaxed_distance(const RelaxedTask& task, const std::vector<int32_t>& state) {
  using Facts = std::vector<bool>;
  const auto holds = [&](const Facts& facts, const RelaxedTask::Rule& rule) {
    const auto preconditions = task.preconditions(rule);
    return std::all_of(preconditions.begin(), preconditions.end(), [&](uint32_t f) { return facts[f]; });
  };
  const auto close = [&](Facts& facts) {
    for (bool changed = true; changed;) {
      changed = false;
      for (const RelaxedTask::Rule& rule : task.rules()) {
        const uint32_t effect = task.effects(rule)[0];
        if (rule.transition != RelaxedTask::kFree || facts[effect] || !holds(facts, rule)) continue;
        facts[effect] = true;
        changed = true;
      }
    }
  };
  Facts start(task.fact_count(), false);
  std::vector<uint32_t> initial(task.fact_count());
  initial.resize(task.facts_of(state.data(), initial.data()));
  for (const uint32_t f : initial) start[f] = true;
  close(start);
  std::set<Facts> seen{start};
  std::deque<std::pair<Facts, uint32_t>> queue{{start, 0}};
  while (!queue.empty()) {
    const auto [facts, depth] = queue.front();
    queue.pop_front();
    if (facts[task.goal_fact()]) return depth;
    for (uint32_t t = 0; t < task.task().transitions().size(); ++t) {
      Facts next = facts;
      for (const RelaxedTask::Rule& rule : task.rules()) {
        if (rule.transition != t || !holds(facts, rule)) continue;
        for (const uint32_t f : task.effects(rule)) next[f] = true;
      }
      if (next == facts) continue;
      close(next);
      if (!seen.insert(next).second) continue;
      if (seen.size() > 4000) return std::nullopt;
      queue.emplace_back(std::move(next), depth + 1);
    }
  }
  return kDeadEnd;
}

TEST(RandomHeuristics, BoundsOfTheOptimalAbstractDistance) {
  size_t measured = 0;
  for_random_models(60, [&](Example& example, const StateGraph& graph, const std::string& name) {
    const RelaxedTask task(std::make_shared<const task::Task>(example.system(), example.property().goal));
    if (task.fact_count() > 120) return;
    for (const uint64_t id : samples(graph, 4)) {
      const auto optimal = optimal_relaxed_distance(task, graph.states[id]);
      if (!optimal) return;
      ++measured;
      ASSERT_LE(example.estimate("hL", graph.states[id]), *optimal) << name;
      ASSERT_LE(example.estimate("lmcut", graph.states[id]), *optimal) << name;
      ASSERT_GE(example.estimate("hU", graph.states[id]), *optimal) << name;
      ASSERT_GE(example.estimate("hff", graph.states[id]), *optimal) << name;
      ASSERT_LE(*optimal, graph.distance[id]) << name;
    }
  });
  EXPECT_GT(measured, 50u);
}

}  // namespace
}  // namespace harrier
