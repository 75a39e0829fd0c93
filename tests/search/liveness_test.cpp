// Claims, formulas and cycles of small Promela models whose answers are plain to see.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "harrier/harrier.h"

namespace harrier {
namespace {

constexpr const char* kCounter = "byte x; active proctype P() { do :: x = (x + 1) % 4 od }\n";

LoadOptions ltl(const std::string& formula, bool fairness = false) {
  LoadOptions options;
  options.ltl = formula;
  options.fairness = fairness;
  return options;
}

CheckResult check(const std::string& text, const LoadOptions& load, const CheckOptions& options = {}) {
  const Model model = Model::load_text(text, "model.pml", load);
  CheckResult result = model.check(0, options);
  if (result.witness_length) {
    EXPECT_EQ(model.validate(result.trace_json, "trace"), "");
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
  EXPECT_EQ(result.witness_length, 8U);  // four steps of the system, four of the claim
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
  EXPECT_EQ(*result.witness_length - *result.loop_start, 2U);
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
      EXPECT_EQ(result.witness_length, 7U);
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
  LoadOptions acceptance;
  acceptance.acceptance = true;
  EXPECT_FALSE(holds("bit x; active proctype P() { accept: x = 1; x = 0; goto accept }", acceptance));
  EXPECT_TRUE(holds("bit x; active proctype P() { accept: x = 1; again: x = 0; goto again }", acceptance));
  LoadOptions progress;
  progress.non_progress = true;
  EXPECT_TRUE(holds("bit x; active proctype P() { again: x = 1; progress: x = 0; goto again }", progress));
  EXPECT_FALSE(holds("bit x; active proctype P() { again: x = 1; x = 0; goto again }", progress));
}

TEST(Liveness, NeverClaims) {
  const std::string never = std::string(kCounter) + "never { do :: x == 2 -> break :: else od }";
  const CheckResult result = check(never, {});
  EXPECT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.witness_length, 5U);
  LoadOptions without;
  without.claims = false;
  EXPECT_TRUE(holds(never, without));
  EXPECT_FALSE(holds(std::string(kCounter) + "never { accept: do :: true od }", {}));
  EXPECT_TRUE(holds(std::string(kCounter) + "never { accept: do :: x < 3 od }", {}));
  EXPECT_FALSE(holds(std::string(kCounter) + "never { do :: assert(x < 3) od }", {}));
  EXPECT_EQ(refusal(std::string(kCounter) + "never { do :: x = 1 od }", {}), ErrorKind::Unsupported);
  EXPECT_EQ(refusal(std::string(kCounter) + "never { do :: timeout -> break :: else od }", {}), ErrorKind::Unsupported);
}

TEST(Liveness, TheFirstClaimIsTheDefault) {
  const std::string text = std::string(kCounter) + "ltl bad { [] (x < 2) }\nltl good { [] (x < 4) }\n";
  EXPECT_FALSE(holds(text, {}));
  EXPECT_TRUE(holds(text, ltl("good")));
  EXPECT_TRUE(holds(text, ltl("<> (x == 3)")));
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
  EXPECT_NE(model.validate(trace.dump(), "trace"), "");
  trace["loop_start"] = 100;
  EXPECT_NE(model.validate(trace.dump(), "trace"), "");
  trace.erase("loop_start");
  EXPECT_NE(model.validate(trace.dump(), "trace"), "");
}

}  // namespace
}  // namespace harrier
