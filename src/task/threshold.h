// A condition on one variable with a constant, as in `n >= 1000`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>

#include "model/system.h"

namespace harrier::task {

struct Threshold {
  enum class Relation : uint8_t { AtMost, AtLeast, Equal, Different };

  uint32_t variable = 0;
  Relation relation = Relation::AtMost;
  int64_t bound = 0;

  bool holds(int64_t value) const;
  auto operator<=>(const Threshold&) const = default;
};

// A condition that is equivalent to a threshold of one variable, or implies it; none if it is not of that form.
std::optional<Threshold> threshold_of(const model::System& system, model::ExprId condition);

}  // namespace harrier::task
