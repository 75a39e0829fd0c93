#include "symbolic/reachability.h"

#include <algorithm>

#include "base/error.h"

namespace harrier::symbolic {

namespace {

// Something between what is new and what is known in all, with as few nodes as possible.
Bdd smallest(const Bdd& fresh, const Bdd& known) {
  const Bdd old = known - fresh;
  Bdd other = simplified(fresh, !old);
  return node_count(other) < node_count(fresh) ? other : fresh;
}

}  // namespace

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

std::vector<int32_t> Reachability::pick(const Bdd& states) const {
  if (states.is_false()) throw Error(ErrorKind::Internal, "a layer of states has no way to the next one");
  return space_.encoding().values(any_assignment(states, space_.manager().bits()));
}

model::Path Reachability::path() {
  model::Path out;
  if (!space_.transitions().beginning_failures().empty()) {
    out.failure = {space_.transitions().beginning_failures().front().what};
    return out;
  }
  const Transitions& transitions = space_.transitions();
  const Encoding& encoding = space_.encoding();
  // Where both sides meet, rather a goal than a failure if that is the end.
  Bdd meeting = forward_.layers.back() & backward_.layers.back();
  const auto prefer_goal = [&](const Bdd& states) {
    for (const Bdd& clause : space_.goal()) {
      if (Bdd both = states & clause; !both.is_false()) return both;
    }
    return states;
  };
  if (backward_.layers.size() == 1) meeting = prefer_goal(meeting);
  std::vector<std::vector<int32_t>> states{pick(meeting)};
  for (size_t layer = forward_.layers.size() - 1; layer-- > 0;) {
    states.push_back(pick(transitions.preimage(encoding.states(states.back())) & forward_.layers[layer]));
  }
  std::reverse(states.begin(), states.end());
  for (size_t layer = backward_.layers.size() - 1; layer-- > 0;) {
    const Bdd next = transitions.image(encoding.states(states.back())) & backward_.layers[layer];
    states.push_back(pick(layer == 0 ? prefer_goal(next) : next));
  }
  out.beginning = transitions.beginning_of(states.front());
  for (size_t i = 0; i + 1 < states.size(); ++i) {
    auto step = transitions.step(states[i], states[i + 1]);
    if (!step) throw Error(ErrorKind::Internal, "there is no transition between two layers");
    out.steps.push_back(*std::move(step));
  }
  finish(out, states.back());
  return out;
}

void Reachability::finish(model::Path& path, const std::vector<int32_t>& last) const {
  const Bdd state = space_.encoding().states(last);
  for (size_t i = 0; i < space_.goal().size(); ++i) {
    if (!intersects(state, space_.goal()[i])) continue;
    path.goal_clause = i;
    return;
  }
  for (const FailingStates& f : space_.failures()) {
    if (!intersects(state, f.states)) continue;
    path.failure = {f.what};
    return;
  }
  throw Error(ErrorKind::Internal, "the last state of a path is no goal");
}

}  // namespace harrier::symbolic
