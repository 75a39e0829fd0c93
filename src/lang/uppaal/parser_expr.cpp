// Expressions. Precedence, from loose to tight: assignment, ?:, or/imply, and, |, ^, &, equality, order, <? >?, shifts,
// + -, * / %, unary, postfix; `forall`, `exists` and `sum` reach as far to the right as they can.
#include <algorithm>

#include "lang/uppaal/parser.h"
#include "lang/uppaal/parser_nesting.h"

namespace harrier::uppaal {

namespace {

struct BinaryOperator {
  int level = -1;
  Operator op = Operator::Add;
  ExprKind kind = ExprKind::Binary;
};

constexpr int kOrLevel = 0;
constexpr int kAndLevel = 1;

BinaryOperator binary_operator(Tok kind) {
  switch (kind) {
    case Tok::OrOr:
    case Tok::KwOr: return {kOrLevel, Operator::Or};
    case Tok::KwImply: return {kOrLevel, {}, ExprKind::Imply};
    case Tok::KwXor: return {kOrLevel, {}, ExprKind::Xor};
    case Tok::AndAnd:
    case Tok::KwAnd: return {kAndLevel, Operator::And};
    case Tok::Pipe: return {2, Operator::BitOr};
    case Tok::Caret: return {3, Operator::BitXor};
    case Tok::Amp: return {4, Operator::BitAnd};
    case Tok::Eq: return {5, Operator::Eq};
    case Tok::Ne: return {5, Operator::Ne};
    case Tok::Lt: return {6, Operator::Lt};
    case Tok::Le: return {6, Operator::Le};
    case Tok::Ge: return {6, Operator::Ge};
    case Tok::Gt: return {6, Operator::Gt};
    case Tok::Min: return {7, Operator::Min};
    case Tok::Max: return {7, Operator::Max};
    case Tok::Shl: return {8, Operator::Shl};
    case Tok::Shr: return {8, Operator::Shr};
    case Tok::Plus: return {9, Operator::Add};
    case Tok::Minus: return {9, Operator::Sub};
    case Tok::Star: return {10, Operator::Mul};
    case Tok::Slash: return {10, Operator::Div};
    case Tok::Percent: return {10, Operator::Mod};
    default: return {};
  }
}

Operator compound_operator(Tok kind) {
  switch (kind) {
    case Tok::AddAssign: return Operator::Add;
    case Tok::SubAssign: return Operator::Sub;
    case Tok::MulAssign: return Operator::Mul;
    case Tok::DivAssign: return Operator::Div;
    case Tok::ModAssign: return Operator::Mod;
    case Tok::OrAssign: return Operator::BitOr;
    case Tok::AndAssign: return Operator::BitAnd;
    case Tok::XorAssign: return Operator::BitXor;
    case Tok::ShlAssign: return Operator::Shl;
    default: return Operator::Shr;
  }
}

}  // namespace

Expr* Parser::node(ExprKind kind, SourceRef at, Expr* a, Expr* b, Expr* c) {
  Expr* result = ast_.expr(kind, at);
  result->a = a;
  result->b = b;
  result->c = c;
  for (const Expr* child : {a, b, c}) {
    if (child != nullptr) result->depth = std::max(result->depth, child->depth + 1);
  }
  if (result->depth > kMaxDepth) fail(at, "expression nested too deeply");
  return result;
}

Expr* Parser::expression_list() {
  std::vector<Expr*> parts{expression()};
  while (at(Tok::Comma)) {
    take();
    parts.push_back(expression());
  }
  // Paired up in order: a long list of updates must not become a deep tree.
  while (parts.size() > 1) {
    std::vector<Expr*> paired;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) {
      paired.push_back(node(ExprKind::Comma, parts[i]->at, parts[i], parts[i + 1]));
    }
    if (parts.size() % 2 != 0) paired.push_back(parts.back());
    parts = std::move(paired);
  }
  return parts.front();
}

Expr* Parser::conjunction_list() {
  std::vector<Expr*> parts{expression()};
  std::vector<SourceRef> places;
  while (at(Tok::Comma)) {
    places.push_back(take().at);
    parts.push_back(expression());
  }
  return balanced(Operator::And, parts, places, 0, parts.size());
}

// `and` and `or` are associative and keep their order of evaluation in a balanced tree; so long chains stay shallow.
Expr* Parser::balanced(Operator op, const std::vector<Expr*>& parts, const std::vector<SourceRef>& places, size_t first,
                       size_t count) {
  if (count == 1) return parts[first];
  const size_t half = (count + 1) / 2;
  Expr* left = balanced(op, parts, places, first, half);
  Expr* right = balanced(op, parts, places, first + half, count - half);
  Expr* result = node(ExprKind::Binary, places[first + half - 1], left, right);
  result->op = op;
  return result;
}

Expr* Parser::expression() {
  Nesting nesting(*this);
  Expr* left = conditional();
  const Tok kind = peek().kind;
  if (kind < Tok::Assign || kind > Tok::ShrAssign) return left;
  const SourceRef place = take().at;
  Expr* result = node(ExprKind::Assign, place, left, expression());
  result->compound = kind != Tok::Assign;
  if (result->compound) result->op = compound_operator(kind);
  return result;
}

Expr* Parser::conditional() {
  Expr* condition = binary(kOrLevel);
  if (!at(Tok::Question)) return condition;
  const SourceRef place = take().at;
  Nesting nesting(*this);
  Expr* then = expression();
  expect(Tok::Colon, "in a conditional expression");
  Expr* otherwise = expression();  // an assignment here belongs to the last value
  return node(ExprKind::Conditional, place, condition, then, otherwise);
}

Expr* Parser::binary(int level) {
  Expr* left = unary();
  for (BinaryOperator next = binary_operator(peek().kind); next.level >= level; next = binary_operator(peek().kind)) {
    if (next.op == Operator::And || next.op == Operator::Or) {
      std::vector<Expr*> parts{left};
      std::vector<SourceRef> places;
      for (BinaryOperator same = next; same.level == next.level && same.op == next.op;
           same = binary_operator(peek().kind)) {
        places.push_back(take().at);
        parts.push_back(binary(next.level + 1));
      }
      left = balanced(next.op, parts, places, 0, parts.size());
      continue;
    }
    const SourceRef place = take().at;
    Expr* right = binary(next.level + 1);
    left = node(next.kind, place, left, right);
    left->op = next.op;
  }
  return left;
}

Expr* Parser::unary() {
  const Token first = peek();
  switch (first.kind) {
    case Tok::Minus: {
      Nesting nesting(*this);
      take();
      if (at(Tok::Number) && peek().value == int64_t{1} << 31) {
        take();
        Expr* smallest = ast_.expr(ExprKind::Number, first.at);
        smallest->value = INT32_MIN;
        return smallest;
      }
      Expr* result = node(ExprKind::Unary, first.at, unary());
      result->op = Operator::Neg;
      return result;
    }
    case Tok::Plus: {
      Nesting nesting(*this);
      take();
      return node(ExprKind::Plus, first.at, unary());
    }
    case Tok::Exclaim:
    case Tok::KwNot: {
      Nesting nesting(*this);
      take();
      Expr* result = node(ExprKind::Unary, first.at, unary());
      result->op = Operator::Not;
      return result;
    }
    case Tok::Increment:
    case Tok::Decrement: {
      Nesting nesting(*this);
      take();
      Expr* result = node(ExprKind::Step, first.at, unary());
      result->prefix = true;
      result->value = first.kind == Tok::Increment ? 1 : -1;
      return result;
    }
    case Tok::KwForall: return quantifier(ExprKind::Forall);
    case Tok::KwExists: return quantifier(ExprKind::Exists);
    case Tok::KwSum: return quantifier(ExprKind::Sum);
    default: return postfix();
  }
}

Expr* Parser::quantifier(ExprKind kind) {
  Nesting nesting(*this);
  const SourceRef place = take().at;
  expect(Tok::LParen, "after the quantifier");
  const std::string_view name = expect_name("the name of a bound variable");
  expect(Tok::Colon, "after the name of the bound variable");
  TypeNode* of = type();
  expect(Tok::RParen, "after the range of the quantifier");
  Expr* result = node(kind, place, expression());
  result->name = name;
  result->type = of;
  return result;
}

Expr* Parser::postfix() {
  Expr* result = primary();
  for (;;) {
    const Token next = peek();
    switch (next.kind) {
      case Tok::LBracket: {
        take();
        Nesting nesting(*this);
        Expr* index = expression();
        expect(Tok::RBracket, "after the index");
        result = node(ExprKind::Index, result->at, result, index);
        break;
      }
      case Tok::LParen: result = call(result); break;
      case Tok::Dot: {
        take();
        if (!at(Tok::Identifier)) fail_unexpected("the name of a field or location");
        result = node(ExprKind::Dot, peek().at, result);
        result->name = take().text;
        break;
      }
      case Tok::Increment:
      case Tok::Decrement: {
        take();
        result = node(ExprKind::Step, next.at, result);
        result->value = next.kind == Tok::Increment ? 1 : -1;
        break;
      }
      case Tok::Quote:
        take();
        result = node(ExprKind::Rate, next.at, result);
        break;
      default: return result;
    }
  }
}

Expr* Parser::call(Expr* callee) {
  Nesting nesting(*this);
  take();
  std::vector<Expr*> arguments;
  uint32_t deepest = callee->depth;
  while (!at(Tok::RParen)) {
    arguments.push_back(expression());
    deepest = std::max(deepest, arguments.back()->depth);
    if (!accept(Tok::Comma)) break;
  }
  expect(Tok::RParen, "after the arguments");
  Expr* result = ast_.expr(ExprKind::Call, callee->at);
  result->a = callee;
  result->items = ast_.list(arguments);
  result->depth = deepest + 1;
  if (result->depth > kMaxDepth) fail(result->at, "expression nested too deeply");
  return result;
}

Expr* Parser::primary() {
  const Token first = peek();
  switch (first.kind) {
    case Tok::Number: {
      take();
      if (first.value > INT32_MAX) fail(first.at, "the number does not fit 32 bits");
      Expr* result = ast_.expr(ExprKind::Number, first.at);
      result->value = static_cast<int32_t>(first.value);
      return result;
    }
    case Tok::KwTrue:
    case Tok::KwFalse: {
      take();
      Expr* result = ast_.expr(ExprKind::Number, first.at);
      result->value = first.kind == Tok::KwTrue;
      result->boolean = true;
      return result;
    }
    case Tok::Identifier: {
      take();
      Expr* result = ast_.expr(ExprKind::Name, first.at);
      result->name = first.text;
      return result;
    }
    case Tok::LParen: {
      take();
      Expr* result = expression();
      expect(Tok::RParen, "to close the parenthesis");
      return result;
    }
    case Tok::KwDeadlock: take(); return ast_.expr(ExprKind::Deadlock, first.at);
    case Tok::Real: refuse(first.at, "floating-point numbers");
    case Tok::String: refuse(first.at, "strings");
    default: fail_unexpected("an expression");
  }
}

Expr* Parser::guard_label() {
  try {
    if (at(Tok::End)) return nullptr;
    Expr* result = conjunction_list();
    expect_end();
    return result;
  } catch (const Failure&) {
    return nullptr;
  }
}

Expr* Parser::update_label() {
  try {
    if (at(Tok::End)) return nullptr;
    Expr* result = expression_list();
    expect_end();
    return result;
  } catch (const Failure&) {
    return nullptr;
  }
}

Expr* Parser::weight_label() {
  try {
    if (at(Tok::End)) return nullptr;
    Expr* result = weight();
    expect_end();
    return result;
  } catch (const Failure&) {
    return nullptr;
  }
}

// Null for a floating-point number, which may be any but 0.
Expr* Parser::weight() {
  note_weights(model_, peek().at, diagnostics_);
  const Token first = peek();
  if (first.kind != Tok::Real) return expression();
  if (first.text.find_first_of("123456789") >= first.text.find_first_of("eE")) {
    refuse(first.at, "a probability weight of 0");
  }
  take();
  return nullptr;
}

}  // namespace harrier::uppaal
