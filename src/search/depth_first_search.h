// Depth-first search, in a fixed or in a random order of successors. For infinite paths it is the search for cycles
// (liveness.h).
#pragma once

#include <optional>

#include "search/method.h"

namespace harrier::search {

struct DepthFirstSearch {
  std::optional<uint64_t> seed;  // successors are shuffled
  Preferences prefer;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  bool answers(Question question) const;
  Traits traits() const;
  Means means(Workbench& bench) const;
};

}  // namespace harrier::search
