// Shortest paths of an abstract space, and where they cannot be followed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abstraction/patterns/abstract_space.h"

namespace harrier::abstraction {

// Tries to follow a shortest path of the space from the initial state in the factors. Returns the variables that stand
// in the way where it goes no further, increasing; none if it leads to the goal. The initial state must have a
// distance.
std::vector<uint32_t> find_flaws(const Factors& factors, std::span<const Value> initial, const AbstractSpace& space,
                                 std::span<const uint32_t> distances, std::span<const uint32_t> label_costs);

}  // namespace harrier::abstraction
