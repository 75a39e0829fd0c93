// Whether a clock grows without bound by going round in a part of a path again and again.
//
// Along the path the zones are extrapolated but for the clock x, which is watched from a state on where it is beyond
// all constants that it is compared with; it is not reset after that. From then on nothing depends on x. If the path
// comes from a zone Z to a zone Z' of the same discrete state, and Z' contains Z with x raised by at least 1 (but for
// lower bounds on x, which do not matter for a supremum), the steps between them can be repeated, and raise x each
// time.
//
// Where x is unbounded, and not just because of one endless delay, every path that makes it large enough has such a
// part: there are finitely many zones of the other clocks and, as these are at most their bounds or dropped from the
// matrix, finitely many distances between the upper bounds on x in a zone.
#pragma once

#include "space/zone_graph.h"

namespace harrier::space {

class ClockGrowth : private ZoneGraph {
 public:
  ClockGrowth(const model::System& system, const model::Property& property, model::ClockId clock, const Watch& watch);

  // The largest constant that the model compares the clock with.
  int32_t bound() const { return bound_; }
  bool grows(const trace::Path& path);

 private:
  struct Place {
    std::vector<int32_t> values;
    std::vector<Bound> zone;
  };

  void widen();
  Place place() const { return {values_, target_zone_}; }
  // The second zone, over the clocks of the candidate, contains the first with the clock raised.
  bool raises(const std::vector<Bound>& from, const std::vector<Bound>& to) const;
  bool grows_from(const Place& start, std::span<const trace::PathStep> steps);

  model::ClockId clock_;
  int32_t bound_ = 0;
};

}  // namespace harrier::space
