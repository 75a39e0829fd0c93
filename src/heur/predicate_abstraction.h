// Distances in predicate abstractions: abstraction/predicate_abstraction.h, as a heuristic.
#pragma once

#include <cstdint>
#include <vector>

#include "abstraction/predicates/predicate_abstraction.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class PredicateAbstractionHeuristic : public Heuristic {
 public:
  PredicateAbstractionHeuristic(const model::System& system, const std::vector<model::Clause>& goal, Clocks clocks,
                                const AbstractionOptions& options, const Watch& watch)
      : abstraction_(system, goal, clocks == Clocks::Use, options, watch) {}

  uint32_t evaluate(const StateView& state) override { return abstraction_.value(state.values, state.zone); }
  // What is looked up was built with all edges, and so is never more than without some.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

  AbstractionReport report() const { return abstraction_.report(); }

 private:
  abstraction::PredicateAbstraction abstraction_;
};

}  // namespace harrier::heur
