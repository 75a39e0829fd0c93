// The operators, axioms and goals of a program (grounding_program.h) that was run: its instances, with their conditions
// and effects.
#pragma once

#include "base/source.h"
#include "lang/pddl/grounding_draft.h"
#include "lang/pddl/grounding_program.h"

namespace harrier::pddl {

// With errors, the result must not be used.
Draft instantiate(const Program& program, Diagnostics& diagnostics);

}  // namespace harrier::pddl
