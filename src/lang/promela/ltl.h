// Formulas of Promela as formulas of linear temporal logic.
#pragma once

#include <string>
#include <vector>

#include "lang/ltl/formulas.h"
#include "lang/promela/ast.h"

namespace harrier::promela {

using ltl::Formulas;

// The atoms of a formula: expressions without temporal or boolean operators at the top.
struct Atoms {
  std::vector<const ExprNode*> expressions;
  std::vector<std::string> texts;  // equal texts are equal atoms
};

// The formula of a syntax tree, or of its negation. The atoms point into the tree.
Formulas::Id formula_of(const ExprNode& tree, bool negated, Formulas& formulas, Atoms& atoms);

}  // namespace harrier::promela
