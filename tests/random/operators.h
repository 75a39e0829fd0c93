// Random systems made of operators and statements alone, each as likely as any other: what no front end happens to
// write is made here.
#pragma once

#include <cstdint>
#include <set>

#include "model/system.h"

namespace harrier::testing_support {

// One process with a few edges. Guards and the bounds of clocks have no effects, and everything ends.
model::System random_operators(uint64_t seed);

// What occurs in the guards and effects of a system, functions included.
struct Occurrences {
  std::set<model::Op> operators;
  std::set<model::StmtKind> statements;
};
Occurrences occurrences(const model::System& system);

}  // namespace harrier::testing_support
