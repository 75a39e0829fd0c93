// What a search is told, from the flat options of the public interface.
#pragma once

#include <memory>

#include "abstraction/workshop.h"
#include "base/watch.h"
#include "harrier/harrier.h"
#include "search/config.h"

namespace harrier {

// Throws Error(Usage) for an option that the search it names does not have.
search::Config config_of(const CheckOptions& options, const Watch& watch,
                         std::shared_ptr<abstraction::Workshop> workshop = nullptr);

// Throws Error(Input) if what is to be loaded is damaged.
std::shared_ptr<abstraction::Workshop> workshop_of(const CheckOptions& options);

}  // namespace harrier
