// Shrinking: which states of a factor become one. Any choice is sound; the strategies differ in what they preserve.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "abstraction/allowance.h"
#include "abstraction/merging/transition_system.h"

namespace harrier::abstraction {

struct ShrinkStrategy {
  const char* name;
  const char* summary;
  const char* citation;
  bool always;  // also where all states fit: nothing is lost then
  // At most `most` states (at least 1) are left. The factor must be measured, and without dead or unreachable states.
  TransitionSystem::Mapping (*shrink)(const TransitionSystem& system, uint32_t most, Allowance& allowance);
};

std::span<const ShrinkStrategy> shrink_strategies();
// Throws Error(Usage) if there is none of this name.
const ShrinkStrategy& shrink_strategy(std::string_view name);

// The coarsest bisimulation, or a coarser partition if that has too many classes: then states near the goal are
// told apart first (Nissim, Hoffmann and Helmert 2011). States of different distances are told apart as long as there
// is room for that.
TransitionSystem::Mapping bisimulation(const TransitionSystem& system, uint32_t most, Allowance& allowance);

}  // namespace harrier::abstraction
