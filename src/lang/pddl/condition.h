// Conditions on states of a planning task, over the atoms that its variables stand for.
//
//     (and (at truck depot) (not (in parcel truck)))
//
// Atoms that never change have no variable, so that nothing can be asked about them.
#pragma once

#include <string>

#include "base/source.h"
#include "model/system.h"

namespace harrier::pddl {

// The property that a state can be reached in which the condition holds. Its text becomes a source of the system, and
// its parts become expressions of it. Without meaning after an error.
model::Property condition(model::System& system, std::string text, Diagnostics& diagnostics);

}  // namespace harrier::pddl
