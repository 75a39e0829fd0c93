#include "space/replay.h"

#include <algorithm>

#include "model/interpreter.h"

namespace harrier::space {

using model::LocationKind;

Replay::Replay(const model::System& system, const std::vector<model::Clause>& goal)
    : system_(system),
      network_(system),
      goal_(compile_goal(network_, goal)),
      machine_(network_.program()),
      dim_(static_cast<uint32_t>(system.clocks.size())) {}

bool Replay::supports(const model::System& system, const std::vector<model::Clause>& goal) {
  return !system.is_preemptive() &&
         std::none_of(system.channels.begin(), system.channels.end(), [](const auto& c) { return c.broadcast; }) &&
         std::all_of(goal.begin(), goal.end(), [](const auto& c) { return c.deadlock == model::DeadlockTest::Ignore; });
}

bool Replay::constrain(const std::vector<CompiledConstraint>& constraints) {
  for (const CompiledConstraint& c : constraints) {
    if (!machine_.holds(c.condition, at_.values.data())) continue;
    const int32_t bound = c.constant ? c.bound : machine_.value(c.bound_code, at_.values.data());
    if (!dbm::constrain(at_.zone.data(), dim_, c.left, c.right, make_bound(bound, c.strict))) return false;
  }
  return true;
}

bool Replay::settle() {
  if (!network_.invariants_hold(machine_, at_.values.data())) return false;
  const auto impose = [&] {
    return std::all_of(network_.clock_invariant_processes().begin(), network_.clock_invariant_processes().end(),
                       [&](uint32_t p) { return constrain(network_.location(p, at_.values.data()).clock_invariant); });
  };
  if (!impose()) return false;
  if (!network_.may_delay(machine_, at_.values.data())) return true;
  dbm::up(at_.zone.data(), dim_);
  return impose();
}

bool Replay::start() {
  at_.values = system_.initial_values();
  at_.zone.assign(size_t{dim_} * dim_, kZeroLe);
  return settle();
}

bool Replay::step(std::span<const uint32_t> edges) {
  try {
    return fire(edges);
  } catch (const model::EvalFailure&) {
    machine_.undo(at_.values.data());
    return false;
  }
}

bool Replay::fire(std::span<const uint32_t> edges) {
  int32_t* values = at_.values.data();
  bool committed = false;
  bool from_committed = false;
  for (const model::Process& p : system_.processes) {
    const auto l = static_cast<size_t>(values[p.location.value]);
    committed = committed || p.locations[l].kind == LocationKind::Committed;
  }
  for (const uint32_t e : edges) {
    const model::Edge& edge = system_.edges[e];
    if (values[system_.process(edge.process).location.value] != static_cast<int32_t>(edge.source)) return false;
    from_committed = from_committed || network_.edge(e).from_committed;
    if (!machine_.holds(network_.edge(e).guard, values)) return false;
  }
  if (committed && !from_committed) return false;
  for (const uint32_t e : edges) {
    if (!constrain(network_.edge(e).clock_guard)) return false;
  }
  const bool fired = network_.fire(machine_, values, edges);
  for (const model::ClockReset& r : machine_.resets()) dbm::reset(at_.zone.data(), dim_, r.clock.value, r.value);
  const std::vector<int32_t> reached = at_.values;
  machine_.undo(values);
  at_.values = reached;
  return fired && settle();
}

std::optional<size_t> Replay::goal_clause() {
  const std::vector<Bound> zone = at_.zone;
  try {
    for (size_t i = 0; i < goal_.size(); ++i) {
      if (!machine_.holds(goal_[i].conditions, at_.values.data())) continue;
      const bool holds = constrain(goal_[i].clocks);
      at_.zone = zone;
      if (holds) return i;
    }
  } catch (const model::EvalFailure&) {
    at_.zone = zone;
  }
  return std::nullopt;
}

}  // namespace harrier::space
