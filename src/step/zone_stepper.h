// Steps through a model with clocks by hand: zones are exact, and over all clocks.
//
// A search extrapolates its zones, and forgets clocks that no longer matter. Whoever looks at a state wants to see what
// is true there. What is kept of a state is the zone with which it was entered, so that somebody can say afterwards how
// long the system stays:
//
//     ZoneStepper stepper(semantics, watch);              // of semantics_of_steps
//     std::optional<ZoneStepper::Position> position = stepper.start();
//     stepper.load(*position, 3);                         // and three time units later
//     stepper.successors([&](const Firing& firing, const std::vector<model::ClockAtom>& extra) {
//       … stepper.candidate() …
//       return true;
//     });
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "model/path.h"
#include "step/zone_generator.h"

namespace harrier::step {

// Bounds with which all clocks are kept everywhere, for Semantics.
std::vector<ClockBounds::Entry> all_clocks(const model::System& system);

class ZoneStepper : private ZoneGenerator {
 public:
  // A state and the clock values with which it is entered.
  struct Position {
    std::vector<int32_t> values;
    std::vector<Bound> entered;
  };

  // The semantics has bounds of all clocks.
  ZoneStepper(const Semantics& semantics, const Watch& watch) : ZoneGenerator(semantics, watch) {}

  // Nothing if an invariant rules the initial state out.
  std::optional<Position> start();
  // The state to leave, after a delay of so much, or of any length. False: so much time cannot pass.
  bool load(const Position& position, std::optional<int32_t> delay);
  // The zone of the state to leave, in the order of the clocks of the system.
  Zone zone_of_source() const;

  // Calls visit(firing, constraints on the clocks that do not follow from the guards) for every successor until it
  // returns false.
  template <class Visit>
  void successors(Visit&& visit) {
    const std::vector<Enabled> all = all_enabled();
    SourceFilter filter(*this);
    const auto fire = [&](const Firing& firing) {
      return enter(firing, all, [&](std::span<const Atom> extra) {
        refuse_large();
        return visit(firing, global(extra, source_));
      });
    };
    network_.for_each_firing(work_, values_.data(), fire, &filter);
  }
  Position candidate() const { return {values_, target_zone_}; }
  using ZoneGenerator::values;

  // The first clause of the goal that some clock values of the state to leave satisfy, and of a test for deadlocks what
  // that asks of them.
  struct Reached {
    size_t clause = 0;
    std::vector<model::ClockAtom> extra;
  };
  std::optional<Reached> goal_of_source();

 private:
  // Throws if sums of what zones say could overflow soon.
  void refuse_large() const;

  std::vector<Bound> whole_;  // of the state to leave, after any delay
};

}  // namespace harrier::step
