// The search behind a check: with polishing, and with refinements of the system until it is not what it lacks that is
// found.
#pragma once

#include "abstraction/workshop.h"
#include "api/data.h"
#include "search/search.h"

namespace harrier::api {

struct Found {
  search::Result result;
  InstancePtr instance;  // that was searched last
  std::shared_ptr<abstraction::Workshop> workshop;
};

// Throws what keeps the property from being checked, but no Error(Limit): then the result has
// the reason.
Found find(const Data& data, size_t property, const CheckOptions& options, const Watch& watch);

}  // namespace harrier::api
