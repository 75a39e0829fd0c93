// The trace of a path that ends in a cycle, in a model with clocks: a run that comes back to an equivalent state
// (regions.h). A cycle of transitions may need a few rounds before it does so, and clocks that it never resets may have
// to be beyond all constants first.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "trace/path.h"
#include "trace/trace.h"

namespace harrier::trace {

// A path that goes through the cycle so many times and has a run, in which `beyond` holds right after `beyond_at`
// steps; none if there is no such path.
using Unroll =
    std::function<std::optional<Path>(size_t rounds, size_t beyond_at, const std::vector<ClockAtom>& beyond)>;

// Throws Error(Internal) if no run of a reasonable number of rounds comes back to an equivalent state.
Trace build_lasso(const model::System& system, const model::Property& property, const Path& lasso, const Unroll& unroll,
                  const Watch& watch = Watch::none());

}  // namespace harrier::trace
