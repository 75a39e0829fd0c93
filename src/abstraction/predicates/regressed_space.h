// The abstract state space of a part, built backwards from the goal, breadth-first (Hoffmann et al. 2006, §2).
//
// Abstract states are sets of values (cartesian.h). One that says more than another one that is not farther from the
// goal is left out: whatever leads into it leads into the other one as well, so no distance changes by that.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "abstraction/predicates/cartesian.h"
#include "abstraction/predicates/ubtree.h"

namespace harrier::abstraction {

class RegressedSpace {
 public:
  // Of at most so many states. Where it is cut, or `over`, states that are not covered count as one step farther than
  // all that were looked at completely.
  RegressedSpace(Cartesian& cartesian, uint64_t most_states, const std::function<bool()>& over);

  struct State {
    uint32_t distance = 0;
    uint32_t next = UINT32_MAX;  // the state that a step leads to; none: it satisfies the goal
    uint32_t step = 0;           // that step, or the clause of the goal
  };
  size_t size() const { return states_.size(); }
  const State& state(uint32_t id) const { return states_[id]; }
  const uint16_t* values(uint32_t id) const { return values_.data() + size_t{id} * width_; }
  bool complete() const { return complete_; }
  // Where it is not complete: how far everything is that is not covered.
  uint32_t horizon() const { return horizon_; }

  // The nearest abstract state that has none but these elements.
  std::optional<uint32_t> nearest(const std::vector<uint8_t>& members) const;
  // All states as sets of elements, with their distances. It can be taken once.
  UBTree take_tree() { return std::move(tree_); }

 private:
  bool add(const std::vector<uint16_t>& values, const State& state);

  uint32_t width_;
  std::vector<State> states_;
  std::vector<uint16_t> values_;
  std::vector<uint32_t> first_element_;
  bool complete_ = true;
  uint32_t horizon_ = 0;
  UBTree tree_;
  // Scratch memory.
  std::vector<uint8_t> members_;
  std::vector<uint32_t> set_;
};

}  // namespace harrier::abstraction
