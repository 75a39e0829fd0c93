// A vector whose memory comes out of a budget: growing asks first, and throws MemoryLimitReached with the content
// unchanged.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"

namespace harrier {

template <class T>
class CountedVector {
 public:
  explicit CountedVector(Budget& budget) : budget_(budget) {}
  ~CountedVector() { budget_.give_back(items_.capacity() * sizeof(T)); }
  CountedVector(const CountedVector&) = delete;
  CountedVector& operator=(const CountedVector&) = delete;

  size_t size() const { return items_.size(); }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  const T* data() const { return items_.data(); }
  T& back() { return items_.back(); }

  void push_back(const T& item) {
    make_room(1);
    items_.push_back(item);
  }
  void append(std::span<const T> items) {
    make_room(items.size());
    items_.insert(items_.end(), items.begin(), items.end());
  }
  // Keeps what it has for what comes.
  void clear() { items_.clear(); }
  void cut(size_t size) { items_.resize(size); }
  // So many copies instead of what there is. The old content is gone before the memory is asked for.
  void assign(size_t count, T item) {
    if (count > items_.capacity()) {
      budget_.take((count - items_.capacity()) * sizeof(T));
      items_ = {};
      items_.reserve(count);
    }
    items_.assign(count, item);
  }
  uint64_t bytes() const { return items_.capacity() * sizeof(T); }

 private:
  static constexpr size_t kFirst = 64;

  void make_room(size_t more) {
    if (items_.size() + more <= items_.capacity()) return;
    const size_t capacity = std::max(items_.capacity() * 2, items_.size() + more + kFirst);
    budget_.take((capacity - items_.capacity()) * sizeof(T));
    items_.reserve(capacity);
  }

  Budget& budget_;
  std::vector<T> items_;
};

}  // namespace harrier
