#include "search/means.h"

#include <algorithm>

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
                                      std::span<const std::unique_ptr<Estimator>> estimators, bool lazy) {
  std::vector<heur::Recipe> with_paths;
  std::vector<Estimator*> before;
  if (estimate != nullptr) {
    const std::vector<heur::Recipe> all = heur::recipes(estimate->heuristic);
    const auto is = [](const char* name) { return [name](const heur::Recipe& r) { return r.text() == name; }; };
    const bool has_hff = std::any_of(all.begin(), all.end(), is("hff"));
    for (size_t i = 0; i < all.size(); ++i) {
      if (!all[i].preferred() || (has_hff && is("lmcount")(all[i]))) continue;  // lmcount prefers what hff does
      with_paths.push_back(all[i]);
      if (lazy) before.push_back(estimators[i].get());
    }
  }
  const auto make_heuristic = [this, with_paths, estimate, direction_only] {
    std::vector<std::unique_ptr<heur::Heuristic>> parts;
    for (const heur::Recipe& recipe : with_paths) {
      parts.push_back(aims_.guidance(recipe, *estimate, direction_only, budget_.watch()).heuristic);
    }
    return std::make_unique<heur::Combination>(heur::Composition::Max, std::move(parts));
  };
  heur::Heuristic* const heuristic = estimators.empty() ? nullptr : estimators[0]->heuristic();
  PreferenceList out;
  for (const PreferenceEntry& entry : preference_table()) {
    if (wanted.has(entry.name)) {
      out.push_back(entry.make({aims_.semantics(), wanted, budget_, heuristic, make_heuristic, before}));
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
