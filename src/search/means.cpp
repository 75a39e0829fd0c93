#include "search/means.h"

namespace harrier::search {

Estimators Workbench::by_depth() {
  Estimators out;
  out.push_back(std::make_unique<DepthEstimator>(budget_));
  return out;
}

Estimators Workbench::by_heuristics(const Estimate& estimate, bool direction_only) {
  Estimators out;
  for (const heur::Recipe& recipe : heur::recipes(estimate.heuristic)) {
    out.push_back(std::make_unique<HeuristicEstimator>(
        aims_.guidance(recipe, estimate, direction_only, budget_.watch()), estimate.cache_entries, budget_));
  }
  return out;
}

PreferenceList Workbench::preferences(const Preferences& wanted, const Estimate* estimate, bool direction_only,
                                      heur::Heuristic* heuristic) {
  const auto with_paths = [&] {
    std::vector<std::unique_ptr<heur::Heuristic>> parts;
    for (const heur::Recipe& recipe : heur::recipes(estimate->heuristic)) {
      if (!recipe.preferred()) continue;
      parts.push_back(aims_.guidance(recipe, *estimate, direction_only, budget_.watch()).heuristic);
    }
    return std::make_unique<heur::Combination>(heur::Composition::Max, std::move(parts));
  };
  PreferenceList out;
  for (const PreferenceEntry& entry : preference_table()) {
    if (wanted.has(entry.name)) {
      out.push_back(entry.make({aims_.semantics(), wanted, budget_, heuristic, with_paths}));
    }
  }
  return out;
}

Means Workbench::queues(Estimators estimators, PreferenceList preferences, uint32_t cost_weight,
                        uint32_t estimate_weight, Turns turns) {
  auto frontier = std::make_unique<BestFirst>(budget_, cost_weight, estimate_weight, turns, estimators.size());
  const BestFirst* queues = frontier.get();
  return {std::move(frontier), std::make_unique<Guide>(std::move(estimators), std::move(preferences)), queues};
}

}  // namespace harrier::search
