// The whole state graph of a small model without clocks.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/budget.h"
#include "heur/heuristic.h"
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
  std::vector<uint32_t> distance;  // heur::kDeadEnd: the goal cannot be reached

  // None if there are more than `most` states.
  static std::optional<StateGraph> explore(const model::System& system, const model::Property& property, size_t most) {
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
    graph.measure();
    return graph;
  }

 private:
  void measure() {
    std::vector<std::vector<uint64_t>> before(states.size());
    for (uint64_t id = 0; id < states.size(); ++id) {
      for (const Step& step : steps[id]) before[step.target].push_back(id);
    }
    distance.assign(states.size(), heur::kDeadEnd);
    std::vector<uint64_t> queue;
    for (uint64_t id = 0; id < states.size(); ++id) {
      if (!goal[id]) continue;
      distance[id] = 0;
      queue.push_back(id);
    }
    for (size_t i = 0; i < queue.size(); ++i) {
      for (const uint64_t id : before[queue[i]]) {
        if (distance[id] != heur::kDeadEnd) continue;
        distance[id] = distance[queue[i]] + 1;
        queue.push_back(id);
      }
    }
  }
};

}  // namespace harrier::testing_support
