// Splitting a network into parts (Hoffmann et al. 2006, §3.3): each part is abstracted on its own, as if nobody else
// were there.
//
// An effect can *affect* a condition (a guard, an invariant) of another process if it writes a variable whose value can
// get, through any number of assignments, into a variable that the condition reads; a reset affects the constraints on
// its clock; a synchronisation affects those it can meet. The parts are put together greedily, of at most `bound`
// processes each, so that few such interactions are between parts.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/system.h"

namespace harrier::abstraction {

struct Split {
  std::vector<std::vector<uint32_t>> parts;  // processes, in order
  uint64_t kept = 0;                         // interactions between processes of the same part
  uint64_t violated = 0;                     // others
};

// A bound of 0 leaves all in one part.
Split split_network(const model::System& system, model::Accesses& accesses, uint32_t bound, const Watch& watch);

}  // namespace harrier::abstraction
