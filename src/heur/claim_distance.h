// h^c (Andisha et al. 2015, §1): how many transitions a claim is away from its end, in its own graph.
//
// Clauses of the goal that are not about the claim are passed over, so that this is not admissible. A goal without a
// claim counts as one of a claim with two states: 0 where it holds, 1 elsewhere.
#pragma once

#include <cstdint>

#include "heur/graph_distance.h"
#include "heur/hamming.h"
#include "heur/heuristic.h"

namespace harrier::heur {

class ClaimDistance : public Heuristic {
 public:
  ClaimDistance(const model::System& system, const std::vector<model::Clause>& goal);

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t>) const override { return false; }

 private:
  uint32_t without_claim(const StateView& state);

  bool has_claim_;
  GraphDistance claim_;
  HammingDistance others_;
};

}  // namespace harrier::heur
