// Witnesses: from the path that a search found to what a reader sees.
#pragma once

#include "api/data.h"
#include "harrier/harrier.h"
#include "trace/trace.h"

namespace harrier::api {

// A witness shows that such a property holds; of the others it is a violation.
bool holds_by_witness(const model::Property& property);

// A trace with all that those outside need to read and to write it.
Trace published(Trace trace, const InstancePtr& instance);

// Hands out a witness in the forms that are asked for.
void write_witness(CheckResult& result, const InstancePtr& instance, Trace trace, const WitnessForms& forms,
                   const Watch& watch);

// Turns a path into a validated witness. A cycle that comes back too late is proved by the search, but not shown.
// Throws Error(Internal) if the witness does not pass validation.
void add_witness(CheckResult& result, const InstancePtr& instance, const model::Property& property,
                 const model::Path& path, const WitnessForms& forms, const Watch& watch);

}  // namespace harrier::api
