// The transitions of a model as relations between states: what `trace/concrete.h` says of one state, for all of them.
//
//     Transitions transitions(encoding, watch);
//     Bdd after = transitions.image(states);
//
// There is a relation for each internal edge, each pair of a sender and a receiver, and each sender of a broadcast,
// whose receivers take part where they can (and one for each priority that their processes have). Whether another one
// goes before (committed locations, control, claims, urgency, idleness, priority) is a condition on the state that is
// left. For images, relations are joined where that keeps them small.
//
// Clocks are refused. So are guards that read System::control.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/interpreter.h"
#include "model/path.h"
#include "model/system.h"
#include "symbolic/encoding.h"
#include "symbolic/evaluator.h"
#include "symbolic/relation.h"

namespace harrier::symbolic {

// The model fails in these states, or in a step from there.
struct FailingStates {
  model::EvalFailure what;
  Bdd states;
};

// A transition, or what the model begins with.
struct Transition {
  // An edge that fires where `when` holds, which is about bits of now and of choices.
  struct Part {
    model::EdgeId edge;
    Bdd when;
  };
  std::vector<Part> parts;  // in the order of their effects
  std::vector<Evaluator::Choice> choices;
  Relation relation;
  int64_t priority = 0;
};

class Transitions {
 public:
  Transitions(Encoding& encoding, const Watch& watch);

  const std::vector<Transition>& all() const { return all_; }
  // The states in which the model begins, where their invariants hold.
  Bdd initial() const;
  // Those of the beginning, which lead to no state at all, are not among the others.
  const std::vector<FailingStates>& failures() const { return failures_; }
  const std::vector<FailingStates>& beginning_failures() const { return beginning_failures_; }

  Bdd image(const Bdd& states) const;
  Bdd preimage(const Bdd& states) const;
  // What images are made of: all transitions, in relations as large as suits.
  std::vector<const Relation*> relations() const;
  // Where some transition can be taken.
  const Bdd& movable() const;

  // A transition that leads from one state to the other, if there is one, and with which choices.
  std::optional<model::PathStep> step(std::span<const int32_t> from, std::span<const int32_t> to) const;
  // The choices with which the model begins in this state.
  std::vector<int32_t> beginning_of(std::span<const int32_t> values) const;

 private:
  // Of some transitions together.
  struct Group {
    size_t member = 0;               // the first of them
    std::optional<Relation> joined;  // none: that one is alone
  };
  const Relation& relation(const Group& g) const { return g.joined ? *g.joined : all_[g.member].relation; }

  void join(const Watch& watch);
  // All bits for which the relation holds between the states.
  std::optional<std::vector<bool>> solve(const Transition& t, std::span<const int32_t> from,
                                         std::span<const int32_t> to) const;

  Encoding& encoding_;
  std::vector<Transition> all_;
  std::vector<Group> groups_;
  std::optional<Transition> beginning_;  // from any state to the initial ones
  std::vector<FailingStates> failures_;
  std::vector<FailingStates> beginning_failures_;
  mutable std::optional<Bdd> movable_;
};

}  // namespace harrier::symbolic
