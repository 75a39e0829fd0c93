#include "heur/graph_distance.h"

#include <algorithm>

#include "heur/process_graph.h"
#include "model/analysis.h"
#include "model/interpreter.h"

namespace harrier::heur {

GraphDistance::GraphDistance(const model::System& system, const std::vector<model::Clause>& goal, bool sum)
    : system_(system), sum_(sum) {
  model::Accesses accesses(system);
  model::Interpreter interpreter(system);
  const std::vector<std::vector<bool>> all_entries = entries(system, accesses);
  for (const model::Clause& clause : goal) {
    std::vector<Target> targets;
    for (const model::ExprId condition : clause.conditions) {
      const std::optional<model::ProcessId> process = model::process_located_by(system, accesses, condition);
      if (!process) continue;
      auto target =
          std::find_if(targets.begin(), targets.end(), [&](const Target& t) { return t.process == process->value; });
      if (target == targets.end()) {
        const model::Process& p = system.process(*process);
        targets.push_back({process->value,
                           p.location.value,
                           std::vector<bool>(p.locations.size(), true),
                           all_entries[process->value],
                           {}});
        target = targets.end() - 1;
      }
      std::vector<int32_t> values = system.initial_values();
      for (size_t l = 0; l < target->wanted.size(); ++l) {
        values[target->variable] = static_cast<int32_t>(l);
        try {
          if (interpreter.value(condition, values) == 0) target->wanted[l] = false;
        } catch (const model::EvalFailure&) {
          target->wanted[l] = false;
        }
      }
    }
    for (Target& t : targets) t.distance = distances(t, {});
    clauses_.push_back(std::move(targets));
  }
}

std::vector<uint32_t> GraphDistance::distances(const Target& target, std::span<const uint32_t> without) const {
  std::vector<Arc> arcs;
  for (const model::EdgeId id : system_.processes[target.process].edges) {
    if (std::find(without.begin(), without.end(), id.value) != without.end()) continue;
    arcs.push_back({system_.edge(id).source, system_.edge(id).target});
  }
  return heur::distances(arcs, target.entries, target.wanted);
}

uint32_t GraphDistance::combine(const int32_t* values, std::span<const uint32_t> without) {
  uint32_t best = kDeadEnd;
  for (const auto& targets : clauses_) {
    uint32_t total = 0;
    for (const Target& t : targets) {
      const auto location = static_cast<size_t>(values[t.variable]);
      const bool affected = std::any_of(without.begin(), without.end(),
                                        [&](uint32_t e) { return system_.edges[e].process.value == t.process; });
      const uint32_t d = affected ? distances(t, without)[location] : t.distance[location];
      if (d == kDeadEnd) {
        total = kDeadEnd;
        break;
      }
      total = sum_ ? total + d : std::max(total, d);
    }
    best = std::min(best, total);
  }
  return best;
}

uint32_t GraphDistance::distance_of(uint32_t process, uint32_t location) const {
  uint32_t best = kDeadEnd;
  for (const auto& targets : clauses_) {
    for (const Target& t : targets) {
      if (t.process == process) best = std::min(best, t.distance[location]);
    }
  }
  return best;
}

uint32_t GraphDistance::evaluate(const StateView& state) { return combine(state.values, {}); }

uint32_t GraphDistance::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t) {
  return combine(state.values, edges);
}

}  // namespace harrier::heur
