#include "step/inner_states.h"

#include <algorithm>

#include "base/hash.h"

namespace harrier::step {

uint32_t InnerStates::find(const uint64_t* words) const {
  const auto mask = static_cast<uint32_t>(slots_.size() - 1);
  uint32_t at = static_cast<uint32_t>(hash_words(words, words_)) & mask;
  while (slots_[at] != kFree && !std::equal(words, words + words_, states_[slots_[at]])) at = (at + 1) & mask;
  return at;
}

void InnerStates::grow() {
  slots_.assign(slots_.size() * 2, kFree);
  for (uint32_t i = 0; i < size(); ++i) slots_[find(states_[i])] = i;
}

InnerStates::Inserted InnerStates::insert(const uint64_t* words, uint32_t from, std::span<const uint32_t> edges) {
  uint32_t at = find(words);
  if (slots_[at] != kFree) return Inserted::Known;
  if (size() == kMost) return Inserted::Full;
  if ((size() + 1) * 2 > slots_.size()) {
    grow();
    at = find(words);
  }
  std::copy(words, words + words_, states_.append());
  slots_[at] = size();
  arrivals_.push_back({from, depth(from) + 1, static_cast<uint32_t>(edges_.size())});
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  return Inserted::Fresh;
}

void InnerStates::clear() {
  if (size() == 0) return;
  slots_.assign(kFewSlots, kFree);
  states_.clear();
  arrivals_.clear();
  edges_.clear();
}

std::vector<std::span<const uint32_t>> InnerStates::steps_to(uint32_t state) const {
  std::vector<std::span<const uint32_t>> out;
  for (; state != kOutside; state = arrivals_[state].from) {
    const uint32_t first = arrivals_[state].first_edge;
    const size_t end = state + 1 < size() ? arrivals_[state + 1].first_edge : edges_.size();
    out.push_back(std::span(edges_).subspan(first, end - first));
  }
  std::reverse(out.begin(), out.end());
  return out;
}

}  // namespace harrier::step
