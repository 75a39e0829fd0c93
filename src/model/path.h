// A path as a search hands it over: which edges fire, step by step, and nothing that can be derived from it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/interpreter.h"
#include "model/system.h"

namespace harrier::model {

using harrier::FailurePart;
using harrier::Rest;

// left - right < bound (strict) or <= bound.
struct ClockAtom {
  ClockId left;
  ClockId right;
  int32_t bound = 0;
  bool strict = false;
};

struct PathStep {
  // The edges that fire together: the sender or internal edge first, then the receivers in the order of their updates.
  std::vector<EdgeId> edges;
  // What the effects of the edges choose, in order.
  std::vector<int32_t> choices = {};
  // Constraints on the clocks at the moment of firing that do not follow from the guards: the part of the
  // zone in which no edge of higher priority, or no further broadcast receiver, is enabled.
  std::vector<ClockAtom> extra;
  // Constraints right after the step, so that a formula holds without a break while time passes then.
  std::vector<ClockAtom> arrival = {};
};

// Of p --> q: p holds at some moment after so many steps, and before the next one.
struct Premise {
  size_t steps = 0;
  std::vector<ClockAtom> extra;  // constraints at that moment
};

// The model fails at the end of a path, or in a step from there. A search tells how and after which steps;
// failure.h finds out in which evaluation.
struct PathFailure {
  using Part = FailurePart;
  EvalFailure failure;
  Part part = Part::Unknown;
  std::vector<EdgeId> edges = {};
  std::vector<int32_t> choices = {};  // of a transition
};

struct Path {
  // What the edge chooses with which the model begins (System::beginning).
  std::vector<int32_t> beginning;
  std::vector<PathStep> steps;
  // The clause of the property's goal that holds at the end, and (for a deadlock) the part of the zone where it does.
  size_t goal_clause = 0;
  std::vector<ClockAtom> goal_extra;
  // Of an infinite path: the number of steps after which the cycle starts. It ends with the last step.
  std::optional<size_t> loop_start;
  std::optional<PathFailure> failure = {};
  std::optional<Rest> rest;
  std::optional<Premise> premise;
};

// Whether a path leads to where the system lacks something (Clause::incomplete), not to a goal.
inline bool is_incomplete(const Property& property, const Path& path) {
  return !path.loop_start && !path.failure && path.goal_clause < property.goal.size() &&
         property.goal[path.goal_clause].incomplete;
}

}  // namespace harrier::model
