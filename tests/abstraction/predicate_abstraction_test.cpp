// Predicate abstraction databases: what they promise, on random models with and without clocks, in every configuration;
// and what they find in models worked out by hand.
#include "abstraction/predicates/predicate_abstraction.h"

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

uint32_t value(const PredicateAbstraction& abstraction, const int32_t* state, const zone::ZoneView& zone = {}) {
  auto scratch = abstraction.make_scratch();
  return abstraction.look_up(state, zone, scratch);
}

uint32_t value_in_part(const PredicateAbstraction& abstraction, size_t part, const int32_t* state) {
  auto scratch = abstraction.make_scratch();
  return abstraction.look_up_in_part(part, state, {}, scratch);
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
        const uint32_t h = value(abstraction, graph->states[id].data());
        const std::string where = name + ", " + c.name + ", state " + std::to_string(id);
        ASSERT_TRUE(!graph->goal[id] || h == 0) << where << ": " << h << " in a goal state";
        ASSERT_TRUE(h != kInfinity || graph->distance[id] == kInfinity) << where;
        ASSERT_TRUE(!c.admissible || h == kInfinity || h <= graph->distance[id])
            << where << ": " << h << " exceeds " << graph->distance[id];
        dead_ends += h == kInfinity;
        estimates += h != 0;
      }
      if (!graph->states.empty() && abstraction.report().proved) {
        ASSERT_EQ(graph->distance[0], kInfinity) << name << ", " << c.name;
        ASSERT_EQ(value(abstraction, graph->states[0].data()), kInfinity) << name << ", " << c.name;
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
      for (auto& a : abstractions) state.estimates.push_back(value(*a, space.candidate(), space.candidate_zone()));
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
      for (const uint32_t h : state.estimates) dead_ends += h == kInfinity;
    }
    for (uint64_t goal = 0; goal < states.size(); ++goal) {
      if (!states[goal].goal) continue;
      uint32_t distance = 0;
      for (uint64_t id = goal; id != kNoParent; id = states[id].parent, ++distance) {
        ++before_goals;
        for (size_t i = 0; i < abstractions.size(); ++i) {
          const uint32_t h = states[id].estimates[i];
          ASSERT_TRUE(admissible[i] ? h <= distance : h != kInfinity)
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

AbstractionOptions options(const std::string& predicates, uint32_t split) {
  AbstractionOptions out;
  out.predicates = predicates;
  out.split = split;
  return out;
}

std::string details(const PredicateAbstraction& abstraction) {
  std::string out;
  for (const auto& [name, text] : abstraction.report().details) out += name + ": " + text + "\n";
  return out;
}

// Counts to `goal` by ones, if it can.
Example counter(const std::string& goal) {
  return {
      "int[0,9] n; process P() { state a, b; init a; trans a -> a { guard n < 9; assign n = n + 2; }, a -> b { "
      "guard n == " +
          goal + "; }; } system P;",
      "E<> P.b"};
}

TEST(PredicateAbstraction, SyntaxAndRefinementOnACounter) {
  const Example example = counter("6");
  PredicateAbstraction syntax = make(example, options("syntax", 2));
  // n == 6 and n < 9 do not tell how far n is from 6.
  EXPECT_EQ(value(syntax, example.initial().data()), 2u);
  AbstractionOptions refined = options("refinement", 2);
  refined.refinements = 0;
  EXPECT_EQ(value(make(example, refined), example.initial().data()), 1u);
  refined.refinements = 10;
  PredicateAbstraction refinement = make(example, refined);
  EXPECT_EQ(value(refinement, example.initial().data()), 4u);
  EXPECT_NE(details(refinement).find("the path is feasible"), std::string::npos) << details(refinement);
  EXPECT_EQ(value(refinement, example.state({{"n", 4}}).data()), 2u);
}

TEST(PredicateAbstraction, RefinementProves) {
  // Both change together, so m is 0 where n is even.
  const Example example(
      "int[0,9] n; int[0,1] m; process P() { state a, b; init a; trans a -> a { guard n < 9; assign n = n + 1, m = 1 - "
      "m; }, a -> b { guard n == 6 && m == 1; }; } system P;",
      "E<> P.b");
  AbstractionOptions refined = options("refinement", 2);
  refined.refinements = 20;
  PredicateAbstraction refinement = make(example, refined);
  EXPECT_TRUE(refinement.report().proved) << details(refinement);
  EXPECT_EQ(value(refinement, example.initial().data()), kInfinity);
  EXPECT_FALSE(make(example, options("syntax", 2)).report().proved);
}

TEST(PredicateAbstraction, RefinementWithClocks) {
  // y is never reset, x always is: after n rounds of at least 3, y >= 3n.
  const Example example(
      "clock x, y; process P() { state a, b, c; init a; trans a -> b { guard x >= 3; assign x = 0; }, b -> c { guard x "
      ">= 3 && y < 6; }; } system P;",
      "E<> P.c");
  AbstractionOptions refined = options("refinement", 2);
  EXPECT_TRUE(make(example, refined, true).report().proved) << details(make(example, refined, true));
  const Example possible(
      "clock x, y; process P() { state a, b, c; init a; trans a -> b { guard x >= 3; assign x = 0; }, b -> c { guard x "
      ">= 3 && y <= 6; }; } system P;",
      "E<> P.c");
  PredicateAbstraction feasible = make(possible, refined, true);
  EXPECT_FALSE(feasible.report().proved);
  EXPECT_EQ(value(feasible, possible.initial().data()), 2u);
}

TEST(PredicateAbstraction, StopRuleTakesTheIterationBefore) {
  // Two ways, both of which have to be refuted: the length does not grow with the first.
  const Example example(
      "int[0,1] u, v; process P() { state a, b, c; init a; trans a -> b { guard u == 1; }, a -> b { guard v == 1; }, b "
      "-> c { }, a -> a { assign u = 1, v = 1; }; } system P;",
      "E<> P.c");
  AbstractionOptions refined = options("refinement", 2);
  refined.stop_rule = true;
  PredicateAbstraction stopped = make(example, refined);
  EXPECT_EQ(value(stopped, example.initial().data()), 2u);
  EXPECT_NE(details(stopped).find("no longer grow"), std::string::npos) << details(stopped);
  refined.stop_rule = false;
  EXPECT_EQ(value(make(example, refined), example.initial().data()), 3u);
}

TEST(PredicateAbstraction, LargeDomainsAreForTheSolver) {
  const Example example(
      "int x, y; process P() { state a, b, c; init a; trans a -> a { assign x = x + 1; }, a -> a { assign y = y + 1; "
      "}, "
      "a -> b { guard x == y + 2; assign x = 0; }, b -> c { guard x > y; }; } system P;",
      "E<> P.c");
  PredicateAbstraction syntax = make(example, options("syntax", 0));
  EXPECT_GE(value(syntax, example.initial().data()), 3u);
  EXPECT_EQ(details(syntax).find("Z3: 0 calls"), std::string::npos) << details(syntax);
}

TEST(PredicateAbstraction, PartsAreAddedOrTheLargestCounts) {
  const std::string process = "{ state a, b, c; init a; trans a -> b { }, b -> c { }; }";
  const Example example("process P() " + process + " process Q() " + process + " system P, Q;", "E<> P.c and Q.b");
  AbstractionOptions split = options("syntax", 1);
  EXPECT_EQ(value(make(example, split), example.initial().data()), 3u);
  split.part_values = "max";
  EXPECT_EQ(value(make(example, split), example.initial().data()), 2u);
  EXPECT_EQ(value(make(example, options("syntax", 0)), example.initial().data()), 3u);
  PredicateAbstraction parts = make(example, split);
  ASSERT_EQ(parts.parts(), 2u);
  EXPECT_EQ(value_in_part(parts, 0, example.initial().data()), 2u);
  EXPECT_EQ(value_in_part(parts, 1, example.initial().data()), 1u);
}

TEST(PredicateAbstraction, OthersMayLetTimePass) {
  // In the part of P, nobody knows that Q lets time pass by leaving its location.
  const Example example(
      "clock x, y; process P() { state a, b; init a; trans a -> b { guard x > 5; }; } process Q() { state a { y <= 3 "
      "}, "
      "b; init a; trans a -> b { }; } system P, Q;",
      "E<> P.b");
  PredicateAbstraction split = make(example, options("syntax", 1), true);
  Budget budget;
  const step::Semantics semantics(example.system(), example.property());
  search::ZoneSpace space(semantics, budget, false);
  uint32_t estimate = 0;
  space.for_each_initial([&] {
    estimate = value(split, space.candidate(), space.candidate_zone());
    return true;
  });
  EXPECT_EQ(estimate, 1u);
}

// More receivers than there are steps for their combinations; they leave a committed location.
TEST(PredicateAbstraction, BroadcastsToMany) {
  const Example example(
      "broadcast chan go; int[0,1] n; process S() { state a, b; init a; trans a -> b { sync go!; }, b -> a { assign n "
      "= "
      "1; }; } process R(int[0,8] id) { state a, b, c; commit a; init a; trans a -> b { sync go?; }, b -> c { guard n "
      "== "
      "1; }; } system S, R;",
      "E<> R(0).c and R(8).c");
  const auto graph = StateGraph::explore(example.system(), example.property(), 5000);
  ASSERT_TRUE(graph);
  ASSERT_EQ(graph->distance[0], 4u);
  for (const Configuration& c : configurations()) {
    PredicateAbstraction abstraction = make(example, c.options);
    for (size_t id = 0; id < graph->states.size(); ++id) {
      const uint32_t h = value(abstraction, graph->states[id].data());
      ASSERT_TRUE(h != kInfinity || graph->distance[id] == kInfinity) << c.name << " " << id;
      ASSERT_TRUE(!c.admissible || h == kInfinity || h <= graph->distance[id]) << c.name << " " << id;
    }
  }
}

// Proposition 2 (Hoffmann et al. 2006): with more predicates no estimate is lower.
TEST(PredicateAbstraction, MorePredicatesNeverLowerEstimates) {
  size_t higher = 0;
  for_random_models(false, 1, 30, [&](Example& example, const std::string& name) {
    const auto graph = StateGraph::explore(example.system(), example.property(), 300);
    if (!graph) return;
    for (const uint32_t split : {0u, 1u}) {
      AbstractionOptions refined = options("refinement", split);
      refined.refinements = 0;
      PredicateAbstraction few = make(example, refined);
      PredicateAbstraction more = make(example, options("syntax", split));
      for (size_t id = 0; id < graph->states.size(); ++id) {
        const uint32_t h = value(few, graph->states[id].data());
        ASSERT_GE(value(more, graph->states[id].data()), h) << name << ", state " << id;
        higher += value(more, graph->states[id].data()) > h;
      }
      std::vector<uint32_t> before(graph->states.size(), 0);
      for (const uint32_t iterations : {0u, 1u, 2u, 4u}) {
        refined.refinements = iterations;
        PredicateAbstraction abstraction = make(example, refined);
        for (size_t id = 0; id < graph->states.size(); ++id) {
          const uint32_t h = value(abstraction, graph->states[id].data());
          ASSERT_GE(h, before[id]) << name << ", " << iterations << " iterations, state " << id;
          higher += iterations != 0 && h > before[id];
          before[id] = h;
        }
      }
    }
  });
  EXPECT_GT(higher, 100u);
}

TEST(PredicateAbstraction, BudgetsMakeItCoarser) {
  const Example example(
      "int[0,9] m, n; process P() { state a, b; init a; trans a -> a { guard n < 9; assign n = n + 1; }, a -> a { "
      "guard "
      "m < 9; assign m = m + 1; }, a -> b { guard n == 8 && m == 8; }; } system P;",
      "E<> P.b");
  AbstractionOptions refined = options("refinement", 0);
  refined.refinements = 40;
  const uint32_t exact = value(make(example, refined), example.initial().data());
  EXPECT_EQ(exact, 17u);
  for (const uint64_t states : {0u, 1u, 5u, 20u}) {
    for (const std::string source : {"syntax", "refinement"}) {
      AbstractionOptions small = options(source, 0);
      small.refinements = 40;
      small.states = states;
      PredicateAbstraction coarse = make(example, small);
      EXPECT_LE(coarse.report().states, states + 1);
      EXPECT_LE(value(coarse, example.initial().data()), exact);
      EXPECT_FALSE(coarse.report().proved);
    }
  }
  AbstractionOptions hurried = options("syntax", 0);
  hurried.seconds = 0;
  PredicateAbstraction nothing = make(example, hurried);
  EXPECT_EQ(value(nothing, example.initial().data()), 0u);
  EXPECT_FALSE(nothing.report().proved);
}

TEST(PredicateAbstraction, UnknownNamesAreRefused) {
  const Example example = counter("6");
  AbstractionOptions wrong;
  wrong.predicates = "sintax";
  EXPECT_THROW(make(example, wrong), Error);
  wrong = {};
  wrong.part_values = "mean";
  EXPECT_THROW(make(example, wrong), Error);
}

TEST(PredicateAbstraction, ALimitEndsBuilding) {
  const Example example = counter("6");
  const Watch watch({.polls = 5});
  EXPECT_THROW(PredicateAbstraction(example.system(), example.property().goal, false, {}, watch), Error);
}

}  // namespace
}  // namespace harrier::abstraction
