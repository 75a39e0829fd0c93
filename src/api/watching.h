// Watches over what the public interface is asked to do.
#pragma once

#include <cstdint>
#include <optional>

#include "base/watch.h"
#include "harrier/harrier.h"

namespace harrier::api {

// The watch that the options name, or one that is made of their limits.
class Watching {
 public:
  template <class Options>
  Watching(const Options& options, uint64_t bytes_before) {
    if (options.watch == nullptr) {
      own_.emplace(Watch::Bounds{.seconds = options.time_limit_s,
                                 .bytes = options.memory_limit_bytes,
                                 .bytes_before = bytes_before,
                                 .stop = options.stop});
    }
    watch_ = own_ ? &*own_ : options.watch;
  }
  const Watch& operator*() const { return *watch_; }
  const Watch* operator->() const { return watch_; }

 private:
  std::optional<Watch> own_;
  const Watch* watch_ = nullptr;
};

// What there is for the witness to a path that has been found when the search is told to end: it is worth a little more
// time than the limit. None: there is nothing to be added.
std::optional<Watch> time_for_a_witness(const Watch& watch);

// The figures of a search with those of all that was done for the property.
Statistics of_all(Statistics statistics, const Watch& watch);

}  // namespace harrier::api
