// Which symbolic database is built: what explicit searches look up in a table (symbolic_patterns.h) and symbolic ones
// split their sets by (search/symbolic_database.h).
#pragma once

#include <span>
#include <string>

#include "model/system.h"
#include "symbolic/database.h"

namespace harrier::abstraction {

// Of the variables that a pattern names (patterns/pattern_text.h); without one, by dependency layers. Throws
// Error(Usage) if there are several patterns, or if a name is not known.
symbolic::Database choose_database(symbolic::Space& space, const model::Property& property, const std::string& pattern,
                                   const symbolic::Database::Limits& limits);

// As users write it.
std::string pattern_text(const model::System& system, std::span<const model::VarId> pattern);

}  // namespace harrier::abstraction
