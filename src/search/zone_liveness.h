// UPPAAL's queries about whole paths, E[] p, A<> p and p --> q: finds a maximal path on which the goal of the property
// always holds (of p --> q: from a state with p on), or proves that there is none. search/live_zones.h defines both and
// argues why the cycles that are found are real.
//
// A depth-first search looks for a state in which a path may rest and for a transition back to its own path. A state
// all of whose successors were searched without success is done with, and so is every state inside its zone. For
// p --> q a breadth-first search through all states comes first, from each of which those with p are searched.
#pragma once

#include <memory>
#include <optional>
#include <span>

#include "base/budget.h"
#include "model/system.h"
#include "search/config.h"
#include "search/task.h"

namespace harrier::search {

// Whether the property is one of these.
using model::is_about_paths;

// A path that rests is complete. One with a cycle has its edges only: `unroll` makes a path of it. The semantics and
// the budget must outlive the task.
std::unique_ptr<Task> make_zone_liveness_task(const step::Semantics& semantics, std::optional<uint64_t> depth_limit,
                                              Budget& budget);

// A path that goes through the cycle of a lasso so many times, and has a concrete run. `beyond` holds right after
// `beyond_at` steps. None if there is no such run.
std::optional<model::Path> unroll(const model::System& system, const model::Property& property,
                                  const model::Path& lasso, size_t rounds, size_t beyond_at,
                                  std::span<const model::ClockAtom> beyond, const Watch& watch = Watch::none());

}  // namespace harrier::search
