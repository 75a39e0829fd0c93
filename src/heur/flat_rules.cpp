#include "heur/flat_rules.h"

#include <algorithm>

namespace harrier::heur {

struct FlatRules::Draft {
  std::span<const uint32_t> preconditions;
  std::vector<uint32_t> free;
  std::vector<uint32_t> paid;
  uint32_t transition = RelaxedTask::kFree;
  uint32_t enables = RelaxedTask::kFree;  // a transition
  uint32_t receiver = RelaxedTask::kFree;

  bool has_effects() const { return !free.empty() || !paid.empty(); }
};

FlatRules::FlatRules(const RelaxedTask& task, const Watch& watch) : task_(task) {
  std::vector<Draft> drafts = merge(watch);
  leave_out(drafts, watch);
  lay_out(drafts, watch);
}

std::vector<FlatRules::Draft> FlatRules::merge(const Watch& watch) {
  const size_t transitions = task_.task().transitions().size();
  std::vector<uint32_t> transition_of(task_.fact_count(), RelaxedTask::kFree);  // by enabling fact
  for (uint32_t t = 0; t < transitions; ++t) transition_of[task_.enabled_fact(t)] = t;
  const auto is_constant = [&](const RelaxedTask::Rule& rule) {
    const auto preconditions = task_.preconditions(rule);
    return rule.transition != RelaxedTask::kFree && rule.receiver == RelaxedTask::kFree && preconditions.size() == 1 &&
           transition_of[preconditions[0]] != RelaxedTask::kFree;
  };
  std::vector<std::vector<uint32_t>> constants(transitions);
  for (const RelaxedTask::Rule& rule : task_.rules()) {
    watch.poll();
    if (!is_constant(rule)) continue;
    const auto effects = task_.effects(rule);
    auto& all = constants[rule.transition];
    all.insert(all.end(), effects.begin(), effects.end());
  }
  std::vector<Draft> drafts;
  for (const RelaxedTask::Rule& rule : task_.rules()) {
    watch.poll();
    if (is_constant(rule)) continue;
    const auto effects = task_.effects(rule);
    Draft draft{task_.preconditions(rule), {}, {}, rule.transition, RelaxedTask::kFree, rule.receiver};
    if (rule.transition == RelaxedTask::kFree) {
      draft.free = {effects[0]};
      draft.enables = transition_of[effects[0]];
      if (draft.enables != RelaxedTask::kFree && !constants[draft.enables].empty()) {
        draft.transition = draft.enables;
        draft.paid = std::move(constants[draft.enables]);
      }
    } else {
      draft.paid.assign(effects.begin(), effects.end());
    }
    drafts.push_back(std::move(draft));
  }
  return drafts;
}

// Takes the effects that nothing on a way to the goal needs, and rules without effects. Repeated rules stay, for their
// numbers.
void FlatRules::leave_out(std::vector<Draft>& drafts, const Watch& watch) const {
  std::vector<std::vector<uint32_t>> achievers(task_.fact_count());
  for (uint32_t d = 0; d < drafts.size(); ++d) {
    watch.poll();
    for (const uint32_t f : drafts[d].free) achievers[f].push_back(d);
    for (const uint32_t f : drafts[d].paid) achievers[f].push_back(d);
  }
  std::vector<bool> needed(task_.fact_count(), false);
  std::vector<bool> used(drafts.size(), false);
  std::vector<uint32_t> stack{task_.goal_fact()};
  needed[task_.goal_fact()] = true;
  while (!stack.empty()) {
    watch.poll();
    const uint32_t fact = stack.back();
    stack.pop_back();
    for (const uint32_t d : achievers[fact]) {
      if (used[d]) continue;
      used[d] = true;
      for (const uint32_t p : drafts[d].preconditions) {
        if (needed[p]) continue;
        needed[p] = true;
        stack.push_back(p);
      }
    }
  }
  size_t kept = 0;
  for (size_t d = 0; d < drafts.size(); ++d) {
    watch.poll();
    std::erase_if(drafts[d].free, [&](uint32_t f) { return !needed[f]; });
    std::erase_if(drafts[d].paid, [&](uint32_t f) { return !needed[f]; });
    if (d >= task_.repeated_rules() && !drafts[d].has_effects()) continue;
    if (kept != d) drafts[kept] = std::move(drafts[d]);
    ++kept;
  }
  drafts.resize(kept);
}

void FlatRules::lay_out(const std::vector<Draft>& drafts, const Watch& watch) {
  const auto labels = task_.task().labels();
  unit_costs_ = std::all_of(labels.begin(), labels.end(), [](const task::Label& l) { return l.cost == 1; });
  for (const task::Label& label : labels) least_cost_ = std::min(least_cost_, label.cost);
  rule_of_transition_.assign(task_.task().transitions().size(), kNoRule);
  rules_of_receiver_.resize(task_.task().system().edges.size());
  first_trigger_.assign(task_.fact_count() + size_t{1}, 0);
  for (const Draft& draft : drafts) {
    watch.poll();
    const auto number = static_cast<uint32_t>(rules_.size());
    Rule rule;
    rule.transition = draft.transition;
    if (rule.transition != RelaxedTask::kFree) rule.cost = task_.task().labels_of(rule.transition)[0].cost;
    rule.first_free = static_cast<uint32_t>(effects_.size());
    effects_.insert(effects_.end(), draft.free.begin(), draft.free.end());
    rule.first_paid = static_cast<uint32_t>(effects_.size());
    effects_.insert(effects_.end(), draft.paid.begin(), draft.paid.end());
    rule.end = static_cast<uint32_t>(effects_.size());
    rule.first_precondition = static_cast<uint32_t>(preconditions_.size());
    preconditions_.insert(preconditions_.end(), draft.preconditions.begin(), draft.preconditions.end());
    rule.end_precondition = static_cast<uint32_t>(preconditions_.size());
    for (const uint32_t f : draft.preconditions) ++first_trigger_[f + size_t{1}];
    if (draft.enables != RelaxedTask::kFree) rule_of_transition_[draft.enables] = number;
    if (draft.receiver != RelaxedTask::kFree) rules_of_receiver_[draft.receiver].push_back(number);
    if (draft.preconditions.empty()) ready_.push_back(number);
    precondition_counts_.push_back(static_cast<uint16_t>(draft.preconditions.size()));
    rules_.push_back(rule);
  }
  for (size_t f = 1; f < first_trigger_.size(); ++f) first_trigger_[f] += first_trigger_[f - 1];
  triggers_.resize(preconditions_.size());
  std::vector<uint32_t> next(first_trigger_.begin(), first_trigger_.end() - 1);
  for (uint32_t r = 0; r < rules_.size(); ++r) {
    watch.poll();
    for (const uint32_t f : preconditions(rules_[r])) triggers_[next[f]++] = r;
  }
}

void FlatRules::removed_with(std::span<const uint32_t> edges, std::vector<uint32_t>& out) const {
  out.clear();
  for (const uint32_t e : edges) {
    for (const uint32_t t : task_.task().transitions_of(model::EdgeId(e))) {
      if (rule_of_transition_[t] != kNoRule) out.push_back(rule_of_transition_[t]);
    }
    out.insert(out.end(), rules_of_receiver_[e].begin(), rules_of_receiver_[e].end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
}

}  // namespace harrier::heur
