#include "search/useless.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::search {

namespace {

bool intersect(const auto& a, const auto& b) {
  return std::any_of(a.begin(), a.end(), [&](const auto& x) { return std::binary_search(b.begin(), b.end(), x); });
}

}  // namespace

Useless::Useless(const PreferenceTask& task)
    : system_(task.semantics.system()),
      heuristic_(*task.heuristic),
      removed_(system_.edges.size()),
      removed_known_(system_.edges.size(), false) {
  model::Accesses accesses(system_, task.budget.watch());
  for (const model::Edge& edge : system_.edges) {
    task.budget.poll();
    const model::Access access = accesses.of(edge);
    EdgeUse use{{}, {}, access.writes, access.clocks_written};
    for (const model::ExprId condition : edge.guard) {
      const auto read = accesses.of(condition).reads;
      use.tests.insert(use.tests.end(), read.begin(), read.end());
    }
    for (const model::ClockConstraint& c : edge.clock_guard) {
      const auto read = accesses.of(c).clocks_read;
      use.clocks_tested.insert(use.clocks_tested.end(), read.begin(), read.end());
    }
    std::sort(use.tests.begin(), use.tests.end());
    std::sort(use.clocks_tested.begin(), use.clocks_tested.end());
    edge_use_.push_back(std::move(use));
  }
}

const std::vector<uint32_t>& Useless::removed_with(uint32_t edge) {
  std::vector<uint32_t>& out = removed_[edge];
  if (removed_known_[edge]) return out;
  removed_known_[edge] = true;
  const model::Edge& own = system_.edges[edge];
  if (system_.process(own.process).locations.size() == 1) return out = {edge};
  const EdgeUse& use = edge_use_[edge];
  std::vector<model::VarId> written;
  for (const model::VarId v : use.writes) {
    if (system_.variable(v).kind == model::VarKind::Data) written.push_back(v);
  }
  for (uint32_t e = 0; e < system_.edges.size(); ++e) {
    const model::Edge& other = system_.edges[e];
    const bool same_target = other.process == own.process && other.target == own.target;
    if (e == edge || same_target || intersect(written, edge_use_[e].tests) ||
        intersect(use.clocks_written, edge_use_[e].clocks_tested)) {
      out.push_back(e);
    }
  }
  return out;
}

Preference::Opinion Useless::judge(const Successor& successor) {
  if (successor.edges.empty()) return {};
  removal_.clear();
  for (const uint32_t e : successor.edges) {
    const auto& removed = removed_with(e);
    removal_.insert(removal_.end(), removed.begin(), removed.end());
  }
  const bool useless = heuristic_.evaluate_without(source_, removal_, successor.estimate) <= successor.estimate;
  return {.rank = useless ? 1u : 0u};
}

}  // namespace harrier::search
