// Iterative context bounding: paths with the fewest context switches first (switches.h).
#pragma once

#include "search/method.h"

namespace harrier::search {

struct ContextBoundSearch {
  enum class By : uint8_t { Process, Interference };
  enum class Order : uint8_t { BestFirst, BreadthFirst, DepthFirst };

  By by = By::Process;
  Order within = Order::BestFirst;  // the same number of context switches
  Estimate estimate;                // for BestFirst
  bool context_clocks = false;

  std::string describe() const;
  void check(const Config& config, const model::Property& property) const;
  Traits traits() const;
  Means means(Workbench& bench) const;
};

}  // namespace harrier::search
