// The counts of several searches together.
#pragma once

#include <algorithm>

#include "harrier/statistics.h"

namespace harrier::search {

// Of what can be added up: not times, memory, queues and the length of a path.
inline void add_counts(Statistics& total, const Statistics& s) {
  total.expanded += s.expanded;
  total.generated += s.generated;
  total.stored += s.stored;
  total.transient += s.transient;
  total.evaluated += s.evaluated;
  total.dead_ends += s.dead_ends;
  total.deferred_expanded += s.deferred_expanded;
  total.interchangeable = std::max(total.interchangeable, s.interchangeable);
  total.native_s = std::max(total.native_s, s.native_s);
  total.walks += s.walks;
  total.steps += s.steps;
}

}  // namespace harrier::search
