// How a guided walk prefers one successor to another, by their estimates.
#pragma once

#include <cstdint>
#include <vector>

#include "base/rng.h"
#include "search/config.h"

namespace harrier::search {

class Bias {
 public:
  explicit Bias(const RandomWalks& options) : options_(options) {}

  // Picks one of these, by their weights. If all are 0, any.
  static size_t draw(const std::vector<double>& weights, Rng& rng);
  // Picks one of these, by their estimates. There must be one, and no dead end.
  size_t pick(const std::vector<uint32_t>& estimates, Rng& rng);
  // Whether to take a successor without having looked at the others; `here` is the estimate of the state that is left.
  bool accept(uint32_t here, uint32_t estimate, Rng& rng);

 private:
  void see(uint32_t estimate);
  // Reversed if the options say so: then far is near. A dead end is a little farther than all that was seen.
  double distance(uint32_t estimate) const;

  const RandomWalks& options_;
  uint32_t largest_ = 0;  // of all estimates so far, dead ends aside
  std::vector<double> weights_;
};

}  // namespace harrier::search
