// The number of a value among the sorted values of a variable: by subtraction where they are an interval, else from a
// table, or by bisection where a table would be much larger than the set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace harrier::model {

class ValueNumbers {
 public:
  ValueNumbers() = default;  // of no values
  explicit ValueNumbers(std::span<const int32_t> sorted) : lowest_(sorted.front()) {
    const int64_t span = int64_t{sorted.back()} - sorted.front() + 1;
    const auto size = static_cast<int64_t>(sorted.size());
    if (span == size) {
      kind_ = Kind::Interval;
    } else if (span <= kLargestTable || span <= 8 * size) {
      kind_ = Kind::Table;
      entries_.resize(static_cast<size_t>(span));
      for (size_t i = 0; i < sorted.size(); ++i) entries_[offset(sorted[i])] = static_cast<int32_t>(i);
    } else {
      kind_ = Kind::Sorted;
      entries_.assign(sorted.begin(), sorted.end());
    }
  }

  bool empty() const { return kind_ == Kind::Empty; }
  // Of a value that is one of the set's.
  uint32_t operator()(int32_t value) const {
    if (kind_ == Kind::Interval) return offset(value);
    if (kind_ == Kind::Table) return static_cast<uint32_t>(entries_[offset(value)]);
    return static_cast<uint32_t>(std::lower_bound(entries_.begin(), entries_.end(), value) - entries_.begin());
  }

 private:
  static constexpr int64_t kLargestTable = 4096;
  enum class Kind : uint8_t { Empty, Interval, Table, Sorted };

  uint32_t offset(int32_t value) const { return static_cast<uint32_t>(value) - static_cast<uint32_t>(lowest_); }

  int32_t lowest_ = 0;
  Kind kind_ = Kind::Empty;
  std::vector<int32_t> entries_;  // numbers by value, or values by number
};

}  // namespace harrier::model
