// The states inside one long step: a set of packed states that is filled during the expansion of a stored state and
// emptied before the next one. Each remembers how it was reached, so that the steps to it can be told.
//
//     inner.clear();
//     inner.insert(words, InnerStates::kOutside, edges);   // reached from the stored state
//     inner.insert(words, 0, edges);                       // from the first state of the set
//     inner.depth(1)                                       // 2
//
// It is small, mostly very small: the table starts with a few slots.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "base/number_table.h"

namespace harrier::step {

class InnerStates {
 public:
  static constexpr uint32_t kOutside = UINT32_MAX;
  static constexpr uint32_t kMost = 4096;
  static constexpr uint32_t kNoLabel = UINT32_MAX;

  InnerStates(Budget& budget, uint32_t words_per_state)
      : words_(words_per_state), states_(budget, words_per_state), table_(budget, kFewSlots) {}

  enum class Inserted : uint8_t { Fresh, Known, Full };
  // Full: it is not known, and there is no room for it.
  Inserted insert(const uint64_t* words, uint32_t from, std::span<const uint32_t> edges);
  void clear();

  uint32_t size() const { return static_cast<uint32_t>(arrivals_.size()); }
  const uint64_t* operator[](uint32_t state) const { return states_[state]; }
  // The number of steps from the outside.
  uint32_t depth(uint32_t state) const { return state == kOutside ? 0 : arrivals_[state].depth; }
  // What the steps to a state are called: `of(edges)` names a step, and `then(first, second)` what comes before it and
  // the step together. It is asked once for each state. Outside, there is kNoLabel.
  template <class Of, class Then>
  uint32_t label(uint32_t state, const Of& of, const Then& then) {
    if (state == kOutside) return kNoLabel;
    Arrival& a = arrivals_[state];
    if (a.label == kNoLabel) {
      const size_t end = state + 1 < size() ? arrivals_[state + 1].first_edge : edges_.size();
      const uint32_t before = label(a.from, of, then);
      a.label = then(before, of(std::span<const uint32_t>(edges_).subspan(a.first_edge, end - a.first_edge)));
    }
    return a.label;
  }

 private:
  struct Arrival {
    uint32_t from = kOutside;
    uint32_t depth = 0;
    uint32_t first_edge = 0;  // in edges_, up to that of the next state
    uint32_t label = kNoLabel;
  };
  static constexpr uint64_t kFewSlots = 32;

  uint32_t words_;
  ChunkedArray<uint64_t> states_;
  std::vector<Arrival> arrivals_;
  std::vector<uint32_t> edges_;
  NumberTable table_;
};

}  // namespace harrier::step
