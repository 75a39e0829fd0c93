// From a path to a trace: replays the discrete part with the reference interpreter, collects the constraints that
// every clock condition puts on the moments at which the steps happen, and solves them.
//
// Moment 0 is the start, moment i the firing of step i, moment n + 1 the one at which the goal holds; of p --> q, the
// one at which p holds comes in between. The value of a clock that was last set to r at moment j is T_i - T_j + r at
// moment i.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.h"
#include "model/axioms.h"
#include "model/interpreter.h"
#include "trace/concrete.h"
#include "trace/description.h"
#include "trace/earliest.h"
#include "trace/trace.h"
#include "trace/zones.h"

namespace harrier::trace {

namespace {

using model::ClockConstraint;
using model::Direction;
using model::Edge;
using model::EdgeId;
using model::LocationKind;
using model::Process;
using model::System;
using Values = std::vector<int32_t>;

class Replay {
 public:
  Replay(const System& system, const model::Property& property, const Path& path, const Watch& watch,
         const Delays& delays)
      : system_(system),
        property_(property),
        path_(path),
        watch_(watch),
        delays_(delays),
        run_(system),
        semantics_(system) {
    has_urgent_channels_ =
        std::any_of(system.channels.begin(), system.channels.end(), [](auto& c) { return c.urgent; });
  }

  Trace trace() {
    Trace trace{.model = system_.name,
                .language = system_.language,
                .content_hash = system_.content_hash,
                .property = property_.text,
                .kind = property_.kind,
                .beginning = path_.beginning,
                .goal_clause = path_.goal_clause,
                .loop_start = path_.loop_start,
                .rest = path_.rest};
    if (path_.failure) {
      trace.goal_clause = 0;
      TraceFailure& failure = trace.failure.emplace();
      failure.part = path_.failure->part;
      failure.error = model::fault_text(system_, path_.failure->failure.fault);
      failure.position = failure_place(system_, property_, path_.failure->failure.at);
      for (const EdgeId id : path_.failure->edges) failure.edges.push_back(describe(system_, id));
      failure.choices = path_.failure->choices;
    } else if (ends_in_goal() && path_.goal_clause < property_.goal.size()) {
      const model::Clause& goal = property_.goal[path_.goal_clause];
      trace.reason = goal.text;
      trace.deadlock = goal.deadlock == model::DeadlockTest::IsDeadlock;
    }
    try {
      replay(trace);
    } catch (const model::EvalFailure& failure) {
      wrong(fmt::format("{} at {}", model::fault_text(system_, failure.fault), system_.sources.describe(failure.at)));
    }
    set_times(trace);
    if (system_.clocks.size() > 1 && system_.clocks.size() <= kMaxZoneClocks + 1 &&
        clock_steps_.size() <= kMaxZoneSteps) {
      auto zones = path_zones(system_.clocks, clock_steps_, watch_);
      trace.initial.zone = std::move(zones[0]);
      for (size_t i = 0; i < trace.steps.size(); ++i) trace.steps[i].state.zone = std::move(zones[moments_[i + 1]]);
    }
    return trace;
  }

 private:
  [[noreturn]] void wrong(const std::string& reason) const {
    throw Error(ErrorKind::Internal, fmt::format("the path cannot be replayed at step {}: {}", step_, reason));
  }

  // A path that is maximal ends in a cycle or rests, and its formula holds all the time.
  bool ends_in_goal() const {
    return property_.kind == model::PropertyKind::Reachable || property_.kind == model::PropertyKind::Invariant ||
           (property_.kind == model::PropertyKind::Liveness && !path_.loop_start);
  }

  // The clocks at a state, and at the moment of the premise if it comes before the next step.
  void add_moments(ClockStep step) {
    moments_.push_back(clock_steps_.size());
    clock_steps_.push_back(std::move(step));
    if (!path_.premise || path_.premise->steps + 1 != moments_.size()) return;
    const ClockStep& here = clock_steps_.back();
    ClockStep premise{{}, {}, here.invariant, here.urgent, path_.premise->extra};
    premise_moment_ = clock_steps_.size();
    clock_steps_.push_back(std::move(premise));
  }

  void replay(Trace& trace) {
    Values values = system_.initial_values();
    if (system_.beginning.valid() && !fails_at_the_beginning(path_)) {
      std::vector<model::ClockReset> ignored;
      fire({system_.beginning}, path_.beginning, values, ignored);
    }
    trace.initial.values = values;
    if (fails_at_the_beginning(path_) || (path_.failure && path_.failure->part == PathFailure::Part::Invariant)) {
      add_moments({{}, {}, {}, true});
      return;
    }
    add_moments({{}, {}, invariant(values), stands_still(values)});
    for (const PathStep& path_step : path_.steps) {
      watch_.poll();
      ++step_;
      TraceStep step;
      ClockStep clocks{.guard = path_step.extra, .arrival = path_step.arrival};
      for (const EdgeId id : path_step.edges) {
        check_edge(id, values);
        append_atoms(system_.edge(id).clock_guard, values, clocks.guard);
        step.edges.push_back(describe(system_, id));
      }
      Values after = values;
      fire(path_step.edges, path_step.choices, after, clocks.resets);
      step.choices = path_step.choices;
      clocks.invariant = invariant(after);
      clocks.urgent = stands_still(after);
      step.changed = differences(values, after);
      step.state.values = after;
      values = std::move(after);
      trace.steps.push_back(std::move(step));
      add_moments(std::move(clocks));
    }
    ++step_;
    if (path_.failure) {
      if (path_.failure->part != PathFailure::Part::Transition) return;
      goal_ = path_.goal_extra;
      for (const EdgeId id : path_.failure->edges) append_atoms(system_.edge(id).clock_guard, values, goal_);
      return;
    }
    goal_ = path_.goal_extra;
    if (!ends_in_goal()) return;
    if (path_.goal_clause >= property_.goal.size()) wrong("the goal has no such clause");
    const model::Clause& goal = property_.goal[path_.goal_clause];
    if (!run_.holds(goal.conditions, values)) wrong("the goal does not hold");
    append_atoms(goal.clocks, values, goal_);
  }

  void check_edge(EdgeId id, const Values& values) {
    if (id.value >= system_.edges.size()) wrong("there is no such edge");
    const Edge& e = system_.edge(id);
    if (values[system_.process(e.process).location.value] != static_cast<int32_t>(e.source)) {
      wrong("an edge does not leave the current location of " + system_.process(e.process).name);
    }
    if (!run_.holds(e.guard, values)) wrong("a guard of " + system_.process(e.process).name + " does not hold");
  }

  bool fails_at_the_beginning(const Path& path) const {
    return path.failure && !path.failure->edges.empty() && path.failure->edges.front() == system_.beginning;
  }

  void fire(const std::vector<EdgeId>& edges, const std::vector<int32_t>& chosen, Values& values,
            std::vector<model::ClockReset>& resets) {
    model::Choices choices;
    choices.set(chosen);
    run_.execute(system_.before_update, values, resets);
    for (const EdgeId id : edges) {
      if (!run_.execute(system_.edge(id).effect, values, resets, choices)) wrong("its choices lead nowhere");
    }
    run_.execute(system_.after_update, values, resets);
    for (const EdgeId id : edges) {
      const Edge& e = system_.edge(id);
      values[system_.process(e.process).location.value] = static_cast<int32_t>(e.target);
    }
    model::derive(system_, values);
    semantics_.pass_control(edges, values);
  }

  void append_atoms(const std::vector<ClockConstraint>& constraints, const Values& values,
                    std::vector<ClockAtom>& out) {
    for (const ClockConstraint& c : constraints) {
      if (c.condition.valid() && run_.value(c.condition, values) == 0) continue;
      out.push_back({c.left, c.right, run_.value(c.bound, values), c.strict});
    }
  }

  // The clock constraints of the current locations, after a check of the rest of their invariants.
  std::vector<ClockAtom> invariant(const Values& values) {
    std::vector<ClockAtom> atoms;
    for (const Process& process : system_.processes) {
      const auto& location = process.locations[static_cast<size_t>(values[process.location.value])];
      if (!run_.holds(location.invariant, values)) wrong("the invariant of " + process.name + " does not hold");
      append_atoms(location.clock_invariant, values, atoms);
    }
    return atoms;
  }

  // Whether no time may pass: an urgent or committed location, or an urgent synchronisation. Like the searches, this
  // does not wait for clock guards on urgent edges, which UPPAAL forbids.
  bool stands_still(const Values& values) {
    if (system_.clocks.size() == 1) return false;  // there is no time
    std::vector<std::pair<model::ChannelId, model::ProcessId>> senders, receivers;
    for (const Process& process : system_.processes) {
      const int32_t here = values[process.location.value];
      if (process.locations[static_cast<size_t>(here)].kind != LocationKind::Normal) return true;
      if (!has_urgent_channels_) continue;
      for (const EdgeId id : process.edges) {
        const Edge& e = system_.edge(id);
        if (static_cast<int32_t>(e.source) != here || e.direction == Direction::Internal) continue;
        if (!system_.channel(e.channel).urgent || !holds_or_fails(e.guard, values)) continue;
        (e.direction == Direction::Send ? senders : receivers).emplace_back(e.channel, e.process);
      }
    }
    return std::any_of(senders.begin(), senders.end(), [&](const auto& sender) {
      return system_.channel(sender.first).broadcast ||
             std::any_of(receivers.begin(), receivers.end(), [&](const auto& receiver) {
               return receiver.first == sender.first && receiver.second != sender.second;
             });
    });
  }

  // A guard that fails ends the run here.
  bool holds_or_fails(const std::vector<model::ExprId>& guard, const Values& values) {
    try {
      return run_.holds(guard, values);
    } catch (const model::EvalFailure& failure) {
      if (failure.fault == model::Fault::RangeViolation) return false;
      if (!path_.failure) throw;
      return true;
    }
  }

  struct LastReset {
    size_t moment = 0;
    int64_t value = 0;
  };

  static void add(EarliestTimes& times, const std::vector<ClockAtom>& atoms, size_t now,
                  const std::vector<LastReset>& last) {
    for (const ClockAtom& atom : atoms) {
      const LastReset& left = last[atom.left.value];
      const LastReset& right = last[atom.right.value];
      const int64_t bound = atom.bound - left.value + right.value;
      if (atom.left == atom.right) {
        times.at_most(now, now, atom.bound, atom.strict);
      } else if (atom.left.value == 0) {
        times.at_most(right.moment, now, bound, atom.strict);
      } else if (atom.right.value == 0) {
        times.at_most(now, left.moment, bound, atom.strict);
      } else {
        times.at_most(right.moment, left.moment, bound, atom.strict);
      }
    }
  }

  // Those that are given.
  void add_delays(EarliestTimes& times, size_t end) const {
    for (size_t i = 0; i < delays_.size(); ++i) {
      if (!delays_[i]) continue;
      const size_t from = moments_[i];
      const size_t to = i + 1 < moments_.size() ? moments_[i + 1] : end;
      times.at_most(to, from, *delays_[i], false);
      times.at_most(from, to, -*delays_[i], false);
    }
  }

  void set_times(Trace& trace) const {
    const size_t count = clock_steps_.size();
    EarliestTimes times(count + 1);
    std::vector<LastReset> last(system_.clocks.size());
    std::vector<std::vector<LastReset>> history;
    for (size_t i = 0; i < count; ++i) {
      watch_.poll();
      const ClockStep& step = clock_steps_[i];
      add(times, step.guard, i, last);
      for (const auto& reset : step.resets) last[reset.clock.value] = {i, reset.value};
      add(times, step.invariant, i, last);
      add(times, step.arrival, i, last);
      add(times, step.invariant, i + 1, last);
      if (step.urgent) times.at_most(i + 1, i, 0, false);
      history.push_back(last);
    }
    add(times, goal_, count, last);
    add_delays(times, count);
    const auto solution = times.solve(watch_);
    if (!solution)
      throw Error(ErrorKind::Internal, "the path cannot be replayed: no times satisfy its clock constraints");

    trace.denominator = solution->denominator;
    const auto& t = solution->times;
    for (size_t k = 0; k < moments_.size(); ++k) {
      watch_.poll();
      const size_t i = moments_[k];
      TraceState& state = k == 0 ? trace.initial : trace.steps[k - 1].state;
      state.clocks.assign(system_.clocks.size(), 0);
      for (size_t c = 1; c < system_.clocks.size(); ++c) {
        state.clocks[c] = t[i] - t[history[i][c].moment] + history[i][c].value * trace.denominator;
      }
      if (k == 0) continue;
      trace.steps[k - 1].time = t[i];
      trace.steps[k - 1].delay = t[i] - t[moments_[k - 1]];
    }
    if (path_.premise) {
      const size_t steps = path_.premise->steps;
      trace.premise = PremiseMoment{steps, t[premise_moment_] - t[moments_[steps]]};
    }
    trace.final_delay = t[count] - t[moments_.back()];
  }

  const System& system_;
  const model::Property& property_;
  const Path& path_;
  const Watch& watch_;
  const Delays& delays_;
  model::Interpreter run_;
  ConcreteSemantics semantics_;
  bool has_urgent_channels_ = false;
  size_t step_ = 0;
  std::vector<ClockStep> clock_steps_;
  std::vector<size_t> moments_;  // by state of the trace, its place among the clock steps
  size_t premise_moment_ = 0;
  std::vector<ClockAtom> goal_;
};

}  // namespace

Trace build_trace(const model::System& system, const model::Property& property, const Path& path, const Watch& watch,
                  const Delays& delays) {
  return Replay(system, property, path, watch, delays).trace();
}

}  // namespace harrier::trace
