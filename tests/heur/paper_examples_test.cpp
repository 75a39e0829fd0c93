// The worked examples of the papers: what each heuristic says about them, as the papers state it.
#include <gtest/gtest.h>

#include <string>

#include "heur_support.h"
#include "search/contexts.h"
#include "support/options.h"
#include "task/causal_graph.h"

namespace harrier {
namespace {

using heur::kDeadEnd;
using testing_support::Example;

// Kupferschmid et al. 2006, fig. 2: automaton k hands on to automaton k + 1, which may take the signal the right way or
// the wrong way.
Example relay(int n) {
  std::string text;
  std::string names;
  std::string goal;
  for (int k = 1; k < n; ++k) text += "chan a" + std::to_string(k) + ";\n";
  for (int k = 1; k <= n; ++k) {
    const std::string p = "P" + std::to_string(k);
    const std::string received = "a" + std::to_string(k - 1) + "?";
    const std::string sent = k < n ? " sync a" + std::to_string(k) + "!;" : "";
    text += "process " + p + "() { state bottom, left, right, top; init bottom; trans ";
    if (k == 1) {
      text += "bottom -> top {" + sent + " }";
    } else {
      text += "bottom -> left { sync " + received + "; }, left -> top {" + sent + " }, ";
      text += "bottom -> right { sync " + received + "; }, right -> top { sync " + received + "; }";
    }
    text += "; }\n";
    names += (k > 1 ? ", " : "") + p;
    goal += (k > 1 ? " and " : "") + p + ".top";
  }
  return Example(text + "system " + names + ";\n", "E<> " + goal);
}

TEST(PaperExamples, RelayIsExactForTheMonotonicityAbstraction) {
  for (const int n : {2, 3, 5, 8}) {
    Example example = relay(n);
    const auto distance = static_cast<uint32_t>(n);
    EXPECT_EQ(example.true_distance(), distance);
    EXPECT_EQ(example.estimate("hL"), distance);
    EXPECT_EQ(example.estimate("hU"), distance);
    EXPECT_EQ(example.estimate("dL"), 2u);
    EXPECT_EQ(example.estimate("dU"), 2 * distance - 1);
  }
}

TEST(PaperExamples, RelayDeadEndsAreSeen) {
  Example example = relay(4);
  // The second automaton took the wrong way when the first one sent.
  const auto wrong = example.state({{"P1", 3}, {"P2", 2}});
  for (const char* name : {"hL", "hU", "hmax", "hadd", "hff"})
    EXPECT_EQ(example.estimate(name, wrong), kDeadEnd) << name;
  EXPECT_EQ(example.estimate("dL", wrong), 2u);
  EXPECT_EQ(example.estimate("dU", wrong), 5u);
}

TEST(PaperExamples, RepeatedCirclesAreCountedOnce) {
  // Kupferschmid et al. 2006, fig. 3: the first automaton has to go round once for every step of the second.
  Example example(
      "chan a;\n"
      "process Top() { state t0, t1; init t0; trans t0 -> t1 { sync a!; }, t1 -> t0 { }; }\n"
      "process Bottom() { state b0, b1, b2, b3, b4; init b0;\n"
      "  trans b0 -> b1 { sync a?; }, b1 -> b2 { sync a?; }, b2 -> b3 { sync a?; }, b3 -> b4 { sync a?; }; }\n"
      "system Top, Bottom;\n",
      "E<> Bottom.b4");
  EXPECT_EQ(example.true_distance(), 7u);
  EXPECT_EQ(example.estimate("hL"), 4u);
  EXPECT_EQ(example.estimate("hU"), 4u);
}

// Wehrle 2011, fig. 3.1.
Example toggles() {
  std::string text = "process T() { state l0, l1; init l0; trans l0 -> l1 { }, l1 -> l0 { }; }\n";
  return Example(text + "A = T(); B = T(); C = T();\nsystem A, B, C;\n", "E<> A.l1 and B.l1 and C.l1");
}

TEST(PaperExamples, LeavingAnErrorLocationIsUseless) {
  Example example = toggles();
  EXPECT_EQ(example.estimate("dL"), 1u);
  const auto state = example.state({{"A", 1}});
  EXPECT_EQ(example.estimate("dL", state), 1u);
  for (const char* name : {"dL", "dU", "hL", "hU", "hCG", "hcea"}) {
    EXPECT_TRUE(example.relatively_useless(name, state, example.edge("A", "l1", "l0"))) << name;
    EXPECT_FALSE(example.relatively_useless(name, state, example.edge("B", "l0", "l1"))) << name;
  }
}

TEST(PaperExamples, UselessButStillNeededLater) {
  // Wehrle 2011, fig. 3.3: the back direction of prop. 3.5 does not hold.
  Example example(
      "int[0,1] a;\n"
      "process P() { state l0, l1, l2, l3, l4, l5, l6, lE; init l0;\n"
      "  trans l0 -> l1 { assign a = 1; }, l1 -> l0 { }, l0 -> l2 { }, l2 -> lE { guard a > 0; },\n"
      "        l2 -> l3 { }, l3 -> l4 { }, l4 -> l5 { }, l5 -> l6 { }, l6 -> lE { }; }\n"
      "system P;\n",
      "E<> P.lE");
  EXPECT_EQ(example.true_distance(), 4u);
  const uint32_t t = example.edge("P", "l0", "l2");
  for (const char* name : {"dL", "hL", "hU", "hCG", "hcea"}) {
    EXPECT_EQ(example.estimate_without(name, example.initial(), {t}), kDeadEnd) << name;
    EXPECT_NE(example.estimate(name, example.state({{"P", 2}})), kDeadEnd) << name;
    EXPECT_FALSE(example.relatively_useless(name, example.initial(), t)) << name;
  }
}

TEST(PaperExamples, TheSuccessorIsWhatCounts) {
  // Wehrle 2011, fig. 3.4, left: two ways of equal length, neither of which is useless.
  Example left(
      "process P() { state l0, l1, l2, l3; init l0;\n"
      "  trans l0 -> l1 { }, l0 -> l2 { }, l1 -> l3 { }, l2 -> l3 { }; }\nsystem P;\n",
      "E<> P.l3");
  // Right: a detour, which is.
  Example right(
      "process P() { state l0, l1, l2, l3; init l0;\n"
      "  trans l0 -> l3 { }, l0 -> l1 { }, l1 -> l2 { }, l2 -> l3 { }; }\nsystem P;\n",
      "E<> P.l3");
  for (const char* name : {"dL", "dU", "hL", "hU", "hmax", "hadd", "hff", "hCG", "hcea"}) {
    EXPECT_EQ(left.estimate_without(name, left.initial(), {left.edge("P", "l0", "l1")}), 2u) << name;
    EXPECT_FALSE(left.relatively_useless(name, left.initial(), left.edge("P", "l0", "l1"))) << name;
    EXPECT_FALSE(left.relatively_useless(name, left.initial(), left.edge("P", "l0", "l2"))) << name;
    EXPECT_TRUE(right.relatively_useless(name, right.initial(), right.edge("P", "l0", "l1"))) << name;
    EXPECT_FALSE(right.relatively_useless(name, right.initial(), right.edge("P", "l0", "l3"))) << name;
  }
}

TEST(PaperExamples, ContextsTellWhatDistancesDoNot) {
  // Wehrle 2011, fig. 4.1: everything looks useless to d^L, but what continues a process interferes with what it did
  // before.
  Example example(
      "process T() { state l0, l1, l2, l3; init l0;\n"
      "  trans l0 -> l1 { }, l1 -> l0 { }, l0 -> l2 { }, l1 -> l2 { }, l1 -> l3 { }, l2 -> l3 { }; }\n"
      "A = T(); B = T(); C = T();\nsystem A, B, C;\n",
      "E<> A.l3 and B.l3 and C.l3");
  const uint32_t t = example.edge("A", "l0", "l1");
  const uint32_t further = example.edge("A", "l1", "l3");
  EXPECT_EQ(example.estimate("dL"), 2u);
  EXPECT_EQ(example.estimate_without("dL", example.initial(), {t}), 2u);
  for (const char* p : {"A", "B", "C"}) {
    EXPECT_TRUE(example.relatively_useless("dL", example.initial(), example.edge(p, "l0", "l1")));
    EXPECT_TRUE(example.relatively_useless("dL", example.initial(), example.edge(p, "l0", "l2")));
  }
  EXPECT_TRUE(example.relatively_useless("dL", example.state({{"A", 1}}), further));
  search::Contexts contexts(example.system(), example.property().goal, true);
  const auto find = [&](uint32_t edge) { return contexts.find(std::span(&edge, 1)); };
  EXPECT_EQ(contexts.distance(find(t), find(further)), 1);
  EXPECT_EQ(contexts.distance(find(t), find(example.edge("B", "l0", "l1"))), search::Contexts::kUnrelated);
}

TEST(PaperExamples, CountersHaveToComeBack) {
  // Wehrle 2011, fig. 5.1.
  Example example(
      "int[0,3] v;\nint[0,3] w;\n"
      "process P1() { state s; init s; trans s -> s { assign v = (v + 1) % 4; }, s -> s { assign v = (v + 3) % 4; }; "
      "}\n"
      "process P2() { state s; init s; trans s -> s { assign w = (w + 1) % 4; }, s -> s { assign w = (w + 3) % 4; }; "
      "}\n"
      "process P3() { state l0, l1, l2, l3; init l0;\n"
      "  trans l0 -> l1 { guard v == 2; }, l1 -> l2 { guard w == 2; }, l2 -> l3 { guard v == 0, w == 0; }; }\n"
      "system P1, P2, P3;\n",
      "E<> P3.l3");
  EXPECT_EQ(example.true_distance(), 11u);
  EXPECT_EQ(example.estimate("dL"), 3u);
  EXPECT_EQ(example.estimate("dU"), 3u);
  EXPECT_EQ(example.estimate("hL"), 5u);
  EXPECT_EQ(example.estimate("hU"), 7u);
  EXPECT_EQ(example.estimate("hCG"), 11u);
  EXPECT_EQ(example.estimate("hcea"), 11u);

  // Wehrle 2011, fig. 5.3: the counters depend on nothing, the process on both.
  const task::VariableDomains domains(std::make_shared<const task::Task>(example.system(), example.property().goal));
  const task::CausalGraph graph(domains);
  const auto number = [&](const char* name) {
    for (uint32_t v = 0; v < domains.goal(); ++v) {
      if (domains.variable(v).variable == example.variable(name)) return v;
    }
    return domains.goal();
  };
  EXPECT_TRUE(graph.all_predecessors(number("v")).empty());
  EXPECT_TRUE(graph.all_predecessors(number("w")).empty());
  EXPECT_EQ(graph.all_predecessors(number("P3")), (std::vector<uint32_t>{number("v"), number("w")}));
  EXPECT_EQ(graph.all_predecessors(domains.goal()), (std::vector<uint32_t>{number("P3")}));
}

TEST(PaperExamples, GreedyContextsMayEndNowhere) {
  // Wehrle 2011, fig. 5.5: the short way to l4 leaves the second process where it is of no use.
  Example example(
      "chan a, b;\n"
      "process P1() { state l0, l1, l2, l3, l4, l5; init l0;\n"
      "  trans l0 -> l1 { sync a!; }, l1 -> l2 { sync a!; }, l2 -> l3 { sync a!; }, l3 -> l4 { sync a!; },\n"
      "        l4 -> l5 { sync a!; }, l0 -> l4 { sync b!; }; }\n"
      "process P2() { state l0, l1; init l0; trans l0 -> l0 { sync a?; }, l0 -> l1 { }, l1 -> l1 { sync b?; }; }\n"
      "system P1, P2;\n",
      "E<> P1.l5");
  EXPECT_EQ(example.true_distance(), 5u);
  EXPECT_EQ(example.estimate("hCG"), kDeadEnd);
  EXPECT_EQ(example.estimate("hcea"), kDeadEnd);
  EXPECT_FALSE(heur::find("hCG")->safe);
  EXPECT_FALSE(heur::find("hcea")->safe);
  EXPECT_LE(example.estimate("hL"), 5u);
  // The search looks there all the same, last.
  for (const char* name : {"hCG", "hcea"}) {
    for (const Search order : {Search::Greedy, Search::AStar, Search::WeightedAStar}) {
      CheckOptions options;
      options.search = order;
      options.heuristic = name;
      if (order == Search::Greedy) options.prefer = {"useless"};
      const search::Result result = search::run(example.system(), example.property(), options);
      EXPECT_EQ(result.verdict, Verdict::Reachable) << name;
      EXPECT_EQ(result.statistics.dead_ends, 0u) << name;
    }
  }
}

// Wehrle 2011, fig. 5.6, with the first process as given.
Example shared_supplier(const std::string& p1) {
  return Example("chan a, b, c, d;\n" + p1 +
                     "process P2() { state l0, l1; init l0; trans l0 -> l1 { sync a!; }, l1 -> l1 { sync c?; }; }\n"
                     "process P3() { state l0, l1; init l0; trans l0 -> l1 { sync b!; }, l1 -> l1 { sync d?; }; }\n"
                     "process P4() { state l0, l1, l2; init l0; trans l0 -> l1 { sync c!; }, l1 -> l2 { sync d!; }; }\n"
                     "system P1, P2, P3, P4;\n",
                 "E<> P4.l2");
}

TEST(PaperExamples, LimitedContextOverestimates) {
  // Wehrle 2011, ex. 5.9.
  Example example = shared_supplier(
      "process P1() { state l0, l1, l2, l3, l4, l5, l6; init l0;\n"
      "  trans l0 -> l1 { }, l1 -> l2 { }, l2 -> l3 { }, l3 -> l4 { }, l4 -> l5 { }, l5 -> l6 { },\n"
      "        l6 -> l6 { sync a?; }, l6 -> l6 { sync b?; }; }\n");
  EXPECT_EQ(example.true_distance(), 10u);
  EXPECT_EQ(example.estimate("hCG"), 16u);
  EXPECT_EQ(example.estimate("hU"), 10u);
}

TEST(PaperExamples, LimitedContextUnderestimates) {
  // Wehrle 2011, fig. 5.8.
  Example example = shared_supplier(
      "process P1() { state l0, l1, l2; init l0;\n"
      "  trans l0 -> l1 { }, l1 -> l0 { }, l0 -> l2 { }, l2 -> l0 { },\n"
      "        l1 -> l1 { sync a?; }, l2 -> l2 { sync b?; }; }\n");
  EXPECT_EQ(example.true_distance(), 7u);
  EXPECT_EQ(example.estimate("hCG"), 6u);
}

}  // namespace
}  // namespace harrier
