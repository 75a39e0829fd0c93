// The concrete semantics, definition by definition (see the header).
#include "trace/concrete.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "model/axioms.h"

namespace harrier::trace {

using model::Channel;
using model::Clause;
using model::ClockConstraint;
using model::DeadlockTest;
using model::Direction;
using model::Edge;
using model::EdgeId;
using model::EvalFailure;
using model::ExprId;
using model::Fault;
using model::Location;
using model::LocationKind;
using model::Process;

namespace {

constexpr int64_t kNever = std::numeric_limits<int64_t>::min() / 2;

// The value that `evaluate` yields, or `otherwise` after a range violation: for what is part of the model.
template <class Function, class Value>
Value or_after_violation(const model::System& system, Value otherwise, const Function& evaluate) {
  try {
    return evaluate();
  } catch (const EvalFailure& failure) {
    if (failure.fault != Fault::RangeViolation) throw to_error(system, failure);
    return otherwise;
  }
}

// The value that `evaluate` yields, which a range violation keeps it from as a run-time error does: for queries.
template <class Function>
auto or_error(const model::System& system, const Function& evaluate) {
  try {
    return evaluate();
  } catch (const EvalFailure& failure) {
    throw to_error(system, failure);
  }
}

}  // namespace

// A set of delays: lo < or <= d, and d < or <= hi where there is an upper end.
struct ConcreteSemantics::Delays {
  int64_t lo = 0;
  bool lo_strict = false;
  int64_t hi = std::numeric_limits<int64_t>::max();
  bool hi_strict = true;

  void at_least(int64_t bound, bool strict) {
    if (bound < lo) return;
    lo_strict = bound > lo ? strict : lo_strict || strict;
    lo = bound;
  }
  void at_most(int64_t bound, bool strict) {
    if (bound > hi) return;
    hi_strict = bound < hi ? strict : hi_strict || strict;
    hi = bound;
  }
  bool empty() const { return lo > hi || (lo == hi && (lo_strict || hi_strict)); }
};

// What a transition makes of the variables, and which clocks it resets.
struct ConcreteSemantics::Outcome {
  std::vector<int32_t> values;
  std::vector<model::ClockReset> resets;
};

ConcreteSemantics::State ConcreteSemantics::initial() const {
  return {system_.initial_values(), std::vector<int64_t>(system_.clocks.size(), 0)};
}

std::optional<ConcreteSemantics::State> ConcreteSemantics::initial(const Choices& choices) {
  if (system_.beginning.valid()) {
    if (!guard_holds(system_.beginning, initial())) return std::nullopt;
    return effect_of({system_.beginning}, initial(), choices);
  }
  return choices.empty() ? std::optional(initial()) : std::nullopt;
}

std::vector<ConcreteSemantics::State> ConcreteSemantics::initial_states() {
  std::vector<State> out;
  const auto add = [&](const State& state) {
    if (invariant_holds(state) && std::find(out.begin(), out.end(), state) == out.end()) out.push_back(state);
  };
  if (!system_.beginning.valid()) {
    add(initial());
    return out;
  }
  if (!guard_holds(system_.beginning, initial())) return out;
  for_each_effect({system_.beginning}, initial(), [&](const State& state, const Choices&) {
    add(state);
    return true;
  });
  return out;
}

ConcreteSemantics::State ConcreteSemantics::delayed(const State& state, int64_t delay) {
  State later = state;
  for (size_t i = 1; i < later.clocks.size(); ++i) later.clocks[i] += delay;
  return later;
}

const Location& ConcreteSemantics::location(const Process& process, const State& state) const {
  return process.locations[static_cast<size_t>(state.values[process.location.value])];
}

bool ConcreteSemantics::conditions_hold(const std::vector<ExprId>& conditions, const State& state) {
  return or_after_violation(system_, false, [&] { return run_.holds(conditions, state.values); });
}

std::optional<int64_t> ConcreteSemantics::plain_bound(const ClockConstraint& constraint, const State& state) {
  if (constraint.condition.valid() && run_.value(constraint.condition, state.values) == 0) return std::nullopt;
  return denominator_ * run_.value(constraint.bound, state.values);
}

std::optional<int64_t> ConcreteSemantics::bound(const ClockConstraint& constraint, const State& state) {
  return or_after_violation(system_, std::optional(kNever), [&] { return plain_bound(constraint, state); });
}

bool ConcreteSemantics::within(const std::optional<int64_t>& limit, const ClockConstraint& c, const State& state) {
  if (!limit) return true;
  const int64_t difference = state.clocks[c.left.value] - state.clocks[c.right.value];
  return c.strict ? difference < *limit : difference <= *limit;
}

bool ConcreteSemantics::holds(const ClockConstraint& constraint, const State& state) {
  return within(bound(constraint, state), constraint, state);
}

bool ConcreteSemantics::holds_all(const std::vector<ClockConstraint>& constraints, const State& state) {
  return std::all_of(constraints.begin(), constraints.end(), [&](const auto& c) { return holds(c, state); });
}

bool ConcreteSemantics::guard_holds(EdgeId edge, const State& state) {
  const Edge& e = system_.edge(edge);
  return conditions_hold(e.guard, state) && holds_all(e.clock_guard, state);
}

bool ConcreteSemantics::invariant_holds(const State& state) {
  return std::all_of(system_.processes.begin(), system_.processes.end(), [&](const Process& process) {
    const Location& l = location(process, state);
    return conditions_hold(l.invariant, state) && holds_all(l.clock_invariant, state);
  });
}

// Why no time at all may pass, as far as locations are concerned.
std::optional<std::string> ConcreteSemantics::standing_still(const State& state) const {
  for (const Process& process : system_.processes) {
    const Location& l = location(process, state);
    if (l.kind == LocationKind::Normal) continue;
    return fmt::format("time may not pass in the {} location {}.{}",
                       l.kind == LocationKind::Urgent ? "urgent" : "committed", process.name, l.name);
  }
  return std::nullopt;
}

bool ConcreteSemantics::urgent_synchronisation(const State& state) {
  // The processes met so far that can send and receive on each channel.
  struct Partners {
    std::vector<uint32_t> senders, receivers;
  };
  std::vector<Partners> partners(system_.channels.size());
  for (const Process& process : system_.processes) {
    const int32_t here = state.values[process.location.value];
    for (const EdgeId id : process.edges) {
      const Edge& e = system_.edge(id);
      if (e.direction == Direction::Internal || static_cast<int32_t>(e.source) != here) continue;
      const Channel& channel = system_.channel(e.channel);
      if (!channel.urgent || !guard_holds(id, state)) continue;
      if (channel.broadcast && e.direction == Direction::Send) return true;
      Partners& p = partners[e.channel.value];
      const auto& others = e.direction == Direction::Send ? p.receivers : p.senders;
      if (!channel.broadcast &&
          std::any_of(others.begin(), others.end(), [&](auto o) { return o != e.process.value; })) {
        return true;
      }
      (e.direction == Direction::Send ? p.senders : p.receivers).push_back(e.process.value);
    }
  }
  return false;
}

bool ConcreteSemantics::may_delay(const State& state) {
  return !standing_still(state) && !urgent_synchronisation(state);
}

void ConcreteSemantics::add_breakpoints(const std::vector<ClockConstraint>& constraints, const State& state,
                                        std::vector<int64_t>& out) {
  for (const ClockConstraint& c : constraints) {
    if ((c.left.value == 0) == (c.right.value == 0)) continue;  // time does not change it
    const auto limit = bound(c, state);
    if (!limit || *limit == kNever) continue;
    const int64_t moment =
        c.right.value == 0 ? *limit - state.clocks[c.left.value] : -*limit - state.clocks[c.right.value];
    if (moment > 0) out.push_back(moment);
  }
}

// All moments from now on at which an invariant or a guard may change, in order; the first is 0.
std::vector<int64_t> ConcreteSemantics::breakpoints(const State& state, bool urgent_only) {
  std::vector<int64_t> out{0};
  for (const Process& process : system_.processes) {
    if (!urgent_only) add_breakpoints(location(process, state).clock_invariant, state, out);
    for (const EdgeId id : process.edges) {
      const Edge& e = system_.edge(id);
      if (static_cast<int32_t>(e.source) != state.values[process.location.value]) continue;
      const bool urgent = e.direction != Direction::Internal && system_.channel(e.channel).urgent;
      if (urgent || !urgent_only) add_breakpoints(e.clock_guard, state, out);
    }
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::optional<std::string> ConcreteSemantics::delay_obstacle(const State& state, int64_t delay) {
  if (delay < 0) return "the delay is negative";
  if (delay == 0) return std::nullopt;
  if (auto why = standing_still(state)) return why;
  const State end = delayed(state, delay);
  if (!invariant_holds(state)) return "an invariant does not hold before the delay";
  if (!invariant_holds(end)) return "an invariant does not hold any more at the end of the delay";
  // Between two breakpoints nothing changes; half units reach the space between them.
  ConcreteSemantics fine(system_, 2 * denominator_);
  State doubled = state;
  for (int64_t& clock : doubled.clocks) clock *= 2;
  for (const int64_t moment : breakpoints(state, true)) {
    if (moment >= delay) break;
    if (fine.urgent_synchronisation(delayed(doubled, 2 * moment)) ||
        fine.urgent_synchronisation(delayed(doubled, 2 * moment + 1))) {
      return "time may not pass while a synchronisation on an urgent channel is enabled";
    }
  }
  return std::nullopt;
}

std::vector<ConcreteSemantics::Edges> ConcreteSemantics::candidates(const State& state) {
  std::vector<FailingGuard> failing;
  std::vector<Edges> out = candidates(state, failing);
  if (!failing.empty()) throw to_error(system_, failing.front().failure);
  return out;
}

std::vector<ConcreteSemantics::Edges> ConcreteSemantics::candidates(const State& state,
                                                                    std::vector<FailingGuard>& failing) {
  // The edges of each process whose guards hold, or fail.
  std::vector<Edges> open(system_.processes.size());
  std::vector<FailingGuard> failures;
  const auto failure_of = [&](EdgeId id) {
    return std::find_if(failures.begin(), failures.end(), [&](const FailingGuard& f) { return f.edge == id; });
  };
  const auto is_open = [&](EdgeId id) {
    try {
      return guard_holds(id, state);
    } catch (const model::RunTimeError& error) {
      failures.push_back({id, error.failure});
      return true;
    }
  };
  bool committed = false;
  for (size_t p = 0; p < system_.processes.size(); ++p) {
    const Process& process = system_.processes[p];
    committed = committed || location(process, state).kind == LocationKind::Committed;
    for (const EdgeId id : process.edges) {
      const Edge& e = system_.edge(id);
      if (static_cast<int32_t>(e.source) == state.values[process.location.value] && is_open(id)) {
        open[p].push_back(id);
      }
    }
  }
  std::vector<Edges> out;
  const auto leaves_committed = [&](EdgeId id) {
    const Edge& e = system_.edge(id);
    return system_.process(e.process).locations[e.source].kind == LocationKind::Committed;
  };
  const auto add = [&](const Edges& edges) {
    if (!committed || std::any_of(edges.begin(), edges.end(), leaves_committed)) out.push_back(edges);
  };
  const auto receivers = [&](size_t p, model::ChannelId channel) {
    Edges result;
    for (const EdgeId id : open[p]) {
      const Edge& e = system_.edge(id);
      if (e.direction == Direction::Receive && e.channel == channel) result.push_back(id);
    }
    return result;
  };
  for (size_t p = 0; p < open.size(); ++p) {
    for (const EdgeId id : open[p]) {
      const Edge& e = system_.edge(id);
      if (e.direction == Direction::Internal) add({id});
      if (e.direction != Direction::Send) continue;
      if (failure_of(id) != failures.end()) {
        out.push_back({id});
        continue;
      }
      std::vector<Edges> partial{{id}};
      for (size_t q = 0; q < open.size(); ++q) {
        if (q == p) continue;
        const Edges choices = receivers(q, e.channel);
        if (!system_.channel(e.channel).broadcast) {
          for (const EdgeId receiver : choices) add({id, receiver});
        } else if (!choices.empty()) {
          // Every process that can receive does, by one of its edges.
          std::vector<Edges> extended;
          for (const Edges& chosen : partial) {
            for (const EdgeId receiver : choices) {
              extended.push_back(chosen);
              extended.back().push_back(receiver);
            }
          }
          partial = std::move(extended);
        }
      }
      if (system_.channel(e.channel).broadcast) {
        for (const Edges& complete : partial) add(complete);
      }
    }
  }
  if (system_.is_preemptive()) out = not_preempted(std::move(out), state);
  if (failures.empty()) return out;
  std::erase_if(out, [&](const Edges& edges) {
    bool fails = false;
    for (const EdgeId id : edges) {
      if (const auto failure = failure_of(id); failure != failures.end()) {
        failing.push_back(*failure);
        fails = true;
      }
    }
    return fails;
  });
  return out;
}

std::vector<ConcreteSemantics::Edges> ConcreteSemantics::not_preempted(std::vector<Edges> open,
                                                                       const State& state) const {
  const auto first = [&](const Edges& edges) -> const Edge& { return system_.edge(edges.front()); };
  if (system_.control.valid() && state.values[system_.control.value] != 0) {
    const auto process = static_cast<uint32_t>(state.values[system_.control.value] - 1);
    std::erase_if(open, [&](const Edges& edges) { return first(edges).process.value != process; });
    if (system_.claim.value == process) {
      std::erase_if(open, [&](const Edges& edges) { return first(edges).when_idle; });
    }
  } else if (system_.claim.valid()) {
    const auto of_claim = [&](const Edges& edges) { return first(edges).process == system_.claim; };
    const bool blocked = std::all_of(open.begin(), open.end(), of_claim);
    std::erase_if(open, [&](const Edges& edges) { return of_claim(edges) && !(blocked && first(edges).when_idle); });
  }
  if (std::any_of(open.begin(), open.end(), [&](const Edges& edges) { return !first(edges).when_idle; })) {
    std::erase_if(open, [&](const Edges& edges) { return first(edges).when_idle; });
  }
  std::vector<Edges> out;
  std::copy_if(open.begin(), open.end(), std::back_inserter(out), [&](const Edges& edges) {
    return std::none_of(open.begin(), open.end(), [&](const Edges& other) {
      return first(other).process == first(edges).process && first(other).urgency > first(edges).urgency;
    });
  });
  return out;
}

void ConcreteSemantics::pass_control(const Edges& edges, std::vector<int32_t>& values) {
  if (!system_.control.valid()) return;
  int32_t& control = values[system_.control.value];
  control = 0;
  for (const EdgeId id : edges) {
    const Edge& e = system_.edge(id);
    if (e.keeps_control) control = static_cast<int32_t>(e.process.value) + 1;
  }
  if (control != 0 && !can_go_on(values)) control = 0;
  const Edge& first = system_.edge(edges.front());
  const bool claims_turn_ends = first.process == system_.claim && !first.when_idle;
  if (control == 0 && !claims_turn_ends) control = system_.control_at_rest();
}

// Whether the process in control can start a transition.
bool ConcreteSemantics::can_go_on(const std::vector<int32_t>& values) {
  const auto moves = candidates({values, std::vector<int64_t>(system_.clocks.size(), 0)});
  const auto waits = [&](const Edges& move) { return system_.edge(move.front()).when_idle; };
  return !std::all_of(moves.begin(), moves.end(), waits);
}

std::optional<ConcreteSemantics::Outcome> ConcreteSemantics::outcome_of(const Edges& edges,
                                                                        const std::vector<int32_t>& values,
                                                                        model::Choices& choices) {
  choices.rewind();
  return or_after_violation(system_, std::optional<Outcome>(), [&]() -> std::optional<Outcome> {
    Outcome outcome{values, {}};
    run_.execute(system_.before_update, outcome.values, outcome.resets);
    for (const EdgeId id : edges) {
      if (!run_.execute(system_.edge(id).effect, outcome.values, outcome.resets, choices)) return std::nullopt;
    }
    run_.execute(system_.after_update, outcome.values, outcome.resets);
    for (const EdgeId id : edges) {
      const Edge& e = system_.edge(id);
      outcome.values[system_.process(e.process).location.value] = static_cast<int32_t>(e.target);
    }
    model::derive(system_, outcome.values);
    pass_control(edges, outcome.values);
    return std::optional<Outcome>(std::move(outcome));
  });
}

std::optional<ConcreteSemantics::State> ConcreteSemantics::effect_of(const Edges& edges, const State& state,
                                                                     const Choices& choices) {
  model::Choices made;
  made.set(choices);
  auto after = effect_of(edges, state, made);
  return made.made().size() == choices.size() ? after : std::nullopt;
}

std::optional<ConcreteSemantics::State> ConcreteSemantics::effect_of(const Edges& edges, const State& state,
                                                                     model::Choices& choices) {
  auto outcome = outcome_of(edges, state.values, choices);
  if (!outcome) return std::nullopt;
  State after{std::move(outcome->values), state.clocks};
  for (const auto& reset : outcome->resets) after.clocks[reset.clock.value] = reset.value * denominator_;
  return after;
}

ConcreteSemantics::Priority ConcreteSemantics::priority(const Edges& edges) const {
  const Edge& first = system_.edge(edges.front());
  Priority result{system_.internal_priority, system_.process(first.process).priority};
  if (first.direction != Direction::Internal) result.channel = system_.channel(first.channel).priority;
  for (const EdgeId id : edges) {
    result.process = std::max(result.process, system_.process(system_.edge(id).process).priority);
  }
  return result;
}

std::vector<ConcreteSemantics::Move> ConcreteSemantics::enabled(const State& state) {
  std::vector<Move> moves;
  for (const Edges& edges : candidates(state)) {
    for_each_effect(edges, state, [&](const State& after, const Choices& choices) {
      if (invariant_holds(after)) moves.push_back({edges, after, choices});
      return true;
    });
  }
  if (moves.empty() || !system_.has_priorities()) return moves;
  Priority highest = priority(moves.front().edges);
  for (const Move& move : moves) highest = std::max(highest, priority(move.edges));
  std::erase_if(moves, [&](const Move& move) { return priority(move.edges) < highest; });
  return moves;
}

// Whether the invariants hold in the target of a transition that fires after one of the given delays.
bool ConcreteSemantics::target_allows(const Outcome& outcome, const State& state, Delays delays) {
  // Every clock is base + slope * delay.
  State base{outcome.values, state.clocks};
  std::vector<int> slope(state.clocks.size(), 1);
  slope[0] = 0;
  for (const auto& reset : outcome.resets) {
    base.clocks[reset.clock.value] = reset.value * denominator_;
    slope[reset.clock.value] = 0;
  }
  for (const Process& process : system_.processes) {
    const Location& l = location(process, base);
    if (!conditions_hold(l.invariant, base)) return false;
    for (const ClockConstraint& c : l.clock_invariant) {
      const auto limit = bound(c, base);
      if (!limit) continue;
      if (*limit == kNever) return false;
      const int64_t slack = *limit - (base.clocks[c.left.value] - base.clocks[c.right.value]);
      switch (slope[c.left.value] - slope[c.right.value]) {
        case 1: delays.at_most(slack, c.strict); break;
        case -1: delays.at_least(-slack, c.strict); break;
        default:
          if (slack < 0 || (slack == 0 && c.strict)) return false;
      }
    }
  }
  return !delays.empty();
}

bool ConcreteSemantics::is_deadlock(const State& state) {
  // The delays are cut at the breakpoints: 0, (0, b1), b1, (b1, b2), …, beyond the last. Within a piece the same
  // guards hold, so that one sample of it, in half units, tells the candidates of all.
  ConcreteSemantics fine(system_, 2 * denominator_);
  State doubled = state;
  for (int64_t& clock : doubled.clocks) clock *= 2;
  const bool still = standing_still(state).has_value();
  const auto can_move = [&](const State& sample, const Delays& piece) {
    const auto candidates = fine.candidates(sample);
    return std::any_of(candidates.begin(), candidates.end(), [&](const Edges& edges) {
      model::Choices choices;
      do {
        const auto outcome = outcome_of(edges, state.values, choices);
        if (outcome && target_allows(*outcome, state, piece)) return true;
      } while (choices.next());
      return false;
    });
  };
  const std::vector<int64_t> moments = breakpoints(state, false);
  for (size_t i = 0; i < moments.size(); ++i) {
    const int64_t moment = moments[i];
    const State at = delayed(doubled, 2 * moment);
    if (moment != 0 && !fine.invariant_holds(at)) return true;
    if (can_move(at, {moment, false, moment, false})) return false;
    if (still || fine.urgent_synchronisation(at)) return true;
    const State between = delayed(doubled, 2 * moment + 1);
    if (!fine.invariant_holds(between) || fine.urgent_synchronisation(between)) return true;
    Delays piece{moment, true};
    if (i + 1 < moments.size()) piece.hi = moments[i + 1];
    if (can_move(between, piece)) return false;
  }
  return true;
}

std::optional<ConcreteSemantics::Limits> ConcreteSemantics::limits(const Clause& clause, const State& state) {
  return or_error(system_, [&]() -> std::optional<Limits> {
    if (!run_.holds(clause.conditions, state.values)) return std::nullopt;
    Limits out;
    for (const ClockConstraint& c : clause.clocks) out.push_back(plain_bound(c, state));
    return out;
  });
}

void ConcreteSemantics::evaluate(const model::Property& property, const State& state) {
  bool holds = false;
  for (const Clause& clause : property.goal) holds = limits(clause, state).has_value() || holds;
  if (property.kind == model::PropertyKind::LeadsTo) {
    for (const Clause& clause : property.premise) limits(clause, state);
  }
  for (const model::Term& term : property.terms) {
    if (holds && term.expr.valid()) or_error(system_, [&] { return run_.value(term.expr, state.values); });
  }
}

bool ConcreteSemantics::holds(const Clause& clause, const State& state) {
  const auto bounds = limits(clause, state);
  if (!bounds) return false;
  for (size_t i = 0; i < bounds->size(); ++i) {
    if (!within((*bounds)[i], clause.clocks[i], state)) return false;
  }
  switch (clause.deadlock) {
    case DeadlockTest::Ignore: return true;
    case DeadlockTest::IsDeadlock: return is_deadlock(state);
    case DeadlockTest::NotDeadlock: return !is_deadlock(state);
  }
  return false;
}

bool ConcreteSemantics::goal(const std::vector<Clause>& clauses, const State& state) {
  return std::any_of(clauses.begin(), clauses.end(), [&](const Clause& clause) { return holds(clause, state); });
}

std::vector<int64_t> ConcreteSemantics::moments_of(const std::vector<Clause>& clauses, const State& state) {
  std::vector<int64_t> out;
  for (const Clause& clause : clauses) {
    if (conditions_hold(clause.conditions, state)) add_breakpoints(clause.clocks, state, out);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace harrier::trace
