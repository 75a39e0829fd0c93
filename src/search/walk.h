// Random walks (Bui 2009, chapters 4 to 7): one way through the state space after the other, blind or guided by a
// heuristic. What cannot be searched can still be walked through; nothing is ever proved, unless there is no step to
// make.
//
// A walk goes on until it finds the goal, cannot go on, or has gone far enough. How far is given, or else varied: walk
// i may make luby(i) units of steps without getting nearer to the goal than it was before (for blind walks: at all).
// Luby, Sinclair and Zuckerman (1993) showed that no other sequence of limits that knows nothing of the model is better
// by more than a logarithmic factor.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/budget.h"
#include "model/system.h"
#include "search/task.h"
#include "step/semantics.h"

namespace harrier::search {

// One walker; RandomWalks::threads is not looked at. `stream` tells walkers with the same seed apart. A unit of
// Task::advance is a step, or an attempt to make one. Without clocks, Task::path tells the way so far at any time. The
// semantics and the budget must outlive the task.
std::unique_ptr<Task> make_walk_task(Aims& aims, const RandomWalks& options, Budget& budget, uint64_t stream = 0);

// The number of walks that options ask for; none: no end.
std::optional<uint64_t> walks_wanted(const RandomWalks& options);

// What is known after so many walks without an error.
std::string reason_without_error(const RandomWalks& options, uint64_t walks);

// 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …, counting from 1.
uint64_t luby(uint64_t i);

}  // namespace harrier::search
