// The model that a search with simplified states moves, as a model of its own, for readers: domains have no more values
// than variables can have, and edges set to its initial value what they forget (model/dead_values.h). Variables and
// edges keep their numbers, so that a path of the one is a path of the other.
#pragma once

#include "base/watch.h"
#include "model/system.h"

namespace harrier::transform {

// Nothing is forgotten unless `forgets`.
model::System simplified(const model::System& system, const model::Property& property, bool forgets,
                         const Watch& watch);

}  // namespace harrier::transform
