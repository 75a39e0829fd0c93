// The layers of ground axioms: as low as can be, above those of what their bodies negate.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/ground_task.h"

namespace harrier::pddl {

// By atom; 0 where no axiom is for it. Precondition: nothing depends on its own negation (layers.h).
std::vector<int32_t> axiom_layers(const GroundTask& ground, const Watch& watch);

}  // namespace harrier::pddl
