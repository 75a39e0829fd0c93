// Grounding: the actions and axioms of a task with objects for their variables, as far as they can ever be used.
#pragma once

#include "base/source.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

// Polls the watch of the diagnostics. A cost that is not defined, or too large, is told there; then the result must not
// be used.
GroundTask ground(const Task& task, Diagnostics& diagnostics);

// "on(a, b)"; an atom that grounding made is named by its number.
std::string to_text(const Task& task, const GroundTask& ground, uint32_t atom);
// "(move a b)", as plans write it.
std::string to_text(const Task& task, const GroundOperator& op);

}  // namespace harrier::pddl
