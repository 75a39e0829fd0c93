// A trace as a message sequence chart, for Mermaid (a `sequenceDiagram`) or for PlantUML.
//
// Every process that moves has a lane. A synchronisation is an arrow from the sender to each receiver, labelled with
// the channel, or with the statement in a program. A message in a queue is an arrow to the lane of the queue, and
// another one when it is taken out, which says when it was sent. Whatever else a step does stands in a note over its
// processes, time that passes and the end in notes over all lanes. The cycle of an infinite path is a loop.
//
// What would be too much for these is cut out in the middle, and the chart says so. Names and texts are escaped.
#pragma once

#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// `system` is the one that the trace was built from or validated with.
std::string to_sequence_chart(const model::System& system, const Trace& trace, ChartForm form,
                              const Watch& watch = Watch::none());

// A text that is shown as it is, wherever it stands: everything that might mean something is a code.
std::string mermaid_text(const std::string& text);
std::string plantuml_text(const std::string& text);

}  // namespace harrier::trace
