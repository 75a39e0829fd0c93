// A `model::System` for the reference explorer, by way of the reference interpreter.
#pragma once

#include <memory>
#include <vector>

#include "model/system.h"
#include "random/network.h"

namespace harrier::testing_support {

// System and properties must outlive the network.
std::unique_ptr<Network> make_network(const model::System& system, const std::vector<model::Property>& properties);

}  // namespace harrier::testing_support
