#include "symbolic/guided_reachability.h"

#include "symbolic/witness.h"

namespace harrier::symbolic {

void GuidedReachability::put(const Bdd& states, uint64_t steps) {
  Bdd rest = states;
  for (Database::Part& part : database_.split(states)) {
    rest -= part.states;
    open_[{steps + part.distance, steps}] |= part.states;
  }
  dead_ |= rest;
}

Engine::Status GuidedReachability::advance() {
  if (status_ != Status::Running) return status_;
  if (!started_) {
    started_ = true;
    if (failing_beginning(space_)) return status_ = Status::Found;
    put(space_.initial(), 0);
  }
  if (open_.empty()) return status_ = Status::Exhausted;
  const uint64_t steps = open_.begin()->first.second;
  const Bdd states = open_.begin()->second - closed_;
  open_.erase(open_.begin());
  if (states.is_false()) return status_;
  ++turns_;
  if (expanded_.size() <= steps) expanded_.resize(steps + 1);
  expanded_[steps] |= states;
  closed_ |= states;
  found_ = states & space_.targets();
  if (!found_.is_false()) {
    found_at_ = steps;
    return status_ = Status::Found;
  }
  put(space_.transitions().image(states) - closed_, steps + 1);
  ++images_;
  space_.manager().collect();
  return status_;
}

model::Path GuidedReachability::path() {
  if (auto path = failing_beginning(space_)) return *std::move(path);
  const std::vector<Bdd> layers(expanded_.begin(), expanded_.begin() + static_cast<std::ptrdiff_t>(found_at_) + 1);
  return path_along(space_, way_through(space_, layers, some_state(space_, rather_goal(space_, found_))));
}

long double GuidedReachability::states() const {
  Bdd all = closed_ | dead_;
  for (const auto& [key, states] : open_) all |= states;
  return count(all, space_.encoding().state_bits());
}

long double GuidedReachability::dead_ends() const { return count(dead_, space_.encoding().state_bits()); }

}  // namespace harrier::symbolic
