// What a proof may owe to something that the user did not mean: no run at all, a location of the query that is never
// reached, an implication whose left side never holds, a transition that a range violation disables. Each remark is
// proved by the states that the search has kept; where it has not kept them all, nothing is said about them.
#pragma once

#include <string>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "search/task.h"

namespace harrier::search {

// Remarks on a task with Status::Exhausted; fewer of them if the watch ends it. The left side of `A[] p imply q` is
// Property::premise.
std::vector<std::string> vacuity(const model::System& system, const model::Property& property, const Task& task,
                                 const Watch& watch);

}  // namespace harrier::search
