// A planning task as its two files say it, names resolved: what the parser makes (parser.h), what grounding starts from
// (grounding.h), and what the validator of plans works on (plan_validator.h), which shares nothing else with grounding.
//
// The variables of a schema are numbered through: first its parameters, then those of all quantifiers in it, each with
// a number of its own. So a substitution is a list of objects, one a variable, whatever is nested in what.
//
// PDDL 2.2 without numbers and durations (Edelkamp and Hoffmann 2004), with the action costs of PDDL 3.1.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/source.h"

namespace harrier::pddl {

inline constexpr uint32_t kNone = UINT32_MAX;

// `object` is type 0, its own ancestor and that of all others.
struct Type {
  std::string name;
  std::vector<uint32_t> parents;  // `either` gives several; of `object`: none. Without cycles.
  SourceRef at;
};

struct Object {
  std::string name;
  std::vector<uint32_t> types;  // `either`: it is of all of them
  SourceRef at;
};

// A parameter or a quantified variable: it stands for the objects that are of one of the types.
struct Variable {
  std::string name;  // with its question mark
  std::vector<uint32_t> types;
  SourceRef at;
};

struct Predicate {
  std::string name;
  std::vector<Variable> parameters;
  bool derived = false;  // there are axioms for it, and no action changes it
  SourceRef at;
};

// A numeric function. Only `total-cost`, and what costs are read from, is supported.
struct Function {
  std::string name;
  std::vector<Variable> parameters;
  SourceRef at;
};

struct Term {
  bool variable = false;
  uint32_t index = 0;  // of a variable of the schema, or of an object
  auto operator<=>(const Term&) const = default;
};

// Also of a function; then `predicate` is its number.
struct Atom {
  uint32_t predicate = 0;
  std::vector<Term> arguments;
  SourceRef at;
};

struct Condition {
  enum class Kind : uint8_t { And, Or, Not, Imply, Exists, Forall, Holds, Equal };

  Kind kind = Kind::And;
  std::vector<Condition>
      parts;  // of And and Or any number (none: true, false), of Not, Exists, Forall one, of Imply two
  std::vector<uint32_t> variables;  // of Exists and Forall
  Atom atom;                        // of Holds; of Equal the two arguments
  SourceRef at;
};

// (forall (variables) (when condition atom)): nested ones have been put together.
struct Effect {
  std::vector<uint32_t> variables;
  Condition condition;
  Atom atom;
  bool adds = true;
};

// One summand of what an action adds to the total cost.
struct Cost {
  bool constant = true;
  int64_t value = 0;  // not negative
  Atom function;      // otherwise
};

struct Action {
  std::string name;
  std::vector<Variable> variables;
  uint32_t parameters = 0;  // so many of the variables, the first ones
  Condition precondition;
  std::vector<Effect> effects;
  std::vector<Cost> costs;  // only where the metric asks for the total cost
  SourceRef at;
};

// (:derived (head …) condition): the parameters of the head are the first variables.
struct Axiom {
  uint32_t head = 0;  // a predicate
  std::vector<Variable> variables;
  uint32_t parameters = 0;
  Condition condition;
  SourceRef at;
};

// A value of a function in the initial state.
struct Amount {
  Atom function;
  int64_t value = 0;
};

struct Task {
  std::string domain;
  std::string problem;
  std::vector<Type> types;
  std::vector<Object> objects;  // constants of the domain first
  std::vector<Predicate> predicates;
  std::vector<Function> functions;
  std::vector<Action> actions;
  std::vector<Axiom> axioms;
  std::vector<Atom> initial;  // without variables, no atom twice, none of a derived predicate
  std::vector<Amount> amounts;
  // Of the problem: a goal has quantifiers, too.
  std::vector<Variable> goal_variables;
  Condition goal;
  SourceRef goal_at;
  bool costs = false;  // (:metric minimize (total-cost)); otherwise every action costs 1

  // Whether an object of type `type` is one of type `of`.
  bool is_a(uint32_t type, uint32_t of) const;
  // Whether an object may stand for a variable.
  bool fits(uint32_t object, const Variable& variable) const;
};

// "(on a b)"; variables by their names in `scope`.
std::string to_text(const Task& task, const Atom& atom, const std::vector<Variable>& scope = {});

}  // namespace harrier::pddl
