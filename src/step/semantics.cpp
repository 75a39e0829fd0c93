#include "step/semantics.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "model/values_in_states.h"

namespace harrier::step {

namespace {

bool tests_deadlock(const model::Property& property) {
  return std::any_of(property.goal.begin(), property.goal.end(),
                     [](const model::Clause& c) { return c.deadlock != model::DeadlockTest::Ignore; });
}

// Some broadcast receiver has a clock guard.
bool has_guarded_receivers(const model::System& system) {
  return std::any_of(system.edges.begin(), system.edges.end(), [&](const model::Edge& e) {
    return e.direction == model::Direction::Receive && system.channel(e.channel).broadcast && !e.clock_guard.empty();
  });
}

// What must not be enabled, and cycles, need zones that are closed under a bisimulation.
bool needs_bisimulation(const model::System& system, const model::Property& property) {
  return model::is_about_paths(property) || system.has_priorities() || has_guarded_receivers(system) ||
         tests_deadlock(property);
}

}  // namespace

Semantics::Semantics(const model::System& system, const model::Property& property, const Watch& watch,
                     std::span<const ClockBounds::Entry> watched, Simplification simplification)
    : system_(system),
      property_(property),
      network_(system, watch),
      goal_(compile_goal(network_, property.goal)),
      premise_(compile_goal(network_, property.premise)),
      initial_(system.initial_values()),
      simplification_(simplification),
      layout_(system),
      has_priorities_(system.has_priorities()),
      bounds_(system, &property, needs_bisimulation(system, property), watched) {
  for (const std::vector<model::Clause>& set : property.accepting) accepting_.push_back(compile_goal(network_, set));
  if (simplification != Simplification::None) simplify(watch);
  if (timed() && system.has_choices()) {
    throw Error(ErrorKind::Unsupported, "unsupported: clocks in a model with choices or several initial states");
  }
}

void Semantics::simplify(const Watch& watch) {
  std::vector<model::ValueSet> values = model::values_in_states(system_, watch);
  if (simplification_ == Simplification::DeadValues) {
    model::DeadValues dead_values(system_, property_, values, watch);
    // What is never needed has its initial value always.
    for (const model::VarId v : dead_values.never_needed()) values[v.value] = {false, {system_.variable(v).initial}};
    network_.forget(std::move(dead_values));
  }
  layout_ = Layout(system_, values);
}

}  // namespace harrier::step
