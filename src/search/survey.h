// A heuristic looked at without a search: what it is made of, and what it says of the initial state.
#pragma once

#include <cstdint>
#include <memory>

#include "abstraction/workshop.h"
#include "base/watch.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

struct Survey {
  uint32_t estimate = 0;  // the least, of several initial states; heur::kDeadEnd
  bool safe = false;      // a dead end is proved
};

// The estimate names one heuristic. The workshop has a record of what was built for it.
Survey survey(const step::Semantics& semantics, const Estimate& estimate,
              const std::shared_ptr<abstraction::Workshop>& workshop, const Watch& watch);

}  // namespace harrier::search
