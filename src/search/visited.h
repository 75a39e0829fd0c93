// The states of the current walk, by their hashes: which of its steps came to them first.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"

namespace harrier::search {

class Visited {
 public:
  explicit Visited(Budget& budget) : budget_(budget) { grow(kFirstSlots); }
  ~Visited() { budget_.give_back(slots_.size() * sizeof(Slot)); }
  Visited(const Visited&) = delete;
  Visited& operator=(const Visited&) = delete;

  // Forgets everything, at once.
  void clear() {
    ++epoch_;
    size_ = 0;
  }
  std::optional<uint64_t> find(uint64_t hash) const {
    const Slot& slot = slots_[place(hash)];
    return slot.epoch == epoch_ ? std::optional(slot.step) : std::nullopt;
  }
  // Unless the state is known.
  void insert(uint64_t hash, uint64_t step) {
    if (2 * (size_ + 1) > slots_.size()) grow(2 * slots_.size());
    Slot& slot = slots_[place(hash)];
    if (slot.epoch == epoch_) return;
    slot = {hash, step, epoch_};
    ++size_;
  }

 private:
  static constexpr size_t kFirstSlots = 1024;  // a power of two

  struct Slot {
    uint64_t hash = 0;
    uint64_t step = 0;
    uint64_t epoch = 0;  // of the walk that put it there
  };

  size_t place(uint64_t hash) const {
    size_t at = hash & (slots_.size() - 1);
    while (slots_[at].epoch == epoch_ && slots_[at].hash != hash) at = (at + 1) & (slots_.size() - 1);
    return at;
  }
  void grow(size_t count) {
    budget_.take((count - slots_.size()) * sizeof(Slot));
    std::vector<Slot> old(count);
    old.swap(slots_);
    for (const Slot& slot : old) {
      if (slot.epoch == epoch_) slots_[place(slot.hash)] = slot;
    }
  }

  Budget& budget_;
  std::vector<Slot> slots_;
  size_t size_ = 0;
  uint64_t epoch_ = 1;
};

}  // namespace harrier::search
