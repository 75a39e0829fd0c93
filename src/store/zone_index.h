// A list of zones of one discrete state that skips most of those that a comparison would rule out: for states with
// hundreds of zones and more.
//
// Every zone has a signature of 64 bits. Bit b tells whether one of its bounds, that of entry e_b of the matrix, is at
// least the pivot p_b. If no bound of zone A is above that of zone B, no bit of A is set that is not set in B: where
// one is, A is not inside B, and their bounds need not be looked at. The same is true of thresholds
// (dbm::alu_thresholds) instead of a zone's bounds. So nothing is decided by signatures but that two zones need no
// comparison, which is sound whatever the entries and pivots are.
//
// They are chosen by a sample of the zones in the list and of the thresholds that they were compared with lately: bit
// by bit those that separate the most pairs of these which no bit separates yet. When the list has grown to four times
// its size, they are chosen anew. The signatures lie side by side, so that a list of thousands of zones is gone through
// in a microsecond or two.
//
// Bloom (1970) and the superimposed codes that data bases have for "which sets contain this one" (Helmer and Moerkotte
// 2003 compare them) are the idea; here the elements of the sets are comparisons of bounds.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "base/counted_vector.h"
#include "store/zone_store.h"

namespace harrier::store {

class ZoneIndex {
 public:
  // A list that is longer than this is worth an index.
  static constexpr uint64_t kLong = 128;

  explicit ZoneIndex(Budget& budget) : signatures_(budget), blocks_(budget) {}

  // Takes over a list, the newest zone first. Its links are of no use afterwards.
  void take(ZoneBlock* newest);
  void add(ZoneBlock* block);

  // The newest zone that the thresholds of a pattern do not rule out and of which subsumes(block) is true; null: there
  // is none.
  template <class Subsumes>
  const ZoneBlock* newest_above(const ZonePattern& pattern, Subsumes&& subsumes) {
    if (2 * size() >= next_choice_) note(pattern.thresholds());
    return find_above(pattern, subsumes);
  }
  // The same without learning from it, for several threads at the same time.
  template <class Subsumes>
  const ZoneBlock* find_above(const ZonePattern& pattern, Subsumes&& subsumes) const {
    const uint64_t wanted = signature_of(pattern.thresholds());
    for (uint64_t end = signatures_.size(); end > 0;) {
      const uint64_t at = last_above(signatures_.data(), end, wanted);
      if (at == end) return nullptr;
      if (subsumes(*blocks_[at])) return blocks_[at];
      end = at;
    }
    return nullptr;
  }
  // Calls visit(block) for the zones that may be inside the pattern's, the newest first. They leave the list where it
  // returns true.
  template <class Visit>
  void take_out_below(const ZonePattern& pattern, Visit&& visit) {
    const uint64_t most = signature_of(pattern.zone());
    uint64_t gone = 0;
    for (uint64_t end = signatures_.size(); end > 0;) {
      const uint64_t at = last_below(signatures_.data(), end, most);
      if (at == end) break;
      if (visit(blocks_[at])) {
        blocks_[at] = nullptr;
        ++gone;
      }
      end = at;
    }
    if (gone != 0) close_gaps();
  }
  uint64_t size() const { return blocks_.size(); }

 private:
  struct Bit {
    uint32_t entry = 0;
    int32_t pivot = 0;
  };
  static constexpr uint32_t kBits = 64;
  static constexpr uint64_t kNoted = 32;  // thresholds, of every fourth comparison

  // The place of the last signature before `end` that has all bits of `wanted`, or that has none besides `most`; `end`
  // if there is none.
  static uint64_t last_above(const uint64_t* signatures, uint64_t end, uint64_t wanted);
  static uint64_t last_below(const uint64_t* signatures, uint64_t end, uint64_t most);

  uint64_t signature_of(std::span<const int32_t> bounds) const;
  uint64_t signature_of(const ZoneBlock& block);
  void note(std::span<const int32_t> thresholds);
  void close_gaps();
  void choose_bits();

  std::vector<Bit> bits_;
  CountedVector<uint64_t> signatures_;  // the oldest zone first
  CountedVector<ZoneBlock*> blocks_;
  uint64_t next_choice_ = kLong;  // the size at which bits are chosen anew
  std::vector<std::vector<int32_t>> noted_;
  uint64_t comparisons_ = 0;
  std::vector<int32_t> scratch_;
};

}  // namespace harrier::store
