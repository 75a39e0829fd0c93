// A random walk through sets of states (Bui 2009, fig. 5.2 and 7.2): all successors of a state at once, and one of
// them.
//
//     Walker walker(space, {.trails = true}, seed);
//     walker.begin();
//     while (walker.step() == Walker::Step::Made) {}
//
// With a database, the distance of the next state is drawn first, out of those that successors have; successors from
// which there is no way to the goal are never chosen. The bias says how likely a distance d of n is:
//
//   Linear    as n - d tickets of a lottery, however many states are there, as in the thesis;
//   Softmax   as exp(-d / temperature) for each of the states;
//   Greedy    the least one, but one in ten times that of any state.
//
// Inside of what was chosen, all states are equally likely, or all branches of the diagram.
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
  enum class Bias : uint8_t { Linear, Softmax, Greedy };
  struct Rules {
    bool trails = false;       // never visit a state twice
    bool end_at_loop = false;  // the walk ends at the first state that it visits twice
    bool reverse = false;      // far states are likely, not near ones
    Draw draw = Draw::Uniform;
    Bias bias = Bias::Softmax;
    double temperature = 0.5;
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
  double weight(const Database::Part& part, double least) const;
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
