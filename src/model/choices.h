// The choices that an effect makes, one after the other: which there were, and which come next.
//
// An effect that chooses is run again and again, each time with the next sequence of choices, in lexical order:
//
//     Choices choices;
//     do {
//       choices.rewind();
//       … run the effect: every Choose asks choices.pick(low, count) …
//     } while (choices.next());
//
// Or a run chooses at random (`draw`), or what somebody has chosen before (`set`).
//
// A run that a violated Assume ends has made only the choices before it, so that all that could follow are skipped.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/rng.h"

namespace harrier::model {

class Choices {
 public:
  // Forgets everything: the first sequence comes next.
  void clear() {
    values_.clear();
    last_.clear();
    made_ = 0;
    rng_ = nullptr;
  }
  // These values are picked, in this order; there is no next sequence.
  void set(std::span<const int32_t> values) {
    clear();
    values_.assign(values.begin(), values.end());
    last_ = values_;
  }
  // All are picked at random in the next run, each value being as likely as the others.
  void draw(Rng& rng) {
    clear();
    rng_ = &rng;
  }
  // Another run begins.
  void rewind() { made_ = 0; }

  // The value that is chosen here, of `count` > 0 values from `low` on. One that was set need not be among them.
  int32_t pick(int32_t low, uint32_t count) {
    if (made_ == values_.size()) {
      values_.push_back(rng_ == nullptr ? low : static_cast<int32_t>(low + static_cast<int64_t>(rng_->below(count))));
      last_.push_back(static_cast<int32_t>(low + static_cast<int64_t>(count) - 1));
    }
    return values_[made_++];
  }
  // The next sequence that differs in what the last run has picked. False: there is none; the first one is next again.
  bool next() {
    values_.resize(made_);
    last_.resize(made_);
    while (!values_.empty() && values_.back() == last_.back()) {
      values_.pop_back();
      last_.pop_back();
    }
    if (values_.empty()) return false;
    ++values_.back();
    return true;
  }

  // What the last run has picked.
  std::span<const int32_t> made() const { return std::span(values_).first(made_); }

 private:
  std::vector<int32_t> values_;
  std::vector<int32_t> last_;  // of each: the last one that there is
  size_t made_ = 0;
  Rng* rng_ = nullptr;
};

}  // namespace harrier::model
