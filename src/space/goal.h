// A goal, compiled: a list of clauses over a discrete state and a zone.
#pragma once

#include <vector>

#include "model/system.h"
#include "space/network.h"

namespace harrier::space {

// Of a path that leads to no goal.
inline constexpr size_t kNoClause = SIZE_MAX;

struct CompiledClause {
  Code conditions;
  std::vector<CompiledConstraint> clocks;
  model::DeadlockTest deadlock = model::DeadlockTest::Ignore;
};

inline std::vector<CompiledClause> compile_goal(Network& network, const std::vector<model::Clause>& goal) {
  std::vector<CompiledClause> out;
  for (const model::Clause& clause : goal) {
    CompiledClause compiled;
    compiled.conditions = network.compile(clause.conditions);
    for (const auto& c : clause.clocks) compiled.clocks.push_back(network.compile(c));
    compiled.deadlock = clause.deadlock;
    out.push_back(std::move(compiled));
  }
  return out;
}

}  // namespace harrier::space
