// Reachability: finds a path to a state that satisfies a goal, or proves that there is none.
//
//     Options options;
//     options.search = Search::BreadthFirst;
//     Result result = search::run(system, property, options);
//     if (result.verdict == Verdict::Reachable) …   // result.path is the witness, not yet validated
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "harrier/harrier.h"
#include "model/interpreter.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::search {

using Options = CheckOptions;

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::optional<model::Path> path;            // with Reachable, and with Failed unless only the failure is known
  std::optional<model::EvalFailure> failure;  // with Failed
  std::vector<TermValues> values;             // with Computed
  bool shortest = false;                      // the path is proved to be a shortest one
  bool improved = false;                      // shorter paths have been looked for already
  std::string reason;                         // with Unknown
  std::vector<std::string> warnings;          // with Unreachable, Computed: why that may not be what was meant
  std::string search;                         // that answered, in the words of describe.h
  std::string search_reason;                  // why auto chose it; or empty
  Statistics statistics;
};

// Searches for a state in the goal of a Reachable or Invariant property, for a violation of a Liveness property, for a
// maximal path on which the goal always holds (E[], A<>, -->), or for the values of terms (sup, inf, bounds).
// Throws Error(Unsupported) for options that do not suit the property.
Result run(const model::System& system, const model::Property& property, const Options& options);

// Looks at the first states, breadth-first: the path to a goal state among them. Never throws because of the model, but
// Error(Limit).
std::optional<model::Path> probe(const model::System& system, const model::Property& property, uint64_t expansions,
                                 const Watch& watch);

// The path to a failure of the model among the first states, breadth-first, if there is one.
std::optional<model::Path> early_failure(const model::System& system, const model::Property& property,
                                         uint64_t expansions, const Watch& watch);

}  // namespace harrier::search
