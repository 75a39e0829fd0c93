// Groups of atoms of which at most one holds in every reachable state, found by the balance of adding and deleting
// (Helmert 2009, §5), checked on the ground operators.
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

// Each group is sorted, has at least two atoms, and at most one of them holds in every reachable state.
std::vector<std::vector<uint32_t>> mutex_groups(const Task& task, const GroundTask& ground, const Watch& watch);

}  // namespace harrier::pddl
