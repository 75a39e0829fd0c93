// The graph of a process alone: its locations, and the edges between them without their conditions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "model/analysis.h"
#include "model/system.h"

namespace harrier::heur {

struct Arc {
  uint32_t source = 0;
  uint32_t target = 0;
};

// By process and location: whether edges of other processes can put the process there, as `run` does in Promela.
std::vector<std::vector<bool>> entries(const model::System& system, model::Accesses& accesses);

// By location: the number of arcs to the nearest wanted one, or kDeadEnd. An entry is one step away from everywhere.
std::vector<uint32_t> distances(std::span<const Arc> arcs, const std::vector<bool>& entries,
                                const std::vector<bool>& wanted);

}  // namespace harrier::heur
