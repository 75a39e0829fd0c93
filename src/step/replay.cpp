#include "step/replay.h"

#include <algorithm>

#include "model/interpreter.h"

namespace harrier::step {

using model::DeadlockTest;

Replay::Replay(const model::System& system, const std::vector<model::Clause>& goal)
    : system_(system),
      network_(system),
      goal_(compile_goal(network_, goal)),
      machine_(network_.program()),
      has_priorities_(system.has_priorities()),
      dim_(static_cast<uint32_t>(system.clocks.size())) {}

bool Replay::supports(const model::System& system, const std::vector<model::Clause>& goal) {
  if (system.clocks.size() <= 1) return true;
  return !system.is_preemptive() &&
         std::none_of(system.channels.begin(), system.channels.end(), [](const auto& c) { return c.broadcast; }) &&
         std::all_of(goal.begin(), goal.end(), [](const auto& c) { return c.deadlock == DeadlockTest::Ignore; });
}

bool Replay::permitted(std::span<const uint32_t> edges) {
  int32_t* values = at_.values.data();
  bool found = false;
  const auto look = [&](const Firing& firing) {
    found = std::equal(edges.begin(), edges.end(), firing.edges.begin(), firing.edges.end());
    return !found;
  };
  const uint32_t process = network_.edge(edges[0]).process;
  if (network_.controlled(values) || network_.is_claim(process) || system_.edges[edges[0]].when_idle) {
    network_.for_each_firing(machine_, values, look);
  } else {
    network_.for_each_firing_of(machine_, values, process, network_.committed(values), look);
  }
  if (!found || !has_priorities_) return found;
  bool blocked = false;
  network_.for_each_firing(machine_, values, [&](const Firing& firing) {
    if (network_.priority(firing.edges) <= network_.priority(edges)) return true;
    blocked = network_.fire(machine_, values, firing.edges);
    machine_.undo(values);
    return !blocked;
  });
  return !blocked;
}

bool Replay::can_move() {
  int32_t* values = at_.values.data();
  bool can = false;
  network_.for_each_firing(machine_, values, [&](const Firing& firing) {
    can = network_.fire(machine_, values, firing.edges);
    machine_.undo(values);
    return !can;
  });
  return can;
}

bool Replay::constrain(const Atom& atom) {
  return dbm::constrain(at_.zone.data(), dim_, atom.left, atom.right, atom.bound);
}

bool Replay::constrain(const std::vector<CompiledConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [&](const CompiledConstraint& c) {
    const auto atom = demand(machine_, c, at_.values.data());
    return !atom || constrain(*atom);
  });
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
  zone_before_ = at_.zone;
  bool fired = false;
  try {
    fired = permitted(edges) && fire(edges);
  } catch (const model::EvalFailure&) {
  }
  if (fired) {
    machine_.keep();
  } else {
    machine_.undo(at_.values.data());
    at_.zone.swap(zone_before_);
  }
  return fired;
}

bool Replay::fire(std::span<const uint32_t> edges) {
  for (const uint32_t e : edges) {
    if (!constrain(network_.edge(e).clock_guard)) return false;
  }
  if (!network_.fire(machine_, at_.values.data(), edges)) return false;
  for (const model::ClockReset& r : machine_.resets()) dbm::reset(at_.zone.data(), dim_, r.clock.value, r.value);
  return settle();
}

std::optional<size_t> Replay::goal_clause() {
  const auto holds = [&](const CompiledClause& clause) {
    if (!conditions_hold(machine_, clause, at_.values.data())) return false;
    const bool dead = clause.deadlock == DeadlockTest::IsDeadlock;
    if (clause.deadlock != DeadlockTest::Ignore && can_move() == dead) return false;
    if (clause.clocks.empty()) return true;
    const std::vector<Atom> wanted = demands(machine_, clause, at_.values.data());
    zone_before_ = at_.zone;
    const bool possible = std::all_of(wanted.begin(), wanted.end(), [&](const Atom& a) { return constrain(a); });
    at_.zone.swap(zone_before_);
    return possible;
  };
  try {
    const auto at = std::find_if(goal_.begin(), goal_.end(), holds);
    if (at != goal_.end()) return static_cast<size_t>(at - goal_.begin());
  } catch (const model::EvalFailure&) {
    machine_.undo(at_.values.data());
  }
  return std::nullopt;
}

}  // namespace harrier::step
