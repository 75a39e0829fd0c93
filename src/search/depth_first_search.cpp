#include "search/depth_first_search.h"

#include "search/means.h"

namespace harrier::search {

std::string DepthFirstSearch::describe() const { return (seed ? "rdfs" : "dfs") + prefer.words(); }

void DepthFirstSearch::check(const Config&, const model::Property&) const { prefer.check(false); }

bool DepthFirstSearch::answers(Question question) const {
  const bool of_paths = question == Question::Cycles || question == Question::MaximalPaths;
  return question == Question::States || (of_paths && !seed);
}

Traits DepthFirstSearch::traits() const { return {.any_path = true, .reducible = true, .last_first = true}; }

Means DepthFirstSearch::means(Workbench& bench) const {
  Means means{std::make_unique<DepthFirst>(bench.budget(), seed), nullptr};
  if (!prefer.names.empty()) means.guide = std::make_unique<Guide>(Estimators(), bench.preferences(prefer));
  return means;
}

}  // namespace harrier::search
