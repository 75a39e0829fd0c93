// The causal graph of a task (Wehrle 2011, §5.2; Helmert 2004, 2006): there is an arc from one variable to another if
// some label restricts or affects the first and affects the second (Wehrle 2011, def. 5.5).
//
// Cycles are broken as in Wehrle 2011, §5.5.1: variables get an order, integers before processes, and only predecessors
// that come earlier count. The order is made greedily, such that the ignored arcs are those of few transitions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "task/variable_domains.h"

namespace harrier::task {

class CausalGraph {
 public:
  explicit CausalGraph(const VariableDomains& domains, const Watch& watch = Watch::none());

  // Of each variable, its predecessors that are ordered before it, sorted.
  const std::vector<uint32_t>& predecessors(uint32_t v) const { return predecessors_[v]; }
  // All of them, sorted.
  const std::vector<uint32_t>& all_predecessors(uint32_t v) const { return all_predecessors_[v]; }
  // Variables, predecessors first.
  const std::vector<uint32_t>& order() const { return order_; }

 private:
  std::vector<std::vector<uint32_t>> predecessors_;
  std::vector<std::vector<uint32_t>> all_predecessors_;
  std::vector<uint32_t> order_;
};

}  // namespace harrier::task
