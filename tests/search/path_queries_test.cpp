// E[], A<>, -->, sup, inf and bounds on small models whose answers are plain to see.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harrier/harrier.h"

namespace harrier {
namespace {

CheckResult check(const std::string& text, const std::string& query, const CheckOptions& options = {}) {
  Model model = Model::load_text(text, "model.xta");
  model.add_query(query);
  CheckResult result = model.check(0, options);
  if (result.witness_length) {
    const Validation validation = model.validate(result.trace_json, "trace");
    EXPECT_EQ(validation.problem, "") << query;
    EXPECT_EQ(validation.holds, result.holds) << query;
  }
  return result;
}

bool holds(const std::string& text, const std::string& query) { return check(text, query).holds.value(); }

std::string process(const std::string& declarations, const std::string& states, const std::string& rest) {
  return declarations + "process P() { state " + states + "; " + rest + " } system P;\n";
}

TEST(PathQueries, TimePassesForEver) {
  const std::string idle = process("clock x;", "A", "init A;");
  const CheckResult result = check(idle, "E[] x >= 0");
  EXPECT_EQ(result.rest, "delay");
  EXPECT_TRUE(*result.holds);
  EXPECT_TRUE(holds(idle, "A<> x >= 5"));
  EXPECT_FALSE(holds(idle, "E[] x < 5"));
  EXPECT_FALSE(holds(idle, "A<> x < 0"));
}

TEST(PathQueries, WhereNothingCanHappenAPathEnds) {
  for (const char* invariant : {"x <= 3", "x < 3"}) {
    const std::string stuck = process("clock x;", std::string("A { ") + invariant + " }", "init A;");
    EXPECT_EQ(check(stuck, "E[] x < 5").rest, "stuck");
    EXPECT_FALSE(holds(stuck, "E[] x < 2"));
  }
  EXPECT_EQ(check(process("", "A", "urgent A; init A;"), "E[] P.A").rest, "stuck");
}

TEST(PathQueries, AFormulaHoldsDuringDelaysToo) {
  const std::string idle = process("clock x;", "A", "init A;");
  EXPECT_FALSE(holds(idle, "E[] x < 1 or x > 2"));
  EXPECT_TRUE(holds(idle, "E[] x < 1 or x >= 1"));
  // The transition comes before the gap.
  const std::string jump = process("clock x; clock y;", "A, B",
                                   "init A; trans A -> B { guard y < 1; assign x = 3; }, B -> B { assign y = 0; };");
  EXPECT_TRUE(holds(jump, "E[] x < 1 or x > 2"));
}

TEST(PathQueries, WithoutClocksAModelMayDoNothing) {
  const std::string untimed = process("int n;", "A, B", "init A; trans A -> B { assign n = 1; };");
  EXPECT_FALSE(holds(untimed, "A<> P.B"));
  EXPECT_TRUE(holds(process("int n;", "A, B", "urgent A; init A; trans A -> B { assign n = 1; };"), "A<> P.B"));
}

TEST(PathQueries, ZenoCyclesCount) {
  const std::string zeno = process("clock x;", "A { x <= 1 }", "init A; trans A -> A { };");
  const CheckResult result = check(zeno, "E[] P.A");
  ASSERT_TRUE(result.loop_start);
  EXPECT_NE(result.trace_text.find("the cycle takes no time"), std::string::npos);
  EXPECT_NE(result.trace_text.find("cycle starts here"), std::string::npos);
}

TEST(PathQueries, ACycleThatTakesTimeWithAClockThatIsNeverReset) {
  // t has to be beyond 100 before the run can come back to where it was.
  const std::string text = process("clock x; clock t;", "A { x <= 2 }, B",
                                   "init A; trans A -> A { guard x >= 1; assign x = 0; }, A -> B { guard t <= 100; };");
  const CheckResult result = check(text, "E[] P.A");
  ASSERT_TRUE(result.loop_start);
  EXPECT_LT(*result.witness_length, 300U);
}

TEST(PathQueries, ACycleThatComesBackLate) {
  // Steps are taken as early as possible: y is `first` when the cycle begins, and smaller by 1 after each round.
  const auto text = [](int first, int period) {
    const std::string last = std::to_string(period);
    const std::string start = std::to_string(first);
    return process("clock x, y; int n;", "S { x <= " + start + " }, A { x <= " + last + " }, B { x <= " + last + " }",
                   "init S; trans S -> A { guard x == " + start + "; assign x = 0; }, A -> B { guard y >= " + last +
                       "; assign y = 0; }, B -> A { guard x >= " + std::to_string(period - 1) + "; assign x = 0; };");
  };
  const CheckResult shown = check(text(500, 1000), "E[] n == 0");
  EXPECT_EQ(shown.loop_start, 1001U);
  EXPECT_EQ(shown.witness_length, 1003U);
  EXPECT_TRUE(shown.warnings.empty());
  const CheckResult proved = check(text(500'000, 1'000'000), "A<> n == 1");
  EXPECT_EQ(proved.verdict, Verdict::Reachable);
  EXPECT_EQ(proved.holds, false);
  EXPECT_EQ(proved.witness_length, std::nullopt);
  ASSERT_EQ(proved.warnings.size(), 1U);
  EXPECT_EQ(proved.warnings[0].find("no witness is shown: its cycle is proved"), 0U);
}

TEST(PathQueries, WhatIsVacuousIsSaid) {
  using Warnings = std::vector<std::string>;
  const std::string text =
      process("clock x; int[0,9] n;", "A { x <= 5 }, B, C", "init A; trans A -> B { guard x > 2; assign n = 4; };");
  EXPECT_EQ(check(text, "P.C --> P.B").warnings, Warnings{"the left side of --> never holds"});
  EXPECT_EQ(check(text, "x > 5 && P.A --> P.B").warnings, Warnings{"the left side of --> never holds"});
  EXPECT_EQ(check(text, "P.C && n == 4 --> P.B").warnings,
            (Warnings{"P.C is never reached", "the left side of --> never holds"}));
  // The left side holds only together with the right one: that is no vacuity.
  EXPECT_EQ(check(text, "P.B --> n == 4").warnings, Warnings{});
  EXPECT_EQ(check(text, "E[] P.C").warnings, Warnings{"the formula does not hold in the initial state"});
  EXPECT_EQ(check(text, "E[] n < 4 && x < 9").warnings, Warnings{});
  EXPECT_EQ(check(text, "A<> P.A").warnings, Warnings{});
  EXPECT_EQ(check(text, "sup{P.C}: x").warnings, Warnings{"no state satisfies the condition"});
  EXPECT_EQ(check(text, "bounds{P.C && n == 4}: x").warnings,
            (Warnings{"P.C is never reached", "no state satisfies the condition"}));
  EXPECT_EQ(check(text, "inf{P.B}: x").warnings, Warnings{});
  const std::string stuck = process("clock x;", "A { x <= 3 }, B", "init A; trans A -> B { guard x > 3; };");
  const CheckResult locked = check(stuck, "A<> P.B");
  EXPECT_FALSE(*locked.holds);
  EXPECT_EQ(locked.warnings,
            Warnings{"the witness ends in a time lock: time cannot go on, and no transition is possible"});
}

TEST(PathQueries, LeadsTo) {
  const std::string answer =
      process("clock x; int n;", "A { x <= 5 }, B { x <= 3 }",
              "init A; trans A -> B { guard x >= 2; assign x = 0; }, B -> A { assign x = 0, n = 1 - n; };");
  EXPECT_TRUE(holds(answer, "P.A --> P.B"));
  EXPECT_TRUE(holds(answer, "P.A and x == 4 --> P.B"));
  EXPECT_FALSE(holds(answer, "P.A --> P.B and x > 3"));
  // Only the part of the waiting after the premise has to be without the right side.
  const CheckResult result = check(process("clock x;", "A", "init A;"), "x >= 2 --> x <= 1");
  EXPECT_FALSE(*result.holds);
  const auto json = nlohmann::json::parse(result.trace_json);
  EXPECT_EQ(json["premise"]["delay"], 2);
  EXPECT_EQ(json["end"]["rest"], "delay");
}

TEST(PathQueries, Deadlocks) {
  const std::string text =
      process("clock x;", "A, B { x <= 4 }", "init A; trans A -> A { guard x <= 1; assign x = 0; }, A -> B { };");
  EXPECT_TRUE(holds(text, "E[] not deadlock"));
  EXPECT_FALSE(holds(text, "A<> deadlock"));
  EXPECT_TRUE(holds(text, "P.B --> deadlock"));
}

TEST(PathQueries, TamperedWitnessesAreRejected) {
  Model model = Model::load_text(
      process("clock x;", "A { x <= 2 }, B", "init A; trans A -> A { guard x >= 1; assign x = 0; }, A -> B { };"),
      "model.xta");
  model.add_query("E[] P.A");
  const CheckResult result = model.check(0, {});
  ASSERT_TRUE(result.loop_start);
  const auto good = nlohmann::json::parse(result.trace_json);
  const auto problem = [&](const nlohmann::json& json) { return model.validate(json.dump(), "trace").problem; };
  EXPECT_EQ(problem(good), "");
  auto bad = good;
  bad["loop_start"] = good["steps"].size();
  EXPECT_NE(problem(bad), "");
  bad = good;
  bad.erase("loop_start");
  EXPECT_NE(problem(bad), "");
  bad["end"]["rest"] = "delay";
  EXPECT_NE(problem(bad), "");
  bad["end"]["rest"] = "stuck";
  EXPECT_NE(problem(bad), "");
  bad = good;
  bad["premise"] = {{"steps", 0}, {"delay", 0}};
  EXPECT_NE(problem(bad), "");
}

TEST(PathQueries, OptionsOfOtherSearchesAreRefused) {
  const std::string idle = process("clock x;", "A", "init A;");
  CheckOptions greedy;
  greedy.search = Search::Greedy;
  CheckOptions heuristic;
  heuristic.heuristic = "hU";
  CheckOptions depth;
  depth.search = Search::DepthFirst;
  EXPECT_THROW(check(idle, "E[] P.A", greedy), Error);
  EXPECT_THROW(check(idle, "A<> P.A", heuristic), Error);
  EXPECT_THROW(check(idle, "sup: x", greedy), Error);
  EXPECT_TRUE(*check(idle, "E[] P.A", depth).holds);
}

TEST(PathQueries, LimitsBind) {
  const std::string counter =
      process("int[0,100000] n;", "A", "urgent A; init A; trans A -> A { assign n = (n + 1) % 100000; };");
  CheckOptions options;
  options.memory_limit_bytes = 1 << 20;
  EXPECT_EQ(check(counter, "E[] n < 99999", options).verdict, Verdict::Unknown);
  EXPECT_EQ(check(counter, "sup: n", options).verdict, Verdict::Unknown);
}

TermValues values(const std::string& text, const std::string& query, size_t term = 0) {
  const CheckResult result = check(text, query);
  EXPECT_EQ(result.verdict, Verdict::Computed);
  return result.values.at(term);
}

constexpr Extremum kInfinite{true, 0, false};
constexpr Extremum at(int64_t value) { return {false, value, false}; }
constexpr Extremum near(int64_t value) { return {false, value, true}; }

TEST(Extrema, ClocksAndIntegers) {
  const std::string text =
      process("clock x; int[0,9] n;", "A { x <= 5 }, B { x < 7 }, C",
              "init A; trans A -> B { guard x > 2; assign n = 4; }, B -> C { assign x = 0, n = 1; };");
  EXPECT_EQ(values(text, "sup{P.A}: x").sup, at(5));
  EXPECT_EQ(values(text, "sup{P.B}: x").sup, near(7));
  EXPECT_EQ(values(text, "inf{P.B}: x").inf, near(2));
  EXPECT_EQ(values(text, "inf{P.B}: x").sup, std::nullopt);
  EXPECT_EQ(values(text, "sup: x").sup, kInfinite);
  EXPECT_EQ(values(text, "sup: n, n - 5").sup, at(4));
  EXPECT_EQ(values(text, "inf: n, n - 5", 1).inf, at(-5));
  EXPECT_EQ(values(text, "inf{P.C}: n").inf, at(1));
  EXPECT_EQ(values(text, "sup{P.C and n == 2}: x").sup, std::nullopt);
}

TEST(Extrema, BoundsAreBoth) {
  const std::string text =
      process("clock x, t; int[0,9] n;", "A { x <= 5 }, B { x < 7 }, C",
              "init A; trans A -> B { guard x > 2; assign n = 4; }, B -> C { assign x = 0, n = 1; };");
  const TermValues x = values(text, "bounds{P.B}: x");
  EXPECT_EQ(x.inf, near(2));
  EXPECT_EQ(x.sup, near(7));
  const TermValues n = values(text, "bounds: x, n - 5", 1);
  EXPECT_EQ(n.inf, at(-5));
  EXPECT_EQ(n.sup, at(-1));
  const TermValues endless = values(text, "bounds{P.C}: t");
  EXPECT_EQ(endless.inf, near(2));
  EXPECT_EQ(endless.sup, kInfinite);
  const TermValues none = values(text, "bounds{P.C and n == 2}: x");
  EXPECT_EQ(none.inf, std::nullopt);
  EXPECT_EQ(none.sup, std::nullopt);
}

TEST(Extrema, BeyondTheConstantsOfTheModel) {
  // Three stays of up to 5 each, and t is compared with nothing.
  const std::string sum = process("clock x, t;", "A { x <= 5 }, B { x <= 5 }, C { x <= 5 }",
                                  "init A; trans A -> B { assign x = 0; }, B -> C { guard x >= 2; assign x = 0; };");
  EXPECT_EQ(values(sum, "sup: t").sup, at(15));
  EXPECT_EQ(values(sum, "inf{P.C and x >= 3}: t").inf, at(5));
  // A counted loop.
  const std::string loop =
      process("clock x, t; int[0,20] n;", "A { x <= 3 }, B",
              "urgent B; init A; trans A -> A { guard x >= 1 && n < 20; assign x = 0, n = n + 1; },"
              "A -> B { guard n == 20; };");
  EXPECT_EQ(values(loop, "sup{P.B}: t").sup, at(63));
  EXPECT_EQ(values(loop, "inf{P.B}: t").inf, at(20));
}

TEST(Extrema, WithoutBoundByGoingRound) {
  const std::string loop = process("clock x, t;", "A { x <= 3 }, B",
                                   "urgent B; init A; trans A -> A { guard x >= 1; assign x = 0; }, A -> B { };");
  EXPECT_EQ(values(loop, "sup{P.B}: t").sup, kInfinite);
  EXPECT_EQ(values(loop, "sup{P.B}: x").sup, at(3));
  // All rounds together take no more than 4.
  const std::string bounded = process("clock x, y, t;", "A { x <= 3 && y <= 4 }, B",
                                      "urgent B; init A; trans A -> A { assign x = 0; }, A -> B { };");
  EXPECT_EQ(values(bounded, "sup{P.B}: t").sup, at(4));
}

TEST(Extrema, GoingRoundEndsAlways) {
  // With differences of clocks; t grows by at most 1 a round, and only together with y, which is never reset.
  const std::string diagonal = process("clock x, y, t;", "A { x <= 1 }, B",
                                       "urgent B; init A; trans A -> A { guard x == 1, y - x <= 5; assign x = 0; },"
                                       "A -> A { guard x == 1, y - x > 5; assign x = 0; }, A -> B { };");
  EXPECT_EQ(values(diagonal, "sup{P.B}: t").sup, kInfinite);
  EXPECT_EQ(values(diagonal, "sup{P.B}: y").sup, kInfinite);
  EXPECT_EQ(values(diagonal, "sup{P.B}: x").sup, at(1));
  // t grows without bound, but not on a way to B: the goal is out of reach once y is beyond 3, or resets t.
  const std::string cut =
      process("clock x, y, t;", "A { x <= 1 }, B, C",
              "urgent B, C; init A; trans A -> A { guard x == 1; assign x = 0; }, A -> B { guard y <= 3; },"
              "A -> C { assign t = 0; };");
  EXPECT_EQ(values(cut, "sup{P.B}: t").sup, at(3));
  EXPECT_EQ(values(cut, "sup{P.C}: t").sup, at(0));
  EXPECT_EQ(values(cut, "sup{P.A}: t").sup, kInfinite);
  // Time passes without bound before the goal, in a place that the goal says nothing about.
  const std::string wait =
      process("clock x, t;", "A, B { x <= 2 }", "init A; trans A -> B { assign x = 0; }, B -> A { };");
  EXPECT_EQ(values(wait, "sup{P.B}: t").sup, kInfinite);
  EXPECT_EQ(values(wait, "inf{P.B}: t").inf, at(0));
}

}  // namespace
}  // namespace harrier
