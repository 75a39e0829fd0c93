#include "space/zone_store.h"

#include <algorithm>
#include <new>

#include "space/vector.h"

namespace harrier::space {

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

HARRIER_VECTOR
bool narrow_at_least(const int16_t* a, const int16_t* b, uint32_t count) { return all_at_least(a, b, count); }
HARRIER_VECTOR
bool wide_at_least(const int32_t* a, const int32_t* b, uint32_t count) { return all_at_least(a, b, count); }

}  // namespace

void ZonePattern::prepare(const Bound* zone, const Bound* thresholds, uint32_t dim) {
  entries_ = dim * (dim - 1);
  narrow_zone_.resize(entries_);
  narrow_thresholds_.resize(entries_);
  wide_zone_.resize(entries_);
  wide_thresholds_.resize(entries_);
  fits_ = true;
  uint32_t at = 0;
  for (uint32_t i = 0; i < dim; ++i) {
    for (uint32_t j = 0; j < dim; ++j) {
      if (i == j) continue;
      const Bound z = zone[i * dim + j];
      const Bound t = thresholds[i * dim + j];
      wide_zone_[at] = z;
      wide_thresholds_[at] = t;
      fits_ = fits_ && (z == kInfinity || (z < kNarrowInfinity && z >= INT16_MIN));
      narrow_zone_[at] = z == kInfinity ? kNarrowInfinity : static_cast<int16_t>(z);
      // A stored narrow bound reaches a threshold beyond the narrow range only if it is infinite, one below always.
      narrow_thresholds_[at] = static_cast<int16_t>(std::clamp<Bound>(t, INT16_MIN, kNarrowInfinity));
      ++at;
    }
  }
}

bool ZonePattern::subsumed_by(const ZoneBlock& stored) const {
  return stored.wide ? wide_at_least(bounds_of<int32_t>(stored), wide_thresholds_.data(), entries_)
                     : narrow_at_least(bounds_of<int16_t>(stored), narrow_thresholds_.data(), entries_);
}

bool ZonePattern::includes(const ZoneBlock& stored) const {
  if (stored.wide) return wide_at_least(wide_zone_.data(), bounds_of<int32_t>(stored), entries_);
  return fits_ && narrow_at_least(narrow_zone_.data(), bounds_of<int16_t>(stored), entries_);
}

ZoneStore::~ZoneStore() { budget_.give_back(bytes_); }

ZoneBlock* ZoneStore::add(const ZonePattern& pattern, uint32_t dim) {
  const bool wide = !pattern.fits_;
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
    std::copy_n(pattern.wide_zone_.data(), pattern.entries_, bounds_of<int32_t>(*block));
  } else {
    std::copy_n(pattern.narrow_zone_.data(), pattern.entries_, bounds_of<int16_t>(*block));
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

}  // namespace harrier::space
