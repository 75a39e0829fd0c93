// Shorter witnesses of properties about infinite paths.
//
// The search for components (liveness.h) stops at the first cycle that it closes, deep down on the path of a
// depth-first search. From the initial state on, breadth-first, every accepting state is tried as the start of a
// cycle, which another breadth-first search closes; of all that is found within the work that is allowed, the path with
// the fewest steps is taken.
#pragma once

#include <cstdint>

#include "model/path.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

// `path` is a witness; the result is one that is not longer. `work` bounds the successors that are generated (but a few
// thousand always are). Limits of `config` are kept, too.
model::Path shorten_lasso(const step::Semantics& semantics, const model::Path& path, const Config& config,
                          uint64_t work);

}  // namespace harrier::search
