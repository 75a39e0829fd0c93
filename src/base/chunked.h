// A growing array in chunks: elements never move, growth never copies, and the memory is taken from a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/budget.h"

namespace harrier {

// A record is `width` elements. 4096 records are allocated at a time, or fewer if they are large, so that little is
// taken that is not used.
template <class T>
class ChunkedArray {
 public:
  ChunkedArray(Budget& budget, uint32_t width) : budget_(budget), width_(width) {
    while (shift_ > 0 && (uint64_t{width} * sizeof(T)) << shift_ > kLargestChunk) --shift_;
  }
  ~ChunkedArray() { budget_.give_back(bytes_); }
  ChunkedArray(const ChunkedArray&) = delete;
  ChunkedArray& operator=(const ChunkedArray&) = delete;

  uint64_t size() const { return size_; }
  uint64_t bytes() const { return bytes_; }
  T* operator[](uint64_t index) { return chunks_[index >> shift_].get() + (index & mask()) * width_; }
  const T* operator[](uint64_t index) const { return chunks_[index >> shift_].get() + (index & mask()) * width_; }

  // Appends a record with unspecified content and returns it.
  T* append() {
    if (size_ >> shift_ == chunks_.size()) grow();
    return (*this)[size_++];
  }
  // Gives it so many records; the content of new ones is unspecified.
  void resize(uint64_t size) {
    while (uint64_t{chunks_.size()} << shift_ < size) grow();
    size_ = size;
  }
  void remove_last() { --size_; }
  // Keeps the memory.
  void clear() { size_ = 0; }

 private:
  static constexpr uint64_t kLargestChunk = uint64_t{1} << 20;  // bytes

  uint64_t mask() const { return (uint64_t{1} << shift_) - 1; }
  void grow() {
    const uint64_t elements = (mask() + 1) * width_;
    const uint64_t bytes = elements * sizeof(T);
    budget_.take(bytes);
    chunks_.push_back(std::make_unique_for_overwrite<T[]>(elements));
    bytes_ += bytes;
  }

  Budget& budget_;
  uint32_t width_;
  uint32_t shift_ = 12;  // of the records in a chunk
  uint64_t size_ = 0;
  uint64_t bytes_ = 0;
  std::vector<std::unique_ptr<T[]>> chunks_;
};

}  // namespace harrier
