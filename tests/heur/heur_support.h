// Helpers of the heuristics' tests: a model with its goal, estimates by name, and the whole state graph of a small
// model without clocks.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/budget.h"
#include "heur/table.h"
#include "lang/uppaal/uppaal.h"
#include "search/discrete_space.h"

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
    space.for_each_initial([&] { visit(store::Origin::kNoParent); });
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

// A model and one query, which must load without errors.
class Example {
 public:
  Example(const std::string& text, const std::string& query) {
    Diagnostics diagnostics;
    loaded_ = uppaal::load(text, "model.xta", diagnostics);
    std::vector<model::Property> properties;
    if (!diagnostics.has_errors()) properties = uppaal::parse_queries(loaded_, query, "query.q", diagnostics);
    std::string problems;
    for (const Diagnostic& d : diagnostics.all()) problems += format_diagnostic(loaded_.system->sources, d);
    if (diagnostics.has_errors() || properties.size() != 1) throw std::runtime_error(problems);
    property_ = properties[0];
  }

  const model::System& system() const { return *loaded_.system; }
  const model::Property& property() const { return property_; }
  std::vector<int32_t> initial() const { return system().initial_values(); }

  heur::Heuristic& heuristic(const std::string& name) {
    auto& known = heuristics_[name];
    if (!known) known = heur::find(name)->make(system(), property_.goal);
    return *known;
  }
  uint32_t estimate(const std::string& name, const std::vector<int32_t>& values) {
    return heuristic(name).evaluate(values.data());
  }
  uint32_t estimate(const std::string& name) { return estimate(name, initial()); }
  uint32_t estimate_without(const std::string& name, const std::vector<int32_t>& values,
                            const std::vector<uint32_t>& edges) {
    return heuristic(name).evaluate_without(values.data(), edges, heur::kDeadEnd - 1);
  }

  // The state with some variables set, by name; locations by number.
  std::vector<int32_t> state(const std::map<std::string, int32_t>& changes) const {
    std::vector<int32_t> values = initial();
    for (const auto& [name, value] : changes) values[variable(name)] = value;
    return values;
  }
  size_t variable(const std::string& name) const {
    for (const model::Process& p : system().processes) {
      if (p.name == name) return p.location.value;
    }
    for (size_t v = 0; v < system().variables.size(); ++v) {
      if (system().variables[v].name == name) return v;
    }
    throw std::runtime_error("no variable " + name);
  }
  // The number of the first edge of a process between two locations.
  uint32_t edge(const std::string& process, const std::string& source, const std::string& target) const {
    for (const model::Process& p : system().processes) {
      if (p.name != process) continue;
      for (const model::EdgeId id : p.edges) {
        const model::Edge& e = system().edge(id);
        if (p.locations[e.source].name == source && p.locations[e.target].name == target) return id.value;
      }
    }
    throw std::runtime_error("no such edge");
  }
  // Wehrle 2011, def. 3.7, for a transition of one edge that only moves its process.
  bool relatively_useless(const std::string& name, const std::vector<int32_t>& values, uint32_t edge_number) {
    const model::Edge& e = system().edges[edge_number];
    std::vector<int32_t> after = values;
    after[system().process(e.process).location.value] = static_cast<int32_t>(e.target);
    return estimate_without(name, values, {edge_number}) <= estimate(name, after);
  }

  uint32_t true_distance() const {
    const auto graph = StateGraph::explore(system(), property_, 100'000);
    return graph.value().distance.at(0);
  }

 private:
  uppaal::Loaded loaded_;
  model::Property property_;
  std::map<std::string, std::unique_ptr<heur::Heuristic>> heuristics_;
};

}  // namespace harrier::testing_support
