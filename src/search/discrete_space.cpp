#include "search/discrete_space.h"

#include <algorithm>

namespace harrier::search {

using store::Admission;
using store::Origin;

DiscreteSpace::DiscreteSpace(const step::Semantics& semantics, Budget& budget, bool track_cost,
                             const DiscreteOptions& options)
    : generator_(semantics, budget.watch()),
      store_(budget, semantics.layout().words(), options.compress),
      names_(budget),
      origins_(budget, 1),
      cost_(budget, 1),
      track_cost_(track_cost),
      by_context_(options.by_context),
      places_(budget, 1),
      newest_(budget, 1) {
  if (options.reduce) reduction_.emplace(semantics.system(), semantics.property().goal);
  if (options.pass_through && step::Passing::applies_to(semantics)) passing_.emplace(generator_, budget);
}

Origin DiscreteSpace::origin(uint64_t parent) {
  if (edges_.empty()) return {Origin::kNoParent, names_.of_beginning(choices_)};
  return {parent, names_.of_step(edges_, choices_, passing_ ? &*passing_ : nullptr)};
}

Admission DiscreteSpace::admit(uint64_t parent, uint32_t cost, uint32_t context) {
  const Admission admission = store_.insert(generator_.words());
  const auto [id, fresh] = admission;
  if (fresh && generator_.is_transient()) ++transient_;
  if (by_context_) return admit_in_context(admission, parent, cost, context);
  if (fresh) {
    *origins_.append() = origin(parent);
    if (track_cost_) *cost_.append() = cost;
    return {id, true};
  }
  if (!track_cost_ || *cost_[id] <= cost) return {id, false};
  *cost_[id] = cost;
  *origins_[id] = origin(parent);
  return {id, true};
}

Admission DiscreteSpace::admit_in_context(const Admission& discrete, uint64_t parent, uint32_t cost, uint32_t context) {
  if (discrete.fresh) *newest_.append() = kNone;
  // Going on from another context saves one at most: what was reached at lower cost in any context is as good.
  uint64_t& newest = *newest_[discrete.id];
  for (uint64_t id = newest; id != kNone && *cost_[id] <= cost; id = places_[id]->older) {
    if (*cost_[id] < cost || places_[id]->context == context) return {id, false};
  }
  const uint64_t id = origins_.size();
  *origins_.append() = origin(parent);
  *cost_.append() = cost;
  *places_.append() = {discrete.id, newest, context};
  newest = id;
  return {id, true};
}

model::Path DiscreteSpace::path_to(uint64_t id, size_t goal_clause) const {
  std::vector<Origin> back;
  for (; !origins_[id]->initial(); id = back.back().parent()) back.push_back(*origins_[id]);
  model::Path path;
  path.goal_clause = goal_clause;
  path.beginning = names_.choices_of_beginning(origins_[id]->label());
  for (auto at = back.rbegin(); at != back.rend(); ++at) {
    for (model::PathStep& step : steps_of(*at)) path.steps.push_back(std::move(step));
  }
  return path;
}

void DiscreteSpace::recover() {
  generator_.recover();
  if (passing_) passing_->recover();
}

}  // namespace harrier::search
