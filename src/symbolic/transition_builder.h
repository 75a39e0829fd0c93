// Makes the relations of a model (transitions.h), one rule of the semantics after the other.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/analysis.h"
#include "symbolic/transitions.h"

namespace harrier::symbolic {

class TransitionBuilder {
 public:
  TransitionBuilder(Encoding& encoding, const Watch& watch);

  void build();
  // From any state to those in which the model begins.
  Transition beginning();

  std::vector<Transition> transitions;
  std::vector<FailingStates> failures;
  std::vector<FailingStates> beginning_failures;

 private:
  // The guard of an edge, in the states in which its process is at its source.
  struct Guard {
    Bdd holds;
    Bdd open;  // it holds, or it fails
    std::vector<FailingStates> failures;
  };
  // What can start a transition: an internal edge, a sender with its receivers, or a sender whose guard fails.
  struct Start {
    model::EdgeId first;
    std::vector<model::EdgeId> receivers;  // one of a binary channel, all of a broadcast
    bool broadcast = false;
    bool fails = false;
    Bdd candidate;  // where it is one, and nothing but another one keeps it from firing; Start::fails, or a guard may
                    // fail
    Bdd open;       // where no other one goes before it
  };
  // A transition before it is a relation.
  struct Draft {
    std::vector<Transition::Part> parts;
    std::vector<Evaluator::Choice> choices;
    std::vector<Bdd> conjuncts;
    std::vector<model::VarId> written;
    int64_t priority = 0;
  };

  const model::System& system() const { return encoding_.system(); }
  const model::Edge& edge(model::EdgeId id) const { return system().edge(id); }
  [[noreturn]] void refuse(const std::string& what, SourceRef at) const;
  void refuse_clocks() const;

  void evaluate_guards();
  bool leaves_committed(model::EdgeId id) const;
  Bdd committed() const;
  void find_starts();
  void add_sender(model::EdgeId id, const std::vector<std::vector<model::EdgeId>>& receivers);
  // Of the candidates, where each is left by control, claim, idleness and urgency; control is with `fixed` or open.
  std::vector<Bdd> not_preempted(std::optional<uint32_t> fixed) const;
  Bdd has_control(int64_t value) const;
  Bdd fails(const Start& start) const;
  void note_failing_guards();
  void find_who_goes_on();
  std::vector<Start> by_priority(const Start& start) const;

  Draft draft(const Start& start);
  void take_parts(const Start& start, std::vector<Transition::Part>& parts);
  void bind_slots(const std::vector<model::StmtId>& effect);
  void move(const std::vector<Transition::Part>& parts);
  // Gives derived variables the values that follow from what is written.
  void derive();
  std::vector<bool> derived_anew() const;
  std::vector<model::VarId> settle();
  void pass_control(const std::vector<Transition::Part>& parts, const std::vector<model::VarId>& written);
  // Those that can have changed: of what is written, or all.
  void require_invariants(const std::optional<std::vector<model::VarId>>& written);
  void note_failures(const Bdd& where, std::vector<FailingStates>& out);
  Bdd projected(const Bdd& where, const Evaluator::Failure& failure) const;
  int64_t priority(const Start& start) const;
  void apply_priorities(std::vector<Draft>& drafts);
  Transition finished(Draft&& draft) const;

  Encoding& encoding_;
  const Watch& watch_;
  Evaluator run_;
  model::Accesses accesses_;
  std::vector<std::vector<model::VarId>> axiom_reads_;  // by axiom
  std::vector<Guard> guards_;                           // by edge
  Bdd committed_;
  std::vector<Start> starts_;
  // By process, of those that can keep control: where they can go on, and where that fails.
  std::map<uint32_t, Bdd> goes_on_;
  std::map<uint32_t, std::vector<FailingStates>> fails_to_go_on_;
};

}  // namespace harrier::symbolic
