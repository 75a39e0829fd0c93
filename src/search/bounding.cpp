#include "search/bounding.h"

namespace harrier::search {

namespace {

std::unique_ptr<Contexts> interference(const PreferenceTask& task, ContextBoundSearch::By by) {
  if (by == ContextBoundSearch::By::Process) return nullptr;
  return std::make_unique<Contexts>(task.semantics.system(), task.semantics.property().goal,
                                    task.options.context_clocks, task.budget.watch());
}

}  // namespace

Bounding::Bounding(const PreferenceTask& task, ContextBoundSearch::By by)
    : interference_(interference(task, by)),
      switches_(task.semantics.system(), by, interference_.get()),
      arrival_(task.budget, kNone) {}

void Bounding::begin(uint64_t id, const heur::StateView&) {
  const uint32_t last = arrival_[id];
  arrived_in_ = last == kNone ? std::nullopt : std::optional(last);
}

std::optional<uint32_t> Bounding::cost(uint32_t of_parent, Edges edges) {
  return of_parent + (arrived_in_ && switches_.between(*arrived_in_, switches_.context_of(edges)) ? 1 : 0);
}

Preference::Opinion Bounding::judge(const Successor& successor) {
  arrival_[successor.id] = successor.edges.empty() ? kNone : switches_.context_of(successor.edges);
  return {.rank = successor.cost};
}

}  // namespace harrier::search
