// Names for the ways to a candidate: the steps from a stored state, one or several, and what was chosen on them, as a
// number that a stored state keeps (store/labels.h).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/budget.h"
#include "model/path.h"
#include "step/passing.h"
#include "store/labels.h"

namespace harrier::search {

class StepNames {
 public:
  explicit StepNames(Budget& budget) : labels_(budget), choices_(budget) {}

  // Of an initial state, by the choices of the beginning.
  uint32_t of_beginning(std::span<const int32_t> choices) { return choice_number(choices); }
  // Of the candidate that these edges lead to: from the state that is left, or from where a layer has passed to.
  uint32_t of_step(std::span<const uint32_t> edges, std::span<const int32_t> choices, step::Passing* passing);

  std::vector<int32_t> choices_of_beginning(uint32_t name) const { return choices_of(name); }
  std::vector<model::PathStep> steps_of(uint32_t name) const;

 private:
  // The number of choices among all that were made: 0 for none.
  uint32_t choice_number(std::span<const int32_t> choices);
  std::vector<int32_t> choices_of(uint32_t number) const;

  store::Labels labels_;
  store::Labels choices_;
};

}  // namespace harrier::search
