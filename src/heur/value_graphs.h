// The graphs of all variables (task/variable_domains.h) as h^CG and h^cea walk them: the edges by the value that they
// leave, and what each of them needs of other variables. Those variables are the *context* of the one whose graph it
// is.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "task/causal_graph.h"
#include "task/variable_domains.h"

namespace harrier::heur {

class ValueGraphs {
 public:
  using Value = task::Value;

  struct Need {
    uint32_t position = 0;  // in the context
    uint32_t variable = 0;
    uint32_t set = task::VariableDomains::kEverything;
    uint32_t map = task::VariableDomains::kIdentity;
  };
  struct Edge {
    uint32_t label = 0;
    uint32_t first_need = 0;
    uint32_t end_need = 0;
    Value to = 0;
    uint32_t cost = 0;  // of the label
  };

  // With a causal graph the context of a variable is its predecessors there, and nothing is needed of others; without
  // one it is every variable that a label of the variable speaks of.
  ValueGraphs(const task::VariableDomains& domains, const task::CausalGraph* graph, const Watch& watch);

  const std::vector<uint32_t>& context(uint32_t variable) const { return contexts_[variable]; }
  std::span<const Edge> edges_from(uint32_t variable, Value value) const {
    const uint32_t* const first = first_edge_.data() + first_value_[variable] + value;
    return {edges_.data() + first[0], edges_.data() + first[1]};
  }
  std::span<const Need> needs(const Edge& edge) const {
    return {needs_.data() + edge.first_need, needs_.data() + edge.end_need};
  }
  const Edge& edge(uint32_t number) const { return edges_[number]; }
  uint32_t number(const Edge& edge) const { return static_cast<uint32_t>(&edge - edges_.data()); }
  size_t edge_count() const { return edges_.size(); }
  bool unit_costs() const { return unit_costs_; }  // of all edges but those of the goal

 private:
  std::vector<std::vector<uint32_t>> contexts_;  // by variable
  std::vector<uint32_t> first_value_;            // by variable: into first_edge_
  std::vector<uint32_t> first_edge_;             // by value, and one more for each variable
  std::vector<Edge> edges_;
  std::vector<Need> needs_;
  bool unit_costs_ = true;
};

}  // namespace harrier::heur
