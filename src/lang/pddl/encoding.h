// A ground task with variables of finitely many values: atoms of a mutex group become the values of one variable
// (Helmert 2009, §6), with one more value if it can be that none of them holds.
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/finite_domain.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

FiniteTask encode(const Task& task, const GroundTask& ground, const std::vector<std::vector<uint32_t>>& groups,
                  const Watch& watch);

}  // namespace harrier::pddl
