#include "trace/maximal.h"

#include <algorithm>
#include <vector>

namespace harrier::trace {

MaximalPaths::MaximalPaths(const model::System& system, const model::Property& property, int64_t denominator)
    : property_(property),
      denominator_(denominator),
      semantics_(system, denominator),
      fine_(system, 2 * denominator),
      regions_(system, property),
      tests_deadlock_(std::any_of(property.goal.begin(), property.goal.end(),
                                  [](const model::Clause& c) { return c.deadlock != model::DeadlockTest::Ignore; })) {}

bool MaximalPaths::always(const State& state, std::optional<int64_t> delay) {
  State doubled = state;
  for (int64_t& clock : doubled.clocks) clock *= 2;
  const auto holds_at = [&](int64_t moment) {
    return fine_.goal(property_.goal, ConcreteSemantics::delayed(doubled, moment));
  };
  if (!holds_at(0)) return false;
  if (delay == 0 || (!delay && !semantics_.may_delay(state))) return true;
  // Whether there is a deadlock can change whenever a clock passes a whole number.
  std::vector<int64_t> moments =
      tests_deadlock_ ? regions_.moments(state, denominator_) : semantics_.moments_of(property_.goal, state);
  moments.insert(moments.begin(), 0);
  for (const int64_t moment : moments) {
    for (const int64_t at : {2 * moment, 2 * moment + 1}) {
      if (delay ? at > 2 * *delay : !fine_.invariant_holds(ConcreteSemantics::delayed(doubled, at))) return true;
      if (!holds_at(at)) return false;
    }
  }
  return true;
}

bool MaximalPaths::endless(const State& state) {
  // Beyond every constant.
  const int64_t far = (int64_t{1} << 31) * denominator_;
  return semantics_.may_delay(state) && semantics_.invariant_holds(ConcreteSemantics::delayed(state, far));
}

bool MaximalPaths::stuck(const State& state) { return semantics_.is_deadlock(state) && !endless(state); }

}  // namespace harrier::trace
