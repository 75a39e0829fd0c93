// The concrete semantics of a system: states with exact clock values, and what they can do, one definition after the
// other and with no cleverness. The trace validator and the brute-force simulator of the test-suite stand on it;
// it shares nothing with `step/`, `store/` and `search/`.
//
// Clock values and delays are integers in units of 1/denominator.
//
//     ConcreteSemantics semantics(system, 2);              // half time units
//     auto state = semantics.initial();
//     if (semantics.may_delay(state)) state = semantics.delayed(state, 1);
//     for (const auto& move : semantics.enabled(state)) …  // move.edges, move.target
//
// What the manual of UPPAAL leaves open is settled here:
//   - before_update, the effects of the edges in their order, after_update, only then the new locations, and at last
//   what
//     follows from axioms;
//   - a range violation in a guard or an invariant makes it false, in an effect it disables the transition; in a query
//     it is a run-time error, whatever the clocks say (step/goal.h);
//   - an urgent synchronisation forbids time to pass as soon as the guards of its edges hold, whatever its effect; a
//     delay may end, but not go on, at the moment at which such a guard becomes true;
//   - the priority of a transition is that of its channel first, then the highest among the processes that take part;
//     a transition that cannot be taken (range violation, invariant of the target) blocks nothing.
// Run-time errors are thrown as model::RunTimeError with their place.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/choices.h"
#include "model/interpreter.h"
#include "model/system.h"

namespace harrier::trace {

class ConcreteSemantics {
 public:
  struct State {
    std::vector<int32_t> values;
    std::vector<int64_t> clocks;  // clocks[0] is the reference clock, 0

    bool operator==(const State&) const = default;
  };

  // The edges that fire together, the sender or internal edge first, then the receivers by process.
  using Edges = std::vector<model::EdgeId>;

  // What the effects of edges choose, in order.
  using Choices = std::vector<int32_t>;

  struct Move {
    Edges edges;
    State target;
    Choices choices = {};
  };

  struct Priority {
    int32_t channel = 0;
    int32_t process = 0;

    auto operator<=>(const Priority&) const = default;
  };

  // The largest denominator for which nothing here can overflow, with clock values up to kLargestTime.
  static constexpr int64_t kLargestDenominator = int64_t{1} << 28;
  static constexpr int64_t kLargestTime = int64_t{1} << 59;

  explicit ConcreteSemantics(const model::System& system, int64_t denominator = 1)
      : system_(system), denominator_(denominator), run_(system) {}

  // The initial values.
  State initial() const;
  // The initial state that is made of them with these choices (System::beginning); nothing if there is none.
  std::optional<State> initial(const Choices& choices);
  // All initial states.
  std::vector<State> initial_states();
  static State delayed(const State& state, int64_t delay);

  bool holds(const model::ClockConstraint& constraint, const State& state);
  bool guard_holds(model::EdgeId edge, const State& state);
  bool invariant_holds(const State& state);

  // Whether time may pass at all, the invariants aside: no urgent or committed location, no urgent synchronisation.
  bool may_delay(const State& state);
  // Why this delay is not possible, or nothing if it is. Invariants are asked at both ends of the delay.
  std::optional<std::string> delay_obstacle(const State& state, int64_t delay);

  // All complete transitions whose guards hold and that obey the rules of committed locations, exclusive control,
  // urgency and idleness.
  std::vector<Edges> candidates(const State& state);
  // The same for a state in which guards may fail, with those that do: only where a rule asks for their value. That of
  // a receiver is not asked for without a sender, nor that of an edge that another one goes before.
  struct FailingGuard {
    model::EdgeId edge;
    model::EvalFailure failure;
  };
  std::vector<Edges> candidates(const State& state, std::vector<FailingGuard>& failing);
  // The state after the effects with these choices; nothing after a range violation or a violated assumption, or if the
  // choices are not those that the effects make. Neither guards nor invariants are asked.
  std::optional<State> effect_of(const Edges& edges, const State& state, const Choices& choices = {});
  // All of them, one after the other: visit(state, choices) until it returns false. Where an effect fails, that goes to
  // the list with the choices made so far; without a list, it is thrown.
  struct FailingEffect {
    Choices choices;
    model::EvalFailure failure;
  };
  template <class Visit>
  void for_each_effect(const Edges& edges, const State& state, Visit&& visit,
                       std::vector<FailingEffect>* failing = nullptr) {
    model::Choices choices;
    const auto made = [&] { return Choices(choices.made().begin(), choices.made().end()); };
    do {
      std::optional<State> after;
      try {
        after = effect_of(edges, state, choices);
      } catch (const model::RunTimeError& error) {
        if (failing == nullptr) throw;
        failing->push_back({made(), error.failure});
      }
      if (after && !visit(*after, made())) return;
    } while (choices.next());
  }
  // All transitions that can be taken right now: candidates whose target exists and satisfies its invariants, and
  // that no transition of higher priority blocks.
  std::vector<Move> enabled(const State& state);
  Priority priority(const Edges& edges) const;
  // Sets the variable of exclusive control as it is after a transition to these values. Does nothing without one.
  void pass_control(const Edges& edges, std::vector<int32_t>& values);

  // No transition can be taken now, nor after any delay.
  bool is_deadlock(const State& state);

  // Evaluates all that a query asks of the variables; it may fail.
  void evaluate(const model::Property& property, const State& state);
  bool holds(const model::Clause& clause, const State& state);
  // Whether any clause holds.
  bool goal(const std::vector<model::Clause>& clauses, const State& state);
  // The moments from now on at which a clock constraint of a clause may change, in order.
  std::vector<int64_t> moments_of(const std::vector<model::Clause>& clauses, const State& state);

 private:
  struct Delays;
  struct Outcome;
  using Limits = std::vector<std::optional<int64_t>>;

  bool conditions_hold(const std::vector<model::ExprId>& conditions, const State& state);
  // The bound in clock units; nothing if the constraint does not apply.
  std::optional<int64_t> plain_bound(const model::ClockConstraint& constraint, const State& state);
  // The same for the model: -infinity if it cannot be evaluated for a range violation.
  std::optional<int64_t> bound(const model::ClockConstraint& constraint, const State& state);
  static bool within(const std::optional<int64_t>& limit, const model::ClockConstraint& constraint, const State& state);
  // The same for the clock constraints of a clause; nothing if its conditions do not hold.
  std::optional<Limits> limits(const model::Clause& clause, const State& state);
  bool holds_all(const std::vector<model::ClockConstraint>& constraints, const State& state);
  // Of transitions whose guards hold, those that control, urgency and idleness leave.
  std::vector<Edges> not_preempted(std::vector<Edges> open, const State& state) const;
  bool can_go_on(const std::vector<int32_t>& values);
  const model::Location& location(const model::Process& process, const State& state) const;
  std::optional<std::string> standing_still(const State& state) const;
  bool urgent_synchronisation(const State& state);
  // The moments after which the truth of a constraint may differ, while time passes.
  void add_breakpoints(const std::vector<model::ClockConstraint>& constraints, const State& state,
                       std::vector<int64_t>& out);
  std::vector<int64_t> breakpoints(const State& state, bool urgent_only);
  std::optional<State> effect_of(const Edges& edges, const State& state, model::Choices& choices);
  std::optional<Outcome> outcome_of(const Edges& edges, const std::vector<int32_t>& values, model::Choices& choices);
  bool target_allows(const Outcome& outcome, const State& state, Delays delays);

  const model::System& system_;
  int64_t denominator_;
  model::Interpreter run_;
};

}  // namespace harrier::trace
