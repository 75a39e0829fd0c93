#include "search/guide.h"

#include <algorithm>

namespace harrier::search {

Guide::Guide(std::vector<std::unique_ptr<Estimator>> estimators, std::vector<std::unique_ptr<Preference>> preferences)
    : estimators_(std::move(estimators)),
      preferences_(std::move(preferences)),
      needs_source_(std::any_of(preferences_.begin(), preferences_.end(),
                                [](const auto& preference) { return preference->needs_source(); })),
      needs_zones_(std::any_of(estimators_.begin(), estimators_.end(),
                               [](const auto& estimator) { return estimator->needs_zones(); })),
      estimates_(std::max<size_t>(estimators_.size(), 1), 0) {}

bool Guide::remembers_paths() const {
  return std::any_of(estimators_.begin(), estimators_.end(), [](const auto& estimator) {
    heur::Heuristic* heuristic = estimator->heuristic();
    return heuristic != nullptr && heuristic->memory_words() != 0;
  });
}

uint64_t Guide::evaluated() const {
  uint64_t sum = 0;
  for (const auto& estimator : estimators_) sum += estimator->evaluated();
  return sum;
}

void Guide::begin(uint64_t id, const heur::StateView& source) {
  source_ = id;
  for (const auto& preference : preferences_) preference->begin(id, source);
}

bool Guide::prunes(std::span<const uint32_t> edges) const {
  return std::any_of(preferences_.begin(), preferences_.end(), [&](const auto& p) { return p->prunes(edges); });
}

bool Guide::reconsider(uint64_t id, std::span<const uint32_t> edges) {
  bool again = false;
  for (const auto& preference : preferences_) again = preference->reconsider(id, edges) || again;
  return again;
}

uint32_t Guide::cost(uint32_t cost_of_parent, uint32_t steps, std::span<const uint32_t> edges) {
  for (const auto& preference : preferences_) {
    if (const auto cost = preference->cost(cost_of_parent, edges)) return *cost;
  }
  return cost_of_parent + steps;
}

uint32_t Guide::context(std::span<const uint32_t> edges) {
  uint32_t context = 0;
  for (const auto& preference : preferences_) context = std::max(context, preference->context(edges));
  return context;
}

bool Guide::evaluate(const Estimator::State& state) {
  for (size_t i = 0; i < estimators_.size(); ++i) {
    estimates_[i] = estimators_[i]->estimate(state);
    if (estimates_[i] != heur::kDeadEnd) continue;
    ++dead_ends_;
    return false;
  }
  return true;
}

Assessment Guide::place(uint64_t id, uint32_t cost, std::span<const uint32_t> edges) {
  Assessment result;
  result.estimates = estimates_;
  for (const auto& preference : preferences_) {
    const Preference::Opinion opinion = preference->judge({id, cost, estimates_[0], edges});
    result.rank = result.rank * preference->ranks() + opinion.rank;
    result.preferred = result.preferred || opinion.preferred;
  }
  return result;
}

Assessment Guide::assess(uint64_t id, uint64_t discrete, uint32_t cost, const heur::StateView& state,
                         std::span<const uint32_t> edges) {
  if (!evaluate({id, discrete, source_, edges.empty(), state})) return {.dead_end = true};
  return place(id, cost, edges);
}

}  // namespace harrier::search
