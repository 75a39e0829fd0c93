// What watches a model for the sake of a temporal specification: variables that are added to the flat model, before it
// is lowered. They see the model and do not change what it does.
//
//   FAIRNESS running        a condition about a step becomes one about the state after it: a variable remembers it
//   LTLSPEC G (p -> F q)    an automaton (Büchi) of the paths that violate the formula: a variable is its state
//   LTLSPEC G (p -> O q)    what is past is remembered, too: O q is `q | before`, where before is O q one step ago
#pragma once

#include <unordered_map>
#include <vector>

#include "lang/ltl/formulas.h"
#include "lang/smv/flat.h"

namespace harrier::smv {

class Watcher {
 public:
  Watcher(FlatModel& flat, Diagnostics& diagnostics)
      : flat_(flat), terms_(flat.values.terms()), diagnostics_(diagnostics) {}

  // Of each condition of justice: where it is met, in states. What always holds is left out.
  std::vector<TermId> justice();
  // An automaton of the paths with compassion that violate the formula. Returns the states that it passes again and
  // again where it accepts. Throws Failure after it has reported what it cannot do.
  TermId automaton(const Formula& formula);

 private:
  TermId in_states(TermId condition, SourceRef at);
  // A variable that has the value of a condition one step ago.
  TermId remembered(TermId condition, bool initially, SourceRef at);
  uint32_t add_variable(Type type, int32_t hi, int32_t initially, SourceRef at);
  void assign_next(uint32_t variable, TermId value, SourceRef at);

  ltl::Formulas::Id formula(const Formula& formula, bool negated);
  ltl::Formulas::Id temporal(const Formula& formula, bool negated);
  ltl::Formulas::Id atom(TermId term, bool negated);
  ltl::Formulas::Id compassion(const Constraint& constraint);
  // Of a formula without a future.
  TermId past(const Formula& formula);
  TermId past_operator(const Formula& formula, const std::vector<TermId>& parts);

  FlatModel& flat_;
  Terms& terms_;
  Diagnostics& diagnostics_;
  ltl::Formulas formulas_;
  std::vector<TermId> atoms_;
  std::unordered_map<uint32_t, uint32_t> atom_numbers_;
  std::unordered_map<const Formula*, TermId> past_;
  uint32_t added_ = 0;
};

}  // namespace harrier::smv
