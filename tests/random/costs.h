// Searches and estimates by costs: the edges of a random model get costs, zero and large ones among them. Cheapest
// paths are found on the whole state graph by Dijkstra's algorithm; with clocks, the searches are compared with each
// other.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "model/system.h"

namespace harrier::testing_support {

// The first disagreement about a property that nothing fails in: the stage, and the problem in full.
std::optional<std::pair<std::string, std::string>> compare_costs(const model::System& system,
                                                                 const model::Property& property, uint64_t seed);

}  // namespace harrier::testing_support
