// Expressions of the syntax tree: as text, as copies, and what is inside of them.
#pragma once

#include <functional>
#include <string>

#include "lang/promela/ast.h"

namespace harrier::promela {

// Equal expressions have equal texts, and different ones different texts; every operator has its parentheses.
std::string text_of(const ExprNode& expr);

ExprPtr copy_of(const ExprNode& expr);

// Whether the test holds for an expression or one inside of it.
bool contains(const ExprNode& expr, const std::function<bool(const ExprNode&)>& test);

}  // namespace harrier::promela
