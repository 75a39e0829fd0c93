// The Hamming distance (Yang and Dill 1998; Wehrle 2011, §1.4.1): states are strings of bits, and the estimate is the
// number of bits in which a state differs from a goal state.
//
// The bits are those of a packed state: a value counts from the lower end of its variable's domain. A goal says
// something about some of the variables only: what it does not speak of does not count, and where it allows several
// values of a variable, the nearest does. A condition on several variables at once, or on one with very many values,
// counts as one bit: whether it holds. Of several clauses the nearest counts.
#pragma once

#include <cstdint>
#include <vector>

#include "heur/heuristic.h"
#include "model/interpreter.h"

namespace harrier::heur {

class HammingDistance : public Heuristic {
 public:
  HammingDistance(const model::System& system, const std::vector<model::Clause>& goal);

  uint32_t evaluate(const StateView& state) override;
  // The distance does not depend on what transitions there are.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  static constexpr int64_t kMostValues = 1 << 12;

  struct Bits {
    uint32_t variable = 0;
    int32_t lo = 0;
    std::vector<uint32_t> distance;  // by value, from the lower end of the domain on
  };
  struct Wanted {
    std::vector<Bits> bits;
    std::vector<model::ExprId> conditions;  // that count as one bit each
  };
  bool holds(model::ExprId condition, std::span<const int32_t> values);

  model::Interpreter interpreter_;
  size_t variables_;
  std::vector<Wanted> clauses_;
};

}  // namespace harrier::heur
