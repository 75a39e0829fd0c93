// What does not matter is taken out of a finite-domain task:
//
//   - values that no variable can get, were there no delete effects, and what needs them,
//   - variables that keep their value,
//   - variables on which the goal does not depend, and operators that change no other,
//   - operators that do what others do, at no less cost.
//
// A plan of the rest is one of the whole task, and there is always a cheapest one among those of the rest.
#pragma once

#include "base/watch.h"
#include "lang/pddl/finite_domain.h"

namespace harrier::pddl {

FiniteTask pruned(FiniteTask task, const Watch& watch);

// A task whose goal cannot be reached, with what readers of statistics want to know.
FiniteTask unsolvable(const FiniteTask& task);

}  // namespace harrier::pddl
