// A flat model as a system: each process is one of the system's, with one location and one edge, whose effect finds the
// values after the step (plan.h), and stores them. What has no process of its own, all of a model without `process`, is
// the process `main`. The initial states are what the system's beginning leads to.
//
//   lower.cpp             variables, processes, edges
//   lower_plan.cpp        a plan as statements
//   lower_properties.cpp  specifications: which form they have, and those about states
//   lower_temporal.cpp    those about paths
#pragma once

#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "lang/smv/flat.h"
#include "lang/smv/plan.h"
#include "model/system.h"

namespace harrier::smv {

// Errors go to the diagnostics; then the system means nothing.
void lower(FlatModel& flat, model::System& system, Diagnostics& diagnostics);

// How a specification is checked.
enum class SpecForm : uint8_t {
  Refused,
  States,     // by the states that can be reached
  Branching,  // as a formula of branching time
  Linear,     // by an automaton that watches the model (watcher.h)
};

// Specifications as properties of an existing system of the same model.
class PropertyLowering {
 public:
  PropertyLowering(FlatModel& flat, model::System& system, Diagnostics& diagnostics);

  SpecForm form(const Spec& spec);
  // Of one that says of a condition that it always holds: so in linear time.
  std::unique_ptr<const Formula> always(const Spec& spec);
  // Of Refused and States.
  model::Property states(const Spec& spec);
  // That a state can be reached in which the state formula of an invariant holds.
  model::Property reached(const Spec& spec);
  // Of Branching and Linear: on paths that meet the conditions again and again. Throws Failure after it has reported
  // what it cannot do.
  model::Property branching(const Spec& spec, const std::vector<TermId>& justice);
  model::Property linear(const Spec& spec, TermId accepting, const std::vector<TermId>& justice);
  // What was reported keeps it from being checked.
  static model::Property refused(const Spec& spec, const model::System& system, const Diagnostic& why);

 private:
  enum class Shape : uint8_t { None, Always, Sometimes };
  struct Reading {
    Shape shape = Shape::None;
    TermId term = {};
  };
  Reading read(const Formula& formula, bool negated);
  Reading read_spec(const Spec& spec);
  TermId negated(TermId term, int depth = 0);
  std::string why_not(const Spec& spec, const Reading& reading) const;
  static model::Property named(const Spec& spec);
  std::vector<model::Clause> clauses(TermId term);
  std::vector<std::vector<model::Clause>> sets(const std::vector<TermId>& terms);
  model::ExprId condition(TermId term);
  void refuse_large(TermId term, SourceRef at);

  // Formulas of branching time, negations inwards. Each returns the place of a node.
  uint32_t node(const Formula& formula, bool negated);
  uint32_t temporal_node(const Formula& formula, bool negated);
  uint32_t state_node(TermId term);
  uint32_t add(model::FormulaKind kind, uint32_t a, uint32_t b = 0);

  Terms& terms_;
  FlatModel& flat_;
  model::System& system_;
  Diagnostics& diagnostics_;
  bool fair_ = false;        // there are fairness constraints,
  bool compassion_ = false;  // and among them some of compassion
  model::Formula nodes_;
  std::map<std::pair<const Formula*, bool>, uint32_t> known_;
};

// Terms as expressions: the variables in a state, and slots of a frame.
class Lowering {
 public:
  Lowering(const Terms& terms, model::System& system) : terms_(terms), system_(system) {}
  // Large terms that occur more than once are computed once, into a slot (TermId -> slot).
  std::unordered_map<uint32_t, uint32_t> lets = {};

  model::ExprId expr(TermId term);
  // The same, but where the term is a let, what it is computed from.
  model::ExprId body(TermId term);
  model::ExprId local(uint32_t slot) { return system_.make({.op = model::Op::Local, .base = slot}); }

 private:
  model::ExprId made(TermId id);

  const Terms& terms_;
  model::System& system_;
  std::unordered_map<uint32_t, model::ExprId> known_;
};

// Others walk expressions recursively, and as trees.
bool is_too_large(const Term& term);

// The actions of a plan as statements, to which the stores of the slots into variables are added by the caller.
// `slots` becomes the size of the frame.
std::vector<model::StmtId> lower_plan(const Plan& plan, const Terms& terms, model::System& system, uint32_t& slots,
                                      Diagnostics& diagnostics);

}  // namespace harrier::smv
