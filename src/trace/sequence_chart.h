// A trace as a message sequence chart: a Mermaid `sequenceDiagram`.
//
// A synchronisation is an arrow from the sender to each receiver, labelled with the channel, or with the statements in
// a program. A message in a queue is an arrow to the queue, and another one when it is taken out. Steps without
// communication do not appear; the passing of time and the error at the end are notes.
#pragma once

#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// `system` is the one that the trace was built from or validated with.
std::string to_sequence_chart(const model::System& system, const Trace& trace, const Watch& watch = Watch::none());

}  // namespace harrier::trace
