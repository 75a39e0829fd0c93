// Best-first search: by cost_weight times the length (or cost) of the path so far plus estimate_weight times the
// estimate of the rest. Greedy search has the weights 0 and 1, A* 1 and 1, weighted A* 1 and more.
#pragma once

#include "search/method.h"

namespace harrier::search {

struct BestFirstSearch {
  Estimate estimate;
  uint32_t cost_weight = 0;
  uint32_t estimate_weight = 1;
  Preferences prefer;
  bool lazy = false;  // as Traits::lazy: deferred evaluation (Richter and Helmert 2009)

  bool greedy() const { return cost_weight == 0; }
  bool optimal() const { return cost_weight == 1 && estimate_weight == 1; }  // if the estimate is admissible

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  Traits traits() const;
  Means means(Workbench& bench) const;
};

}  // namespace harrier::search
