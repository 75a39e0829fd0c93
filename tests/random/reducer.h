// Makes a model that shows a problem smaller, as long as the problem stays (delta debugging on the syntax tree).
#pragma once

#include <functional>

#include "random/ta_model.h"

namespace harrier::testing_support {

TaModel reduce(TaModel model, const std::function<bool(const TaModel&)>& still_fails);

}  // namespace harrier::testing_support
