#include "store/zone_store.h"

#include <algorithm>
#include <new>

#include "base/vector.h"

namespace harrier::store {

namespace {

constexpr int16_t kNarrowInfinity = INT16_MAX;
constexpr size_t kFirstChunk = size_t{1} << 16;
constexpr size_t kLargestChunk = size_t{1} << 20;

template <class T>
T* bounds_of(ZoneBlock& block) {
  return reinterpret_cast<T*>(&block + 1);
}
template <class T>
const T* bounds_of(const ZoneBlock& block) {
  return reinterpret_cast<const T*>(&block + 1);
}

size_t block_bytes(uint32_t dim, bool wide) {
  const size_t entries = size_t{dim} * (dim - 1);
  const size_t bytes = sizeof(ZoneBlock) + entries * (wide ? sizeof(int32_t) : sizeof(int16_t));
  return (bytes + 7) / 8 * 8;
}

template <class T>
inline __attribute__((always_inline)) bool all_at_least(const T* __restrict a, const T* __restrict b, uint32_t count) {
  uint32_t i = 0;
  for (; i + 32 <= count; i += 32) {
    T smaller = 0;
    for (uint32_t k = 0; k < 32; ++k) smaller = static_cast<T>(smaller | (a[i + k] < b[i + k] ? -1 : 0));
    if (smaller) return false;
  }
  T smaller = 0;
  for (; i < count; ++i) smaller = static_cast<T>(smaller | (a[i] < b[i] ? -1 : 0));
  return !smaller;
}

// Clamps bounds to 16 bits; infinity becomes the narrow infinity. True if that lost nothing.
HARRIER_VECTOR
bool narrow_from(const int32_t* __restrict wide, int16_t* __restrict narrow, uint32_t count) {
  int32_t lost = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const int32_t b = wide[i];
    const int32_t low = b < INT16_MIN ? INT16_MIN : b;
    const int32_t clamped = low > kNarrowInfinity ? kNarrowInfinity : low;
    narrow[i] = static_cast<int16_t>(clamped);
    lost |= (clamped != b || b == kNarrowInfinity) & (b != kInfinity);
  }
  return lost == 0;
}

HARRIER_VECTOR
bool narrow_at_least(const int16_t* a, const int16_t* b, uint32_t count) { return all_at_least(a, b, count); }
HARRIER_VECTOR
bool wide_at_least(const int32_t* a, const int32_t* b, uint32_t count) { return all_at_least(a, b, count); }

}  // namespace

void ZonePattern::Entries::set(const Bound* matrix, uint32_t dim) {
  count = dim * (dim - 1);
  if (wide.size() < size_t{dim} * dim) {
    wide.resize(size_t{dim} * dim);
    narrow.resize(size_t{dim} * dim);
  }
  int32_t* out = wide.data();
  for (uint32_t i = 0; i < dim; ++i) {
    const Bound* row = matrix + size_t{i} * dim;
    std::copy(row, row + i, out);
    std::copy(row + i + 1, row + dim, out + i);
    out += dim - 1;
  }
  fits = narrow_from(wide.data(), narrow.data(), count);
}

bool ZonePattern::subsumed_by(const ZoneBlock& stored) const {
  // A stored narrow bound reaches a threshold above the narrow range only if it is infinite, one below it always:
  // clamping the thresholds changes nothing.
  return stored.wide ? wide_at_least(bounds_of<int32_t>(stored), thresholds_.wide.data(), thresholds_.count)
                     : narrow_at_least(bounds_of<int16_t>(stored), thresholds_.narrow.data(), thresholds_.count);
}

bool ZonePattern::includes(const ZoneBlock& stored) const {
  if (stored.wide) return wide_at_least(zone_.wide.data(), bounds_of<int32_t>(stored), zone_.count);
  return zone_.fits && narrow_at_least(zone_.narrow.data(), bounds_of<int16_t>(stored), zone_.count);
}

void ZonePattern::Entries::read(const Bound* entries, uint32_t dim) {
  count = dim * (dim - 1);
  if (wide.size() < count) {
    wide.resize(size_t{dim} * dim);
    narrow.resize(size_t{dim} * dim);
  }
  std::copy_n(entries, count, wide.data());
  fits = narrow_from(wide.data(), narrow.data(), count);
}

void ZonePattern::append_to(std::vector<Bound>& list) const {
  for (const Entries* e : {&thresholds_, &zone_}) list.insert(list.end(), e->wide.begin(), e->wide.begin() + e->count);
}

void ZonePattern::read_zone(const Bound* from, uint32_t dim, Bound* zone) {
  from += size_t{dim} * (dim - 1);
  for (uint32_t i = 0; i < dim; ++i) {
    Bound* row = zone + size_t{i} * dim;
    std::copy(from, from + i, row);
    row[i] = kZeroLe;
    std::copy(from + i, from + dim - 1, row + i + 1);
    from += dim - 1;
  }
}

ZoneStore::~ZoneStore() { budget_.give_back(bytes_); }

ZoneBlock* ZoneStore::add(const ZonePattern& pattern, uint32_t dim) {
  const bool wide = !pattern.zone_.fits;
  const size_t kind = 2 * size_t{dim} + (wide ? 1 : 0);
  if (free_.size() <= kind) free_.resize(kind + 1, nullptr);
  ZoneBlock* block = free_[kind];
  if (block != nullptr) {
    free_[kind] = block->next;
  } else {
    const size_t bytes = block_bytes(dim, wide);
    if (chunk_used_ + bytes > chunk_size_) {
      const size_t size = std::max(bytes, std::clamp(chunk_size_ * 2, kFirstChunk, kLargestChunk));
      budget_.take(size);
      chunks_.push_back(std::make_unique_for_overwrite<std::byte[]>(size));
      bytes_ += size;
      chunk_size_ = size;
      chunk_used_ = 0;
    }
    block = new (chunks_.back().get() + chunk_used_) ZoneBlock;
    chunk_used_ += bytes;
  }
  block->next = nullptr;
  block->dim = dim;
  block->wide = wide;
  if (wide) {
    std::copy_n(pattern.zone_.wide.data(), pattern.zone_.count, bounds_of<int32_t>(*block));
  } else {
    std::copy_n(pattern.zone_.narrow.data(), pattern.zone_.count, bounds_of<int16_t>(*block));
  }
  ++size_;
  return block;
}

void ZoneStore::remove(ZoneBlock* block) {
  ZoneBlock*& first = free_[2 * size_t{block->dim} + (block->wide ? 1 : 0)];
  block->next = first;
  first = block;
  --size_;
}

void ZoneStore::read(const ZoneBlock& block, Bound* zone) {
  const uint32_t dim = block.dim;
  uint32_t at = 0;
  for (uint32_t i = 0; i < dim; ++i) {
    for (uint32_t j = 0; j < dim; ++j) {
      if (i == j) {
        zone[i * dim + j] = kZeroLe;
      } else if (block.wide) {
        zone[i * dim + j] = bounds_of<int32_t>(block)[at++];
      } else {
        const int16_t b = bounds_of<int16_t>(block)[at++];
        zone[i * dim + j] = b == kNarrowInfinity ? kInfinity : b;
      }
    }
  }
}

void ZoneStore::read_entries(const ZoneBlock& block, std::vector<int32_t>& entries) {
  const uint32_t count = block.dim * (block.dim - 1);
  entries.resize(count);
  for (uint32_t i = 0; i < count; ++i) {
    const int16_t narrow = block.wide ? 0 : bounds_of<int16_t>(block)[i];
    entries[i] = block.wide ? bounds_of<int32_t>(block)[i] : narrow == kNarrowInfinity ? kInfinity : narrow;
  }
}

}  // namespace harrier::store
