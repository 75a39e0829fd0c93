// The whole state graph of a small model without clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "heur/heuristic.h"
#include "model/cost.h"
#include "search/discrete_space.h"
#include "step/semantics.h"

namespace harrier::testing_support {

// The states that can be reached, with the transitions between them and their distances to the goal.
struct StateGraph {
  struct Step {
    std::vector<uint32_t> edges;
    uint64_t target = 0;
  };
  std::vector<std::vector<int32_t>> states;
  std::vector<bool> goal;
  std::vector<std::vector<Step>> steps;
  std::vector<uint32_t> distance;  // by what steps count; heur::kDeadEnd: the goal cannot be reached

  // None if there are more than `most` states.
  static std::optional<StateGraph> explore(const model::System& system, const model::Property& property, size_t most,
                                           CostType costs = CostType::Unit) {
    StateGraph graph;
    Budget budget;
    const step::Semantics semantics(system, property);
    search::DiscreteSpace space(semantics, budget, false);
    const auto visit = [&](uint64_t parent) {
      const store::Admission admission = space.admit(parent, 0);
      if (admission.fresh) {
        graph.states.emplace_back(space.candidate(), space.candidate() + space.variable_count());
        graph.goal.push_back(space.goal().has_value());
        graph.steps.emplace_back();
      }
      return admission.id;
    };
    space.for_each_initial([&] {
      visit(store::Origin::kNoParent);
      return true;
    });
    for (uint64_t id = 0; id < graph.states.size() && graph.states.size() <= most; ++id) {
      space.for_each_successor(id, [&](const step::Firing& firing) {
        const uint64_t target = visit(id);
        graph.steps[id].push_back({{firing.edges.begin(), firing.edges.end()}, target});
        return true;
      });
    }
    if (graph.states.size() > most) return std::nullopt;
    graph.measure(system, costs);
    return graph;
  }

  void measure(const model::System& system, CostType costs) {
    std::vector<std::vector<std::pair<uint64_t, uint64_t>>> before(states.size());  // and what the step counts
    for (uint64_t id = 0; id < states.size(); ++id) {
      for (const Step& step : steps[id]) {
        before[step.target].emplace_back(id, model::cost_of(system.edges[step.edges[0]], costs));
      }
    }
    distance.assign(states.size(), heur::kDeadEnd);
    std::set<std::pair<uint64_t, uint64_t>> queue;  // by distance
    for (uint64_t id = 0; id < states.size(); ++id) {
      if (!goal[id]) continue;
      distance[id] = 0;
      queue.emplace(0, id);
    }
    while (!queue.empty()) {
      const auto [d, id] = *queue.begin();
      queue.erase(queue.begin());
      for (const auto& [other, cost] : before[id]) {
        if (distance[other] <= d + cost) continue;
        queue.erase({distance[other], other});
        distance[other] = static_cast<uint32_t>(d + cost);
        queue.emplace(d + cost, other);
      }
    }
  }
};

}  // namespace harrier::testing_support
