// Several random walkers at the same time (a swarm), each with random numbers of its own.
//
// The first witness stops them all: the one that took the fewest slices of steps, of several the one of the first
// walker. Walkers therefore go on until they have made as many as the one that found something, and the result depends
// on the seed and on the number of walkers, but not on which of them was faster.
#pragma once

#include "search/search.h"
#include "step/semantics.h"

namespace harrier::search {

Result run_swarm(const step::Semantics& semantics, const Config& config);

}  // namespace harrier::search
