// Following a given sequence of transitions, exactly: discrete values and an unextrapolated zone over all clocks.
//
// Only where a step is described completely by its edges: in models without clocks, and in those without broadcast
// channels, preemption and deadlocks in the goal; `supports` tells.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "model/system.h"
#include "step/discrete_generator.h"
#include "zone/dbm.h"

namespace harrier::step {

using namespace zone;

class Replay {
 public:
  // Both must outlive it.
  Replay(const Semantics& semantics, const Watch& watch);

  static bool supports(const model::System& system, const std::vector<model::Clause>& goal);

  // The position on the way; can be copied and set again.
  struct Position {
    std::vector<int32_t> values;
    std::vector<Bound> zone;
  };
  // False if the initial state violates an invariant.
  bool start();
  // Fires edges, if they can without a run-time error; otherwise the position stays.
  bool step(std::span<const uint32_t> edges);
  // The clause of the goal that can hold here; none if the goal cannot be evaluated.
  std::optional<size_t> goal_clause();

  Position position() const { return {generator_.all_values(), zone_}; }
  void set_position(const Position& position);

 private:
  bool constrain(const Atom& atom);
  bool constrain(const std::vector<CompiledConstraint>& constraints);
  // Cuts the zone down to the invariants, and lets time pass.
  bool settle();
  bool fire(std::span<const uint32_t> edges);

  const Semantics& semantics_;
  const Network& network_;
  DiscreteGenerator generator_;
  Workspace probe_;
  uint32_t dim_;
  std::vector<Bound> zone_;
  std::vector<Bound> zone_before_;
};

}  // namespace harrier::step
