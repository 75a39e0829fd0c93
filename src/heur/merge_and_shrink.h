// The heuristic that looks distances up in a merge-and-shrink abstraction (abstraction/merge_and_shrink.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>

#include "abstraction/merging/merge_and_shrink.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class MergeAndShrinkHeuristic : public Heuristic {
 public:
  explicit MergeAndShrinkHeuristic(std::shared_ptr<const abstraction::MergeAndShrink> distances)
      : distances_(std::move(distances)) {}

  uint32_t evaluate(const StateView& state) override { return distances_->look_up(state.values); }
  // Labels are one by the time of a look-up: which edges they stand for is not known.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  std::shared_ptr<const abstraction::MergeAndShrink> distances_;
};

static_assert(kDeadEnd == abstraction::kInfinity);

}  // namespace harrier::heur
