// A complete error path: everything that a reader wants to know about each step, with exact times.
//
//     Trace trace = build_trace(system, property, path);      // build.cpp: replay, earliest times, zones
//     ValidationReport report = validate(system, property, trace);   // validator.h
//     std::string text = to_text(system, trace);              // writers: text_writer.h, json.h
//
// All times are integers in units of 1/denominator. The times are the earliest that are possible; where a bound is
// strict, as close to it as the denominator allows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::trace {

using model::ClockAtom;
using model::Path;
using model::PathFailure;
using model::PathStep;
using model::Premise;
using model::Rest;

// An edge that fires, with its description, so that a trace can be read without its model.
struct FiredEdge {
  model::EdgeId edge;
  std::string process;
  std::string source;  // location names
  std::string target;
  model::Direction direction = model::Direction::Internal;
  std::string channel;   // empty for an internal edge
  std::string label;     // Edge::label
  std::string position;  // "file:line:col", or empty

  bool operator==(const FiredEdge&) const = default;
};

struct TraceState {
  std::vector<int32_t> values;    // of all variables, locations among them
  std::vector<int64_t> clocks;    // exact; clocks[0] is the reference clock
  std::vector<std::string> zone;  // constraints of all clock values with which this path can be here; may be left out

  bool operator==(const TraceState&) const = default;
};

struct TraceStep {
  int64_t delay = 0;                  // that passes before the edges fire
  int64_t time = 0;                   // at which they fire
  std::vector<FiredEdge> edges;       // sender or internal edge first, then the receivers by process
  std::vector<model::VarId> changed;  // variables whose value differs, in order, locations among them
  TraceState state;                   // right after the step

  bool operator==(const TraceStep&) const = default;
};

// The model fails after the last step.
struct TraceFailure {
  PathFailure::Part part = PathFailure::Part::Unknown;
  std::string error;             // "division by zero", …
  std::string position;          // "file:line:col", or empty
  std::vector<FiredEdge> edges;  // whose guard or transition fails; none if an invariant or the goal does

  bool operator==(const TraceFailure&) const = default;
};

// Of p --> q: when p holds.
struct PremiseMoment {
  size_t steps = 0;   // after so many steps
  int64_t delay = 0;  // and this time

  bool operator==(const PremiseMoment&) const = default;
};

struct Trace {
  std::string model;  // System::name, language and content_hash of the model that the trace belongs to
  std::string language;
  uint64_t content_hash = 0;
  std::string property;
  model::PropertyKind kind = model::PropertyKind::Reachable;
  int64_t denominator = 1;
  TraceState initial;
  std::vector<TraceStep> steps;
  int64_t final_delay = 0;  // that passes after the last step until the goal holds
  size_t goal_clause = 0;   // the clause of the goal that holds at the end
  std::string reason;       // what that means, where the property does not say it (Clause::text)
  bool deadlock = false;    // the clause asks for a deadlock
  // Of an infinite path: the number of steps before its cycle. The last step leads back to the state after them, or in
  // a model with clocks to an equivalent one (regions.h).
  std::optional<size_t> loop_start;
  std::optional<TraceFailure> failure = {};  // then the trace leads there instead of to the goal
  std::optional<Rest> rest;                  // of another maximal path
  std::optional<PremiseMoment> premise;

  // The state after so many steps.
  const TraceState& state(size_t after) const { return after == 0 ? initial : steps[after - 1].state; }
  const TraceState& last() const { return state(steps.size()); }
  int64_t end_time() const { return (steps.empty() ? 0 : steps.back().time) + final_delay; }

  bool operator==(const Trace&) const = default;
};

// Zones are computed for at most this many clocks and steps.
inline constexpr size_t kMaxZoneClocks = 64;
inline constexpr size_t kMaxZoneSteps = 10'000;

// Replays a path and finds its earliest times. A cycle in a model with clocks is for build_lasso (lasso.h). Throws
// Error(Internal) if the path cannot be followed.
Trace build_trace(const model::System& system, const model::Property& property, const Path& path,
                  const Watch& watch = Watch::none());

// Whether a step is one of the claim, which only watches: readers of a trace are not shown it.
bool is_watching(const model::System& system, const TraceStep& step);
// The number of the other steps, of the first `count` or of all.
size_t shown_steps(const model::System& system, const Trace& trace, size_t count = SIZE_MAX);

// The description of an edge.
FiredEdge describe(const model::System& system, model::EdgeId edge);

// The indices at which two value vectors differ.
std::vector<model::VarId> differences(const std::vector<int32_t>& before, const std::vector<int32_t>& after);

// The name of a property kind in traces: "reachable", "invariant", …
const char* kind_name(model::PropertyKind kind);

// The name of what fails, in traces: "guard", "transition", …
const char* part_name(PathFailure::Part part);

// A failure as a line: "division by zero in the guard (m.xta:3:4)".
std::string failure_text(const TraceFailure& failure);

// A time as text: "3", or "7/2" in lowest terms.
std::string time_text(int64_t time, int64_t denominator);

}  // namespace harrier::trace
