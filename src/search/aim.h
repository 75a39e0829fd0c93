// The heuristic that a search is told to use, made for what it is to find.
#pragma once

#include <memory>

#include "base/watch.h"
#include "heur/heuristic.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

struct Guidance {
  std::unique_ptr<heur::Heuristic> heuristic;
  bool safe = true;     // its dead ends are proved
  bool clocks = false;  // it looks at zones
};

// Throws Error(Usage) if there is no such heuristic. Deadlocks are near everywhere, as far as distance heuristics know:
// among other goals they are left out for searches to which only the direction matters; then what looks like a dead
// end need not be one. Nor if the goal cannot be evaluated everywhere: a state where it fails is to be found, too.
Guidance make_guidance(const step::Semantics& semantics, const Estimate& estimate, bool direction_only,
                       const Watch& watch);

}  // namespace harrier::search
