// An effect that computes values in frame slots before it stores them, as that of a synchronous step does, taken apart:
// for each variable that it writes, the statements that the new value depends on.
//
//     $0 := any of [0, 1];  $1 := x + $0;  assume $1 < 5;  y := $0;  x := $1;
//
// is a slice for y, the first statement and the store, and one for x, all but the store of y. Each slice lets at least
// those values happen that the whole does: what other slices assume is forgotten.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/system.h"

namespace harrier::task {

struct Slice {
  model::VarId variable;
  std::vector<model::StmtId> statements;
  std::vector<model::StmtId> without_assumptions;
  bool chooses = false;
};

// None if the statements do anything else than compute slots and store values into variables, one in each, that nothing
// reads after that.
std::optional<std::vector<Slice>> slices_of(const model::System& system, std::span<const model::StmtId> statements);

}  // namespace harrier::task
