// A model of SMV from its text: parse, flatten, lower.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/system.h"

namespace harrier::smv {

struct Loaded {
  std::shared_ptr<model::System> system;
  std::vector<model::Property> properties;
};

// Errors go to the diagnostics; then only the system's sources mean something.
Loaded load(std::string text, const std::string& name, const std::string& main, Diagnostics& diagnostics);

}  // namespace harrier::smv
