// The operators, axioms and goals of a program (grounding_program.h) that was run: its instances, with their conditions
// and effects.
#pragma once

#include "base/watch.h"
#include "lang/pddl/grounding_draft.h"
#include "lang/pddl/grounding_program.h"

namespace harrier::pddl {

Draft instantiate(const Program& program, const Watch& watch);

}  // namespace harrier::pddl
