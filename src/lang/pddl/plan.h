// Plans as competitions write them: a line for each action, "(move a b)"; what follows a ';' is a comment.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace harrier::pddl {

struct PlanStep {
  std::string action;  // in lower case, like the arguments
  std::vector<std::string> arguments;
  SourceRef at;
};

std::vector<PlanStep> parse_plan(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

// `names` are operators as a plan names them, "(move a b)"; the cost goes into a comment at the end.
std::string plan_text(const std::vector<std::string>& names, uint64_t cost, bool unit_cost);

}  // namespace harrier::pddl
