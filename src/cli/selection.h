// `--select`: which properties of a model are meant.
#pragma once

#include <string>
#include <vector>

#include "harrier/harrier.h"

namespace harrier::cli {

// Numbers of properties from 0, in the order of the model; all if nothing is selected. Each text is a list of numbers
// from 1, ranges N-M, and names, separated by commas; or one name. Throws Error(Usage) for what there is not.
std::vector<size_t> selected_properties(const Model& model, const std::vector<std::string>& texts);

}  // namespace harrier::cli
