// sup, inf and bounds: the extreme values of integer expressions and clocks over the reachable states of a condition.
//
// All states are explored, breadth-first. A clock that is asked for has its own bound k in the extrapolation, on both
// sides, so that values up to k are exact and larger ones are known to be larger. If a larger one decides, the path to
// it is followed without extrapolation: if it ends in a zone without upper bound, or if the clock is proved to grow
// without bound by going round (search/clock_growth.h), the supremum is infinite; otherwise k is raised and the states
// are explored again. An infimum needs k to be as large as one value that is found.
#pragma once

#include "search/search.h"

namespace harrier::search {

using model::asks_for_values;

// Result::values, with Verdict::Computed. Throws model::EvalFailure, and Error(Unsupported) where a clock would need
// too large a bound.
Result run_extrema(const model::System& system, const model::Property& property, const Config& config);

}  // namespace harrier::search
