// Queries and their disjunctive form.
#include "lang/lang_support.h"

namespace harrier::testing {
namespace {

using Lines = std::vector<std::string>;

const char* const kModel =
    "clock x, y; clock cs[2]; int n; int[0,1] i; bool b; int a[3]; const int K = 4; typedef int[1,3] id_t;\n"
    "bool big(int v) { return v > K; }\n"
    "process P(const id_t id) { clock z; int v; state A, cs; init A; }\n"
    "process Q() { state S, T; init S; }\nR = Q();\nsystem P, Q, R;\n";

TEST(Queries, Kinds) {
  Model model(kModel);
  const auto found = model.queries(
      "E<> n == 1\nA[] n == 1\nE[] n == 1\nA<> n == 1\nn == 1 --> n == 2\nsup: n, x\ninf{n > 1}: P(1).z\nbounds{n > "
      "1}: x, n + 1\n");
  ASSERT_EQ(found.size(), 8u);
  using model::PropertyKind;
  const PropertyKind kinds[] = {PropertyKind::Reachable,  PropertyKind::Invariant, PropertyKind::PotentiallyAlways,
                                PropertyKind::Eventually, PropertyKind::LeadsTo,   PropertyKind::Extrema,
                                PropertyKind::Extrema,    PropertyKind::Extrema};
  for (size_t k = 0; k < 8; ++k) EXPECT_EQ(found[k].kind, kinds[k]);
  const auto text = [&](const std::vector<model::Clause>& clauses) {
    return model::to_text(model.system(), clauses.at(0));
  };
  EXPECT_EQ(text(found[0].goal), "n == 1");
  EXPECT_EQ(text(found[1].goal), "n != 1") << "the negation";
  EXPECT_EQ(text(found[2].goal), "n == 1");
  EXPECT_EQ(text(found[3].goal), "n != 1");
  EXPECT_EQ(text(found[4].premise), "n == 1");
  EXPECT_EQ(text(found[4].goal), "n != 2");
  EXPECT_TRUE(found[5].terms[0].expr.valid());
  EXPECT_EQ(found[5].terms[1].clock.value, 1u);
  EXPECT_EQ(found[5].terms[1].text, "x");
  EXPECT_EQ(found[5].goal.size(), 1u) << "every state";
  EXPECT_EQ(model.system().clocks[found[6].terms[0].clock.value].name, "P(1).z");
  EXPECT_TRUE(found[5].largest && !found[5].smallest);
  EXPECT_TRUE(!found[6].largest && found[6].smallest);
  EXPECT_TRUE(found[7].largest && found[7].smallest);
  EXPECT_EQ(text(found[7].goal), "n > 1");
  EXPECT_EQ(found[7].terms.at(1).text, "n + 1");
}

TEST(Queries, NameProcesses) {
  Model model(kModel);
  EXPECT_EQ(model.goal("E<> P(2).cs and R.T"), Lines{"P(2).cs && R.T"});
  EXPECT_EQ(model.goal("E<> P(1+1).v == K && P(3).z < 2"), Lines{"P(2).v == 4 && P(3).z < 2"});
  EXPECT_EQ(model.goal("A[] not (P(1).cs && P(2).cs)"), Lines{"P(1).cs && P(2).cs"});
  EXPECT_EQ(model.goal("E<> exists (k : int[1,2]) P(k).cs"), Lines{"(P(1).cs || P(2).cs)"});
}

TEST(Queries, MutualExclusionFolds) {
  Model model("process P(const int[1,2] id) { state A, cs; init A; } system P;");
  EXPECT_EQ(model.goal("A[] forall (i : int[1,2]) forall (j : int[1,2]) P(i).cs && P(j).cs imply i == j"),
            Lines{"(P(1).cs && P(2).cs || P(2).cs && P(1).cs)"});
}

TEST(Queries, IntegerConditionsStayWhole) {
  Model model(kModel);
  EXPECT_EQ(model.goal("E<> (n == 1 || n == 2) && b && x > 3"), Lines{"(n == 1 || n == 2) && b && x > 3"});
  const auto found = model.queries("E<> n == 1 && (b && a[0] == 2)");
  EXPECT_EQ(found.at(0).goal.at(0).conditions.size(), 3u);
}

TEST(Queries, ClocksAreMultipliedOut) {
  Model model(kModel);
  EXPECT_EQ(model.goal("E<> x < 3 or y > 2"), (Lines{"x < 3", "y > 2"}));
  EXPECT_EQ(model.goal("E<> (x < 3 or b) and (y > 2 or n == 1)"),
            (Lines{"x < 3 && y > 2", "n == 1 && x < 3", "b && y > 2", "b && n == 1"}));
  EXPECT_EQ(model.goal("E<> x == 3"), Lines{"x <= 3 && x >= 3"});
  EXPECT_EQ(model.goal("E<> x != 3"), (Lines{"x < 3", "x > 3"}));
  EXPECT_EQ(model.goal("A[] x == 3"), (Lines{"x < 3", "x > 3"}));
  EXPECT_EQ(model.goal("A[] x != 3"), Lines{"x <= 3 && x >= 3"});
  EXPECT_EQ(model.goal("A[] x - y <= 2"), Lines{"y - x < -2"});
  EXPECT_EQ(model.goal("A[] b imply x < y"), Lines{"b && y - x <= 0"});
  EXPECT_EQ(model.goal("E<> b ? x < 1 : x > 2"), (Lines{"b && x < 1", "!b && x > 2"}));
  EXPECT_EQ(model.goal("E<> forall (k : int[0,1]) cs[k] > k"), Lines{"cs[0] > 0 && cs[1] > 1"});
  EXPECT_EQ(model.goal("A[] forall (k : int[0,1]) cs[k] > k"), (Lines{"cs[0] <= 0", "cs[1] <= 1"}));
}

TEST(Queries, VaryingClockIndices) {
  Model model(kModel);
  EXPECT_EQ(model.goal("A[] cs[i] <= 4"), (Lines{"i == 0 && cs[0] > 4", "i == 1 && cs[1] > 4"}));
}

TEST(Queries, Deadlock) {
  Model model(kModel);
  EXPECT_EQ(model.queries("A[] not deadlock").at(0).goal.at(0).deadlock, model::DeadlockTest::IsDeadlock);
  const auto found = model.queries("A[] deadlock imply (Q.T and x > 1)");
  ASSERT_EQ(found.at(0).goal.size(), 2u);
  EXPECT_EQ(found[0].goal[0].deadlock, model::DeadlockTest::IsDeadlock);
  EXPECT_EQ(model.queries("E<> deadlock and not deadlock").at(0).goal.size(), 0u) << "never";
}

TEST(Queries, FunctionsAndQuantifiers) {
  Model model(kModel);
  EXPECT_EQ(model.goal("E<> big(n)").size(), 1u);
  EXPECT_EQ(model.goal("E<> (sum (k : int[0,2]) a[k]) > 3"), Lines{"a[0] + a[1] + a[2] > 3"});
}

TEST(Queries, FunctionsOfProcesses) {
  Model model(
      "typedef int[0,1] id_t; int n = 4;\n"
      "process P(const id_t id) { int v = id + 3; const int K = 2; bool at(int x) { return v == x; }\n"
      "  int total() { int s = n; for (i : id_t) s += v; return s; } state A; init A; }\n"
      "process Q() { bool f() { return n == 4; } state S; init S; }\nsystem P, Q;\n");
  const auto holds = [&](const std::string& query) {
    const auto found = model.queries(query);
    if (found.size() != 1 || found[0].goal.size() != 1) return false;
    return model::Interpreter(model.system()).holds(found[0].goal[0].conditions, model.system().initial_values());
  };
  EXPECT_TRUE(holds("E<> Q.f()"));
  EXPECT_TRUE(holds("E<> P(0).at(3) && P(1).at(n)")) << "arguments are of the query";
  EXPECT_FALSE(holds("E<> P(1).at(3)"));
  EXPECT_TRUE(holds("E<> P(1).total() == 12"));
  EXPECT_TRUE(holds("E<> forall (i : id_t) P(i).at(i + P(i).K + 1)"));
  EXPECT_FALSE(holds("E<> exists (i : id_t) P(i).at(5)"));
  EXPECT_TRUE(holds("E<> (sum (i : id_t) P(i).total()) == 22"));
  EXPECT_TRUE(holds("E<> P(1).id == 1"));
}

TEST(Queries, ConstantsDecide) {
  Model model(kModel);
  EXPECT_TRUE(model.queries("A[] K == 4").at(0).goal.empty());
  EXPECT_EQ(model.goal("E<> K == 4"), Lines{"true"});
}

TEST(Queries, TextIsNormalised) {
  Model model(kModel);
  const auto found = model.queries("/* c */ E<>   n ==\t1 \\\n   and  b // tail\n\nA[] (n < 3 and\n   b)\n");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].text, "E<> n == 1 and b");
  EXPECT_EQ(found[1].text, "A[] (n < 3 and b)");
  EXPECT_EQ(found[1].at.line, 4u);
}

TEST(Queries, NoQueries) {
  Model model(kModel);
  EXPECT_TRUE(model.queries("").empty());
  EXPECT_TRUE(model.queries("//NO_QUERY\n/* \n */\n").empty());
}

TEST(Queries, CommentsSayWhatIsExpected) {
  Model model(kModel);
  const auto found = model.queries(
      "// a header\n/* one leader\n   expect: holds */\nA[] b // always\nE<> b\nE<> n == 1 // Expected: violated\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].comment, "a header one leader expect: holds always");
  EXPECT_EQ(found[0].expected, "holds");
  EXPECT_EQ(found[1].comment, "");
  EXPECT_EQ(found[1].expected, "");
  EXPECT_EQ(found[2].expected, "violated");
}

TEST(Queries, NoneIsLost) {
  Model model(kModel);
  Diagnostics diagnostics;
  std::string text;
  for (int i = 0; i < 30; ++i) text += "E<> nobody\n";
  const auto many = uppaal::parse_queries(model.loaded, text + "E<> b\n", "q", diagnostics);
  ASSERT_EQ(many.size(), 31u) << "however many are wrong";
  EXPECT_TRUE(many[29].refusal);
  EXPECT_FALSE(many[30].refusal);
  const auto open = uppaal::parse_queries(model.loaded, "E<> (b\nE<> b\n", "q", diagnostics);
  ASSERT_EQ(open.size(), 2u) << "an open parenthesis does not swallow the next query";
  EXPECT_TRUE(open[0].refusal);
  EXPECT_FALSE(open[1].refusal);
  const auto unclosed = uppaal::parse_queries(model.loaded, "E<> b\n/* E<> b\n", "q", diagnostics);
  ASSERT_EQ(unclosed.size(), 1u);
  EXPECT_TRUE(unclosed[0].refusal) << "what a comment without an end hides is not passed over";
  const auto garbage = uppaal::parse_queries(model.loaded, "@@@@@@@@@@@@@@@@@@@@@@@@\nE<> b\n", "q", diagnostics);
  ASSERT_EQ(garbage.size(), 2u);
  EXPECT_TRUE(garbage[0].refusal);
  EXPECT_FALSE(garbage[1].refusal) << "garbage does not swallow the next query";
}

TEST(Queries, GoodOnesSurviveBadOnes) {
  Model model(kModel);
  Diagnostics diagnostics;
  const auto found = uppaal::parse_queries(model.loaded, "E<> nobody\nE<> b\nPr[<=1](<> b)\nA[] b\n", "q", diagnostics);
  ASSERT_EQ(found.size(), 4u) << "the bad ones stay in the list";
  EXPECT_EQ(diagnostics.all().size(), 2u);
  EXPECT_FALSE(found[1].refusal || found[3].refusal);
  EXPECT_EQ(found[0].refusal.value().kind, ErrorKind::Input);
  EXPECT_NE(found[0].refusal->text.find("q:1:5: error: unknown name 'nobody'"), std::string::npos);
  EXPECT_EQ(found[2].refusal.value().kind, ErrorKind::Unsupported);
  EXPECT_EQ(found[2].text, "Pr[<=1](<> b)");
}

}  // namespace
}  // namespace harrier::testing
