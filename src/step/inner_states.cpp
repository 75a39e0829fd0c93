#include "step/inner_states.h"

#include <algorithm>

#include "base/hash.h"

namespace harrier::step {

InnerStates::Inserted InnerStates::insert(const uint64_t* words, uint32_t from, std::span<const uint32_t> edges) {
  const uint64_t hash = hash_words(words, words_);
  NumberTable::Slot slot =
      table_.find(hash, [&](uint64_t state) { return std::equal(words, words + words_, states_[state]); });
  if (slot.number != NumberTable::kNone) return Inserted::Known;
  if (size() == kMost) return Inserted::Full;
  slot = table_.with_room(slot, hash, [&](uint64_t state) { return hash_words(states_[state], words_); });
  std::copy(words, words + words_, states_.append());
  table_.put(slot, hash);
  arrivals_.push_back({from, depth(from) + 1, static_cast<uint32_t>(edges_.size())});
  edges_.insert(edges_.end(), edges.begin(), edges.end());
  return Inserted::Fresh;
}

void InnerStates::clear() {
  if (size() == 0) return;
  table_.clear();
  states_.clear();
  arrivals_.clear();
  edges_.clear();
}

}  // namespace harrier::step
