// Trace polishing: the same error by a shorter path, and with fewer context switches.
//
// Five means, each with bounded effort, so that polishing never takes much longer than finding the path did:
//   - what a process does until it is back at a location is left out;
//   - of a model without clocks, the states around the path are looked at for a shorter one (neighbourhood.h);
//   - steps are left out, in blocks and then one by one, with those that cannot fire without them (action elimination,
//     Nakhost and Müller 2010);
//   - A* with the admissible h^L looks for a path that is shorter than the best one so far;
//   - steps are moved next to earlier ones of the same process where the path still works.
// The result is a path to the goal, never longer than the given one. Witnesses of properties about infinite paths have
// means of their own (lasso.h).
#pragma once

#include <cstdint>

#include "model/path.h"
#include "model/system.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

struct Polished {
  model::Path path;
  bool shortest = false;  // proved
};

// The work (Task::work) of a state that A* expands, roughly.
inline constexpr uint64_t kWorkOfState = 60;

// `work` bounds what A* may do, and, divided by kWorkOfState, the steps that are replayed (but a path that
// is not too long is replayed a hundred times). Limits of `config` are kept, too.
Polished polish(const step::Semantics& semantics, const model::Path& path, const Config& config, uint64_t work);

// The first three of these means only, with effort for a path of this length.
model::Path shorten(const step::Semantics& semantics, const model::Path& path, const Config& config);

// How often consecutive steps have no process in common.
size_t context_switches(const model::System& system, const model::Path& path);

}  // namespace harrier::search
