#include "heur/hamming.h"

#include <algorithm>
#include <bit>
#include <map>

#include "model/analysis.h"

namespace harrier::heur {

HammingDistance::HammingDistance(const model::System& system, const std::vector<model::Clause>& goal)
    : interpreter_(system), variables_(system.variables.size()) {
  model::Accesses accesses(system);
  for (const model::Clause& clause : goal) {
    Wanted wanted;
    std::map<uint32_t, std::vector<uint32_t>> allowed;  // values of a variable that conditions on it alone allow
    for (const model::ExprId condition : clause.conditions) {
      const std::vector<model::VarId> reads = accesses.of(condition).reads;
      const bool alone =
          reads.size() == 1 && int64_t{system.variable(reads[0]).hi} - system.variable(reads[0]).lo < kMostValues;
      if (!alone) {
        wanted.conditions.push_back(condition);
        continue;
      }
      const model::Variable& variable = system.variable(reads[0]);
      const auto [at, first] = allowed.try_emplace(reads[0].value);
      if (first) {
        for (int64_t v = variable.lo; v <= variable.hi; ++v)
          at->second.push_back(static_cast<uint32_t>(v - variable.lo));
      }
      std::vector<int32_t> values = system.initial_values();
      std::vector<uint32_t> left;
      for (const uint32_t offset : at->second) {
        values[reads[0].value] = static_cast<int32_t>(variable.lo + int64_t{offset});
        if (holds(condition, values)) left.push_back(offset);
      }
      if (left.empty()) {
        wanted.conditions.push_back(condition);  // it never holds together with the others: no value is nearest
      } else {
        at->second = std::move(left);
      }
    }
    for (const auto& [v, offsets] : allowed) {
      const model::Variable& variable = system.variables[v];
      Bits bits{v, variable.lo, {}};
      for (uint32_t here = 0; here <= static_cast<uint32_t>(variable.hi - variable.lo); ++here) {
        uint32_t nearest = UINT32_MAX;
        for (const uint32_t there : offsets) {
          nearest = std::min(nearest, static_cast<uint32_t>(std::popcount(here ^ there)));
        }
        bits.distance.push_back(nearest);
      }
      wanted.bits.push_back(std::move(bits));
    }
    clauses_.push_back(std::move(wanted));
  }
}

bool HammingDistance::holds(model::ExprId condition, std::span<const int32_t> values) {
  try {
    return interpreter_.value(condition, values) != 0;
  } catch (const model::EvalFailure&) {
    return false;
  }
}

uint32_t HammingDistance::evaluate(const StateView& state) {
  uint32_t best = clauses_.empty() ? kDeadEnd : UINT32_MAX - 1;
  for (const Wanted& wanted : clauses_) {
    uint32_t differing = 0;
    for (const Bits& bits : wanted.bits) {
      differing += bits.distance[static_cast<size_t>(int64_t{state.values[bits.variable]} - bits.lo)];
    }
    for (const model::ExprId condition : wanted.conditions) {
      if (!holds(condition, {state.values, variables_})) ++differing;
    }
    best = std::min(best, differing);
  }
  return best;
}

}  // namespace harrier::heur
