// A planning task with variables of finitely many values (SAS+; Bäckström and Nebel 1995, Helmert 2009): what grounding
// makes of PDDL, what a .sas file says (sas.h), and what is lowered to the intermediate model
// (lower.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace harrier::pddl {

// A variable has a value.
struct Fact {
  uint32_t variable = 0;
  uint32_t value = 0;
  auto operator<=>(const Fact&) const = default;
};

struct FiniteVariable {
  std::string name;
  int32_t layer = -1;               // of an axiom's variable: layers are computed one after the other; -1: no axiom's
  std::vector<std::string> values;  // names, e.g. "Atom on(a, b)", "<none of those>"
};

struct FiniteEffect {
  std::vector<Fact> conditions;  // sorted; they look at the state before the operator
  Fact fact;
};

struct Operator {
  std::string name;                 // "(move a b)", as in a plan
  std::vector<Fact> preconditions;  // sorted, a variable at most once
  std::vector<FiniteEffect> effects;
  uint32_t cost = 1;
};

// If the body holds, the variable has the value; without any, it has its initial one.
struct FiniteAxiom {
  std::vector<Fact> body;
  Fact head;
};

// What was made on the way from the text, and how long that took; for readers of statistics.
struct Translation {
  uint64_t facts = 0;      // reachable ones that change, before those that matter nothing were removed
  uint64_t operators = 0;  // reachable ones, likewise
  uint64_t axioms = 0;     // likewise
  uint64_t groups = 0;     // mutex groups found
  double parsing_s = 0;
  double grounding_s = 0;
  double invariants_s = 0;
  double encoding_s = 0;
};

struct FiniteTask {
  bool costs = false;  // operators have costs of their own; otherwise all are 1
  std::vector<FiniteVariable> variables;
  std::vector<std::vector<Fact>> mutexes;  // of each group at most one fact holds in a reachable state
  std::vector<uint32_t> initial;           // by variable; of an axiom's variable the value that it has by default
  std::vector<Fact> goal;
  std::vector<Operator> operators;
  std::vector<FiniteAxiom> axioms;
  bool solvable = true;  // false: grounding has proved that the goal cannot be reached; nothing but names is there then
  Translation translation;
};

}  // namespace harrier::pddl
