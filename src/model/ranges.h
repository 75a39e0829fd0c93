// Sound intervals: every value that an expression can have, in any state whose variables are within their
// domains, lies in `range_of` (evaluations that fail are not counted; if all fail, some interval is returned).
// A bound variable is taken to be written by its quantifier only. The result lies within 32 bits and is never empty.
#pragma once

#include <cstdint>

#include "model/system.h"

namespace harrier::model {

struct Interval {
  int64_t lo = 0;
  int64_t hi = 0;

  bool contains(int64_t value) const { return lo <= value && value <= hi; }
  bool operator==(const Interval&) const = default;
};

Interval range_of(const System& system, ExprId expr);

}  // namespace harrier::model
