// Making traces: a path with exact times, and everything that a reader wants to know about each step.
//
//     Trace trace = build_trace(system, property, path);      // build.cpp: replay, earliest times, zones
//     ValidationReport report = validate(system, property, trace);   // validator.h
//     std::string text = to_text(system, trace);              // writers: text_writer.h, json.h
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "harrier/trace.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::trace {

using model::ClockAtom;
using model::Path;
using model::PathFailure;
using model::PathStep;
using model::Premise;
using model::Rest;

// harrier/trace.h defines them: what the public interface hands out is what this room works on.
using Trace = harrier::Trace;
using FiredEdge = Trace::Firing;
using TraceState = Trace::State;
using TraceStep = Trace::Step;
using TraceFailure = Trace::Failure;
using PremiseMoment = Trace::Premise;

inline model::EdgeId id_of(const FiredEdge& fired) { return model::EdgeId(fired.edge); }

// Zones are computed for at most this many clocks and steps.
inline constexpr size_t kMaxZoneClocks = 64;
inline constexpr size_t kMaxZoneSteps = 10'000;

// Time that passes before each of the steps of a path, and after the last one; where there is none, as little as
// possible does.
using Delays = std::vector<std::optional<int32_t>>;

// Replays a path and finds its earliest times. A cycle in a model with clocks is for build_lasso (lasso.h). Throws
// Error(Internal) if the path cannot be followed.
Trace build_trace(const model::System& system, const model::Property& property, const Path& path,
                  const Watch& watch = Watch::none(), const Delays& delays = {});

// Whether a step is one of the claim, which only watches: readers of a trace are not shown it.
bool is_watching(const model::System& system, const TraceStep& step);
// The number of the other steps, of the first `count` or of all.
size_t shown_steps(const model::System& system, const Trace& trace, size_t count = SIZE_MAX);

// What the numbers in the traces of a system stand for.
Trace::Names names_of(const model::System& system);

// The description of an edge.
FiredEdge describe(const model::System& system, model::EdgeId edge);

// What the effect of an edge does, as it would be written: "id := 1, x := 0".
std::string effect_text(const model::System& system, const model::Edge& edge);

// The indices at which two value vectors differ.
std::vector<uint32_t> differences(const std::vector<int32_t>& before, const std::vector<int32_t>& after);

// The name of a property kind in traces: "reachable", "invariant", …
const char* kind_name(model::PropertyKind kind);

// The name of what fails, in traces: "guard", "transition", …
const char* part_name(PathFailure::Part part);

// A failure as a line: "division by zero in the guard (m.xta:3:4)".
std::string failure_text(const TraceFailure& failure);

// A time as text: "3", or "7/2" in lowest terms.
std::string time_text(int64_t time, int64_t denominator);

}  // namespace harrier::trace
