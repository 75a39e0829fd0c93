// Where a run of the model fails. A search knows the state that it was looking at, and what went wrong; the evaluation
// that fails there, or in a step from there, is found here by the reference interpreter.
//
//     Path path = …;                                       // path.failure says what, not where
//     std::optional<Trace> trace = failure_trace(system, property, path);   // validated
#pragma once

#include <optional>

#include "base/watch.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// The trace to the failure, or nothing if none can be shown that passes validation.
std::optional<Trace> failure_trace(const model::System& system, const model::Property& property, const Path& path,
                                   const Watch& watch = Watch::none());

}  // namespace harrier::trace
