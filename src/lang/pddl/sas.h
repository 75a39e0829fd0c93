// Files of SAS+ tasks, version 3, as Fast Downward's translator writes them (Helmert 2006): read and written.
#pragma once

#include <string>

#include "base/source.h"
#include "lang/pddl/finite_domain.h"

namespace harrier::pddl {

// With errors, the result must not be used.
FiniteTask parse_sas(const Sources& sources, uint32_t file, Diagnostics& diagnostics);

std::string to_sas(const FiniteTask& task);

}  // namespace harrier::pddl
