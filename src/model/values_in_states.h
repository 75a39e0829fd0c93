// The values that may be in a state: those of model/value_sets.h, where that has to be true of all that is in it.
// System::control, which no edge writes, may have any value of its domain.
#pragma once

#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::model {

inline std::vector<ValueSet> values_in_states(const System& system, const Watch& watch = Watch::none()) {
  std::vector<ValueSet> out = reachable_values(system, watch);
  if (system.control.valid()) out[system.control.value] = {true, {}};
  return out;
}

}  // namespace harrier::model
