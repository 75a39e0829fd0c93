#include "api/stepper.h"

#include <utility>

#include "trace/zones.h"

namespace harrier::api {

Stepper::Stepper(const step::Semantics& semantics, const Watch& watch) : semantics_(semantics) {
  if (semantics.timed()) {
    timed_.emplace(semantics, watch);
  } else {
    discrete_.emplace(semantics, watch);
  }
}

void Stepper::initial(const std::function<bool(std::vector<int32_t>, Position)>& visit) {
  if (timed_) {
    if (std::optional<Position> start = timed_->start()) visit({}, std::move(*start));
    return;
  }
  discrete_->initial([&] {
    const auto choices = discrete_->choices();
    const bool chosen = semantics_.system().beginning.valid();
    return visit(chosen ? std::vector<int32_t>(choices.begin(), choices.end()) : std::vector<int32_t>(), candidate());
  });
}

bool Stepper::load(const Position& position, std::optional<int32_t> delay) {
  if (timed_) return timed_->load(position, delay);
  discrete_->recover();
  discrete_->load(position.values);
  return !delay;
}

void Stepper::successors(const std::function<bool()>& visit) {
  const auto offer = [&](const step::Firing& firing, const std::vector<model::ClockAtom>& extra) {
    firing_ = &firing;
    extra_ = &extra;
    return visit();
  };
  if (timed_) {
    timed_->successors(offer);
  } else {
    discrete_->successors([&](const step::Firing& firing) { return offer(firing, {}); });
  }
}

Position Stepper::candidate() const {
  if (timed_) return timed_->candidate();
  return {discrete_->all_values(), {}};
}

model::PathStep Stepper::step() const {
  model::PathStep out;
  for (const uint32_t e : firing_->edges) out.edges.emplace_back(e);
  out.choices.assign(firing_->choices.begin(), firing_->choices.end());
  out.extra = *extra_;
  return out;
}

std::optional<step::ZoneStepper::Reached> Stepper::goal() {
  if (timed_) return timed_->goal_of_source();
  const std::optional<size_t> clause = discrete_->goal();
  if (!clause) return std::nullopt;
  return step::ZoneStepper::Reached{*clause, {}};
}

std::vector<std::string> Stepper::zone() const {
  if (!timed_) return {};
  return trace::zone_text(semantics_.system().clocks, timed_->zone_of_source());
}

}  // namespace harrier::api
