#include "heur/relaxation.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint32_t kNoRule = FlatRules::kNoRule;
constexpr uint64_t kBanned = 0x8000;  // added to the unmet preconditions of a rule that must not fire
constexpr uint32_t kMostSteps = 1 << 16;

}  // namespace

Relaxation::Relaxation(std::shared_ptr<const RelaxedTask> task, RelaxedValue value, const Watch& watch)
    : task_(std::move(task)),
      kind_(value),
      watch_(watch),
      rules_(*task_, watch),
      adds_(value == RelaxedValue::Add || value == RelaxedValue::AddPlan),
      largest_(rules_.unit_costs() ? kMostSteps : model::kMostCost) {
  const size_t facts = task_->fact_count();
  first_waits_.assign(rules_.precondition_counts().begin(), rules_.precondition_counts().end());
  waits_.resize(rules_.size());
  facts_.resize(facts);
  repeats_.resize(task_->repeated_rules());
  current_.reserve(facts);
  next_.reserve(facts);
  stack_.reserve(facts);
  needed_.assign(facts, 0);
  counted_.assign(task_->task().transitions().size(), 0);
  preferred_.assign(task_->task().transitions().size(), false);
}

void Relaxation::start(const StateView& state) {
  std::copy(first_waits_.begin(), first_waits_.end(), waits_.begin());
  for (const uint32_t r : banned_) waits_[r] += kBanned;
  std::fill(facts_.begin(), facts_.end(), Reached{kDeadEnd, kNoRule});
  for (size_t r = 0; r < repeats_.size(); ++r) {
    const uint64_t more = task_->repetitions(r, state.values) - 1;
    repeats_[r] = static_cast<uint32_t>(std::min<uint64_t>(more * rules_.least_cost(), largest_));
    waits_[r] += uint64_t{repeats_[r]} << kCountBits;
  }
  current_.resize(facts_.size());
  current_.resize(task_->facts_of(state, current_.data()));
  for (const uint32_t f : current_) facts_[f].cost = 0;
}

bool Relaxation::explore(const StateView& state, uint32_t limit) {
  const uint32_t goal = task_->goal_fact();
  start(state);
  next_.clear();
  const auto fire = [&](uint32_t r, uint32_t layer) {
    const FlatRules::Rule& rule = rules_[r];
    for (const uint32_t f : rules_.free_effects(rule)) {
      if (facts_[f].cost <= layer) continue;
      facts_[f] = {layer, r};
      current_.push_back(f);
    }
    for (const uint32_t f : rules_.paid_effects(rule)) {
      Reached& fact = facts_[f];
      if (fact.cost == kDeadEnd) {
        fact = {layer + 1, r};
        next_.push_back(f);
      } else if (fact.cost == layer + 1 && sum(r) < sum(fact.supporter)) {
        fact.supporter = r;
      }
    }
  };
  for (const uint32_t r : rules_.ready()) {
    if (is_ready(waits_[r])) fire(r, 0);
  }
  for (uint32_t layer = 0; !current_.empty() || !next_.empty(); ++layer) {
    watch_.poll();
    for (size_t i = 0; i < current_.size(); ++i) {
      const uint32_t f = current_[i];
      if (facts_[f].cost != layer) continue;  // reached earlier, in this layer, by a free rule
      for (const uint32_t r : rules_.waiting_for(f)) {
        if (is_ready(waits_[r] += met(layer))) fire(r, layer);
      }
      if (facts_[goal].cost <= layer) return true;
    }
    if (layer >= limit) return false;
    current_.clear();
    std::swap(current_, next_);
  }
  return false;
}

void Relaxation::fire_by_cost(uint32_t r, uint32_t cost) {
  const FlatRules::Rule& rule = rules_[r];
  const auto reach = [&](uint32_t f, uint32_t c) {
    c = std::min(c, largest_);
    if (facts_[f].cost <= c) return;
    facts_[f] = {c, r};
    queue_.push(c, f);
  };
  for (const uint32_t f : rules_.free_effects(rule)) reach(f, cost);
  for (const uint32_t f : rules_.paid_effects(rule)) reach(f, cost + rule.cost);
}

bool Relaxation::explore_by_cost(const StateView& state, uint32_t limit) {
  // Dijkstra with sums or maxima: a rule's cost is final when its last precondition is.
  const uint32_t goal = task_->goal_fact();
  start(state);
  queue_.clear();
  for (const uint32_t f : current_) queue_.push(0, f);
  for (const uint32_t r : rules_.ready()) {
    if (is_ready(waits_[r])) fire_by_cost(r, 0);
  }
  bool found = false;
  const auto begin = [&](uint32_t cost) {
    watch_.poll();
    return cost <= limit;
  };
  queue_.drain(begin, [&](uint32_t cost, uint32_t f) {
    if (facts_[f].cost != cost) return true;  // reached more cheaply
    found = f == goal;
    if (found) return false;
    for (const uint32_t r : rules_.waiting_for(f)) {
      if (is_ready(waits_[r] += met(cost))) fire_by_cost(r, adds_ ? sum(r) : cost);
    }
    return true;
  });
  return found;
}

uint32_t Relaxation::extract_plan() {
  // Backwards from the goal: every needed fact brings in the rule that reached it first.
  ++stamp_;
  for (const uint32_t t : selected_) counted_[t] = 0;
  selected_.clear();
  for (const uint32_t t : preferred_list_) preferred_[t] = false;
  preferred_list_.clear();
  uint64_t length = 0;
  const auto need = [&](uint32_t f) {
    if (facts_[f].supporter == kNoRule || needed_[f] == stamp_) return;
    needed_[f] = stamp_;
    stack_.push_back(f);
  };
  stack_.clear();
  need(task_->goal_fact());
  while (!stack_.empty()) {
    const uint32_t f = stack_.back();
    stack_.pop_back();
    const FlatRules::Rule& rule = rules_[facts_[f].supporter];
    if (facts_[f].supporter < repeats_.size()) length += repeats_[facts_[f].supporter];
    uint32_t fired_at = 0;
    for (const uint32_t p : rules_.preconditions(rule)) {
      fired_at = std::max(fired_at, facts_[p].cost);
      need(p);
    }
    const auto paid = rules_.paid_effects(rule);
    if (std::find(paid.begin(), paid.end(), f) == paid.end()) continue;
    const uint64_t bit = rules_.unit_costs() ? uint64_t{1} << std::min<uint32_t>(fired_at, 63) : 1;
    if (counted_[rule.transition] & bit) continue;
    if (counted_[rule.transition] == 0) selected_.push_back(rule.transition);
    counted_[rule.transition] |= bit;
    length += rule.cost;
    if (fired_at == 0 && !preferred_[rule.transition]) {
      preferred_[rule.transition] = true;
      preferred_list_.push_back(rule.transition);
    }
  }
  return static_cast<uint32_t>(std::min<uint64_t>(length, largest_));
}

uint32_t Relaxation::value_of(const StateView& state, uint32_t limit) {
  const bool layers = !adds_ && rules_.unit_costs();
  if (!(layers ? explore(state, limit) : explore_by_cost(state, limit))) return kDeadEnd;
  if (kind_ == RelaxedValue::Layers) return facts_[task_->goal_fact()].cost;
  const uint32_t length = extract_plan();
  return kind_ == RelaxedValue::Add ? facts_[task_->goal_fact()].cost : length;
}

uint32_t Relaxation::evaluate(const StateView& state) { return value_of(state, kDeadEnd - 1); }

uint32_t Relaxation::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  rules_.removed_with(edges, banned_);
  // A path has at least as many transitions as layers, so the limit on the value also bounds the exploration, except
  // where a path is told by other costs.
  const bool bounded = kind_ == RelaxedValue::Layers || kind_ == RelaxedValue::Add ||
                       (kind_ == RelaxedValue::Plan && rules_.unit_costs());
  const uint32_t value = value_of(state, bounded ? limit : kDeadEnd - 1);
  banned_.clear();
  return value;
}

bool Relaxation::prefers(std::span<const uint32_t> edges) const {
  const auto of_first = task_->task().transitions_of(model::EdgeId(edges[0]));
  return std::any_of(of_first.begin(), of_first.end(),
                     [&](uint32_t t) { return preferred_[t] && task_->task().fires(t, edges); });
}

}  // namespace harrier::heur
