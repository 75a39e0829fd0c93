#include "search/discrete_space.h"

#include <iterator>
#include <utility>

#include "search/stored_path.h"

namespace harrier::search {

using store::Admission;
using store::Origin;

DiscreteSpace::DiscreteSpace(const step::Semantics& semantics, Budget& budget, bool track_cost,
                             const DiscreteOptions& options)
    : generator_(semantics, budget.watch()),
      layers_(generator_, step::independence_for(semantics, options.layers, budget.watch()), options.layers, budget),
      symmetry_(options.symmetry),
      store_(budget, semantics.layout().words(), options.compress),
      names_(budget),
      origins_(budget, 1),
      cost_(budget, 1),
      track_cost_(track_cost),
      by_context_(options.by_context),
      places_(budget, 1),
      newest_(budget, 1),
      last_first_(options.last_first && !track_cost),
      settled_(budget, 1),
      way_(budget, 1) {
  if (symmetry_) arrangement_.emplace(symmetry_, semantics.system());
}

void DiscreteSpace::begin_expansion(uint64_t id) {
  const auto settle = [&](uint64_t state) { *settled_[state / 64] |= uint64_t{1} << (state % 64); };
  expanding_ = id;
  leads_on_ = false;
  if (!last_first_) {
    settle(id);
    return;
  }
  // What lies behind the states on the way to this one is not finished, what was left is.
  const Origin origin = *origins_[id];
  while (way_.size() > 0 && (origin.initial() || *way_[way_.size() - 1] != origin.parent())) {
    settle(*way_[way_.size() - 1]);
    way_.remove_last();
  }
  *way_.append() = id;
}

void DiscreteSpace::note_successor(const Admission& admission) {
  while (settled_.size() <= admission.id / 64) *settled_.append() = 0;
  if (leads_on_ || generator_.is_transient()) return;
  const bool settled = (*settled_[admission.id / 64] >> (admission.id % 64) & 1) != 0;
  leads_on_ = admission.fresh || settled == last_first_;
}

Origin DiscreteSpace::origin(uint64_t parent) {
  if (edges_.empty()) return {Origin::kNoParent, names_.of_beginning(choices_)};
  return {parent, names_.of_step(edges_, choices_, layers_.passing())};
}

Admission DiscreteSpace::admit(uint64_t parent, uint32_t cost, uint32_t context) {
  const Admission admission = store_.insert(generator_.words());
  const auto [id, fresh] = admission;
  if (fresh && generator_.is_transient()) ++transient_;
  if (layers_.reduces()) note_successor(admission);
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

model::Path DiscreteSpace::path_to(uint64_t id, size_t goal_clause) const { return path_to(id, goal_clause, {}); }

model::Path DiscreteSpace::path_to_failure(uint64_t id) {
  const bool passes = layers_.passing() != nullptr && id == expanding_;
  const std::optional<uint32_t> way = passes ? names_.of_way(*layers_.passing()) : std::nullopt;
  return path_to(id, step::kNoClause, way ? names_.steps_of(*way) : std::vector<model::PathStep>());
}

model::Path DiscreteSpace::path_to(uint64_t id, size_t goal_clause, std::vector<model::PathStep> more) const {
  StoredPath out(id);
  for (Origin origin = *origins_[id]; !origin.initial(); origin = *origins_[out.first()]) {
    out.prepend(origin.parent(), steps_of(origin));
  }
  model::Path path = out.path(names_.choices_of_beginning(origins_[out.first()]->label()), goal_clause);
  std::move(more.begin(), more.end(), std::back_inserter(path.steps));
  if (symmetry_) out.rename(path, generator_.semantics(), symmetry_, [&](uint64_t state) { return store_[state]; });
  return path;
}

}  // namespace harrier::search
