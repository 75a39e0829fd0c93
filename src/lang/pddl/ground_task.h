// A planning task without variables: what grounding (grounding.h) makes of a Task, and what is encoded with variables
// of many values afterwards (encoding.h).
//
// Only atoms that change are left: what is always true or never true has been put in where it was read. Conditions are
// conjunctions; a disjunction has become several operators, effects or axioms, or an axiom of its own.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

#include "lang/pddl/task.h"

namespace harrier::pddl {

struct Literal {
  uint32_t atom = 0;
  bool positive = true;
  auto operator<=>(const Literal&) const = default;
};

struct GroundAtom {
  uint32_t predicate = kNone;       // of the task; kNone: grounding made it for a condition of its own
  std::vector<uint32_t> arguments;  // objects
  bool derived = false;             // axioms compute it, and no operator changes it
  bool initial = false;             // it holds at the start; never if it is derived
};

// All conditions look at the state before the operator. An atom that is both added and deleted is added.
struct GroundEffect {
  std::vector<Literal> conditions;  // sorted, without contradictions; besides the preconditions
  uint32_t atom = 0;
  bool adds = true;
};

struct GroundOperator {
  uint32_t action = 0;
  std::vector<uint32_t> arguments;     // objects, of the parameters of the action
  std::vector<Literal> preconditions;  // sorted, without contradictions
  std::vector<GroundEffect> effects;
  uint32_t cost = 1;
};

// The head holds if the body does. The layers of stratification are computed from these.
struct GroundAxiom {
  std::vector<Literal> body;  // sorted
  uint32_t head = 0;
};

struct GroundTask {
  // What changes, and can be reached, before what does not matter for the goal was taken away.
  struct Reachable {
    uint64_t atoms = 0;
    uint64_t operators = 0;
    uint64_t axioms = 0;
  };

  bool costs = false;
  std::vector<GroundAtom> atoms;
  std::vector<GroundOperator> operators;
  std::vector<GroundAxiom> axioms;
  std::vector<Literal> goal;  // sorted
  Reachable reachable;
  bool solvable = true;  // false: grounding has proved that the goal cannot be reached; operators are not complete
};

}  // namespace harrier::pddl
