#include "search/preferred.h"

#include <algorithm>

#include "search/estimator.h"

namespace harrier::search {

Preferred::Preferred(const PreferenceTask& task) : shared_(task.before) {
  if (shared_.empty()) own_ = task.make_heuristic();
}

void Preferred::begin(uint64_t id, const heur::StateView& source) {
  if (own_) own_->evaluate(source);
  for (Estimator* estimator : shared_) {
    if (!estimator->has_just_seen(id)) estimator->heuristic()->evaluate(source);
  }
}

Preference::Opinion Preferred::judge(const Successor& successor) {
  if (successor.edges.empty()) return {};
  const auto prefers = [&](Estimator* estimator) { return estimator->heuristic()->prefers(successor.edges); };
  return {.preferred = own_ ? own_->prefers(successor.edges) : std::any_of(shared_.begin(), shared_.end(), prefers)};
}

}  // namespace harrier::search
