// Distances in the graph of each process alone, ignoring variables and synchronisation: d^L and d^U
// (Wehrle 2011, §2.3; Edelkamp, Lluch-Lafuente and Leue 2001).
//
// A goal clause names locations by conditions `P == l`; for every process that it names, the distance is that of the
// current location to the nearest location which satisfies them. d^L is the maximum over the processes and admissible;
// d^U is the sum. Of several clauses the nearest counts.
#pragma once

#include <cstdint>
#include <vector>

#include "heur/heuristic.h"
#include "model/system.h"

namespace harrier::heur {

class GraphDistance : public Heuristic {
 public:
  GraphDistance(const model::System& system, const std::vector<model::Clause>& goal, bool sum);

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t>) const override { return false; }

  // From a location of a process to the nearest one that a clause names for it; kDeadEnd if there is none.
  uint32_t distance_of(uint32_t process, uint32_t location) const;

 private:
  struct Target {
    uint32_t process = 0;
    uint32_t variable = 0;
    std::vector<bool> wanted;   // by location, as the next ones
    std::vector<bool> entries;  // other processes can put this one there
    std::vector<uint32_t> distance;
  };
  std::vector<uint32_t> distances(const Target& target, std::span<const uint32_t> without) const;
  uint32_t combine(const int32_t* values, std::span<const uint32_t> without);

  const model::System& system_;
  bool sum_;
  std::vector<std::vector<Target>> clauses_;
};

}  // namespace harrier::heur
