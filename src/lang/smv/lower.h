// A flat model as a system: each process is one of the system's, with one location and one edge, whose effect finds the
// values after the step (plan.h), and stores them. What has no process of its own, all of a model without `process`, is
// the process `main`. The initial states are what the system's beginning leads to.
//
//   lower.cpp             variables, processes, edges
//   lower_plan.cpp        a plan as statements
//   lower_properties.cpp  specifications
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/smv/flat.h"
#include "lang/smv/plan.h"
#include "model/system.h"

namespace harrier::smv {

// Errors go to the diagnostics; then the system means nothing.
void lower(FlatModel& flat, model::System& system, Diagnostics& diagnostics);

// To an existing system of the same model.
std::vector<model::Property> lower_properties(FlatModel& flat, model::System& system, Diagnostics& diagnostics);

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
