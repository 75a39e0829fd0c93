#include "heur/relaxation.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint32_t kNoRule = UINT32_MAX;
constexpr uint16_t kBanned = 0x8000;        // added to the unmet preconditions of a rule that must not fire
constexpr uint32_t kLargestCost = 1 << 16;  // larger sums, which can grow exponentially, are not told apart

}  // namespace

Relaxation::Relaxation(std::shared_ptr<const RelaxedTask> task, RelaxedValue value, const Watch& watch)
    : task_(std::move(task)), kind_(value), watch_(watch) {
  flatten();
  const size_t facts = task_->fact_count();
  unmet_.resize(rules_.size());
  cost_.resize(facts);
  supporter_.resize(facts, kNoRule);
  sum_.resize(rules_.size());
  repeats_.resize(task_->repeated_rules());
  current_.reserve(facts);
  next_.reserve(facts);
  stack_.reserve(facts);
  needed_.assign(facts, 0);
  counted_.assign(task_->task().transitions().size(), 0);
  preferred_.assign(task_->task().transitions().size(), false);
  buckets_.resize(64);
}

void Relaxation::flatten() {
  // The rule that enables a transition and the one with its constant effects become one, for the enabling fact of most
  // transitions is needed for nothing else.
  const size_t transitions = task_->task().transitions().size();
  std::vector<uint32_t> transition_of(task_->fact_count(), RelaxedTask::kFree);  // by enabling fact
  for (uint32_t t = 0; t < transitions; ++t) transition_of[task_->enabled_fact(t)] = t;
  const auto is_constant = [&](const RelaxedTask::Rule& rule) {
    const auto preconditions = task_->preconditions(rule);
    return rule.transition != RelaxedTask::kFree && rule.receiver == RelaxedTask::kFree && preconditions.size() == 1 &&
           transition_of[preconditions[0]] != RelaxedTask::kFree;
  };
  std::vector<std::vector<uint32_t>> constants(transitions);
  std::vector<bool> fact_needed(task_->fact_count(), false);
  fact_needed[task_->goal_fact()] = true;
  for (const RelaxedTask::Rule& rule : task_->rules()) {
    watch_.poll();
    if (is_constant(rule)) {
      const auto effects = task_->effects(rule);
      auto& all = constants[rule.transition];
      all.insert(all.end(), effects.begin(), effects.end());
      continue;
    }
    for (const uint32_t f : task_->preconditions(rule)) fact_needed[f] = true;
  }
  rule_of_transition_.assign(transitions, kNoRule);
  rules_of_receiver_.resize(task_->task().system().edges.size());
  for (const RelaxedTask::Rule& rule : task_->rules()) {
    watch_.poll();
    if (is_constant(rule)) continue;
    const auto number = static_cast<uint32_t>(rules_.size());
    const auto effects = task_->effects(rule);
    FlatRule flat;
    flat.first_free = static_cast<uint32_t>(effects_.size());
    if (rule.transition == RelaxedTask::kFree) {
      if (fact_needed[effects[0]]) effects_.push_back(effects[0]);
      flat.first_paid = static_cast<uint32_t>(effects_.size());
      if (const uint32_t t = transition_of[effects[0]]; t != RelaxedTask::kFree) {
        effects_.insert(effects_.end(), constants[t].begin(), constants[t].end());
        if (!constants[t].empty()) flat.transition = t;
        rule_of_transition_[t] = number;
      }
    } else {
      flat.first_paid = flat.first_free;
      effects_.insert(effects_.end(), effects.begin(), effects.end());
      flat.transition = rule.transition;
      if (rule.receiver != RelaxedTask::kFree) rules_of_receiver_[rule.receiver].push_back(number);
    }
    flat.end = static_cast<uint32_t>(effects_.size());
    const auto preconditions = task_->preconditions(rule);
    flat.first_precondition = static_cast<uint32_t>(preconditions_.size());
    preconditions_.insert(preconditions_.end(), preconditions.begin(), preconditions.end());
    flat.end_precondition = static_cast<uint32_t>(preconditions_.size());
    if (preconditions.empty()) ready_at_start_.push_back(number);
    unmet_at_start_.push_back(static_cast<uint16_t>(preconditions.size()));
    rules_.push_back(flat);
  }
  link_triggers();
}

void Relaxation::link_triggers() {
  first_trigger_.assign(task_->fact_count() + size_t{1}, 0);
  for (const uint32_t f : preconditions_) ++first_trigger_[f + size_t{1}];
  for (size_t f = 1; f < first_trigger_.size(); ++f) first_trigger_[f] += first_trigger_[f - 1];
  triggers_.resize(preconditions_.size());
  std::vector<uint32_t> next(first_trigger_.begin(), first_trigger_.end() - 1);
  for (uint32_t r = 0; r < rules_.size(); ++r) {
    watch_.poll();
    for (uint32_t p = rules_[r].first_precondition; p < rules_[r].end_precondition; ++p) {
      triggers_[next[preconditions_[p]]++] = r;
    }
  }
}

void Relaxation::start(const StateView& state) {
  std::copy(unmet_at_start_.begin(), unmet_at_start_.end(), unmet_.begin());
  for (const uint32_t r : banned_) unmet_[r] = static_cast<uint16_t>(unmet_[r] + kBanned);
  std::fill(cost_.begin(), cost_.end(), kDeadEnd);
  std::fill(sum_.begin(), sum_.end(), 0);
  for (size_t r = 0; r < repeats_.size(); ++r) {
    sum_[r] = repeats_[r] = std::min(task_->repetitions(r, state.values) - 1, kLargestCost);
  }
  current_.resize(cost_.size());
  current_.resize(task_->facts_of(state, current_.data()));
  for (const uint32_t f : current_) {
    cost_[f] = 0;
    supporter_[f] = kNoRule;
  }
}

bool Relaxation::explore(const StateView& state, uint32_t limit) {
  const uint32_t goal = task_->goal_fact();
  start(state);
  next_.clear();
  const auto fire = [&](uint32_t r, uint32_t layer) {
    const FlatRule& rule = rules_[r];
    for (uint32_t e = rule.first_free; e < rule.first_paid; ++e) {
      const uint32_t f = effects_[e];
      if (cost_[f] <= layer) continue;
      cost_[f] = layer;
      supporter_[f] = r;
      current_.push_back(f);
    }
    for (uint32_t e = rule.first_paid; e < rule.end; ++e) {
      const uint32_t f = effects_[e];
      if (cost_[f] == kDeadEnd) {
        cost_[f] = layer + 1;
        supporter_[f] = r;
        next_.push_back(f);
      } else if (cost_[f] == layer + 1 && sum_[r] < sum_[supporter_[f]]) {
        supporter_[f] = r;
      }
    }
  };
  for (const uint32_t r : ready_at_start_) {
    if (unmet_[r] == 0) fire(r, 0);
  }
  for (uint32_t layer = 0; !current_.empty() || !next_.empty(); ++layer) {
    watch_.poll();
    for (size_t i = 0; i < current_.size(); ++i) {
      const uint32_t f = current_[i];
      if (cost_[f] != layer) continue;  // reached earlier, in this layer, by a free rule
      const uint32_t end = first_trigger_[f + 1];
      for (uint32_t t = first_trigger_[f]; t < end; ++t) {
        const uint32_t r = triggers_[t];
        sum_[r] += layer;
        if (--unmet_[r] == 0) fire(r, layer);
      }
      if (cost_[goal] <= layer) return true;
    }
    if (layer >= limit) return false;
    current_.clear();
    std::swap(current_, next_);
  }
  return false;
}

void Relaxation::fire_add(uint32_t r, uint32_t cost) {
  const FlatRule& rule = rules_[r];
  const auto reach = [&](uint32_t f, uint32_t c) {
    c = std::min(c, kLargestCost);
    if (cost_[f] <= c) return;
    cost_[f] = c;
    supporter_[f] = r;
    if (buckets_.size() <= c) buckets_.resize(std::max<size_t>(c + 1, buckets_.size() * 2));
    buckets_[c].push_back(f);
  };
  for (uint32_t e = rule.first_free; e < rule.first_paid; ++e) reach(effects_[e], cost);
  for (uint32_t e = rule.first_paid; e < rule.end; ++e) reach(effects_[e], cost + 1);
}

bool Relaxation::explore_add(const StateView& state, uint32_t limit) {
  // Dijkstra with sums: a rule's cost is final when its last precondition is.
  const uint32_t goal = task_->goal_fact();
  start(state);
  for (auto& bucket : buckets_) bucket.clear();
  buckets_[0] = current_;
  for (const uint32_t r : ready_at_start_) {
    if (unmet_[r] == 0) fire_add(r, 0);
  }
  for (uint32_t cost = 0; cost < buckets_.size(); ++cost) {
    watch_.poll();
    for (size_t i = 0; i < buckets_[cost].size(); ++i) {
      const uint32_t f = buckets_[cost][i];
      if (cost_[f] != cost) continue;  // reached more cheaply
      if (f == goal) return true;
      const uint32_t end = first_trigger_[f + 1];
      for (uint32_t t = first_trigger_[f]; t < end; ++t) {
        const uint32_t r = triggers_[t];
        sum_[r] = std::min(sum_[r] + cost, kLargestCost);
        if (--unmet_[r] == 0) fire_add(r, sum_[r]);
      }
    }
    if (cost >= limit) return false;
  }
  return false;
}

uint32_t Relaxation::extract_plan() {
  // Backwards from the goal: every needed fact brings in the rule that reached it first.
  ++stamp_;
  for (const uint32_t t : selected_) counted_[t] = 0;
  selected_.clear();
  for (const uint32_t t : preferred_list_) preferred_[t] = false;
  preferred_list_.clear();
  uint32_t length = 0;
  const auto need = [&](uint32_t f) {
    if (supporter_[f] == kNoRule || needed_[f] == stamp_) return;
    needed_[f] = stamp_;
    stack_.push_back(f);
  };
  stack_.clear();
  need(task_->goal_fact());
  while (!stack_.empty()) {
    const uint32_t f = stack_.back();
    stack_.pop_back();
    const FlatRule& rule = rules_[supporter_[f]];
    if (supporter_[f] < repeats_.size()) length += repeats_[supporter_[f]];
    bool paid = false;
    uint32_t fired_at = 0;
    for (uint32_t p = rule.first_precondition; p < rule.end_precondition; ++p) {
      fired_at = std::max(fired_at, cost_[preconditions_[p]]);
      need(preconditions_[p]);
    }
    for (uint32_t e = rule.first_paid; e < rule.end && !paid; ++e) paid = effects_[e] == f;
    if (!paid) continue;
    const uint64_t bit = uint64_t{1} << std::min<uint32_t>(fired_at, 63);
    if (counted_[rule.transition] & bit) continue;
    if (counted_[rule.transition] == 0) selected_.push_back(rule.transition);
    counted_[rule.transition] |= bit;
    ++length;
    if (fired_at == 0 && !preferred_[rule.transition]) {
      preferred_[rule.transition] = true;
      preferred_list_.push_back(rule.transition);
    }
  }
  return std::min(length, kLargestCost);
}

uint32_t Relaxation::value_of(const StateView& state, uint32_t limit) {
  const bool add = kind_ == RelaxedValue::Add || kind_ == RelaxedValue::AddPlan;
  if (!(add ? explore_add(state, limit) : explore(state, limit))) return kDeadEnd;
  if (kind_ == RelaxedValue::Layers) return cost_[task_->goal_fact()];
  const uint32_t length = extract_plan();
  return kind_ == RelaxedValue::Add ? cost_[task_->goal_fact()] : length;
}

uint32_t Relaxation::evaluate(const StateView& state) { return value_of(state, kDeadEnd - 1); }

uint32_t Relaxation::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  for (const uint32_t e : edges) {
    for (const uint32_t t : task_->task().transitions_of(model::EdgeId(e))) {
      if (rule_of_transition_[t] != kNoRule) banned_.push_back(rule_of_transition_[t]);
    }
    banned_.insert(banned_.end(), rules_of_receiver_[e].begin(), rules_of_receiver_[e].end());
  }
  std::sort(banned_.begin(), banned_.end());
  banned_.erase(std::unique(banned_.begin(), banned_.end()), banned_.end());
  // A path has at least as many transitions as layers, so the limit on the value also bounds the exploration, except
  // where costs are sums.
  const bool layered = kind_ == RelaxedValue::Layers || kind_ == RelaxedValue::Plan || kind_ == RelaxedValue::Add;
  const uint32_t value = value_of(state, layered ? limit : kDeadEnd - 1);
  banned_.clear();
  return value;
}

bool Relaxation::prefers(std::span<const uint32_t> edges) const {
  const auto of_first = task_->task().transitions_of(model::EdgeId(edges[0]));
  return std::any_of(of_first.begin(), of_first.end(),
                     [&](uint32_t t) { return preferred_[t] && task_->task().fires(t, edges); });
}

}  // namespace harrier::heur
