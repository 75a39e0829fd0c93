#include "search/aim.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::search {

Aims::Aims(const step::Semantics& semantics, std::shared_ptr<abstraction::Workshop> workshop, CostType costs)
    : semantics_(semantics),
      workshop_(workshop ? std::move(workshop) : std::make_shared<abstraction::Workshop>()),
      costs_(costs),
      direction_(semantics.property().goal) {
  const auto is_deadlock = [](const model::Clause& c) { return c.deadlock == model::DeadlockTest::IsDeadlock; };
  can_fail_ = std::any_of(direction_.begin(), direction_.end(),
                          [&](const model::Clause& c) { return model::can_fail(semantics.system(), c); });
  if (!std::all_of(direction_.begin(), direction_.end(), is_deadlock)) std::erase_if(direction_, is_deadlock);
}

heur::Views& Aims::views(bool direction_only) {
  std::optional<heur::Views>& views = direction_only ? of_direction_ : of_goal_;
  if (!views) {
    views.emplace(semantics_.system(), direction_only ? direction_ : semantics_.property().goal, &semantics_.network(),
                  costs_);
  }
  return *views;
}

std::shared_ptr<const model::Symmetry> Aims::symmetry(const Watch& watch) {
  if (!symmetry_) {
    symmetry_ =
        std::make_shared<model::Symmetry>(model::find_symmetry(semantics_.system(), semantics_.property(), watch));
  }
  return symmetry_;
}

Guidance Aims::guidance(const heur::Recipe& recipe, const Estimate& estimate, bool direction_only, const Watch& watch) {
  const bool without_deadlocks = direction_only && direction_.size() != semantics_.property().goal.size();
  Guidance out;
  out.safe = recipe.safe() && !can_fail_ && !without_deadlocks;
  out.costs = costs_;
  out.clocks = estimate.clocks && recipe.clocks() && semantics_.timed();
  out.heuristic = recipe.make({views(without_deadlocks), out.clocks ? heur::Clocks::Use : heur::Clocks::Ignore,
                               estimate.sibling.get(), watch, workshop_.get(), estimate.abstract_states});
  return out;
}

}  // namespace harrier::search
