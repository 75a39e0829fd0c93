#include "abstraction/patterns/relaxed_factors.h"

#include <algorithm>
#include <deque>

namespace harrier::abstraction {

RelaxedFactors::RelaxedFactors(const Factors& factors, std::span<const uint32_t> costs, std::span<const Value> initial)
    : factors_(factors), costs_(costs), initial_(initial) {
  size_t count = 0;
  for (uint32_t v = 0; v < factors.size(); ++v) {
    first_.push_back(count);
    count += factors.values(v);
  }
  facts_.resize(count);
}

bool RelaxedFactors::explore(const std::vector<bool>& kept, const Allowance& allowance) {
  kept_ = kept;
  std::fill(facts_.begin(), facts_.end(), Fact());
  for (uint32_t v = 0; v < factors_.size(); ++v) facts_[first_[v] + initial_[v]].cost = 0;
  for (bool changed = true; changed;) {
    changed = false;
    if (allowance.is_over()) return false;
    for (uint32_t l = 0; l < factors_.labels().size(); ++l) {
      allowance.poll();
      changed = apply(l) || changed;
    }
  }
  return true;
}

uint64_t RelaxedFactors::cheapest(const Factors::Part& part, Value* value) const {
  const Factors::Relation& relation = factors_.relation(part.relation);
  uint64_t best = kNever;
  for (uint32_t x = 0; x < relation.size(); ++x) {
    const auto from = static_cast<Value>(x);
    if (fact(part.variable, from).cost >= best || relation.from(from).empty()) continue;
    best = fact(part.variable, from).cost;
    if (value != nullptr) *value = from;
  }
  return best;
}

uint64_t RelaxedFactors::cost_of(const Factors::Label& label) const {
  uint64_t sum = 0;
  for (const Factors::Part& part : factors_.parts(label)) {
    if (!kept_[part.variable]) continue;
    const uint64_t cost = cheapest(part);
    if (cost == kNever) return kNever;
    sum = std::min(sum + cost, kMostCost);
  }
  return sum;
}

// Whether some value became cheaper.
bool RelaxedFactors::apply(uint32_t number) {
  const Factors::Label& label = factors_.labels()[number];
  const uint64_t needs = cost_of(label);
  if (needs == kNever) return false;
  bool changed = false;
  for (const Factors::Part& part : factors_.parts(label)) {
    const Factors::Relation& relation = factors_.relation(part.relation);
    if (!kept_[part.variable] || relation.keeps()) continue;
    const uint64_t least = cheapest(part);
    for (uint32_t x = 0; x < relation.size(); ++x) {
      const auto from = static_cast<Value>(x);
      const uint64_t start = fact(part.variable, from).cost;
      if (start == kNever) continue;
      const uint64_t cost = std::min(needs - std::min(needs, least) + start + costs_[number], kMostCost);
      for (const Value to : relation.from(from)) {
        Fact& target = facts_[first_[part.variable] + to];
        if (to == from || target.cost <= cost) continue;
        target = {cost, number, from};
        changed = true;
      }
    }
  }
  return changed;
}

uint64_t RelaxedFactors::goal_cost() const {
  uint64_t best = kNever;
  for (const Factors::Label& goal : factors_.goals()) best = std::min(best, cost_of(goal));
  return best;
}

std::vector<uint32_t> RelaxedFactors::on_the_way() const {
  const Factors::Label* nearest = nullptr;
  for (const Factors::Label& goal : factors_.goals()) {
    if (nearest == nullptr || cost_of(goal) < cost_of(*nearest)) nearest = &goal;
  }
  std::vector<uint32_t> order;
  std::vector<bool> listed(factors_.size(), false);
  std::vector<bool> seen(facts_.size(), false);
  std::deque<std::pair<uint32_t, Value>> open;
  const auto need = [&](uint32_t variable, Value value) {
    if (!listed[variable]) order.push_back(variable);
    listed[variable] = true;
    if (seen[first_[variable] + value]) return;
    seen[first_[variable] + value] = true;
    open.emplace_back(variable, value);
  };
  const auto need_all = [&](const Factors::Label& label) {
    for (const Factors::Part& part : factors_.parts(label)) {
      Value value = initial_[part.variable];
      if (kept_[part.variable] && cheapest(part, &value) != kNever) need(part.variable, value);
    }
  };
  // A goal has to be told from the rest in all its clauses.
  if (nearest != nullptr) need_all(*nearest);
  for (const Factors::Label& goal : factors_.goals()) need_all(goal);
  while (!open.empty()) {
    const auto [variable, value] = open.front();
    open.pop_front();
    const Fact& known = fact(variable, value);
    if (known.label == task::kNone) continue;
    need(variable, known.from);
    need_all(factors_.labels()[known.label]);
  }
  return order;
}

}  // namespace harrier::abstraction
