// Paths out of sets of states: which state of a set a path takes, and which transitions lead from one to the next.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/path.h"
#include "symbolic/space.h"

namespace harrier::symbolic {

using StateValues = std::vector<int32_t>;

// Some state of a set, which is not empty.
StateValues some_state(const Space& space, const Bdd& states);
// Of a set of states, those in the goal, if there are any.
Bdd rather_goal(const Space& space, const Bdd& states);
// A way to the state through layers, of which the last one has it: each state of a layer has a predecessor in the layer
// before it.
std::vector<StateValues> way_through(const Space& space, const std::vector<Bdd>& layers, StateValues last);
// A shortest way from a state to one of the targets: of the states between them all are in `inside`. None: there is
// no way. With `moves`, it has at least one step.
std::optional<std::vector<StateValues>> way_to(const Space& space, const StateValues& from, const Bdd& targets,
                                               const Bdd& inside, bool moves = false);
// The steps along these states, each of which is a successor of the one before it, from an initial state on.
model::Path steps_along(const Space& space, const std::vector<StateValues>& states);
// The path along these states, each of which is a successor of the one before it. It leads from an initial state to the
// goal, or has a failure.
model::Path path_along(const Space& space, const std::vector<StateValues>& states);
// The path of a model that fails as it begins, if it does.
std::optional<model::Path> failing_beginning(const Space& space);

}  // namespace harrier::symbolic
