// Partial-order reduction by ample sets (Peled 1993; Holzmann and Peled 1994): where one process alone can be looked at
// without missing a goal or a deadlock.
//
// At a *safe* location everything that its process can do is internal and uses only variables that no other process
// uses, and none of it can make a condition of the goal true or false. Nor does any of it lead to where it matters to
// others that the process is ready to receive: where it would take part in a broadcast, or make a send possible that
// keeps less urgent edges from firing or its process in control. So its transitions commute with all others, nothing
// can enable or disable them, and they may go first: the transitions of the other processes wait. What waits must not
// wait for ever: a process is followed alone only if all states that this leads to are new to the search, which is
// right for every order of search: in a cycle of the reduced space the state that is expanded last leads to one that is
// not.
//
// Reachable goals and deadlocks are kept, the lengths of paths are not. Nothing is safe in a model with clocks,
// priorities or committed locations; edges that depend on or take control of what others may do (urgency, idleness,
// exclusive control) are not safe. So nobody has control where a process that is followed arrives, and a search that
// passes through the states in which somebody has (passing.h) follows from stored states to stored states.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "model/system.h"
#include "step/discrete_generator.h"

namespace harrier::step {

class Reduction {
 public:
  Reduction(const model::System& system, const std::vector<model::Clause>& goal);

  // A layer over a generator: a process whose successors will do for all those of the state to be left. is_new(words)
  // tells whether the search has not seen a state yet.
  template <class IsNew>
  std::optional<uint32_t> process_to_follow(DiscreteGenerator& generator, IsNew&& is_new) const {
    const model::System& system = generator.semantics().system();
    const int32_t* values = generator.values();
    if (system.control.valid() && values[system.control.value] != 0) return std::nullopt;
    for (const uint32_t p : processes_) {
      if (!safe_[p][static_cast<size_t>(values[system.processes[p].location.value])]) continue;
      bool any = false;
      bool all_new = true;
      generator.successors_of(p, [&](const Firing&) {
        any = true;
        all_new = is_new(generator.words());
        return all_new;
      });
      if (all_new && any) return p;
    }
    return std::nullopt;
  }

 private:
  std::vector<uint32_t> processes_;      // with a safe location
  std::vector<std::vector<bool>> safe_;  // by process and location
};

}  // namespace harrier::step
