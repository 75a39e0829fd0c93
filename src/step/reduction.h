// Partial-order reduction by ample sets (Peled 1993; Holzmann and Peled 1994): where one process alone can be looked at
// without missing a goal or a deadlock.
//
// At a *safe* location everything that its process can do is internal and uses only variables that no other process
// uses, none of it leads to where the process would take part in a broadcast, and none of it can make a condition of
// the goal true or false. So its transitions commute with all others, nothing can enable or disable them, and they may
// go first: the transitions of the other processes wait. What waits must not wait for ever: the space follows the
// process alone only if all states that this leads to are new (DiscreteSpace), which holds for every order of search,
// because in a cycle of the reduced space the state that is expanded last leads to one that is not.
//
// Reachable goals and deadlocks are kept, the lengths of paths are not. Nothing is safe in a model with clocks,
// priorities or committed locations; edges that depend on or take control of what others may do (urgency, idleness,
// exclusive control) are not safe. So nobody has control where a process that is followed arrives, and a space that
// passes through the states in which somebody has (DiscreteSpace) follows from stored states to stored states.
#pragma once

#include <cstdint>
#include <vector>

#include "model/system.h"

namespace harrier::step {

class Reduction {
 public:
  Reduction(const model::System& system, const std::vector<model::Clause>& goal);

  // Processes with a safe location, and whether a location of theirs is one.
  const std::vector<uint32_t>& processes() const { return processes_; }
  bool safe(uint32_t process, int32_t location) const { return safe_[process][static_cast<size_t>(location)]; }

 private:
  std::vector<uint32_t> processes_;
  std::vector<std::vector<bool>> safe_;
};

}  // namespace harrier::step
