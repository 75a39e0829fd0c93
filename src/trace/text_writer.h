// A trace as text for a human.
//
//     E<> P.done and x > 2: reached in 1 step at time 5/2
//
//       0  time 0
//          at P.idle
//          n = 0
//          x = 0
//       1  time 5/2, after a delay of 5/2
//          P: idle -> done  [n := n + 1]  (model.xta:7:3)
//          n = 1
//          x = 5/2
//
// Without clocks there are no times. Where steps are statements (model::Telling), program_text.h shows them; where they
// are told by states, the values that change are all there is.
#pragma once

#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// `system` is the one that the trace was built from or validated with. With `zones`, each state also shows its zone.
std::string to_text(const model::System& system, const Trace& trace, bool zones = false,
                    const Watch& watch = Watch::none());

}  // namespace harrier::trace
