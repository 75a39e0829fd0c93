// The trace of a program as text: one line a statement, with what it changed.
//
//     no assertion fails: violated in 3 steps
//
//       0  start at Sender(0) line 8, Receiver(1) line 15
//       1  Sender(0)    abp.pml:8   q!one(k)     q = <one(3)>
//       2  Receiver(1)  abp.pml:15  q?m(x)       m = one, x = 3, q = <>
//       3  Receiver(1)  abp.pml:16  assert(x == 4)
//     end  assertion failed: assert(x == 4)  (abp.pml:16:3)
#pragma once

#include <string>

#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

// The steps of `system` are statements (model::Telling). Without the head, which is that of every trace.
std::string program_text(const model::System& system, const Trace& trace, const Watch& watch);

}  // namespace harrier::trace
