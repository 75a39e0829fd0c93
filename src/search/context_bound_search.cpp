#include "search/context_bound_search.h"

#include "search/bounding.h"
#include "search/config.h"
#include "search/means.h"

namespace harrier::search {

std::string ContextBoundSearch::describe() const {
  std::string name = by == By::Process ? "ib-process " : "ib-interference ";
  switch (within) {
    case Order::BestFirst: return name + estimate.heuristic;
    case Order::BreadthFirst: return name + "bfs";
    case Order::DepthFirst: return name + "dfs";
  }
  return name;
}

void ContextBoundSearch::check(const Config& config, const model::Property&) const {
  if (config.depth_limit) refuse("context bounding counts context switches, not steps: no depth");
  if (within == Order::BestFirst) estimate.check(Estimate::Number::One);
}

Traits ContextBoundSearch::traits() const { return {.optimal = true, .tracks_cost = true, .switches = true}; }

Means ContextBoundSearch::means(Workbench& bench) const {
  const Preferences options{.context_clocks = context_clocks};
  PreferenceList bounding;
  bounding.push_back(std::make_unique<Bounding>(bench.preference_task(options), by));
  switch (within) {
    case Order::BestFirst: return bench.queues(bench.by_heuristics(estimate, false), std::move(bounding));
    case Order::BreadthFirst: return bench.queues(bench.by_depth(), std::move(bounding));
    case Order::DepthFirst:
      return {std::make_unique<DepthFirst>(bench.budget(), std::nullopt),
              std::make_unique<Guide>(Estimators(), std::move(bounding))};
  }
  return {};
}

}  // namespace harrier::search
