// Liveness: finds a path that passes through accepting states of a property for ever, or proves that there is none.
//
// The strongly connected components of the state space are found on the fly (Couvreur 1999; Gabow 2000; compared with
// nested depth-first search by Schwoon and Esparza 2005), by one iterative depth-first search. A component is a
// violation as soon as the part of it that is known has everything that an infinite path needs: an accepting state and,
// if only fair paths count, for every process a transition that it takes part in or a state in which it cannot start
// one. Fairness therefore costs no copies of states.
#pragma once

#include <memory>

#include "base/budget.h"
#include "model/system.h"
#include "search/config.h"
#include "search/task.h"
#include "step/semantics.h"

namespace harrier::search {

// The paths that it finds end in a cycle (Path::loop_start), or in a state of the property's goal. Throws
// Error(Unsupported) for fairness among too many processes. The semantics and the budget must outlive the task.
std::unique_ptr<Task> make_liveness_task(const step::Semantics& semantics, std::optional<uint64_t> depth_limit,
                                         Budget& budget);

}  // namespace harrier::search
