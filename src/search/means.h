// What a search of the one engine (explorer.h) is made of: an open list, and possibly a guide. The workbench makes the
// parts.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/budget.h"
#include "heur/heuristic.h"
#include "search/aim.h"
#include "search/estimator.h"
#include "search/frontier.h"
#include "search/guide.h"
#include "search/method.h"
#include "search/preference.h"
#include "step/passing.h"

namespace harrier::search {

struct Means {
  std::unique_ptr<Frontier> frontier;
  std::unique_ptr<Guide> guide;
  const BestFirst* queues = nullptr;  // the frontier, if it has queues to report
};

using Estimators = std::vector<std::unique_ptr<Estimator>>;
using PreferenceList = std::vector<std::unique_ptr<Preference>>;

class Workbench {
 public:
  // Both must outlive what is made.
  Workbench(Aims& aims, Budget& budget) : aims_(aims), budget_(budget) {}

  Budget& budget() { return budget_; }
  // What may pass through transient states finds some there.
  bool has_transient_states() const { return step::Passing::applies_to(aims_.semantics()); }

  // A state's estimate is its depth, or what heuristics say.
  Estimators by_depth();
  Estimators by_heuristics(const Estimate& estimate, bool direction_only);

  // Those of the table that are wanted; the guided ones with the estimate, and the estimators, of the search.
  PreferenceList preferences(const Preferences& wanted, const Estimate* estimate = nullptr, bool direction_only = false,
                             std::span<const std::unique_ptr<Estimator>> estimators = {}, bool lazy = false);
  // What any preference is made from.
  PreferenceTask preference_task(const Preferences& options) { return {aims_.semantics(), options, budget_}; }

  Means queues(Estimators estimators, PreferenceList preferences, uint32_t cost_weight = 0,
               uint32_t estimate_weight = 1, Turns turns = Turns::None);

 private:
  Aims& aims_;
  Budget& budget_;
};

}  // namespace harrier::search
