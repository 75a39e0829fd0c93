// Remarks on proofs: each is true, and none is made of a proof that is what it seems.
#include "search/vacuity.h"

#include <gtest/gtest.h>

#include "harrier/harrier.h"

namespace harrier {
namespace {

using Warnings = std::vector<std::string>;

Warnings warnings(const std::string& text, const std::string& query, Search search = Search::Auto) {
  Model model = Model::load_text(text, "m.xta");
  model.add_query(query);
  CheckOptions options;
  options.search = search;
  const CheckResult result = model.check(0, options);
  EXPECT_EQ(result.verdict, Verdict::Unreachable) << query;
  return result.warnings;
}

constexpr const char* kModel = R"(int[0,3] n; clock x;
process P() { state a, b, c; init a; trans a -> b { guard n < 3; assign n := n + 1; }, b -> a { }, b -> c { guard n == 7; }; }
process Q() { state d, e; init d; trans d -> e { guard x > 2; }, e -> d { assign x := 0; }; }
system P, Q;
)";

TEST(Vacuity, TheInitialStateViolatesItsInvariant) {
  const std::string timed =
      "clock x;\nprocess P() { state a { x >= 3 }, b; init a; trans a -> b { guard x >= 1; }; }\nsystem P;\n";
  const Warnings expected{"the initial state violates the invariant of P.a (m.xta:2:21): the model has no run"};
  for (const Search search : {Search::Auto, Search::BreadthFirst, Search::DepthFirst, Search::Greedy}) {
    EXPECT_EQ(warnings(timed, "A[] false", search), expected);
  }
  EXPECT_EQ(warnings("int n;\nprocess P() { state a { n > 0 }; init a; }\nsystem P;\n", "E<> true").size(), 1U);
}

TEST(Vacuity, ARangeViolationDisablesAnEdge) {
  const std::string text = R"(int[0,5] id; int a[2];
chan go;
process P() { clock x; state A, B; init A; trans A -> B { guard x >= 1; sync go!; assign id := 9; }; }
process Q() { state S; init S; trans S -> S { sync go?; }; }
system P, Q;
)";
  for (const Search search :
       {Search::Auto, Search::BreadthFirst, Search::DepthFirst, Search::Greedy, Search::Anytime}) {
    EXPECT_EQ(warnings(text, "E<> P.B", search),
              (Warnings{"the model makes no step: only the initial state was looked at",
                        "a range violation disables the edge P: A -> B (m.xta:3:50): id would leave [0, 5]"}));
  }
}

TEST(Vacuity, ALocationOfTheQueryIsNeverReached) {
  EXPECT_EQ(warnings(kModel, "A[] not (P.c && Q.e)"), Warnings{"P.c is never reached"});
  EXPECT_EQ(warnings(kModel, "E<> P.c && x > 7"), Warnings{"P.c is never reached"});
  EXPECT_EQ(warnings(kModel, "A[] not P.c"), Warnings{}) << "that is the answer itself";
  EXPECT_EQ(warnings(kModel, "E<> P.c"), Warnings{});
  EXPECT_EQ(warnings(kModel, "A[] not (P.b && n == 0)"), Warnings{});
}

TEST(Vacuity, AnImplicationWhoseLeftSideNeverHolds) {
  EXPECT_EQ(warnings(kModel, "A[] (n == 2 && P.c) imply x < 3"),
            (Warnings{"P.c is never reached", "the left side of the implication never holds"}));
  EXPECT_EQ(warnings(kModel, "A[] n > 3 imply P.b"), Warnings{"the left side of the implication never holds"});
  EXPECT_EQ(warnings(kModel, "A[] n == 3 imply n > 2"), Warnings{});
  EXPECT_EQ(warnings(kModel, "A[] Q.e imply x > 2"), Warnings{});
}

TEST(Vacuity, AModelThatDoesNotMove) {
  EXPECT_EQ(warnings("process P() { state a, b; init a; trans a -> b { guard false; }; }\nsystem P;\n", "A[] P.a"),
            Warnings{"the model makes no step: only the initial state was looked at"});
}

// A search that leaves states out must not say that they are never reached.
TEST(Vacuity, NothingIsSaidWhereStatesAreLeftOut) {
  const std::string text = "byte x; byte y;\nactive proctype P() { atomic { x = 1; x = 2; L: x = 3; x = 0 }; y = 1 }\n";
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::Auto}) {
    const Model model = Model::load_text(text, "m.pml", {.options = {{"--goal", "P@L && y == 1"}}});
    CheckOptions options;
    options.search = search;
    const CheckResult result = model.check(0, options);
    EXPECT_EQ(result.verdict, Verdict::Unreachable);
    EXPECT_EQ(result.warnings, Warnings{});
  }
}

}  // namespace
}  // namespace harrier
