// What a step counts for searches and heuristics that count costs.
#pragma once

#include <cstdint>

namespace harrier {

enum class CostType : uint8_t {
  Unit,     // every step counts 1, whatever it costs
  PlusOne,  // its cost and 1 more, so that no step is for nothing (Richter and Westphal 2010)
  Real,     // its cost, which may be 0
};

}  // namespace harrier
