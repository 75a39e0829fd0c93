// The shortest path to the goal among the states near a given path (plan neighbourhood graph search, Nakhost and Müller
// 2010): first the states of the path, then those around them, as far as the effort goes. Long random walks pass by
// most of the states of a short path without noticing; this does.
#pragma once

#include <cstdint>
#include <optional>

#include "base/budget.h"
#include "model/path.h"
#include "step/semantics.h"

namespace harrier::search {

// Of a model without clocks. None if nothing shorter is found; `work` bounds the successors that are generated. Throws
// what a search throws.
std::optional<model::Path> shorter_nearby(const step::Semantics& semantics, const model::Path& path, uint64_t work,
                                          Budget& budget);

}  // namespace harrier::search
