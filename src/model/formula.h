// Formulas of branching time (Clarke, Emerson, Sistla 1986) over state formulas, in negation normal form.
//
// Of a property, what would violate it: the property holds if no initial state satisfies the formula. EF p is
// E[true U p], EG p is E[p W false] and so on.
//
//     A path quantifier is about the infinite paths that meet every set of Property::accepting again and again.
#pragma once

#include <cstdint>
#include <vector>

#include "model/expr.h"

namespace harrier::model {

enum class FormulaKind : uint8_t {
  State,      // a condition
  And,        // a, b
  Or,         // a, b
  SomeNext,   // EX a
  AllNext,    // AX a
  SomeUntil,  // E[a U b]
  AllUntil,   // A[a U b]
  SomeWeak,   // E[a W b]: a holds until b does, or for ever
  AllWeak,    // A[a W b]
};

struct FormulaNode {
  FormulaKind kind = FormulaKind::State;
  ExprId condition;  // of State
  uint32_t a = 0;    // places of the operands, which come before
  uint32_t b = 0;
};

// The last node is the whole; empty: none.
using Formula = std::vector<FormulaNode>;

// Whether one path is enough to show that a state satisfies it: no operator is about all paths, and what has to be
// shown beside another path is about single states.
bool is_shown_by_a_path(const Formula& formula);

}  // namespace harrier::model
