// The set of packed discrete states: each distinct one is kept once and named by a number, counting from 0.
//
// States lie in a chunked arena; an open-addressing table of 64-bit slots (40 bits of number, 24 bits of hash, so
// that most collisions are settled without touching the state) finds them by content.
#pragma once

#include <cstdint>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"

namespace harrier::store {

class StateStore {
 public:
  StateStore(Budget& budget, uint32_t words_per_state);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  struct Inserted {
    uint64_t id = 0;
    bool fresh = false;
  };
  Inserted insert(const uint64_t* words);
  bool contains(const uint64_t* words) const;

  const uint64_t* operator[](uint64_t id) const { return states_[id]; }
  uint64_t size() const { return states_.size(); }
  uint64_t bytes() const { return states_.bytes() + slots_.size() * sizeof(uint64_t); }

 private:
  static constexpr uint64_t kIdBits = 40;
  static constexpr uint64_t kIdMask = (uint64_t{1} << kIdBits) - 1;  // an all-ones number marks a free slot

  void rebuild(uint64_t slot_count);
  // The slot of a state, or the free one where it would go.
  uint64_t find(const uint64_t* words, uint64_t hash) const;

  Budget& budget_;
  uint32_t words_;
  ChunkedArray<uint64_t> states_;
  // Where the search for a state starts: the upper half of the hash, scaled to the size of the table, which therefore
  // can be any number and grow in small steps. The tag is made of other bits.
  uint64_t home(uint64_t hash) const { return (hash >> 32) * slots_.size() >> 32; }
  uint64_t next(uint64_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }
  static uint64_t tag_of(uint64_t hash) { return hash << kIdBits; }

  std::vector<uint64_t> slots_;
};

}  // namespace harrier::store
