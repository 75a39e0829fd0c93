// The effects of one ground operator: those that say nothing beside others are left out.
#pragma once

#include <compare>
#include <span>
#include <vector>

#include "lang/pddl/grounding_draft.h"

namespace harrier::pddl {

struct LooseEffect {
  LiteralWord literal = 0;  // that it makes true
  Literals conditions;      // tidy
  auto operator<=>(const LooseEffect&) const = default;
};

// Sorts them. An effect without condition says more than those with one; adding beats deleting.
void keep_strongest(std::vector<LooseEffect>& effects);

// For effects that only the strongest were kept of. What the preconditions, which are sorted, say is no condition; and
// what makes true what is true then, or can never happen, is no effect.
void keep_working(std::vector<LooseEffect>& effects, std::span<const LiteralWord> preconditions);

}  // namespace harrier::pddl
