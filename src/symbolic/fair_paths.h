// Infinite paths as sets of states: those from which there is one that stays in a set and meets every accepting set of
// the property again and again (Emerson, Lei 1986).
//
//     FairPaths paths(space, reached);
//     Bdd states = paths.always(p);                    // EG p
//     size_t loop_start = paths.go_round(path, states);  // such a path goes on where another one ends
#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/space.h"
#include "symbolic/witness.h"

namespace harrier::symbolic {

class FairPaths {
 public:
  // Of states in a set that no step leads out of. Keeps a reference.
  FairPaths(Space& space, Bdd states) : space_(space), states_(std::move(states)) {}

  const Bdd& states() const { return states_; }
  Bdd complement(const Bdd& some) const { return states_ - some; }
  // The states before these.
  Bdd before(const Bdd& some);
  // The states from which a path through `left` leads to one in `right`.
  Bdd until(const Bdd& left, const Bdd& right);
  // The states from which a fair path never leaves `some`.
  Bdd always(const Bdd& some);
  // Goes on from the last state of a path, in a set that `always` returned, by a fair path in this set that ends in a
  // cycle. Returns at which state it starts, which is the last one again.
  size_t go_round(std::vector<StateValues>& path, const Bdd& inside) const;

  uint64_t images() const { return images_; }

 private:
  Space& space_;
  Bdd states_;
  uint64_t images_ = 0;
};

}  // namespace harrier::symbolic
