// The states of the current walk, by their hashes: which of its steps came to them first.
#pragma once

#include <cstdint>
#include <optional>

#include "base/budget.h"
#include "base/counted_vector.h"
#include "base/number_table.h"

namespace harrier::search {

class Visited {
 public:
  explicit Visited(Budget& budget) : entries_(budget), table_(budget, kFirstSlots) {}

  void clear() {
    entries_.clear();
    table_.clear();
  }
  std::optional<uint64_t> find(uint64_t hash) const {
    const NumberTable::Slot slot = place(hash);
    return slot.number == NumberTable::kNone ? std::nullopt : std::optional(entries_[slot.number].step);
  }
  // Unless the state is known.
  void insert(uint64_t hash, uint64_t step) {
    NumberTable::Slot slot = place(hash);
    if (slot.number != NumberTable::kNone) return;
    slot = table_.with_room(slot, hash, [&](uint64_t i) { return entries_[i].hash; });
    entries_.push_back({hash, step});
    table_.put(slot, hash);
  }

 private:
  static constexpr uint64_t kFirstSlots = 64;

  struct Entry {
    uint64_t hash = 0;
    uint64_t step = 0;
  };
  NumberTable::Slot place(uint64_t hash) const {
    return table_.find(hash, [&](uint64_t i) { return entries_[i].hash == hash; });
  }

  CountedVector<Entry> entries_;
  NumberTable table_;
};

}  // namespace harrier::search
