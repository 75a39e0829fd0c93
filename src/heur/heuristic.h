// What a search asks of a distance heuristic.
#pragma once

#include <cstdint>
#include <span>

#include "heur/step_costs.h"
#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::heur {

// "No goal state can be reached from here" (proved if the heuristic is safe).
inline constexpr uint32_t kDeadEnd = UINT32_MAX;

// Whether a heuristic looks at the clocks of a state.
enum class Clocks : uint8_t { Ignore, Use };

// The state to be estimated.
struct StateView {
  StateView(const int32_t* variables, const zone::ZoneView& clocks = {}) : values(variables), zone(clocks) {}

  const int32_t* values;
  zone::ZoneView zone;  // with Clocks::Use
};

// Not thread-safe: a heuristic has scratch memory of its own, so that nothing is allocated per evaluation.
class Heuristic {
 public:
  virtual ~Heuristic() = default;

  // The estimated number of transitions from a state to a goal state, or what they cost (table.h: Entry::costs).
  virtual uint32_t evaluate(const StateView& state) = 0;

  // Some estimates depend on how a state was reached. A search that knows the state before can have them: it keeps so
  // many words for every state, which are written when the state is estimated, from those of the state before it (null:
  // there is none). With 0 words this is evaluate(). prefers() then knows nothing of the state.
  virtual uint32_t memory_words() const { return 0; }
  virtual uint32_t evaluate_after(const uint64_t* /*before*/, const StateView& state, uint64_t* /*memory*/) {
    return evaluate(state);
  }

  // The same in the reduced system (Wehrle 2011, def. 3.3) without the given edges. Values above `limit` may be cut to
  // limit + 1: the caller only asks whether the result exceeds it.
  virtual uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) = 0;

  // Whether a transition is preferred (helpful) in the state evaluated last: it starts the abstract error path found
  // there. Edges as fired, sender first. Heuristics that find no abstract path prefer nothing.
  virtual bool prefers(std::span<const uint32_t> edges) const = 0;

  // How it rates steps, if it does; valid as long as the heuristic.
  virtual const StepCosts* step_costs() const { return nullptr; }

  // Of the abstraction that it looks estimates up in, if there is one.
  virtual uint64_t bytes() const { return 0; }
};

}  // namespace harrier::heur
