// Longest paths by sweeps in both directions (Yen's variant of Bellman and Ford): most bounds concern neighbours in
// time, so that few sweeps do.
#include "trace/earliest.h"

#include <algorithm>
#include <utility>

namespace harrier::trace {

EarliestTimes::EarliestTimes(size_t count) : into_(count) {
  for (size_t i = 0; i + 1 < count; ++i) at_most(i, i + 1, 0, false);
}

void EarliestTimes::at_most(size_t u, size_t v, int64_t bound, bool strict) {
  if (u == v) {
    contradiction_ = contradiction_ || bound < 0 || (bound == 0 && strict);
  } else {
    into_[v].push_back({u, -bound, strict});
  }
}

std::optional<EarliestTimes::Solution> EarliestTimes::solve(const Watch& watch) const {
  if (contradiction_) return std::nullopt;
  const size_t count = into_.size();
  using Value = std::pair<int64_t, int64_t>;  // integer part, epsilons; compared in this order
  std::vector<Value> least(count, {0, 0});
  const auto raise = [&](size_t v) {
    bool raised = false;
    for (const Arc& arc : into_[v]) {
      const Value needed{least[arc.from].first + arc.weight, least[arc.from].second + (arc.strict ? 1 : 0)};
      if (needed > least[v]) {
        least[v] = needed;
        raised = true;
      }
    }
    return raised;
  };
  // Without a positive cycle a longest path has fewer than `count` arcs, and every pair of sweeps gains at least one.
  bool changed = true;
  for (size_t round = 0; changed; ++round) {
    if (round > count) return std::nullopt;
    changed = false;
    watch.poll();
    for (size_t v = 0; v < count; ++v) changed = raise(v) || changed;
    for (size_t v = count; v-- > 0;) changed = raise(v) || changed;
    if (count != 0 && least[0] != Value{0, 0}) return std::nullopt;  // T_0 is 0
  }
  Solution solution;
  for (const Value& value : least) solution.denominator = std::max(solution.denominator, value.second + 1);
  for (const Value& value : least) solution.times.push_back(value.first * solution.denominator + value.second);
  return solution;
}

}  // namespace harrier::trace
