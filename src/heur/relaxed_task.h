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
//   - a fact "goal".
//
// What cannot be enumerated within bounds is over-approximated: a condition over too many combinations counts as
// satisfied, an effect as able to yield every reachable value. Clocks are ignored. So whatever is reachable in the
// model is reachable here, in no more steps, and "goal" not derivable proves a dead end.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "model/analysis.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::heur {

class RelaxedTask {
 public:
  static constexpr uint32_t kFree = UINT32_MAX;

  RelaxedTask(const model::System& system, const std::vector<model::Clause>& goal);

  struct Rule {
    std::vector<uint32_t> preconditions;  // facts
    std::vector<uint32_t> effects;        // facts
    uint32_t transition = kFree;          // of a rule that costs one step
    uint32_t receiver = kFree;            // the edge of a broadcast's receiver whose effect this is
  };

  uint32_t fact_count() const { return fact_count_; }
  uint32_t goal_fact() const { return goal_; }
  std::span<const Rule> rules() const { return rules_; }
  std::span<const model::Transition> transitions() const { return transitions_; }
  std::span<const uint32_t> transitions_of(model::EdgeId edge) const { return by_edge_[edge.value]; }
  // The enabled fact of a transition.
  uint32_t enabled_fact(uint32_t transition) const { return enabled_[transition]; }

  // The facts that hold in a state, written to `out`, which has room for one a variable.
  uint32_t facts_of(const int32_t* values, uint32_t* out) const {
    uint32_t* end = out;
    for (const Field& f : fields_) {
      const uint32_t index = static_cast<uint32_t>(values[f.variable] - f.lo);
      *end++ = f.dense ? f.first + index : lookup_[f.first_lookup + index];
    }
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
    int32_t lo = 0;
    bool dense = true;          // the values are an interval
    uint32_t first = 0;         // fact of the smallest value
    uint32_t first_lookup = 0;  // not dense: into lookup_
  };

  const model::System& system_;
  std::vector<model::ValueSet> sets_;
  std::vector<model::Transition> transitions_;
  std::vector<std::vector<uint32_t>> by_edge_;
  std::vector<Field> fields_;
  std::vector<uint32_t> lookup_;
  std::vector<uint32_t> first_fact_;  // by variable; kFree: wide
  std::vector<Rule> rules_;
  std::vector<uint32_t> enabled_;
  uint32_t fact_count_ = 0;
  uint32_t goal_ = 0;
};

}  // namespace harrier::heur
