#include "random/estimates.h"

#include "abstraction/workshop.h"
#include "base/error.h"
#include "heur/recipe.h"
#include "heur/views.h"
#include "model/interpreter.h"
#include "support/state_graph.h"

namespace harrier::testing_support {

namespace {

constexpr size_t kMostStates = 2000;

std::optional<StateGraph> graph_of(const model::System& system, const model::Property& property, CostType costs) {
  try {
    return StateGraph::explore(system, property, kMostStates, costs);
  } catch (const model::EvalFailure&) {
    return std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

}  // namespace

std::optional<std::string> wrong_estimate(const model::System& system, const model::Property& property,
                                          const std::vector<std::string>& heuristics, CostType costs) {
  const std::optional<StateGraph> graph = graph_of(system, property, costs);
  if (!graph) return std::nullopt;
  heur::Views views(system, property.goal, nullptr, costs);
  abstraction::Workshop workshop;
  for (const std::string& text : heuristics) {
    const heur::Recipe recipe(text);
    const auto heuristic = recipe.make({.views = views, .workshop = &workshop});
    if (heuristic->memory_words() != 0) continue;  // it depends on the path
    for (size_t id = 0; id < graph->states.size(); ++id) {
      const uint32_t h = heuristic->evaluate(graph->states[id].data());
      const uint32_t distance = graph->distance[id];
      const bool too_large = recipe.admissible() && h != heur::kDeadEnd && h > distance;
      const bool wrong_end = recipe.safe() && h == heur::kDeadEnd && distance != heur::kDeadEnd;
      if (!too_large && !wrong_end && !(graph->goal[id] && h != 0)) continue;
      return text + ": estimate " + std::to_string(h) + " of state " + std::to_string(id) + ", whose distance is " +
             std::to_string(distance);
    }
  }
  return std::nullopt;
}

}  // namespace harrier::testing_support
