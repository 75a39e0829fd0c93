// Sound intervals: every value that an expression can have, in any state whose variables are within their
// domains, lies in `range_of` (evaluations that fail are not counted).
#pragma once

#include <cstdint>

#include "model/system.h"

namespace harrier::model {

struct Interval {
  int64_t lo = 0;
  int64_t hi = 0;
};

Interval range_of(const System& system, ExprId expr);

}  // namespace harrier::model
