// A complete path: everything that a reader wants to know about each step, with exact times.
//
//     for (const Trace::Step& step : trace.steps)
//       for (const Trace::Firing& f : step.edges) std::cout << f.process << ": " << f.source << " -> " << f.target <<
//       "\n";
//
// All times are integers in units of 1/denominator. The times are the earliest that are possible; where a bound is
// strict, as close to it as the denominator allows.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace harrier {

namespace lang {
class Instance;
}

enum class PropertyKind : uint8_t {
  Reachable,          // E<> goal
  Invariant,          // A[] p
  PotentiallyAlways,  // E[] p
  Eventually,         // A<> p
  LeadsTo,            // p --> q
  Liveness,           // no infinite path is an accepting one
  Branching,          // a formula of branching time
  Extrema,            // sup, inf, bounds
};

enum class Direction : uint8_t { Internal, Send, Receive };

// How a maximal path ends that has no cycle.
enum class Rest : uint8_t {
  Delay,  // time passes for ever
  Stuck,  // nothing can happen any more, and time is bounded
};

// What reads a message sequence chart.
enum class ChartForm : uint8_t { Mermaid, PlantUml };

// Where a model fails.
enum class FailurePart : uint8_t {
  Unknown,
  Invariant,   // of the initial state
  Guard,       // of the one edge
  Transition,  // of the edges: an effect, an invariant of the locations that they lead to, who goes on
  Goal,
};

// What the numbers in states stand for.
struct TraceProcess {
  std::string name;
  uint32_t variable = 0;  // whose value is the number of its location
  std::vector<std::string> locations;
  bool watches = false;  // a claim, whose steps are not shown to readers
  bool dynamic = false;  // it starts and ends: in location 0 it does not run
};
struct TraceVariable {
  std::string name;
  bool internal = false;                 // bookkeeping, or the location of a process
  std::vector<std::string> values = {};  // names of its values, from 0 on; empty where there is none
};
struct TraceNames {
  std::vector<TraceProcess> processes;
  std::vector<TraceVariable> variables;
  std::vector<std::string> clocks;  // the first is the constant zero
};

// An edge that fires, with its description, so that a trace can be read without its model.
struct TraceFiring {
  uint32_t edge = 0;  // its number in the model
  std::string process;
  std::string source;  // location names
  std::string target;
  Direction direction = Direction::Internal;
  std::string channel;   // empty for an internal edge
  std::string label;     // the choice that `select` made, or the statement of a program
  std::string position;  // "file:line:col", or empty

  bool operator==(const TraceFiring&) const = default;
};

struct TraceState {
  std::vector<int32_t> values;    // of all variables, locations among them
  std::vector<int64_t> clocks;    // exact
  std::vector<std::string> zone;  // constraints of all clock values with which the path can be here; may be left out

  bool operator==(const TraceState&) const = default;
};

struct TraceStep {
  int64_t delay = 0;               // that passes before the edges fire
  int64_t time = 0;                // at which they fire
  std::vector<TraceFiring> edges;  // sender or internal edge first, then the receivers by process
  std::vector<int32_t> choices;    // that their effects make, in order
  std::vector<uint32_t> changed;   // variables whose value differs, in order, locations among them
  TraceState state;                // right after the step

  bool operator==(const TraceStep&) const = default;
};

// The model fails after the last step.
struct TraceFailure {
  FailurePart part = FailurePart::Unknown;
  std::string error;               // "division by zero", …
  std::string position;            // "file:line:col", or empty
  std::vector<TraceFiring> edges;  // whose guard or transition fails; none if an invariant or the goal does
  std::vector<int32_t> choices;    // of the transition

  bool operator==(const TraceFailure&) const = default;
};

// Of p --> q: when p holds.
struct TracePremise {
  size_t steps = 0;   // after so many steps
  int64_t delay = 0;  // and this time

  bool operator==(const TracePremise&) const = default;
};

// What stands behind a trace that a Model hands out; no part of what it says.
struct TraceOrigin {
  std::shared_ptr<const TraceNames> names;
  std::shared_ptr<const lang::Instance> instance;  // for the writers

  bool operator==(const TraceOrigin&) const { return true; }
};

struct Trace {
  using Process = TraceProcess;
  using Variable = TraceVariable;
  using Names = TraceNames;
  using Firing = TraceFiring;
  using State = TraceState;
  using Step = TraceStep;
  using Failure = TraceFailure;
  using Premise = TracePremise;

  std::string model;     // that it belongs to: its name,
  std::string language;  // its language,
  uint64_t content_hash = 0;
  std::string property;
  PropertyKind kind = PropertyKind::Reachable;
  int64_t denominator = 1;
  std::vector<int32_t> beginning;  // the choices that make this initial state, of a model with several
  State initial;
  std::vector<Step> steps;
  int64_t final_delay = 0;  // that passes after the last step until the goal holds
  size_t goal_clause = 0;   // the alternative of the goal that holds at the end
  std::string reason;       // what that means, where the property does not say it
  bool deadlock = false;    // it asks for a deadlock
  // Of an infinite path: the number of steps before its cycle. The last step leads back to the state after them, or in
  // a model with clocks to an equivalent one.
  std::optional<size_t> loop_start;
  std::optional<Failure> failure = {};  // then the trace leads there instead of to the goal
  std::optional<Rest> rest;             // of another maximal path
  std::optional<Premise> premise;

  TraceOrigin origin = {};

  const Names& names() const { return *origin.names; }
  // The state after so many steps.
  const State& state(size_t after) const { return after == 0 ? initial : steps[after - 1].state; }
  const State& last() const { return state(steps.size()); }
  int64_t end_time() const { return (steps.empty() ? 0 : steps.back().time) + final_delay; }

  bool operator==(const Trace&) const = default;
};

// Of a trace that a Model handed out. They throw std::invalid_argument for any other.
std::string to_text(const Trace& trace);                                        // for humans
std::string to_json(const Trace& trace);                                        // docs/trace.md describes it
std::string to_chart(const Trace& trace, ChartForm form = ChartForm::Mermaid);  // a message sequence chart
std::string to_trail(const Trace& trace);  // for the tool of the language; empty where there is none

}  // namespace harrier
