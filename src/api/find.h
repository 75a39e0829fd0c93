// The search behind a check: with polishing, with refinements of the system until it is not what it lacks that is
// found, and with another system where only fair paths count.
#pragma once

#include "abstraction/workshop.h"
#include "api/data.h"
#include "search/search.h"

namespace harrier::api {

struct Found {
  search::Result result;
  InstancePtr instance;  // that was searched last,
  size_t property = 0;   // and its property
  std::shared_ptr<abstraction::Workshop> workshop;

  const model::Property& asked() const { return instance->properties()[property]; }
};

// Throws what keeps the property from being checked, but no Error(Limit): then the result has
// the reason.
Found find(const Data& data, size_t property, const CheckOptions& options, const Watch& watch);
// The same on all paths, fair or not.
Found find_anywhere(const Data& data, size_t property, const CheckOptions& options, const Watch& watch);

}  // namespace harrier::api
