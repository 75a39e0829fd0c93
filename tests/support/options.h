// Searches with the flat options of the public interface, which are shorter to write than a configuration.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "api/config.h"
#include "api/watching.h"
#include "harrier/harrier.h"
#include "search/polish.h"
#include "search/search.h"
#include "search/task.h"
#include "search/walk.h"

namespace harrier {

// Of the table of preferences those whose bits are set.
inline std::vector<std::string> preferences_in(uint64_t bits) {
  std::vector<std::string> out;
  for (const PreferenceInfo& p : preferences()) {
    if (bits & 1) out.push_back(p.name);
    bits >>= 1;
  }
  return out;
}

}  // namespace harrier

namespace harrier::search {

inline Result run(const model::System& system, const model::Property& property, const CheckOptions& options) {
  const Watch watch(api::bounds_of(options, resident_bytes()));
  return run(system, property, config_of(options, watch));
}

inline Polished polish(const step::Semantics& semantics, const model::Path& path, const CheckOptions& options,
                       uint64_t work) {
  return polish(semantics, path, config_of(options, Watch::none()), work);
}

inline std::unique_ptr<Task> make_task(const step::Semantics& semantics, const CheckOptions& options, Budget& budget) {
  return make_task(semantics, config_of(options, Watch::none()), budget);
}

inline std::unique_ptr<Task> make_walk_task(const step::Semantics& semantics, const CheckOptions& options,
                                            Budget& budget) {
  return make_task(semantics, options, budget);
}

}  // namespace harrier::search
