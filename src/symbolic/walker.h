// A random walk through sets of states (Bui 2009, fig. 5.2 and 7.2): all successors of a state at once, and one of
// them.
//
//     Walker walker(space, {.trails = true}, seed);
//     walker.begin();
//     while (walker.step() == Walker::Step::Made) {}
//
// With a database, the successors at one distance are taken together first: those at the distance d of n are as likely
// as n - d tickets of a lottery; successors from which there is no way to the goal are never chosen. Inside of what was
// chosen, all states are equally likely, or all branches of the diagram.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/rng.h"
#include "symbolic/database.h"
#include "symbolic/witness.h"

namespace harrier::symbolic {

class Walker {
 public:
  struct Rules {
    bool trails = false;       // never visit a state twice
    bool end_at_loop = false;  // the walk ends at the first state that it visits twice
    bool reverse = false;      // far states are likely, not near ones
    Draw draw = Draw::Uniform;
  };
  enum class Step : uint8_t { Made, Found, Ended };

  // Keeps a reference to the space. Without a database the walks are blind.
  Walker(Space& space, const Rules& rules, std::optional<Database> database, uint64_t seed)
      : space_(space), rules_(rules), database_(std::move(database)), rng_(seed) {}

  // A new walk from an initial state, or from a random state of the last one. Ended: there is no state to begin with.
  Step begin();
  Step begin_at_previous();
  Step step();

  uint64_t length() const { return states_.size() - 1; }
  // With Found.
  model::Path path() const { return path_along(space_, states_); }

 private:
  Step enter(StateValues values);
  Bdd chosen(const Bdd& states);
  StateValues draw(const Bdd& states);

  Space& space_;
  Rules rules_;
  std::optional<Database> database_;
  Rng rng_;
  std::vector<StateValues> states_;
  Bdd here_;
  Bdd visited_;
};

}  // namespace harrier::symbolic
