// A model and a property as the symbolic searches see them: where it begins, its transitions, where the goal holds, and
// where the model or the query fails.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "base/budget.h"
#include "model/system.h"
#include "symbolic/encoding.h"
#include "symbolic/order.h"
#include "symbolic/transitions.h"

namespace harrier::symbolic {

class Space {
 public:
  // System, property and budget must outlive it. Throws Error(Unsupported) for what cannot be encoded, and
  // BddManager::BoundReached if the diagrams take more than so many seconds.
  Space(const model::System& system, const model::Property& property, Budget& budget,
        double seconds = std::numeric_limits<double>::infinity());

  BddManager& manager() { return manager_; }
  const BddManager& manager() const { return manager_; }
  const Encoding& encoding() const { return encoding_; }
  const Transitions& transitions() const { return transitions_; }

  const Bdd& initial() const { return initial_; }
  // By clause: where it is the first one that holds.
  const std::vector<Bdd>& goal() const { return goal_; }
  // Where the accepting sets of the property are met, and the conditions of its formula, by node, hold.
  const std::vector<Bdd>& accepting() const { return accepting_; }
  const std::vector<Bdd>& conditions() const { return conditions_; }
  // Where something fails: first the query, then guards and steps.
  const std::vector<FailingStates>& failures() const { return failures_; }
  // Where the goal holds or something fails.
  const Bdd& targets() const { return targets_; }

 private:
  struct Plan {
    std::vector<model::Interval> domains;
    VariableBlocks order;
  };

  class Clock;

  Space(const model::System& system, const model::Property& property, Budget& budget, const Clock& clock);
  Space(const model::System& system, const model::Property& property, Budget& budget, const Clock& clock, Plan plan);
  static Plan plan(const model::System& system, Budget& budget, const Clock& clock);
  void find_goal(const model::Property& property, const Watch& watch);
  void find_conditions(const model::Property& property, const Watch& watch);
  // Where some condition holds, which may be asked for anywhere.
  Bdd where(Evaluator& run, std::span<const model::ExprId> conditions);

  BddManager manager_;
  std::optional<BddManager::Bound> bound_;  // while it is made
  Encoding encoding_;
  Transitions transitions_;
  Bdd initial_;
  std::vector<Bdd> goal_;
  std::vector<Bdd> accepting_;
  std::vector<Bdd> conditions_;
  std::vector<FailingStates> failures_;
  Bdd targets_;
};

}  // namespace harrier::symbolic
