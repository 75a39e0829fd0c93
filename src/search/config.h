// What a search is told to do: one method out of several, each with what it alone needs, and what binds them all.
//
//     Config config;
//     config.method = BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1};    // A*
//     config.depth_limit = 20;
//     check(config, system, property);   // throws if it makes no sense, with one message a rule
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include "base/watch.h"
#include "harrier/cost.h"
#include "harrier/statistics.h"
#include "model/system.h"
#include "search/anytime.h"
#include "search/best_first_search.h"
#include "search/breadth_first_search.h"
#include "search/context_bound_search.h"
#include "search/depth_first_search.h"
#include "search/hashed_search.h"
#include "search/method.h"
#include "search/portfolio.h"
#include "search/random_walks.h"
#include "search/symbolic_search.h"
#include "search/symbolic_walks.h"
#include "step/semantics.h"

namespace harrier::abstraction {
class Workshop;
}

namespace harrier::search {

// The table of searches. What a case has to have, method.h says; a search without it does not compile.
using Method = std::variant<AutoSearch, BreadthFirstSearch, DepthFirstSearch, HashedSearch, BestFirstSearch,
                            ContextBoundSearch, RandomWalks, AnytimeSearch, SymbolicSearch, SymbolicWalks>;

struct Config {
  Method method;
  std::optional<CostType> cost;  // what a step counts; none: as the model wants it, where the method can
  std::optional<uint64_t> depth_limit;
  std::optional<uint64_t> cost_limit;  // of a path, where costs are counted
  std::optional<bool> reduction;       // partial-order reduction, of untimed models; none: where it is free of charge
  bool simplify = false;               // states are made simpler, as far as possible (simplification)
  bool compress = false;               // states in a tree, where a search of the one engine has no clocks
  std::optional<bool> native =
      false;                      // native code (search/native_code.h); none: once a search has gone on for a while
  bool symmetry = true;           // interchangeable processes are sorted, where the method can
  bool safe_abstraction = false;  // search, and count depth, without the variables that can be set at will
  std::shared_ptr<abstraction::Workshop> workshop;  // of heuristics that build abstractions; null: default options
  std::optional<bool> polish;                       // shorten the witness; by default that of auto and of random walks
  const Watch* watch = nullptr;                     // what binds all of them; null: nothing does
  std::optional<uint64_t> memory_limit_bytes;       // of the watch, for those who plan ahead
  std::function<void(const Statistics&)> progress;

  template <class M>
  const M* as() const {
    return std::get_if<M>(&method);
  }
  // What the method says of itself.
  Traits traits() const;
  bool answers(Question question) const;
  CostType costs(const model::System& system) const;
  // Values are forgotten only as far as the property lets (forgets_for), and not with an abstraction, which may know no
  // states but those that the model itself can reach.
  step::Simplification simplification(const model::Property& property) const;
  // Who estimates and prefers; null or empty where the method does not.
  const Estimate* estimate() const;
  const Preferences& prefer() const;
  const Watch& watching() const { return Watch::or_none(watch); }
  // Whether a search for a state is reduced: as told, or else depth-first search where nobody asks for lengths of
  // paths, for preferred transitions or for what all states have in common.
  bool reduces(const model::System& system, const model::Property& property) const;
};

// Whether values can be forgotten that do not matter to it: a witness with a cycle would have to come back to them.
bool forgets_for(const model::Property& property);

// Throws Error(Usage) or Error(Unsupported) if the method cannot do what it is told, or not for this property.
void check(const Config& config, const model::System& system, const model::Property& property);

// A search in a few words, as on the command line: "bfs", "greedy hU useless", "ib-process dfs", "walk hL".
std::string describe(const Config& config);

}  // namespace harrier::search
