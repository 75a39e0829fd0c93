#include "heur/claim_distance.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::heur {

namespace {

// The clauses that are about the location of the claim alone, or the others.
std::vector<model::Clause> clauses(const model::System& system, const std::vector<model::Clause>& goal, bool of_claim) {
  model::Accesses accesses(system);
  const auto is_claims = [&](const model::Clause& clause) {
    return system.claim.valid() && std::all_of(clause.conditions.begin(), clause.conditions.end(), [&](auto condition) {
             const std::vector<model::VarId> reads = accesses.of(condition).reads;
             return reads.size() == 1 && reads[0] == system.process(system.claim).location;
           });
  };
  std::vector<model::Clause> out;
  std::copy_if(goal.begin(), goal.end(), std::back_inserter(out),
               [&](const model::Clause& clause) { return is_claims(clause) == of_claim; });
  return out;
}

}  // namespace

ClaimDistance::ClaimDistance(const model::System& system, const std::vector<model::Clause>& goal)
    : has_claim_(!clauses(system, goal, true).empty()),
      claim_(system, clauses(system, goal, true), false),
      others_(system, clauses(system, goal, false)) {}

uint32_t ClaimDistance::without_claim(const StateView& state) {
  const uint32_t unsatisfied = others_.evaluate(state);
  return unsatisfied == kDeadEnd ? kDeadEnd : std::min(unsatisfied, 1U);
}

uint32_t ClaimDistance::evaluate(const StateView& state) {
  return has_claim_ ? claim_.evaluate(state) : without_claim(state);
}

uint32_t ClaimDistance::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  return has_claim_ ? claim_.evaluate_without(state, edges, limit) : without_claim(state);
}

}  // namespace harrier::heur
