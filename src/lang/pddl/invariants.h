// Groups of atoms of which at most one holds in every reachable state, found by the balance of adding and deleting
// (Helmert 2009, §5).
//
// Candidates are lifted, sets of predicates that share parameters. What is found out about them is found out on the
// ground operators, whose static conditions are no longer in doubt: whether an operator adds to an instance of a
// candidate without deleting from it, and what else it deletes, with which the candidate is tried again. So what comes
// out is proved for each group on its own, and a group of one object does not depend on those of others.
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

// Each group is sorted, has at least two atoms, and at most one of them holds in every reachable state.
std::vector<std::vector<uint32_t>> mutex_groups(const GroundTask& ground, const Watch& watch);

}  // namespace harrier::pddl
