#include "symbolic/reachability.h"

#include "symbolic/witness.h"

namespace harrier::symbolic {

Reachability::Status Reachability::advance() {
  if (status_ != Status::Running) return status_;
  if (forward_.layers.empty()) {
    start();
    return status_;
  }
  bool forward = way_ == Way::Forward;
  if (way_ == Way::Both) forward = node_count(forward_.layers.back()) <= node_count(backward_.layers.back());
  if (!grow(forward ? forward_ : backward_, forward)) {
    status_ = Status::Exhausted;
  } else if (meet()) {
    status_ = Status::Found;
  }
  return status_;
}

void Reachability::start() {
  forward_ = {{space_.initial()}, space_.initial()};
  backward_ = {{space_.targets()}, space_.targets()};
  if (!space_.transitions().beginning_failures().empty() || meet()) {
    status_ = Status::Found;
  } else if (forward_.reached.is_false() || backward_.reached.is_false()) {
    // Nothing to search for is a proof, but forward search is to know all states.
    if (way_ != Way::Forward || forward_.reached.is_false()) status_ = Status::Exhausted;
  }
}

bool Reachability::meet() { return intersects(forward_.layers.back(), backward_.layers.back()); }

bool Reachability::grow(Side& side, bool forward) {
  const Bdd from = smallest(side.layers.back(), side.reached);
  const Bdd fresh = (forward ? space_.transitions().image(from) : space_.transitions().preimage(from)) - side.reached;
  ++images_;
  space_.manager().collect();
  if (fresh.is_false()) return false;
  side.layers.push_back(fresh);
  side.reached |= fresh;
  return true;
}

long double Reachability::states() const {
  const Side& side = way_ == Way::Backward ? backward_ : forward_;
  return count(side.reached, space_.encoding().state_bits());
}

model::Path Reachability::path() {
  if (auto path = failing_beginning(space_)) return *std::move(path);
  // Where both sides meet, rather a goal than a failure if that is the end.
  Bdd meeting = forward_.layers.back() & backward_.layers.back();
  if (backward_.layers.size() == 1) meeting = rather_goal(space_, meeting);
  std::vector<StateValues> states = way_through(space_, forward_.layers, some_state(space_, meeting));
  for (size_t layer = backward_.layers.size() - 1; layer-- > 0;) {
    const Bdd after = space_.transitions().image(space_.encoding().states(states.back()));
    const Bdd next = after & backward_.layers[layer];
    states.push_back(some_state(space_, layer == 0 ? rather_goal(space_, next) : next));
  }
  return path_along(space_, states);
}

}  // namespace harrier::symbolic
