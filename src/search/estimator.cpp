#include "search/estimator.h"

#include <utility>

#include "base/hash.h"

namespace harrier::search {

namespace {

constexpr uint32_t kUnsafeInfinity = 1 << 19;  // behind all estimates, but still to be looked at

}  // namespace

HeuristicEstimator::HeuristicEstimator(Guidance guidance, uint32_t cache_entries, Budget& budget)
    : guidance_(std::move(guidance)), known_(budget, kUnknown), table_(cache_entries, kUnknown) {}

uint32_t HeuristicEstimator::estimate(const State& state) {
  const uint64_t key = guidance_.clocks ? state.id : state.discrete;
  uint32_t& known = table_.empty() ? known_[key] : table_[mix64(key) % table_.size()];
  if (known == kUnknown) {
    known = guidance_.heuristic->evaluate(state.view);
    ++evaluated_;
  }
  return known == heur::kDeadEnd && !guidance_.safe ? kUnsafeInfinity : known;
}

}  // namespace harrier::search
