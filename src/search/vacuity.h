// What a proof may owe to something that the user did not mean: no run at all, a location of the query that is never
// reached, a left side of an implication or of --> that never holds, a condition of sup, inf or bounds that no state
// satisfies, a transition that a range violation disables. Each remark is
// proved by the states that the search has kept; where it has not kept them all, nothing is said about them.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "search/task.h"

namespace harrier::search {

// What a search that has seen everything can tell.
struct Explored {
  Statistics statistics;
  std::vector<step::Machine::Violation> violations;
  // As of Task.
  std::function<bool(const std::function<bool(const int32_t*)>& visit)> for_each_state;
  std::vector<std::string> remarks;
};

// A state by the values of its variables: "x = 1, y = red".
std::string state_text(const model::System& system, std::span<const int32_t> values);

// Whether remarks about the property need all states of the system. Of what statements of a program never reach,
// remarks are dispensable: `harrier check` says of a goal that it is unreachable.
bool remarks_need_states(const model::System& system, const model::Property& property);

// Fewer remarks if the watch ends it. The left side of `A[] p imply q` is Property::premise.
std::vector<std::string> vacuity(const step::Semantics& semantics, const Explored& explored, const Watch& watch);
// Of a task with Status::Exhausted.
std::vector<std::string> vacuity(const step::Semantics& semantics, const Task& task, const Watch& watch);

}  // namespace harrier::search
