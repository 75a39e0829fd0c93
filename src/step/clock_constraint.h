// A clock constraint with its bound and condition compiled, and what it says in a state.
//
// A range violation in the condition or the bound makes a guard or an invariant false: the constraint then asks for
// what no zone has, so that nobody who cuts zones with it, or takes it away from them, has to know. In a query it is a
// run-time error.
#pragma once

#include <cstdint>
#include <optional>

#include "step/machine.h"
#include "zone/dbm.h"
#include "zone/federation.h"

namespace harrier::step {

using namespace zone;

struct CompiledConstraint {
  uint32_t left = 0;
  uint32_t right = 0;
  bool strict = false;
  bool constant = true;  // `bound` is the bound; otherwise `bound_code` computes it
  int32_t bound = 0;
  Code bound_code;
  Code condition;
  SourceRef at;
};

// 0 - 0 < 0.
inline constexpr Atom kImpossible{0, 0, kZeroLt};

inline Atom atom_of(const CompiledConstraint& c, int32_t bound) {
  if (bound > kLargestConstant || bound < -kLargestConstant) throw model::EvalFailure{model::Fault::Overflow, c.at};
  return {c.left, c.right, make_bound(bound, c.strict)};
}

// What a guard or an invariant asks for, over the clocks of the model; nothing if the condition does not hold.
inline std::optional<Atom> demand(Machine& machine, const CompiledConstraint& c, const int32_t* values) {
  if (!c.condition.empty()) {
    const auto holds = machine.value_in_range(c.condition, values);
    if (!holds) return kImpossible;
    if (*holds == 0) return std::nullopt;
  }
  if (c.constant) return Atom{c.left, c.right, make_bound(c.bound, c.strict)};
  const auto bound = machine.value_in_range(c.bound_code, values);
  return bound ? atom_of(c, *bound) : kImpossible;
}

// The same for a query.
inline std::optional<Atom> demand_of_query(Machine& machine, const CompiledConstraint& c, const int32_t* values) {
  if (!machine.holds_or_fails(c.condition, values)) return std::nullopt;
  return atom_of(c, c.constant ? c.bound : machine.value(c.bound_code, values));
}

}  // namespace harrier::step
