// Conditions with objects for their variables: as conjunctions of literals, of which one has to hold.
//
// Quantifiers are expanded: not over all objects, but over those for which the condition inside is not known to be
// true, or false, whatever the state. Where disjunctions multiply to too many conjunctions, and where many instances
// share a long conjunction, an atom is made for it, which axioms derive.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/watch.h"
#include "lang/pddl/grounding_draft.h"
#include "lang/pddl/grounding_join.h"
#include "lang/pddl/grounding_program.h"

namespace harrier::pddl {

using Alternatives = std::vector<Literals>;

// Sorted, each once; false if it contradicts itself.
bool tidy(Literals& literals);

class GroundConditions {
 public:
  GroundConditions(const Program& program, Draft& draft, const Watch& watch);

  // Of the branch of a case for the objects in `binding`, of which there will be about so many. Conjunctions are tidy,
  // all different, and at most `most`.
  const Alternatives& of(const Case& one, const Scope& scope, std::vector<uint32_t>& binding, uint64_t instances,
                         size_t most);
  // Its number; kNone if it never holds. Of predicates that change.
  uint32_t atom(const Atom& atom, const std::vector<uint32_t>& binding);

 private:
  // What a conjunction is made of.
  struct Conjunction {
    Literals common;
    std::vector<Alternatives> several;
    bool possible = true;
  };
  // What belongs to a formula that is expanded.
  struct Expansion {
    std::vector<uint32_t> free;
    std::unique_ptr<Plan> plan;         // of a quantifier
    std::unique_ptr<Relation> known;    // the values of the free variables that it was asked for, if they come again…
    std::vector<Alternatives> answers;  // … and what was said then
  };

  Expansion& expansion(const Formula& formula, const Scope& scope);
  Alternatives expand(const Formula& formula, const Scope& scope, std::vector<uint32_t>& binding);
  Alternatives expand_quantifier(const Formula& formula, const Scope& scope, std::vector<uint32_t>& binding);
  Alternatives literal(const Formula& formula, const std::vector<uint32_t>& binding);
  Alternatives shared(const Formula& formula, const Scope& scope, std::vector<uint32_t>& binding, size_t variables,
                      uint64_t instances);
  static void add(Conjunction& to, Alternatives part);
  Alternatives multiply(Conjunction conjunction, size_t most);
  Alternatives unite(std::vector<Alternatives> parts) const;
  LiteralWord made_for(const Alternatives& alternatives);
  const uint32_t* tuple(const Atom& atom, const std::vector<uint32_t>& binding);

  const Program& program_;
  Draft& draft_;
  const Watch& watch_;
  std::vector<uint32_t> first_atom_;  // by predicate
  std::unordered_map<const Formula*, Expansion> expansions_;
  std::unordered_map<std::u32string, uint32_t> made_;  // atoms, by their alternatives
  std::vector<uint32_t> tuple_;
  Alternatives out_;
};

}  // namespace harrier::pddl
