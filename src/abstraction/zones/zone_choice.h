// What of a model to keep for a zone database, and the database.
//
// A model falls into *units*: a process with the variables that it alone writes and the clocks that it alone resets; a
// variable or a clock that several processes change is a unit of its own. What has no influence on the goal
// (model/participation.h) belongs to none.
//
// All units together are tried first, with half of the zones that there is room for: a projection often has more zones
// than the model. If that is not enough, the choice starts with the units that the goal speaks of and adds one after
// the other, in the order in which they have influence, whenever the initial state gets farther from the goal and the
// zone graph fits into what is left. How much a unit multiplies the zones is found out early, while they are few, so
// that the hopeless are not tried. A unit that does not fit is taken apart: its location and its clocks, then each
// variable.
//
// Patterns that are given (`--pattern`) are taken as they are, all together, with the clocks that belong to their
// processes and those that they name.
//
// If even what the goal speaks of is too much, the choice starts with nothing. If nothing fits at all, the zone graph
// of what the goal speaks of is cut where it gets too large.
#pragma once

#include <memory>
#include <vector>

#include "abstraction/zones/zone_database.h"
#include "base/watch.h"
#include "harrier/abstraction.h"
#include "model/system.h"

namespace harrier::abstraction {

struct ChosenZones {
  using Scratch = ZoneDatabase::Scratch;

  std::shared_ptr<const ZoneDatabase> database;
  AbstractionReport record;

  Scratch make_scratch() const { return database->make_scratch(); }
  uint32_t look_up(const int32_t* values, const zone::ZoneView& zone, Scratch& scratch) const {
    return database->look_up(values, zone, scratch);
  }
  const AbstractionReport& report() const { return record; }

  void save(ArchiveWriter& out) const { database->save(out); }
  // What was saved for the same system and goal. Throws Error(Input) if it does not fit them.
  static ChosenZones load(ArchiveReader& in, const model::System& system, const std::vector<model::Clause>& goal,
                          const Watch& watch);
};

ChosenZones choose_zones(const model::System& system, const std::vector<model::Clause>& goal,
                         const AbstractionOptions& options, const Watch& watch);

}  // namespace harrier::abstraction
