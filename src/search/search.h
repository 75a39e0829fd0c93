// Reachability: finds a path to a state that satisfies a goal, or proves that there is none.
//
//     Config config;
//     config.method = BreadthFirstSearch();
//     Result result = search::run(system, property, config);
//     if (result.verdict == Verdict::Reachable) …   // result.path is the witness, not yet validated
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/interpreter.h"
#include "model/path.h"
#include "model/system.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

struct Result {
  Verdict verdict = Verdict::Unknown;
  // With Reachable, unless no single path shows it; and with Failed, unless only the failure is known.
  std::optional<model::Path> path;
  std::optional<model::EvalFailure> failure;  // with Failed
  std::vector<TermValues> values;             // with Computed
  bool shortest = false;                      // the path is proved to be a shortest one
  bool cheapest = false;                      // by what steps count, where that is not 1: none costs less
  CostType costs = CostType::Unit;            // what steps count
  bool improved = false;                      // shorter paths have been looked for already
  std::string reason;                         // with Unknown
  std::vector<std::string> warnings;          // with Unreachable, Computed: why that may not be what was meant
  std::string search;                         // that answered, in the words of `describe`
  std::string search_reason;                  // why auto chose it; or empty
  Statistics statistics;
};

// Searches for a state in the goal of a Reachable or Invariant property, for a violation of a Liveness or Branching
// one, for a maximal path on which the goal always holds (E[], A<>, -->), or for the values of terms (sup, inf,
// bounds). Throws what `check` says of the configuration.
Result run(const model::System& system, const model::Property& property, const Config& config);

// One task from its beginning to its end, within the limits.
Result run_single(const step::Semantics& semantics, const Config& config);

// Looks at the first states, breadth-first: the path to a goal state among them. Never throws because of the model, but
// Error(Limit).
std::optional<model::Path> probe(const model::System& system, const model::Property& property, uint64_t expansions,
                                 const Watch& watch);

// The path to a failure of the model among the first states, breadth-first, if there is one.
std::optional<model::Path> early_failure(const model::System& system, const model::Property& property,
                                         uint64_t expansions, const Watch& watch);

}  // namespace harrier::search
