// Numbers in random order, drawn one by one: only as many as are needed cost anything.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/rng.h"

namespace harrier {

class RandomOrder {
 public:
  explicit RandomOrder(std::vector<uint32_t> numbers) : numbers_(std::move(numbers)) {}

  // All are to be drawn again.
  void restart() { drawn_ = 0; }
  // One of those that are left, all equally likely; none if all were drawn.
  std::optional<uint32_t> draw(Rng& rng) {
    if (drawn_ == numbers_.size()) return std::nullopt;
    std::swap(numbers_[drawn_], numbers_[drawn_ + rng.below(numbers_.size() - drawn_)]);
    return numbers_[drawn_++];
  }

 private:
  std::vector<uint32_t> numbers_;
  size_t drawn_ = 0;
};

}  // namespace harrier
