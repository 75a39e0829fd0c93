// Estimates of the states of a random model without clocks, each compared with the distance that the whole state graph
// tells: admissible ones may not be larger, safe dead ends must be real, and goal states have estimate 0.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harrier/cost.h"
#include "model/system.h"

namespace harrier::testing_support {

// With costs, the distance is by what steps count. By names and compositions, as the command line takes them. What is
// wrong, if anything is; nothing either if the graph is too large or the model fails.
std::optional<std::string> wrong_estimate(const model::System& system, const model::Property& property,
                                          const std::vector<std::string>& heuristics, CostType costs = CostType::Unit);

}  // namespace harrier::testing_support
