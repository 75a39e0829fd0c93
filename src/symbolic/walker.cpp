#include "symbolic/walker.h"

#include <cmath>
#include <numeric>

namespace harrier::symbolic {

namespace {

constexpr uint64_t kBlind = 10;  // one in so many greedy steps does not look at distances

}  // namespace

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

// `least` is the least distance that counts.
double Walker::weight(const Database::Part& part, double least) const {
  const auto all = static_cast<double>(database_->size());
  const auto d = static_cast<double>(part.distance);
  const double distance = rules_.reverse ? all - 1 - d : d;
  const auto states = [&] { return static_cast<double>(count(part.states, space_.encoding().state_bits())); };
  switch (rules_.bias) {
    case Bias::Linear: return all - distance;
    case Bias::Softmax: return states() * std::exp((least - distance) / rules_.temperature);
    case Bias::Greedy: break;
  }
  return distance == least ? 1 : 0;
}

Bdd Walker::chosen(const Bdd& states) {
  if (!database_) return states;
  const std::vector<Database::Part> parts = database_->split(states);
  if (parts.empty()) return {};
  if (rules_.bias == Bias::Greedy && rng_.below(kBlind) == 0) {
    Bdd all;
    for (const Database::Part& part : parts) all |= part.states;
    return all;
  }
  const double least = rules_.reverse ? static_cast<double>(database_->size() - 1 - parts.back().distance)
                                      : static_cast<double>(parts.front().distance);
  std::vector<double> weights;
  for (const Database::Part& part : parts) weights.push_back(weight(part, least));
  double drawn = rng_.uniform() * std::accumulate(weights.begin(), weights.end(), 0.0);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (drawn < weights[i]) return parts[i].states;
    drawn -= weights[i];
  }
  return parts[rules_.reverse ? parts.size() - 1 : 0].states;
}

Walker::Step Walker::step() {
  Bdd next = space_.transitions().image(here_);
  if (rules_.trails) next -= visited_;
  next = chosen(next);
  return next.is_false() ? Step::Ended : enter(draw(next));
}

}  // namespace harrier::symbolic
