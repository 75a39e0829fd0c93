// Models in which it is easy to lose behaviour when it is abstracted: nothing reachable may look like a dead end, and
// admissible estimates may not exceed the distance.
#include <gtest/gtest.h>

#include <string>

#include "heur_support.h"
#include "model/value_sets.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using testing_support::Example;
using testing_support::StateGraph;

// Checks every reachable state; the goal must be reachable in `expected` steps.
void check(const std::string& text, const std::string& query, uint32_t expected) {
  Example example(text, query);
  const auto graph = StateGraph::explore(example.system(), example.property(), 10'000);
  ASSERT_TRUE(graph.has_value());
  EXPECT_EQ(graph->distance.at(0), expected);
  for (const heur::Entry& entry : heur::table()) {
    if (entry.sibling) continue;
    for (size_t id = 0; id < graph->states.size(); ++id) {
      const uint32_t h = example.estimate(entry.name, graph->states[id]);
      EXPECT_TRUE(!entry.safe || h != kDeadEnd || graph->distance[id] == kDeadEnd) << entry.name << ", state " << id;
      EXPECT_TRUE(!entry.admissible || h == kDeadEnd || h <= graph->distance[id]) << entry.name << ", state " << id;
      EXPECT_TRUE(!graph->goal[id] || h == 0) << entry.name << ", state " << id;
    }
  }
  // Nothing here is beyond the causal graph heuristics either.
  for (const char* name : {"hCG", "hcea"}) EXPECT_NE(example.estimate(name), kDeadEnd) << name;
  const auto sets = model::reachable_values(example.system());
  for (const auto& state : graph->states) {
    for (size_t v = 0; v < state.size(); ++v) {
      const auto& values = sets[v].values;
      EXPECT_TRUE(sets[v].wide || std::binary_search(values.begin(), values.end(), state[v]))
          << example.system().variables[v].name << " = " << state[v];
    }
  }
}

// A process that goes from A to B by edges with these labels, and a goal about variables.
void check_edges(const std::string& declarations, const std::string& edges, const std::string& goal,
                 uint32_t expected) {
  check(declarations + "\nprocess P() { state A, B; init A; trans " + edges + "; }\nsystem P;\n", "E<> " + goal,
        expected);
}

TEST(Soundness, ArraysWithComputedIndex) {
  check_edges("int[0,3] a[4]; int[0,3] i;",
              "A -> A { guard i < 3; assign i = i + 1; }, A -> B { guard i >= 0; assign a[i] = a[(i + 3) % 4] + i; }",
              "a[2] == 2", 3);
  check_edges("int[0,3] a[4] = { 3, 0, 1, 2 }; int[0,3] i;", "A -> A { assign i = a[i]; }", "i == 1", 3);
}

TEST(Soundness, IndexGuardedByAnEarlierCondition) {
  check_edges("int[0,1] a[2] = { 0, 1 }; int[-1,2] i = -1;",
              "A -> A { guard i < 2; assign i = i + 1; }, A -> B { guard i >= 0 && i < 2 && a[i] == 1; }", "P.B", 3);
}

TEST(Soundness, FunctionsWithLoops) {
  check_edges(
      "int[0,7] x; int[0,20] total; int[0,3] steps;\n"
      "void run() { int n = 0; while (n <= x) { total = n + n; n++; } steps = n > 2 ? 2 : n; }",
      "A -> A { guard x < 3; assign x = x + 1; }, A -> B { assign run(); }", "total == 4 && steps == 2", 3);
}

TEST(Soundness, FunctionsOfInstancesAreDifferent) {
  // The guards of both instances are `ready()`, about different variables.
  check(
      "process T(const int[0,1] me) {\n"
      "  int[0,2] n;\n"
      "  bool ready() { return n == me + 1; }\n"
      "  state A, B; init A;\n"
      "  trans A -> A { guard n < 2; assign n = n + 1; }, A -> B { guard ready(); }; }\n"
      "P = T(0); Q = T(1);\nsystem P, Q;\n",
      "E<> P.B and Q.B", 5);
  // One of them can never be ready: the other one must not be thought so.
  check(
      "process T(const int[0,1] me) {\n"
      "  int[0,2] n;\n"
      "  bool ready() { return n == 3 * me; }\n"
      "  state A, B; init A;\n"
      "  trans A -> A { guard n < 2; assign n = n + 1; }, A -> B { guard ready(); }; }\n"
      "P = T(1); Q = T(0);\nsystem P, Q;\n",
      "E<> Q.B", 1);
}

TEST(Soundness, ReceiversReadWhatTheSenderWrote) {
  const std::string processes =
      " c;\nint[0,5] x; int[0,5] y;\n"
      "process S() { state A, B; init A; trans A -> B { sync c!; assign x = 5; }; }\n"
      "process R() { state A, B; init A; trans A -> B { sync c?; assign y = x; }; }\n"
      "system S, R;\n";
  check("chan" + processes, "E<> y == 5", 1);
  check("broadcast chan" + processes, "E<> y == 5", 1);
}

TEST(Soundness, ReceiversReadWhatOtherReceiversWrote) {
  check(
      "broadcast chan c;\nint[0,5] x; int[0,5] y; int[0,5] z;\n"
      "process S() { state A, B; init A; trans A -> B { sync c!; assign x = 2; }; }\n"
      "process R() { state A, B; init A; trans A -> B { sync c?; assign y = x + 1; }; }\n"
      "process T() { state A, B; init A; trans A -> B { sync c?; assign z = y + 1; }; }\n"
      "system S, R, T;\n",
      "E<> z == 4", 1);
}

TEST(Soundness, ReceiversOutsideAPartWriteLast) {
  // The sender breaks the invariant of its target, and the receiver, which is in another part, mends it.
  check(
      "bool v0;\nint[-1,0] v1;\nbroadcast chan b;\n"
      "process T0(const int[0,1] k) { state L0, L1, L2; init L0; trans L0 -> L1 { },\n"
      "  L1 -> L0 { sync b?; assign v1 = 0; }; }\n"
      "process T1(int[-1,0] &r) { state L0, L1; init L0; trans\n"
      "  L1 -> L1 { select s8 : int[0,1], s9 : int[0,1]; assign v1 = (-1); }; }\n"
      "process T2() { state L0 { v1 >= 0 }, L1; init L0; trans L0 -> L1 { }, L1 -> L0 { sync b!; assign v1 = (-1); }; "
      "}\n"
      "P0 = T0(0);\nP1 = T1(v1);\nP2 = T2();\nsystem P0, P1, P2;\n",
      "E<> P2.L0", 0);
}

TEST(Soundness, ReceiversMayStayAway) {
  check(
      "broadcast chan c;\nint[0,2] x;\n"
      "process S() { state A, B; init A; trans A -> B { sync c!; }; }\n"
      "process R() { state A, B; init A; trans A -> B { guard x == 1; sync c?; }, A -> A { guard x < 2; assign x = x + "
      "1; }; }\n"
      "system S, R;\n",
      "E<> S.B and R.A and x == 2", 3);
}

TEST(Soundness, RangeViolationsStopATransition) {
  check_edges("int[0,2] x; int[0,1] y;", "A -> A { assign x = x + 1; }, A -> B { assign y = x; }", "P.B and x == 1", 2);
}

TEST(Soundness, BeforeAndAfterUpdates) {
  const std::string declarations =
      "broadcast chan c;\nint[0,9] x; int[0,9] y; int[0,9] z;\n"
      "before_update { x = 3 }\nafter_update { z = x + y, x = 0 }\n";
  check(declarations +
            "process S() { state A, B; init A; trans A -> B { sync c!; assign x = x + 1; }; }\n"
            "process R() { state A, B; init A; trans A -> B { sync c?; assign y = x; }; }\nsystem S, R;\n",
        "E<> y == 4 and z == 8", 1);
  check(declarations + "process S() { state A, B; init A; trans A -> B { assign y = x; }; }\nsystem S;\n",
        "E<> z == 6 and y == 3", 1);
}

TEST(Soundness, WideVariables) {
  check_edges("int[0,1499] big; int[0,3] x;",
              "A -> A { assign big = (big + 1) % 1500; }, A -> A { guard big > 5; assign x = big % 4; }", "x == 1", 10);
}

TEST(Soundness, AssignmentsInsideExpressions) {
  check_edges("int[0,5] x; int[0,5] y;", "A -> B { guard x <= 0; assign y = (x = x + 1) + 1, x = y + 1; }",
              "x == 3 and y == 2", 1);
}

TEST(Soundness, ResetsWithSideEffects) {
  // With a clock, so only the estimates of the first state are looked at.
  Example example(
      "clock t; int[0,3] x;\nint[0,3] next() { x = x + 1; return x; }\n"
      "process P() { state A; init A; trans A -> A { assign t = next(); }; }\nsystem P;\n",
      "E<> x == 2");
  for (const heur::Entry& entry : heur::table()) {
    if (entry.sibling || !entry.is_for(example.system())) continue;
    EXPECT_NE(example.estimate(entry.name), kDeadEnd) << entry.name;
  }
  EXPECT_EQ(example.estimate("hL"), 2u);
  EXPECT_EQ(example.estimate("hCG"), 2u);
}

TEST(Soundness, JointConditionsOfTheGoal) {
  check_edges("int[0,3] x; int[0,3] y = 3;",
              "A -> A { guard x < 3; assign x = x + 1; }, A -> A { guard y > 0; assign y = y - 1; }", "x == y + 1", 4);
}

TEST(Soundness, ReceiversCanBeTakenOut) {
  Example example(
      "broadcast chan c;\nint[0,5] x;\n"
      "process S() { state A, B; init A; trans A -> B { sync c!; }; }\n"
      "process R() { state A, B; init A; trans A -> B { sync c?; assign x = 5; }; }\nsystem S, R;\n",
      "E<> x == 5");
  for (const char* name : {"hL", "hU", "hadd", "hff", "hCG", "hcea"}) {
    EXPECT_EQ(example.estimate(name), 1u) << name;
    EXPECT_EQ(example.estimate_without(name, example.initial(), {example.edge("R", "A", "B")}), kDeadEnd) << name;
  }
}

TEST(Soundness, PreferredTransitionsStartTheAbstractPath) {
  Example example(
      "int[0,3] v;\n"
      "process P() { state l0, l1, l2; init l0; trans l0 -> l1 { guard v == 2; }, l0 -> l2 { }; }\n"
      "process Q() { state s, t; init s; trans s -> s { guard v < 3; assign v = v + 1; }, s -> t { }; }\nsystem P, "
      "Q;\n",
      "E<> P.l1");
  for (const char* name : {"hU", "hff", "hCG", "hcea"}) {
    heur::Heuristic& h = example.heuristic(name);
    const auto prefers = [&](uint32_t edge) { return h.prefers(std::span(&edge, 1)); };
    EXPECT_EQ(h.evaluate(example.initial().data()), 3u) << name;
    EXPECT_TRUE(prefers(example.edge("Q", "s", "s"))) << name;
    EXPECT_FALSE(prefers(example.edge("Q", "s", "t"))) << name;
    EXPECT_FALSE(prefers(example.edge("P", "l0", "l1"))) << name;
    EXPECT_FALSE(prefers(example.edge("P", "l0", "l2"))) << name;
    h.evaluate(example.state({{"v", 2}}).data());
    EXPECT_TRUE(prefers(example.edge("P", "l0", "l1"))) << name;
    EXPECT_FALSE(prefers(example.edge("Q", "s", "s"))) << name;
  }
}

TEST(Soundness, SumsThatGrowExponentially) {
  // Each step needs the one before twice.
  std::string declarations;
  std::string edges = "A -> A { assign x0 = 1, y0 = 1; }";
  for (int i = 1; i <= 40; ++i) {
    const std::string n = std::to_string(i);
    const std::string before = std::to_string(i - 1);
    declarations += "bool x" + before + "; bool y" + before + ";\n";
    edges += ", A -> A { guard x" + before + " && y" + before + "; assign x" + n + " = 1; }";
    edges += ", A -> A { guard x" + before + " && y" + before + "; assign y" + n + " = 1; }";
  }
  Example example(
      declarations + "bool x40; bool y40;\nprocess P() { state A; init A; trans " + edges + "; }\nsystem P;\n",
      "E<> x40");
  EXPECT_EQ(example.estimate("hL"), 41u);
  for (const char* name : {"hadd", "hff", "hCG", "hcea"}) EXPECT_NE(example.estimate(name), kDeadEnd) << name;
}

}  // namespace
}  // namespace harrier
