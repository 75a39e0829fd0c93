// LM-cut (Helmert and Domshlak 2009) on the relaxed task: a number of sets of transitions, no two of which share one,
// such that every abstract path to the goal fires a transition of each. Their number is admissible.
//
// A set is found as a cut. Every rule is reduced to the one of its preconditions that costs most according to h^max
// (its *supporter*), which leaves a graph over facts. The *goal zone* has the facts from which the goal follows without
// cost. Whatever reaches the goal uses a rule from outside, reached from the state without passing through the zone,
// into the zone; the transitions of those rules are the set. They are free from then on, and the next cut is looked
// for, until the goal costs nothing.
//
// What costs one step is a transition, not a rule: a transition that fires once fires all its rules whose preconditions
// hold, those of several receivers of a broadcast as well. So the rules of a transition have one cost among them, 1 at
// first, and a cut that has any of them uses that up for all. A path that needs several firings of a transition pays
// for one of them only. Because of this a cut can lower h^max by more than 1; the estimate is the largest, over all
// stages, of the number of cuts and what h^max says with the costs that are left, and so is at least h^L:
//
//     the costs of the cuts and those that are left are, for every transition, 1 together; a path pays at least 1 for
//     every cut and at least h^max for the rest.
//
// Where transitions have other costs (task::Task::costs), a cut counts, and uses up, the least that is left of the cost
// of one of its transitions; those that cost nothing are free from the start.
//
// A border of an interval that moves to infinity, a window's end, facts about clocks: whatever the relaxed task says
// too much, it says to both h^max and cuts; neither exceeds the length of a shortest abstract path.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/fact_queue.h"
#include "heur/flat_rules.h"
#include "heur/heuristic.h"
#include "heur/relaxed_task.h"

namespace harrier::heur {

class LandmarkCut : public Heuristic {
 public:
  explicit LandmarkCut(std::shared_ptr<const RelaxedTask> task, const Watch& watch = Watch::none());

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  // A cut is no path.
  bool prefers(std::span<const uint32_t>) const override { return false; }

  // The cuts of the last evaluation, each the transitions of one set.
  size_t cut_count() const { return cut_ends_.size(); }
  std::span<const uint32_t> cut(size_t i) const {
    const uint32_t first = i == 0 ? 0 : cut_ends_[i - 1];
    return std::span(cut_).subspan(first, cut_ends_[i] - first);
  }

 private:
  void link_achievers(const Watch& watch);
  uint32_t estimate(const StateView& state, uint32_t limit);
  // The costs of all facts and the supporters of all rules, before any cut; by layers if all transitions cost 1.
  void explore(const StateView& state);
  void explore_layers();
  void explore_by_cost();
  void mark_goal_zone();
  // Whether a fact can be reached from the state without passing through the goal zone.
  bool is_outside(uint32_t fact);
  // The transitions of the rules that lead into the zone from outside. Returns the least cost that is left of one.
  uint32_t find_cut();
  // Takes this off the costs of the transitions of the last cut, and lowers other costs accordingly.
  void lower_costs(uint32_t paid);
  void lower(uint32_t fact, uint32_t cost);
  void lower_effects(uint32_t rule);
  bool is_free(uint32_t transition) const { return left_[transition] == 0; }

  std::shared_ptr<const RelaxedTask> task_;
  const Watch& watch_;
  FlatRules rules_;
  // By fact: the rules that achieve it, at once or for a step.
  struct Achievers {
    uint32_t first = 0;
    uint32_t first_paid = 0;
  };
  std::vector<Achievers> achievers_of_;  // one more than facts
  std::vector<uint32_t> achievers_;
  std::vector<uint32_t> first_rule_;  // by transition: its rules with paid effects
  std::vector<uint32_t> rules_of_transition_;
  std::vector<uint32_t> whole_;  // by transition: its cost

  // Scratch of one evaluation.
  std::vector<uint32_t> banned_;
  std::vector<uint16_t> unmet_;
  std::vector<uint32_t> cost_;       // by fact: h^max; kDeadEnd: not reached
  std::vector<uint32_t> supporter_;  // by rule that was reached: the precondition that costs most
  std::vector<uint32_t> paid_;       // by rule: the cost of its supporter; kDeadEnd: not reached
  std::vector<uint32_t> current_, next_, in_zone_, stack_;
  FactQueue queue_;                // facts whose costs are new
  std::vector<uint32_t> left_;     // by transition: what cuts have left of its cost
  std::vector<uint64_t> zone_;     // by fact: the cut in whose goal zone it is
  std::vector<uint64_t> outside_;  // by fact: the cut outside whose zone it is known to be
  std::vector<uint64_t> cut_off_;  // by fact: the cut whose zone all ways to it lead through
  std::vector<uint64_t> chosen_;   // by transition: the cut that has it
  uint64_t stamp_ = 0;             // of a cut
  std::vector<uint64_t> seen_;     // by fact: the look whether something is outside
  uint64_t look_ = 0;
  std::vector<uint32_t> cut_;  // transitions
  std::vector<uint32_t> cut_ends_;
};

}  // namespace harrier::heur
