#include "symbolic/chaining.h"

#include <algorithm>
#include <climits>

#include "symbolic/witness.h"

namespace harrier::symbolic {

ChainedReachability::ChainedReachability(Space& space) : space_(space) {
  const auto top = [&](const Relation& r) {
    int out = INT_MAX;
    for (const model::VarId v : r.written()) {
      for (const int bit : space_.encoding().bits(v, Moment::Now)) out = std::min(out, bit);
    }
    return out;
  };
  for (const Relation* r : space.transitions().relations()) steps_.push_back({r, {}});
  std::stable_sort(steps_.begin(), steps_.end(),
                   [&](const Step& a, const Step& b) { return top(*a.relation) > top(*b.relation); });
}

Engine::Status ChainedReachability::advance() {
  if (status_ != Status::Running) return status_;
  if (!started_) {
    start();
  } else {
    status_ = back_.empty() ? go_on() : go_back();
  }
  space_.manager().collect();
  return status_;
}

void ChainedReachability::start() {
  started_ = true;
  if (!space_.transitions().beginning_failures().empty()) {
    status_ = Status::Found;
    return;
  }
  add(space_.initial());
  if (reached_.is_false()) status_ = Status::Exhausted;
}

// Sees whether there is a target among new states.
void ChainedReachability::add(const Bdd& states) {
  reached_ |= states;
  const Bdd found = states & space_.targets();
  if (found.is_false()) return;
  back_.push_back(found);
  covered_ = found;
  if (intersects(found, space_.initial())) status_ = Status::Found;
}

Engine::Status ChainedReachability::go_on() {
  if (quiet_ >= steps_.size()) return Status::Exhausted;
  Step& step = steps_[at_];
  const Bdd from = smallest(reached_ - step.seen, reached_);
  step.seen = reached_;
  Bdd fresh;
  if (!from.is_false()) {
    fresh = step.relation->image(from) - reached_;
    ++images_;
  }
  if (fresh.is_false()) {
    at_ = (at_ + 1) % steps_.size();
    ++quiet_;
  } else {
    quiet_ = 0;
    add(fresh);
  }
  return status_;
}

Engine::Status ChainedReachability::go_back() {
  Bdd fresh = (space_.transitions().preimage(back_.back()) & reached_) - covered_;
  ++images_;
  covered_ |= fresh;
  back_.push_back(fresh);
  return intersects(back_.back(), space_.initial()) ? Status::Found : Status::Running;
}

model::Path ChainedReachability::path() {
  if (auto path = failing_beginning(space_)) return *std::move(path);
  std::vector<StateValues> states{some_state(space_, back_.back() & space_.initial())};
  for (size_t layer = back_.size() - 1; layer-- > 0;) {
    const Bdd next = space_.transitions().image(space_.encoding().states(states.back())) & back_[layer];
    states.push_back(some_state(space_, layer == 0 ? rather_goal(space_, next) : next));
  }
  return path_along(space_, states);
}

long double ChainedReachability::states() const { return count(reached_, space_.encoding().state_bits()); }

}  // namespace harrier::symbolic
