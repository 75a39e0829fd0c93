// A relation between states: what some steps make of some variables, all others staying as they are.
//
//     Relation relation(encoding, conjuncts, written);
//     Bdd after = relation.image(states);
//     Bdd before = relation.preimage(states);
//
// The conjuncts are about the bits of now, of choices, and of the written variables after the step.
#pragma once

#include <memory>
#include <vector>

#include "symbolic/encoding.h"
#include "symbolic/product.h"

namespace harrier::symbolic {

class Relation {
 public:
  // `written` is sorted. Values outside the domain of a variable must not be written.
  Relation(const Encoding& encoding, std::vector<Bdd> conjuncts, std::vector<model::VarId> written);

  // The states that a step leads to.
  Bdd image(const Bdd& states) const;
  // The states in their domains from which a step leads there.
  Bdd preimage(const Bdd& states) const;
  // The states in which there is a step.
  Bdd sources() const { return preimage(Bdd(true)); }

  // The same of states that do not depend on some variables: the states from which a step leads there for some values
  // of these. What is given has none of the bits, nor has what comes out.
  class Projected {
   public:
    Projected(const Relation& relation, const std::vector<int>& dropped);

    Bdd preimage(const Bdd& states) const { return backward_.apply((*to_next_)(states)); }

   private:
    Product backward_;
    std::unique_ptr<Renaming> to_next_;
  };

  // As they were given, with their choices.
  const std::vector<Bdd>& conjuncts() const { return conjuncts_; }
  const std::vector<model::VarId>& written() const { return written_; }
  // It is small.
  bool is_simple() const { return clusters_.size() <= 1; }
  // All in one, without choices.
  Bdd joined() const;

 private:
  const Encoding* encoding_;
  std::vector<Bdd> conjuncts_;
  std::vector<Bdd> clusters_;  // of these, without the choices that only one of them knows
  std::vector<model::VarId> written_;
  std::vector<int> choices_;
  std::vector<int> now_;  // of the written variables
  std::vector<int> next_;
  Bdd domain_;  // of these
  Product forward_;
  std::unique_ptr<Renaming> to_now_;
  // Made when they are needed.
  mutable std::unique_ptr<Product> backward_;
  mutable std::unique_ptr<Renaming> to_next_;
};

}  // namespace harrier::symbolic
