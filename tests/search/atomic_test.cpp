// Searches that pass through the states inside atomic sequences: they find what A* finds, which stores every state, and
// their paths have all steps. Those of breadth-first search are shortest ones.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harrier/harrier.h"
#include "support/promela_checks.h"

namespace harrier {
namespace {

using namespace testing_support::promela;

// Guided searches by the number of processes that can go on, which calls nothing a dead end for want of a goal.
CheckOptions by(Search search, bool reduction = false) {
  CheckOptions options;
  options.search = search;
  options.heuristic = "ha";
  options.reduction = reduction;
  return options;
}

const std::vector<CheckOptions>& passing() {
  static const std::vector<CheckOptions> all = {
      by(Search::BreadthFirst),       by(Search::DepthFirst),       by(Search::RandomDepthFirst), by(Search::Greedy),
      by(Search::BreadthFirst, true), by(Search::DepthFirst, true), by(Search::Greedy, true)};
  return all;
}

// The search that stores every state; and the same with a heuristic that makes its paths shortest ones.
CheckOptions storing() { return by(Search::AStar); }
CheckOptions shortest() {
  CheckOptions options = storing();
  options.heuristic = "dL";
  return options;
}

uint64_t at_rest(const CheckResult& result) { return result.statistics.stored - result.statistics.transient; }

TEST(Atomic, StatesInsideAreNotStored) {
  const std::string text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 }; x = 4 }";
  const CheckResult unit = check(text, storing(), everything());
  EXPECT_EQ(unit.statistics.stored, 6u);
  EXPECT_EQ(unit.statistics.transient, 2u);
  for (const CheckOptions& options : {by(Search::BreadthFirst), by(Search::DepthFirst), by(Search::Greedy)}) {
    const CheckResult result = check(text, options, everything());
    EXPECT_EQ(result.statistics.stored, 4u);
    EXPECT_EQ(result.statistics.transient, 0u);
    EXPECT_EQ(result.statistics.generated, unit.statistics.generated);
  }
}

TEST(Atomic, AWitnessHasAllSteps) {
  const std::string text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 }; assert(x != 3) }";
  for (const CheckOptions& options : passing()) {
    const CheckResult result = check(text, options);
    EXPECT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_EQ(result.witness_length, 4u);
  }
}

TEST(Atomic, AGoalInsideIsFound) {
  const std::string text =
      "byte x, y; active proctype P() { atomic { x = 1; if :: y = 1 :: y = 2 fi; assert(y == 1); x = 0 } }";
  for (const CheckOptions& options : passing()) {
    EXPECT_EQ(check(text, options).witness_length, 3u);
    EXPECT_EQ(check(text, options, goal("x == 1 && y == 2")).witness_length, 2u);
    EXPECT_EQ(check(text, options, goal("x == 0 && y == 3")).verdict, Verdict::Unreachable);
  }
}

TEST(Atomic, LoopsInsideEnd) {
  for (const CheckOptions& options : passing()) {
    EXPECT_EQ(check("bit x; active proctype P() { atomic { do :: x = 1 - x od } }", options, goal("x == 2")).verdict,
              Verdict::Unreachable);
    EXPECT_EQ(check("byte x; active proctype P() { atomic { do :: x = (x + 1) % 5 :: x == 3 -> break od }; x = 7 }",
                    options, goal("x == 7"))
                  .witness_length,
              6u);  // the break is a step, as in Spin
  }
}

TEST(Atomic, ChoicesInsideAreAllTaken) {
  const std::string text =
      "byte x, y; active [2] proctype P() { byte k; atomic { select(k : 0 .. 3); x = x + k;"
      " if :: y = k :: y = 3 - k :: skip fi; y = y % 2 }; (x == 6); y = 9 }";
  const uint64_t reference = at_rest(check(text, storing(), everything()));
  for (const CheckOptions& options :
       {by(Search::BreadthFirst), by(Search::DepthFirst), by(Search::RandomDepthFirst), by(Search::Greedy)}) {
    EXPECT_EQ(at_rest(check(text, options, everything())), reference);
  }
  for (const CheckOptions& options : passing()) {
    EXPECT_EQ(check(text, options, goal("y == 9")).verdict, Verdict::Reachable);
  }
}

TEST(Atomic, RendezvousPassesControl) {
  const std::string text =
      "chan c = [0] of { byte }; byte x, y;"
      "active proctype P() { atomic { x = 1; c!3; x = 2 }; y = 1 }"
      "active proctype Q() { byte k; atomic { c?k; y = k; y = k + 1 }; x = 5 }";
  const uint64_t reference = at_rest(check(text, storing(), everything()));
  EXPECT_EQ(at_rest(check(text, by(Search::DepthFirst), everything())), reference);
  for (const CheckOptions& options : passing()) {
    EXPECT_EQ(check(text, options, goal("x == 1 && y == 3")).verdict, Verdict::Reachable);
    EXPECT_EQ(check(text, options, goal("x == 2 && y == 3")).verdict, Verdict::Unreachable);
  }
}

// There are more states inside than are kept at once: the others are stored.
TEST(Atomic, LargeSequencesAreStored) {
  const std::string text =
      "byte x, y; active proctype P() { atomic { do :: x < 90 -> x++ :: y < 90 -> y++ :: x == y -> break od };"
      " atomic { x = 200; x = 201; x = 202 } }";
  const CheckResult unit = check(text, storing(), everything());
  ASSERT_GT(unit.statistics.transient, 8000u);
  for (const CheckOptions& options :
       {by(Search::BreadthFirst), by(Search::DepthFirst), by(Search::RandomDepthFirst), by(Search::Greedy)}) {
    const CheckResult result = check(text, options, everything());
    EXPECT_EQ(at_rest(result), at_rest(unit));
    EXPECT_LT(result.statistics.transient, unit.statistics.transient);
    EXPECT_GT(result.statistics.transient, 1000u);
    EXPECT_LT(result.statistics.generated, 2 * unit.statistics.generated);
  }
  for (const CheckOptions& options : passing()) {
    EXPECT_EQ(check(text, options, goal("x == 89 && y == 88")).verdict, Verdict::Reachable);
    EXPECT_EQ(check(text, options, goal("x == 201 && y == 90")).verdict, Verdict::Reachable);
    EXPECT_EQ(check(text, options, goal("x == 91")).verdict, Verdict::Unreachable);
  }
}

TEST(Atomic, WithABoundOnTheDepthEveryStepCounts) {
  const std::string text = "byte x; active proctype P() { atomic { x = 1; x = 2; x = 3 } }";
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::RandomDepthFirst, Search::Greedy}) {
    CheckOptions options = by(search);
    options.depth_limit = 2;
    EXPECT_EQ(check(text, options, goal("x == 3")).reason, "depth limit");
    options.depth_limit = 3;
    EXPECT_EQ(check(text, options, goal("x == 3")).witness_length, 3u);
  }
}

// A state at rest that is found by a long sequence first, and by few steps afterwards.
TEST(Atomic, ShortestPathsAreKept) {
  const char* const text =
      "byte x, y; active proctype P() {"
      "  if :: atomic { true; x = 1; x = 2; x = 3; x = 4; x = 9 } :: x = 5; x = 9 :: atomic { x = 6; x = 7 }; x = 9 fi;"
      "  y = 1; y = 2; atomic { y = 3; y = 4; y = 5 } }";
  for (const char* expression : {"x == 9", "y == 1", "y == 4", "x == 9 && y == 5", "x == 4", "x == 7", "y == 6"}) {
    const CheckResult least = check(text, shortest(), goal(expression));
    const CheckResult result = check(text, by(Search::BreadthFirst), goal(expression));
    EXPECT_EQ(result.verdict, least.verdict) << expression;
    EXPECT_EQ(result.witness_length, least.witness_length) << expression;
    EXPECT_EQ(result.shortest, least.shortest) << expression;
  }
}

TEST(Atomic, ShortestPathsOfTheModelsOfEveryTrap) {
  size_t errors = 0;
  for_each_trap([&](const std::string& file, const Model& model) {
    const CheckResult least = check(model, shortest());
    if (least.verdict != Verdict::Reachable) return;
    ++errors;
    const CheckResult result = check(model, by(Search::BreadthFirst));
    EXPECT_EQ(result.witness_length, least.witness_length) << file;
    EXPECT_TRUE(result.shortest) << file;
  });
  EXPECT_GT(errors, 20u);
}

// A goal that is several steps away waits until all that is as deep has been looked at; so does one that is a step
// further.
TEST(Atomic, OfTwoGoalsTheNearerOneIsFound) {
  const std::string text =
      "byte x, y; active proctype P() { y = 1; y = 2; y = 3; x = 9 }"
      "active proctype Q() { y = 5; atomic { y = 6; y = 7 }; x = 9; y = 8 }"
      "active proctype R() { do :: y = 9 -> y = 10 od }";
  for (const char* expression : {"x == 9", "y == 7", "x == 9 && y == 7", "y == 8"}) {
    const LoadOptions load = goal(expression);
    EXPECT_EQ(check(text, by(Search::BreadthFirst), load).witness_length, check(text, shortest(), load).witness_length)
        << expression;
  }
  // The deadlock in the middle of the sequence is nearer than that behind it.
  const std::string blocked =
      "chan q = [1] of { byte }; active proctype P() { byte z; if :: q?1 :: z = 1; z = 2; q?z; q?1 fi }"
      "active proctype Q() { byte x; x = 1; x = 2; atomic { q!0; if :: full(q) -> q!2 fi } }";
  EXPECT_EQ(check(blocked, by(Search::BreadthFirst)).witness_length, check(blocked, shortest()).witness_length);
}

// Nor does the reduction, which passes through states in which a process goes on alone, go beyond a bound.
TEST(Atomic, DepthsOfReducedSearchesAreBounded) {
  const char* const text =
      "byte x; active proctype P() { byte a; a = 1; a = 2; a = a + 1; a = a + 2; x = a }"
      "active proctype Q() { byte b; b = 1; b = b + 2; x = x + b }";
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::Greedy}) {
    CheckOptions options = by(search, true);
    options.simplify = false;
    options.depth_limit = 3;
    EXPECT_EQ(check(text, options, goal("x == 5")).reason, "depth limit");
    options.depth_limit = 8;
    const CheckResult found = check(text, options, goal("x == 5"));
    ASSERT_EQ(found.verdict, Verdict::Reachable);
    EXPECT_LE(found.witness_length, 8u);
  }
}

// The states that wait beyond a bound on the depth are not looked at, goals among them.
TEST(Atomic, DepthsInsideAreBounded) {
  const char* const text = "byte x; active proctype P() { x = 1; atomic { x = 2; x = 3; x = 4 }; x = 5 }";
  CheckOptions options = by(Search::BreadthFirst);
  for (const uint64_t depth : {1u, 2u, 3u}) {
    options.depth_limit = depth;
    EXPECT_EQ(check(text, options, goal("x == 4")).reason, "depth limit") << depth;
    EXPECT_EQ(check(text, options, goal("x == 3")).witness_length,
              depth == 3 ? std::optional<size_t>(3) : std::nullopt);
  }
  options.depth_limit = 4;
  EXPECT_EQ(check(text, options, goal("x == 4")).witness_length, 4u);
  options.depth_limit = 7;
  EXPECT_EQ(check(text, options, goal("x == 6")).verdict, Verdict::Unreachable);
}

TEST(Atomic, UnderAClaim) {
  const std::string text =
      "byte x; active [2] proctype P() { do :: x < 6 -> atomic { x = x + 1; x = x + 1 } :: x > 4 -> x = 1 od }"
      "ltl small { [] (x < 8) } ltl even { [] (x != 7) }";
  for (const char* claim : {"small", "even"}) {
    const Model model = Model::load_text(text, "model.pml", {.options = {{"--ltl", claim}}});
    const CheckResult unit = check(model, storing());
    for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::RandomDepthFirst, Search::Greedy}) {
      const CheckResult result = check(model, by(search));
      EXPECT_EQ(result.verdict, unit.verdict) << claim;
      if (result.verdict == Verdict::Unreachable) {
        EXPECT_EQ(at_rest(result), at_rest(unit)) << claim;
      }
    }
  }
}

// The verdict of a search about the models that are compared with Spin, or the kind of error that ends it.
std::string answer(const std::string& file, const CheckOptions& options, const LoadOptions& load, bool count) {
  try {
    const CheckResult result = check(Model::load_file(file, load), options);
    // How many states are seen before a failure depends on the order.
    const bool all = count && result.verdict != Verdict::Failed;
    return std::to_string(static_cast<int>(result.verdict)) + (all ? " " + std::to_string(at_rest(result)) : "");
  } catch (const Error& error) {
    return "error " + std::to_string(static_cast<int>(error.kind()));
  }
}

TEST(Atomic, AnswersOfASearchThatStoresAllOnTheModelsOfEveryTrap) {
  for (const std::string& file : traps()) {
    for (const LoadOptions& load : {assertions(), end_states(), everything()}) {
      const bool whole = load.options.size() == 3;
      const std::string reference = answer(file, storing(), load, whole);
      for (const CheckOptions& options : passing()) {
        if (whole && options.reduction.value_or(false)) continue;
        EXPECT_EQ(answer(file, options, load, whole), reference)
            << file << " " << static_cast<int>(options.search) << options.reduction.value_or(false);
      }
    }
  }
  EXPECT_GT(traps().size(), 50u);
}

}  // namespace
}  // namespace harrier
