// What a reader of a simulation sees of steps and of states.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harrier/simulation.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::api {

using Values = std::vector<int32_t>;

// A step as one line: "P: a -> b  go!  [n := 1]; Q: u -> v  go?", a statement with its place, the name of an action, or
// what changes.
std::string step_text(const model::System& system, const model::PathStep& step, const Values& before,
                      const Values& after);

// A state, as far as it is told to readers; what differs from `before` is marked.
std::vector<Simulation::Value> shown_values(const model::System& system, const Values& before, const Values& after);

}  // namespace harrier::api
