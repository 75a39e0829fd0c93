// Searches by costs: what a step counts, the cheapest path and its proof, and what is refused.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "model/cost.h"
#include "support/options.h"
#include "support/system_builder.h"

namespace harrier::search {
namespace {

// One process, its last location the goal.
struct Graph {
  struct Arc {
    uint32_t from = 0;
    uint32_t to = 0;
    uint32_t cost = 0;
  };
  Graph(uint32_t locations, const std::vector<Arc>& arcs) {
    std::vector<std::string> names;
    for (uint32_t l = 0; l < locations; ++l) names.push_back("l" + std::to_string(l));
    const auto p = builder.process("P", names);
    for (const Arc& arc : arcs) builder.edge(builder.edge(p, arc.from, arc.to)).cost = arc.cost;
    property.goal.push_back({{builder.at(p, static_cast<int32_t>(locations) - 1)}, {}});
  }
  Result run(const CheckOptions& options) const { return search::run(builder.system, property, options); }
  uint64_t cost(const Result& result) const { return model::cost_of(builder.system, *result.path, CostType::Real); }

  testing_support::SystemBuilder builder;
  model::Property property;
};

CheckOptions with(Search search, std::optional<CostType> cost = std::nullopt, const char* heuristic = "") {
  CheckOptions options;
  options.search = search;
  options.cost = cost;
  options.heuristic = heuristic;
  return options;
}

// From 0 to 4: dear at once; by 1 in three steps, two for nothing; by 2 and 3 in two that cost little.
const std::vector<Graph::Arc> kWays = {{0, 4, 9}, {0, 1, 2}, {1, 2, 0}, {2, 4, 0}, {0, 3, 1}, {3, 4, 2}};

TEST(Costs, DecideWhichPathIsBest) {
  const Graph graph(5, kWays);
  struct Expected {
    CostType type;
    size_t steps;
    uint64_t cost;
  };
  for (const Expected& e : {Expected{CostType::Unit, 1, 9}, {CostType::PlusOne, 2, 3}, {CostType::Real, 3, 2}}) {
    for (const Search search : {Search::AStar, Search::Anytime, Search::Auto}) {
      const Result result = graph.run(with(search, e.type, search == Search::AStar ? "lmcut" : ""));
      ASSERT_EQ(result.verdict, Verdict::Reachable);
      EXPECT_EQ(result.path->steps.size(), e.steps);
      EXPECT_EQ(graph.cost(result), e.cost);
      EXPECT_EQ(result.shortest, e.type == CostType::Unit);
      EXPECT_EQ(result.cheapest, e.type != CostType::Unit);
    }
  }
}

TEST(Costs, CountIfTheModelAsksForThem) {
  Graph graph(5, kWays);
  EXPECT_EQ(graph.cost(graph.run(with(Search::AStar, std::nullopt, "hL"))), 9u);
  graph.builder.system.counts_costs = true;
  EXPECT_EQ(graph.cost(graph.run(with(Search::AStar, std::nullopt, "hL"))), 2u);
  EXPECT_EQ(graph.cost(graph.run(with(Search::AStar, CostType::Unit, "hL"))), 9u);
  EXPECT_EQ(graph.cost(graph.run(with(Search::BreadthFirst))), 9u);
  EXPECT_TRUE(graph.run(with(Search::BreadthFirst)).shortest);
}

// A state that has been expanded is expanded again when it is reached at lower cost, also for nothing.
TEST(Costs, StatesAreReopened) {
  const Graph graph(6, {{0, 1, 5}, {0, 2, 1}, {2, 3, 1}, {3, 1, 0}, {1, 3, 0}, {1, 4, 0}, {4, 5, 100}});
  for (const char* heuristic : {"hL", "lmcut", "pdb", "ms"}) {
    const Result result = graph.run(with(Search::AStar, CostType::Real, heuristic));
    EXPECT_EQ(graph.cost(result), 102u) << heuristic;
    EXPECT_EQ(result.path->steps.size(), 5u) << heuristic;
  }
}

TEST(Costs, APathForNothingIsCheapest) {
  const Graph graph(3, {{0, 1, 0}, {1, 2, 0}, {0, 2, 1}});
  for (const Search search : {Search::AStar, Search::Anytime, Search::Auto}) {
    const Result result = graph.run(with(search, CostType::Real, search == Search::AStar ? "hL" : ""));
    EXPECT_EQ(graph.cost(result), 0u);
    EXPECT_TRUE(result.cheapest);
  }
}

TEST(Costs, LargeOnesAreTold) {
  const Graph graph(4, {{0, 3, 2'000'000'001}, {0, 1, 1'000'000'000}, {1, 2, 1'000'000'000}, {2, 3, 0}});
  for (const char* heuristic : {"hmax", "lmcut", "pdb", "ms"}) {
    EXPECT_EQ(graph.cost(graph.run(with(Search::AStar, CostType::Real, heuristic))), 2'000'000'000u) << heuristic;
  }
  const Graph larger(3, {{0, 1, UINT32_MAX}, {1, 2, UINT32_MAX}});
  for (const CostType cost : {CostType::Real, CostType::PlusOne}) {
    try {
      larger.run(with(Search::Greedy, cost));
      FAIL() << "the path costs too much";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Unsupported);
    }
  }
}

TEST(Costs, WhatCountsStepsIsRefused) {
  const Graph graph(5, kWays);
  const auto refused = [&](const CheckOptions& options) {
    try {
      graph.run(options);
      return false;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Usage) << e.what();
      return true;
    }
  };
  EXPECT_TRUE(refused(with(Search::BreadthFirst, CostType::Real)));
  EXPECT_TRUE(refused(with(Search::SymbolicForward, CostType::PlusOne)));
  EXPECT_TRUE(refused(with(Search::AStar, CostType::Real, "dL")));
  EXPECT_TRUE(refused(with(Search::AStar, CostType::PlusOne, "max(hL, dL)")));
  EXPECT_FALSE(refused(with(Search::AStar, CostType::Real, "max(hL, lmcut)")));
  EXPECT_FALSE(refused(with(Search::Greedy, CostType::Real, "dL")));
  EXPECT_FALSE(refused(with(Search::BreadthFirst, CostType::Unit)));
  CheckOptions options = with(Search::AStar, CostType::Real, "hL");
  options.depth_limit = 3;
  EXPECT_TRUE(refused(options));
  options.cost = CostType::Unit;
  EXPECT_FALSE(refused(options));
  options = with(Search::Greedy, CostType::Real);
  options.safe_abstraction = true;
  EXPECT_TRUE(refused(options));
  options.safe_abstraction = false;
  options.polish = true;
  EXPECT_TRUE(refused(options));
}

// A comb: of every location on the way a step to the next, and many into dead ends that look as good.
TEST(Lazy, EstimatesWhatIsExpandedOnly) {
  std::vector<Graph::Arc> arcs;
  for (uint32_t l = 0; l < 20; ++l) {
    for (uint32_t tooth = 0; tooth < 10; ++tooth) arcs.push_back({l, 20 + 10 * l + tooth, 1});
    arcs.push_back({l, l + 1 == 20 ? 220 : l + 1, 1});
    for (uint32_t tooth = 0; tooth < 10; ++tooth) arcs.push_back({20 + 10 * l + tooth, l, 1});
  }
  const Graph graph(221, arcs);
  for (const Search search : {Search::Greedy, Search::WeightedAStar}) {
    CheckOptions options = with(search, std::nullopt, "hadd");
    options.prefer = {"preferred"};
    const Result eager = graph.run(options);
    options.lazy = true;
    const Result lazy = graph.run(options);
    ASSERT_TRUE(eager.path && lazy.path);
    EXPECT_EQ(eager.path->steps.size(), 20u);
    EXPECT_EQ(lazy.path->steps.size(), 20u);
    EXPECT_LE(lazy.statistics.evaluated, lazy.statistics.expanded);
    EXPECT_LT(lazy.statistics.evaluated * 5, eager.statistics.evaluated);
  }
}

// 3 is found from 0, which looks far away, and again from 2, which looks near: it does not wait behind 10 others.
TEST(Lazy, AStateWaitsWhereTheNearestParentPutsIt) {
  std::vector<Graph::Arc> arcs = {{0, 1, 1}, {0, 2, 1}, {0, 3, 1}, {2, 3, 1}};
  // From 0 the goal is six steps away, and by 1 a long way round leads there, too.
  for (uint32_t l = 3; l < 8; ++l) arcs.push_back({l, l + 1, 1});
  arcs.push_back({8, 20, 1});
  for (uint32_t l = 9; l < 19; ++l) arcs.push_back({1, l, 1});
  for (uint32_t l = 9; l < 19; ++l) arcs.push_back({l, 19, 1});
  arcs.push_back({19, 3, 1});
  const Graph graph(21, arcs);
  CheckOptions options = with(Search::Greedy, std::nullopt, "hadd");
  options.lazy = true;
  const Result result = graph.run(options);
  ASSERT_TRUE(result.path);
  EXPECT_EQ(result.path->steps.size(), 7u);
  EXPECT_LE(result.statistics.expanded, 10u);
}

TEST(Lazy, ProvesThatNothingIsReachable) {
  const Graph graph(5, {{0, 1, 1}, {1, 2, 1}, {2, 0, 1}, {2, 3, 1}});
  for (const char* heuristic : {"hadd", "lmcount", "hCG"}) {
    CheckOptions options = with(Search::Greedy, std::nullopt, heuristic);
    options.lazy = true;
    EXPECT_EQ(graph.run(options).verdict, Verdict::Unreachable) << heuristic;
  }
}

}  // namespace
}  // namespace harrier::search
