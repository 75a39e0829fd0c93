// Distances in the zone graph of a projection of the model (abstraction/zone_database.h).
#pragma once

#include <memory>
#include <span>

#include "abstraction/zones/zone_choice.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class ZoneDistance : public Heuristic {
 public:
  // Without clocks, all zones of a discrete state count: the estimate is good for every zone.
  ZoneDistance(abstraction::ChosenZones chosen, Clocks clocks)
      : chosen_(std::move(chosen)), clocks_(clocks), scratch_(chosen_.database->make_scratch()) {}

  uint32_t evaluate(const StateView& state) override {
    static_assert(kDeadEnd == abstraction::ZoneDatabase::kDeadEnd);
    const zone::ZoneView zone = clocks_ == Clocks::Use ? state.zone : zone::ZoneView{};
    return chosen_.database->look_up(state.values, zone, scratch_);
  }
  // Fewer edges only lead farther away.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }

  const AbstractionReport& report() const { return chosen_.report; }

 private:
  abstraction::ChosenZones chosen_;
  Clocks clocks_;
  abstraction::ZoneDatabase::Scratch scratch_;
};

}  // namespace harrier::heur
