#include "api/search_table.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "search/preference.h"

namespace harrier::api {

namespace {

using search::BestFirstSearch;
using search::ContextBoundSearch;
using search::RandomWalks;

search::Estimate estimate_of(const CheckOptions& o) {
  return {.heuristic = o.heuristic.empty() ? "hU" : o.heuristic,
          .clocks = o.heuristic_clocks,
          .cache_entries = o.cache_entries,
          .sibling = o.guide};
}

search::Preferences preferences_of(const CheckOptions& o) {
  search::Preferences out;
  for (const search::PreferenceEntry& e : search::preference_table()) {
    if (std::find(o.prefer.begin(), o.prefer.end(), e.name) != o.prefer.end()) out.names.emplace_back(e.name);
  }
  if (o.queues == Queues::Alternating) out.queues = search::Queues::Alternating;
  if (o.queues == Queues::Boosted) out.queues = search::Queues::Boosted;
  out.context_clocks = o.context_clocks;
  return out;
}

ContextBoundSearch context_bound(const CheckOptions& o, ContextBoundSearch::By by) {
  if (!o.prefer.empty()) {
    throw Error(ErrorKind::Usage, "context bounding has queues of its own: no preferences");
  }
  if (o.within != Order::BestFirst && !o.heuristic.empty()) {
    throw Error(ErrorKind::Usage, "breadth-first and depth-first order need no heuristic");
  }
  using Within = ContextBoundSearch::Order;
  const Within within = o.within == Order::BreadthFirst ? Within::BreadthFirst
                        : o.within == Order::DepthFirst ? Within::DepthFirst
                                                        : Within::BestFirst;
  return {.by = by, .within = within, .estimate = estimate_of(o), .context_clocks = o.context_clocks};
}

RandomWalks walk_rules(const CheckOptions& o) {
  const WalkOptions& w = o.walk;
  RandomWalks out;
  out.seed = o.seed;
  out.walks = w.walks;
  out.depth = w.depth;
  out.trails = w.trails;
  out.end_at_loop = w.end_at_loop;
  switch (w.restart) {
    case WalkOptions::Restart::Initial: out.restart = RandomWalks::Restart::Initial; break;
    case WalkOptions::Restart::Previous: out.restart = RandomWalks::Restart::Previous; break;
    case WalkOptions::Restart::Best: out.restart = RandomWalks::Restart::Best; break;
  }
  out.selection =
      w.selection == WalkOptions::Selection::All ? RandomWalks::Selection::All : RandomWalks::Selection::One;
  switch (w.bias) {
    case WalkOptions::Bias::Linear: out.bias = RandomWalks::Bias::Linear; break;
    case WalkOptions::Bias::Softmax: out.bias = RandomWalks::Bias::Softmax; break;
    case WalkOptions::Bias::Greedy: out.bias = RandomWalks::Bias::Greedy; break;
    case WalkOptions::Bias::Steps: out.bias = RandomWalks::Bias::Steps; break;
  }
  out.temperature = w.temperature;
  out.reverse = w.reverse;
  out.delta = w.delta;
  out.epsilon = w.epsilon;
  out.saturation = w.saturation;
  out.threads = w.threads;
  return out;
}

search::Method walks_of(const CheckOptions& o) {
  if (!o.prefer.empty()) {
    throw Error(ErrorKind::Usage, "random walks have no queues: no preferences");
  }
  RandomWalks out = walk_rules(o);
  if (!o.heuristic.empty()) out.estimate = estimate_of(o);
  if (o.heuristic.empty() && o.cache_entries != 0) {
    throw Error(ErrorKind::Usage, "random walks have no cache of estimates");
  }
  return out;
}

// Of breadth-first search; none: as many as it wants.
std::optional<uint32_t> threads_of(const CheckOptions& o) {
  return o.threads != 0 ? std::optional(o.threads) : std::nullopt;
}

search::Method auto_of(const CheckOptions& o) {
  search::AutoSearch out{.first = o.first,
                         .seed = o.seed,
                         .threads = threads_of(o),
                         .estimate = estimate_of(o),
                         .context_clocks = o.context_clocks};
  out.estimate.heuristic = o.heuristic;
  return out;
}

search::Method breadth_first(const CheckOptions& o) {
  return search::BreadthFirstSearch{.prefer = preferences_of(o), .threads = threads_of(o)};
}

// A depth-first search that remembers what it has seen by bits or hashes.
search::Method hashed(const CheckOptions& o, std::optional<uint64_t> seed) {
  if (!o.prefer.empty()) throw Error(ErrorKind::Usage, "a search that stores no states has no preferences");
  if (o.bitstate_mb && o.compact) throw Error(ErrorKind::Usage, "states are known by bits or by hashes, not both");
  return search::HashedSearch{.seed = seed, .megabytes = o.bitstate_mb, .functions = o.bitstate_functions};
}

search::Method depth_first(const CheckOptions& o) {
  if (o.bitstate_mb || o.compact) return hashed(o, std::nullopt);
  return search::DepthFirstSearch{.seed = {}, .prefer = preferences_of(o)};
}

search::Method random_depth_first(const CheckOptions& o) {
  if (o.bitstate_mb || o.compact) return hashed(o, o.seed);
  return search::DepthFirstSearch{.seed = o.seed, .prefer = preferences_of(o)};
}

BestFirstSearch best_first(const CheckOptions& o, uint32_t cost_weight, uint32_t estimate_weight) {
  return {.estimate = estimate_of(o),
          .cost_weight = cost_weight,
          .estimate_weight = estimate_weight,
          .prefer = preferences_of(o),
          .lazy = o.lazy};
}

search::Method a_star(const CheckOptions& o) { return best_first(o, 1, 1); }
search::Method weighted_a_star(const CheckOptions& o) { return best_first(o, 1, o.weight); }
search::Method greedy(const CheckOptions& o) { return best_first(o, 0, 1); }
search::Method by_process(const CheckOptions& o) { return context_bound(o, ContextBoundSearch::By::Process); }
search::Method by_interference(const CheckOptions& o) { return context_bound(o, ContextBoundSearch::By::Interference); }
search::Method symbolic_forward(const CheckOptions&) {
  return search::SymbolicSearch{.way = search::SymbolicSearch::Way::Forward};
}
search::Method symbolic_backward(const CheckOptions&) {
  return search::SymbolicSearch{.way = search::SymbolicSearch::Way::Backward};
}
search::Method symbolic_both(const CheckOptions&) {
  return search::SymbolicSearch{.way = search::SymbolicSearch::Way::Both};
}
search::Method symbolic_chained(const CheckOptions&) {
  return search::SymbolicSearch{.way = search::SymbolicSearch::Way::Chained};
}
search::Method symbolic_guided(const CheckOptions&) {
  return search::SymbolicSearch{.way = search::SymbolicSearch::Way::Guided};
}
search::Method symbolic_walks(const CheckOptions& o) {
  const bool uniform = o.walk.draw == WalkOptions::Draw::Uniform;
  using Draw = search::SymbolicWalks::Draw;
  return search::SymbolicWalks{
      .walks = walk_rules(o), .guided = o.walk.guided, .draw = uniform ? Draw::Uniform : Draw::Branches};
}
search::Method anytime(const CheckOptions& o) {
  return search::AnytimeSearch{.heuristic_clocks = o.heuristic_clocks, .lazy = o.lazy};
}

constexpr SearchEntry kTable[] = {
    {"auto", Search::Auto, "several searches in turns, chosen by the model and the property; the first answer counts",
     "Breadth-first search, directed searches and, where most processes take part in the error, random walks in turns, "
     "under one memory limit. 'harrier analyse' tells which, and why. When these have had some turns, databases (zdb, "
     "pdb) are built in a small share of the time: one in which the initial state is a dead end proves that the goal "
     "cannot be reached, one that prunes guides A*, and any other is dropped for a larger one. A run can be repeated.",
     auto_of},
    {"bfs", Search::BreadthFirst, "breadth-first: shortest witnesses, and proofs",
     "Looks at all states in the order of their distance from the initial one. The witness is a shortest one, unless "
     "--reduction on or --prefer contexts changes the order.",
     breadth_first},
    {"dfs", Search::DepthFirst, "depth-first: little memory for the open list, long witnesses",
     "Follows one path to its end before it looks at another. For properties about infinite paths it is the search for "
     "cycles.",
     depth_first},
    {"rdfs", Search::RandomDepthFirst, "depth-first, successors in random order (--seed)",
     "Like dfs, but the successors of every state are shuffled. The same seed gives the same run.", random_depth_first},
    {"astar", Search::AStar, "A*: by distance so far plus estimate; shortest with an admissible heuristic",
     "Looks first at the states for which the steps so far and the estimate of the rest are fewest. A state that is "
     "reached again by fewer steps is looked at again. With --cost, what the steps cost takes the place of their "
     "number.",
     a_star},
    {"wastar", Search::WeightedAStar, "weighted A*: by distance so far plus --weight times the estimate",
     "Between A* and greedy search: the larger the weight, the faster and the longer the witness.", weighted_a_star},
    {"greedy", Search::Greedy, "greedy best-first: by the estimate alone; fast, witnesses need not be short",
     "Looks first at the states that look nearest to the goal; of equally near ones at the oldest.", greedy},
    {"anytime", Search::Anytime,
     "a first witness fast, then ever shorter ones, until the last is proved to be shortest",
     "Greedy search with hU and useless transitions, then weighted A* and A* with hL, each bounded by the best witness "
     "so far. With --cost, ever cheaper ones: greedy search with hff, preferred and useless transitions, then weighted "
     "A* with hff and preferred transitions, and A* with lmcut.",
     anytime},
    {"ib-process", Search::ContextBoundProcess,
     "iterative context bounding: fewest changes of the running process first",
     "Looks first at the paths with the fewest context switches, a switch being a transition of other processes; of "
     "equal ones at those that look nearest to the goal.",
     by_process},
    {"ib-interference", Search::ContextBoundInterference,
     "iterative context bounding: fewest transitions that do not interfere with the one before first",
     "Like ib-process, but a switch is a transition that has nothing to do with the one before it.", by_interference},
    {"walk", Search::Walk, "random walks, blind or with --heuristic: for what is too large to search; proves nothing",
     "One way through the state space after the other, until one finds the goal. docs/walks.md describes the options.",
     walks_of},
    {"sbfs", Search::SymbolicForward,
     "symbolic breadth-first: whole layers of states as decision diagrams; shortest witnesses, and proofs",
     "Goes from the initial states on, a layer of all states at the same distance at a time, and counts the states "
     "that can be reached. For properties about infinite paths it goes on to find them among these; formulas of "
     "branching time have no other search. For models without clocks. docs/symbolic.md describes the engine.",
     symbolic_forward},
    {"sbwd", Search::SymbolicBackward, "symbolic, backward from the goal; shortest witnesses, and proofs",
     "Like sbfs, but from all states of the goal, reachable or not, towards the initial ones.", symbolic_backward},
    {"sbidi", Search::SymbolicBoth, "symbolic, forward and backward until both meet; shortest witnesses, and proofs",
     "Goes on from whichever side has the smaller diagram.", symbolic_both},
    {"schain", Search::SymbolicChained,
     "symbolic, one transition after the other on all that has been reached; fast proofs where processes take turns",
     "Applies the transitions in turns, each to all states found so far until it brings nothing new. All states are "
     "found by fewer and smaller steps than layers need, but a witness need not be a shortest one.",
     symbolic_chained},
    {"sgmc", Search::SymbolicGuided,
     "symbolic A*: sets of states by distance so far plus a symbolic pattern database; shortest witnesses, and proofs",
     "Sets of states at the same distance from the initial ones and at the same distance from the goal in an "
     "abstraction "
     "that knows only some variables (Bui 2009, fig. 5.1). These are the dependency layers of the goal, as many as "
     "pay, "
     "or those of --pattern. States from which the abstraction has no way to the goal are left out.",
     symbolic_guided},
    {"swalk", Search::SymbolicWalk,
     "random walks that see all successors of a state as one set; with --guided by a symbolic pattern database",
     "Blind, every successor is equally likely (SRMC of Bui 2009); guided, those that are near the goal in an "
     "abstraction are more likely (SGRMC). docs/symbolic.md describes the options.",
     symbolic_walks},
};

}  // namespace

std::span<const SearchEntry> search_table() { return kTable; }

const SearchEntry& search_entry(Search search) {
  const auto at = std::find_if(std::begin(kTable), std::end(kTable), [&](const auto& e) { return e.search == search; });
  if (at == std::end(kTable)) throw Error(ErrorKind::Internal, "a search that is not in the table of searches");
  return *at;
}

}  // namespace harrier::api
