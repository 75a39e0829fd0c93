// Earliest solutions of difference constraints between moments, with strict bounds.
//
// Moments T_0 = 0 <= T_1 <= … are numbered; each constraint is T_u - T_v <= w or < w. The least solution is found by
// longest paths with weights (integer, number of epsilons): a strict bound costs one epsilon. Epsilons become
// 1/denominator with a denominator larger than any number of them, which satisfies every strict bound.
//
//     EarliestTimes times(3);
//     times.at_most(1, 2, -5, true);          // T_1 - T_2 < -5, that is T_2 > T_1 + 5
//     auto solution = times.solve();          // nothing if there is none
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/watch.h"

namespace harrier::trace {

class EarliestTimes {
 public:
  // `count` moments, in order.
  explicit EarliestTimes(size_t count);

  // T_u - T_v <= bound, or < bound.
  void at_most(size_t u, size_t v, int64_t bound, bool strict);

  struct Solution {
    int64_t denominator = 1;
    std::vector<int64_t> times;  // in units of 1/denominator
  };
  std::optional<Solution> solve(const Watch& watch = Watch::none()) const;

 private:
  struct Arc {
    size_t from;  // T_to >= T_from + weight (+ epsilon)
    int64_t weight;
    bool strict;
  };

  std::vector<std::vector<Arc>> into_;  // arcs by their end
  bool contradiction_ = false;
};

}  // namespace harrier::trace
