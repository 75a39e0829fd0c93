// What the validator has to know about maximal paths on which a formula, the goal of the property, always holds. In the
// concrete semantics, by looking at every moment between which nothing can change.
#pragma once

#include <cstdint>
#include <optional>

#include "model/system.h"
#include "trace/concrete.h"
#include "trace/regions.h"

namespace harrier::trace {

class MaximalPaths {
 public:
  using State = ConcreteSemantics::State;

  MaximalPaths(const model::System& system, const model::Property& property, int64_t denominator);

  // The formula holds during the whole delay, its ends included. Without a delay: as long as time can pass.
  bool always(const State& state, std::optional<int64_t> delay);
  // Time can pass for ever.
  bool endless(const State& state);
  // No transition can be taken any more, and time is bounded or stands still.
  bool stuck(const State& state);
  bool equivalent(const State& a, const State& b) const {
    return regions_.key(a, denominator_) == regions_.key(b, denominator_);
  }

 private:
  const model::Property& property_;
  int64_t denominator_;
  ConcreteSemantics semantics_;
  ConcreteSemantics fine_;  // with half the unit, which reaches the space between two moments
  Regions regions_;
  bool tests_deadlock_;
};

}  // namespace harrier::trace
