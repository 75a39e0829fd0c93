// What a step costs, told by the process that makes it: the estimates of Bui (2009, §6.2.1) as they are printed, for
// random walks. They look at the edges that fire, not at the state that these lead to.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace harrier::heur {

struct StepCosts {
  std::vector<uint32_t> by_edge;
  uint32_t worst = 0;  // of an edge that nothing is known about; no other costs more

  // Of several processes that move together, the one that costs least counts.
  uint32_t of(std::span<const uint32_t> edges) const {
    uint32_t least = worst;
    for (const uint32_t e : edges) least = std::min(least, by_edge[e]);
    return least;
  }
};

}  // namespace harrier::heur
