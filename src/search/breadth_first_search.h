// Breadth-first search: all states in the order of their distance from the initial ones.
#pragma once

#include "search/method.h"

namespace harrier::search {

struct BreadthFirstSearch {
  Preferences prefer;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  bool answers(Question question) const;
  Traits traits() const;
  Means means(Workbench& bench) const;
};

}  // namespace harrier::search
