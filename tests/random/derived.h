// Derived variables for a random model that was written without them: no language of it has any.
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"

namespace harrier::testing_support {

// Adds some, and conditions on them in guards, invariants and goals.
void add_derived(model::System& system, std::vector<model::Property>& properties, uint64_t seed);

}  // namespace harrier::testing_support
