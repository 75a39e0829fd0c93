// The model under the monotonicity abstraction (Kupferschmid et al. 2006, §3), compiled for speed: variables only ever
// gain values.
//
// A *fact* says that a variable has a value (or, for an auxiliary fact, that a condition can be satisfied). A *rule*
// makes facts true once all its preconditions are. Rules are of two kinds: free ones say what follows at once; the
// others belong to a transition and cost one step. They are made from a finite-domain task (task/task.h):
//
//   - for every flat transition an auxiliary fact "enabled", a free rule that derives it from the source locations and
//     the guard's conditions, and one rule a kind of effect: constants follow from "enabled" alone, values that depend
//     on variables follow from "enabled" and the values they are computed from. A receiver of a broadcast may come
//     along or not: its effects have its own location and guard as further preconditions;
//   - for every condition that more than one combination of values satisfies an auxiliary fact with one free rule a
//     combination. Conditions are quantified one by one ("local quantification", Kupferschmid et al. 2006, §3.2);
//   - facts about wide variables (heur/thresholds.h) and, if wanted, about clocks (heur/clock_facts.h; otherwise they
//     are ignored);
//   - for every axiom a free rule; the initial value of what it derives can be had in any case;
//   - a fact "goal".
//
// What the task over-approximates is so here: whatever is reachable in the model is reachable here, in no more steps,
// and "goal" not derivable proves a dead end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "heur/clock_facts.h"
#include "heur/fact.h"
#include "heur/heuristic.h"
#include "heur/thresholds.h"
#include "task/task.h"

namespace harrier::heur {

class RelaxedTask {
 public:
  static constexpr uint32_t kFree = UINT32_MAX;

  explicit RelaxedTask(std::shared_ptr<const task::Task> task, Clocks clocks = Clocks::Ignore,
                       const Watch& watch = Watch::none());

  struct Rule {
    uint32_t first_precondition = 0;
    uint32_t end_precondition = 0;
    uint32_t first_effect = 0;  // of a free rule: one
    uint32_t end_effect = 0;
    uint32_t transition = kFree;  // of a rule that costs one step
    uint32_t receiver = kFree;    // the edge of a broadcast's receiver whose effect this is
  };

  uint32_t fact_count() const { return fact_count_; }
  uint32_t goal_fact() const { return goal_; }
  std::span<const Rule> rules() const { return rules_; }
  // Sorted.
  std::span<const uint32_t> preconditions(const Rule& rule) const {
    return std::span(preconditions_).subspan(rule.first_precondition, rule.end_precondition - rule.first_precondition);
  }
  std::span<const uint32_t> effects(const Rule& rule) const {
    return std::span(effects_).subspan(rule.first_effect, rule.end_effect - rule.first_effect);
  }
  // The first rules of all are steps that are repeated, this often from the given state on.
  size_t repeated_rules() const { return thresholds_->implication_count(); }
  uint32_t repetitions(size_t rule, const int32_t* values) const { return thresholds_->repetitions(rule, values); }
  // The enabled fact of a transition.
  uint32_t enabled_fact(uint32_t transition) const { return enabled_[transition]; }

  // The facts that hold in a state, written to `out`, which has room for all.
  uint32_t facts_of(const StateView& state, uint32_t* out) const {
    uint32_t* end = out;
    for (const Field& f : fields_) {
      *end++ = f.first + (*f.number)(state.values[f.variable]);
    }
    for (const WindowedField& f : windowed_) {
      *end++ = f.first + static_cast<uint32_t>(std::clamp(state.values[f.variable], f.lo, f.hi) - f.lo);
    }
    end = thresholds_->write(state.values, end);
    if (clock_facts_) end = clock_facts_->write(state, end);
    return static_cast<uint32_t>(end - out);
  }
  const task::Task& task() const { return *task_; }

  // What facts say of a state.
  static constexpr uint32_t kHidden = UINT32_MAX;         // nothing that facts_of() tells; or enabled, or goal
  static constexpr uint32_t kCondition = UINT32_MAX - 1;  // facts_of() tells whether it holds, or this follows
  // By fact: the variable whose value it is, which has one of its facts in every state; or one of the above.
  std::vector<uint32_t> meanings() const;
  // Whether a fact stands for a condition of a guard or the goal, for an enabled transition or the goal: it follows
  // from other facts by free rules, and by nothing else.
  bool is_auxiliary(uint32_t fact) const { return fact >= first_auxiliary_; }

 private:
  class Builder;
  // A variable whose values are facts.
  struct Field {
    uint32_t variable = 0;
    uint32_t first = 0;  // fact of the smallest value
    const model::ValueNumbers* number = nullptr;
  };
  // One with facts for the values of its window only.
  struct WindowedField {
    uint32_t variable = 0;
    uint32_t first = 0;
    int32_t lo = 0;
    int32_t hi = 0;
  };

  std::shared_ptr<const task::Task> task_;
  std::vector<Field> fields_;
  std::vector<WindowedField> windowed_;
  std::optional<Thresholds> thresholds_;
  std::optional<ClockFacts> clock_facts_;
  std::vector<Rule> rules_;
  std::vector<uint32_t> preconditions_;
  std::vector<uint32_t> effects_;
  std::vector<uint32_t> enabled_;
  uint32_t fact_count_ = 0;
  uint32_t first_auxiliary_ = 0;
  uint32_t goal_ = 0;
};

}  // namespace harrier::heur
