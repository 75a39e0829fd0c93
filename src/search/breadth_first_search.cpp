#include "search/breadth_first_search.h"

#include "search/means.h"

namespace harrier::search {

std::string BreadthFirstSearch::describe() const { return "bfs" + prefer.words(); }

void BreadthFirstSearch::check(const Config&, const model::Property&) const { prefer.check(false); }

bool BreadthFirstSearch::answers(Question question) const {
  return question == Question::States || question == Question::Values;
}

Traits BreadthFirstSearch::traits() const {
  return {.shortest = true, .least_depth = true, .by_depth = prefer.names.empty(), .reducible = true};
}

Means BreadthFirstSearch::means(Workbench& bench) const {
  if (prefer.names.empty() && bench.has_transient_states()) return {std::make_unique<ByDepth>(bench.budget()), nullptr};
  if (prefer.names.empty()) return {std::make_unique<BreadthFirst>(), nullptr};
  return bench.queues(bench.by_depth(), bench.preferences(prefer));
}

}  // namespace harrier::search
