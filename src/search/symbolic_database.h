// The symbolic pattern database of a run, built as the workshop's options say, and taken down there.
#pragma once

#include "abstraction/workshop.h"
#include "symbolic/database.h"

namespace harrier::search {

// With a pattern, of its variables; otherwise by dependency layers. Throws Error(Usage) if there are several patterns,
// or if a name is not known.
symbolic::Database symbolic_database(symbolic::Space& space, const model::Property& property,
                                     abstraction::Workshop& workshop);

}  // namespace harrier::search
