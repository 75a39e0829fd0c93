// The values of derived variables (System::axioms) by their definition, with no preparation and no cleverness. The
// searches use `step::Axioms`.
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"

namespace harrier::model {

// Gives the heads of all axioms the values that follow from those of the other variables.
void derive(const System& system, std::vector<int32_t>& values);

}  // namespace harrier::model
