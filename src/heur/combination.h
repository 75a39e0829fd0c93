// The largest or the sum of several heuristics.
#pragma once

#include <memory>
#include <vector>

#include "heur/heuristic.h"

namespace harrier::heur {

enum class Composition : uint8_t { Max, Sum };

// A dead end of one is a dead end. What one of them prefers is preferred.
class Combination : public Heuristic {
 public:
  Combination(Composition composition, std::vector<std::unique_ptr<Heuristic>> parts)
      : composition_(composition), parts_(std::move(parts)) {}

  uint32_t evaluate(const StateView& state) override;
  uint32_t memory_words() const override;
  uint32_t evaluate_after(const uint64_t* before, const StateView& state, uint64_t* memory) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t> edges) const override;
  uint64_t bytes() const override;

 private:
  template <class Evaluate>
  uint32_t combine(Evaluate&& evaluate);

  Composition composition_;
  std::vector<std::unique_ptr<Heuristic>> parts_;
};

}  // namespace harrier::heur
