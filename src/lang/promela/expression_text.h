// Expressions of the syntax tree as text and as copies.
#pragma once

#include <string>

#include "lang/promela/ast.h"

namespace harrier::promela {

// Equal expressions have equal texts, and different ones different texts; every operator has its parentheses.
std::string text_of(const ExprNode& expr);

ExprPtr copy_of(const ExprNode& expr);

}  // namespace harrier::promela
