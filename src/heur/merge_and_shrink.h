// The heuristic that looks distances up in a merge-and-shrink abstraction (abstraction/merge_and_shrink.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "abstraction/merge_and_shrink.h"
#include "base/watch.h"
#include "harrier/abstraction.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class MergeAndShrinkHeuristic : public Heuristic {
 public:
  MergeAndShrinkHeuristic(std::shared_ptr<const abstraction::Factors> factors, const AbstractionOptions& options,
                          const Watch& watch = Watch::none())
      : distances_(std::move(factors), options, watch) {}

  const abstraction::MergeAndShrink& distances() const { return distances_; }

  uint32_t evaluate(const StateView& state) override { return distances_.look_up(state.values); }
  // Labels are one by the time of a look-up: which edges they stand for is not known.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  abstraction::MergeAndShrink distances_;
};

static_assert(kDeadEnd == abstraction::kInfinity);

}  // namespace harrier::heur
