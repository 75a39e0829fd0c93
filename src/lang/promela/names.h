// Whether the names that a model uses are declared, also in proctypes of which no process runs.
#pragma once

#include <memory>
#include <vector>

#include "base/source.h"
#include "lang/promela/automaton.h"
#include "lang/promela/promela.h"

namespace harrier::promela {

void check_names(const ModelNode& model, const Automata& automata, Diagnostics& diagnostics);

}  // namespace harrier::promela
