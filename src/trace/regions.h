// Which clock valuations no continuation can tell apart: regions (Alur and Dill 1994), with bounds by location.
//
// Two states with the same variables are equivalent if, for every clock that still matters, the whole parts agree and
// the fractions are in the same order, or both values are beyond every constant that the clock is still compared with;
// and if they are on the same side of every constraint on a difference of clocks. Then whatever one can do, the other
// can do too, with equivalent results, and a formula of the property holds in both or in none. So a run that comes
// back to an equivalent state can go on in the same way for ever. The bounds are found here anew, from the model alone.
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"
#include "trace/concrete.h"

namespace harrier::trace {

class Regions {
 public:
  using State = ConcreteSemantics::State;

  Regions(const model::System& system, const model::Property& property);

  // The largest constant that the clock is still compared with; -1 if it does not matter.
  int64_t bound(model::ClockId clock, const std::vector<int32_t>& values) const;
  // What is the same for two states iff they are equivalent. Clock values in units of 1/denominator.
  using Key = std::vector<int64_t>;
  Key key(const State& state, int64_t denominator) const;
  // The moments at which a clock that matters passes a whole number up to its bound, in order.
  std::vector<int64_t> moments(const State& state, int64_t denominator) const;

 private:
  using Bounds = std::vector<int64_t>;  // by clock

  void note(const std::vector<model::ClockConstraint>& constraints, Bounds& bounds);

  struct Difference {
    model::ClockId left;
    model::ClockId right;
    int64_t lowest = 0;  // of the bounds that it may be compared with
    int64_t highest = 0;
  };

  const model::System& system_;
  std::vector<std::vector<Bounds>> by_location_;  // by process
  Bounds everywhere_;
  std::vector<Difference> differences_;
};

}  // namespace harrier::trace
