// Walks from zone to zone: errors of models with clocks, and witnesses that the independent interpreter follows.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harrier/harrier.h"
#include "support/frequency.h"
#include "support/options.h"
#include "support/shared_models.h"
#include "support/subject.h"
#include "support/watch.h"
#include "trace/failure.h"

namespace harrier::search {
namespace {

using testing_support::Subject;
using testing_support::walk_options;
using Selection = WalkOptions::Selection;
using Restart = WalkOptions::Restart;

// The ways to walk.
std::vector<CheckOptions> ways() {
  std::vector<CheckOptions> out;
  const auto add = [&]() -> CheckOptions& {
    out.push_back(walk_options(out.size() + 1));
    out.back().walk.walks = 400;
    out.back().walk.depth = 60;
    return out.back();
  };
  add();
  add().walk.selection = Selection::All;
  add().walk.trails = true;
  add().walk.end_at_loop = true;
  add().walk.restart = Restart::Previous;
  CheckOptions& guided = add();
  guided.heuristic = "hU";
  CheckOptions& clocks = add();
  clocks.heuristic = "hL";
  clocks.heuristic_clocks = true;
  clocks.walk.selection = Selection::All;
  CheckOptions& best = add();
  best.heuristic = "hU";
  best.walk.restart = Restart::Best;
  best.walk.trails = true;
  best.walk.threads = 2;
  return out;
}

// Every way finds what breadth-first search finds, with a valid witness, and nothing else.
void expect_same_as_breadth_first(const std::string& model, const std::string& query) {
  SCOPED_TRACE(query);
  const Subject subject(model, query);
  CheckOptions breadth_first;
  breadth_first.search = Search::BreadthFirst;
  const Result expected = run(subject.system(), subject.property, breadth_first);
  ASSERT_NE(expected.verdict, Verdict::Unknown);
  size_t number = 0;
  for (const CheckOptions& options : ways()) {
    SCOPED_TRACE(++number);
    const Result result = run(subject.system(), subject.property, options);
    if (expected.verdict == Verdict::Unreachable) {
      EXPECT_EQ(result.verdict, Verdict::Unknown);
      continue;
    }
    ASSERT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_GE(result.path->steps.size(), expected.path->steps.size());
    EXPECT_EQ(subject.problem_with(*result.path), "");
  }
}

TEST(ZoneWalk, Diagonals) {
  const char* text = R"(clock x, y; int[0,9] n;
process P() {
  state s, a, b, c, d;
  init s;
  trans s -> s { guard n < 3; assign y := 0, n := n + 1; },
        s -> a { guard x - y >= 3 && x <= 4; }, s -> b { guard x - y < 1 && n > 0; }, s -> c { guard y - x > 0; },
        a -> d { guard y <= 1 && x > 4; };
}
system P;
)";
  expect_same_as_breadth_first(text, "E<> P.a");
  expect_same_as_breadth_first(text, "E<> P.b");
  expect_same_as_breadth_first(text, "E<> P.c");
  expect_same_as_breadth_first(text, "E<> P.d");
  expect_same_as_breadth_first(text, "E<> P.b && deadlock");
}

TEST(ZoneWalk, BroadcastsWithClockGuards) {
  const char* text = R"(clock x; broadcast chan all; int[0,3] heard;
process Sender() {
  state s, t;
  init s;
  trans s -> t { guard x >= 2; sync all!; }, t -> s { assign x := 0; };
}
process Listener(const int k) {
  state idle, awake;
  init idle;
  trans idle -> awake { guard x <= 2 + k; sync all?; assign heard := heard + 1; }, awake -> awake { };
}
A := Listener(0);
B := Listener(1);
system Sender, A, B;
)";
  expect_same_as_breadth_first(text, "E<> heard == 2");
  expect_same_as_breadth_first(text, "E<> A.idle && B.awake");
  expect_same_as_breadth_first(text, "E<> A.awake && B.idle");
  expect_same_as_breadth_first(text, "E<> Sender.t && A.idle && B.idle");
}

TEST(ZoneWalk, PrioritiesAndDeadlocks) {
  const char* text = R"(clock x; chan low, high; chan priority low < high; int[0,5] n;
process P() {
  state s;
  init s;
  trans s -> s { guard n < 5; sync low!; assign n := n + 1; }, s -> s { guard x > 3 && n < 5; sync high!; assign x := 0; };
}
process Q() {
  state s;
  init s;
  trans s -> s { sync low?; }, s -> s { sync high?; };
}
system P, Q;
)";
  expect_same_as_breadth_first(text, "E<> n == 4");
  expect_same_as_breadth_first(text, "E<> deadlock");
  expect_same_as_breadth_first(text, "E<> n == 3 && deadlock");
  expect_same_as_breadth_first(text, "E<> n == 1 && x > 3");
}

TEST(ZoneWalk, DeadlocksThatOnlyTimeBrings) {
  const char* text = R"(clock x, y;
process P() {
  state s, t { x <= 5 }, u;
  urgent u;
  init s;
  trans s -> t { guard y >= 1; assign x := 0; }, t -> s { guard x < 3 && y < 100; }, s -> u { guard x == 2; };
}
system P;
)";
  expect_same_as_breadth_first(text, "E<> deadlock");
  expect_same_as_breadth_first(text, "E<> P.t && deadlock");
  expect_same_as_breadth_first(text, "E<> P.s && deadlock");
  expect_same_as_breadth_first(text, "E<> P.u && deadlock && y > 3");
  expect_same_as_breadth_first(text, "E<> P.t && not deadlock");
}

TEST(ZoneWalk, CommittedAndUrgent) {
  const char* text = R"(clock x; urgent chan go; int[0,3] n;
process P() { state s, c, t; commit c; init s; trans s -> c { guard x > 1; assign n := 1; }, c -> t { assign n := 2; }; }
process Q() { state s, t; init s; trans s -> t { guard n == 1; }, s -> t { guard n == 2; sync go!; }; }
process R() { state s; init s; trans s -> s { sync go?; }; }
system P, Q, R;
)";
  expect_same_as_breadth_first(text, "E<> Q.t");
  expect_same_as_breadth_first(text, "E<> Q.t && n == 1");
  expect_same_as_breadth_first(text, "E<> P.t && Q.s && x > 9");
}

TEST(ZoneWalk, TheRegressionsOfTheRandomTests) {
  const std::filesystem::path folder = std::filesystem::path(HARRIER_SOURCE_DIR) / "tests/random/regressions";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".xta") continue;
    SCOPED_TRACE(entry.path().filename());
    Diagnostics diagnostics;
    uppaal::Loaded loaded = uppaal::load(read_file(entry.path()), "model", diagnostics);
    std::filesystem::path queries = entry.path();
    const auto properties =
        uppaal::parse_queries(loaded, read_file(queries.replace_extension(".q")), "query", diagnostics);
    for (const model::Property& property : properties) {
      CheckOptions breadth_first;
      breadth_first.search = Search::BreadthFirst;
      const Verdict expected = run(*loaded.system, property, breadth_first).verdict;
      for (const CheckOptions& options : ways()) {
        const Result result = run(*loaded.system, property, options);
        EXPECT_EQ(result.verdict, expected == Verdict::Unreachable ? Verdict::Unknown : expected) << property.text;
        if (!result.path) continue;
        if (expected == Verdict::Failed) {
          EXPECT_TRUE(trace::failure_trace(*loaded.system, property, *result.path)) << property.text;
          continue;
        }
        const trace::Trace trace = trace::build_trace(*loaded.system, property, *result.path);
        EXPECT_TRUE(trace::validate(*loaded.system, property, trace).valid) << property.text;
      }
    }
  }
}

// How likely first steps are. A walk of one step to each seed: the search tells no more than the way to a goal.
TEST(ZoneWalk, AProcessFirstOrAllTransitionsAlike) {
  const Subject subject(R"(clock c; int[0,9] x;
process A() {
  state s { c <= 5 };
  init s;
  trans s -> s { guard c >= 4; assign x := 1; }, s -> s { assign x := 2; }, s -> s { guard c < 1; assign x := 3; };
}
process B() { state s; init s; trans s -> s { guard c == 5; assign x := 4; }, s -> s { guard c > 5; assign x := 5; }; }
process C() { state s, t { c <= 1 }; init s; trans s -> t { guard c >= 2; assign x := 6; }; }
system A, B, C;
)",
                        "E<> x > 0");
  const size_t x = testing_support::variable(subject.system(), "x");
  for (const Selection selection : {Selection::One, Selection::All}) {
    std::map<int32_t, uint64_t> counts;
    for (uint64_t seed = 1; seed <= 4000; ++seed) {
      CheckOptions options = walk_options(seed);
      options.walk.selection = selection;
      options.walk.walks = 1;
      const Result result = run(subject.system(), subject.property, options);
      ASSERT_EQ(result.verdict, Verdict::Reachable);
      ASSERT_EQ(result.path->steps.size(), 1U);
      const trace::Trace trace = trace::build_trace(subject.system(), subject.property, *result.path);
      ++counts[trace.steps.back().state.values[x]];
    }
    const std::map<int32_t, double> one = {{1, 1.0 / 6}, {2, 1.0 / 6}, {3, 1.0 / 6}, {4, 0.5}};
    const std::map<int32_t, double> all = {{1, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.25}};
    testing_support::expect_frequencies(counts, selection == Selection::One ? one : all);
  }
}

TEST(ZoneWalk, OurFaultyModels) {
  Model fischer = Model::load_file(std::string(HARRIER_SOURCE_DIR) + "/models/fischer-faulty.xta");
  fischer.add_query_file(std::string(HARRIER_SOURCE_DIR) + "/models/fischer-faulty.q");
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    for (const char* heuristic : {"", "hU"}) {
      CheckOptions options = walk_options(seed);
      options.heuristic = heuristic;
      const CheckResult result = fischer.check(0, options);
      EXPECT_EQ(result.verdict, Verdict::Reachable);
      EXPECT_EQ(result.holds, false);
      EXPECT_EQ(fischer.validate(result.trace_json, "trace").problem, "");
    }
  }
}

TEST(ZoneWalk, SharedModels) {
  HARRIER_NEEDS_SHARED("dmc");
  const auto expect_error = [&](const std::string& name, WalkOptions::Bias bias, uint32_t threads) {
    const Model model = Model::load_file(testing_support::shared_model("dmc/" + name));
    CheckOptions options = walk_options();
    options.heuristic = "hU";
    options.walk.bias = bias;
    options.walk.threads = threads;
    options.polish = false;
    const CheckResult result = model.check(0, options);
    EXPECT_EQ(result.verdict, Verdict::Reachable) << name;
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "") << name;
  };
  expect_error("mutex/M1.xml", WalkOptions::Bias::Linear, 1);
  expect_error("arbiter/A2.xml", WalkOptions::Bias::Softmax, 1);
  expect_error("arbiter/A2.xml", WalkOptions::Bias::Softmax, 2);
}

}  // namespace
}  // namespace harrier::search
