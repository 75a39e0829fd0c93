// Guards and invariants: conjunctions of conditions on variables and of clock constraints.
#include "lang/uppaal/elaborator.h"
#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::uppaal {

bool Elaborator::mentions_clock(const Expr& expr, Context context) {
  switch (expr.kind) {
    case ExprKind::Number:
    case ExprKind::Deadlock:
    case ExprKind::Real:
    case ExprKind::Call: return false;
    case ExprKind::Rate: return true;
    case ExprKind::Name:
    case ExprKind::Dot:
    case ExprKind::Index: {
      const Type* type = type_of_place(expr, context);
      return type != nullptr && type->kind == TypeKind::Clock;
    }
    case ExprKind::Forall:
    case ExprKind::Exists:
    case ExprKind::Sum: {
      // The bound name may hide a clock.
      NameScope inner(context.scope);
      Symbol bound{.kind = SymbolKind::Place, .at = expr.at};
      bound.place.type = types_.integer();
      inner.declare(expr.name, bound);
      Context inside = context;
      inside.scope = &inner;
      return mentions_clock(*expr.a, inside);
    }
    default: break;
  }
  for (const Expr* child : {expr.a, expr.b, expr.c}) {
    if (child != nullptr && mentions_clock(*child, context)) return true;
  }
  return false;
}

ExprId Elaborator::both(ExprId a, ExprId b, SourceRef at) {
  if (!a.valid()) return b;
  if (!b.valid()) return a;
  return system_.make_binary(Op::And, a, b, at);
}

void Elaborator::add_condition(ExprId condition, Conjunction& out, SourceRef at) {
  if (const auto known = system_.constant(condition)) {
    if (*known != 0) return;
    out.impossible = true;
    condition = system_.make_const(0, at);
  }
  out.conditions.push_back(condition);
}

// `under` is what must hold for the expression to matter: the conjunction says "under implies expr".
void Elaborator::conjunction(const Expr& expr, Context context, ExprId under, std::string_view what, Conjunction& out) {
  if (expr.kind == ExprKind::Binary && expr.op == Operator::And) {
    conjunction(*expr.a, context, under, what, out);
    conjunction(*expr.b, context, under, what, out);
    return;
  }
  if (!mentions_clock(expr, context)) {
    const Type* range = expr.kind == ExprKind::Forall && !under.valid() ? resolve(*expr.type, context) : nullptr;
    constexpr int64_t kFew = 64;
    if (range == nullptr || !range->enumerable() || int64_t{range->hi} - range->lo >= kFew) {
      const Operand operand = integer(expr, context);
      if (operand.kind == OperandKind::Bad) return;
      if (operand.effect) return error(expr.at, "a " + std::string(what) + " must not have side effects");
      ExprId condition = operand.expr;
      if (under.valid()) condition = system_.make_binary(Op::Or, negate(under, expr.at), condition, expr.at);
      return add_condition(condition, out, expr.at);
    }
  }
  switch (expr.kind) {
    case ExprKind::Forall: {
      const Type* type = resolve(*expr.type, context);
      if (type->kind == TypeKind::Bad) return;
      if (!type->enumerable()) {
        return error(expr.type->at, "a bounded integer or scalar type is expected here, not " + describe(*type));
      }
      const auto count = static_cast<uint64_t>(int64_t{type->hi} - type->lo + 1);
      if (unrolled_ * count > kMaxEdges) {
        return value_error(expr.at, "model too large: the quantifier ranges over too many clocks");
      }
      unrolled_ *= count;
      for (int64_t i = type->lo; i <= type->hi && !failed(); ++i) {
        NameScope inner(context.scope);
        Symbol bound{.kind = SymbolKind::Place, .at = expr.at};
        bound.place = make_constant(*type, std::string(expr.name), {static_cast<int32_t>(i)}, expr.at);
        inner.declare(expr.name, bound);
        Context inside = context;
        inside.scope = &inner;
        conjunction(*expr.a, inside, under, what, out);
        forget(inner);
      }
      unrolled_ /= count;
      return;
    }
    case ExprKind::Imply:
    case ExprKind::Binary: {
      const bool implication = expr.kind == ExprKind::Imply;
      if (implication || expr.op == Operator::Or) {
        const bool left = mentions_clock(*expr.a, context);
        const bool right = mentions_clock(*expr.b, context);
        if (left && (right || implication)) {
          return error(expr.at, "a " + std::string(what) +
                                    " must be a conjunction of clock constraints: only a condition without clocks can "
                                    "stand beside 'or' or before 'imply'");
        }
        const Operand test = integer(left ? *expr.b : *expr.a, context);
        if (test.kind == OperandKind::Bad) return;
        if (test.effect) return error(expr.at, "a " + std::string(what) + " must not have side effects");
        const ExprId open = implication ? test.expr : negate(test.expr, expr.at);
        if (const auto known = system_.constant(open)) {
          if (*known == 0) return;
          return conjunction(left ? *expr.a : *expr.b, context, under, what, out);
        }
        return conjunction(left ? *expr.a : *expr.b, context, both(under, open, expr.at), what, out);
      }
      if (!model::is_comparison(expr.op)) break;
      if (expr.op == Operator::Ne) {
        return error(expr.at, "'!=' on clocks cannot be used in a " + std::string(what));
      }
      const auto found = comparison(expr, expr.op, context);
      if (!found) return;
      for (const ClockDifference& difference : *found) {
        for (const ClockChoice& left : clock_choices(difference.left, difference.has_left, expr.at)) {
          for (const ClockChoice& right : clock_choices(difference.right, difference.has_right, expr.at)) {
            model::ClockConstraint constraint;
            constraint.condition = both(under, both(left.condition, right.condition, expr.at), expr.at);
            constraint.left = left.clock;
            constraint.right = right.clock;
            constraint.strict = difference.strict;
            constraint.bound = difference.bound;
            constraint.at = expr.at;
            out.clocks.push_back(constraint);
          }
        }
      }
      return;
    }
    case ExprKind::Rate: return unsupported(expr.at, "stop-watches and clock rates (x')");
    default: break;
  }
  if (expr.kind == ExprKind::Unary && expr.op == Operator::Not) {
    return error(expr.at, "a clock constraint cannot be negated in a " + std::string(what));
  }
  if (expr.kind == ExprKind::Exists) {
    return error(expr.at, "'exists' over clock constraints cannot be used in a " + std::string(what));
  }
  const Operand operand = lower(expr, context);
  if (operand.kind != OperandKind::Bad) {
    error(expr.at, "a " + std::string(what) + " must be a conjunction of conditions; a clock alone is none");
  }
}

std::optional<std::vector<Elaborator::ClockDifference>> Elaborator::comparison(const Expr& expr, Operator op,
                                                                               Context context) {
  for (const Expr* side : {expr.a, expr.b}) {
    if (side->kind == ExprKind::Rate) {
      unsupported(side->at, "stop-watches and clock rates (x')");
      return std::nullopt;
    }
  }
  const Operand a = lower(*expr.a, context);
  const Operand b = lower(*expr.b, context);
  if (a.kind == OperandKind::Bad || b.kind == OperandKind::Bad) return std::nullopt;
  if (a.effect || b.effect) {
    error(expr.at, "a clock constraint must not have side effects");
    return std::nullopt;
  }
  // left + l  op  right + r   becomes   plus - minus  op  r - l
  ClockTerm left, right;
  const auto as_term = [&](const Operand& operand, const Expr& side, ClockTerm& term) {
    if (as_clock(operand, term)) return true;
    const Operand number = to_scalar(operand, side.at);
    if (number.kind == OperandKind::Bad) return false;
    if (!number.type->integral()) {
      error(side.at, "a clock is compared with an integer, not with " + describe(*number.type));
      return false;
    }
    term.offset = with_range(number, side.at);
    return true;
  };
  if (!as_term(a, *expr.a, left) || !as_term(b, *expr.b, right)) return std::nullopt;
  if ((left.has_plus && right.has_minus) || (left.has_minus && right.has_plus)) {
    error(expr.at, "a clock constraint compares at most two clocks");
    return std::nullopt;
  }
  ClockDifference upper;
  upper.has_left = left.has_plus || right.has_minus;
  upper.left = left.has_plus ? left.plus : right.minus;
  upper.has_right = left.has_minus || right.has_plus;
  upper.right = left.has_minus ? left.minus : right.plus;
  const ExprId zero = system_.make_const(0, expr.at);
  const ExprId bound = left.offset.valid() ? system_.make_binary(Op::Sub, right.offset.valid() ? right.offset : zero,
                                                                 left.offset, expr.at)
                                           : (right.offset.valid() ? right.offset : zero);
  upper.bound = bound;
  ClockDifference lower_bound;
  lower_bound.left = upper.right;
  lower_bound.right = upper.left;
  lower_bound.has_left = upper.has_right;
  lower_bound.has_right = upper.has_left;
  lower_bound.bound = system_.make_unary(Op::Neg, bound, expr.at);
  upper.strict = op == Operator::Lt;
  lower_bound.strict = op == Operator::Gt;
  if (op == Operator::Lt || op == Operator::Le) return std::vector{upper};
  if (op == Operator::Gt || op == Operator::Ge) return std::vector{lower_bound};
  return std::vector{upper, lower_bound};
}

// A value that bounds a clock. Its type may know more of it than what the expression shows: an `int` that a function
// returns is a small number.
ExprId Elaborator::with_range(const Operand& number, SourceRef at) {
  const model::Interval known = model::range_of(system_, number.expr);
  if (known.lo >= number.lo && known.hi <= number.hi) return number.expr;
  return system_.make({.op = Op::InRange,
                       .a = number.expr,
                       .b = system_.make_const(static_cast<int32_t>(number.lo), at),
                       .c = system_.make_const(static_cast<int32_t>(number.hi), at),
                       .at = at});
}

// The clocks that a place may mean, each with the condition on its indices.
std::vector<Elaborator::ClockChoice> Elaborator::clock_choices(const Place& place, bool present, SourceRef at) {
  if (!present) return {{{}, model::ClockId(0)}};
  std::vector<ClockChoice> result{{{}, model::ClockId(place.clock)}};
  for (const IndexTerm& term : place.terms) {
    const bool certain = term.lo >= 0 && term.hi < term.count;
    const ExprId index =
        certain ? term.index : system_.make({.op = Op::Index, .count = term.count, .a = term.index, .at = at});
    std::vector<ClockChoice> extended;
    for (const ClockChoice& choice : result) {
      for (uint32_t i = 0; i < term.count; ++i) {
        if (certain && (i < term.lo || i > term.hi)) continue;
        const ExprId here = system_.make_binary(Op::Eq, index, system_.make_const(static_cast<int32_t>(i), at), at);
        extended.push_back(
            {both(choice.condition, here, at), model::ClockId(choice.clock.value + i * term.clock_stride)});
      }
    }
    result = std::move(extended);
  }
  return result;
}

}  // namespace harrier::uppaal
