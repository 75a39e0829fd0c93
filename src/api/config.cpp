#include "api/config.h"

#include "api/search_table.h"
#include "base/error.h"
#include "search/preference.h"

namespace harrier {

namespace {

// An option that the search does not have is a mistake of the caller, not something to pass over.
void refuse_what_has_no_effect(const CheckOptions& o) {
  for (const std::string& name : o.prefer) search::get_preference(name);
  const bool bounding = o.search == Search::ContextBoundProcess || o.search == Search::ContextBoundInterference;
  if (o.within != Order::BestFirst && !bounding) {
    throw Error(ErrorKind::Usage, "an order within context bounds is for ib-process and ib-interference");
  }
  if (o.lazy && o.search != Search::Greedy && o.search != Search::WeightedAStar && o.search != Search::Anytime) {
    throw Error(ErrorKind::Usage, "lazy evaluation is for greedy, wastar and anytime");
  }
  const bool depth_first = o.search == Search::DepthFirst || o.search == Search::RandomDepthFirst;
  if ((o.bitstate_mb || o.compact) && !depth_first) {
    throw Error(ErrorKind::Usage, "bitstate hashing and hash compaction are for dfs and rdfs");
  }
  const bool stores = o.search == Search::BreadthFirst || o.search == Search::AStar ||
                      o.search == Search::WeightedAStar || o.search == Search::Greedy ||
                      (depth_first && !o.bitstate_mb && !o.compact);
  if (o.compress && !stores) {
    throw Error(ErrorKind::Usage,
                "compression of states is for bfs, dfs, rdfs, astar, wastar and greedy that store them");
  }
  const bool blind = o.search == Search::BreadthFirst || o.search == Search::DepthFirst ||
                     o.search == Search::RandomDepthFirst || o.search == Search::Anytime;
  if (o.guide && blind) {
    throw Error(ErrorKind::Usage, "the path of a smaller sibling guides a search with the heuristic h0 or h1, or auto");
  }
}

}  // namespace

std::shared_ptr<abstraction::Workshop> workshop_of(const CheckOptions& options) {
  auto workshop = std::make_shared<abstraction::Workshop>(options.abstraction);
  if (options.load_abstractions) workshop->load({*options.load_abstractions, options.load_abstractions_name});
  if (options.keep_abstractions) workshop->keep();
  return workshop;
}

search::Config config_of(const CheckOptions& options, const Watch& watch,
                         std::shared_ptr<abstraction::Workshop> workshop) {
  refuse_what_has_no_effect(options);
  search::Config out;
  out.method = api::search_entry(options.search).method(options);
  out.cost = options.cost;
  out.depth_limit = options.depth_limit;
  out.compress = options.compress;
  out.native = options.native;
  out.reduction = options.reduction;
  out.simplify = options.simplify;
  out.symmetry = options.symmetry;
  out.safe_abstraction = options.safe_abstraction;
  out.workshop = std::move(workshop);
  out.polish = options.polish;
  out.memory_limit_bytes = options.memory_limit_bytes;
  out.watch = &watch;
  out.progress = options.progress;
  return out;
}

}  // namespace harrier
