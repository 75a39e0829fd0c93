#include "heur/process_graph.h"

#include <unordered_map>

#include "heur/heuristic.h"

namespace harrier::heur {

std::vector<std::vector<bool>> entries(const model::System& system, model::Accesses& accesses) {
  std::vector<std::vector<bool>> out;
  std::unordered_map<uint32_t, uint32_t> process_at;
  for (const model::Process& p : system.processes) {
    process_at.emplace(p.location.value, static_cast<uint32_t>(out.size()));
    out.emplace_back(p.locations.size(), false);
  }
  for (const model::Edge& edge : system.edges) {
    for (const model::StmtId id : edge.effect) {
      for (const model::VarId written : accesses.of(id).writes) {
        const auto process = process_at.find(written.value);
        if (process == process_at.end() || process->second == edge.process.value) continue;
        std::vector<bool>& entered = out[process->second];
        const model::Stmt& s = system.stmt(id);
        const model::Expr* store = s.kind == model::StmtKind::Expr ? &system.expr(s.expr) : nullptr;
        const bool plain = store != nullptr && store->op == model::Op::Store && !store->a.valid();
        if (const auto value = plain ? system.constant(store->b) : std::nullopt) {
          entered[static_cast<size_t>(*value)] = true;
        } else {
          entered.assign(entered.size(), true);
        }
      }
    }
  }
  return out;
}

std::vector<uint32_t> distances(std::span<const Arc> arcs, const std::vector<bool>& entries,
                                const std::vector<bool>& wanted) {
  std::vector<uint32_t> distance(wanted.size(), kDeadEnd);
  std::vector<uint32_t> queue;
  const auto reach = [&](uint32_t location, uint32_t steps) {
    if (distance[location] != kDeadEnd) return;
    distance[location] = steps;
    queue.push_back(location);
  };
  for (uint32_t l = 0; l < wanted.size(); ++l) {
    if (wanted[l]) reach(l, 0);
  }
  // Backwards, breadth-first. Processes are small; their edges are looked through once a location.
  for (size_t i = 0; i < queue.size(); ++i) {
    const uint32_t steps = distance[queue[i]] + 1;
    if (entries[queue[i]]) {
      for (uint32_t l = 0; l < wanted.size(); ++l) reach(l, steps);
    }
    for (const Arc& arc : arcs) {
      if (arc.target == queue[i]) reach(arc.source, steps);
    }
  }
  return distance;
}

}  // namespace harrier::heur
