// A run: a path of the model that is about no property of it, as somebody takes it step by step.
//
// Its trace names a property of its own, that any state can be reached, so that the validator has nothing to ask at its
// end; no model has a property of this text.
#pragma once

#include "model/system.h"
#include "trace/json.h"

namespace harrier::trace {

model::Property run_property();
// Whether a trace is that of a run.
bool is_run(const Head& head);

}  // namespace harrier::trace
