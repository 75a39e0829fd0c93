// What a search asks of a distance heuristic.
#pragma once

#include <cstdint>
#include <span>

#include "model/system.h"

namespace harrier::heur {

// "No goal state can be reached from here" (proved if the heuristic is safe).
inline constexpr uint32_t kDeadEnd = UINT32_MAX;

// Not thread-safe: a heuristic has scratch memory of its own, so that nothing is allocated per evaluation.
class Heuristic {
 public:
  virtual ~Heuristic() = default;

  // The estimated number of transitions from a state (its variables) to a goal state.
  virtual uint32_t evaluate(const int32_t* values) = 0;

  // The same in the reduced system (000 def. 3.3) without the given edges. Values above `limit` may be cut to limit +
  // 1: the caller only asks whether the result exceeds it.
  virtual uint32_t evaluate_without(const int32_t* values, std::span<const uint32_t> edges, uint32_t limit) = 0;

  // Whether a transition is preferred (helpful) in the state evaluated last: it starts the abstract error path found
  // there. Edges as fired, sender first. Heuristics that find no abstract path prefer nothing.
  virtual bool prefers(std::span<const uint32_t> edges) const = 0;
};

}  // namespace harrier::heur
