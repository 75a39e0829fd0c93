// Watches over what the public interface is asked to do.
#pragma once

#include <optional>

#include "base/watch.h"
#include "harrier/harrier.h"

namespace harrier::api {

// What the options of a call bind it to.
template <class Options>
Watch::Bounds bounds_of(const Options& options, uint64_t bytes_before) {
  return {.seconds = options.time_limit_s,
          .bytes = options.memory_limit_bytes,
          .bytes_before = bytes_before,
          .stop = options.stop,
          .polls = options.poll_limit};
}

// What there is for the witness to a path that has been found when the search is told to end: it is worth a little more
// time than the limit. None: there is nothing to be added.
std::optional<Watch> time_for_a_witness(const Watch& watch);

// The figures of a search with those of all that was done for the property.
Statistics of_all(Statistics statistics, const Watch& watch);

}  // namespace harrier::api
