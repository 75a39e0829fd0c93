// What a trace tells beside the run itself: where its edges stand in the model, what its end means, and the zones. The
// validator (validator.h) asks only whether the run is one; this asks whether the reader is told the truth about it.
#pragma once

#include <string>

#include "base/watch.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// What is wrong with the description of a valid trace; empty: nothing. The model may have been read under another name
// or from another folder. Zones are compared where the edges determine them: not with priorities, with constraints on
// differences of clocks, nor where a receiver of a broadcast has a clock guard, since a trace does not tell in which
// part of a zone it stays.
std::string description_problem(const model::System& system, const model::Property& property, const Trace& trace,
                                const Watch& watch);

// The place of a failure. In a query that has a text of its own, it is counted from where the query starts: the trace
// has the query, not the file that it was in.
std::string failure_place(const model::System& system, const model::Property& property, const SourceRef& at);

// Whether a place that a trace tells is this one of the model.
bool same_place(const model::System& system, const Trace& trace, const std::string& claimed,
                const std::string& true_one);

// The path that a trace follows, as far as its edges tell.
Path path_of(const Trace& trace);

}  // namespace harrier::trace
