// Which labels of the variables' graphs a heuristic has marked in its last evaluation, and whether a transition fires
// one of them: preferred transitions of h^CG and h^cea.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "task/variable_domains.h"

namespace harrier::heur {

class MarkedLabels {
 public:
  explicit MarkedLabels(const task::VariableDomains& domains)
      : domains_(domains), marked_(domains.task().transitions().size(), 0) {}

  void clear() { ++stamp_; }
  void mark(uint32_t label) { marked_[domains_.labels()[label].transition] = stamp_; }
  // Edges as fired, sender first.
  bool contain(std::span<const uint32_t> edges) const {
    const auto labels = domains_.labels_of(edges[0]);
    return std::any_of(labels.begin(), labels.end(), [&](uint32_t label) {
      const uint32_t t = domains_.labels()[label].transition;
      return marked_[t] == stamp_ && domains_.task().fires(t, edges);
    });
  }

 private:
  const task::VariableDomains& domains_;
  std::vector<uint64_t> marked_;  // by transition: stamp
  uint64_t stamp_ = 1;
};

}  // namespace harrier::heur
