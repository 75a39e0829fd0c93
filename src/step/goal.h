// A goal, compiled: a list of clauses over a discrete state and a zone.
//
// A query that cannot be evaluated in some state has no answer there, and none of those that a search could give would
// be true: a range violation is a run-time error here. Clocks protect nothing from it: what a clause says of variables
// is evaluated first, from left to right until something is false; then all that its clock constraints depend on.
#pragma once

#include <optional>
#include <vector>

#include "model/system.h"
#include "step/network.h"

namespace harrier::step {

// Of a path that leads to no goal.
inline constexpr size_t kNoClause = SIZE_MAX;

struct CompiledClause {
  Code conditions;
  std::vector<CompiledConstraint> clocks;
  model::DeadlockTest deadlock = model::DeadlockTest::Ignore;
};

// What the clause says of variables.
inline bool conditions_hold(Machine& machine, const CompiledClause& clause, const int32_t* values) {
  return machine.holds_or_fails(clause.conditions, values);
}

// What it asks of clocks, if that holds.
inline std::vector<Atom> demands(Machine& machine, const CompiledClause& clause, const int32_t* values) {
  std::vector<Atom> out;
  for (const CompiledConstraint& c : clause.clocks) {
    if (const auto atom = demand_of_query(machine, c, values)) out.push_back(*atom);
  }
  return out;
}

// The number of the first clause of which `holds` is true.
template <class Holds>
std::optional<size_t> first_clause(const std::vector<CompiledClause>& clauses, Holds&& holds) {
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (holds(clauses[i])) return i;
  }
  return std::nullopt;
}

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

}  // namespace harrier::step
