// Anytime search: a first error quickly, then ever shorter ones, until the last is proved to be shortest or a limit is
// hit.
//
// Greedy search with useless transitions finds the first path. Then weighted A* and A* with the admissible h^L look for
// one that is shorter than the best so far, each bounded to that depth; when the last of them finds nothing, the best
// path is a shortest one.
#pragma once

#include "harrier/harrier.h"
#include "model/system.h"
#include "search/search.h"

namespace harrier::search {

Result run_anytime(const model::System& system, const model::Property& property, const CheckOptions& options);

}  // namespace harrier::search
