// A ground task with variables of finitely many values: atoms of a mutex group become the values of one variable
// (Helmert 2009, §6), with one more value if it can be that none of them holds. All other atoms, and those that axioms
// derive, have a variable of two values each.
//
//   - That an atom does not hold is the other value of a variable with two. Where more values would say so, the atom
//     has a variable of its own besides: no condition has to be split.
//   - A deletion gives the variable the value "none", in states in which the atom holds and nothing is added instead.
//   - What needs two atoms of a group is left out; so is what does not matter (pruning.h).
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/finite_domain.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

FiniteTask encode(const Task& task, const GroundTask& ground, const std::vector<std::vector<uint32_t>>& groups,
                  const Watch& watch);

}  // namespace harrier::pddl
