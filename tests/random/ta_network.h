// The meaning of the tester's models, straight from their syntax tree: instances, values, guards, updates.
#pragma once

#include <memory>

#include "random/network.h"
#include "random/ta_model.h"

namespace harrier::testing_support {

// The model must outlive the network.
std::unique_ptr<Network> make_network(const TaModel& model);

}  // namespace harrier::testing_support
