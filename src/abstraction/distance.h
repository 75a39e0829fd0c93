// Distances in abstractions, as heuristics give them to a search.
#pragma once

#include <cstdint>

namespace harrier::abstraction {

// There is no way to the goal.
inline constexpr uint32_t kInfinity = UINT32_MAX;

}  // namespace harrier::abstraction
