// The model under the monotonicity abstraction (001 §3), compiled for speed: variables only ever gain values.
//
// A *fact* says that a variable has a value (or, for an auxiliary fact, that a condition can be satisfied). A *rule*
// makes facts true once all its preconditions are. Rules are of two kinds: free ones say what follows at once; the
// others belong to a transition and cost one step. The task has
//
//   - for every flat transition an auxiliary fact "enabled", a free rule that derives it from the source locations and
//   the
//     guard's conditions, and one rule a kind of effect: constants follow from "enabled" alone, values that depend
//     on variables follow from "enabled" and the values they are computed from. A receiver of a broadcast may come
//     along or not: its effects have its own location and guard as further preconditions;
//   - for every condition that more than one combination of values satisfies an auxiliary fact with one free rule a
//     combination. Conditions are quantified one by one ("local quantification", 001 §3.2);
//   - facts about variables with too many values (heur/windows.h, heur/thresholds.h) and, if wanted, about clocks
//     (heur/clock_facts.h; otherwise they are ignored);
//   - a fact "goal".
//
// What cannot be enumerated within bounds is over-approximated: a condition over too many combinations counts as
// satisfied, an effect as able to yield every reachable value. So whatever is reachable in the model is reachable here,
// in no more steps, and "goal" not derivable proves a dead end.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "heur/clock_facts.h"
#include "heur/fact.h"
#include "heur/heuristic.h"
#include "heur/thresholds.h"
#include "heur/windows.h"
#include "model/analysis.h"
#include "model/system.h"
#include "model/value_numbers.h"
#include "model/value_sets.h"

namespace harrier::heur {

class RelaxedTask {
 public:
  static constexpr uint32_t kFree = UINT32_MAX;

  static constexpr size_t kLargestWindow = 64;

  // Variables with more than `most_values` values have facts for those in a window only (windows.h), or, if that has
  // more than `largest_window` values, for thresholds (thresholds.h).
  RelaxedTask(const model::System& system, const std::vector<model::Clause>& goal, Clocks clocks = Clocks::Ignore,
              size_t most_values = model::ValueSet::kMostValues, size_t largest_window = kLargestWindow,
              const Watch& watch = Watch::none());

  struct Rule {
    Facts preconditions;
    Facts effects;                // of a free rule: one
    uint32_t transition = kFree;  // of a rule that costs one step
    uint32_t receiver = kFree;    // the edge of a broadcast's receiver whose effect this is
  };

  uint32_t fact_count() const { return fact_count_; }
  uint32_t goal_fact() const { return goal_; }
  std::span<const Rule> rules() const { return rules_; }
  std::span<const model::Transition> transitions() const { return transitions_; }
  std::span<const uint32_t> transitions_of(model::EdgeId edge) const { return by_edge_[edge.value]; }
  // The first rules of all are steps that are repeated, this often from the given state on.
  size_t repeated_rules() const { return thresholds_->implication_count(); }
  uint32_t repetitions(size_t rule, const int32_t* values) const { return thresholds_->repetitions(rule, values); }
  // The enabled fact of a transition.
  uint32_t enabled_fact(uint32_t transition) const { return enabled_[transition]; }

  // The facts that hold in a state, written to `out`, which has room for all.
  uint32_t facts_of(const StateView& state, uint32_t* out) const {
    uint32_t* end = out;
    for (const Field& f : fields_) {
      *end++ = f.first + f.number(state.values[f.variable]);
    }
    for (const WindowedField& f : windowed_) {
      *end++ = f.first + static_cast<uint32_t>(std::clamp(state.values[f.variable], f.lo, f.hi) - f.lo);
    }
    end = thresholds_->write(state.values, end);
    if (clock_facts_) end = clock_facts_->write(state, end);
    return static_cast<uint32_t>(end - out);
  }
  // The fact "variable = value"; kFree if the task does not keep track of it.
  uint32_t fact(uint32_t variable, int32_t value) const;
  const model::System& system() const { return system_; }
  const std::vector<model::ValueSet>& values() const { return sets_; }

 private:
  class Builder;
  // A variable whose values are facts.
  struct Field {
    uint32_t variable = 0;
    uint32_t first = 0;  // fact of the smallest value
    model::ValueNumbers number;
  };
  // One with facts for the values of its window only.
  struct WindowedField {
    uint32_t variable = 0;
    uint32_t first = 0;
    int32_t lo = 0;
    int32_t hi = 0;
  };
  const Window* window(uint32_t variable) const { return windows_[variable] ? &*windows_[variable] : nullptr; }

  const model::System& system_;
  std::vector<model::ValueSet> sets_;
  std::vector<model::Transition> transitions_;
  std::vector<std::vector<uint32_t>> by_edge_;
  std::vector<Field> fields_;
  std::vector<WindowedField> windowed_;
  std::vector<std::optional<Window>> windows_;  // by variable; of those that have one
  std::vector<uint32_t> first_fact_;            // by variable; kFree: wide
  std::optional<Thresholds> thresholds_;
  std::optional<ClockFacts> clock_facts_;
  std::vector<Rule> rules_;
  std::vector<uint32_t> enabled_;
  uint32_t fact_count_ = 0;
  uint32_t goal_ = 0;
};

}  // namespace harrier::heur
