#include "cli/search_table.h"

#include <algorithm>

namespace harrier::cli {

namespace {

constexpr SearchEntry kTable[] = {
    {"auto", Search::Auto, "several searches in turns, chosen by the model and the property; the first answer counts",
     "Breadth-first search, directed searches and, where most processes take part in the error, random walks in turns, "
     "under one memory limit. 'harrier analyse' tells which, and why. A run can be repeated."},
    {"bfs", Search::BreadthFirst, "breadth-first: shortest witnesses, and proofs",
     "Looks at all states in the order of their distance from the initial one. The witness is a shortest one, unless "
     "--reduction on or --prefer contexts changes the order."},
    {"dfs", Search::DepthFirst, "depth-first: little memory for the open list, long witnesses",
     "Follows one path to its end before it looks at another. For properties about infinite paths it is the search for "
     "cycles."},
    {"rdfs", Search::RandomDepthFirst, "depth-first, successors in random order (--seed)",
     "Like dfs, but the successors of every state are shuffled. The same seed gives the same run."},
    {"astar", Search::AStar, "A*: by distance so far plus estimate; shortest with an admissible heuristic",
     "Looks first at the states for which the steps so far and the estimate of the rest are fewest. A state that is "
     "reached again by fewer steps is looked at again."},
    {"wastar", Search::WeightedAStar, "weighted A*: by distance so far plus --weight times the estimate",
     "Between A* and greedy search: the larger the weight, the faster and the longer the witness."},
    {"greedy", Search::Greedy, "greedy best-first: by the estimate alone; fast, witnesses need not be short",
     "Looks first at the states that look nearest to the goal; of equally near ones at the oldest."},
    {"anytime", Search::Anytime,
     "a first witness fast, then ever shorter ones, until the last is proved to be shortest",
     "Greedy search with hU and useless transitions, then weighted A* and A* with hL, each bounded by the best witness "
     "so far."},
    {"ib-process", Search::ContextBoundProcess,
     "iterative context bounding: fewest changes of the running process first",
     "Looks first at the paths with the fewest context switches, a switch being a transition of other processes; of "
     "equal ones at those that look nearest to the goal."},
    {"ib-interference", Search::ContextBoundInterference,
     "iterative context bounding: fewest transitions that do not interfere with the one before first",
     "Like ib-process, but a switch is a transition that has nothing to do with the one before it."},
    {"walk", Search::Walk, "random walks, blind or with --heuristic: for what is too large to search; proves nothing",
     "One way through the state space after the other, until one finds the goal. docs/walks.md describes the options."},
};

}  // namespace

std::span<const SearchEntry> search_table() { return kTable; }

const SearchEntry* find_search(const std::string& name) {
  const auto at =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const SearchEntry& e) { return name == e.name; });
  return at == std::end(kTable) ? nullptr : at;
}

const char* search_name(Search search) {
  const auto at =
      std::find_if(std::begin(kTable), std::end(kTable), [&](const SearchEntry& e) { return e.search == search; });
  return at == std::end(kTable) ? "" : at->name;
}

std::vector<std::string> search_names() {
  std::vector<std::string> names;
  for (const SearchEntry& e : kTable) names.emplace_back(e.name);
  return names;
}

}  // namespace harrier::cli
