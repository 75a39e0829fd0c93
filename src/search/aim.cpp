#include "search/aim.h"

#include <algorithm>

#include "base/error.h"
#include "base/watch.h"
#include "heur/table.h"
#include "model/analysis.h"

namespace harrier::search {

namespace {

// Tells whether nothing was left out.
bool drop_deadlocks(std::vector<model::Clause>& goal) {
  const auto is_deadlock = [](const model::Clause& c) { return c.deadlock == model::DeadlockTest::IsDeadlock; };
  if (std::all_of(goal.begin(), goal.end(), is_deadlock)) return true;
  return std::erase_if(goal, is_deadlock) == 0;
}

}  // namespace

Guidance make_guidance(const step::Semantics& semantics, const Estimate& estimate, bool direction_only,
                       const Watch& watch) {
  const model::System& system = semantics.system();
  const model::Property& property = semantics.property();
  const heur::Entry& entry = heur::get(estimate.heuristic);
  Guidance g;
  g.safe = entry.safe && std::none_of(property.goal.begin(), property.goal.end(),
                                      [&](const model::Clause& c) { return model::can_fail(system, c); });
  g.clocks = estimate.clocks && entry.clocks && semantics.timed();
  std::vector<model::Clause> aim = property.goal;
  if (direction_only && !drop_deadlocks(aim)) g.safe = false;
  g.heuristic =
      entry.make(system, aim, g.clocks ? heur::Clocks::Use : heur::Clocks::Ignore, estimate.sibling.get(), watch);
  return g;
}

}  // namespace harrier::search
