// Frame slots of an effect that are what a variable becomes: written once, at the top level, and later stored there
// unchanged, where nothing else writes it. The bits of the variable after the step can stand for them.
#pragma once

#include <utility>
#include <vector>

#include "model/analysis.h"
#include "model/system.h"

namespace harrier::symbolic {

std::vector<std::pair<uint32_t, model::VarId>> bound_slots(const model::System& system,
                                                           const std::vector<model::StmtId>& effect,
                                                           model::Accesses& accesses);

}  // namespace harrier::symbolic
