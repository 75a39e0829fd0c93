// h0 and h1: the goal path of a smaller sibling, and estimates that are known by hand.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "api/data.h"
#include "harrier/harrier.h"
#include "heur/heur_support.h"
#include "heur/table.h"
#include "support/count_allocations.h"

namespace harrier {
namespace {

using testing_support::Example;

// Processes that go round; two of them have to be at c.
std::string round(int processes, const std::string& name = "P") {
  return "int[0,5] n;\nprocess " + name + "(const int[1," + std::to_string(processes) + "] i) {\n" +
         "  state a, b, c; init a;\n  trans a -> b { }, b -> c { assign n := n + 1; }, c -> a { assign n := n - 1; "
         "};\n}\n" +
         "system " + name + ";\n";
}

GoalPath path_of(const std::string& text, const std::string& query) {
  Model model = Model::load_text(text, "small.xta");
  model.add_query(query);
  return model.goal_path(0, {});
}

// With a guide, by name.
class Guided {
 public:
  Guided(const std::string& text, const std::string& query, const GoalPath& path)
      : example_(text, query),
        h0_(heur::find("h0")->make(example_.system(), example_.property().goal, heur::Clocks::Ignore, &path)),
        h1_(heur::find("h1")->make(example_.system(), example_.property().goal, heur::Clocks::Ignore, &path)) {}

  uint32_t h0(const std::map<std::string, int32_t>& changes = {}) {
    return h0_->evaluate(example_.state(changes).data());
  }
  uint32_t h1(const std::map<std::string, int32_t>& changes = {}) {
    return h1_->evaluate(example_.state(changes).data());
  }
  uint32_t step_cost(const char* process, const char* source, const char* target) const {
    const uint32_t edge = example_.edge(process, source, target);
    return h1_->step_costs()->of({&edge, 1});
  }
  uint32_t local_step_cost(const char* process, const char* source, const char* target) const {
    const uint32_t edge = example_.edge(process, source, target);
    return h0_->step_costs()->of({&edge, 1});
  }
  bool prefers(const char* process, const char* source, const char* target) const {
    const uint32_t edge = example_.edge(process, source, target);
    return h1_->prefers({&edge, 1});
  }

 private:
  Example example_;
  std::unique_ptr<heur::Heuristic> h0_;
  std::unique_ptr<heur::Heuristic> h1_;
};

TEST(StepCosts, AreThoseOfTheFirstPatternThatMatches) {
  const GoalPath path = path_of(round(3), "E<> n == 2");
  const Guided guided(round(9), "E<> n == 2", path);
  for (const char* process : {"P(1)", "P(9)"}) {
    EXPECT_EQ(guided.step_cost(process, "a", "b"), 4u);
    const uint32_t arrival = guided.step_cost(process, "b", "c");
    EXPECT_TRUE(arrival == 3 || arrival == 2) << arrival;
    EXPECT_EQ(guided.step_cost(process, "c", "a"), 5u);  // no step of the path
    EXPECT_EQ(guided.local_step_cost(process, "a", "b"), 1u);
    EXPECT_EQ(guided.local_step_cost(process, "b", "c"), 0u);
    EXPECT_EQ(guided.local_step_cost(process, "c", "a"), 2u);
  }
}

TEST(GoalPath, TellsWhoDoesWhat) {
  const GoalPath path = path_of(round(3), "E<> n == 2");
  ASSERT_EQ(path.templates.size(), 1u);
  EXPECT_EQ(path.templates[0].name, "P");
  EXPECT_EQ(path.templates[0].locations, (std::vector<std::string>{"a", "b", "c"}));
  ASSERT_EQ(path.processes.size(), 3u);
  EXPECT_EQ(path.processes[2].rank, 2u);
  EXPECT_EQ(path.scalars, std::vector<std::string>{"n"});
  ASSERT_EQ(path.steps.size(), 4u);
  EXPECT_EQ(path.start.locations, (std::vector<uint32_t>{0, 0, 0}));
  EXPECT_EQ(path.end().scalars, std::vector<int32_t>{2});
  int at_c = 0;
  for (const uint32_t l : path.end().locations) at_c += l == 2;
  EXPECT_EQ(at_c, 2);
  for (const GoalPath::Process& p : path.processes) EXPECT_TRUE(p.runs && !p.named);
}

TEST(GoalPath, KnowsWhomTheGoalNames) {
  const GoalPath path = path_of(round(3), "E<> P(2).c && n == 1");
  EXPECT_EQ(path.steps.size(), 2u);
  EXPECT_FALSE(path.processes[0].named);
  EXPECT_TRUE(path.processes[1].named);
}

TEST(GoalPath, IsRefusedWithTheReason) {
  Model model = Model::load_text(round(2), "small.xta");
  model.add_query("E<> n == 3");
  try {
    model.goal_path(0, {});
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Usage);
    EXPECT_NE(std::string(e.what()).find("no path leads to the goal of 'E<> n == 3'"), std::string::npos) << e.what();
  }
  // More states than a search looks at before it looks at the clock.
  Model large = Model::load_text(round(8), "large.xta");
  large.add_query("E<> deadlock");
  CheckOptions options;
  options.time_limit_s = 0;
  try {
    large.goal_path(0, options);
    FAIL();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Limit);
    EXPECT_NE(std::string(e.what()).find("time limit"), std::string::npos) << e.what();
  }
}

// Two of three take part, so two of five have to: the nearest.
TEST(Sibling, AsManyAsTookPart) {
  Guided g(round(5), "E<> n == 2", path_of(round(3), "E<> n == 2"));
  EXPECT_EQ(g.h0(), 4u);
  EXPECT_EQ(g.h0({{"P(4)", 1}}), 3u);
  EXPECT_EQ(g.h0({{"P(4)", 2}}), 2u);
  EXPECT_EQ(g.h0({{"P(4)", 2}, {"P(2)", 1}}), 1u);
  EXPECT_EQ(g.h0({{"P(4)", 2}, {"P(2)", 2}, {"P(1)", 2}}), 0u);
  EXPECT_EQ(g.h1(), 4u);
  EXPECT_TRUE(g.prefers("P(5)", "a", "b"));
  EXPECT_FALSE(g.prefers("P(5)", "c", "a"));
  EXPECT_EQ(g.h1({{"P(4)", 1}}), 3u);
  EXPECT_EQ(g.h1({{"P(4)", 2}, {"P(2)", 2}, {"n", 2}}), 0u);
  EXPECT_FALSE(g.prefers("P(1)", "a", "b"));
  // The variable is not what it is at the end of the path.
  EXPECT_EQ(g.h1({{"P(4)", 2}, {"P(2)", 2}, {"n", 5}}), 1u);
}

// Both of two do and end at the same place, so all have to.
TEST(Sibling, AllIfAllTookPart) {
  Guided g(round(5), "E<> n == 2", path_of(round(2), "E<> n == 2"));
  EXPECT_EQ(g.h0(), 10u);
  EXPECT_EQ(g.h0({{"P(1)", 2}, {"P(2)", 2}}), 6u);
  EXPECT_EQ(g.h1(), 10u);
  EXPECT_EQ(g.h1({{"P(1)", 2}, {"P(2)", 2}, {"P(3)", 2}, {"P(4)", 2}, {"P(5)", 1}, {"n", 2}}), 1u);
}

TEST(Sibling, NamedLocationsCountWithoutAPath) {
  Example example(round(4), "E<> P(1).c && P(3).b");
  EXPECT_EQ(example.estimate("h0"), 3u);
  EXPECT_EQ(example.estimate("h0", example.state({{"P(1)", 2}, {"P(2)", 1}})), 1u);
  EXPECT_FALSE(heur::find("h0")->safe || heur::find("h0")->admissible);
  // What cannot be reached is far away, but not a dead end.
  Example stuck("process P() { state a, b, c; init a; trans a -> b { }; }\nsystem P;\n", "E<> P.c");
  EXPECT_LT(stuck.estimate("h0"), heur::kDeadEnd);
}

TEST(Sibling, NamedProcessesAreNotCountedTwice) {
  const std::string query = "E<> P(2).c && n == 2";
  Guided g(round(5), query, path_of(round(3), query));
  EXPECT_EQ(g.h0(), 4u);
  EXPECT_EQ(g.h0({{"P(2)", 2}}), 2u);
  EXPECT_EQ(g.h0({{"P(1)", 2}, {"P(3)", 2}}), 2u) << "but it has to be that one";
}

// A process that has taken another branch is not on the path any more, although it is at a location of it.
TEST(Sibling, StraysAreNotOnTheWay) {
  const std::string text =
      "int[0,3] n;\nprocess P(const int[1,3] i) {\n  int[0,2] x;\n  state a, b, c, d; init a;\n"
      "  trans a -> b { assign x := 1; }, a -> b { assign x := 2; }, b -> c { guard x == 2; assign n := n + 1; },\n"
      "        b -> d { guard x == 1; }, d -> a { };\n}\nsystem P;\n";
  Guided g(text, "E<> n == 1", path_of(text, "E<> n == 1"));
  EXPECT_EQ(g.h1(), 2u);
  EXPECT_EQ(g.h1({{"P(1)", 1}, {"P(1).x", 2}}), 1u);
  // The first process has to go b, d, a; any other can start at a.
  EXPECT_EQ(g.h1({{"P(1)", 1}, {"P(1).x", 1}}), 2u);
  EXPECT_EQ(g.h1({{"P(1)", 1}, {"P(1).x", 1}, {"P(2)", 3}, {"P(3)", 3}}), 3u);
}

TEST(Sibling, WhatHasNoNamesakeIsPassedOver) {
  EXPECT_THROW(Guided(round(5, "Q"), "E<> n == 2", path_of(round(3), "E<> n == 2")), Error);
  const std::string both = "process R() { state u, v; init u; trans u -> v { }; }\n";
  const std::string sibling = both + "process S() { state u, v; init u; trans u -> v { }; }\nsystem R, S;\n";
  Guided g(both + "system R;\n", "E<> R.v", path_of(sibling, "E<> R.v && S.v"));
  EXPECT_GE(g.h1(), 1u);
  EXPECT_EQ(g.h1({{"R", 1}}), 0u);
}

// Locations are told by their names, or else by their numbers.
TEST(Sibling, LocationsAreToldByName) {
  const GoalPath path =
      path_of("process P() { state x, b, c; init x; trans x -> b { }, b -> c { }; }\nsystem P;\n", "E<> P.c");
  Guided g("process P() { state c, b, a; init a; trans a -> b { }, b -> c { }; }\nsystem P;\n", "E<> P.c", path);
  EXPECT_EQ(g.h1(), 2u);
  EXPECT_EQ(g.h1({{"P", 1}}), 1u);
  EXPECT_EQ(g.h1({{"P", 0}}), 0u);
}

TEST(Sibling, PromelaProcessesThatStart) {
  const LoadOptions small{.options = {{"--goal", "n == 2"}, {"--define", "N=3"}}};
  const LoadOptions large{.options = {{"--goal", "n == 2"}, {"--define", "N=6"}}};
  constexpr const char* kText =
      "byte n; proctype P() { n++; n-- } init { byte i; atomic { do :: i < N -> run P(); i++ :: else -> break od } }";
  const Model sibling = Model::load_text(kText, "start.pml", small);
  const Model model = Model::load_text(kText, "start.pml", large);
  const auto guide = model.guide_from(sibling, 0, {});
  const auto instance = api::Inside::first(model);
  const auto h1 = heur::find("h1")->make(instance->system(), {}, heur::Clocks::Ignore, guide.get());
  EXPECT_LE(h1->evaluate(instance->system().initial_values().data()), guide->steps.size());
  for (const char* heuristic : {"h0", "h1"}) {
    CheckOptions options;
    options.search = Search::Greedy;
    options.heuristic = heuristic;
    options.guide = guide;
    EXPECT_EQ(model.check(0, options).verdict, Verdict::Reachable) << heuristic;
  }
}

TEST(Sibling, NothingIsAllocatedPerEvaluation) {
  const GoalPath path = path_of(round(3), "E<> n == 2");
  Example example(round(5), "E<> n == 2");
  for (const char* name : {"h0", "h1"}) {
    const auto h = heur::find(name)->make(example.system(), example.property().goal, heur::Clocks::Ignore, &path);
    const std::vector<int32_t> states[] = {example.initial(), example.state({{"P(1)", 2}, {"P(2)", 1}})};
    for (const auto& s : states) h->evaluate(s.data());
    const uint64_t before = allocations;
    uint32_t sum = 0;
    for (int i = 0; i < 1000; ++i) sum += h->evaluate(states[i % 2].data());
    EXPECT_EQ(allocations, before) << name;
    EXPECT_EQ(sum, 500 * (h->evaluate(states[0].data()) + h->evaluate(states[1].data()))) << name;
  }
}

TEST(Sibling, ItsPropertyIsTheOneOfTheSameNumber) {
  Model model = Model::load_text(round(5), "large.xta");
  Model sibling = Model::load_text(round(3), "small.xta");
  for (const char* query : {"E<> n == 2", "E<> n == 1"}) model.add_query(query);
  EXPECT_THROW(model.guide_from(sibling, 0, {}), Error);
  sibling.add_query("E<> n == 2");
  EXPECT_EQ(model.guide_from(sibling, 1, {})->steps.size(), 4u) << "its only one";
  sibling.add_query("E<> n == 1");
  EXPECT_EQ(model.guide_from(sibling, 1, {})->steps.size(), 2u);
}

}  // namespace
}  // namespace harrier
