// Zones in little memory: the off-diagonal bounds of a matrix as 16-bit numbers where they fit, else as 32-bit ones,
// in blocks that are recycled when a zone is dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/budget.h"
#include "zone/dbm.h"

namespace harrier::store {

using namespace zone;

// A stored zone, followed in memory by its bounds.
struct ZoneBlock {
  ZoneBlock* next = nullptr;  // in the list of its discrete state
  uint64_t node = 0;
  uint32_t dim = 0;
  bool wide = false;  // 32-bit bounds
};

// A zone prepared for comparisons with stored ones.
class ZonePattern {
 public:
  // `thresholds` as of dbm::alu_thresholds, or the zone itself for plain inclusion.
  void set_thresholds(const Bound* thresholds, uint32_t dim) { thresholds_.set(thresholds, dim); }
  void set_zone(const Bound* zone, uint32_t dim) { zone_.set(zone, dim); }

  // The zone is subsumed by the stored one: no stored bound is below its threshold.
  bool subsumed_by(const ZoneBlock& stored) const;
  // The zone includes the stored one.
  bool includes(const ZoneBlock& stored) const;
  // In one list, from where one or the other, or the zone itself, can be read again.
  void append_to(std::vector<Bound>& list) const;
  void read_thresholds(const Bound* from, uint32_t dim) { thresholds_.read(from, dim); }
  void read_zone(const Bound* from, uint32_t dim) { zone_.read(from + size_t{dim} * (dim - 1), dim); }
  static void read_zone(const Bound* from, uint32_t dim, Bound* zone);
  // The off-diagonal entries, row by row.
  std::span<const int32_t> thresholds() const { return {thresholds_.wide.data(), thresholds_.count}; }
  std::span<const int32_t> zone() const { return {zone_.wide.data(), zone_.count}; }

 private:
  friend class ZoneStore;

  // The off-diagonal entries of a matrix in both widths; the narrow ones are clamped.
  struct Entries {
    uint32_t count = 0;
    bool fits = false;  // no clamping was needed
    std::vector<int16_t> narrow;
    std::vector<int32_t> wide;
    void set(const Bound* matrix, uint32_t dim);
    void read(const Bound* entries, uint32_t dim);
  };
  Entries thresholds_;
  Entries zone_;
};

class ZoneStore {
 public:
  explicit ZoneStore(Budget& budget) : budget_(budget) {}
  ~ZoneStore();
  ZoneStore(const ZoneStore&) = delete;
  ZoneStore& operator=(const ZoneStore&) = delete;

  ZoneBlock* add(const ZonePattern& pattern, uint32_t dim);
  void remove(ZoneBlock* block);
  static void read(const ZoneBlock& block, Bound* zone);
  // Its off-diagonal entries, as those of a pattern.
  static void read_entries(const ZoneBlock& block, std::vector<int32_t>& entries);

  uint64_t size() const { return size_; }
  uint64_t bytes() const { return bytes_; }

 private:
  Budget& budget_;
  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  size_t chunk_used_ = 0;
  size_t chunk_size_ = 0;
  std::vector<ZoneBlock*> free_;  // by 2 * dim + wide
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace harrier::store
