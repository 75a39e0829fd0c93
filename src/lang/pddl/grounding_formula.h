// Conditions in a form that grounding can work with: negation only before atoms and equalities, no implication, no
// conjunction directly in a conjunction, no disjunction directly in a disjunction or an existential quantifier. And
// their branches: what has to hold if a condition does, one disjunct after the other.
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

struct Formula {
  enum class Kind : uint8_t { And, Or, Exists, Forall, Holds, Equal };

  Kind kind = Kind::And;
  bool positive = true;             // of Holds and Equal
  std::vector<Formula> parts;       // of And and Or any number but one, of Exists and Forall one
  std::vector<uint32_t> variables;  // of Exists and Forall
  const Atom* atom = nullptr;       // of Holds and Equal: the task's

  bool is_true() const { return kind == Kind::And && parts.empty(); }
  bool is_false() const { return kind == Kind::Or && parts.empty(); }
};

Formula normal_form(const Condition& condition, const Watch& watch);

// Sorted.
std::vector<uint32_t> free_variables(const Formula& formula);

struct Comparison {
  const Atom* terms = nullptr;
  bool equal = true;
};

// A conjunction.
struct Branch {
  std::vector<uint32_t> variables;  // existential ones that it speaks of
  std::vector<const Atom*> atoms;   // that hold
  std::vector<const Atom*> absent;  // that do not
  std::vector<Comparison> comparisons;
  std::vector<const Formula*> rest;  // universal ones, and disjunctions that were too many to be split
};

// The formula, which has to stay where it is, holds if one of them does. `inhabited` tells of each variable whether
// there is an object that it may stand for.
std::vector<Branch> branches(const Formula& formula, const std::vector<bool>& inhabited, const Watch& watch);

}  // namespace harrier::pddl
