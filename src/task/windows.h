// For variables with too many values for a fact each: the part of their values that the model speaks of.
//
// Variables that are compared with or assigned to each other share the constants that occur there; a window is the
// interval of these constants, one more at each end. The relaxation keeps the values inside apart, and takes all values
// beyond an end for one. Which window is chosen matters for precision only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "model/system.h"

namespace harrier::task {

struct Window {
  int32_t lo = 0;  // stands for all values that are not larger
  int32_t hi = 0;  // stands for all values that are not smaller
};

// By variable; none where it would have more than `most_values` values.
std::vector<std::optional<Window>> windows(const model::System& system, const std::vector<model::Clause>& goal,
                                           size_t most_values);

}  // namespace harrier::task
