// The two files of a planning task: which of those that are given is what, and where the domain is if only the problem
// is given. Collections of tasks keep it beside the problem:
//
//     p07.pddl            domain_p07.pddl, domain_p07, or domain.pddl for all
//     p07-airport2.pddl   p07-domain.pddl, or p07-airport2-domain.pddl
#pragma once

#include <string>
#include <vector>

#include "base/watch.h"
#include "lang/frontend.h"

namespace harrier::pddl {

struct TaskFiles {
  lang::Companion domain;
  lang::Companion problem;
};

// `domain` is what the option --domain says, or empty. Throws Error(Usage) if a file is missing or one too many is
// given, Error(Input) if one cannot be read.
TaskFiles find_files(lang::Input input, const std::string& domain, const Watch& watch);

// Where the domain of a problem may be, the likeliest first.
std::vector<std::string> domains_beside(const std::string& problem);

}  // namespace harrier::pddl
