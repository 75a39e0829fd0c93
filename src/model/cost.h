// What steps cost. A step costs what the edge that starts it does (Edge::cost); what that counts for depends on what is
// asked for:
//
//     cost_of(edge, CostType::PlusOne)       // 4 where the edge costs 3
//     cost_of(system, path, CostType::Real)  // what the model says of the path
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "harrier/cost.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::model {

// Estimates of costs beyond this are not told apart.
inline constexpr uint32_t kMostCost = uint32_t{1} << 30;

inline uint64_t cost_of(const Edge& edge, CostType type) {
  switch (type) {
    case CostType::Unit: break;
    case CostType::PlusOne: return uint64_t{edge.cost} + 1;
    case CostType::Real: return edge.cost;
  }
  return 1;
}

inline uint64_t cost_of(const System& system, const Path& path, CostType type) {
  uint64_t sum = 0;
  for (const PathStep& step : path.steps) sum += cost_of(system.edge(step.edges[0]), type);
  return sum;
}

}  // namespace harrier::model
