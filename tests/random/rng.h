// A small random number generator whose numbers are the same on every machine and with every library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace harrier::testing_support {

class Rng {
 public:
  explicit Rng(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15ULL + 0x632BE59BD9B4E019ULL) {}

  // splitmix64
  uint64_t next() {
    uint64_t z = state_ += 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
  }
  size_t below(size_t n) { return static_cast<size_t>(next() % n); }
  int32_t between(int32_t lo, int32_t hi) {
    const int64_t first = lo;
    return static_cast<int32_t>(first + static_cast<int64_t>(next() % static_cast<uint64_t>(hi - first + 1)));
  }
  bool chance(int percent) { return static_cast<int>(next() % 100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& items) {
    return items[below(items.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace harrier::testing_support
