// Depth-first search that stores no states: what it finds is real, and it never says that there is nothing.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "harrier/harrier.h"
#include "support/promela_checks.h"

namespace harrier {
namespace {

using namespace testing_support::promela;

CheckOptions by(Search search, bool reduction = false) {
  CheckOptions options;
  options.search = search;
  options.reduction = reduction;
  return options;
}
CheckOptions bitstate(Search search, bool reduction = false, uint32_t functions = 3) {
  CheckOptions options = by(search, reduction);
  options.bitstate_mb = 1;
  options.bitstate_functions = functions;
  return options;
}
CheckOptions compact(Search search, bool reduction = false) {
  CheckOptions options = by(search, reduction);
  options.compact = true;
  return options;
}

const std::vector<CheckOptions>& hashed() {
  static const std::vector<CheckOptions> all = {
      bitstate(Search::DepthFirst),           bitstate(Search::RandomDepthFirst), bitstate(Search::DepthFirst, true),
      bitstate(Search::DepthFirst, false, 1), compact(Search::DepthFirst),        compact(Search::RandomDepthFirst),
      compact(Search::DepthFirst, true)};
  return all;
}

// A property about infinite paths.
Model endless() {
  return Model::load_text("byte x; active proctype P() { do :: x = 1 - x od } ltl p { <> (x == 2) }", "model.pml",
                          {.options = {{"--ltl", "p"}}});
}

const char* const kWorkers =
    "byte x, y; active [3] proctype P() { byte k; do :: k < 5 -> k++; x++ :: x > 3 -> atomic { y++; x--; y-- }"
    " :: x == 9 -> break od }";

TEST(Hashed, FindsGoalsAndErrors) {
  for (const CheckOptions& options : hashed()) {
    const CheckResult found = check(kWorkers, options, goal("x == 9 && y == 1"));
    EXPECT_EQ(found.verdict, Verdict::Reachable);
    EXPECT_FALSE(found.shortest);
    EXPECT_EQ(check("active proctype P() { byte x; x = 1; assert(x == 2) }", options).witness_length, 2u);
    EXPECT_EQ(check("chan c = [1] of { byte }; active proctype P() { c!1; c!2 }", options).verdict, Verdict::Reachable);
    EXPECT_EQ(check("byte x = 1; active proctype P() { x = 1 }", options, goal("x == 1")).witness_length, 0u);
  }
}

TEST(Hashed, ProvesNothing) {
  for (const CheckOptions& options : hashed()) {
    const CheckResult result = check(kWorkers, options, goal("x == 77"));
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    const char* const kind = options.compact ? "hash compaction: " : "bitstate: ";
    EXPECT_TRUE(result.reason.starts_with(kind)) << result.reason;
    EXPECT_NE(result.reason.find("probability"), std::string::npos) << result.reason;
  }
  // Nor where there is no step at all.
  EXPECT_EQ(check("byte x; active proctype P() { (x == 1) }", bitstate(Search::DepthFirst), goal("x == 1")).verdict,
            Verdict::Unknown);
}

// With room enough the same states are seen as are stored otherwise. In a reduced space there may be some more, since
// nobody remembers which states are finished.
TEST(Hashed, SeesWhatASearchThatStoresSees) {
  for (const bool reduction : {false, true}) {
    const CheckResult stored = check(kWorkers, by(Search::DepthFirst, reduction), everything());
    ASSERT_EQ(stored.verdict, Verdict::Unreachable);
    for (const CheckOptions& options :
         {compact(Search::DepthFirst, reduction), bitstate(Search::DepthFirst, reduction, 8)}) {
      const CheckResult result = check(kWorkers, options, everything());
      EXPECT_GE(result.statistics.stored, stored.statistics.stored);
      if (reduction) continue;
      EXPECT_EQ(result.statistics.stored, stored.statistics.stored);
      EXPECT_EQ(result.statistics.expanded, stored.statistics.expanded);
      EXPECT_EQ(result.statistics.generated, stored.statistics.generated);
    }
  }
}

TEST(Hashed, TellsWhatWasLeftOut) {
  const std::string text = "short a, b; active proctype P() { do :: a < 1500 -> a++ :: b < 1500 -> b++ od }";
  const CheckResult few = check(text, bitstate(Search::DepthFirst, false, 1), everything());
  EXPECT_EQ(few.verdict, Verdict::Unknown);
  EXPECT_LT(few.statistics.stored, 2'200'000u);  // of 2,253,001
  EXPECT_NE(few.reason.find("probability that there are any: 100 %"), std::string::npos) << few.reason;
}

TEST(Hashed, TheDepthIsBounded) {
  const std::string text = "byte x; active proctype P() { x = 1; atomic { x = 2; x = 3; x = 4 }; x = 5 }";
  for (CheckOptions options : hashed()) {
    for (const uint64_t depth : {0u, 1u, 3u}) {
      options.depth_limit = depth;
      const CheckResult result = check(text, options, goal("x == 4"));
      EXPECT_EQ(result.verdict, Verdict::Unknown);
      EXPECT_TRUE(result.reason.starts_with("depth limit; ")) << result.reason;
    }
    options.depth_limit = 4;
    EXPECT_EQ(check(text, options, goal("x == 4")).witness_length, 4u);
  }
}

TEST(Hashed, AFailureOfTheModelHasAPath) {
  for (const CheckOptions& options : hashed()) {
    const CheckResult result =
        check("byte x, y; active proctype P() { do :: x < 3 -> x++ :: atomic { x == 3; y = 2; x = 5 / (y - 2) } od }",
              options);
    EXPECT_EQ(result.verdict, Verdict::Failed);
    EXPECT_TRUE(result.witness_length.has_value());
  }
}

TEST(Hashed, ChoicesAndInitialStatesOfSmv) {
  const std::string text =
      "MODULE main\nVAR x : 0..9; y : boolean;\nASSIGN next(x) := x < 9 ? {x, x + 1} : 0;\n"
      "INVARSPEC !(x = 9 & y)\nINVARSPEC x < 11\n";
  const Model model = Model::load_text(text, "model.smv");
  for (const CheckOptions& options : {bitstate(Search::DepthFirst), compact(Search::RandomDepthFirst)}) {
    EXPECT_EQ(check(model, options).verdict, Verdict::Reachable);
    EXPECT_EQ(model.check(1, options).verdict, Verdict::Unknown);
  }
}

TEST(Hashed, WhatItIsNotForIsRefused) {
  const Model timed = Model::load_text(
      "process P() { clock x; state a, b; init a; trans a -> b { guard x > 1; }; } system P;", "model.xta");
  Model asked = timed;
  asked.add_query("E<> P.b");
  EXPECT_THROW(asked.check(0, bitstate(Search::DepthFirst)), Error);
  const Model program = Model::load_text(kWorkers, "model.pml");
  EXPECT_THROW(program.check(0, bitstate(Search::BreadthFirst)), Error);
  EXPECT_THROW(program.check(0, compact(Search::Auto)), Error);
  CheckOptions both = bitstate(Search::DepthFirst);
  both.compact = true;
  EXPECT_THROW(program.check(0, both), Error);
  CheckOptions preferring = compact(Search::DepthFirst);
  preferring.prefer = {"contexts"};
  EXPECT_THROW(program.check(0, preferring), Error);
  EXPECT_THROW(program.check(0, bitstate(Search::DepthFirst, false, 0)), Error);
  CheckOptions compressed = compact(Search::DepthFirst);
  compressed.compress = true;
  EXPECT_THROW(program.check(0, compressed), Error);
  const Model liveness = endless();
  EXPECT_THROW(liveness.check(0, bitstate(Search::DepthFirst)), Error);
}

// Verdicts of the models that are compared with Spin: hashes miss nothing in so few states.
TEST(Hashed, ErrorsOfTheModelsOfEveryTrap) {
  size_t errors = 0;
  for_each_trap([&](const std::string& file, const Model& model) {
    const CheckResult stored = check(model, by(Search::DepthFirst));
    const CheckResult result = check(model, compact(Search::DepthFirst));
    const Verdict expected = stored.verdict == Verdict::Unreachable ? Verdict::Unknown : stored.verdict;
    EXPECT_EQ(result.verdict, expected) << file;
    EXPECT_EQ(result.statistics.expanded, stored.statistics.expanded) << file;
    if (stored.verdict == Verdict::Reachable) ++errors;
  });
  EXPECT_GT(errors, 20u);
}

// Kept in a tree, states are the same.
TEST(Compressed, NothingElseChanges) {
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::Greedy, Search::AStar}) {
    for (const LoadOptions& load : {everything(), goal("x == 9 && y == 1")}) {
      CheckOptions options = by(search);
      const CheckResult plain = check(kWorkers, options, load);
      options.compress = true;
      const CheckResult tree = check(kWorkers, options, load);
      EXPECT_EQ(tree.verdict, plain.verdict);
      EXPECT_EQ(tree.witness_length, plain.witness_length);
      EXPECT_EQ(tree.statistics.stored, plain.statistics.stored);
      EXPECT_EQ(tree.statistics.expanded, plain.statistics.expanded);
      EXPECT_EQ(tree.statistics.generated, plain.statistics.generated);
    }
  }
}

TEST(Compressed, IsForSearchesThatStoreDiscreteStates) {
  CheckOptions options = by(Search::Walk);
  options.compress = true;
  const Model program = Model::load_text(kWorkers, "model.pml");
  EXPECT_THROW(program.check(0, options), Error);
  options.search = Search::DepthFirst;
  const Model liveness = endless();
  EXPECT_THROW(liveness.check(0, options), Error);
  Model timed = Model::load_text("process P() { clock x; state a; init a; } system P;", "model.xta");
  timed.add_query("E<> P.a");
  EXPECT_THROW(timed.check(0, options), Error);
}

}  // namespace
}  // namespace harrier
