// Breadth-first search: all states in the order of their distance from the initial ones.
#pragma once

#include <optional>

#include "search/method.h"

namespace harrier::search {

struct BreadthFirstSearch {
  Preferences prefer;
  // So many expand a layer together (parallel_search.h); none: one a processor, where that is possible.
  std::optional<uint32_t> threads = 1;
  std::optional<uint64_t> threads_from = {};  // smaller blocks of states are for one; by default a sensible number

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  bool answers(Question question) const;
  Traits traits() const;
  Means means(Workbench& bench) const;
  // Whether blocks of states are expanded together, by one thread or several (parallel_search.h). Then a reduced space
  // is the same for any number of threads.
  bool is_parallel(const Config& config, const step::Semantics& semantics) const;
  uint32_t threads_for(const Config& config, const model::System& system) const;
};

}  // namespace harrier::search
