// Whether a plan solves a finite-domain task: the rules of SAS+ (Bäckström and Nebel 1995; Helmert 2006) on the task as
// a .sas file says it, without the model that searches work on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/watch.h"
#include "lang/frontend.h"
#include "lang/pddl/finite_domain.h"

namespace harrier::pddl {

// The names of operators that a plan has, a line each; what follows a ';' is a comment. Unlike those of PDDL, names may
// be made of anything.
std::vector<std::string> plan_names(std::string_view text);

// With parentheses around a name or without; neither case nor the number of blanks matters. Several operators may have
// the same name: then any choice among them will do, and the cheapest counts.
lang::Replayed replay(const FiniteTask& task, const std::vector<std::string>& plan, const Watch& watch);

}  // namespace harrier::pddl
