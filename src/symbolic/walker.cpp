#include "symbolic/walker.h"

namespace harrier::symbolic {

StateValues Walker::draw(const Bdd& states) {
  const Encoding& encoding = space_.encoding();
  return encoding.values(random_assignment(states, encoding.state_bits(), space_.manager().bits(), rules_.draw, rng_));
}

Walker::Step Walker::enter(StateValues values) {
  here_ = space_.encoding().states(values);
  const bool again = rules_.end_at_loop && intersects(here_, visited_);
  if (rules_.trails || rules_.end_at_loop) visited_ |= here_;
  states_.push_back(std::move(values));
  if (intersects(here_, space_.targets())) return Step::Found;
  return again ? Step::Ended : Step::Made;
}

Walker::Step Walker::begin() {
  states_.clear();
  visited_ = Bdd();
  space_.manager().collect();
  return space_.initial().is_false() ? Step::Ended : enter(draw(space_.initial()));
}

Walker::Step Walker::begin_at_previous() {
  if (states_.empty()) return begin();
  states_.resize(1 + rng_.below(states_.size()));
  visited_ = Bdd();
  if (rules_.trails || rules_.end_at_loop) {
    for (const StateValues& s : states_) visited_ |= space_.encoding().states(s);
  }
  here_ = space_.encoding().states(states_.back());
  return Step::Made;
}

Bdd Walker::chosen(const Bdd& states) {
  if (!database_) return states;
  const std::vector<Database::Part> parts = database_->split(states);
  const auto tickets = [&](const Database::Part& part) {
    return rules_.reverse ? part.distance + 1 : database_->size() - part.distance;
  };
  uint64_t all = 0;
  for (const Database::Part& part : parts) all += tickets(part);
  if (all == 0) return {};
  uint64_t drawn = rng_.below(all);
  for (const Database::Part& part : parts) {
    if (drawn < tickets(part)) return part.states;
    drawn -= tickets(part);
  }
  return {};
}

Walker::Step Walker::step() {
  Bdd next = space_.transitions().image(here_);
  if (rules_.trails) next -= visited_;
  next = chosen(next);
  return next.is_false() ? Step::Ended : enter(draw(next));
}

}  // namespace harrier::symbolic
