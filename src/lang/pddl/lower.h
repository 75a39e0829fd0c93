// A finite-domain task as a model: one process with one location, whose edges are the operators.
//
//   - A variable of the task is one of the model, with the names of its values. Those that axioms compute are heads of
//     System::axioms.
//   - An operator is an internal edge, its label the name of the operator, its cost that of the edge. Conditions of
//     effects look at the state before the operator: where an effect before them may have changed what they read, they
//     are evaluated into frame slots first.
//   - The goal is the goal of the only property, which asks whether it can be reached.
#pragma once

#include <vector>

#include "base/watch.h"
#include "lang/pddl/finite_domain.h"
#include "model/system.h"

namespace harrier::pddl {

struct Lowered {
  model::System system;  // without name, language, hash and sources
  std::vector<model::Property> properties;
};

Lowered lower(const FiniteTask& task, const Watch& watch);

}  // namespace harrier::pddl
