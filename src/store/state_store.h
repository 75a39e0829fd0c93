// The set of packed discrete states: each distinct one is kept once and named by a number, counting from 0. They lie in
// a chunked arena and are found by content through a table of numbers; or in a tree (state_tree.h), which takes less
// memory and somewhat more time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/budget.h"
#include "base/chunked.h"
#include "base/hash.h"
#include "base/number_table.h"
#include "store/origin.h"
#include "store/state_tree.h"

namespace harrier::store {

class StateStore {
 public:
  // A state of one word cannot be compressed.
  StateStore(Budget& budget, uint32_t words_per_state, bool compress = false)
      : words_(words_per_state), states_(budget, words_per_state), table_(budget, kFirstSlots) {
    if (compress && words_ > 1) tree_ = std::make_unique<StateTree>(budget, words_);
  }

  Admission insert(const uint64_t* words) {
    if (tree_) return tree_->insert(words);
    const uint64_t hash = hash_words(words, words_);
    NumberTable::Slot slot = find(words, hash);
    if (slot.number != NumberTable::kNone) return {slot.number, false};
    slot = table_.with_room(slot, hash, [&](uint64_t id) { return hash_words(states_[id], words_); });
    std::copy(words, words + words_, states_.append());
    table_.put(slot, hash);
    return {states_.size() - 1, true};
  }
  bool contains(const uint64_t* words) const { return tree_ ? tree_->contains(words) : number_of(words) != kUnknown; }
  // The number of a state; kUnknown if it is not there. Not compressed.
  static constexpr uint64_t kUnknown = NumberTable::kNone;
  uint64_t number_of(const uint64_t* words) const { return find(words, hash_words(words, words_)).number; }

  // Compressed: until the next one is read.
  const uint64_t* operator[](uint64_t id) const { return tree_ ? (*tree_)[id] : states_[id]; }
  uint64_t size() const { return tree_ ? tree_->size() : states_.size(); }
  uint64_t bytes() const { return states_.bytes() + table_.bytes() + (tree_ ? tree_->bytes() : 0); }

 private:
  static constexpr uint64_t kFirstSlots = 1024;

  NumberTable::Slot find(const uint64_t* words, uint64_t hash) const {
    return table_.find(hash, [&](uint64_t id) { return std::equal(words, words + words_, states_[id]); });
  }

  uint32_t words_;
  ChunkedArray<uint64_t> states_;
  NumberTable table_;
  std::unique_ptr<StateTree> tree_;
};

}  // namespace harrier::store
