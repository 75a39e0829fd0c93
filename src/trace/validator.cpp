// The validator: one small check after the other, in the order in which a step happens.
#include "trace/validator.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "base/error.h"
#include "trace/concrete.h"
#include "trace/description.h"
#include "trace/maximal.h"

namespace harrier::trace {

namespace {

using model::Direction;
using model::Edge;
using model::EdgeId;
using model::LocationKind;
using model::Process;
using model::System;
using State = ConcreteSemantics::State;

struct Rejection {
  std::string reason;
};

[[noreturn]] void reject(std::string reason) { throw Rejection{std::move(reason)}; }

void require(bool condition, const char* reason) {
  if (!condition) reject(reason);
}

class Validator {
 public:
  Validator(const System& system, const model::Property& property, const Trace& trace, const Watch& watch)
      : system_(system), property_(property), trace_(trace), watch_(watch), semantics_(system, trace.denominator) {}

  // Whether the property is about maximal paths on which its goal always holds.
  bool about_paths() const {
    return property_.kind == model::PropertyKind::PotentiallyAlways ||
           property_.kind == model::PropertyKind::Eventually || property_.kind == model::PropertyKind::LeadsTo;
  }

  bool is_formula() const { return property_.kind == model::PropertyKind::Branching; }

  ValidationReport run() {
    size_t at = 0;
    try {
      check_head();
      if (about_paths() && !trace_.failure) paths_.emplace(system_, property_, trace_.denominator);
      check_initial();
      for (const TraceStep& step : trace_.steps) {
        ++at;
        watch_.poll();
        check_step(step);
      }
      ++at;
      if (trace_.failure) {
        check_failure(*trace_.failure);
      } else if (about_paths()) {
        check_end();
      } else if (is_formula()) {
        check_formula();
      } else {
        trace_.loop_start ? check_cycle() : check_goal();
      }
    } catch (const Rejection& rejection) {
      return {false, at, rejection.reason};
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::Runtime) throw;
      return {false, at, fmt::format("the model fails: {}", error.what())};
    }
    return {true, 0, ""};
  }

 private:
  void check_head() const {
    require(trace_.content_hash == system_.content_hash, "the trace belongs to a model with other content");
    require(trace_.language == system_.language, "the trace belongs to a model in another language");
    require(trace_.property == property_.text && trace_.kind == property_.kind,
            "the trace belongs to another property");
    require(property_.kind == model::PropertyKind::Reachable || property_.kind == model::PropertyKind::Invariant ||
                property_.kind == model::PropertyKind::Liveness || is_formula() || about_paths() || trace_.failure,
            "a property of this kind has no traces");
    require(trace_.denominator >= 1, "the time denominator is not positive");
    require(trace_.denominator <= ConcreteSemantics::kLargestDenominator, "the time denominator is too large");
    require(trace_.denominator == 1 || system_.clocks.size() > 1, "there is no time in a model without clocks");
    require(trace_.rest.has_value() == (about_paths() && !trace_.loop_start && !trace_.failure),
            "a path of this property ends in a cycle or rests, no other path does both");
    require(trace_.premise.has_value() == (property_.kind == model::PropertyKind::LeadsTo && !trace_.failure),
            "'-->' needs a moment of its premise, and nothing else has one");
    require(!trace_.premise || trace_.premise->steps <= trace_.steps.size(), "the premise comes after the end");
    if (trace_.failure) {
      require(!trace_.loop_start && trace_.goal_clause == 0 && !trace_.deadlock,
              "a trace to a failure ends neither in a cycle nor in the goal");
    } else if (trace_.loop_start) {
      require(property_.kind == model::PropertyKind::Liveness || is_formula() || about_paths(),
              "only traces of properties about infinite paths end in a cycle");
      require(*trace_.loop_start < trace_.steps.size(), "the cycle is empty");
      require(trace_.goal_clause == 0 && !trace_.deadlock && trace_.final_delay == 0,
              "a cycle has no end that a clause of the goal could be about");
      require(!trace_.premise || trace_.premise->steps < *trace_.loop_start ||
                  (trace_.premise->steps == *trace_.loop_start && trace_.premise->delay == 0),
              "the cycle starts before the premise holds");
    } else if (is_formula()) {
      require(trace_.goal_clause == 0 && !trace_.deadlock && trace_.final_delay == 0,
              "no clause of a goal is about a formula");
    } else if (!about_paths()) {
      require(trace_.goal_clause < property_.goal.size(), "the goal has no such clause");
      require(trace_.deadlock == (clause().deadlock == model::DeadlockTest::IsDeadlock),
              trace_.deadlock ? "the clause of the goal does not ask for a deadlock"
                              : "the clause of the goal asks for a deadlock");
    }
  }

  void check_initial() {
    if (fails_at_the_beginning()) {
      require(trace_.steps.empty(), "the model does not start with this step");
      state_ = semantics_.initial();
    } else {
      const auto start = semantics_.initial(trace_.beginning);
      require(start.has_value(), "the model does not begin with these choices");
      state_ = *start;
    }
    compare(trace_.initial, "the initial state");
    for (size_t i = 0; i < system_.variables.size(); ++i) {
      const model::Variable& v = system_.variables[i];
      if (v.initial < v.lo || v.initial > v.hi) reject(fmt::format("the initial value of {} is out of range", v.name));
    }
    if (fails_at_the_beginning() || (trace_.failure && trace_.failure->part == PathFailure::Part::Invariant)) return;
    require(semantics_.invariant_holds(state_), "an invariant does not hold in the initial state");
  }

  bool is_beginning(const std::vector<FiredEdge>& edges) const {
    return system_.beginning.valid() && !edges.empty() && id_of(edges.front()) == system_.beginning;
  }
  bool fails_at_the_beginning() const { return trace_.failure && is_beginning(trace_.failure->edges); }

  void check_step(const TraceStep& step) {
    check_time(step.delay);
    if (step.time != time_) reject(fmt::format("the step claims time {} but happens at {}", step.time, time_));
    check_edges(step.edges);
    check_synchronisation();
    check_committed();
    const State before = state_;
    require(!is_beginning(step.edges), "a model begins only once");
    auto after = semantics_.effect_of(edges_, state_, step.choices);
    require(after.has_value(), system_.has_choices() ? "the effects do not lead anywhere with these choices"
                                                     : "an effect leaves the range of a variable");
    require(semantics_.invariant_holds(*after), "an invariant does not hold after the step");
    check_turn();
    check_priority();
    state_ = std::move(*after);
    compare(step.state, "the state after the step");
    require(step.changed == differences(before.values, state_.values), "the list of changed variables is wrong");
  }

  void check_goal() {
    check_time(trace_.final_delay);
    if (!semantics_.holds(clause(), state_)) {
      reject(semantics_.goal(property_.goal, state_) ? "it is another clause of the goal that holds at the end"
                                                     : "the goal does not hold at the end");
    }
    check_complete();
  }

  // Where the system lacks something, nothing that follows means anything.
  void check_complete() {
    for (const model::Clause& clause : property_.goal) {
      if (!clause.incomplete) continue;
      require(!semantics_.goal(std::vector{clause}, state_), "a process starts that the trace does not know");
    }
  }

  void check_failure(const TraceFailure& failure) {
    check_time(trace_.final_delay);
    std::vector<ConcreteSemantics::FailingGuard> guards;
    switch (failure.part) {
      case PathFailure::Part::Unknown: reject("the trace does not say what fails");
      case PathFailure::Part::Invariant:
        require(trace_.steps.empty() && failure.edges.empty(), "the model does not start with this step");
        expect(failure, [&] { semantics_.invariant_holds(state_); });
        return;
      case PathFailure::Part::Goal:
        require(failure.edges.empty(), "no edge takes part in the goal");
        expect(failure, [&] { semantics_.evaluate(property_, state_); });
        return;
      case PathFailure::Part::Guard:
        require(failure.edges.size() == 1, "a guard is that of one edge");
        check_description(failure.edges.front());
        check_complete();
        semantics_.candidates(state_, guards);
        require(std::any_of(
                    guards.begin(), guards.end(),
                    [&](const auto& g) { return g.edge == id_of(failure.edges.front()) && is(g.failure, failure); }),
                "the guard does not fail so");
        return;
      case PathFailure::Part::Transition:
        check_complete();
        check_edges(failure.edges);
        if (!fails_at_the_beginning()) {
          check_synchronisation();
          check_committed();
          check_turn();
        }
        expect(failure, [&] {
          const auto after = semantics_.effect_of(edges_, state_, failure.choices);
          if (after) semantics_.invariant_holds(*after);
        });
        return;
    }
  }

  bool is(const model::EvalFailure& found, const TraceFailure& claimed) const {
    return model::fault_text(system_, found.fault) == claimed.error &&
           same_place(system_, trace_, claimed.position, failure_place(system_, property_, found.at));
  }

  template <class Evaluate>
  void expect(const TraceFailure& claimed, const Evaluate& evaluate) const {
    try {
      evaluate();
    } catch (const model::RunTimeError& error) {
      require(is(error.failure, claimed), "the model fails in another way");
      return;
    }
    reject("the model does not fail");
  }

  // The states that are claimed have been compared with the true ones.
  void check_cycle() {
    check_complete();
    const size_t start = *trace_.loop_start;
    require(system_.clocks.size() == 1, "a cycle in a model with clocks");
    require(trace_.state(start).values == trace_.last().values, "the cycle does not lead back to where it starts");
    const auto seen = [&](auto&& test) {
      for (size_t i = start + 1; i <= trace_.steps.size(); ++i) {
        watch_.poll();
        if (test(i)) return true;
      }
      return false;
    };
    const auto state = [&](size_t i) { return State{trace_.state(i).values, trace_.state(i).clocks}; };
    for (const std::vector<model::Clause>& set : property_.accepting) {
      require(seen([&](size_t i) { return semantics_.goal(set, state(i)); }), "no state of the cycle is accepting");
    }
    if (!property_.fair) return;
    for (size_t p = 0; p < system_.processes.size(); ++p) {
      const model::ProcessId process(p);
      if (process == system_.claim) continue;
      const bool moves = seen([&](size_t i) {
        const auto& fired = trace_.steps[i - 1].edges;
        return std::any_of(fired.begin(), fired.end(),
                           [&](const FiredEdge& f) { return system_.edge(id_of(f)).process == process; });
      });
      if (moves || seen([&](size_t i) { return is_disabled(process, state(i)); })) continue;
      reject(fmt::format("the cycle is not fair to {}", system_.process(process).name));
    }
  }

  // The path shows that its first state satisfies the formula, and is one of those that the formula is about.
  void check_formula() {
    require(system_.clocks.size() == 1, "a formula of branching time in a model with clocks");
    require(trace_.loop_start || property_.accepting.empty(), "the path does not show that it is a fair one");
    if (trace_.loop_start) check_cycle();
    require(shows(property_.formula.size() - 1, 0), "the path does not show that the formula is violated");
  }

  // Whether the path from a state on shows that the state satisfies a part of the formula.
  bool shows(size_t part, size_t at) {
    watch_.poll();
    const model::FormulaNode& node = property_.formula[part];
    switch (node.kind) {
      case model::FormulaKind::State: {
        const State state{trace_.state(at).values, trace_.state(at).clocks};
        return semantics_.goal({{{node.condition}, {}, model::DeadlockTest::Ignore, ""}}, state);
      }
      case model::FormulaKind::And: return shows(node.a, at) && shows(node.b, at);
      case model::FormulaKind::Or: return shows(node.a, at) || shows(node.b, at);
      case model::FormulaKind::SomeNext: {
        const auto next = after(at);
        return next && shows(node.a, *next);
      }
      case model::FormulaKind::SomeUntil: return shows_until(node, at, false);
      case model::FormulaKind::SomeWeak: return shows_until(node, at, true);
      case model::FormulaKind::AllNext:
      case model::FormulaKind::AllUntil:
      case model::FormulaKind::AllWeak: return false;  // a single path shows nothing about all
    }
    return false;
  }

  // After as many steps as there are, all states have been seen.
  bool shows_until(const model::FormulaNode& node, size_t at, bool weak) {
    std::optional<size_t> here = at;
    for (size_t seen = 0; here && seen <= trace_.steps.size(); ++seen) {
      if (shows(node.b, *here)) return true;
      if (!shows(node.a, *here)) return false;
      here = after(*here);
    }
    return weak && here;
  }

  // The last state of a cycle is its first one.
  std::optional<size_t> after(size_t at) const {
    const size_t last = trace_.steps.size();
    if (!trace_.loop_start) return at < last ? std::optional(at + 1) : std::nullopt;
    return at + 1 < last ? at + 1 : *trace_.loop_start;
  }

  // Not because it has to wait for the end of another process's step.
  bool is_disabled(model::ProcessId process, const State& state) {
    if (system_.control.valid() && state.values[system_.control.value] != 0) return false;
    const auto moves = semantics_.enabled(state);
    return std::none_of(moves.begin(), moves.end(), [&](const ConcreteSemantics::Move& move) {
      return system_.edge(move.edges.front()).process == process;
    });
  }

  // The end of a maximal path. That its formula holds until here was checked while time passed.
  void check_end() {
    if (trace_.loop_start) {
      require(trace_.final_delay == 0, "time passes after the end of the cycle");
      check_time(0);
      const TraceState& first = trace_.state(*trace_.loop_start);
      require(paths_->equivalent({first.values, first.clocks}, state_),
              "the cycle does not lead back to where it starts, nor to an equivalent state");
      return;
    }
    check_time(trace_.final_delay);
    require(paths_->always(state_, std::nullopt), "the formula does not hold for ever at the end");
    switch (*trace_.rest) {
      case Rest::Delay: require(paths_->endless(state_), "time cannot pass for ever at the end"); break;
      case Rest::Stuck: require(paths_->stuck(state_), "at the end more can happen"); break;
    }
  }

  // Lets time pass between two steps. The formula of a maximal path has to hold all the while, from the premise on.
  void check_time(int64_t delay) {
    const size_t done = done_++;
    if (!paths_ || (trace_.premise && trace_.premise->steps > done)) {
      pass(delay);
      return;
    }
    if (trace_.premise && trace_.premise->steps == done) {
      const int64_t before = trace_.premise->delay;
      require(before >= 0 && before <= delay, "the premise does not come before the next step");
      pass(before);
      require(semantics_.goal(property_.premise, state_), "the premise does not hold when it should");
      delay -= before;
    }
    require(paths_->always(state_, delay), "the formula does not hold all the time");
    pass(delay);
  }

  void pass(int64_t delay) {
    if (const auto obstacle = semantics_.delay_obstacle(state_, std::min(delay, ConcreteSemantics::kLargestTime))) {
      reject(*obstacle);
    }
    require(delay <= ConcreteSemantics::kLargestTime - time_, "the delay is too long");
    time_ += delay;
    state_ = ConcreteSemantics::delayed(state_, delay);
  }

  std::string name(const Edge& e) const {
    const Process& process = system_.process(e.process);
    return fmt::format("{}: {} -> {}", process.name, process.locations[e.source].name,
                       process.locations[e.target].name);
  }

  // An edge is what it says.
  void check_description(const FiredEdge& f) const {
    if (f.edge >= system_.edges.size()) reject(fmt::format("there is no edge {}", f.edge));
    const FiredEdge truth = describe(system_, id_of(f));
    if (f.process != truth.process) reject(fmt::format("edge {} belongs to process {}", f.edge, truth.process));
    if (f.source != truth.source) reject(fmt::format("edge {} starts in location {}", f.edge, truth.source));
    if (f.target != truth.target) reject(fmt::format("edge {} leads to location {}", f.edge, truth.target));
    if (f.direction != truth.direction || f.channel != truth.channel) {
      reject(fmt::format("edge {} synchronises differently", f.edge));
    }
    if (f.label != truth.label) reject(fmt::format("edge {} has the label '{}'", f.edge, truth.label));
  }

  // Each edge by itself: it is what it says, and can be taken.
  void check_edges(const std::vector<FiredEdge>& fired) {
    require(!fired.empty(), "no edge fires");
    edges_.clear();
    std::vector<bool> taking_part(system_.processes.size(), false);
    for (const FiredEdge& f : fired) {
      check_description(f);
      const Edge& e = system_.edge(id_of(f));
      if (taking_part[e.process.value]) reject(fmt::format("process {} takes part twice", f.process));
      taking_part[e.process.value] = true;
      if (state_.values[system_.process(e.process).location.value] != static_cast<int32_t>(e.source)) {
        reject(fmt::format("process {} is not in location {}", f.process, f.source));
      }
      if (!semantics_.guard_holds(id_of(f), state_)) reject(fmt::format("the guard of {} does not hold", name(e)));
      edges_.push_back(id_of(f));
    }
  }

  // The edges together: complete, and nothing too much.
  void check_synchronisation() {
    const Edge& first = system_.edge(edges_.front());
    if (first.direction == Direction::Internal) {
      require(edges_.size() == 1, "an internal edge fires alone");
      return;
    }
    require(first.direction == Direction::Send, "a synchronisation starts with its sender");
    const bool broadcast = system_.channel(first.channel).broadcast;
    require(broadcast || edges_.size() == 2, "a synchronisation has exactly one sender and one receiver");
    for (size_t i = 1; i < edges_.size(); ++i) {
      const Edge& e = system_.edge(edges_[i]);
      require(e.direction == Direction::Receive, "every edge after the sender has to receive");
      require(e.channel == first.channel, "sender and receiver use different channels");
      require(i == 1 || e.process > system_.edge(edges_[i - 1]).process,
              "the receivers are not in the order of the processes");
    }
    if (!broadcast) return;
    for (const Process& process : system_.processes) {
      for (const EdgeId id : process.edges) {
        const Edge& e = system_.edge(id);
        if (e.direction != Direction::Receive || e.channel != first.channel) continue;
        if (state_.values[process.location.value] != static_cast<int32_t>(e.source)) continue;
        const bool takes_part = std::any_of(edges_.begin(), edges_.end(),
                                            [&](EdgeId other) { return system_.edge(other).process == e.process; });
        if (!takes_part && semantics_.guard_holds(id, state_)) {
          reject(fmt::format("process {} can receive the broadcast but does not", process.name));
        }
      }
    }
  }

  void check_committed() const {
    const auto committed = [&](const Process& process) {
      const auto here = static_cast<size_t>(state_.values[process.location.value]);
      return process.locations[here].kind == LocationKind::Committed;
    };
    const bool any = std::any_of(system_.processes.begin(), system_.processes.end(), committed);
    const bool leaves = std::any_of(edges_.begin(), edges_.end(),
                                    [&](EdgeId id) { return committed(system_.process(system_.edge(id).process)); });
    require(!any || leaves, "a committed location has to be left first");
  }

  // Guards of others that fail are no reason not to go on.
  void check_turn() {
    if (!system_.is_preemptive()) return;
    std::vector<ConcreteSemantics::FailingGuard> failing;
    const auto open = semantics_.candidates(state_, failing);
    require(std::find(open.begin(), open.end(), edges_) != open.end(), "another transition goes first");
  }

  void check_priority() {
    if (!system_.has_priorities()) return;
    for (const auto& move : semantics_.enabled(state_)) {
      if (semantics_.priority(move.edges) > semantics_.priority(edges_)) {
        reject(fmt::format("a transition of higher priority is enabled: {}", name(system_.edge(move.edges.front()))));
      }
    }
  }

  const model::Clause& clause() const { return property_.goal[trace_.goal_clause]; }

  // The claimed state is the recomputed one.
  void compare(const TraceState& claimed, const char* what) const {
    if (claimed.values.size() != state_.values.size() || claimed.clocks.size() != state_.clocks.size()) {
      reject(fmt::format("{} has the wrong number of variables or clocks", what));
    }
    for (size_t i = 0; i < state_.values.size(); ++i) {
      if (claimed.values[i] == state_.values[i]) continue;
      reject(fmt::format("{} claims {} = {} where it is {}", what, system_.variables[i].name, claimed.values[i],
                         state_.values[i]));
    }
    for (size_t i = 0; i < state_.clocks.size(); ++i) {
      if (claimed.clocks[i] == state_.clocks[i]) continue;
      reject(fmt::format("{} claims clock {} = {} where it is {}", what, system_.clocks[i].name,
                         time_text(claimed.clocks[i], trace_.denominator),
                         time_text(state_.clocks[i], trace_.denominator)));
    }
  }

  const System& system_;
  const model::Property& property_;
  const Trace& trace_;
  const Watch& watch_;
  ConcreteSemantics semantics_;
  State state_;
  int64_t time_ = 0;
  size_t done_ = 0;  // delays
  std::optional<MaximalPaths> paths_;
  ConcreteSemantics::Edges edges_;
};

}  // namespace

std::string ValidationReport::text() const {
  return valid ? "the trace is valid" : fmt::format("step {}: {}", step, reason);
}

ValidationReport validate(const System& system, const model::Property& property, const Trace& trace,
                          const Watch& watch) {
  return Validator(system, property, trace, watch).run();
}

}  // namespace harrier::trace
