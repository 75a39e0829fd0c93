// Operators by kind: those of a kind are treated alike almost everywhere.
//
// What looks at operators switches over the kinds, and over the operators of a kind where they differ, and has no
// default: the compiler then names the places where a new one is missing. Nothing may depend on the order of `Op`.
//
//     if (is_comparison(e.op)) op = mirrored(e.op);
//     switch (static_cast<ComparisonOp>(op)) { … six cases … }
#pragma once

#include <cstdint>

#include "model/expr.h"

namespace harrier::model {

enum class OpKind : uint8_t {
  Const,
  Var,
  Load,
  Local,
  LoadLocal,
  Index,
  InRange,
  Unary,       // apply_unary
  Arithmetic,  // apply_binary
  Comparison,  // apply_binary, the value is 0 or 1
  Connective,  // evaluates its right operand only if it has to
  Ite,
  Quantifier,  // evaluates its operand for many values of a slot
  Call,
  Store,
  StoreLocal,
  Comma,
  Fail,
};

constexpr OpKind kind_of(Op op) {
  switch (op) {
    case Op::Const: return OpKind::Const;
    case Op::Var: return OpKind::Var;
    case Op::Load: return OpKind::Load;
    case Op::Local: return OpKind::Local;
    case Op::LoadLocal: return OpKind::LoadLocal;
    case Op::Index: return OpKind::Index;
    case Op::InRange: return OpKind::InRange;
    case Op::Neg:
    case Op::Not:
    case Op::BitNot: return OpKind::Unary;
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
    case Op::Div:
    case Op::Mod:
    case Op::Shl:
    case Op::Shr:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Min:
    case Op::Max: return OpKind::Arithmetic;
    case Op::Lt:
    case Op::Le:
    case Op::Eq:
    case Op::Ne:
    case Op::Ge:
    case Op::Gt: return OpKind::Comparison;
    case Op::And:
    case Op::Or: return OpKind::Connective;
    case Op::Ite: return OpKind::Ite;
    case Op::Forall:
    case Op::Exists:
    case Op::Sum: return OpKind::Quantifier;
    case Op::Call: return OpKind::Call;
    case Op::Store: return OpKind::Store;
    case Op::StoreLocal: return OpKind::StoreLocal;
    case Op::Comma: return OpKind::Comma;
    case Op::Fail: return OpKind::Fail;
  }
  return OpKind::Fail;
}

constexpr bool is_unary(Op op) { return kind_of(op) == OpKind::Unary; }
constexpr bool is_comparison(Op op) { return kind_of(op) == OpKind::Comparison; }
constexpr bool is_connective(Op op) { return kind_of(op) == OpKind::Connective; }
// Two operands that are both evaluated, whatever they are, or a connective: what System::make_binary makes.
constexpr bool is_binary(Op op) { return kind_of(op) == OpKind::Arithmetic || is_comparison(op) || is_connective(op); }
// Its value is 0 or 1.
constexpr bool is_truth(Op op) {
  return is_comparison(op) || is_connective(op) || op == Op::Not || op == Op::Forall || op == Op::Exists;
}

// The operators of a kind, to switch over.
enum class UnaryOp : uint8_t {
  Neg = static_cast<uint8_t>(Op::Neg),
  Not = static_cast<uint8_t>(Op::Not),
  BitNot = static_cast<uint8_t>(Op::BitNot),
};
enum class ArithmeticOp : uint8_t {
  Add = static_cast<uint8_t>(Op::Add),
  Sub = static_cast<uint8_t>(Op::Sub),
  Mul = static_cast<uint8_t>(Op::Mul),
  Div = static_cast<uint8_t>(Op::Div),
  Mod = static_cast<uint8_t>(Op::Mod),
  Shl = static_cast<uint8_t>(Op::Shl),
  Shr = static_cast<uint8_t>(Op::Shr),
  BitAnd = static_cast<uint8_t>(Op::BitAnd),
  BitOr = static_cast<uint8_t>(Op::BitOr),
  BitXor = static_cast<uint8_t>(Op::BitXor),
  Min = static_cast<uint8_t>(Op::Min),
  Max = static_cast<uint8_t>(Op::Max),
};
enum class ComparisonOp : uint8_t {
  Lt = static_cast<uint8_t>(Op::Lt),
  Le = static_cast<uint8_t>(Op::Le),
  Eq = static_cast<uint8_t>(Op::Eq),
  Ne = static_cast<uint8_t>(Op::Ne),
  Ge = static_cast<uint8_t>(Op::Ge),
  Gt = static_cast<uint8_t>(Op::Gt),
};

constexpr int count_of(OpKind kind) {
  int count = 0;
  for (int op = 0; op < kOps; ++op) count += kind_of(static_cast<Op>(op)) == kind;
  return count;
}
static_assert(count_of(OpKind::Unary) == 3, "all unary operators are in UnaryOp");
static_assert(count_of(OpKind::Arithmetic) == 12, "all arithmetic operators are in ArithmeticOp");
static_assert(count_of(OpKind::Comparison) == 6, "all comparisons are in ComparisonOp");

// The comparison of the same operands in the other order: a < b is b > a.
constexpr Op mirrored(Op comparison) {
  switch (static_cast<ComparisonOp>(comparison)) {
    case ComparisonOp::Lt: return Op::Gt;
    case ComparisonOp::Le: return Op::Ge;
    case ComparisonOp::Eq: return Op::Eq;
    case ComparisonOp::Ne: return Op::Ne;
    case ComparisonOp::Ge: return Op::Le;
    case ComparisonOp::Gt: return Op::Lt;
  }
  return comparison;
}

// The comparison that holds where this one does not.
constexpr Op complement(Op comparison) {
  switch (static_cast<ComparisonOp>(comparison)) {
    case ComparisonOp::Lt: return Op::Ge;
    case ComparisonOp::Le: return Op::Gt;
    case ComparisonOp::Eq: return Op::Ne;
    case ComparisonOp::Ne: return Op::Eq;
    case ComparisonOp::Ge: return Op::Lt;
    case ComparisonOp::Gt: return Op::Le;
  }
  return comparison;
}

template <class T>
constexpr bool compare(Op comparison, T a, T b) {
  switch (static_cast<ComparisonOp>(comparison)) {
    case ComparisonOp::Lt: return a < b;
    case ComparisonOp::Le: return a <= b;
    case ComparisonOp::Eq: return a == b;
    case ComparisonOp::Ne: return a != b;
    case ComparisonOp::Ge: return a >= b;
    case ComparisonOp::Gt: return a > b;
  }
  __builtin_unreachable();
}

}  // namespace harrier::model
