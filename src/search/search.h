// Reachability: finds a path to a state that satisfies a goal, or proves that there is none.
//
//     Options options;
//     options.search = Search::BreadthFirst;
//     Result result = search::run(system, property, options);
//     if (result.verdict == Verdict::Reachable) …   // result.path is the witness, not yet validated
#pragma once

#include <optional>
#include <string>

#include "base/watch.h"
#include "harrier/harrier.h"
#include "model/system.h"
#include "trace/path.h"

namespace harrier::search {

using Options = CheckOptions;

struct Result {
  Verdict verdict = Verdict::Unknown;
  std::optional<trace::Path> path;  // with Reachable
  bool shortest = false;            // the path is proved to be a shortest one
  bool improved = false;            // shorter paths have been looked for already
  std::string reason;               // with Unknown
  std::string search;               // that answered, in the words of describe.h
  std::string search_reason;        // why auto chose it; or empty
  Statistics statistics;
};

// Throws Error(Unsupported) for a property that no search can answer.
void refuse_unsupported(const model::System& system, const model::Property& property);

// Searches for a state in the goal of a Reachable or Invariant property, or for a violation of a Liveness property.
// Throws Error(Runtime) if the model fails at run time, Error(Unsupported) for other properties.
Result run(const model::System& system, const model::Property& property, const Options& options);

// Looks at the first states, breadth-first: the path to a goal state among them. Never throws because of the model, but
// Error(Limit).
std::optional<trace::Path> probe(const model::System& system, const model::Property& property, uint64_t expansions,
                                 const Watch& watch);

}  // namespace harrier::search
