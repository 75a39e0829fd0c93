#include "heur/combination.h"

#include <algorithm>

namespace harrier::heur {

// All are asked, also behind a dead end: they remember what they prefer.
template <class Evaluate>
uint32_t Combination::combine(Evaluate&& evaluate) {
  uint64_t all = 0;
  bool dead_end = false;
  for (const auto& part : parts_) {
    const uint32_t one = evaluate(*part);
    dead_end = dead_end || one == kDeadEnd;
    all = composition_ == Composition::Sum ? all + one : std::max<uint64_t>(all, one);
  }
  return dead_end ? kDeadEnd : static_cast<uint32_t>(std::min<uint64_t>(all, kDeadEnd - 1));
}

uint32_t Combination::evaluate(const StateView& state) {
  return combine([&](Heuristic& part) { return part.evaluate(state); });
}

uint32_t Combination::memory_words() const {
  uint32_t words = 0;
  for (const auto& part : parts_) words += part->memory_words();
  return words;
}

uint64_t Combination::bytes() const {
  uint64_t sum = 0;
  for (const auto& part : parts_) sum += part->bytes();
  return sum;
}

// Each has its share of the memory.
uint32_t Combination::evaluate_after(const uint64_t* before, const StateView& state, uint64_t* memory) {
  uint32_t at = 0;
  return combine([&](Heuristic& part) {
    const uint32_t own = at;
    at += part.memory_words();
    return part.evaluate_after(before == nullptr ? nullptr : before + own, state, memory + own);
  });
}

// A part above the limit is enough for the whole to be.
uint32_t Combination::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  return combine([&](Heuristic& part) { return part.evaluate_without(state, edges, limit); });
}

bool Combination::prefers(std::span<const uint32_t> edges) const {
  return std::any_of(parts_.begin(), parts_.end(), [&](const auto& part) { return part->prefers(edges); });
}

}  // namespace harrier::heur
