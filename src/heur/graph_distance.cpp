#include "heur/graph_distance.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::heur {

namespace {

// The locations of a process that edges of others set, as `run` does in Promela: all of them where a value is not
// plain.
std::vector<bool> entries(const model::System& system, uint32_t process, model::Accesses& accesses) {
  const model::VarId location = system.processes[process].location;
  std::vector<bool> out(system.processes[process].locations.size(), false);
  for (const model::Edge& edge : system.edges) {
    if (edge.process.value == process) continue;
    for (const model::StmtId id : edge.effect) {
      const auto writes = accesses.of(id).writes;
      if (!std::binary_search(writes.begin(), writes.end(), location)) continue;
      const model::Stmt& s = system.stmt(id);
      const model::Expr* store = s.kind == model::StmtKind::Expr ? &system.expr(s.expr) : nullptr;
      const bool plain = store != nullptr && store->op == model::Op::Store && !store->a.valid();
      if (const auto value = plain ? system.constant(store->b) : std::nullopt) {
        out[static_cast<size_t>(*value)] = true;
      } else {
        out.assign(out.size(), true);
      }
    }
  }
  return out;
}

}  // namespace

GraphDistance::GraphDistance(const model::System& system, const std::vector<model::Clause>& goal, bool sum)
    : system_(system), sum_(sum) {
  model::Accesses accesses(system);
  model::Interpreter interpreter(system);
  for (const model::Clause& clause : goal) {
    std::vector<Target> targets;
    for (const model::ExprId condition : clause.conditions) {
      const std::vector<model::VarId> reads = accesses.of(condition).reads;
      if (reads.size() != 1 || system.variable(reads[0]).kind != model::VarKind::Location) continue;
      auto target =
          std::find_if(targets.begin(), targets.end(), [&](const Target& t) { return t.variable == reads[0].value; });
      if (target == targets.end()) {
        const auto process = std::find_if(system.processes.begin(), system.processes.end(),
                                          [&](const auto& p) { return p.location == reads[0]; });
        targets.push_back({static_cast<uint32_t>(process - system.processes.begin()),
                           reads[0].value,
                           std::vector<bool>(process->locations.size(), true),
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
    for (Target& t : targets) {
      t.entries = entries(system, t.process, accesses);
      t.distance = distances(t, {});
    }
    clauses_.push_back(std::move(targets));
  }
}

std::vector<uint32_t> GraphDistance::distances(const Target& target, std::span<const uint32_t> without) const {
  std::vector<uint32_t> distance(target.wanted.size(), kDeadEnd);
  std::vector<uint32_t> queue;
  for (uint32_t l = 0; l < distance.size(); ++l) {
    if (!target.wanted[l]) continue;
    distance[l] = 0;
    queue.push_back(l);
  }
  // Backwards, breadth-first. Processes are small; their edges are looked through once a location.
  const model::Process& process = system_.processes[target.process];
  for (size_t i = 0; i < queue.size(); ++i) {
    // Where another process can put this one, from anywhere.
    if (target.entries[queue[i]]) {
      for (uint32_t l = 0; l < distance.size(); ++l) {
        if (distance[l] != kDeadEnd) continue;
        distance[l] = distance[queue[i]] + 1;
        queue.push_back(l);
      }
    }
    for (const model::EdgeId id : process.edges) {
      const model::Edge& edge = system_.edge(id);
      if (edge.target != queue[i] || distance[edge.source] != kDeadEnd) continue;
      if (std::find(without.begin(), without.end(), id.value) != without.end()) continue;
      distance[edge.source] = distance[queue[i]] + 1;
      queue.push_back(edge.source);
    }
  }
  return distance;
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

uint32_t GraphDistance::evaluate(const StateView& state) { return combine(state.values, {}); }

uint32_t GraphDistance::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t) {
  return combine(state.values, edges);
}

HammingDistance::HammingDistance(const model::System& system, const std::vector<model::Clause>& goal)
    : interpreter_(system), variables_(system.variables.size()) {
  for (const model::Clause& clause : goal) clauses_.push_back(clause.conditions);
}

uint32_t HammingDistance::evaluate(const StateView& state) {
  uint32_t best = clauses_.empty() ? kDeadEnd : UINT32_MAX - 1;
  for (const auto& clause : clauses_) {
    uint32_t unsatisfied = 0;
    for (const model::ExprId condition : clause) {
      try {
        if (interpreter_.value(condition, {state.values, variables_}) == 0) ++unsatisfied;
      } catch (const model::EvalFailure&) {
        ++unsatisfied;
      }
    }
    best = std::min(best, unsatisfied);
  }
  return best;
}

}  // namespace harrier::heur
