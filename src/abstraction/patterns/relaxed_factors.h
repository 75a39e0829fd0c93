// The monotonicity abstraction of factors (Kupferschmid et al. 2006): variables gain values and never lose them. It
// tells quickly what matters on the way to a goal.
//
//     RelaxedFactors relaxed(factors, costs, initial);
//     if (relaxed.explore(all_of_them, allowance)) relaxed.goal_cost();   // h^add (Bonet and Geffner 2001)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abstraction/allowance.h"
#include "abstraction/factors.h"

namespace harrier::abstraction {

class RelaxedFactors {
 public:
  static constexpr uint64_t kNever = UINT64_MAX;

  // Keeps references.
  RelaxedFactors(const Factors& factors, std::span<const uint32_t> costs, std::span<const Value> initial);

  // From the initial state, looking at some variables only. False if the time is over.
  bool explore(const std::vector<bool>& kept, const Allowance& allowance);
  // The sum of the costs of what the cheapest clause of the goal needs; kNever if it cannot be reached.
  uint64_t goal_cost() const;
  // The variables that labels of an abstract path to the goal speak of, those near the goal first.
  std::vector<uint32_t> on_the_way() const;

 private:
  static constexpr uint64_t kMostCost = uint64_t{1} << 40;  // larger ones are not told apart

  // A value of a variable: its cost, and how it comes about.
  struct Fact {
    uint64_t cost = kNever;
    uint32_t label = task::kNone;
    Value from = 0;
  };

  // The cheapest value from which a part can be taken; kNever if there is none yet.
  uint64_t cheapest(const Factors::Part& part, Value* value = nullptr) const;
  uint64_t cost_of(const Factors::Label& label) const;
  bool apply(uint32_t number);
  const Fact& fact(uint32_t variable, Value value) const { return facts_[first_[variable] + value]; }

  const Factors& factors_;
  std::span<const uint32_t> costs_;
  std::span<const Value> initial_;
  std::vector<size_t> first_;  // by variable
  std::vector<Fact> facts_;
  std::vector<bool> kept_;
};

}  // namespace harrier::abstraction
