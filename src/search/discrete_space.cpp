#include "search/discrete_space.h"

#include <algorithm>

namespace harrier::search {

using store::Admission;
using store::Origin;

namespace {

// A label of its own kind: a sequence of choices, which is no edge, even if there is just one.
constexpr uint32_t kManyChoices = 1;

}  // namespace

DiscreteSpace::DiscreteSpace(const step::Semantics& semantics, Budget& budget, bool track_cost,
                             const DiscreteOptions& options)
    : generator_(semantics, budget.watch()),
      symmetry_(options.symmetry),
      store_(budget, semantics.layout().words()),
      labels_(budget),
      made_choices_(budget),
      origins_(budget, 1),
      cost_(budget, 1),
      track_cost_(track_cost),
      by_context_(options.by_context),
      places_(budget, 1),
      newest_(budget, 1) {
  const model::System& system = semantics.system();
  if (options.reduce) reduction_.emplace(system, semantics.property().goal);
  if (options.pass_through && system.control.valid() && !system.has_choices()) passing_.emplace(generator_, budget);
  if (symmetry_) arrangement_.emplace(symmetry_, system);
}

uint32_t DiscreteSpace::choice_number(std::span<const int32_t> choices) {
  if (choices.empty()) return 0;
  return 1 + made_choices_.of({reinterpret_cast<const uint32_t*>(choices.data()), choices.size()}, kManyChoices);
}

std::vector<int32_t> DiscreteSpace::choices_of(uint32_t number) const {
  std::vector<int32_t> out;
  if (number == 0) return out;
  made_choices_.for_each_step(number - 1, [&](std::span<const uint32_t> values, uint32_t) {
    for (const uint32_t v : values) out.push_back(static_cast<int32_t>(v));
  });
  return out;
}

Origin DiscreteSpace::origin(uint64_t parent) {
  if (edges_.empty()) return {Origin::kNoParent, choice_number(choices_)};
  if (steps() == 1) return {parent, labels_.of(edges_, choice_number(choices_))};
  const uint32_t before = passing_->label_before([&](std::span<const uint32_t> edges) { return labels_.of(edges); },
                                                 [&](uint32_t a, uint32_t b) { return labels_.then(a, b); });
  return {parent, labels_.then(before, labels_.of(edges_))};
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

std::vector<model::PathStep> DiscreteSpace::steps_of(const Origin& origin) const {
  std::vector<model::PathStep> steps;
  labels_.for_each_step(origin.label(), [&](std::span<const uint32_t> edges, uint32_t choices) {
    model::PathStep& step = steps.emplace_back();
    step.choices = choices_of(choices);
    for (const uint32_t e : edges) step.edges.push_back(model::EdgeId(e));
  });
  return steps;
}

model::Path DiscreteSpace::path_to(uint64_t id, size_t goal_clause) const {
  std::vector<Origin> back;
  std::vector<uint64_t> states{id};
  for (; !origins_[id]->initial(); states.push_back(id)) {
    back.push_back(*origins_[id]);
    id = back.back().parent();
  }
  model::Path path;
  path.goal_clause = goal_clause;
  path.beginning = choices_of(origins_[id]->label());
  std::vector<size_t> steps_to;
  for (auto at = back.rbegin(); at != back.rend(); ++at) {
    for (model::PathStep& step : steps_of(*at)) path.steps.push_back(std::move(step));
    steps_to.push_back(path.steps.size());
  }
  std::reverse(states.begin(), states.end());
  if (symmetry_) rename(path, states, steps_to);
  return path;
}

void DiscreteSpace::rename(model::Path& path, std::span<const uint64_t> states,
                           std::span<const size_t> steps_to) const {
  // The generator may have been left half-way. What has been reached once can be reached in any case.
  step::DiscreteGenerator walker(generator_.semantics(), Watch::none());
  step::Arrangement arrangement(symmetry_, generator_.semantics().system());
  step::Renaming renaming(generator_.semantics().system(), generator_.semantics().property());
  size_t k = 0;
  for (size_t i = 0; i < steps_to.size(); ++i) {
    walker.load(store_[states[i]]);
    for (; k < steps_to[i]; ++k) {
      std::vector<uint32_t> edges;
      for (const model::EdgeId e : path.steps[k].edges) edges.push_back(e.value);
      if (!walker.make(edges, path.steps[k].choices)) throw Error(ErrorKind::Internal, "a step is not possible");
      walker.keep();
      renaming.rename(path.steps[k]);
    }
    arrangement.arrange(walker.values(), {},
                        [&](uint32_t variable, int32_t value) { walker.rewrite(variable, value); });
    renaming.then(arrangement.applied());
    walker.keep();
  }
  if (path.goal_clause != step::kNoClause) path.goal_clause = renaming.clause(path.goal_clause);
}

void DiscreteSpace::recover() {
  generator_.recover();
  if (passing_) passing_->recover();
}

}  // namespace harrier::search
