// What the parts of a relaxed task (relaxed_task.h) share: facts are numbers.
#pragma once

#include <cstdint>
#include <vector>

namespace harrier::heur {

using Facts = std::vector<uint32_t>;

// A free rule: the fact follows as soon as all preconditions hold.
struct Implication {
  Facts preconditions;
  uint32_t fact = 0;
};

}  // namespace harrier::heur
