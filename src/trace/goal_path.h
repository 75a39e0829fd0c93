// A trace in terms of names (harrier/goal_path.h).
#pragma once

#include "harrier/goal_path.h"
#include "model/system.h"
#include "trace/trace.h"

namespace harrier::trace {

GoalPath to_goal_path(const model::System& system, const model::Property& property, const Trace& trace);

}  // namespace harrier::trace
