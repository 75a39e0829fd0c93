// Which constants each clock is still compared with, by location: the bounds L and U of the extrapolation, and which
// clocks matter at all (Behrmann, Bouyer, Fleury and Larsen 2003).
//
// For a process in location l, L_l(x) is at least every c of a constraint x > c or x >= c on the invariant of l or a
// guard of an edge that leaves l, and at least L_l'(x) for every edge l -> l' that does not surely reset x; U likewise
// for x < c and x <= c. The bounds of a state are the maxima over its processes. A clock without bounds is inactive:
// its value is never looked at before it is reset, so it is not stored.
//
// `exact` makes L and U both the maximum of the two. The zones are then closed under a bisimulation instead of
// a simulation, which deadlock tests, priorities and refused broadcast receivers need.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::step {

using namespace zone;

// x_left - x_right ~ bound, both clocks other than 0.
struct Diagonal {
  uint32_t left = 0;
  uint32_t right = 0;
  Bound bound = 0;
};

class ClockBounds {
 public:
  struct Entry {
    uint32_t clock = 0;
    int32_t lower = dbm::kNoBound;
    int32_t upper = dbm::kNoBound;
  };
  // `watched` are further bounds that hold everywhere. Throws Error(Unsupported) for constants beyond kLargestConstant
  // and for diagonal constraints with too many bounds.
  ClockBounds(const model::System& system, const model::Property* property, bool exact,
              std::span<const Entry> watched = {});

  // Bounds that process `p` demands in its location `l`.
  std::span<const Entry> at(uint32_t process, uint32_t location) const {
    return by_location_[first_location_[process] + location];
  }
  // Bounds that hold everywhere: of the goal, and of clocks in diagonal constraints.
  std::span<const Entry> everywhere() const { return everywhere_; }
  // All diagonal constraints of the model, each once, normalised so that no entry is the negation of another.
  std::span<const Diagonal> diagonals() const { return diagonals_; }
  // The largest constant that a clock is compared with anywhere.
  int32_t largest_of(uint32_t clock) const;
  // The largest constant of all.
  int32_t largest() const { return largest_; }

 private:
  std::vector<uint32_t> first_location_;
  std::vector<std::vector<Entry>> by_location_;
  std::vector<Entry> everywhere_;
  std::vector<Diagonal> diagonals_;
  int32_t largest_ = 0;
};

}  // namespace harrier::step
