#include "search/interference.h"

#include <algorithm>

namespace harrier::search {

Interference::Interference(const PreferenceTask& task)
    : contexts_(task.semantics.system(), task.semantics.property().goal, task.options.context_clocks,
                task.budget.watch()),
      arrival_(task.budget, kNone),
      allowed_(task.budget, kNone) {}

void Interference::begin(uint64_t id, const heur::StateView&) {
  const uint32_t last = arrival_[id];
  arrived_by_ = last == kNone ? std::nullopt : std::optional(last);
  restricted_to_ = allowed_[id];
}

uint32_t Interference::restriction_after(uint32_t transition) const {
  const bool restricts = contexts_.may_prune() && contexts_.innocent(transition);
  return restricts ? contexts_.closure(transition) : kNone;
}

bool Interference::prunes(Edges edges) const {
  return restricted_to_ != kNone && contexts_.closure(contexts_.find(edges)) != restricted_to_;
}

bool Interference::reconsider(uint64_t id, Edges edges) {
  if (allowed_[id] == kNone || restriction_after(contexts_.find(edges)) == allowed_[id]) return false;
  allowed_[id] = kNone;
  return true;
}

Preference::Opinion Interference::judge(const Successor& successor) {
  if (successor.edges.empty()) {
    arrival_[successor.id] = kNone;
    allowed_[successor.id] = kNone;
    return {};
  }
  const uint32_t arrival = contexts_.find(successor.edges);
  arrival_[successor.id] = arrival;
  allowed_[successor.id] = restriction_after(arrival);
  if (!arrived_by_ || !contexts_.innocent(*arrived_by_)) return {};
  return {.rank = std::max<uint32_t>(contexts_.distance(*arrived_by_, arrival), 1) - 1};
}

}  // namespace harrier::search
