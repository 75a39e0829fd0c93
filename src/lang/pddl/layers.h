// In which order derived predicates are computed. Those that depend on each other in a cycle are one layer; what a
// layer negates has to be known before it, so that axioms have one meaning (Thiébaux, Hoffmann and Nebel 2005):
//
//     (:derived (above ?x ?y) (or (on ?x ?y) (exists (?z) (and (on ?x ?z) (above ?z ?y)))))   a layer
//     (:derived (free ?x) (not (exists (?y) (above ?y ?x))))                                  one after it
//     (:derived (odd ?x) (not (odd ?x)))                                                      none
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/task.h"

namespace harrier::pddl {

struct Layers {
  std::vector<std::vector<uint32_t>> axioms;  // of each layer, the first layer first
  uint32_t unstratified = kNone;              // an axiom whose head depends on its own negation
};

Layers layers_of(const Task& task, const Watch& watch);

}  // namespace harrier::pddl
