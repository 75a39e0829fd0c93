// The compiled evaluator against the reference interpreter, on random values of the variables.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/system.h"

namespace harrier::testing_support {

// What differs, if anything.
std::optional<std::string> compare_evaluators(const model::System& system, uint64_t seed);

}  // namespace harrier::testing_support
