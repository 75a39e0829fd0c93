// `auto`: a few searches in turns, under one memory budget; the first answer counts.
//
// Breadth-first search gets a short start of its own, since small models need no direction. Then all members have turns
// that grow; those of breadth-first search, which proves that nothing is reachable as fast as anything can, take most
// of the time. Turns are counted in successors, not in seconds, so that a run can be repeated. A member that runs out
// of memory is given up as long as another one is left.
//
//   greedy, hU, useless transitions        the best single configuration on most models with errors
//   greedy, hadd, preferred transitions    another view, good where useless transitions are not
//   greedy, hL, interference contexts      good where distances are uninformative
//   breadth-first                          shortest paths and proofs
#pragma once

#include "harrier/harrier.h"
#include "model/system.h"
#include "search/search.h"

namespace harrier::search {

Result run_portfolio(const model::System& system, const model::Property& property, const CheckOptions& options);

}  // namespace harrier::search
