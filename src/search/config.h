// What a search is told to do: one method out of several, each with what it alone needs, and what binds them all.
//
//     Config config;
//     config.method = BestFirstSearch{.estimate = {.heuristic = "hL"}, .cost_weight = 1};    // A*
//     config.depth_limit = 20;
//     check(config, system, property);   // throws if it makes no sense, with one message a rule
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/watch.h"
#include "harrier/goal_path.h"
#include "harrier/statistics.h"
#include "model/system.h"

namespace harrier::abstraction {
class Workshop;
}

namespace harrier::search {

// By what a state's distance to the goal is estimated.
struct Estimate {
  // As heur::recipes() reads it. Several are for best-first search, which has a set of queues for each and takes turns.
  std::string heuristic;
  bool clocks = false;                      // it looks at clocks, if it can
  uint32_t cache_entries = 0;               // of a hashed table of estimates; 0: exact values
  std::shared_ptr<const GoalPath> sibling;  // of h0 and h1
  uint64_t abstract_states = UINT64_MAX;  // of abstractions that are built for it, if the workshop's options allow more
};

// How preferred and other states take turns.
enum class Queues : uint8_t {
  Boosted,      // preferred ones more often after progress; what is put back comes last in both sets of queues
  Alternating,  // strictly; what is put back comes last of all, preferred or not
};

struct Preferences {
  std::vector<std::string> names;  // of the table of preferences (preference.h)
  Queues queues = Queues::Boosted;
  bool context_clocks = false;  // in interference contexts, clocks count as variables

  bool has(std::string_view name) const;
};

struct BreadthFirstSearch {
  Preferences prefer;
};

struct DepthFirstSearch {
  std::optional<uint64_t> seed;  // successors are shuffled
  Preferences prefer;
};

// By cost_weight times the length of the path so far plus estimate_weight times the estimate of the rest: greedy search
// with the weights 0 and 1, A* with 1 and 1, weighted A* with 1 and more.
struct BestFirstSearch {
  Estimate estimate;
  uint32_t cost_weight = 0;
  uint32_t estimate_weight = 1;
  Preferences prefer;

  bool greedy() const { return cost_weight == 0; }
  bool optimal() const { return cost_weight == 1 && estimate_weight == 1; }  // if the estimate is admissible
};

// Paths with the fewest context switches first.
struct ContextBoundSearch {
  enum class By : uint8_t { Process, Interference };
  enum class Order : uint8_t { BestFirst, BreadthFirst, DepthFirst };

  By by = By::Process;
  Order within = Order::BestFirst;  // the same number of context switches
  Estimate estimate;                // for BestFirst
  bool context_clocks = false;
};

struct RandomWalks {
  enum class Restart : uint8_t { Initial, Previous, Best };
  enum class Selection : uint8_t { One, All };
  enum class Bias : uint8_t { Linear, Softmax, Greedy };

  uint64_t seed = 1;
  std::optional<Estimate> estimate;  // none: the walks are blind
  std::optional<uint64_t> walks;     // at most so many
  std::optional<uint64_t> depth;     // of a walk; 0: without end. By default it varies
  bool trails = false;               // never visit a state twice in a walk
  bool end_at_loop = false;          // a walk ends at the first state that it visits twice
  Restart restart = Restart::Initial;
  Selection selection = Selection::One;
  Bias bias = Bias::Softmax;
  double temperature = 0.5;
  bool reverse = false;         // away from the goal
  std::optional<double> delta;  // both: as many walks as it takes to be sure but for a probability of delta that fewer
  std::optional<double> epsilon;     // than a share of epsilon of all walks finds an error
  std::optional<double> saturation;  // stop when less than this share of the states seen lately is new
  uint32_t threads = 1;
};

// A first path fast, then ever shorter ones.
struct AnytimeSearch {
  bool heuristic_clocks = false;
};

// Several searches in turns, chosen by the model and the property.
struct AutoSearch {
  bool first = false;  // the first witness will do
  uint64_t seed = 1;   // of its random walks
  Estimate estimate;   // what its guided members have in common; they choose the heuristic
  bool context_clocks = false;
  bool only_databases = false;  // no other directed members, and these at once: for tests with small models
};

using Method = std::variant<AutoSearch, BreadthFirstSearch, DepthFirstSearch, BestFirstSearch, ContextBoundSearch,
                            RandomWalks, AnytimeSearch>;

struct Config {
  Method method;
  std::optional<uint64_t> depth_limit;
  bool reduction = false;         // partial-order reduction, of untimed models
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
  // Who estimates and prefers; null or empty where the method does not.
  const Estimate* estimate() const;
  const Preferences& prefer() const;
  const Watch& watching() const { return Watch::or_none(watch); }
};

// Throws Error(Usage) or Error(Unsupported) if the method cannot do what it is told, or not for this property.
void check(const Config& config, const model::System& system, const model::Property& property);

// A search in a few words, as on the command line: "bfs", "greedy hU useless", "ib-process dfs", "walk hL".
std::string describe(const Config& config);

}  // namespace harrier::search
