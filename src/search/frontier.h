// Open lists: the states that wait to be expanded, and which of them is next.
//
// A frontier is told about every admitted state, in the order of generation, through `add`; `end_of_expansion` marks where the
// successors of one state end; `next` hands out the state to expand and its depth.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"
#include "base/rng.h"

namespace harrier::search {

// First in, first out. States are numbered as they are admitted and expanded in the same order, so a counter does.
class BreadthFirst {
 public:
  static constexpr bool kLayered = true;

  void add(uint64_t id) { admitted_ = id + 1; }
  void end_of_expansion() {}
  std::optional<uint64_t> next() {
    if (next_ == admitted_) return std::nullopt;
    if (next_ == layer_end_) {
      layer_end_ = admitted_;
      ++depth_;
    }
    return next_++;
  }
  // The layer of the state that `next` gave out last, and the first number of the layer after it.
  uint32_t depth() const { return depth_ - 1; }
  uint64_t layer_end() const { return layer_end_; }

 private:
  uint64_t next_ = 0;
  uint64_t admitted_ = 0;
  uint64_t layer_end_ = 0;
  uint32_t depth_ = 0;
};

// Last in, first out, but the successors of one state in the order in which they were generated, or shuffled.
class DepthFirst {
 public:
  static constexpr bool kLayered = false;

  DepthFirst(Budget& budget, std::optional<uint64_t> seed) : stack_(budget, 1) {
    if (seed) rng_.emplace(*seed);
  }

  void add(uint64_t id) { successors_.push_back(id); }
  void end_of_expansion() {
    if (rng_) {
      for (size_t i = successors_.size(); i > 1; --i) std::swap(successors_[i - 1], successors_[rng_->below(i)]);
    }
    for (size_t i = successors_.size(); i-- > 0;) *stack_.append() = successors_[i];
    successors_.clear();
  }
  std::optional<uint64_t> next() {
    if (stack_.size() == 0) return std::nullopt;
    const uint64_t id = *stack_[stack_.size() - 1];
    stack_.remove_last();
    return id;
  }

 private:
  std::optional<Rng> rng_;
  std::vector<uint64_t> successors_;
  ChunkedArray<uint64_t> stack_;
};

}  // namespace harrier::search
