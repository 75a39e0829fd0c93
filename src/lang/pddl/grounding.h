// Grounding: the actions and axioms of a task with objects for their variables, as far as they can ever be used.
#pragma once

#include "base/watch.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

// Polls the watch.
GroundTask ground(const Task& task, const Watch& watch);

// "on(a, b)"; an atom that grounding made is named by its number.
std::string to_text(const Task& task, const GroundTask& ground, uint32_t atom);
// "(move a b)", as plans write it.
std::string to_text(const Task& task, const GroundOperator& op);

}  // namespace harrier::pddl
