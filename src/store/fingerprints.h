// A set of states that keeps 64 bits of each: a hash, in place of the state (Wolper and Leroy 1993, "hash compaction";
// Stern and Dill 1995). Two states with the same hash are taken for one, so that a search that asks it proves nothing;
// but that happens to one pair in 2^64.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "base/counted_vector.h"

namespace harrier::store {

class Fingerprints {
 public:
  explicit Fingerprints(Budget& budget) : budget_(budget), slots_(budget) { slots_.assign(kFirstSlots, kFree); }

  // False: it is taken for known.
  bool add(uint64_t hash) {
    hash = print_of(hash);
    uint64_t at = slot_of(hash);
    if (slots_[at] == hash) return false;
    if ((size_ + 1) * 5 > slots_.size() * 4) {
      grow();
      at = slot_of(hash);
    }
    slots_[at] = hash;
    ++size_;
    return true;
  }
  bool has(uint64_t hash) const { return slots_[slot_of(print_of(hash))] == print_of(hash); }

  uint64_t size() const { return size_; }  // states that were not taken for known
  // How many states were taken for known though they were not, as is to be expected: each pair is with probability
  // 2^-64.
  double omitted() const { return static_cast<double>(size_) * static_cast<double>(size_) * 0x1p-65; }

 private:
  static constexpr uint64_t kFree = 0;
  static constexpr uint64_t kFirstSlots = 1024;
  static constexpr uint64_t kBetweenPolls = 1 << 16;

  static uint64_t print_of(uint64_t hash) { return hash == kFree ? 1 : hash; }
  // Where it is, or would be: the slots are in the order of the prints, but for those that had to give way.
  uint64_t slot_of(uint64_t print) const {
    auto at = static_cast<uint64_t>(static_cast<unsigned __int128>(print) * slots_.size() >> 64);
    while (slots_[at] != kFree && slots_[at] != print) at = at + 1 == slots_.size() ? 0 : at + 1;
    return at;
  }
  void grow() {
    CountedVector<uint64_t> prints(budget_);
    prints.assign(size_, kFree);
    for (uint64_t i = 0, next = 0; i < slots_.size(); ++i) {
      if (i % kBetweenPolls == 0) budget_.poll();
      if (slots_[i] != kFree) prints[next++] = slots_[i];
    }
    slots_.assign(slots_.size() + slots_.size() / 2, kFree);
    for (uint64_t i = 0; i < size_; ++i) slots_[slot_of(prints[i])] = prints[i];
  }

  Budget& budget_;
  CountedVector<uint64_t> slots_;
  uint64_t size_ = 0;
};

}  // namespace harrier::store
