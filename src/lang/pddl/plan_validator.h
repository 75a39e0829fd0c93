// Whether a plan solves a task, by the rules of PDDL on the task as it was written: no grounding, no invariants, no
// variables of many values. It shares nothing with the way from the text to the search but the parser, so that a
// mistake there cannot hide.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/plan.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

struct PlanVerdict {
  bool valid = false;
  size_t steps = 0;     // that could be carried out
  uint64_t cost = 0;    // of these
  std::string problem;  // what is wrong, e.g. "step 3, (move a b): its precondition does not hold: (at a)"
};

PlanVerdict validate_plan(const Task& task, const std::vector<PlanStep>& plan, const Watch& watch);

}  // namespace harrier::pddl
