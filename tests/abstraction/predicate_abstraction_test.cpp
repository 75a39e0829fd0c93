// Predicate abstraction databases: what they promise, on random models with and without clocks, in every configuration;
// and what they find in models worked out by hand.
#include "abstraction/predicate_abstraction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

#include "base/error.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"
#include "search/zone_space.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::Profile;
using testing_support::StateGraph;

struct Configuration {
  std::string name;
  AbstractionOptions options;
  bool admissible = false;
};

std::vector<Configuration> configurations() {
  std::vector<Configuration> out;
  for (const auto& source : predicate_sources()) {
    for (const uint32_t split : {0u, 1u, 2u, 3u}) {
      for (const auto& combination : part_combinations()) {
        if (split == 0 && combination.adds) continue;
        Configuration c;
        c.options.predicates = source.name;
        c.options.split = split;
        c.options.part_values = combination.name;
        c.options.stop_rule = split == 2;
        c.name = std::string(source.name) + " " + std::to_string(split) + " " + combination.name;
        c.admissible = split == 0 || !combination.adds;
        out.push_back(std::move(c));
      }
    }
  }
  return out;
}

PredicateAbstraction make(const Example& example, const AbstractionOptions& options, bool clocks = false) {
  return {example.system(), example.property().goal, clocks, options};
}

// Calls check(Example&, name) for every query of random models.
template <class Check>
void for_random_models(bool timed, uint64_t first, uint64_t last, Check&& check) {
  for (const Profile& profile : testing_support::profiles()) {
    if ((profile.max_clocks != 0) != timed) continue;
    for (uint64_t seed = first; seed <= last; ++seed) {
      const testing_support::TaModel model = testing_support::generate(profile, seed);
      for (size_t q = 0; q < model.queries.size(); ++q) {
        const std::string text = testing_support::to_xta(model);
        Example example(text, testing_support::to_query(model, model.queries[q]));
        try {
          check(example, profile.name + " " + std::to_string(seed) + " query " + std::to_string(q));
        } catch (const model::EvalFailure&) {  // the model fails at run time
        } catch (const Error& e) {
          ASSERT_NE(e.kind(), ErrorKind::Internal) << e.what();
        }
        if (::testing::Test::HasFatalFailure()) {
          ADD_FAILURE() << text << example.property().text;
          return;
        }
      }
    }
  }
}

TEST(PredicateAbstraction, PromisesAreKeptWithoutClocks) {
  size_t dead_ends = 0;
  size_t estimates = 0;
  for_random_models(false, 1, 30, [&](Example& example, const std::string& name) {
    const auto graph = StateGraph::explore(example.system(), example.property(), 1000);
    if (!graph) return;
    for (const Configuration& c : configurations()) {
      PredicateAbstraction abstraction = make(example, c.options);
      for (size_t id = 0; id < graph->states.size(); ++id) {
        const uint32_t h = abstraction.value(graph->states[id].data());
        const std::string where = name + ", " + c.name + ", state " + std::to_string(id);
        ASSERT_TRUE(!graph->goal[id] || h == 0) << where << ": " << h << " in a goal state";
        ASSERT_TRUE(h != kUnreachable || graph->distance[id] == kUnreachable) << where;
        ASSERT_TRUE(!c.admissible || h == kUnreachable || h <= graph->distance[id])
            << where << ": " << h << " exceeds " << graph->distance[id];
        dead_ends += h == kUnreachable;
        estimates += h != 0;
      }
      if (!graph->states.empty() && abstraction.report().proved) {
        ASSERT_EQ(graph->distance[0], kUnreachable) << name << ", " << c.name;
        ASSERT_EQ(abstraction.value(graph->states[0].data()), kUnreachable) << name << ", " << c.name;
      }
    }
  });
  EXPECT_GT(dead_ends, 200u);
  EXPECT_GT(estimates, 10'000u);
}

TEST(PredicateAbstraction, PromisesAreKeptWithClocks) {
  constexpr size_t kMostStates = 300;
  size_t before_goals = 0;
  size_t dead_ends = 0;
  for_random_models(true, 1, 6, [&](Example& example, const std::string& name) {
    struct State {
      uint64_t parent = 0;
      std::vector<uint32_t> estimates;
      bool goal = false;
    };
    std::vector<std::unique_ptr<PredicateAbstraction>> abstractions;
    std::vector<bool> admissible;
    std::vector<std::string> names;
    for (const Configuration& c : configurations()) {
      for (const bool clocks : {false, true}) {
        abstractions.push_back(
            std::make_unique<PredicateAbstraction>(example.system(), example.property().goal, clocks, c.options));
        admissible.push_back(c.admissible);
        names.push_back(c.name + (clocks ? " clocks" : ""));
      }
    }
    std::vector<State> states;
    Budget budget;
    const step::Semantics semantics(example.system(), example.property());
    search::ZoneSpace space(semantics, budget, false);
    constexpr uint64_t kNoParent = store::Origin::kNoParent;
    const auto visit = [&](uint64_t parent) {
      if (!space.admit(parent, 0).fresh) return;
      State state{parent, {}, space.goal().has_value()};
      for (auto& a : abstractions) state.estimates.push_back(a->value(space.candidate(), space.candidate_zone()));
      states.push_back(std::move(state));
    };
    space.for_each_initial([&] {
      visit(kNoParent);
      return true;
    });
    for (uint64_t id = 0; id < states.size() && states.size() < kMostStates; ++id) {
      space.for_each_successor(id, [&](const step::Firing&) {
        visit(id);
        return true;
      });
    }
    for (const State& state : states) {
      for (const uint32_t h : state.estimates) dead_ends += h == kUnreachable;
    }
    for (uint64_t goal = 0; goal < states.size(); ++goal) {
      if (!states[goal].goal) continue;
      uint32_t distance = 0;
      for (uint64_t id = goal; id != kNoParent; id = states[id].parent, ++distance) {
        ++before_goals;
        for (size_t i = 0; i < abstractions.size(); ++i) {
          const uint32_t h = states[id].estimates[i];
          ASSERT_TRUE(admissible[i] ? h <= distance : h != kUnreachable)
              << name << ", " << names[i] << " is " << h << ", " << distance << " steps before a goal";
          ASSERT_TRUE(distance != 0 || h == 0) << name << ", " << names[i] << " is " << h << " in a goal state";
          ASSERT_FALSE(abstractions[i]->report().proved) << name << ", " << names[i];
        }
      }
    }
  });
  EXPECT_GT(before_goals, 200u);
  EXPECT_GT(dead_ends, 200u);
}

}  // namespace
}  // namespace harrier::abstraction
