// Conditions on variables that have too many values for a fact each.
#include "heur/thresholds.h"

#include <gtest/gtest.h>

#include <string>

#include "heur/landmark_cut.h"
#include "heur/relaxation.h"
#include "heur_support.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using heur::Threshold;
using testing_support::Example;
using Relation = Threshold::Relation;

// A process that goes from A to B and C by these edges.
std::string process(const std::string& edges) {
  return "process P() { state A, B, C; init A; trans " + edges + "; }\nsystem P;\n";
}

std::optional<Threshold> threshold(const std::string& condition) {
  const Example example("int n; int m;\n" + process("A -> B { guard " + condition + "; }"), "E<> P.B");
  EXPECT_EQ(example.system().variables[0].name, "n");
  return heur::threshold_of(example.system(), example.system().edges[0].guard.at(0));
}

TEST(Thresholds, NormalForms) {
  EXPECT_EQ(threshold("n >= 5"), (Threshold{0, Relation::AtLeast, 5}));
  EXPECT_EQ(threshold("n > 5"), (Threshold{0, Relation::AtLeast, 6}));
  EXPECT_EQ(threshold("5 > n"), (Threshold{0, Relation::AtMost, 4}));
  EXPECT_EQ(threshold("n != -3"), (Threshold{0, Relation::Different, -3}));
  EXPECT_EQ(threshold("2 * n + 3 <= 8"), (Threshold{0, Relation::AtMost, 2}));
  EXPECT_EQ(threshold("2 * n < 8"), (Threshold{0, Relation::AtMost, 3}));
  EXPECT_EQ(threshold("2 * n < 9"), (Threshold{0, Relation::AtMost, 4}));
  EXPECT_EQ(threshold("3 - 2 * n >= 0"), (Threshold{0, Relation::AtMost, 1}));
  EXPECT_EQ(threshold("-2 * n > 7"), (Threshold{0, Relation::AtMost, -4}));
  EXPECT_EQ(threshold("2 * n >= -7"), (Threshold{0, Relation::AtLeast, -3}));
  EXPECT_EQ(threshold("2 * n + 1 == n + 8 - n"), std::nullopt);  // 2 n = 7
  EXPECT_EQ(threshold("2 * n + 1 == 9"), (Threshold{0, Relation::Equal, 4}));
  EXPECT_EQ(threshold("n + n == n + 4"), (Threshold{0, Relation::Equal, 4}));
  EXPECT_EQ(threshold("n < m"), std::nullopt);
  EXPECT_EQ(threshold("n * n < 5"), std::nullopt);
  EXPECT_EQ(threshold("n - n < m"), std::nullopt);
}

// All variables named n have too many values.
constexpr const char* kWide = "int[-3000,3000] n;\n";

TEST(Thresholds, GrowingReachesEverythingAboveInOneStep) {
  Example example(kWide + process("A -> A { assign n = n + 1; }, A -> B { guard n >= 2000; }"), "E<> P.B");
  for (const char* name : {"hL", "hmax", "hadd", "hU", "hff", "lmcut"}) {
    EXPECT_EQ(example.estimate(name, example.state({{"n", 2000}})), 1u) << name;
    EXPECT_EQ(example.estimate_without(name, example.initial(), {example.edge("P", "A", "A")}), kDeadEnd) << name;
  }
  EXPECT_EQ(example.estimate("hL"), 2u);
}

TEST(Thresholds, AbstractPathsRepeatTheStep) {
  Example example(
      std::string(kWide) +
          "process P() { state A, B, C; init A; trans A -> B { guard n >= 2000; }, B -> C { guard n == 2; }; }\n"
          "process Q() { state S; init S; trans S -> S { assign n = n + 1; }, S -> S { assign n = n - 3; }; }\n"
          "system P, Q;\n",
      "E<> P.C");
  for (const char* name : {"hadd", "hU", "hff"}) {
    EXPECT_EQ(example.estimate(name, example.state({{"P", 1}, {"n", -7}})), 9u + 1) << name;
    EXPECT_EQ(example.estimate(name, example.state({{"P", 1}, {"n", 12}})), 4u + 1) << name;
  }
  EXPECT_EQ(example.estimate("hU"), 2000u + 1 + 1 + 1);  // n == 2 takes one step more than the first
  EXPECT_EQ(example.estimate("hL"), 3u);
}

TEST(Thresholds, EqualityIsReachedFromTheRightSide) {
  const auto example = [](const std::string& more) {
    return Example(kWide + process("A -> A { assign n = n + 1; }, A -> B { guard n == 100; }" + more), "E<> P.B");
  };
  Example up = example("");
  EXPECT_EQ(up.estimate("hL"), 2u);
  EXPECT_EQ(up.estimate("hL", up.state({{"n", 100}})), 1u);
  EXPECT_EQ(up.estimate("hL", up.state({{"n", 101}})), kDeadEnd);
  EXPECT_EQ(up.estimate("hU", up.state({{"n", 101}})), kDeadEnd);
  Example both = example(", A -> C { assign n = n - 2000; }, C -> A { }");
  EXPECT_EQ(both.estimate("hL", both.state({{"n", 101}})), 2u);
  Example set = example(", A -> A { guard n > 500; assign n = 100; }");
  EXPECT_EQ(set.estimate("hL", set.state({{"n", 101}})), 3u);  // n > 500, n := 100, A -> B
  Example below = example(", A -> A { assign n = -5; }");
  EXPECT_EQ(below.estimate("hL", below.state({{"n", 101}})), 2u);  // both at once
}

TEST(Thresholds, ConstantsAreEvaluated) {
  Example example(
      kWide + process("A -> C { assign n = 7; }, C -> C { assign n = n - 1; }, A -> A { guard n > 8; assign n = n + 1; "
                      "}, C -> B { guard n > 5 && n < 8; }"),
      "E<> P.B and n != 7");
  EXPECT_EQ(example.estimate("hL"), 2u);
  EXPECT_EQ(example.estimate("hL", example.state({{"P", 1}})), 0u);
  EXPECT_EQ(example.estimate("hL", example.state({{"P", 1}, {"n", 7}})), kDeadEnd);
  EXPECT_EQ(example.estimate("hL", example.state({{"P", 2}})), kDeadEnd);      // n > 5 is out of reach
  EXPECT_EQ(example.estimate("hL", example.state({{"P", 2}, {"n", 9}})), 3u);  // in the window of n: 8, 7 and 6, B
}

// Few constants: the values between them are kept apart, and those beyond are one.
TEST(Windows, StepsAreCounted) {
  const auto example = [](const std::string& more) {
    return Example(kWide + process("A -> A { assign n = n + 1; }, A -> B { guard n == 10; }" + more), "E<> P.B");
  };
  Example up = example("");
  EXPECT_EQ(up.estimate("hL"), 11u);
  EXPECT_EQ(up.estimate("hL", up.state({{"n", 11}})), kDeadEnd);
  EXPECT_EQ(up.estimate("hL", up.state({{"n", 1000}})), kDeadEnd);
  Example down = example(", A -> A { assign n = n - 3; }");
  EXPECT_EQ(down.estimate("hL", down.state({{"n", 11}})), 2u);  // 11 stands for 13, too
  EXPECT_EQ(down.estimate("hL", down.state({{"n", 1000}})), 2u);
  Example doubled = example(", A -> A { assign n = n * 2; }");
  EXPECT_EQ(doubled.estimate("hL"), 6u);  // 1, 2, 4, 5, 10, B
}

TEST(Thresholds, OtherAssignmentsMayDoAnything) {
  const auto estimate = [](const std::string& assignment) {
    return Example(
               "int[-3000,3000] n; int[-3000,3000] m; int[0,3] k;\n"
               "int[-3000,3000] f() { return m; }\nvoid g() { n = n + 1; n = m; }\n" +
                   process("A -> A { assign n = n + 1, m = m + 1; }, A -> C { assign " + assignment +
                           "; }, C -> B { guard n <= -2000; }"),
               "E<> P.B")
        .estimate("hL");
  };
  EXPECT_EQ(estimate("n = m"), 2u);
  EXPECT_EQ(estimate("n = f()"), 4u);  // m has a window of its own, and has to leave it first
  EXPECT_EQ(estimate("g()"), 2u);
  EXPECT_EQ(estimate("n = n - m"), 2u);
  EXPECT_EQ(estimate("n = n - k"), 2u);
  EXPECT_EQ(estimate("n = k - n"), 2u);
  EXPECT_EQ(estimate("n = n + k"), kDeadEnd);
  EXPECT_EQ(estimate("n = k - 10"), kDeadEnd);
  EXPECT_EQ(estimate("n = k * -1000"), kDeadEnd);  // k is always 0
  EXPECT_EQ(estimate("m = n"), kDeadEnd);
}

TEST(Thresholds, LocationsCanBeManyToo) {
  std::string states, edges;
  for (int i = 0; i < 1500; ++i) {
    states += (i == 0 ? "L" : ", L") + std::to_string(i);
    if (i > 0) edges += (i == 1 ? "L" : ", L") + std::to_string(i - 1) + " -> L" + std::to_string(i) + " { }";
  }
  Example example("process P() { state " + states + "; init L0; trans " + edges + "; }\nsystem P;\n", "E<> P.L1200");
  EXPECT_EQ(example.estimate("hL"), 1u);
}

// The process too counts as a variable with too many values: nothing is known of the state, and all that can happen
// takes a step.
TEST(Thresholds, AStateWithoutFactsIsNoDeadEnd) {
  const Example example("int[0,2] n = 2;\n" + process("A -> B { assign n = (n + 1) % 3; }"), "E<> n < 2");
  const auto task = std::make_shared<heur::RelaxedTask>(std::make_shared<const task::Task>(
      example.system(), example.property().goal, task::Task::Limits{.most_values = 0, .largest_window = 0}));
  std::vector<uint32_t> facts(task->fact_count());
  ASSERT_EQ(task->facts_of(example.initial().data(), facts.data()), 0u);
  for (const auto value : {heur::RelaxedValue::Layers, heur::RelaxedValue::Plan, heur::RelaxedValue::Add}) {
    EXPECT_EQ(heur::Relaxation(task, value).evaluate(example.initial().data()), 1u);
  }
  EXPECT_EQ(heur::LandmarkCut(task).evaluate(example.initial().data()), 1u);
}

}  // namespace
}  // namespace harrier
