// The trace of a path that ends in a cycle, in a model with clocks: a run that comes back to an equivalent state
// (regions.h). There are finitely many regions, so that every run that goes round often enough does so. That may take
// as many rounds as the constants of the model are large, as steps are taken as early as possible: with y >= 1000 in
// one step and x >= 999 in another, y can be smaller by 1 after each round. And clocks that the cycle never resets may
// have to be beyond all constants first.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/watch.h"
#include "model/path.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// A path that goes through the cycle so many times and has a run, in which `beyond` holds right after `beyond_at`
// steps; none if there is no such path.
using Unroll =
    std::function<std::optional<Path>(size_t rounds, size_t beyond_at, const std::vector<ClockAtom>& beyond)>;

// None if no run of up to `most_steps` steps comes back to an equivalent state.
inline constexpr size_t kMostLassoSteps = 100'000;
std::optional<Trace> build_lasso(const model::System& system, const model::Property& property, const Path& lasso,
                                 const Unroll& unroll, const Watch& watch = Watch::none(),
                                 size_t most_steps = kMostLassoSteps);

}  // namespace harrier::trace
