#include "heur/value_graphs.h"

namespace harrier::heur {

ValueGraphs::ValueGraphs(const task::VariableDomains& domains, const task::CausalGraph* graph, const Watch& watch)
    : contexts_(domains.size()) {
  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> position(domains.size(), kNone);
  const auto next_edge = [&] { return static_cast<uint32_t>(edges_.size()); };
  for (uint32_t variable = 0; variable < domains.size(); ++variable) {
    std::vector<uint32_t>& context = contexts_[variable];
    const auto place = [&](uint32_t other) {
      position[other] = static_cast<uint32_t>(context.size());
      context.push_back(other);
    };
    if (graph != nullptr) {
      for (const uint32_t p : graph->predecessors(variable)) place(p);
    }
    first_value_.push_back(static_cast<uint32_t>(first_edge_.size()));
    first_edge_.push_back(next_edge());
    Value from = 0;
    for (const task::VariableDomains::Edge& e : domains.edges(variable)) {
      watch.poll();
      for (; from < e.from; ++from) first_edge_.push_back(next_edge());
      const uint32_t of_task = domains.labels()[e.label].split_from;
      const uint32_t cost = of_task == task::kNone ? 0 : domains.task().labels()[of_task].cost;
      unit_costs_ = unit_costs_ && (of_task == task::kNone || cost == 1);
      Edge edge{e.label, static_cast<uint32_t>(needs_.size()), 0, e.to, cost};
      for (const task::VariableDomains::Part& part : domains.parts(domains.labels()[e.label])) {
        if (graph == nullptr && part.variable != variable && position[part.variable] == kNone) place(part.variable);
        if (position[part.variable] == kNone) continue;
        needs_.push_back({position[part.variable], part.variable, part.set, part.map});
      }
      edge.end_need = static_cast<uint32_t>(needs_.size());
      edges_.push_back(edge);
    }
    for (; from < domains.variable(variable).size; ++from) first_edge_.push_back(next_edge());
    for (const uint32_t other : context) position[other] = kNone;
  }
}

}  // namespace harrier::heur
