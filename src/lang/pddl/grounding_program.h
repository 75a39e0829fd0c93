// A task as relations and rules: what can become true if nothing ever becomes false. Conditions are weakened for that:
// of a branch (grounding_formula.h) only what is an atom, a comparison, or known of the initial state is joined;
// instances of what is left are looked at one by one (grounding_instances.h).
//
//   - Every predicate has a relation: of the atoms that hold at the start, and later of those that can be reached.
//   - Every branch of the condition of an action or an axiom is a rule. It keeps what its variables were: the
//     instances.
//   - Adding effects are heads of these rules; those with conditions of their own are rules that start from instances.
//   - The goal is joined at the end.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/grounding_formula.h"
#include "lang/pddl/grounding_join.h"
#include "lang/pddl/grounding_reach.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

struct SymbolTable {
  struct Symbol {
    std::unique_ptr<Relation> relation;
    bool changing = false;  // an effect or an axiom speaks of it
    bool deleted = false;   // a deleting effect does
    uint32_t initial = 0;   // so many of the relation's tuples hold at the start, the first ones
  };
  std::vector<Symbol> symbols;  // by predicate

  const Symbol& of(const Atom& atom) const { return symbols[atom.predicate]; }
  Symbol& of(const Atom& atom) { return symbols[atom.predicate]; }
};

// A branch of a condition.
struct Case {
  Branch branch;
  Body body;
  std::unique_ptr<Relation> instances;  // of body.wanted; not of effects
  std::vector<Term> terms;              // body.wanted as an atom of the instances has them
};

// What a condition speaks of.
struct Scope {
  std::vector<const Domain*> domains;  // by variable
  std::vector<bool> inhabited;         // likewise
  uint32_t parameters = 0;
};

struct Schema {
  Scope scope;
  Formula condition;
  std::vector<Case> cases;
};

struct EffectSchema {
  const Effect* effect = nullptr;
  bool plain = true;  // no variables, no condition
  Formula condition;
  std::vector<Case> cases;
};

struct ActionSchema : Schema {
  std::deque<EffectSchema> effects;
};

class Program {
 public:
  Program(const Task& task, const Watch& watch);

  // Fills the relations and the instances.
  void run();

  const Task& task() const { return task_; }
  const SymbolTable& symbols() const { return symbols_; }
  const std::deque<ActionSchema>& actions() const { return actions_; }
  const std::deque<Schema>& axioms() const { return axioms_; }
  const Schema& goal() const { return goal_; }
  // Atoms and comparisons without which the formula is surely false; with `negated`, surely true. They are added to the
  // body.
  void add_necessary(const Formula& formula, bool negated, Body& body) const;

 private:
  void make_symbols();
  Scope scope_of(const std::vector<Variable>& variables, uint32_t parameters);
  std::vector<Case> cases_of(const Formula& formula, const Scope& scope, const std::vector<uint32_t>& variables) const;
  bool add_literal(const Atom& atom, bool positive, Body& body) const;
  void add_action(const Action& action);
  void add_rules(ActionSchema& action);
  void keep(Case& one, const Scope& scope);

  const Task& task_;
  const Watch& watch_;
  Domains domains_;
  SymbolTable symbols_;
  std::deque<ActionSchema> actions_;  // they stay where they are: bodies point to their terms
  std::deque<Schema> axioms_;
  Schema goal_;
  std::deque<std::vector<Term>> heads_;  // of axioms
  Reachability reachability_;
};

}  // namespace harrier::pddl
