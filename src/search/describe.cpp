#include "search/describe.h"

namespace harrier::search {

namespace {

const char* name_of(Search search) {
  switch (search) {
    case Search::BreadthFirst: return "bfs";
    case Search::DepthFirst: return "dfs";
    case Search::RandomDepthFirst: return "rdfs";
    case Search::AStar: return "astar";
    case Search::WeightedAStar: return "wastar";
    case Search::Greedy: return "greedy";
    case Search::ContextBoundProcess: return "ib-process";
    case Search::ContextBoundInterference: return "ib-interference";
    case Search::Walk: return "walk";
    case Search::Anytime: return "anytime";
    case Search::Auto: break;
  }
  return "auto";
}

// What guides the search; empty: nothing.
std::string guidance(const CheckOptions& options) {
  switch (options.search) {
    case Search::AStar:
    case Search::WeightedAStar:
    case Search::Greedy: return options.heuristic.empty() ? "hU" : options.heuristic;
    case Search::ContextBoundProcess:
    case Search::ContextBoundInterference:
      if (options.within == Order::BestFirst) return options.heuristic.empty() ? "hU" : options.heuristic;
      return options.within == Order::BreadthFirst ? "bfs" : "dfs";
    case Search::Walk: return options.heuristic;
    default: return {};
  }
}

}  // namespace

std::string describe(const CheckOptions& options) {
  std::string text = name_of(options.search);
  const auto add = [&](bool given, const std::string& word) {
    if (given) text += " " + word;
  };
  const std::string guide = guidance(options);
  add(!guide.empty(), guide);
  add(options.search == Search::WeightedAStar, "weight " + std::to_string(options.weight));
  add(options.prefer_useless, "useless");
  add(options.prefer_contexts, "contexts");
  add(options.prefer_preferred, "preferred");
  add(options.prefer_preferred && options.queues == Queues::Alternating, "alternating");
  add(options.reduction, "reduced");
  return text;
}

}  // namespace harrier::search
