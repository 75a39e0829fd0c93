// LM-cut: estimates and cuts worked out by hand, and that cuts are cuts, on random models.
#include "heur/landmark_cut.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "heur_support.h"
#include "random_models.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using heur::RelaxedTask;
using testing_support::Example;
using testing_support::StateGraph;

// A process that goes from location to location, a step each.
std::string chain(const std::string& name, int length) {
  std::string states = "s0";
  std::string edges;
  for (int i = 1; i <= length; ++i) {
    states += ", s" + std::to_string(i);
    edges += (i == 1 ? "" : ", ") + ("s" + std::to_string(i - 1)) + " -> s" + std::to_string(i) + " { }";
  }
  return "process " + name + "() { state " + states + "; init s0; trans " + edges + "; }\n";
}

TEST(LandmarkCut, AddsUpWhatHasNothingInCommon) {
  Example example(chain("P", 3) + chain("Q", 2) + "system P, Q;\n", "E<> P.s3 and Q.s2");
  EXPECT_EQ(example.estimate("hL"), 3u);
  EXPECT_EQ(example.estimate("lmcut"), 5u);
  EXPECT_EQ(example.estimate("lmcut", example.state({{"P", 2}})), 3u);
  EXPECT_EQ(example.estimate("lmcut", example.state({{"P", 3}, {"Q", 2}})), 0u);
}

TEST(LandmarkCut, CountsASynchronisationOnce) {
  Example example(
      "chan c;\nprocess S() { state a, b; init a; trans a -> b { sync c!; }; }\n"
      "process R() { state a, b; init a; trans a -> b { sync c?; }; }\nsystem S, R;\n",
      "E<> S.b and R.b");
  EXPECT_EQ(example.estimate("lmcut"), 1u);
  EXPECT_EQ(example.estimate("hff"), 1u);
}

TEST(LandmarkCut, CountsABroadcastOnceForAllReceivers) {
  const std::string broadcast =
      "broadcast chan c;\nprocess S() { state a, b; init a; trans a -> b { sync c!; }; }\n"
      "process R() { state a, b; init a; trans a -> b { sync c?; }; }\n"
      "A = R(); B = R(); C = R();\nsystem S, A, B, C;\n";
  Example example(broadcast, "E<> S.b and A.b and B.b and C.b");
  EXPECT_EQ(example.true_distance(), 1u);
  EXPECT_EQ(example.estimate("lmcut"), 1u);
  Example late(broadcast, "E<> A.b and B.b and C.b");
  EXPECT_EQ(late.estimate("lmcut"), 1u);
}

// Each effect of a transition, and each way that a computed one can go, is a rule of its own; they cost one step
// together.
TEST(LandmarkCut, CountsATransitionOnceForAllItsEffects) {
  Example example(
      "int[0,3] x, y, z;\nprocess P() { state a; init a;\n"
      "  trans a -> a { assign x = y + 1, y = x + 1, z = 1; }; }\nsystem P;\n",
      "E<> x == 1 and y == 2 and z == 1");
  EXPECT_EQ(example.true_distance(), 1u);
  EXPECT_EQ(example.estimate("lmcut"), 1u);
  Example three("int[0,3] x;\nprocess P() { state a; init a; trans a -> a { assign x = x + 1; }; }\nsystem P;\n",
                "E<> x == 3");
  // Its one transition pays for one of the three steps; h^max knows of all.
  EXPECT_EQ(three.estimate("hL"), 3u);
  EXPECT_EQ(three.estimate("lmcut"), 3u);
}

// What is left for h^max after a cut counts, too.
TEST(LandmarkCut, AddsTheRestToTheCuts) {
  Example example("int[0,3] x;\n" + chain("Q", 2) +
                      "process P() { state a; init a; trans a -> a { assign x = x + 1; }; }\nsystem P, Q;\n",
                  "E<> x == 3 and Q.s2");
  EXPECT_EQ(example.estimate("hL"), 3u);
  EXPECT_GE(example.estimate("lmcut"), 3u);
  EXPECT_LE(example.estimate("lmcut"), example.true_distance());
}

TEST(LandmarkCut, TakesTheCheapestOfSeveralGoals) {
  Example example(chain("P", 4) + chain("Q", 2) + "system P, Q;\n", "E<> P.s4 or (P.s1 and Q.s2)");
  EXPECT_EQ(example.true_distance(), 3u);
  EXPECT_LE(example.estimate("lmcut"), 3u);
  EXPECT_GE(example.estimate("lmcut"), 2u);
}

// Two alternatives of each of two steps: a cut has both.
TEST(LandmarkCut, CutsHaveAllAlternatives) {
  Example example(
      "process P() { state a, b, c, d; init a; trans a -> b { }, a -> c { }, b -> d { }, c -> d { }; }\nsystem P;\n",
      "E<> P.d");
  const auto task =
      std::make_shared<RelaxedTask>(std::make_shared<const task::Task>(example.system(), example.property().goal));
  heur::LandmarkCut cuts(task);
  EXPECT_EQ(cuts.evaluate(example.initial().data()), 2u);
  ASSERT_EQ(cuts.cut_count(), 2u);
  EXPECT_EQ(cuts.cut(0).size(), 2u);
  EXPECT_EQ(cuts.cut(1).size(), 2u);
  EXPECT_FALSE(cuts.prefers(std::vector<uint32_t>{example.edge("P", "a", "b")}));
}

TEST(LandmarkCut, WithoutEdges) {
  Example example(
      "process P() { state a, b, c, d; init a; trans a -> d { }, a -> b { }, b -> c { }, c -> d { }; }\nsystem P;\n",
      "E<> P.d");
  EXPECT_EQ(example.estimate("lmcut"), 1u);
  const uint32_t direct = example.edge("P", "a", "d");
  EXPECT_EQ(example.estimate_without("lmcut", example.initial(), {direct}), 3u);
  EXPECT_EQ(example.estimate_without("lmcut", example.initial(), {direct, example.edge("P", "b", "c")}), kDeadEnd);
  const std::vector<uint32_t> edges{direct};
  EXPECT_GT(example.heuristic("lmcut").evaluate_without(example.initial().data(), edges, 1), 1u);
}

// Whether the goal can be reached in the abstraction without some transitions.
bool reachable_without(const RelaxedTask& task, const std::vector<int32_t>& state, const std::set<uint32_t>& removed) {
  std::vector<bool> facts(task.fact_count(), false);
  std::vector<uint32_t> initial(task.fact_count());
  initial.resize(task.facts_of(state.data(), initial.data()));
  for (const uint32_t f : initial) facts[f] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (const RelaxedTask::Rule& rule : task.rules()) {
      const auto needs = task.preconditions(rule);
      if (removed.contains(rule.transition) ||
          !std::all_of(needs.begin(), needs.end(), [&](auto f) { return facts[f]; }))
        continue;
      for (const uint32_t f : task.effects(rule)) {
        changed = changed || !facts[f];
        facts[f] = true;
      }
    }
  }
  return facts[task.goal_fact()];
}

TEST(LandmarkCut, EveryAbstractPathNeedsEveryCutAndNoTwoShareATransition) {
  size_t several = 0;
  testing_support::for_random_models(40, [&](Example& example, const StateGraph& graph, const std::string& name) {
    const auto task =
        std::make_shared<RelaxedTask>(std::make_shared<const task::Task>(example.system(), example.property().goal));
    heur::LandmarkCut cuts(task);
    for (const uint64_t id : testing_support::samples(graph, 20)) {
      const uint32_t h = cuts.evaluate(graph.states[id].data());
      if (h == kDeadEnd) continue;
      ASSERT_LE(cuts.cut_count(), h) << name;
      std::set<uint32_t> all;
      size_t sum = 0;
      for (size_t i = 0; i < cuts.cut_count(); ++i) {
        const std::set<uint32_t> cut(cuts.cut(i).begin(), cuts.cut(i).end());
        ASSERT_FALSE(cut.empty()) << name;
        ASSERT_FALSE(reachable_without(*task, graph.states[id], cut)) << name << ", state " << id;
        sum += cut.size();
        all.insert(cut.begin(), cut.end());
      }
      ASSERT_EQ(sum, all.size()) << name << ", state " << id;
      several += cuts.cut_count() > 1;
    }
  });
  EXPECT_GT(several, 100u);
}

}  // namespace
}  // namespace harrier
