// Which values each variable can ever have: a sound over-approximation, by letting values only accumulate.
//
// Starting from the initial values, the assignments of all edges are applied to the sets again and again until nothing
// is new. Guards are ignored, except comparisons of the assigned variable with a constant on the same edge, which
// is what keeps counters finite. A set that grows beyond `kMostValues` is given up: the variable is `wide` and
// may have any value of its domain.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "model/system.h"

namespace harrier::model {

struct ValueSet {
  static constexpr size_t kMostValues = 1024;

  bool wide = false;
  std::vector<int32_t> values;  // sorted; empty if wide
};

// One set a variable.
std::vector<ValueSet> reachable_values(const System& system, const Watch& watch = Watch::none());

}  // namespace harrier::model
