#include "step/replay.h"

#include <algorithm>

#include "model/interpreter.h"

namespace harrier::step {

using model::DeadlockTest;

Replay::Replay(const Semantics& semantics, const Watch& watch)
    : semantics_(semantics),
      network_(semantics.network()),
      generator_(semantics, watch),
      probe_(network_.program(), watch),
      dim_(static_cast<uint32_t>(semantics.system().clocks.size())) {}

bool Replay::supports(const model::System& system, const std::vector<model::Clause>& goal) {
  if (system.has_choices()) return false;
  if (system.clocks.size() <= 1) return true;
  return !system.is_preemptive() &&
         std::none_of(system.channels.begin(), system.channels.end(), [](const auto& c) { return c.broadcast; }) &&
         std::all_of(goal.begin(), goal.end(), [](const auto& c) { return c.deadlock == DeadlockTest::Ignore; });
}

void Replay::set_position(const Position& position) {
  generator_.load(position.values);
  zone_ = position.zone;
}

bool Replay::constrain(const Atom& atom) {
  return dbm::constrain(zone_.data(), dim_, atom.left, atom.right, atom.bound);
}

bool Replay::constrain(const std::vector<CompiledConstraint>& constraints) {
  return std::all_of(constraints.begin(), constraints.end(), [&](const CompiledConstraint& c) {
    const auto atom = demand(probe_, c, generator_.values());
    return !atom || constrain(*atom);
  });
}

bool Replay::settle() {
  const auto impose = [&] {
    return std::all_of(
        network_.clock_invariant_processes().begin(), network_.clock_invariant_processes().end(),
        [&](uint32_t p) { return constrain(network_.location(p, generator_.values()).clock_invariant); });
  };
  if (!impose()) return false;
  if (!network_.may_delay(probe_, generator_.values())) return true;
  dbm::up(zone_.data(), dim_);
  return impose();
}

bool Replay::start() {
  zone_.assign(size_t{dim_} * dim_, kZeroLe);
  return generator_.load_initial() && settle();
}

bool Replay::step(std::span<const uint32_t> edges) {
  zone_before_ = zone_;
  bool fired = false;
  try {
    fired = generator_.permits(edges) && fire(edges);
  } catch (const model::EvalFailure&) {
    probe_.keep();
  }
  if (fired) {
    generator_.keep();
  } else {
    generator_.take_back();
    zone_.swap(zone_before_);
  }
  return fired;
}

bool Replay::fire(std::span<const uint32_t> edges) {
  for (const uint32_t e : edges) {
    if (!constrain(network_.edge(e).clock_guard)) return false;
  }
  if (!generator_.make(edges)) return false;
  for (const model::ClockReset& r : generator_.resets()) dbm::reset(zone_.data(), dim_, r.clock.value, r.value);
  return settle();
}

std::optional<size_t> Replay::goal_clause() {
  try {
    if (!semantics_.timed()) return generator_.goal();
    return first_clause(semantics_.goal(), [&](const CompiledClause& clause) {
      if (!conditions_hold(probe_, clause, generator_.values())) return false;
      const std::vector<Atom> wanted = demands(probe_, clause, generator_.values());
      zone_before_ = zone_;
      const bool possible = std::all_of(wanted.begin(), wanted.end(), [&](const Atom& a) { return constrain(a); });
      zone_.swap(zone_before_);
      return possible;
    });
  } catch (const model::EvalFailure&) {
    generator_.recover();
    probe_.keep();
    return std::nullopt;
  }
}

}  // namespace harrier::step
