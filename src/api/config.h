// What a search is told, from the flat options of the public interface.
#pragma once

#include "base/watch.h"
#include "harrier/harrier.h"
#include "search/config.h"

namespace harrier {

// Throws Error(Usage) for an option that the search it names does not have.
search::Config config_of(const CheckOptions& options, const Watch& watch);

}  // namespace harrier
