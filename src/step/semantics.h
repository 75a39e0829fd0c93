// A system and a property, compiled once: what may happen, when a state is a goal, how states are packed, which
// constants clocks are compared with. It does not change afterwards, so that all threads and all who look at the model
// share one; what they need to work with it is theirs (Workspace, DiscreteGenerator, ZoneGenerator).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "step/clock_bounds.h"
#include "step/goal.h"
#include "step/layout.h"
#include "step/network.h"

namespace harrier::step {

// What states are made simpler by.
enum class Simplification : uint8_t {
  None,
  Domains,     // only the values that variables can have are packed (layout.h)
  DeadValues,  // besides, values are forgotten that nobody needs any more (model/dead_values.h)
};

class Semantics {
 public:
  // System and property must outlive it. The watch is polled meanwhile. `watched` are further bounds of clocks that
  // hold everywhere.
  Semantics(const model::System& system, const model::Property& property, const Watch& watch = Watch::none(),
            std::span<const ClockBounds::Entry> watched = {}, Simplification simplification = Simplification::None);
  Semantics(const Semantics&) = delete;
  Semantics& operator=(const Semantics&) = delete;

  const model::System& system() const { return system_; }
  const model::Property& property() const { return property_; }
  const Network& network() const { return network_; }
  const std::vector<CompiledClause>& goal() const { return goal_; }
  const std::vector<std::vector<CompiledClause>>& accepting() const { return accepting_; }
  const std::vector<CompiledClause>& premise() const { return premise_; }
  const std::vector<int32_t>& initial() const { return initial_; }  // values
  const Layout& layout() const { return layout_; }
  Simplification simplification() const { return simplification_; }
  bool has_priorities() const { return has_priorities_; }
  bool timed() const { return system_.clocks.size() > 1; }
  const ClockBounds& bounds() const { return bounds_; }

 private:
  const model::System& system_;
  const model::Property& property_;
  Network network_;
  std::vector<CompiledClause> goal_;
  std::vector<std::vector<CompiledClause>> accepting_;
  std::vector<CompiledClause> premise_;
  std::vector<int32_t> initial_;
  Simplification simplification_;
  Layout layout_;
  bool has_priorities_;
  ClockBounds bounds_;

  void simplify(const Watch& watch);
};

}  // namespace harrier::step
