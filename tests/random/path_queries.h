// UPPAAL's other queries about a random model: E[], A<>, -->, sup, inf and bounds, made from the formulas of its
// reachability queries. What they should say is found on the graph of regions by plain algorithms.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "lang/uppaal/uppaal.h"
#include "random/network.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// The first disagreement: the stage, and the problem in full. None if there is none, or if the graph is too large.
std::optional<std::pair<std::string, std::string>> compare_path_queries(const TaModel& model, Network& network,
                                                                        uppaal::Loaded& loaded, uint64_t seed);

}  // namespace harrier::testing_support
