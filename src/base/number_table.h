// The open-addressing table of the tool: finds things that lie elsewhere by their hash, and names them by a number.
//
//     const uint64_t hash = hash_words(words, n);
//     const auto slot = table.find(hash, [&](uint64_t i) { return equal(words, things[i]); });
//     if (slot.number != NumberTable::kNone) …                                         // it is known
//     const auto free = table.with_room(slot, hash, [&](uint64_t i) { return hash_of(things[i]); });
//     things.push_back(…);
//     table.put(free, hash);                                                           // under the next number
//
// A slot is one word: 40 bits of number and 24 bits of hash, so that most collisions are settled without a look at the
// thing itself. The hash has to be good in every bit.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "base/counted_vector.h"

namespace harrier {

class NumberTable {
 public:
  static constexpr uint64_t kNumberBits = 40;
  static constexpr uint64_t kNone = (uint64_t{1} << kNumberBits) - 1;

  NumberTable(Budget& budget, uint64_t first_slots) : first_slots_(first_slots), budget_(budget), slots_(budget) {
    clear();
  }

  struct Slot {
    uint64_t at = 0;
    uint64_t number = kNone;
  };
  // The slot of the thing with this hash of which `is_it` is true, or the free one where it would go.
  template <class IsIt>
  Slot find(uint64_t hash, IsIt&& is_it) const {
    const uint64_t tag = tag_of(hash);
    uint64_t at = home(hash);
    for (; slots_[at] != kFree; at = next(at)) {
      if ((slots_[at] & ~kNone) == tag && is_it(slots_[at] & kNone)) return {at, slots_[at] & kNone};
    }
    return {at, kNone};
  }
  // Makes sure that there is room for one more, and tells the free slot of this hash then. `hash_of` is asked for the
  // hashes of what is in the table already.
  template <class HashOf>
  Slot with_room(const Slot& slot, uint64_t hash, HashOf&& hash_of) {
    if ((size_ + 1) * 5 <= slots_.size() * 4) return slot;
    grow(hash_of);
    return {free_slot(hash), kNone};
  }
  // Numbers count from 0.
  void put(const Slot& slot, uint64_t hash) { slots_[slot.at] = tag_of(hash) | size_++; }
  void clear() {
    slots_.assign(first_slots_, kFree);
    size_ = 0;
  }
  uint64_t bytes() const { return slots_.bytes(); }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};

  // Where the search for a thing starts: the upper half of the hash, scaled to the size of the table, which therefore
  // can be any number and grow in small steps. The tag is made of other bits.
  uint64_t home(uint64_t hash) const { return (hash >> 32) * slots_.size() >> 32; }
  uint64_t next(uint64_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  static uint64_t tag_of(uint64_t hash) { return hash << kNumberBits; }
  uint64_t free_slot(uint64_t hash) const {
    uint64_t at = home(hash);
    while (slots_[at] != kFree) at = next(at);
    return at;
  }
  // The old slots are not needed to make the new ones, so that both are never in memory together. With many, that takes
  // seconds: a limit of the run may end it, and with it the use of the table.
  template <class HashOf>
  void grow(HashOf&& hash_of) {
    slots_.assign(slots_.size() + slots_.size() / 2, kFree);
    for (uint64_t number = 0; number < size_; ++number) {
      if (number % kBetweenPolls == 0) budget_.watch().poll();
      const uint64_t hash = hash_of(number);
      slots_[free_slot(hash)] = tag_of(hash) | number;
    }
  }

  static constexpr uint64_t kBetweenPolls = 1 << 16;

  uint64_t first_slots_;
  Budget& budget_;
  uint64_t size_ = 0;
  CountedVector<uint64_t> slots_;
};

}  // namespace harrier
