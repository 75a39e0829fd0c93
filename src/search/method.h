// What a search is to the rest, and what searches have in common.
//
// A search is a struct of what it is told, a case of search::Method (config.h). The rest finds out by its members what
// it can do:
//
//     std::string describe() const;                                        // in a few words, as on the command line
//     void check(const Config&, const model::Property&) const;             // optional; throws, with one message a rule
//     bool answers(Question) const;                                        // optional; by default, which states there
//     are Estimate estimate;  Preferences prefer;                              // optional
//
// and it runs in one of three ways:
//
//     Means means(Workbench&) const;  Traits traits() const;               // a search of the one engine (means.h)
//     std::unique_ptr<Task> task(Aims&, Budget&) const;                    // something else that runs in slices
//     (task.h); or (Aims&, const Config&, Budget&)
//     Result run(const step::Semantics&, const Config&) const;             // as a whole: several searches, or
//     threads
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "harrier/goal_path.h"
#include "model/system.h"
#include "step/semantics.h"

namespace harrier::search {

struct Config;
struct Means;
struct Result;
class Aims;
class Task;
class Workbench;

// By what a state's distance to the goal is estimated.
struct Estimate {
  // As heur::recipes() reads it. Several are for best-first search, which has a set of queues for each and takes turns.
  std::string heuristic;
  bool clocks = false;                      // it looks at clocks, if it can
  uint32_t cache_entries = 0;               // of a hashed table of estimates; 0: exact values
  std::shared_ptr<const GoalPath> sibling;  // of h0 and h1
  uint64_t abstract_states = UINT64_MAX;  // of abstractions that are built for it, if the workshop's options allow more

  enum class Number : uint8_t { One, Several };
  // Throws if it makes no sense, or if there are several heuristics where there must be one.
  void check(Number allowed) const;
};

// How preferred and other states take turns.
enum class Queues : uint8_t {
  Boosted,      // preferred ones more often after progress; what is put back comes last in both sets of queues
  Alternating,  // strictly; what is put back comes last of all, preferred or not (Wehrle 2011, fig. 3.7)
};

struct Preferences {
  std::vector<std::string> names;  // of the table of preferences (preference.h)
  std::optional<Queues> queues;    // none: alternating if useless transitions are put back, boosted if not
  bool context_clocks = false;     // in interference contexts, clocks count as variables

  bool has(std::string_view name) const;
  // Throws if they make no sense. `guided`: there is a heuristic.
  void check(bool guided) const;
  Queues turns() const;
  // " useless preferred", or nothing.
  std::string words() const;
};

// What a property asks for.
enum class Question : uint8_t {
  States,        // is there one in the goal
  Cycles,        // liveness
  MaximalPaths,  // E[], A<>, -->
  Values,        // sup, inf, bounds
  Formula,       // of branching time
};

// What the one engine does for a search.
struct Traits {
  bool shortest = false;     // its paths are shortest ones, without reduction and preferences
  bool optimal = false;      // a goal is taken only when it is its turn
  bool tracks_cost = false;  // a state that is reached again at lower cost is looked at again
  bool least_depth = false;  // states are found at their least depth anyway
  bool by_depth = false;     // all states in the order of their depth, also if a successor is several steps deeper
  bool switches = false;     // the cost of going on depends on what ran last
  bool any_path = false;     // nobody compares lengths of paths: it may pass through transient states
  bool reducible = false;    // partial-order reduction suits it
  bool costs = false;        // it can count what steps cost
  bool lazy = false;         // states are estimated when their turn comes, and wait by the estimates of their parents
};

// Throw Error(Usage) and Error(Unsupported).
[[noreturn]] void refuse(const std::string& text);
[[noreturn]] void refuse_unsupported(const std::string& text);

}  // namespace harrier::search
