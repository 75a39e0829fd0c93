// Patterns whose distances may be added up: no label changes variables of two of them (Haslum et al. 2007).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abstraction/patterns/projection.h"

namespace harrier::abstraction {

class Additivity {
 public:
  explicit Additivity(const Factors& factors, const Watch& watch = Watch::none());

  bool is_additive(const Pattern& a, const Pattern& b) const;
  // The sets of patterns that are additive in pairs and have no larger one, by number; no more than `most`.
  std::vector<std::vector<uint32_t>> maximal_sets(std::span<const Pattern> patterns, size_t most) const;

 private:
  std::vector<std::vector<bool>> together_;  // by two variables: a label changes both
};

}  // namespace harrier::abstraction
