// A draft without what cannot happen, what always holds, and what does not matter for the goal.
//
//   - An atom that changes can be true, and can be false: that is a fixpoint over operators and axioms, in which
//     negated literals count, too. What cannot be both is put in where it is read.
//   - A literal matters if the goal asks for it, or something that makes true a literal that matters. Operators that
//     make none true are left out. Of atoms it may be that only one of both literals matters.
#pragma once

#include "base/watch.h"
#include "lang/pddl/ground_task.h"
#include "lang/pddl/grounding_draft.h"

namespace harrier::pddl {

// What is left of a draft, and what there was before that which does not matter was taken away.
struct Pruned {
  Draft draft;
  std::vector<bool> kept;  // by atom of the draft
  bool solvable = true;
  GroundTask::Reachable reachable;
};

Pruned prune(Draft draft, const Watch& watch);

}  // namespace harrier::pddl
