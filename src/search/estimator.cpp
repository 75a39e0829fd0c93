#include "search/estimator.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"

namespace harrier::search {

namespace {

constexpr uint32_t kUnsafeInfinity = 1 << 19;  // behind all estimates, but still to be looked at
constexpr uint32_t kUnsafeInfiniteCost = uint32_t{1} << 31;

}  // namespace

HeuristicEstimator::HeuristicEstimator(Guidance guidance, uint32_t cache_entries, Budget& budget)
    : budget_(budget),
      guidance_(std::move(guidance)),
      known_(budget, kUnknown),
      table_(cache_entries, kUnknown),
      memory_words_(table_.empty() ? guidance_.heuristic->memory_words() : 0),
      memory_(budget, memory_words_) {
  budget.take(guidance_.heuristic->bytes());
}

uint32_t HeuristicEstimator::evaluate(const State& state) {
  if (memory_words_ == 0) return guidance_.heuristic->evaluate(state.view);
  while (memory_.size() <= state.id) std::fill_n(memory_.append(), memory_words_, 0);
  const uint64_t* before = state.initial ? nullptr : memory_[state.parent];
  return guidance_.heuristic->evaluate_after(before, state.view, memory_[state.id]);
}

uint32_t HeuristicEstimator::estimate(const State& state) {
  const uint64_t key = guidance_.clocks || memory_words_ != 0 ? state.id : state.discrete;
  uint32_t& known = table_.empty() ? known_[key] : table_[mix64(key) % table_.size()];
  if (known == kUnknown) {
    known = evaluate(state);
    ++evaluated_;
    last_ = state.id;
  }
  if (known != heur::kDeadEnd || guidance_.safe) return known;
  return guidance_.costs == CostType::Unit ? kUnsafeInfinity : kUnsafeInfiniteCost;
}

}  // namespace harrier::search
