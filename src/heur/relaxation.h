// Heuristics by relaxed exploration (Kupferschmid et al. 2006, §4): h^L, h^U and their planning relatives, one
// propagation for all.
//
// Facts are reached layer by layer: each rule counts its unmet preconditions and fires when none is left, so that every
// precondition is looked at once. The estimate is
//
//   Layers   the layer of the goal: h^L (= h^max with unit costs). Admissible.
//   Plan     the length of an abstract error path, selected backwards from the goal by the first rule that made
//            each fact true (Kupferschmid et al. 2006, fig. 5): h^U. A transition counts once for every layer in which
//            it is needed.
//   Add      the sum over preconditions instead of their maximum: h^add. The path is selected for its first
//            transitions.
//   AddPlan  an abstract path selected by the cheapest rules according to h^add: h^FF as in Fast Downward.
//
// Where steps have other costs (task::Task::costs), facts are reached in the order of what they cost instead of by
// layers, and paths are told by their costs, each transition once.
//
// All four are safe: without a layer for the goal there is no abstract path, hence no real one.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "heur/fact_queue.h"
#include "heur/flat_rules.h"
#include "heur/heuristic.h"
#include "heur/relaxed_task.h"

namespace harrier::heur {

enum class RelaxedValue : uint8_t { Layers, Plan, Add, AddPlan };

class Relaxation : public Heuristic {
 public:
  Relaxation(std::shared_ptr<const RelaxedTask> task, RelaxedValue value, const Watch& watch = Watch::none());

  uint32_t evaluate(const StateView& state) override;
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t> edges, uint32_t limit) override;
  bool prefers(std::span<const uint32_t> edges) const override;
  // Whether the abstract path found last makes a fact true.
  bool plans(uint32_t fact) const { return needed_[fact] == stamp_; }

 private:
  void start(const StateView& state);
  bool explore(const StateView& state, uint32_t limit);
  bool explore_by_cost(const StateView& state, uint32_t limit);
  void fire_by_cost(uint32_t rule, uint32_t cost);
  uint32_t extract_plan();
  uint32_t value_of(const StateView& state, uint32_t limit);

  std::shared_ptr<const RelaxedTask> task_;
  RelaxedValue kind_;
  const Watch& watch_;
  FlatRules rules_;
  bool adds_;         // the costs of preconditions
  uint32_t largest_;  // larger sums, which can grow exponentially, are not told apart

  // What explorations look at most often is kept together. By rule: the number of unmet preconditions in the lower
  // bits, the sum of what the others cost in the upper ones.
  static constexpr uint32_t kCountBits = 16;
  static uint64_t met(uint32_t cost) { return (uint64_t{cost} << kCountBits) - 1; }  // to be added
  static bool is_ready(uint64_t wait) { return (wait & ((uint64_t{1} << kCountBits) - 1)) == 0; }
  uint32_t sum(uint32_t rule) const {
    return static_cast<uint32_t>(std::min<uint64_t>(waits_[rule] >> kCountBits, largest_));
  }
  struct Reached {
    uint32_t cost = 0;       // layer or cost; kDeadEnd: not reached
    uint32_t supporter = 0;  // the rule that reached it
  };

  // Scratch of one evaluation.
  std::vector<uint64_t> first_waits_;  // by rule, at the start
  std::vector<uint64_t> waits_;        // by rule
  std::vector<Reached> facts_;         // by fact
  std::vector<uint32_t> repeats_;      // by repeated rule, the first ones: how often beyond the first time
  std::vector<uint32_t> current_, next_;
  FactQueue queue_;  // by cost
  std::vector<uint32_t> stack_;
  std::vector<uint32_t> needed_;  // by fact: stamp of the extraction that needed it
  uint32_t stamp_ = 0;
  std::vector<uint64_t> counted_;  // by transition: layers in which it was selected; of other costs 1: it was
  std::vector<uint32_t> selected_;
  std::vector<bool> preferred_;  // by transition
  std::vector<uint32_t> preferred_list_;
  std::vector<uint32_t> banned_;
};

}  // namespace harrier::heur
