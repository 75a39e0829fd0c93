// Looks at the end of the path, at the states that follow at once, and at all that a process in exclusive control leads
// to from there: a search may pass through these without a name for them.
//
// Clock guards and invariants are left out of this look-out; whether the failure can happen in time is for the times of
// the trace and the validator to say, and the next place is tried if it cannot.
#include "trace/failure.h"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

#include "base/error.h"
#include "trace/concrete.h"
#include "trace/validator.h"

namespace harrier::trace {

namespace {

using model::ClockConstraint;
using model::EdgeId;
using model::EvalFailure;
using model::System;
using Edges = ConcreteSemantics::Edges;
using Values = std::vector<int32_t>;
using Part = PathFailure::Part;

constexpr size_t kMostStates = 10'000;

System without_clock_conditions(System system) {
  for (model::Process& process : system.processes) {
    for (model::Location& location : process.locations) location.clock_invariant.clear();
  }
  for (model::Edge& edge : system.edges) edge.clock_guard.clear();
  return system;
}

class LookOut {
 public:
  LookOut(const System& system, const model::Property& property, const Path& path, const Watch& watch)
      : system_(system),
        property_(property),
        path_(path),
        watch_(watch),
        wanted_(path.failure->failure),
        untimed_(without_clock_conditions(system)),
        semantics_(untimed_),
        run_(system) {}

  std::optional<Trace> trace() {
    if (system_.beginning.valid() && path_.steps.empty()) {
      look_at_beginnings();
    } else if (!walk()) {
      return std::nullopt;
    }
    while (!found_ && !open_.empty()) {
      watch_.poll();
      const Place place = std::move(open_.front());
      open_.pop_front();
      look_at(place);
    }
    return std::move(found_);
  }

 private:
  using Choices = ConcreteSemantics::Choices;

  struct Place {
    std::vector<PathStep> way;  // from the end of the path
    Values values;
    Choices beginning;
  };

  // Along the path.
  bool walk() {
    auto start = semantics_.initial(path_.beginning);
    if (!start) return false;
    Values values = std::move(start->values);
    if (path_.steps.empty() && fails([&] { invariants(values); })) tried(Part::Invariant, {}, {});
    for (const PathStep& step : path_.steps) {
      watch_.poll();
      const auto after = step_to(step, values);
      if (!after) return false;
      values = *after;
    }
    open_.push_back({{}, std::move(values), path_.beginning});
    return true;
  }

  // A search that fails before its first step does not say in which initial state, or in the making of which.
  void look_at_beginnings() {
    const Edges edges{system_.beginning};
    std::vector<ConcreteSemantics::FailingEffect> failing;
    semantics_.for_each_effect(
        edges, semantics_.initial(),
        [&](const ConcreteSemantics::State& state, const Choices& choices) {
          Place place{{}, state.values, choices};
          if (fails([&] { invariants(state.values); })) tried(Part::Invariant, {}, place);
          if (seen_.insert(state.values).second) open_.push_back(std::move(place));
          return seen_.size() < kMostStates;
        },
        &failing);
    try_transition(edges, {}, failing);
  }

  // The first of the ways in which a transition fails that the search has met.
  bool try_transition(const Edges& edges, const Place& place,
                      const std::vector<ConcreteSemantics::FailingEffect>& failing) {
    return std::any_of(failing.begin(), failing.end(), [&](const auto& f) {
      return same(f.failure) && tried(Part::Transition, edges, place, f.choices);
    });
  }

  ConcreteSemantics::State state(const Values& values) const {
    return {values, std::vector<int64_t>(system_.clocks.size(), 0)};
  }

  // Whether an evaluation fails as it did in the search.
  template <class Evaluate>
  bool fails(const Evaluate& evaluate) const {
    try {
      evaluate();
    } catch (const EvalFailure& failure) {
      return failure.fault != model::Fault::RangeViolation && same(failure);  // of the model: that is no failure
    } catch (const model::RunTimeError& error) {
      return same(error.failure);
    }
    return false;
  }

  bool same(const EvalFailure& f) const {
    return f.fault == wanted_.fault && f.at.file == wanted_.at.file && f.at.line == wanted_.at.line &&
           f.at.column == wanted_.at.column;
  }

  // The state after a step; nothing if it fails or is not possible.
  std::optional<Values> step_to(const PathStep& step, const Values& values) {
    try {
      auto after = semantics_.effect_of(step.edges, state(values), step.choices);
      if (after && semantics_.invariant_holds(*after)) return std::move(after->values);
    } catch (const model::RunTimeError&) {
      return std::nullopt;
    }
    return std::nullopt;
  }

  void bounds(const std::vector<ClockConstraint>& constraints, const Values& values) {
    for (const ClockConstraint& c : constraints) {
      if (!c.condition.valid() || run_.value(c.condition, values) != 0) run_.value(c.bound, values);
    }
  }

  void invariants(const Values& values) {
    for (const model::Process& process : system_.processes) {
      const auto& location = process.locations[static_cast<size_t>(values[process.location.value])];
      if (run_.holds(location.invariant, values)) bounds(location.clock_invariant, values);
    }
  }

  // The trace that fails there, if it can be.
  bool tried(Part part, const Edges& edges, const Place& place, Choices choices = {}) {
    Path path = path_;
    path.beginning = place.beginning;
    for (const PathStep& step : place.way) path.steps.push_back(step);
    path.failure->part = part;
    path.failure->edges = edges;
    path.failure->choices = std::move(choices);
    try {
      Trace trace = build_trace(system_, property_, path, watch_);
      if (validate(system_, property_, trace, watch_).valid) found_ = std::move(trace);
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Internal) throw;  // there are no times for it
    }
    return found_.has_value();
  }

  void look_at(const Place& place) {
    const Values& values = place.values;
    if (fails([&] { semantics_.evaluate(property_, state(values)); }) && tried(Part::Goal, {}, place)) return;
    std::vector<ConcreteSemantics::FailingGuard> guards;
    const std::vector<Edges> candidates = semantics_.candidates(state(values), guards);
    for (const auto& guard : guards) {
      if (same(guard.failure) && tried(Part::Guard, {guard.edge}, place)) return;
    }
    for (const Edges& edges : candidates) {
      for (const EdgeId id : edges) {
        if (fails([&] { bounds(system_.edge(id).clock_guard, values); }) && tried(Part::Guard, {id}, place)) return;
      }
      std::vector<ConcreteSemantics::FailingEffect> failing;
      semantics_.for_each_effect(
          edges, state(values),
          [&](const ConcreteSemantics::State& after, const Choices& choices) {
            bool possible = false;
            const bool failed = fails([&] {
              invariants(after.values);
              possible = semantics_.invariant_holds(after);
            });
            if (failed) failing.push_back({choices, wanted_});
            if (possible) add(place, {edges, choices}, after.values);
            return true;
          },
          &failing);
      if (try_transition(edges, place, failing)) return;
    }
  }

  void add(const Place& place, PathStep step, const Values& after) {
    const bool inside = system_.control.valid() && after[system_.control.value] != system_.control_at_rest();
    if (!place.way.empty() && !inside) return;
    if (seen_.size() >= kMostStates || !seen_.insert(after).second) return;
    Place next{place.way, after, place.beginning};
    next.way.push_back(std::move(step));
    open_.push_back(std::move(next));
  }

  const System& system_;
  const model::Property& property_;
  const Path& path_;
  const Watch& watch_;
  EvalFailure wanted_;
  System untimed_;
  ConcreteSemantics semantics_;
  model::Interpreter run_;
  std::deque<Place> open_;
  std::set<Values> seen_;
  std::optional<Trace> found_;
};

}  // namespace

std::optional<Trace> failure_trace(const System& system, const model::Property& property, const Path& path,
                                   const Watch& watch) {
  return LookOut(system, property, path, watch).trace();
}

}  // namespace harrier::trace
