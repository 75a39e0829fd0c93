// The rules of a relaxed task (relaxed_task.h) with their neighbours in flat arrays, as explorations walk them:
//
//   - the rule that enables a transition and the one with its constant effects are one rule, for the enabling fact of
//     most transitions is needed for nothing else. So a rule has free effects, which follow at once, and paid ones,
//     which cost a step of its transition, whatever that costs (task::Label::cost);
//   - what cannot take part in reaching the goal is left out. No exploration misses it.
//
// Facts have the numbers of the relaxed task, and so have the repeated rules, the first ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "heur/relaxed_task.h"

namespace harrier::heur {

class FlatRules {
 public:
  static constexpr uint32_t kNoRule = UINT32_MAX;

  struct Rule {
    uint32_t first_free = 0;
    uint32_t first_paid = 0;
    uint32_t end = 0;
    uint32_t transition = RelaxedTask::kFree;  // of the paid effects
    uint32_t cost = 0;                         // of its step
    uint32_t first_precondition = 0;
    uint32_t end_precondition = 0;
  };

  FlatRules(const RelaxedTask& task, const Watch& watch);

  size_t size() const { return rules_.size(); }
  // Every step costs 1.
  bool unit_costs() const { return unit_costs_; }
  uint32_t least_cost() const { return least_cost_; }  // of a step
  const Rule& operator[](uint32_t rule) const { return rules_[rule]; }
  std::span<const uint32_t> free_effects(const Rule& r) const { return part(effects_, r.first_free, r.first_paid); }
  std::span<const uint32_t> paid_effects(const Rule& r) const { return part(effects_, r.first_paid, r.end); }
  std::span<const uint32_t> effects(const Rule& r) const { return part(effects_, r.first_free, r.end); }
  std::span<const uint32_t> preconditions(const Rule& r) const {
    return part(preconditions_, r.first_precondition, r.end_precondition);
  }
  // The rules that have a fact as precondition.
  std::span<const uint32_t> waiting_for(uint32_t fact) const {
    return part(triggers_, first_trigger_[fact], first_trigger_[fact + 1]);
  }
  // By rule: how many preconditions it has.
  const std::vector<uint16_t>& precondition_counts() const { return precondition_counts_; }
  // Those without preconditions.
  std::span<const uint32_t> ready() const { return ready_; }

  // The rules that must not fire where edges of the model are removed, sorted, in place of what `out` has.
  void removed_with(std::span<const uint32_t> edges, std::vector<uint32_t>& out) const;

 private:
  static std::span<const uint32_t> part(const std::vector<uint32_t>& list, uint32_t first, uint32_t end) {
    return {list.data() + first, list.data() + end};
  }
  struct Draft;
  std::vector<Draft> merge(const Watch& watch);
  void leave_out(std::vector<Draft>& drafts, const Watch& watch) const;
  void lay_out(const std::vector<Draft>& drafts, const Watch& watch);

  const RelaxedTask& task_;
  bool unit_costs_ = true;
  uint32_t least_cost_ = 1;
  std::vector<Rule> rules_;
  std::vector<uint32_t> effects_;
  std::vector<uint32_t> preconditions_;
  std::vector<uint32_t> first_trigger_;  // by fact
  std::vector<uint32_t> triggers_;
  std::vector<uint16_t> precondition_counts_;
  std::vector<uint32_t> ready_;
  std::vector<uint32_t> rule_of_transition_;              // what enables it
  std::vector<std::vector<uint32_t>> rules_of_receiver_;  // by edge: what it does as receiver of a broadcast
};

}  // namespace harrier::heur
