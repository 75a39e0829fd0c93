#include "heur/landmark_count.h"

#include <algorithm>
#include <bit>

namespace harrier::heur {

namespace {

constexpr uint32_t kLargestWeight = 1 << 16;
constexpr uint32_t kMostSteps = 1 << 18;

}  // namespace

LandmarkCount::LandmarkCount(std::shared_ptr<const RelaxedTask> task, const Watch& watch)
    : task_(std::move(task)),
      rules_(*task_, watch),
      landmarks_(*task_, rules_, watch),
      plan_(task_, RelaxedValue::AddPlan, watch),
      words_((landmarks_.size() + 63) / 64),
      largest_(rules_.unit_costs() ? kMostSteps : model::kMostCost),
      prices_(landmarks_.size(), 1),
      in_state_(task_->fact_count()),
      holds_seen_(task_->fact_count(), 0),
      holding_(words_),
      missing_(words_) {
  first_landmark_.assign(task_->fact_count() + size_t{1}, 0);
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    for (const uint32_t f : landmarks_.facts(i)) ++first_landmark_[f + size_t{1}];
  }
  for (size_t f = 1; f < first_landmark_.size(); ++f) first_landmark_[f] += first_landmark_[f - 1];
  landmarks_of_.resize(first_landmark_.back());
  std::vector<uint32_t> next(first_landmark_.begin(), first_landmark_.end() - 1);
  for (uint32_t i = 0; i < landmarks_.size(); ++i) {
    for (const uint32_t f : landmarks_.facts(i)) landmarks_of_[next[f]++] = i;
  }
  for (uint32_t r = 0; r < task_->repeated_rules(); ++r) {
    for (const uint32_t f : rules_.free_effects(rules_[r])) {
      for (const uint32_t i : landmarks_of(f)) repeated_.push_back({i, r});
    }
  }
  derive(rules_, watch);
  if (!rules_.unit_costs()) find_prices(watch);
  leave_out_free();
  weights_ = prices_;
}

// A fact costs what the cheapest rule for it does; one that follows from others, what the cheapest of these does.
void LandmarkCount::find_prices(const Watch& watch) {
  std::vector<uint32_t> price(task_->fact_count(), UINT32_MAX);
  FactQueue queue;
  const auto offer = [&](uint32_t fact, uint32_t cost) {
    if (price[fact] <= cost) return;
    price[fact] = cost;
    queue.push(cost, fact);
  };
  for (uint32_t r = 0; r < rules_.size(); ++r) {
    watch.poll();
    for (const uint32_t f : rules_.paid_effects(rules_[r])) offer(f, rules_[r].cost);
  }
  const auto begin = [&](uint32_t) {
    watch.poll();
    return true;
  };
  queue.drain(begin, [&](uint32_t cost, uint32_t fact) {
    if (price[fact] != cost) return true;
    for (const uint32_t r : rules_.waiting_for(fact)) {
      for (const uint32_t f : rules_.free_effects(rules_[r])) offer(f, cost);
    }
    return true;
  });
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    uint32_t least = UINT32_MAX;
    for (const uint32_t f : landmarks_.facts(i)) least = std::min(least, price[f]);
    prices_[i] = least == UINT32_MAX ? rules_.least_cost() : least;
  }
}

// What axioms derive is reached by the step that reaches what it follows from, and that counts already if it is known.
void LandmarkCount::leave_out_free() {
  const auto derived = task_->task().derived();
  if (derived.empty()) return;
  const std::vector<uint32_t> meanings = task_->meanings();
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    const auto facts = landmarks_.facts(i);
    const auto needs = landmarks_.greedy_necessary()[i];
    const bool follows = std::all_of(facts.begin(), facts.end(), [&](uint32_t f) {
      return meanings[f] < RelaxedTask::kCondition &&
             std::binary_search(derived.begin(), derived.end(), model::VarId(meanings[f]));
    });
    if (follows && std::any_of(needs.begin(), needs.end(), [](uint64_t word) { return word != 0; })) prices_[i] = 0;
  }
}

void LandmarkCount::derive(const FlatRules& rules, const Watch& watch) {
  std::vector<std::vector<uint32_t>> achievers(task_->fact_count());
  for (uint32_t r = 0; r < rules.size(); ++r) {
    watch.poll();
    for (const uint32_t f : rules.free_effects(rules[r])) {
      if (task_->is_auxiliary(f)) achievers[f].push_back(r);
    }
  }
  // Depth first; a fact is done when all that it follows from are.
  enum class Mark : uint8_t { Unseen, Open, Done };
  std::vector<Mark> marks(task_->fact_count(), Mark::Unseen);
  std::vector<uint32_t> stack{task_->goal_fact()};
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    for (const uint32_t f : landmarks_.facts(i)) {
      if (task_->is_auxiliary(f)) stack.push_back(f);
    }
  }
  while (!stack.empty()) {
    watch.poll();
    const uint32_t fact = stack.back();
    if (marks[fact] == Mark::Unseen) {
      marks[fact] = Mark::Open;
      for (const uint32_t r : achievers[fact]) {
        for (const uint32_t f : rules.preconditions(rules[r])) {
          if (task_->is_auxiliary(f) && marks[f] == Mark::Unseen) stack.push_back(f);
        }
      }
      continue;
    }
    stack.pop_back();
    if (marks[fact] == Mark::Done) continue;
    marks[fact] = Mark::Done;
    Derived derived{fact, static_cast<uint32_t>(first_fact_.size()), 0};
    for (const uint32_t r : achievers[fact]) {
      const auto way = rules.preconditions(rules[r]);
      first_fact_.push_back(static_cast<uint32_t>(ways_.size()));
      ways_.insert(ways_.end(), way.begin(), way.end());
    }
    derived.end_way = static_cast<uint32_t>(first_fact_.size());
    derived_.push_back(derived);
  }
  first_fact_.push_back(static_cast<uint32_t>(ways_.size()));
}

bool LandmarkCount::look(const StateView& state) {
  ++evaluation_;
  std::fill(holding_.begin(), holding_.end(), 0);
  const auto hold = [&](uint32_t f) {
    holds_seen_[f] = evaluation_;
    for (const uint32_t i : landmarks_of(f)) holding_[i / 64] |= uint64_t{1} << (i % 64);
  };
  const uint32_t end = task_->facts_of(state, in_state_.data());
  for (uint32_t i = 0; i < end; ++i) hold(in_state_[i]);
  const auto holds = [&](uint32_t f) { return holds_seen_[f] == evaluation_; };
  for (const Derived& d : derived_) {
    for (uint32_t way = d.first_way; way < d.end_way; ++way) {
      if (!std::all_of(ways_.begin() + first_fact_[way], ways_.begin() + first_fact_[way + 1], holds)) continue;
      hold(d.fact);
      break;
    }
  }
  return holds(task_->goal_fact());
}

void LandmarkCount::weigh(const int32_t* values) {
  for (const Repeated& r : repeated_) weights_[r.landmark] = prices_[r.landmark];
  for (const Repeated& r : repeated_) {
    const uint64_t times = std::min(task_->repetitions(r.rule, values), kLargestWeight);
    const uint64_t weight = std::min<uint64_t>(times * prices_[r.landmark], largest_);
    weights_[r.landmark] = std::max(weights_[r.landmark], static_cast<uint32_t>(weight));
  }
}

void LandmarkCount::accept(const uint64_t* before, uint64_t* memory) const {
  if (before == nullptr) {
    std::fill_n(memory, words_, 0);
  } else {
    std::copy_n(before, words_, memory);
  }
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t rest = holding_[w]; rest != 0; rest &= rest - 1) {
      const size_t i = w * 64 + static_cast<size_t>(std::countr_zero(rest));
      const auto natural = landmarks_.natural()[i];
      const auto reasonable = landmarks_.reasonable()[i];
      bool waits = false;
      for (size_t v = 0; v < words_; ++v) {
        waits = waits || (reasonable[v] & ~(holding_[v] | (before == nullptr ? 0 : before[v]))) != 0;
        memory[v] |= natural[v];
      }
      if (!waits) memory[w] |= uint64_t{1} << (i % 64);
    }
  }
}

uint32_t LandmarkCount::count(size_t goal, const uint64_t* accepted) {
  const auto all = landmarks_.of_goal()[goal];
  const auto at_goal = landmarks_.at_goal()[goal];
  for (size_t w = 0; w < words_; ++w) missing_[w] = at_goal[w];
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t rest = all[w] & ~accepted[w]; rest != 0; rest &= rest - 1) {
      const auto needs = landmarks_.greedy_necessary()[w * 64 + static_cast<size_t>(std::countr_zero(rest))];
      for (size_t v = 0; v < words_; ++v) missing_[v] |= needs[v];
    }
  }
  uint32_t sum = 0;
  for (size_t w = 0; w < words_; ++w) {
    for (uint64_t rest = all[w] & (~accepted[w] | (missing_[w] & ~holding_[w])); rest != 0; rest &= rest - 1) {
      sum = std::min(sum + weights_[w * 64 + static_cast<size_t>(std::countr_zero(rest))], largest_);
    }
  }
  return sum;
}

uint32_t LandmarkCount::evaluate_after(const uint64_t* before, const StateView& state, uint64_t* memory) {
  planned_ = false;
  const bool at_goal = look(state);
  accept(before, memory);
  if (at_goal) return 0;
  weigh(state.values);
  uint32_t least = landmarks_.goal_count() == 0 ? 1 : largest_;
  for (size_t g = 0; g < landmarks_.goal_count(); ++g) least = std::min(least, count(g, memory));
  return std::max(least, 1U);
}

uint32_t LandmarkCount::count_planned(const StateView& state, uint32_t length) {
  planned_ = length != kDeadEnd;
  if (length == 0 || length == kDeadEnd) return length;
  look(state);
  weigh(state.values);
  uint32_t sum = 0;
  for (size_t i = 0; i < landmarks_.size(); ++i) {
    const auto facts = landmarks_.facts(i);
    const bool holds = (holding_[i / 64] >> (i % 64) & 1) != 0;
    if (holds || std::none_of(facts.begin(), facts.end(), [&](uint32_t f) { return plan_.plans(f); })) continue;
    sum = std::min(sum + weights_[i], largest_);
  }
  return std::max(sum, 1U);
}

uint32_t LandmarkCount::evaluate(const StateView& state) { return count_planned(state, plan_.evaluate(state)); }

uint32_t LandmarkCount::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  return count_planned(state, plan_.evaluate_without(state, edges, limit));
}

}  // namespace harrier::heur
