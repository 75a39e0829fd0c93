// Orders of the variables of a model.
//
// One keeps together what occurs together: variables are moved to the centre of gravity of the guards and effects that
// they occur in, again and again, and the order with the smallest spans is kept (FORCE: Aloul, Markov, Sakallah 2003).
// What selects among others, like the index of an array, then goes before these. Wide numbers that occur together make
// a block, in which the digits of the same weight go together: sums and comparisons of them are small only then.
#pragma once

#include <vector>

#include "base/watch.h"
#include "model/ranges.h"
#include "model/system.h"

namespace harrier::symbolic {

using VariableBlocks = std::vector<std::vector<model::VarId>>;

// Most blocks are single variables. The first order is by what occurs together, the second one that of the
// declarations.
std::vector<VariableBlocks> variable_orders(const model::System& system, const std::vector<model::Interval>& domains,
                                            const Watch& watch);

}  // namespace harrier::symbolic
