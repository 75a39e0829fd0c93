// Helpers of the heuristics' tests: a model with its goal, and estimates by name.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "heur/table.h"
#include "lang/uppaal/uppaal.h"
#include "support/state_graph.h"

namespace harrier::testing_support {

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
