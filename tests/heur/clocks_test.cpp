// Heuristics that look at clocks: estimates worked out by hand, and promises kept on the zone graphs of random models.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/error.h"
#include "heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"
#include "search/zone_space.h"
#include "support/options.h"

namespace harrier {
namespace {

using heur::Clocks;
using heur::kDeadEnd;
using testing_support::Example;

constexpr uint64_t kNoParent = store::Origin::kNoParent;

struct ZoneGraph {
  struct State {
    uint64_t parent = kNoParent;
    std::vector<int32_t> values;
    std::map<std::string, uint32_t> estimates;
    bool goal = false;
  };
  std::vector<State> states;

  // Breadth-first, until there are `most` states.
  static ZoneGraph explore(const Example& example, size_t most) {
    std::map<std::string, std::unique_ptr<heur::Heuristic>> heuristics;
    for (const heur::Entry& entry : heur::table()) {
      if (entry.clocks) heuristics[entry.name] = entry.make(example.system(), example.property().goal, Clocks::Use);
    }
    ZoneGraph graph;
    Budget budget;
    const step::Semantics semantics(example.system(), example.property());
    search::ZoneSpace space(semantics, budget, false);
    const auto visit = [&](uint64_t parent) {
      if (!space.admit(parent, 0).fresh) return;
      State state{parent, {space.candidate(), space.candidate() + space.variable_count()}, {}, {}};
      for (const auto& [name, h] : heuristics) {
        state.estimates[name] = h->evaluate({space.candidate(), space.candidate_zone()});
      }
      state.goal = space.goal().has_value();
      graph.states.push_back(std::move(state));
    };
    space.for_each_initial([&] {
      visit(kNoParent);
      return true;
    });
    for (uint64_t id = 0; id < graph.states.size() && graph.states.size() < most; ++id) {
      space.for_each_successor(id, [&](const step::Firing&) {
        visit(id);
        return true;
      });
    }
    return graph;
  }

  // The estimate in the first state whose variables are these.
  uint32_t estimate(const std::string& name, const std::vector<int32_t>& values) const {
    for (const State& state : states) {
      if (state.values == values) return state.estimates.at(name);
    }
    throw std::runtime_error("no such state");
  }
};

// The estimates of the first state.
uint32_t first_estimate(const std::string& text, const std::string& query, const std::string& name = "hL") {
  const Example example(text, query);
  return ZoneGraph::explore(example, 1).states.at(0).estimates.at(name);
}

TEST(Clocks, AnUpperBoundThatHasPassedNeedsAReset) {
  const std::string before =
      "clock x;\nprocess P() { state A, B, C; init A; trans A -> B { guard x >= 5; }, B -> C { guard x < 5; }";
  const std::string after = "; }\nsystem P;\n";
  const Example lost(before + after, "E<> P.C");
  const ZoneGraph graph = ZoneGraph::explore(lost, 100);
  EXPECT_EQ(graph.estimate("hL", lost.state({{"P", 0}})), 2u);
  for (const char* name : {"hL", "hmax", "hadd", "hU", "hff", "lmcut"}) {
    EXPECT_EQ(graph.estimate(name, lost.state({{"P", 1}})), kDeadEnd) << name;
  }
  const Example reset(before + ", B -> B { assign x = 4; }" + after, "E<> P.C");
  EXPECT_EQ(ZoneGraph::explore(reset, 100).estimate("hL", reset.state({{"P", 1}})), 2u);
  const Example too_much(before + ", B -> B { assign x = 5; }" + after, "E<> P.C");
  EXPECT_EQ(ZoneGraph::explore(too_much, 100).estimate("hL", too_much.state({{"P", 1}})), kDeadEnd);
  const Example computed("int[0,5] n = 5;\n" + before + ", B -> B { assign x = n; }" + after, "E<> P.C");
  EXPECT_EQ(ZoneGraph::explore(computed, 100).estimate("hL", computed.state({{"P", 1}})), 2u);
}

TEST(Clocks, InvariantsOfTargetsCount) {
  const auto estimate = [](const std::string& label) {
    const Example example(
        "clock x;\nprocess P() { state A, B, C { x <= 3 }; init A; trans A -> B { guard x >= 5; }, B -> C { " + label +
            " }; }\nsystem P;\n",
        "E<> P.C");
    return ZoneGraph::explore(example, 100).estimate("hL", example.state({{"P", 1}}));
  };
  EXPECT_EQ(estimate(""), kDeadEnd);
  EXPECT_EQ(estimate("assign x = 0;"), 1u);
}

TEST(Clocks, GoalsSpeakOfClocks) {
  const std::string text = "clock x;\nprocess P() { state A, B { x <= 3 }; init B; trans B -> A { }; }\nsystem P;\n";
  EXPECT_EQ(first_estimate(text, "E<> x <= 7"), 0u);
  EXPECT_EQ(first_estimate(text, "E<> x > 3"), 1u);
  EXPECT_EQ(first_estimate(text, "E<> P.B and x > 3"), 1u);  // B and x > 3, but not at the same time
  EXPECT_EQ(first_estimate(text, "E<> x < 0"), kDeadEnd);
}

// Processes that hold time back, for a process that waits for x > 3.
std::string held_back(const std::string& locations, const std::string& edges, const std::string& more = "") {
  return "clock x, y, z;\nchan go;\n"
         "process P() { state A, B; init A; trans A -> B { guard x > 3; }; }\n"
         "process Q() { state S " +
         locations + "; init S; trans " + edges + "; }\n" + more + "system P, Q" + (more.empty() ? "" : ", R") + ";\n";
}

TEST(Clocks, ThoseWhoHoldTimeBackMustGiveWay) {
  EXPECT_EQ(first_estimate(held_back(", T", "S -> T { }"), "E<> P.B"), 1u);
  EXPECT_EQ(first_estimate(held_back("{ y <= 3 }, T", "S -> T { }"), "E<> P.B"), 2u);
  EXPECT_EQ(first_estimate(held_back("{ y <= 4 }, T", "S -> T { }"), "E<> P.B"), 1u);
  EXPECT_EQ(first_estimate(held_back("{ y <= 3 }, T", "T -> S { }"), "E<> P.B"), kDeadEnd);
  EXPECT_EQ(first_estimate(held_back("{ y <= 3 }, T", "S -> S { assign y = 0; }"), "E<> P.B"), 2u);
  // Somebody else resets the clock of the invariant.
  EXPECT_EQ(first_estimate(held_back("{ y <= 3 }, T", "T -> T { }",
                                     "process R() { state U, V; init U; trans U -> V { assign y = 0; }; }\n"),
                           "E<> P.B"),
            2u);
  // Two of them: both must give way, which the sum sees.
  const std::string two =
      held_back("{ y <= 3 }, T", "S -> T { }", "process R() { state U { z <= 2 }, V; init U; trans U -> V { }; }\n");
  EXPECT_EQ(first_estimate(two, "E<> P.B"), 2u);
  EXPECT_EQ(first_estimate(two, "E<> P.B", "hU"), 3u);
  EXPECT_EQ(first_estimate(two, "E<> P.B", "hff"), 3u);
  EXPECT_EQ(first_estimate(two, "E<> P.B", "hadd"), 3u);
}

TEST(Clocks, UrgentLocationsHoldTimeBack) {
  for (const std::string kind : {"urgent", "commit"}) {
    EXPECT_EQ(first_estimate(held_back(", T; " + kind + " S", "S -> T { }"), "E<> P.B"), 2u);
    EXPECT_EQ(first_estimate(held_back(", M, T; " + kind + " S, M", "S -> M { }, M -> T { }"), "E<> P.B"), 3u);
    EXPECT_EQ(first_estimate(held_back(", T; " + kind + " S", "T -> S { }"), "E<> P.B"), kDeadEnd);
  }
}

TEST(Clocks, ResetsMayJumpAhead) {
  // While y <= 3 lasts, x gets as far as 3, or 5 after a reset to 2.
  const auto estimate = [](const std::string& value) {
    return first_estimate(
        held_back("{ y <= 3 }, T", "T -> T { }",
                  "process R() { state U, V; init U; trans U -> V { assign x = " + value + "; }; }\n"),
        "E<> P.B");
  };
  EXPECT_EQ(estimate("2"), 2u);
  EXPECT_EQ(estimate("0"), kDeadEnd);
}

TEST(Clocks, WhatIsNotUnderstoodCountsAsSatisfied) {
  const auto estimate = [](const std::string& guard) {
    return first_estimate(
        "clock x, y; int[0,9] n = 9;\nprocess P() { state A { x <= 3 }, B; init A; trans A -> B { guard " + guard +
            "; }, A -> A { assign n = 0; }; }\nsystem P;\n",
        "E<> P.B");
  };
  EXPECT_EQ(estimate("x > n"), 1u);
  EXPECT_EQ(estimate("x - y > 4"), 1u);
  EXPECT_EQ(estimate("x > 3"), 2u);
}

TEST(Clocks, SearchesUseThemOnRequest) {
  const Example example(
      "clock x;\nint[0,99] n;\n"
      "process P() { state A, B, C; init A;\n"
      "  trans A -> B { guard x >= 5; }, B -> B { guard n < 99; assign n = n + 1; }, B -> C { guard x < 5; }; }\n"
      "system P;\n",
      "E<> P.C");
  CheckOptions options;
  options.search = Search::AStar;
  options.heuristic = "hL";
  EXPECT_EQ(search::run(example.system(), example.property(), options).statistics.expanded, 101u);
  options.heuristic_clocks = true;
  const search::Result result = search::run(example.system(), example.property(), options);
  EXPECT_EQ(result.verdict, Verdict::Unreachable);
  EXPECT_EQ(result.statistics.expanded, 1u);
  EXPECT_EQ(result.statistics.dead_ends, 1u);
}

TEST(Clocks, EstimatesAreKeptForEachZone) {
  // The same discrete state with two zones, one of which is a dead end.
  const Example example(
      "clock x;\n"
      "process P() { state A, B, C; init A;\n"
      "  trans A -> B { guard x >= 5; }, A -> B { guard x >= 9; assign x = 1; }, B -> C { guard x < 5; }; }\nsystem "
      "P;\n",
      "E<> P.C");
  for (const bool useless : {false, true}) {
    CheckOptions options;
    options.search = Search::Greedy;
    options.heuristic_clocks = true;
    if (useless) options.prefer = {"useless", "preferred"};
    const search::Result result = search::run(example.system(), example.property(), options);
    EXPECT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_EQ(result.statistics.dead_ends, 1u);
  }
}

TEST(Clocks, PromisesAreKeptOnRandomModels) {
  constexpr size_t kMostStates = 500;
  size_t states_before_goals = 0;
  size_t dead_ends = 0;
  for (const testing_support::Profile& profile : testing_support::profiles()) {
    if (profile.max_clocks == 0) continue;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      const testing_support::TaModel model = testing_support::generate(profile, seed);
      for (size_t q = 0; q < model.queries.size(); ++q) {
        const Example example(testing_support::to_xta(model), testing_support::to_query(model, model.queries[q]));
        if (example.system().clocks.size() == 1) continue;
        ZoneGraph graph;
        try {
          graph = ZoneGraph::explore(example, kMostStates);
        } catch (const model::EvalFailure&) {
          continue;  // the model fails at run time
        } catch (const Error&) {
          continue;
        }
        for (const ZoneGraph::State& state : graph.states) dead_ends += state.estimates.at("hL") == kDeadEnd;
        // A state on a path to a goal is no dead end, and no farther from it than the path is long.
        for (uint64_t goal = 0; goal < graph.states.size(); ++goal) {
          if (!graph.states[goal].goal) continue;
          uint32_t distance = 0;
          for (uint64_t id = goal; id != kNoParent; id = graph.states[id].parent, ++distance) {
            ++states_before_goals;
            for (const auto& [name, h] : graph.states[id].estimates) {
              const bool fine = heur::find(name)->admissible ? h <= distance : h != kDeadEnd;
              ASSERT_TRUE(fine) << profile.name << " " << seed << ", " << example.property().text << ": " << name
                                << " is " << h << ", " << distance << " steps before a goal\n"
                                << testing_support::to_xta(model);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(states_before_goals, 1000u);
  EXPECT_GT(dead_ends, 1000u);
}

}  // namespace
}  // namespace harrier
