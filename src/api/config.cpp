#include "api/config.h"

#include "base/error.h"

namespace harrier {

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
  if (o.prefer_useless) out.names.emplace_back("useless");
  if (o.prefer_contexts) out.names.emplace_back("contexts");
  if (o.prefer_preferred) out.names.emplace_back("preferred");
  out.queues = o.queues == Queues::Alternating ? search::Queues::Alternating : search::Queues::Boosted;
  out.context_clocks = o.context_clocks;
  return out;
}

ContextBoundSearch context_bound(const CheckOptions& o, ContextBoundSearch::By by) {
  if (o.prefer_useless || o.prefer_contexts || o.prefer_preferred) {
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

RandomWalks walks_of(const CheckOptions& o) {
  if (o.prefer_useless || o.prefer_contexts || o.prefer_preferred) {
    throw Error(ErrorKind::Usage, "random walks have no queues: no preferences");
  }
  const WalkOptions& w = o.walk;
  RandomWalks out;
  out.seed = o.seed;
  if (!o.heuristic.empty()) out.estimate = estimate_of(o);
  if (o.heuristic.empty() && o.cache_entries != 0) {
    throw Error(ErrorKind::Usage, "random walks have no cache of estimates");
  }
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
  }
  out.temperature = w.temperature;
  out.reverse = w.reverse;
  out.delta = w.delta;
  out.epsilon = w.epsilon;
  out.saturation = w.saturation;
  out.threads = w.threads;
  return out;
}

search::AutoSearch auto_of(const CheckOptions& o) {
  search::AutoSearch out{
      .first = o.first, .seed = o.seed, .estimate = estimate_of(o), .context_clocks = o.context_clocks};
  out.estimate.heuristic = o.heuristic;
  return out;
}

search::Method method_of(const CheckOptions& o) {
  const auto best_first = [&](uint32_t cost_weight, uint32_t estimate_weight) {
    return BestFirstSearch{.estimate = estimate_of(o),
                           .cost_weight = cost_weight,
                           .estimate_weight = estimate_weight,
                           .prefer = preferences_of(o)};
  };
  switch (o.search) {
    case Search::BreadthFirst: return search::BreadthFirstSearch{.prefer = preferences_of(o)};
    case Search::DepthFirst: return search::DepthFirstSearch{.seed = {}, .prefer = preferences_of(o)};
    case Search::RandomDepthFirst: return search::DepthFirstSearch{.seed = o.seed, .prefer = preferences_of(o)};
    case Search::AStar: return best_first(1, 1);
    case Search::WeightedAStar: return best_first(1, o.weight);
    case Search::Greedy: return best_first(0, 1);
    case Search::ContextBoundProcess: return context_bound(o, ContextBoundSearch::By::Process);
    case Search::ContextBoundInterference: return context_bound(o, ContextBoundSearch::By::Interference);
    case Search::Walk: return walks_of(o);
    case Search::Anytime: return search::AnytimeSearch{.heuristic_clocks = o.heuristic_clocks};
    case Search::Auto: break;
  }
  return auto_of(o);
}

// An option that the search does not have is a mistake of the caller, not something to pass over.
void refuse_what_has_no_effect(const CheckOptions& o) {
  const bool bounding = o.search == Search::ContextBoundProcess || o.search == Search::ContextBoundInterference;
  if (o.within != Order::BestFirst && !bounding) {
    throw Error(ErrorKind::Usage, "an order within context bounds is for ib-process and ib-interference");
  }
  const bool blind = o.search == Search::BreadthFirst || o.search == Search::DepthFirst ||
                     o.search == Search::RandomDepthFirst || o.search == Search::Anytime;
  if (o.guide && blind) {
    throw Error(ErrorKind::Usage, "the path of a smaller sibling guides a search with the heuristic h0 or h1, or auto");
  }
}

}  // namespace

search::Config config_of(const CheckOptions& options, const Watch& watch) {
  refuse_what_has_no_effect(options);
  search::Config out;
  out.method = method_of(options);
  out.depth_limit = options.depth_limit;
  out.reduction = options.reduction;
  out.safe_abstraction = options.safe_abstraction;
  out.polish = options.polish;
  out.memory_limit_bytes = options.memory_limit_bytes;
  out.watch = &watch;
  out.progress = options.progress;
  return out;
}

}  // namespace harrier
