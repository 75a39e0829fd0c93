// The independent check of a trace: re-executes it step by step in the concrete semantics and believes nothing that it
// claims. It shares no code with the searches, the zones or `build_trace`. What a trace tells a reader beside the run
// (zones, source positions, the reason at its end) is for description.h to check.
//
//     ValidationReport report = validate(system, property, trace);
//     if (!report.valid) …   // report.step, report.reason
#pragma once

#include <cstddef>
#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

struct ValidationReport {
  bool valid = false;
  size_t step = 0;     // the first that fails: 0 is the initial state and the head, steps.size() + 1 the goal
  std::string reason;  // empty for a valid trace

  // "step 3: the guard of … does not hold".
  std::string text() const;
};

// For all but Extrema, which make the trace invalid. A formula of branching time has to be one that a single path can
// violate.
ValidationReport validate(const model::System& system, const model::Property& property, const Trace& trace,
                          const Watch& watch = Watch::none());

}  // namespace harrier::trace
