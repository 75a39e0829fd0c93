#include "search/best_first_search.h"

#include "heur/recipe.h"
#include "search/means.h"

namespace harrier::search {

std::string BestFirstSearch::describe() const {
  std::string out = greedy() ? "greedy " : optimal() ? "astar " : "wastar ";
  out += estimate.heuristic;
  if (!greedy() && !optimal()) out += " weight " + std::to_string(estimate_weight);
  return out + prefer.words() + (lazy ? " lazy" : "");
}

void BestFirstSearch::check(const Config&, const model::Property&) const {
  prefer.check(true);
  estimate.check(optimal() ? Estimate::Number::One : Estimate::Number::Several);
  if (lazy && optimal()) refuse("lazy evaluation is for greedy, wastar and anytime");
  if (lazy && (prefer.has("useless") || prefer.has("contexts"))) {
    refuse("with lazy evaluation, useless transitions and interference contexts cannot be told: preferred ones can");
  }
}

Traits BestFirstSearch::traits() const {
  const bool exact = optimal() && heur::Recipe(estimate.heuristic).admissible() && estimate.cache_entries == 0;
  return {.shortest = exact,
          .optimal = optimal(),
          .tracks_cost = !greedy(),
          .any_path = greedy(),
          .reducible = greedy(),
          .costs = true,
          .lazy = lazy};
}

Means BestFirstSearch::means(Workbench& bench) const {
  Estimators estimators = bench.by_heuristics(estimate, greedy());
  const Turns turns = !prefer.has("preferred")                ? Turns::None
                      : prefer.turns() == Queues::Alternating ? Turns::Alternating
                                                              : Turns::Boosted;
  PreferenceList preferred = bench.preferences(prefer, &estimate, greedy(), estimators, lazy);
  return bench.queues(std::move(estimators), std::move(preferred), cost_weight, estimate_weight, turns);
}

}  // namespace harrier::search
