// Data about stored states, by their numbers: an array that grows with them. What was never written has the default.
#pragma once

#include <cstdint>

#include "base/budget.h"
#include "base/chunked.h"

namespace harrier::store {

template <class T>
class PerState {
 public:
  explicit PerState(Budget& budget, T fallback = {}) : values_(budget, 1), fallback_(fallback) {}

  T& operator[](uint64_t id) {
    while (values_.size() <= id) *values_.append() = fallback_;
    return *values_[id];
  }
  const T& operator[](uint64_t id) const { return id < values_.size() ? *values_[id] : fallback_; }

 private:
  ChunkedArray<T> values_;
  T fallback_;
};

}  // namespace harrier::store
