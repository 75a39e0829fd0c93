// Claims, formulas and cycles of small Promela models whose answers are plain to see.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harrier/harrier.h"

namespace harrier {
namespace {

constexpr const char* kCounter = "byte x; active proctype P() { do :: x = (x + 1) % 4 od }\n";

LoadOptions ltl(const std::string& formula, bool fairness = false) {
  LoadOptions options{.options = {{"--ltl", formula}}};
  if (fairness) options.options.emplace_back("--fairness", "");
  return options;
}

CheckResult check(const std::string& text, const LoadOptions& load, const CheckOptions& options = {}) {
  const Model model = Model::load_text(text, "model.pml", load);
  CheckResult result = model.check(0, options);
  if (result.witness_length) {
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  }
  return result;
}

bool holds(const std::string& text, const LoadOptions& load) { return check(text, load).holds.value(); }

ErrorKind refusal(const std::string& text, const LoadOptions& load, const CheckOptions& options = {}) {
  try {
    check(text, load, options);
  } catch (const Error& error) {
    return error.kind();
  }
  return ErrorKind::Internal;
}

TEST(Liveness, CycleThroughTheInitialState) {
  const CheckResult result = check(kCounter, ltl("<> (x == 4)"));
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.loop_start, 0U);
  EXPECT_EQ(result.witness_length, 4U);  // those of the claim do not count
  EXPECT_NE(result.trace_text.find("cycle starts here"), std::string::npos);
  EXPECT_TRUE(holds(kCounter, ltl("[]<> (x == 3)")));
  EXPECT_FALSE(holds(kCounter, ltl("<>[] (x == 3)")));
  EXPECT_TRUE(holds(kCounter, ltl("(x < 2) U (x == 2)")));
  EXPECT_TRUE(holds(kCounter, ltl("[] (x == 3 -> X (x == 0))")));
}

TEST(Liveness, SelfLoop) {
  const CheckResult result =
      check("bit x; active proctype P() { x = 1; do :: x == 1 od }", ltl("<> (x == 0 && X (x == 0))"));
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(*result.witness_length - *result.loop_start, 1U);
}

TEST(Liveness, ASystemThatStandsStillStutters) {
  const std::string text = "bit x, y; active proctype P() { x = 1; y == 1 }";
  const CheckResult result = check(text, ltl("<> (y == 1)"));
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_NE(result.trace_text.find("the system stands still"), std::string::npos);
  EXPECT_TRUE(holds(text, ltl("<>[] (x == 1)")));
  EXPECT_TRUE(holds("bit x; active proctype P() { x = 1 }", ltl("<>[] (x == 1)")));
}

TEST(Liveness, FiniteViolationsAreReachedByEverySearch) {
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::AStar, Search::Greedy, Search::Auto}) {
    for (const char* heuristic : {"hc", "hU", "hL"}) {
      CheckOptions options;
      options.search = search;
      options.heuristic = heuristic;
      const CheckResult result = check(kCounter, ltl("[] (x < 3)"), options);
      EXPECT_EQ(result.verdict, Verdict::Reachable);
      EXPECT_FALSE(result.loop_start);
      EXPECT_EQ(result.witness_length, 3U);
    }
  }
}

TEST(Liveness, OtherSearchesAreRefusedForCycles) {
  CheckOptions options;
  options.search = Search::BreadthFirst;
  EXPECT_EQ(refusal(kCounter, ltl("<> (x == 4)"), options), ErrorKind::Unsupported);
  options.search = Search::DepthFirst;
  EXPECT_EQ(check(kCounter, ltl("<> (x == 4)"), options).verdict, Verdict::Reachable);
}

TEST(Liveness, Limits) {
  CheckOptions options;
  options.depth_limit = 3;
  EXPECT_EQ(check(kCounter, ltl("[]<> (x == 3)"), options).reason, "depth limit");
  options = {};
  options.memory_limit_bytes = 1;
  EXPECT_EQ(check(kCounter, ltl("[]<> (x == 3)"), options).reason, "memory limit");
  const std::atomic<bool> stop = true;
  options = {};
  options.stop = &stop;
  const std::string large = "int x; active proctype P() { do :: x < 100000 -> x++ od }";
  EXPECT_EQ(check(large, ltl("[] (x != 5 || <> (x == 6))"), options).reason, "interrupted");
}

TEST(Liveness, Fairness) {
  const std::string text =
      "bit stop, x; active proctype P() { do :: x = 1 - x :: stop -> break od } active proctype Q() { stop = 1 }";
  EXPECT_FALSE(holds(text, ltl("<> stop")));
  EXPECT_TRUE(holds(text, ltl("<> stop", true)));
  // P itself may loop for ever: fairness is about processes, not about choices.
  EXPECT_FALSE(holds(text, ltl("<>[] (x == 0) || <>[] (x == 1)", true)));
}

TEST(Liveness, AcceptanceAndProgressLabels) {
  const LoadOptions acceptance{.options = {{"--acceptance", ""}}};
  EXPECT_FALSE(holds("bit x; active proctype P() { accept: x = 1; x = 0; goto accept }", acceptance));
  EXPECT_TRUE(holds("bit x; active proctype P() { accept: x = 1; again: x = 0; goto again }", acceptance));
  const LoadOptions progress{.options = {{"--non-progress", ""}}};
  EXPECT_TRUE(holds("bit x; active proctype P() { again: x = 1; progress: x = 0; goto again }", progress));
  EXPECT_FALSE(holds("bit x; active proctype P() { again: x = 1; x = 0; goto again }", progress));
}

TEST(Liveness, NeverClaims) {
  const std::string never = std::string(kCounter) + "never { do :: x == 2 -> break :: else od }";
  const CheckResult result = check(never, {});
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.witness_length, 2U);
  const LoadOptions without{.options = {{"--no-claim", ""}}};
  EXPECT_TRUE(holds(never, without));
  EXPECT_FALSE(holds(std::string(kCounter) + "never { accept: do :: true od }", {}));
  EXPECT_TRUE(holds(std::string(kCounter) + "never { accept: do :: x < 3 od }", {}));
  EXPECT_FALSE(holds(std::string(kCounter) + "never { do :: assert(x < 3) od }", {}));
  EXPECT_EQ(refusal(std::string(kCounter) + "never { do :: x = 1 od }", {}), ErrorKind::Unsupported);
  EXPECT_EQ(refusal(std::string(kCounter) + "never { do :: timeout -> break :: else od }", {}), ErrorKind::Unsupported);
}

TEST(Liveness, EveryClaimIsAPropertyOfItsOwn) {
  const std::string text = std::string(kCounter) + "ltl bad { [] (x < 2) }\nltl good { [] (x < 4) }\n";
  const Model all = Model::load_text(text, "model.pml");
  ASSERT_EQ(all.property_count(), 2U);
  EXPECT_EQ(all.property(0).name, "bad");
  EXPECT_EQ(all.property(1).name, "good");
  const CheckResult bad = all.check(0, {});
  EXPECT_EQ(bad.holds, false);
  EXPECT_EQ(all.check(1, {}).holds, true);
  EXPECT_EQ(all.validate(bad.trace_json, "trace").problem, "");
  EXPECT_TRUE(holds(text, ltl("good")));
  EXPECT_TRUE(holds(text, ltl("<> (x == 3)")));
  const LoadOptions several{.options = {{"--ltl", "<> (x == 4)"}, {"--ltl", "good"}, {"--ltl", "bad"}}};
  const Model chosen = Model::load_text(text, "model.pml", several);
  ASSERT_EQ(chosen.property_count(), 3U);
  EXPECT_EQ(chosen.property(0).name, "");
  EXPECT_EQ(chosen.check(2, {}).holds, false);
  EXPECT_EQ(chosen.check(1, {}).holds, true);
  const CheckResult cycle = chosen.check(0, {});
  EXPECT_EQ(cycle.loop_start, 0U);
  EXPECT_EQ(chosen.validate(cycle.trace_json, "trace").problem, "");
}

TEST(Liveness, AssertionsBesideFormulasAreAPropertyOfTheirOwn) {
  const std::string claim = "ltl small { [] (x < 4) }\n";
  const std::string text = "byte x; active proctype P() { do :: x = (x + 1) % 4; assert(x != 2) od }\n" + claim;
  const Model model = Model::load_text(text, "model.pml");
  ASSERT_EQ(model.property_count(), 2U);
  EXPECT_EQ(model.check(0, {}).holds, true) << "a failed assertion does not violate the formula";
  EXPECT_EQ(model.property_text(1), "no assertion fails");
  EXPECT_EQ(model.check(1, {}).holds, false);
  LoadOptions options{.options = {{"--no-assert", ""}}};
  EXPECT_EQ(Model::load_text(text, "model.pml", options).property_count(), 1U);
  EXPECT_EQ(Model::load_text(kCounter + claim, "model.pml").property_count(), 1U) << "there is nothing to assert";
  // End states only if they are asked for.
  options.options.emplace_back("--deadlock", "");
  const Model stuck = Model::load_text("byte x; active proctype P() { x == 1 }\n" + claim, "model.pml", options);
  ASSERT_EQ(stuck.property_count(), 2U);
  EXPECT_EQ(stuck.check(0, {}).holds, true);
  EXPECT_EQ(stuck.check(1, {}).holds, false);
  // A never claim may pick the paths that count.
  const std::string never = "never { do :: x < 2 od }";
  EXPECT_TRUE(holds("byte x; active proctype P() { x = 1; x = 2; assert(false) }" + never, {}));
}

TEST(Liveness, ClaimsOfAModelThatStartsProcesses) {
  const std::string text =
      "byte x; proctype P(byte n) { x = n } init { run P(1); run P(2); run P(3) }\n"
      "ltl a { [] (x < 3) }\nltl b { <> (x == 3) }\nltl c { <> [] (x == 3) }\n";
  const Model model = Model::load_text(text, "model.pml");
  ASSERT_EQ(model.property_count(), 3U);
  for (const auto& [number, holds] : std::vector<std::pair<size_t, bool>>{{2, false}, {0, false}, {1, true}}) {
    const CheckResult result = model.check(number, {});
    EXPECT_EQ(result.holds, holds) << number;
    if (!holds) {
      EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "") << number;
    }
  }
}

TEST(Liveness, WitnessesAreShortAndWithoutTheClaim) {
  // Depth-first search goes through hundreds of states before it closes a cycle.
  const std::string text =
      "byte x, y; active proctype P() { do :: x < 200 -> x++ :: x > 0 -> x-- od }\n"
      "active proctype Q() { do :: y < 3 -> y++ :: y == 3 -> y = 0 od }\n";
  CheckOptions dfs;
  dfs.search = Search::DepthFirst;
  const CheckResult result = check(text, ltl("[]<> (x == 5)"), dfs);
  EXPECT_EQ(result.witness_length, 4U) << "once up and down";
  EXPECT_EQ(result.loop_start, 0U);
  EXPECT_EQ(result.trace_text.find("formula:"), std::string::npos);
  EXPECT_EQ(result.trace_text.find("formula  "), std::string::npos);
  dfs.polish = false;
  EXPECT_GT(check(text, ltl("[]<> (x == 5)"), dfs).witness_length, 8U);
  // A fair cycle has steps of both, and the second needs eight to come back.
  const CheckResult fair = check(text, ltl("[]<> (x == 5)", true));
  EXPECT_GE(fair.witness_length, 12U);
  EXPECT_LE(fair.witness_length, 13U);
  const LoadOptions progress{.options = {{"--non-progress", ""}}};
  const CheckResult cycle = check(text, progress);
  EXPECT_LE(cycle.witness_length, 5U);
  EXPECT_EQ(cycle.trace_text.find("np_"), std::string::npos);
  EXPECT_EQ(cycle.trace_chart.find("np_"), std::string::npos);
}

TEST(Liveness, AClaimDoesNotLookInsideAtomicSequences) {
  const std::string text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 0 }";
  EXPECT_TRUE(holds(text, ltl("[] (x != 1 && x != 2)")));
  EXPECT_FALSE(holds(text, ltl("[] (x != 3)")));
}

TEST(Liveness, TamperedCyclesAreNotValid) {
  const Model model = Model::load_text(kCounter, "model.pml", ltl("<> (x == 4)"));
  const CheckResult result = model.check(0, {});
  auto trace = nlohmann::json::parse(result.trace_json);
  trace["loop_start"] = 2;
  EXPECT_NE(model.validate(trace.dump(), "trace").problem, "");
  trace["loop_start"] = 100;
  EXPECT_NE(model.validate(trace.dump(), "trace").problem, "");
  trace.erase("loop_start");
  EXPECT_NE(model.validate(trace.dump(), "trace").problem, "");
}

}  // namespace
}  // namespace harrier
