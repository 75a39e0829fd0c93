// A table of numbers (base/number_table.h) in parts that threads can write at the same time, one thread a part. Reading
// needs that nobody writes.
//
// The upper bits of a hash tell the part, so that whoever owns some parts owns everything with such hashes. A slot is
// one word, as in the tables in one part: 40 bits of number and 24 bits of hash. A part grows by itself, so that little
// is in memory twice meanwhile.
//
//     table.make_room(part, more, [&](uint64_t n) { return hash_of(things[n]); }, …);        // by the owner of the
//     part const PartedTable::Place place = table.find(hash, [&](uint64_t n) { return equal(words, things[n]); }); if
//     (place.number == PartedTable::kNone) table.set(hash, place.at, number);
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "base/budget.h"

namespace harrier::store {

class PartedTable {
 public:
  static constexpr uint32_t kParts = 256;
  static constexpr uint64_t kNumberBits = 40;
  static constexpr uint64_t kNone = (uint64_t{1} << kNumberBits) - 1;

  explicit PartedTable(Budget& budget) : budget_(budget) {
    for (Part& part : parts_) part = slots(kFirstSlots);
  }
  ~PartedTable() {
    for (const Part& part : parts_) budget_.give_back(part.capacity * sizeof(uint64_t));
  }
  PartedTable(const PartedTable&) = delete;
  PartedTable& operator=(const PartedTable&) = delete;

  static uint32_t part_of(uint64_t hash) { return static_cast<uint32_t>(hash >> kPartShift); }

  struct Place {
    uint32_t at = 0;  // in its part
    uint64_t number = kNone;
  };
  // Where the thing with this hash is of which `is_it` is true, or the free place where it would go.
  template <class IsIt>
  Place find(uint64_t hash, IsIt&& is_it) const {
    const Part& part = parts_[part_of(hash)];
    const uint64_t tag = tag_of(hash);
    uint32_t at = home(hash, part);
    for (;;) {
      const uint64_t slot = part.slots[at];
      if (slot == kFree) return {at, kNone};
      if ((slot & ~kNone) == tag && is_it(slot & kNone)) return {at, slot & kNone};
      at = at + 1 == part.capacity ? 0 : at + 1;
    }
  }
  // Takes the place for the number; `fresh`: the place was free.
  void set(uint64_t hash, uint32_t at, uint64_t number) { parts_[part_of(hash)].slots[at] = tag_of(hash) | number; }
  void add(uint64_t hash, uint32_t at, uint64_t number) {
    set(hash, at, number);
    ++parts_[part_of(hash)].size;
  }
  // So that find does not wait for the memory soon.
  void fetch(uint64_t hash) const {
    const Part& part = parts_[part_of(hash)];
    __builtin_prefetch(part.slots.get() + home(hash, part));
  }

  // Room for so many more in a part. `hash_of` is asked for the hashes of what is there, in no order; `fetch` is told
  // of what it will be asked for soon.
  template <class HashOf, class Fetch>
  void make_room(uint32_t number_of_part, uint64_t more, HashOf&& hash_of, Fetch&& fetch) {
    Part& part = parts_[number_of_part];
    if ((part.size + more) * 5 <= uint64_t{part.capacity} * 4) return;
    const uint64_t wanted = std::max(part.capacity + part.capacity / 2, (part.size + more) * 3 / 2);
    Part grown = slots(wanted);
    for (uint64_t i = 0; i < part.capacity; ++i) {
      const uint64_t ahead = i + kAhead < part.capacity ? part.slots[i + kAhead] : kFree;
      if (ahead != kFree) fetch(ahead & kNone);
      if (part.slots[i] == kFree) continue;
      uint64_t at = home(hash_of(part.slots[i] & kNone), grown);
      while (grown.slots[at] != kFree) at = at + 1 == grown.capacity ? 0 : at + 1;
      grown.slots[at] = part.slots[i];
    }
    grown.size = part.size;
    budget_.give_back(part.capacity * sizeof(uint64_t));
    part = std::move(grown);
  }

 private:
  static constexpr uint64_t kFree = ~uint64_t{0};
  static constexpr uint32_t kPartShift = 56;
  static constexpr uint64_t kFirstSlots = 16;
  static constexpr uint64_t kAhead = 8;

  struct Part {
    std::unique_ptr<uint64_t[]> slots;
    uint64_t capacity = 0;
    uint64_t size = 0;
  };

  Part slots(uint64_t count) {
    budget_.take(count * sizeof(uint64_t));
    Part part{std::make_unique_for_overwrite<uint64_t[]>(count), count, 0};
    std::fill_n(part.slots.get(), count, kFree);
    return part;
  }
  // The part, the place in it and the tag are made of different bits.
  static uint32_t home(uint64_t hash, const Part& part) {
    return static_cast<uint32_t>((hash >> (64 - kNumberBits) & UINT32_MAX) * part.capacity >> 32);
  }
  static uint64_t tag_of(uint64_t hash) { return hash << kNumberBits; }

  Budget& budget_;
  std::array<Part, kParts> parts_;
};

}  // namespace harrier::store
