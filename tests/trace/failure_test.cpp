// Run-time errors of a model: every search shows the way to them, and the independent interpreter fails there too.
#include "trace/failure.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "harrier/harrier.h"

namespace harrier {
namespace {

using nlohmann::json;

struct Case {
  const char* name;
  const char* text;
  const char* query;  // empty: Promela
  const char* error;
  const char* part;
  size_t steps;  // the fewest
};

// f has no value once v is 2, nor has a[v].
constexpr const char* kLeavesRange = R"(int[0,3] v; int a[2]; clock x;
int[0,1] f() { int[0,1] n = v; return n; }
process P() { state s { x <= 5 }; init s; trans s -> s { guard x >= 1 && v < 3; assign v := v + 1, x := 0; }; }
system P;
)";

const Case kCases[] = {
    {"effect.xta", R"(int i; int j = 2;
process P() { state s; init s; trans s -> s { guard i < 9; assign j := j - 1; }, s -> s { guard j == 0; assign i := 1 / j; }; }
system P;
)",
     "E<> j == -30000", "division by zero", "transition", 2},
    {"guard.xta", R"(int i; int a[3];
process P() { state s, t; init s; trans s -> s { assign i := i + 1; }, s -> t { guard a[i] == 1; }; }
system P;
)",
     "E<> P.t", "array index out of bounds", "guard", 3},
    {"invariant.xta", R"(int i = 2;
process P() { state s, t { 6 / i > 1 }; init s; trans s -> s { assign i := i - 1; }, s -> t { }; }
system P;
)",
     "E<> i == -5", "division by zero", "transition", 2},
    {"goal.xta", R"(int i = 3;
process P() { state s; init s; trans s -> s { assign i := i - 1; }; }
system P;
)",
     "E<> 6 / i == 1", "division by zero", "goal", 3},
    {"start.xta", R"(int i;
process P() { state s { 6 / i > 1 }; init s; trans s -> s { assign i := i - 1; }; }
system P;
)",
     "E<> i == 4", "division by zero", "invariant", 0},
    {"start-goal.xta", "int i;\nprocess P() { state s; init s; trans s -> s { }; }\nsystem P;\n", "E<> 1 / i == 1",
     "division by zero", "goal", 0},
    {"deadlock.xta", R"(int i; int j;
process P() { state s, t, u; init s; trans s -> t { }, t -> u { guard 1 / i == 1; }; }
system P;
)",
     "A[] not deadlock", "division by zero", "guard", 1},
    {"timed.xta", R"(clock x, y; int i; chan go; int z;
process P() {
  state s { x <= 5 }, t { y <= 2 };
  init s;
  trans s -> t { guard x >= 3; assign y := 0; }, t -> s { guard y > 1; sync go!; assign i := 1 / z; };
}
process Q() { state s; init s; trans s -> s { sync go?; assign i := i + 1; }; }
system P, Q;
)",
     "E<> i == 4", "division by zero", "transition", 1},
    {"bound.xta", R"(clock x; int i = 1;
process P() { state s, t; init s; trans s -> s { assign i := i - 1; }, s -> t { guard x >= 4 / i; }; }
system P;
)",
     "E<> P.t && i == 7", "division by zero", "guard", 1},
    {"broadcast.xta", R"(int i; int z; broadcast chan all;
process P() { state s, t; init s; trans s -> t { sync all!; }; }
process Q() { state s, t; init s; trans s -> t { sync all?; assign i := 1 / z; }; }
system P, Q;
)",
     "E<> P.t", "division by zero", "transition", 0},
    {"committed.xta", R"(int i; int z;
process P() { state s, c, t; commit c; init s; trans s -> c { }, c -> t { assign z := 1 / i; }; }
process Q() { state s; init s; trans s -> s { assign i := 0; }; }
system P, Q;
)",
     "E<> P.t", "division by zero", "transition", 1},
    {"index.pml", R"(byte a[4]; byte i;
active [2] proctype P() { do :: i < 6 -> i++ :: a[i] = 1 od }
)",
     "", "array index out of bounds", "transition", 8},
    {"atomic.pml", R"(byte a[4]; byte i;
active proctype P() { atomic { i = 3; i = 5; a[i] = 1 }; assert(false) }
active proctype Q() { do :: i = 1 :: i = 2 od }
)",
     "", "array index out of bounds", "transition", 2},
    {"inside.pml", R"(byte x; byte i;
active proctype P() { atomic { i = 3; if :: x = 1 :: x = 7 / (i - 3) fi; assert(false) } }
)",
     "", "division by zero", "transition", 1},
    {"condition.pml", R"(byte x; byte i = 1;
active proctype P() { i--; (5 / i == 1); x = 1 }
)",
     "", "division by zero", "guard", 1},
    {"range.xta", kLeavesRange, "E<> f() > 1", "value out of the variable's range", "goal", 2},
    {"range-always.xta", kLeavesRange, "A[] f() <= 1", "value out of the variable's range", "goal", 2},
    {"range-bound.xta", kLeavesRange, "E<> x > 50 && x < f()", "value out of the variable's range", "goal", 2},
    {"range-deadlock.xta", kLeavesRange, "E<> deadlock && f() == 7", "value out of the variable's range", "goal", 2},
    {"index-goal.xta", kLeavesRange, "A[] a[v] == 0", "array index out of bounds", "goal", 2},
};

std::vector<CheckOptions> searches(bool promela, bool timed) {
  std::vector<CheckOptions> out;
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::RandomDepthFirst, Search::Greedy,
                              Search::AStar, Search::WeightedAStar, Search::ContextBoundProcess,
                              Search::ContextBoundInterference, Search::Walk, Search::Anytime, Search::Auto}) {
    CheckOptions options;
    options.search = search;
    if (search != Search::Walk) options.heuristic = "hU";
    out.push_back(options);
    if (search == Search::Greedy) {
      options.prefer = {"useless", "contexts", "preferred"};
      out.push_back(options);
    }
  }
  CheckOptions options;
  options.search = Search::BreadthFirst;
  options.safe_abstraction = !promela;
  options.reduction = !timed;
  out.push_back(options);
  return out;
}

TEST(Failure, IsShownByEverySearch) {
  for (const Case& c : kCases) {
    const bool promela = c.query[0] == '\0';
    const bool timed = std::string(c.text).find("clock") != std::string::npos;
    for (const CheckOptions& options : searches(promela, timed)) {
      const std::string what = std::string(c.name) + " " + std::to_string(static_cast<int>(options.search));
      Model model = Model::load_text(c.text, c.name);
      if (!promela) model.add_query(c.query);
      const CheckResult result = model.check(0, options);
      // A search that does not look at every transition may find what it looks for before the failure.
      if (result.verdict == Verdict::Reachable && std::string(c.name) == "inside.pml") continue;
      // A safe heuristic may prove that the goal is out of reach before any step is taken, if the goal cannot fail.
      const bool of_goal = std::string(c.part) == "goal";
      if (result.verdict == Verdict::Unreachable && result.statistics.dead_ends != 0 && !of_goal) continue;
      ASSERT_EQ(result.verdict, Verdict::Failed) << what;
      EXPECT_FALSE(result.holds.has_value());
      EXPECT_EQ(result.failure.rfind(c.error, 0), 0U) << what << ": " << result.failure;
      ASSERT_TRUE(result.witness_length.has_value()) << what;
      EXPECT_GE(*result.witness_length, c.steps) << what;
      if (options.search == Search::BreadthFirst && !options.reduction.value_or(false) && !options.safe_abstraction) {
        EXPECT_EQ(*result.witness_length, c.steps) << what << "\n" << result.trace_text;
      }
      const json failure = json::parse(result.trace_json)["end"]["failure"];
      EXPECT_EQ(failure["error"], c.error) << what;
      EXPECT_EQ(failure["part"], c.part) << what;
      const Validation validation = model.validate(result.trace_json, "trace");
      EXPECT_EQ(validation.problem, "") << what;
      EXPECT_EQ(validation.verdict, Verdict::Failed);
      EXPECT_NE(result.trace_text.find("the model fails after"), std::string::npos);
      EXPECT_NE(result.trace_text.find("\nend  "), std::string::npos) << result.trace_text;
      EXPECT_NE(result.trace_chart.find("the model fails#58; "), std::string::npos) << result.trace_chart;
      EXPECT_EQ(result.trace_trail.empty(), !promela) << what;
    }
  }
}

TEST(Failure, OfALivenessSearch) {
  for (const Search search : {Search::DepthFirst, Search::Walk, Search::Auto}) {
    const Model model = Model::load_text(R"(byte x = 2; byte y;
active proctype P() { do :: x--; y = 4 / x od }
)",
                                         "m.pml", {.options = {{"--ltl", "[] <> (y == 3)"}}});
    CheckOptions options;
    options.search = search;
    const CheckResult result = model.check(0, options);
    ASSERT_EQ(result.verdict, Verdict::Failed) << static_cast<int>(search);
    ASSERT_TRUE(result.witness_length.has_value());
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  }
}

// Whatever a query asks, it has no answer if it cannot be evaluated in a state that matters to it.
TEST(Failure, OfEveryKindOfQuery) {
  for (const char* query :
       {"E<> f() == 4", "A[] f() < 2", "E[] f() < 2", "A<> f() == 4", "v == 0 --> f() == 4", "f() == 4 --> v == 0",
        "sup: f()", "inf{f() == 0}: v", "sup{v == 2}: a[v]", "A[] x <= 5 imply f() < 2"}) {
    SCOPED_TRACE(query);
    Model model = Model::load_text(kLeavesRange, "m.xta");
    model.add_query(query);
    const CheckResult result = model.check(0, {});
    ASSERT_EQ(result.verdict, Verdict::Failed);
    ASSERT_TRUE(result.witness_length.has_value());
    EXPECT_EQ(*result.witness_length, 2U);
    const Validation validation = model.validate(result.trace_json, "trace");
    EXPECT_EQ(validation.problem, "");
    EXPECT_EQ(validation.verdict, Verdict::Failed);
    // Without the file or the place that the query came from.
    EXPECT_EQ(Model::load_text(kLeavesRange, "m.xta").validate(result.trace_json, "trace").problem, "");
  }
}

// What stands to the left of an operator protects what stands to the right, in any disjunctive form.
TEST(Failure, OperatorsProtect) {
  for (const char* query : {"A[] v < 2 imply f() == v", "A[] v >= 2 || a[v] == 0",
                            "A[] not (v < 2 && f() == 1 && x > 5)", "A[] (v >= 2 || f() <= 1) && x <= 5",
                            "A[] x <= 5 && (v >= 2 || f() <= 1)", "A[] (x > 5 || v >= 2 || f() <= 1) && v <= 3",
                            "A[] not ((x > 5 || v >= 2 || f() > 1) && x < 0)", "A[] v < 2 ? f() == v : x <= 5",
                            "A[] forall (i : int[0,1]) v >= 2 || f() <= 1 || x > i", "E<> v < 2 && x < f() - 1"}) {
    SCOPED_TRACE(query);
    Model model = Model::load_text(kLeavesRange, "m.xta");
    model.add_query(query);
    for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::Greedy, Search::Auto}) {
      CheckOptions options;
      options.search = search;
      EXPECT_EQ(model.check(0, options).verdict, Verdict::Unreachable);
    }
  }
}

TEST(Failure, TextAndTrail) {
  const Model model = Model::load_text(kCases[12].text, kCases[12].name);
  CheckOptions options;
  options.search = Search::BreadthFirst;
  const CheckResult result = model.check(0, options);
  EXPECT_EQ(result.failure, "array index out of bounds at atomic.pml:2:46");
  EXPECT_EQ(result.trace_text,
            "no assertion fails, no invalid end state: the model fails after 2 steps\n"
            "\n"
            "  0  start at P(0) line 2, Q(1) line 3\n"
            "  1  P(0)  atomic.pml:2  i = 3\n"
            "  2  P(0)  atomic.pml:2  i = 5\n"
            "end  array index out of bounds in the transition (atomic.pml:2:46)\n"
            "     P(0)  atomic.pml:2  a[i] = 1\n");
  EXPECT_EQ(result.trace_trail, "1:0:0\n2:0:1\n3:0:2\n");
}

// A long way that a walk found is not shown if there is a short one.
TEST(Failure, IsShownNearTheStart) {
  const Model model = Model::load_text(R"(byte x; byte y = 1;
active proctype P() { do :: x = 1 - x :: y = 1 / (1 - x) od }
)",
                                       "m.pml");
  CheckOptions options;
  options.search = Search::Walk;
  for (options.seed = 1; options.seed < 20; ++options.seed) {
    const CheckResult result = model.check(0, options);
    ASSERT_EQ(result.verdict, Verdict::Failed);
    EXPECT_EQ(*result.witness_length, 1U);
  }
}

// The guard of another process that fails is no reason to doubt a path that never asks for it.
TEST(Failure, ElsewhereDoesNotSpoilAWitness) {
  const Model model = Model::load_text(R"(byte x; byte i;
active proctype P() { atomic { x = 1; x = 2; assert(false) } }
active proctype Q() { (5 / i == 1); x = 1 }
)",
                                       "m.pml");
  CheckOptions options;
  options.search = Search::Walk;
  size_t reached = 0;
  for (options.seed = 1; options.seed < 20; ++options.seed) {
    const CheckResult result = model.check(0, options);
    reached += result.verdict == Verdict::Reachable;
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "");
  }
  EXPECT_GT(reached, 0U);
}

}  // namespace
}  // namespace harrier
