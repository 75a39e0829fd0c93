// Conjunctions that are not multiplied out: a set is joined with one conjunct after the other, and a bit that is to
// vanish does so as soon as no later conjunct has it (Burch, Clarke, Long 1991).
//
//     Product product(manager, conjuncts, bits);
//     Bdd out = product.apply(states);      // for some values of the bits: states and all conjuncts
//
// The order of the conjuncts is chosen as by Ranjan et al. (1995): first those after which many bits vanish and that
// bring few new ones.
#pragma once

#include <vector>

#include "symbolic/bdd.h"

namespace harrier::symbolic {

class Product {
 public:
  Product() = default;
  Product(const BddManager& manager, std::vector<Bdd> conjuncts, const std::vector<int>& vanishing);

  Bdd apply(const Bdd& states) const;

 private:
  struct Factor {
    Bdd conjunct;
    Bdd cube;  // of the bits that vanish with it
  };

  Bdd first_;  // the cube of what no conjunct has
  std::vector<Factor> factors_;
};

// Joins conjuncts that come one after the other as long as they are small: fewer factors, and not much larger ones.
std::vector<Bdd> clustered(const BddManager& manager, std::vector<Bdd> conjuncts, const std::vector<int>& vanishing,
                           uint64_t most_nodes);

}  // namespace harrier::symbolic
