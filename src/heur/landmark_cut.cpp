#include "heur/landmark_cut.h"

#include <algorithm>

namespace harrier::heur {

namespace {

constexpr uint16_t kBanned = 0x8000;      // added to the unmet preconditions of a rule that must not fire
constexpr uint32_t kNoFact = UINT32_MAX;  // the supporter of a rule without preconditions
constexpr uint32_t kNoLimit = kDeadEnd - 1;

}  // namespace

LandmarkCut::LandmarkCut(std::shared_ptr<const RelaxedTask> task, const Watch& watch)
    : task_(std::move(task)), watch_(watch), rules_(*task_, watch) {
  link_achievers(watch);
  const size_t facts = task_->fact_count();
  const size_t transitions = task_->task().transitions().size();
  unmet_.resize(rules_.size());
  cost_.resize(facts);
  supporter_.resize(rules_.size());
  paid_.resize(rules_.size());
  current_.reserve(facts);
  next_.reserve(facts);
  stack_.reserve(facts);
  for (uint32_t t = 0; t < transitions; ++t) whole_.push_back(task_->task().labels_of(t)[0].cost);
  zone_.assign(facts, 0);
  seen_.assign(facts, 0);
  outside_.assign(facts, 0);
  cut_off_.assign(facts, 0);
  in_zone_.reserve(facts);
  chosen_.assign(transitions, 0);
  cut_.reserve(transitions);
  cut_ends_.reserve(transitions);
}

void LandmarkCut::link_achievers(const Watch& watch) {
  std::vector<std::vector<uint32_t>> at_once(task_->fact_count());
  std::vector<std::vector<uint32_t>> for_a_step(task_->fact_count());
  std::vector<std::vector<uint32_t>> of_transition(task_->task().transitions().size());
  for (uint32_t r = 0; r < rules_.size(); ++r) {
    watch.poll();
    const FlatRules::Rule& rule = rules_[r];
    for (const uint32_t f : rules_.free_effects(rule)) at_once[f].push_back(r);
    for (const uint32_t f : rules_.paid_effects(rule)) for_a_step[f].push_back(r);
    if (!rules_.paid_effects(rule).empty()) of_transition[rule.transition].push_back(r);
  }
  const auto append = [](std::vector<uint32_t>& to, const std::vector<uint32_t>& from) {
    to.insert(to.end(), from.begin(), from.end());
    return static_cast<uint32_t>(to.size());
  };
  for (uint32_t f = 0; f < task_->fact_count(); ++f) {
    watch.poll();
    const auto first = static_cast<uint32_t>(achievers_.size());
    achievers_of_.push_back({first, append(achievers_, at_once[f])});
    append(achievers_, for_a_step[f]);
  }
  achievers_of_.push_back({static_cast<uint32_t>(achievers_.size()), 0});
  first_rule_.push_back(0);
  for (const auto& rules : of_transition) first_rule_.push_back(append(rules_of_transition_, rules));
}

void LandmarkCut::explore(const StateView& state) {
  std::copy(rules_.precondition_counts().begin(), rules_.precondition_counts().end(), unmet_.begin());
  for (const uint32_t r : banned_) unmet_[r] = static_cast<uint16_t>(unmet_[r] + kBanned);
  std::fill(cost_.begin(), cost_.end(), kDeadEnd);
  std::fill(paid_.begin(), paid_.end(), kDeadEnd);
  current_.resize(cost_.size());
  current_.resize(task_->facts_of(state, current_.data()));
  for (const uint32_t f : current_) cost_[f] = 0;
  if (rules_.unit_costs()) {
    explore_layers();
  } else {
    explore_by_cost();
  }
}

void LandmarkCut::explore_layers() {
  next_.clear();
  uint32_t layer = 0;
  const auto fire = [&](uint32_t r, uint32_t supporter) {
    const FlatRules::Rule& rule = rules_[r];
    paid_[r] = layer;
    supporter_[r] = supporter;
    for (const uint32_t f : rules_.free_effects(rule)) {
      if (cost_[f] <= layer) continue;
      cost_[f] = layer;
      current_.push_back(f);
    }
    for (const uint32_t f : rules_.paid_effects(rule)) {
      if (cost_[f] != kDeadEnd) continue;
      cost_[f] = layer + 1;
      next_.push_back(f);
    }
  };
  for (const uint32_t r : rules_.ready()) {
    if (unmet_[r] == 0) fire(r, kNoFact);
  }
  for (; !current_.empty() || !next_.empty(); ++layer) {
    watch_.poll();
    for (size_t i = 0; i < current_.size(); ++i) {
      const uint32_t f = current_[i];
      if (cost_[f] != layer) continue;  // reached earlier, in the layer before, by a free rule
      for (const uint32_t r : rules_.waiting_for(f)) {
        if (--unmet_[r] == 0) fire(r, f);
      }
    }
    current_.clear();
    std::swap(current_, next_);
  }
}

void LandmarkCut::explore_by_cost() {
  const auto reach = [&](uint32_t f, uint32_t cost) {
    cost = std::min(cost, model::kMostCost);
    if (cost_[f] <= cost) return;
    cost_[f] = cost;
    queue_.push(cost, f);
  };
  const auto fire = [&](uint32_t r, uint32_t supporter, uint32_t cost) {
    const FlatRules::Rule& rule = rules_[r];
    paid_[r] = cost;
    supporter_[r] = supporter;
    for (const uint32_t f : rules_.free_effects(rule)) reach(f, cost);
    for (const uint32_t f : rules_.paid_effects(rule)) reach(f, cost + rule.cost);
  };
  queue_.clear();
  for (const uint32_t f : current_) queue_.push(0, f);
  for (const uint32_t r : rules_.ready()) {
    if (unmet_[r] == 0) fire(r, kNoFact, 0);
  }
  const auto begin = [&](uint32_t) {
    watch_.poll();
    return true;
  };
  queue_.drain(begin, [&](uint32_t cost, uint32_t f) {
    if (cost_[f] != cost) return true;  // reached more cheaply
    // Once: a fact is pushed for each of its costs once, and the last is the lowest.
    for (const uint32_t r : rules_.waiting_for(f)) {
      if (--unmet_[r] == 0) fire(r, f, cost);
    }
    return true;
  });
}

void LandmarkCut::mark_goal_zone() {
  ++stamp_;
  in_zone_.clear();
  const auto add = [&](uint32_t f) {
    if (zone_[f] == stamp_) return;
    zone_[f] = stamp_;
    in_zone_.push_back(f);
  };
  // It has a supporter, for the goal does not follow from nothing.
  const auto into = [&](uint32_t r) {
    if (paid_[r] != kDeadEnd) add(supporter_[r]);
  };
  add(task_->goal_fact());
  for (size_t i = 0; i < in_zone_.size(); ++i) {
    const uint32_t f = in_zone_[i];
    uint32_t a = achievers_of_[f].first;
    for (; a < achievers_of_[f].first_paid; ++a) into(achievers_[a]);
    for (; a < achievers_of_[f + 1].first; ++a) {
      if (is_free(rules_[achievers_[a]].transition)) into(achievers_[a]);
    }
  }
}

// What costs less than the goal is outside the zone, and so is a cheapest way to it. For anything else a way is looked
// for, backwards.
bool LandmarkCut::is_outside(uint32_t fact) {
  const uint32_t goal_cost = cost_[task_->goal_fact()];
  if (cost_[fact] < goal_cost || outside_[fact] == stamp_) return true;
  if (cut_off_[fact] == stamp_) return false;
  ++look_;
  stack_.assign(1, fact);
  seen_[fact] = look_;
  for (size_t i = 0; i < stack_.size(); ++i) {
    const uint32_t f = stack_[i];
    for (uint32_t a = achievers_of_[f].first; a < achievers_of_[f + 1].first; ++a) {
      const uint32_t r = achievers_[a];
      if (paid_[r] == kDeadEnd) continue;
      const uint32_t s = supporter_[r];
      if (s == kNoFact || cost_[s] < goal_cost || outside_[s] == stamp_) {
        outside_[fact] = stamp_;
        return true;
      }
      if (zone_[s] == stamp_ || cut_off_[s] == stamp_ || seen_[s] == look_) continue;
      seen_[s] = look_;
      stack_.push_back(s);
    }
  }
  for (const uint32_t f : stack_) cut_off_[f] = stamp_;
  return false;
}

uint32_t LandmarkCut::find_cut() {
  uint32_t least = UINT32_MAX;
  for (const uint32_t f : in_zone_) {
    for (uint32_t a = achievers_of_[f].first_paid; a < achievers_of_[f + 1].first; ++a) {
      const uint32_t r = achievers_[a];
      const uint32_t t = rules_[r].transition;
      if (paid_[r] == kDeadEnd || chosen_[t] == stamp_ || is_free(t)) continue;
      const uint32_t s = supporter_[r];
      if (s != kNoFact && (zone_[s] == stamp_ || !is_outside(s))) continue;
      chosen_[t] = stamp_;
      cut_.push_back(t);
      least = std::min(least, left_[t]);
    }
  }
  cut_ends_.push_back(static_cast<uint32_t>(cut_.size()));
  return least;
}

void LandmarkCut::lower(uint32_t fact, uint32_t cost) {
  if (cost_[fact] <= cost) return;
  cost_[fact] = cost;
  queue_.push(cost, fact);
}

void LandmarkCut::lower_effects(uint32_t r) {
  const FlatRules::Rule& rule = rules_[r];
  for (const uint32_t f : rules_.free_effects(rule)) lower(f, paid_[r]);
  const auto paid = rules_.paid_effects(rule);
  if (paid.empty()) return;
  const uint32_t cost = paid_[r] + left_[rule.transition];
  for (const uint32_t f : paid) lower(f, cost);
}

void LandmarkCut::lower_costs(uint32_t paid) {
  const auto last = cut(cut_count() - 1);
  queue_.clear();
  for (const uint32_t t : last) {
    left_[t] -= paid;
    for (uint32_t i = first_rule_[t]; i < first_rule_[t + 1]; ++i) {
      const uint32_t r = rules_of_transition_[i];
      if (paid_[r] == kDeadEnd) continue;
      for (const uint32_t f : rules_.paid_effects(rules_[r])) lower(f, paid_[r] + left_[t]);
    }
  }
  // In the order of costs, as lower ones come from lower ones.
  const auto begin = [&](uint32_t) {
    watch_.poll();
    return true;
  };
  queue_.drain(begin, [&](uint32_t cost, uint32_t f) {
    if (cost_[f] != cost) return true;  // lowered further
    for (const uint32_t r : rules_.waiting_for(f)) {
      if (supporter_[r] != f || paid_[r] == kDeadEnd || paid_[r] == cost) continue;
      uint32_t largest = f;
      for (const uint32_t p : rules_.preconditions(rules_[r])) {
        if (cost_[p] > cost_[largest]) largest = p;
      }
      supporter_[r] = largest;
      if (cost_[largest] == paid_[r]) continue;
      paid_[r] = cost_[largest];
      lower_effects(r);
    }
    return true;
  });
}

uint32_t LandmarkCut::estimate(const StateView& state, uint32_t limit) {
  left_ = whole_;
  cut_.clear();
  cut_ends_.clear();
  explore(state);
  const uint32_t& rest = cost_[task_->goal_fact()];
  if (rest == kDeadEnd) return kDeadEnd;
  uint64_t best = rest;
  for (uint64_t cuts = 0; rest != 0 && best <= limit;) {
    watch_.poll();
    mark_goal_zone();
    const uint32_t paid = find_cut();
    lower_costs(paid);
    cuts += paid;
    best = std::max(best, cuts + rest);
  }
  return static_cast<uint32_t>(std::min<uint64_t>(best, model::kMostCost));
}

uint32_t LandmarkCut::evaluate(const StateView& state) { return estimate(state, kNoLimit); }

uint32_t LandmarkCut::evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) {
  rules_.removed_with(edges, banned_);
  const uint32_t value = estimate(state, limit);
  banned_.clear();
  return value;
}

}  // namespace harrier::heur
