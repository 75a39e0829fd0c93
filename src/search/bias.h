// How a guided walk prefers one successor to another, by their estimates.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "harrier/harrier.h"

namespace harrier::search {

class Bias {
 public:
  explicit Bias(const WalkOptions& options) : options_(options) {}

  // Picks one of these, by their estimates. There must be one.
  size_t pick(const std::vector<uint32_t>& estimates, Rng& rng);
  // Whether to take a successor without having looked at the others; `here` is the estimate of the state that is left.
  bool accept(uint32_t here, uint32_t estimate, Rng& rng);

 private:
  // Reversed if the options say so: then far is near.
  double distance(uint32_t estimate);

  const WalkOptions& options_;
  uint32_t largest_ = 0;  // of all estimates so far
  std::vector<double> weights_;
};

}  // namespace harrier::search
