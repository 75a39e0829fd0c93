// Safe abstraction: what goes and what stays, and that verdicts and witnesses survive it.
#include "transform/safe_abstraction.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "harrier/harrier.h"
#include "lang/uppaal/uppaal.h"
#include "random/rng.h"

namespace harrier::transform {
namespace {

using testing_support::Rng;
using Names = std::vector<std::string>;

// The names of what goes, sorted.
Names abstracted(const std::string& text, const std::string& query) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(text, "test.xta", diagnostics);
  const auto properties = uppaal::parse_queries(loaded, query, "query", diagnostics);
  EXPECT_FALSE(diagnostics.has_errors()) << text << query;
  Names names = SafeAbstraction(*loaded.system, properties.at(0)).abstracted;
  std::sort(names.begin(), names.end());
  return names;
}

// The check throws if the witness does not pass validation.
CheckResult check(const std::string& text, const std::string& query, CheckOptions options, bool safe) {
  Model model = Model::load_text(text, "test.xta");
  model.add_query(query);
  options.safe_abstraction = safe;
  return model.check(0, options);
}

CheckOptions with(Search search, const char* heuristic = "hU") {
  CheckOptions options;
  options.search = search;
  options.heuristic = heuristic;
  return options;
}

// The running example (Wehrle 2011, fig. 5.1): v and w go round in both directions, P3 needs v = 2, w = 2, and both 0.
const char* const kExample = R"(
int[0,3] v, w;
process P1() { state a; init a; trans a -> a { assign v = (v + 1) % 4; }, a -> a { assign v = (v + 3) % 4; }; }
process P2() { state a; init a; trans a -> a { assign w = (w + 1) % 4; }, a -> a { assign w = (w + 3) % 4; }; }
process P3() {
  state l0, l1, l2, l3; init l0;
  trans l0 -> l1 { guard v == 2; }, l1 -> l2 { guard w == 2; }, l2 -> l3 { guard v == 0 && w == 0; };
}
system P1, P2, P3;
)";

TEST(SafeAbstraction, TheRunningExampleOfTheThesis) {
  EXPECT_EQ(abstracted(kExample, "E<> P3.l3"), (Names{"v", "w"}));
  const CheckResult safe = check(kExample, "E<> P3.l3", with(Search::BreadthFirst), true);
  EXPECT_EQ(safe.verdict, Verdict::Reachable);
  EXPECT_EQ(safe.witness_length, 11u);  // 3 of P3, and 2 for each time that v or w has to move
  EXPECT_FALSE(safe.shortest) << "as far as the search on the reduced model can tell";
  EXPECT_EQ(safe.statistics.stored, 4u);
  const CheckResult plain = check(kExample, "E<> P3.l3", with(Search::BreadthFirst), false);
  EXPECT_EQ(plain.witness_length, 11u);
  EXPECT_GT(plain.statistics.stored, 20u);
}

TEST(SafeAbstraction, AWitnessThatNeedsNoDriversKeepsItsProof) {
  const CheckResult safe = check(kExample, "E<> P3.l0", with(Search::BreadthFirst), true);
  EXPECT_EQ(safe.witness_length, 0u);
  EXPECT_TRUE(safe.shortest);
}

TEST(SafeAbstraction, TheGoalCanAskForValues) {
  EXPECT_EQ(abstracted(kExample, "E<> P3.l1 && v == 3 && w > v - 2"), (Names{"v", "w"}));
  for (const char* query : {"E<> P3.l1 && v == 3 && w > v - 1", "E<> v == 1 && w == 3", "E<> v + w == 7 || P3.l3",
                            "E<> v + w == 7", "A[] not (P3.l3 && v == w && v == 3)"}) {
    const CheckResult safe = check(kExample, query, with(Search::BreadthFirst), true);
    EXPECT_EQ(safe.verdict, check(kExample, query, with(Search::BreadthFirst), false).verdict) << query;
  }
}

// A driver of x as in the case study of the single-tracked line segment, and something that goes with it.
std::string driven(const std::string& declarations, const std::string& body, const std::string& system = "P, D") {
  return "int[0,2] x; int[0,2] y; chan c; urgent chan u; broadcast chan b;\n" + declarations + R"(
process D() { state loop; init loop; trans
  loop -> loop { guard x == 1; assign x = 0; }, loop -> loop { guard x == 2; assign x = 0; },
  loop -> loop { guard x == 0; assign x = 1; }, loop -> loop { guard x == 2; assign x = 1; },
  loop -> loop { guard x == 0; assign x = 2; }, loop -> loop { guard x == 1; assign x = 2; }; }
process P() { state A, B, C; )" +
         body + " }\nsystem " + system + ";\n";
}

TEST(SafeAbstraction, CopiesOfTheVariableAreOneEdgeAValue) {
  const std::string text = driven("", "init A; trans A -> B { assign y = x; }, B -> C { guard y == 2 && x == 1; };");
  EXPECT_EQ(abstracted(text, "E<> P.C"), Names{"x"});
  const CheckResult safe = check(text, "E<> P.C", with(Search::BreadthFirst), true);
  EXPECT_EQ(safe.verdict, Verdict::Reachable);
  EXPECT_EQ(safe.witness_length, 4u);
}

TEST(SafeAbstraction, SideEffectsOnTheVariableAreUndone) {
  const std::string text =
      driven("", "init A; trans A -> B { guard x == 1; assign x = 0; }, B -> C { guard x == 1; assign y = 1; };");
  EXPECT_EQ(abstracted(text, "E<> P.C"), Names{"x"});
  EXPECT_EQ(check(text, "E<> P.C && x == 2", with(Search::Greedy), true).witness_length, 5u);
}

TEST(SafeAbstraction, ClocksElsewhereDoNotMatter) {
  const std::string text =
      driven("clock t;",
             "init A; trans A -> B { guard t >= 2 && x == 1; assign t = 0; }, B -> C { guard t <= 0 && x == 2; };");
  EXPECT_EQ(abstracted(text, "E<> P.C"), Names{"x"});
  EXPECT_EQ(check(text, "E<> P.C", with(Search::BreadthFirst), true).witness_length, 4u);
}

TEST(SafeAbstraction, CommittedLocationsElsewhereDoNotMatterUnlessTheVariableIsNeededThere) {
  const std::string apart = driven(
      "", "commit B; init A; trans A -> B { guard x == 1; }, B -> C { assign y = 1; }, C -> A { assign y = x; };");
  EXPECT_EQ(abstracted(apart, "E<> P.C"), Names{"x"});
  EXPECT_EQ(abstracted(apart, "E<> P.C && x == 2"), Names{}) << "the goal may be asked for in a committed location";
  EXPECT_EQ(
      abstracted(driven("", "commit B; init A; trans A -> B { guard x == 1; }, B -> C { guard x == 2; };"), "E<> P.C"),
      Names{});
  EXPECT_EQ(check(driven("", "commit B; init A; trans A -> B { guard x == 1; }, B -> C { guard x == 2; };"), "E<> P.C",
                  with(Search::BreadthFirst), true)
                .verdict,
            Verdict::Unreachable);
}

TEST(SafeAbstraction, WhatWouldNotBeSoundStays) {
  const std::string step = "init A; trans A -> B { guard x == 1; };";
  EXPECT_EQ(abstracted(driven("", step), "E<> P.B"), Names{"x"});
  EXPECT_EQ(abstracted(driven("", step), "E<> deadlock"), Names{});
  EXPECT_EQ(abstracted(driven("chan priority c < default;", step), "E<> P.B"), Names{});
  EXPECT_EQ(abstracted(driven("bool f() { return x == 1; }", "init A; trans A -> B { guard f(); };"), "E<> P.B"),
            Names{})
      << "a function reads it";
  EXPECT_EQ(abstracted(driven("", "init A; trans A -> B { guard x == 1; sync b!; };"), "E<> P.B"), Names{});
  const std::string receiver =
      "process Q() { state q; init q; trans q -> q { sync u?; }, q -> q { guard x == 2; sync c?; }; }";
  EXPECT_EQ(abstracted(driven(receiver, "init A; trans A -> B { guard x == 1; sync u!; };", "P, Q, D"), "E<> P.B"),
            Names{})
      << "it decides whether time can pass";
  EXPECT_EQ(abstracted(driven(receiver, "init A; trans A -> B { guard x == 1; sync c!; };", "P, Q, D"), "E<> P.B"),
            Names{})
      << "both sides read it";
  EXPECT_EQ(abstracted(driven(receiver, "init A; trans A -> B { sync c!; };", "P, Q, D"), "E<> P.B"), Names{"x"});
  const std::string hurried = "commit B; init A; trans A -> B { guard x == 1; }, B -> C { sync c!; };";
  EXPECT_EQ(abstracted(driven(receiver, hurried, "P, Q, D"), "E<> P.C"), Names{}) << "the other side is committed";
  EXPECT_EQ(abstracted(driven("", "init A; trans A -> B { assign x = y; };"), "E<> P.B"), Names{});
  EXPECT_EQ(abstracted(driven("", "init A; trans A -> B { assign x = 1, y = x; };"), "E<> P.B"), Names{});
}

TEST(SafeAbstraction, VariablesWithDeadEndsStay) {
  const auto model = [](const std::string& driver) {
    return "int[0,2] x; process D() { state l; init l; trans " + driver +
           "; }\nprocess P() { state A, B; init A; trans A -> B { guard x == 2; }; }\nsystem D, P;";
  };
  EXPECT_EQ(abstracted(model("l -> l { assign x = x + 1; }"), "E<> P.B"), Names{}) << "there is no way back";
  EXPECT_EQ(abstracted(model("l -> l { assign x = x + 1; }, l -> l { assign x = x - 1; }"), "E<> P.B"), Names{"x"})
      << "values out of range are no move";
  EXPECT_EQ(abstracted("clock t; " + model("l -> l { guard t > 1; assign x = (x + 1) % 3; }"), "E<> P.B"), Names{})
      << "it takes time";
  EXPECT_EQ(abstracted("clock t; " + model("l -> l { assign x = (x + 1) % 3, t = 0; }"), "E<> P.B"), Names{});
}

TEST(SafeAbstraction, ProcessesGoTooAndWhatDependedOnThemFollows) {
  // S runs in a circle by itself; x is driven from one of its locations, y from values of x.
  const std::string text = R"(
int[0,2] x, y; chan c;
process S() { state a, b, d; init a; trans a -> b { }, b -> d { }, d -> a { }, d -> d { assign x = (x + 1) % 3; },
  b -> b { guard x == 2; assign y = (y + 1) % 3; }, a -> d { sync c!; }; }
process P() { state A, B, C; init A; trans A -> B { guard y == 1; sync c?; }, B -> C { guard y == 0 && x == 1; }; }
system S, P;
)";
  Names names = abstracted(text, "E<> P.C");
  EXPECT_EQ(names.size(), 3u);
  const CheckResult safe = check(text, "E<> P.C", with(Search::BreadthFirst), true);
  EXPECT_EQ(safe.verdict, Verdict::Reachable);
  EXPECT_EQ(safe.statistics.stored, 3u);
  EXPECT_EQ(check(text, "E<> P.C && S.b", with(Search::AStar, "hL"), true).verdict, Verdict::Reachable);
}

TEST(SafeAbstraction, RunTimeErrorsAreFoundAsBefore) {
  for (const char* guard :
       {"1 / y == 1 && x == 1", "x == 1 && 1 / y == 1", "1 / y == x", "1 / (y - x + 3) == 5 && x == y"}) {
    const std::string text = driven("", std::string("init A; trans A -> B { guard ") + guard + "; };");
    const auto outcome = [&](bool safe) { return check(text, "E<> P.B", with(Search::BreadthFirst), safe).verdict; };
    EXPECT_EQ(outcome(true), outcome(false)) << guard;
  }
}

// A small random model: variables with drivers of several kinds, a process that circles, and workers that read, copy
// and write at random, some of them with committed or urgent locations and a clock.
std::string random_model(Rng& rng) {
  const std::vector<std::string> variables{"x", "y", "z"};
  const auto number = [&] { return std::to_string(rng.below(3)); };
  const auto condition = [&] {
    const std::string left = rng.chance(80) ? rng.pick(variables) : "w";
    const std::string op = rng.chance(70) ? " == " : rng.pick(std::vector<std::string>{" != ", " < ", " >= "});
    return left + op + (rng.chance(85) ? number() : rng.pick(variables));
  };
  const auto assignment = [&] {
    switch (rng.below(8)) {
      case 0: return "w = (" + rng.pick(variables) + " + 1) % 3";
      case 1: return "w = w + " + rng.pick(variables);
      case 2: return rng.pick(variables) + " = " + rng.pick(variables);
      case 3:
      case 4: return rng.pick(variables) + " = " + number();
      default: return "w = " + rng.pick(variables);
    }
  };
  std::string text = "int[0,2] x, y, z, w; clock t; chan c, d; urgent chan u;\n";
  std::string system;
  for (const std::string& v : variables) {
    if (rng.chance(25)) continue;
    const std::vector<std::string> kinds{
        "l -> l { assign " + v + " = (" + v + " + 1) % 3; }",
        "l -> l { guard " + v + " < 2; assign " + v + " = " + v + " + 1; }, l -> l { assign " + v + " = 0; }",
        "l -> l { assign " + v + " = " + v + " + 1; }, l -> l { assign " + v + " = " + v + " - 1; }",
        "l -> l { guard " + v + " == 0; assign " + v + " = 2; }, l -> l { guard " + v + " == 2; assign " + v +
            " = 0; }",
        "l -> l { guard " + rng.pick(variables) + " != 1; assign " + v + " = (" + v + " + 1) % 3; }"};
    text += "process D" + v + "() { state l; init l; trans " + rng.pick(kinds) + "; }\n";
    system += "D" + v + ", ";
  }
  for (const std::string name : {"P", "Q", "S"}) {
    const bool circles = name == "S";
    text += "process " + name + "() { state a" + (rng.chance(15) ? " { t <= 2 }" : "") + ", b, e; ";
    if (rng.chance(40)) text += "commit b; ";
    if (rng.chance(15)) text += "urgent e; ";
    text += "init a; trans ";
    std::vector<std::string> edges;
    if (circles) edges = {"a -> b { }", "b -> e { }", "e -> a { }"};
    const std::vector<std::string> places{"a", "b", "e"};
    for (size_t n = 3 + rng.below(4); n > 0; --n) {
      std::string edge = rng.pick(places) + " -> " + rng.pick(places) + " { ";
      std::string guard;
      for (size_t k = rng.below(3); k > 0; --k) guard += (guard.empty() ? "" : " && ") + condition();
      if (rng.chance(15)) guard += (guard.empty() ? "" : " && ") + std::string(rng.chance(50) ? "t >= 1" : "t <= 1");
      const bool urgent = rng.chance(15) && guard.find('t') == std::string::npos;
      if (!guard.empty()) edge += "guard " + guard + "; ";
      if (urgent) {
        edge += rng.chance(50) ? "sync u!; " : "sync u?; ";
      } else if (rng.chance(50)) {
        edge += rng.pick(std::vector<std::string>{"sync c!; ", "sync c?; ", "sync d!; ", "sync d?; "});
      }
      std::string effect;
      for (size_t k = rng.below(3); k > 0; --k) effect += (effect.empty() ? "" : ", ") + assignment();
      if (rng.chance(10)) effect += (effect.empty() ? "" : ", ") + std::string("t = 0");
      if (!effect.empty()) edge += "assign " + effect + "; ";
      edges.push_back(edge + "}");
    }
    for (size_t i = 0; i < edges.size(); ++i) text += (i == 0 ? "" : ", ") + edges[i];
    text += "; }\n";
    system += name + (name == "S" ? "" : ", ");
  }
  return text + "system " + system + ";\n";
}

TEST(SafeAbstraction, VerdictsAgreeAndWitnessesAreValidOnRandomModels) {
  const std::vector<CheckOptions> all{with(Search::BreadthFirst), with(Search::Greedy, "hU"), with(Search::AStar, "hL"),
                                      with(Search::Greedy, "hCG"), with(Search::DepthFirst)};
  size_t reduced = 0;
  size_t reachable = 0;
  size_t unreachable = 0;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Rng rng(seed);
    const std::string text = random_model(rng);
    const std::string place = rng.pick(std::vector<std::string>{"P.b", "P.e", "Q.e", "P.e && Q.b", "P.e && Q.e"});
    const std::string query =
        "E<> " + place +
        rng.pick(std::vector<std::string>{"", "", " && x == 1", " && S.e && y == 2", " && x < z && z != y"});
    if (abstracted(text, query).empty()) continue;
    ++reduced;
    const CheckResult plain = check(text, query, all[0], false);
    ASSERT_NE(plain.verdict, Verdict::Unknown);
    ++(plain.verdict == Verdict::Reachable ? reachable : unreachable);
    for (const CheckOptions& options : {all[0], all[1 + seed % (all.size() - 1)]}) {
      const CheckResult safe = check(text, query, options, true);
      ASSERT_EQ(safe.verdict, plain.verdict) << "seed " << seed << "\n" << text << query;
      if (!plain.witness_length) continue;
      ASSERT_GE(*safe.witness_length, *plain.witness_length) << "seed " << seed;
      ASSERT_TRUE(!safe.shortest || *safe.witness_length == *plain.witness_length) << "seed " << seed;
    }
  }
  EXPECT_GT(reduced, 500u);
  EXPECT_GT(reachable, 100u);
  EXPECT_GT(unreachable, 100u);
}

}  // namespace
}  // namespace harrier::transform
