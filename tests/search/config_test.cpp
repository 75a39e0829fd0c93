// What a configuration may say: one message a rule; and how it is described.
#include "search/config.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "search/preference.h"
#include "support/system_builder.h"

namespace harrier::search {
namespace {

using model::PropertyKind;
using testing_support::SystemBuilder;

std::string refusal(const Config& config, PropertyKind kind = PropertyKind::Invariant, bool timed = false) {
  SystemBuilder b;
  b.process("P", {"a", "b"});
  if (timed) b.clock("x");
  model::Property property;
  property.kind = kind;
  property.text = "the query";
  try {
    check(config, b.system, property);
  } catch (const Error& e) {
    return e.what();
  }
  return "";
}

Config with(Method method) {
  Config config;
  config.method = std::move(method);
  return config;
}

BestFirstSearch greedy(std::vector<std::string> prefer = {}) {
  return {.estimate = {.heuristic = "hU"}, .prefer = {.names = std::move(prefer)}};
}

TEST(Config, SensibleOnesAreTaken) {
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal(with(BreadthFirstSearch())), "");
  EXPECT_EQ(refusal(with(BreadthFirstSearch{.prefer = {.names = {"contexts"}}})), "");
  EXPECT_EQ(refusal(with(greedy({"useless", "contexts", "preferred"}))), "");
  EXPECT_EQ(refusal(with(RandomWalks{.delta = 0.1, .epsilon = 0.1})), "");
  EXPECT_EQ(refusal(with(DepthFirstSearch()), PropertyKind::Liveness), "");
  EXPECT_EQ(refusal(with(BreadthFirstSearch()), PropertyKind::Extrema), "");
  EXPECT_EQ(refusal(with(DepthFirstSearch()), PropertyKind::LeadsTo), "");
}

TEST(Config, SeveralHeuristicsInTurnsAreForGreedySearches) {
  const Estimate two{.heuristic = "hU, max(hL, dL)"};
  EXPECT_EQ(refusal(with(BestFirstSearch{.estimate = two})), "");
  EXPECT_EQ(refusal(with(BestFirstSearch{.estimate = two, .cost_weight = 1, .estimate_weight = 2})), "");
  EXPECT_NE(refusal(with(BestFirstSearch{.estimate = two, .cost_weight = 1})), "");
  EXPECT_NE(refusal(with(ContextBoundSearch{.estimate = two})), "");
  EXPECT_NE(refusal(with(RandomWalks{.estimate = two})), "");
  EXPECT_NE(refusal(with(BestFirstSearch{.estimate = {.heuristic = "hU, "}})), "");
  EXPECT_EQ(refusal(with(BestFirstSearch{.estimate = {.heuristic = "max(hL, dL)"}, .cost_weight = 1})), "");
}

TEST(Config, WhatMakesNoSenseIsRefused) {
  EXPECT_NE(refusal(with(BreadthFirstSearch{.prefer = {.names = {"useless"}}})), "");
  EXPECT_NE(refusal(with(DepthFirstSearch{.prefer = {.names = {"preferred"}}})), "");
  EXPECT_NE(refusal(with(greedy({"no such preference"}))), "");
  BestFirstSearch alternating = greedy({"useless"});
  alternating.prefer.queues = Queues::Alternating;
  EXPECT_NE(refusal(with(alternating)), "");
  BestFirstSearch led = greedy();
  led.estimate.sibling = std::make_shared<GoalPath>();
  EXPECT_NE(refusal(with(led)), "");
  Config deep = with(ContextBoundSearch{.estimate = {.heuristic = "hU"}});
  deep.depth_limit = 3;
  EXPECT_NE(refusal(deep), "");
  EXPECT_NE(refusal(with(RandomWalks{.threads = 0})), "");
  EXPECT_NE(refusal(with(RandomWalks{.delta = 0.1})), "");
  EXPECT_NE(refusal(with(RandomWalks{.delta = 0.1, .epsilon = 1.0})), "");
  EXPECT_NE(refusal(with(RandomWalks{.temperature = 0})), "");
  EXPECT_NE(refusal(with(RandomWalks{.saturation = 2})), "");
  EXPECT_NE(refusal(with(RandomWalks{.restart = RandomWalks::Restart::Best})), "");
}

TEST(Config, QueuesAreThoseOfTheFigureWithUselessTransitions) {
  const auto turns = [](std::vector<std::string> names, std::optional<Queues> queues = std::nullopt) {
    return Preferences{.names = std::move(names), .queues = queues}.turns();
  };
  EXPECT_EQ(turns({"useless", "preferred"}), Queues::Alternating);
  EXPECT_EQ(turns({"preferred"}), Queues::Boosted);
  EXPECT_EQ(turns({"useless", "contexts", "preferred"}), Queues::Boosted);
  EXPECT_EQ(turns({"useless", "preferred"}, Queues::Boosted), Queues::Boosted);
  EXPECT_EQ(turns({"preferred"}, Queues::Alternating), Queues::Alternating);
}

TEST(Config, LazyEvaluationTellsNoUselessTransitions) {
  const auto lazily = [](std::vector<std::string> prefer, uint32_t cost_weight, uint32_t estimate_weight) {
    BestFirstSearch search = greedy(std::move(prefer));
    search.cost_weight = cost_weight;
    search.estimate_weight = estimate_weight;
    search.lazy = true;
    return refusal(with(search));
  };
  EXPECT_EQ(lazily({}, 0, 1), "");
  EXPECT_EQ(lazily({"preferred"}, 0, 1), "");
  EXPECT_EQ(lazily({"preferred"}, 1, 3), "");
  EXPECT_NE(lazily({}, 1, 1), "");
  EXPECT_NE(lazily({"useless"}, 0, 1), "");
  EXPECT_NE(lazily({"contexts"}, 0, 1), "");
}

TEST(Config, ReductionIsForSomeSearchesAndModels) {
  Config config = with(BreadthFirstSearch());
  config.reduction = true;
  EXPECT_EQ(refusal(config), "");
  EXPECT_NE(refusal(config, PropertyKind::Invariant, true), "");
  config.method = BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1};
  EXPECT_NE(refusal(config), "");
  config.method = greedy({"contexts"});
  EXPECT_NE(refusal(config), "");
}

TEST(Config, PropertiesWithASearchOfTheirOwnSaySo) {
  for (const PropertyKind kind : {PropertyKind::LeadsTo, PropertyKind::Extrema}) {
    EXPECT_NE(refusal(with(greedy()), kind).find("the query"), std::string::npos);
    Config config;
    config.safe_abstraction = true;
    EXPECT_NE(refusal(config, kind).find("safe abstraction"), std::string::npos);
  }
  EXPECT_NE(refusal(with(BreadthFirstSearch()), PropertyKind::Liveness), "");
  EXPECT_NE(refusal(with(DepthFirstSearch{.seed = 1}), PropertyKind::Liveness), "");
}

TEST(Config, IsDescribedAsOnTheCommandLine) {
  EXPECT_EQ(describe({}), "auto");
  EXPECT_EQ(describe(with(DepthFirstSearch{.seed = 3})), "rdfs");
  EXPECT_EQ(describe(with(greedy({"useless", "contexts"}))), "greedy hU useless contexts");
  EXPECT_EQ(describe(with(BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1})), "astar hL");
  EXPECT_EQ(describe(with(BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1, .estimate_weight = 5})),
            "wastar hL weight 5");
  EXPECT_EQ(describe(with(ContextBoundSearch{.within = ContextBoundSearch::Order::DepthFirst})), "ib-process dfs");
  EXPECT_EQ(describe(with(RandomWalks{.estimate = Estimate{.heuristic = "hL"}})), "walk hL");
  Config reduced = with(BreadthFirstSearch());
  reduced.reduction = true;
  EXPECT_EQ(describe(reduced), "bfs reduced");
}

TEST(Preferences, AreInATable) {
  for (const PreferenceEntry& entry : preference_table()) EXPECT_EQ(&get_preference(entry.name), &entry);
}

}  // namespace
}  // namespace harrier::search
