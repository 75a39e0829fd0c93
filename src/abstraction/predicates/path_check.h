// Whether the steps of an abstract error path can be taken one after the other, in the part that they belong to
// (Hoffmann et al. 2006, §5), and if not, which predicates tell so.
//
// From the initial values the path is executed symbolically. What is left of its conditions is a formula over unknown
// values and the times of the steps; without unknown values these are differences, and a conflict is a cycle of
// negative weight, else Z3 decides. Of a conflict, an unsatisfiable core, the weakest preconditions are taken backwards
// along the path: what they compare are the new predicates. For a backward Cartesian abstraction these are as good as
// interpolants: if the core is a conjunction of comparisons, each abstract state on the way back implies its
// precondition, and so the path is gone. Those of clocks are zones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abstraction/predicates/part.h"
#include "abstraction/predicates/solver.h"

namespace harrier::abstraction {

// The steps, in order, and the clause of the goal at the end. Adds predicates if the path is spurious.
// True if it is feasible, or nobody can tell that it is not.
bool is_feasible(Workbench& bench, Solver& solver, const Part& part, std::span<const uint32_t> steps, uint32_t clause,
                 PredicateSet& predicates);

}  // namespace harrier::abstraction
