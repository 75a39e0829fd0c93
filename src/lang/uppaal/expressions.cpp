// Expressions, but for assignments and calls.
#include <algorithm>

#include "lang/uppaal/elaborator.h"
#include "model/analysis.h"
#include "model/operators.h"

namespace harrier::uppaal {

namespace {

// Quantifiers over few values become plain conjunctions, disjunctions and sums: heuristics see their parts.
constexpr uint64_t kUnrollLimit = 64;
constexpr uint64_t kUnrollProcesses = 100'000;

void merge_flags(Operand& into, const Operand& from) {
  into.effect |= from.effect;
  into.state |= from.state;
  into.local |= from.local;
}

}  // namespace

Operand Elaborator::lower(const Expr& expr, Context context) {
  diagnostics_->poll();
  if (depth_ >= kMaxRecursion) {
    error(expr.at, "expressions and function calls nested too deeply");
    return bad();
  }
  ++depth_;
  Operand result = bad();
  switch (expr.kind) {
    case ExprKind::Number:
      result = constant_value(expr.value, expr.boolean ? types_.boolean() : types_.wide_integer(), expr.at);
      break;
    case ExprKind::Name: result = name(expr, context); break;
    case ExprKind::Index: result = index(expr, context); break;
    case ExprKind::Dot: result = dot(expr, context); break;
    case ExprKind::Call: result = call(expr, context); break;
    case ExprKind::Unary: result = unary(expr, context); break;
    case ExprKind::Plus: result = integer(*expr.a, context); break;
    case ExprKind::Binary:
    case ExprKind::Imply:
    case ExprKind::Xor: result = binary(expr, context); break;
    case ExprKind::Assign: result = assign(expr, context); break;
    case ExprKind::Step: result = step(expr, context); break;
    case ExprKind::Conditional: result = conditional(expr, context); break;
    case ExprKind::Forall:
    case ExprKind::Exists:
    case ExprKind::Sum: result = quantifier(expr, context); break;
    case ExprKind::List: error(expr.at, "a list of values can only initialise a variable"); break;
    case ExprKind::Comma: {
      const Operand first = lower(*expr.a, context);
      result = lower(*expr.b, context);
      if (first.kind == OperandKind::Bad || result.kind == OperandKind::Bad) {
        result = bad();
      } else if (first.kind == OperandKind::Value) {
        result = to_scalar(std::move(result), expr.at);
        if (result.kind != OperandKind::Bad) result.expr = comma(first.expr, result.expr, expr.at);
        merge_flags(result, first);
      }
      break;
    }
    case ExprKind::Deadlock:
      error(expr.at, context.query ? "'deadlock' cannot be used here" : "'deadlock' can only be used in queries");
      break;
    case ExprKind::Rate: unsupported(expr.at, "stop-watches and clock rates (x')"); break;
    case ExprKind::Real: unsupported(expr.at, "floating-point numbers"); break;
  }
  --depth_;
  return result;
}

Operand Elaborator::to_scalar(Operand operand, SourceRef at) {
  if (operand.kind == OperandKind::Bad || operand.kind == OperandKind::Value) return operand;
  if (operand.kind == OperandKind::Place && operand.type->scalar_value()) {
    Operand result = value(load(operand.place, at), operand.type);
    if (!system_.constant(result.expr)) {
      result.lo = operand.type->lo;
      result.hi = operand.type->hi;
    }
    merge_flags(result, operand);
    return result;
  }
  if (operand.kind == OperandKind::Void) {
    error(at, "the function returns no value");
  } else if (operand.kind == OperandKind::Clock || operand.type->kind == TypeKind::Clock) {
    error(at, "a clock cannot be used in an integer expression");
  } else if (operand.type->kind == TypeKind::Channel) {
    error(at, "a channel cannot be used as a value");
  } else {
    error(at, "an integer is expected here, not " + describe(*operand.type));
  }
  return bad();
}

Operand Elaborator::scalar(const Expr& expr, Context context) { return to_scalar(lower(expr, context), expr.at); }

Operand Elaborator::integer(const Expr& expr, Context context) {
  Operand result = scalar(expr, context);
  if (result.kind == OperandKind::Value && !result.type->integral()) {
    error(expr.at, "an integer is expected here, not " + describe(*result.type));
    return bad();
  }
  return result;
}

bool Elaborator::is_clock(const Operand& operand) {
  return operand.kind == OperandKind::Clock ||
         (operand.kind == OperandKind::Place && operand.type->kind == TypeKind::Clock);
}

bool Elaborator::as_clock(const Operand& operand, ClockTerm& term) const {
  if (operand.kind == OperandKind::Clock) {
    term = *operand.clock;
    return true;
  }
  if (operand.kind == OperandKind::Place && operand.type->kind == TypeKind::Clock) {
    term.has_plus = true;
    term.plus = operand.place;
    return true;
  }
  return false;
}

ExprId Elaborator::truth(ExprId expr, const Operand& operand, SourceRef at) {
  if (operand.lo >= 0 && operand.hi <= 1) return expr;
  return system_.make_binary(Op::Ne, expr, system_.make_const(0, at), at);
}

ExprId Elaborator::convert(const Operand& operand, const Type& type, bool check, SourceRef at) {
  if (type.kind == TypeKind::Bool) return truth(operand.expr, operand, at);
  if (!check || (operand.lo >= type.lo && operand.hi <= type.hi)) return operand.expr;
  return system_.make({.op = Op::InRange,
                       .a = operand.expr,
                       .b = system_.make_const(type.lo, at),
                       .c = system_.make_const(type.hi, at),
                       .at = at});
}

ExprId Elaborator::logical(Op op, ExprId a, ExprId b, SourceRef at) {
  const auto right = system_.constant(b);
  if (right && (*right != 0) == (op == Op::Or) && !model::can_fail(system_, a))
    return system_.make_const(op == Op::Or, at);
  return system_.make_binary(op, a, b, at);
}

Operand Elaborator::unary(const Expr& expr, Context context) {
  Operand a = integer(*expr.a, context);
  if (a.kind == OperandKind::Bad) return a;
  const bool negation = expr.op == Operator::Not;
  Operand result =
      value(system_.make_unary(expr.op, a.expr, expr.at), negation ? types_.boolean() : types_.wide_integer());
  if (!negation && !system_.constant(result.expr)) {
    result.lo = std::max<int64_t>(-a.hi, INT32_MIN);
    result.hi = std::min<int64_t>(-a.lo, INT32_MAX);
  }
  merge_flags(result, a);
  return result;
}

Operand Elaborator::arithmetic(Op op, const Operand& a, const Operand& b, SourceRef at) {
  const bool boolean = model::is_truth(op);
  const bool connective = model::is_connective(op);
  const ExprId joined = connective ? logical(op, a.expr, b.expr, at) : system_.make_binary(op, a.expr, b.expr, at);
  Operand result = value(joined, boolean ? types_.boolean() : types_.wide_integer());
  if (!boolean && !system_.constant(result.expr)) {
    int64_t lo = INT32_MIN, hi = INT32_MAX;
    switch (op) {
      case Op::Add: lo = a.lo + b.lo, hi = a.hi + b.hi; break;
      case Op::Sub: lo = a.lo - b.hi, hi = a.hi - b.lo; break;
      case Op::Mul: {
        const auto [least, most] = std::minmax({a.lo * b.lo, a.lo * b.hi, a.hi * b.lo, a.hi * b.hi});
        lo = least, hi = most;
        break;
      }
      case Op::Min: lo = std::min(a.lo, b.lo), hi = std::min(a.hi, b.hi); break;
      case Op::Max: lo = std::max(a.lo, b.lo), hi = std::max(a.hi, b.hi); break;
      case Op::Mod: {
        const int64_t largest = std::max<int64_t>({std::abs(b.lo), std::abs(b.hi), 1}) - 1;
        lo = a.lo < 0 ? -largest : 0, hi = a.hi > 0 ? largest : 0;
        break;
      }
      case Op::BitAnd:
        if (a.lo >= 0 && b.lo >= 0) lo = 0, hi = std::min(a.hi, b.hi);
        break;
      default: break;
    }
    result.lo = std::clamp<int64_t>(lo, INT32_MIN, INT32_MAX);
    result.hi = std::clamp<int64_t>(hi, INT32_MIN, INT32_MAX);
  }
  merge_flags(result, a);
  merge_flags(result, b);
  return result;
}

Operand Elaborator::binary(const Expr& expr, Context context) {
  Operand a = lower(*expr.a, context);
  Operand b = lower(*expr.b, context);
  if (a.kind == OperandKind::Bad || b.kind == OperandKind::Bad) return bad();
  const bool clocks = is_clock(a) || is_clock(b);
  const bool plain = expr.kind == ExprKind::Binary;
  if (clocks && plain && (expr.op == Operator::Add || expr.op == Operator::Sub)) {
    return clock_sum(expr.op == Operator::Sub, expr, a, b);
  }
  if (clocks && plain && model::is_comparison(expr.op)) {
    error(expr.at,
          "a clock constraint cannot be used here: it is allowed only in the conjunctions of guards and "
          "invariants, and in queries");
    return bad();
  }
  if (plain && (expr.op == Operator::Eq || expr.op == Operator::Ne)) {
    return equality(expr.op == Operator::Eq, expr, std::move(a), std::move(b));
  }
  a = to_scalar(std::move(a), expr.a->at);
  b = to_scalar(std::move(b), expr.b->at);
  if (a.kind == OperandKind::Bad || b.kind == OperandKind::Bad) return bad();
  for (const auto& [operand, side] : {std::pair(&a, expr.a), std::pair(&b, expr.b)}) {
    if (operand->type->integral()) continue;
    error(side->at, "scalars can only be assigned and compared for equality");
    return bad();
  }
  if (expr.kind == ExprKind::Imply) {
    a.expr = negate(a.expr, expr.at);
    return arithmetic(Op::Or, a, b, expr.at);
  }
  if (expr.kind == ExprKind::Xor) {
    a.expr = truth(a.expr, a, expr.at);
    b.expr = truth(b.expr, b, expr.at);
    return arithmetic(Op::Ne, a, b, expr.at);
  }
  return arithmetic(expr.op, a, b, expr.at);
}

// x + 1, x - 1, x - y and such: a difference of at most two clocks and an integer.
Operand Elaborator::clock_sum(bool subtract, const Expr& expr, const Operand& a, const Operand& b) {
  const auto as_term = [&](const Operand& operand, SourceRef at, ClockTerm& term) {
    if (as_clock(operand, term)) return true;
    const Operand number = to_scalar(operand, at);
    if (number.kind == OperandKind::Bad) return false;
    term.offset = with_range(number, at);
    return true;
  };
  ClockTerm left, right;
  if (!as_term(a, expr.a->at, left) || !as_term(b, expr.b->at, right)) return bad();
  if (subtract) {
    std::swap(right.has_plus, right.has_minus);
    std::swap(right.plus, right.minus);
  }
  if ((left.has_plus && right.has_plus) || (left.has_minus && right.has_minus)) {
    error(expr.at, "only the difference of two clocks can be compared with an integer");
    return bad();
  }
  Operand result{.kind = OperandKind::Clock, .type = types_.clock()};
  ClockTerm sum = left;
  if (right.has_plus) sum.has_plus = true, sum.plus = right.plus;
  if (right.has_minus) sum.has_minus = true, sum.minus = right.minus;
  if (right.offset.valid()) {
    const ExprId first = left.offset.valid() ? left.offset : system_.make_const(0, expr.at);
    sum.offset = system_.make_binary(subtract ? Op::Sub : Op::Add, first, right.offset, expr.at);
  }
  result.clock = std::make_shared<const ClockTerm>(std::move(sum));
  merge_flags(result, a);
  merge_flags(result, b);
  return result;
}

std::vector<ExprId> Elaborator::parts(const Operand& operand, SourceRef at) {
  if (operand.kind == OperandKind::Value) return {operand.expr};
  std::vector<ExprId> result;
  if (operand.kind == OperandKind::Parts) {
    // The first part that is evaluated does what all of them need.
    result = operand.parts;
    result.front() = comma(operand.prelude, result.front(), at);
    return result;
  }
  uint32_t part = 0;
  for (const Type* leaf : leaves(*operand.type)) result.push_back(load_part(operand.place, part++, *leaf, at));
  return result;
}

// Joined in a balanced way, so that thousands of parts stay shallow.
ExprId Elaborator::all(std::vector<ExprId> conditions, Op op, SourceRef at) {
  if (conditions.empty()) return system_.make_const(op == Op::And, at);
  while (conditions.size() > 1) {
    std::vector<ExprId> joined;
    for (size_t i = 0; i + 1 < conditions.size(); i += 2) {
      joined.push_back(op == Op::Add ? system_.make_binary(op, conditions[i], conditions[i + 1], at)
                                     : logical(op, conditions[i], conditions[i + 1], at));
    }
    if (conditions.size() % 2 != 0) joined.push_back(conditions.back());
    conditions = std::move(joined);
  }
  return conditions.front();
}

Operand Elaborator::equality(bool equal, const Expr& expr, Operand a, Operand b) {
  const auto comparable = [](const Operand& operand) {
    return operand.kind != OperandKind::Void && operand.kind != OperandKind::Clock && operand.type->clocks == 0 &&
           operand.type->channels == 0;
  };
  if (!comparable(a) || !comparable(b) || !compatible(*a.type, *b.type)) {
    const bool scalars = a.type->kind == TypeKind::Scalar && b.type->kind == TypeKind::Scalar;
    error(expr.at, scalars ? "scalars of different sets cannot be compared"
                           : "cannot compare " + describe(*a.type) + " with " + describe(*b.type));
    return bad();
  }
  if (!a.type->aggregate()) {
    a = to_scalar(std::move(a), expr.a->at);
    b = to_scalar(std::move(b), expr.b->at);
    return arithmetic(equal ? Op::Eq : Op::Ne, a, b, expr.at);
  }
  const auto left = parts(a, expr.at);
  const auto right = parts(b, expr.at);
  std::vector<ExprId> conditions;
  for (size_t i = 0; i < left.size(); ++i) {
    conditions.push_back(system_.make_binary(equal ? Op::Eq : Op::Ne, left[i], right[i], expr.at));
  }
  Operand result = value(all(std::move(conditions), equal ? Op::And : Op::Or, expr.at), types_.boolean());
  merge_flags(result, a);
  merge_flags(result, b);
  return result;
}

Operand Elaborator::conditional(const Expr& expr, Context context) {
  Operand test = integer(*expr.a, context);
  Operand then = lower(*expr.b, context);
  Operand otherwise = lower(*expr.c, context);
  if (test.kind == OperandKind::Bad || then.kind == OperandKind::Bad || otherwise.kind == OperandKind::Bad)
    return bad();
  const auto plain = [](const Operand& operand) {
    return operand.kind != OperandKind::Clock && operand.type->clocks == 0 && operand.type->channels == 0;
  };
  if (!plain(then) || !plain(otherwise)) {
    error(expr.at, "clocks and channels cannot be chosen by '?:'");
    return bad();
  }
  if (then.kind == OperandKind::Void || otherwise.kind == OperandKind::Void ||
      !compatible(*then.type, *otherwise.type)) {
    error(expr.at,
          "the two values of '?:' have different types: " + describe(*then.type) + " and " + describe(*otherwise.type));
    return bad();
  }
  Operand result;
  if (!then.type->aggregate()) {
    then = to_scalar(std::move(then), expr.b->at);
    otherwise = to_scalar(std::move(otherwise), expr.c->at);
    const bool mixed = then.type->kind != otherwise.type->kind;
    result = value(system_.make_ite(test.expr, then.expr, otherwise.expr, expr.at),
                   mixed ? types_.wide_integer() : then.type);
    if (!system_.constant(result.expr)) {
      result.lo = std::min(then.lo, otherwise.lo);
      result.hi = std::max(then.hi, otherwise.hi);
    }
  } else {
    if (test.effect) {
      unsupported(expr.at, "a structure or array chosen by a condition with side effects");
      return bad();
    }
    const auto left = parts(then, expr.at);
    const auto right = parts(otherwise, expr.at);
    result = {.kind = OperandKind::Parts, .type = then.type};
    for (size_t i = 0; i < left.size(); ++i) {
      result.parts.push_back(system_.make_ite(test.expr, left[i], right[i], expr.at));
    }
  }
  merge_flags(result, test);
  merge_flags(result, then);
  merge_flags(result, otherwise);
  return result;
}

// A process named with arguments needs their values.
bool Elaborator::must_unroll(const Expr& body) const {
  if (body.kind == ExprKind::Dot && body.a->kind == ExprKind::Call) return true;
  for (const Expr* child : {body.a, body.b, body.c}) {
    if (child != nullptr && must_unroll(*child)) return true;
  }
  return std::any_of(body.items.begin(), body.items.end(), [&](const Expr* item) { return must_unroll(*item); });
}

Operand Elaborator::quantifier(const Expr& expr, Context context) {
  const Type* type = resolve(*expr.type, context);
  if (type->kind == TypeKind::Bad) return bad();
  if (!type->enumerable()) {
    error(expr.type->at, "a bounded integer or scalar type is expected here, not " + describe(*type));
    return bad();
  }
  const Op op = expr.kind == ExprKind::Forall ? Op::Forall : expr.kind == ExprKind::Exists ? Op::Exists : Op::Sum;
  const Type* result_type = op == Op::Sum ? types_.wide_integer() : types_.boolean();
  const auto count = static_cast<uint64_t>(int64_t{type->hi} - type->lo + 1);
  const bool needed = context.query && must_unroll(*expr.a);
  Operand result{.kind = OperandKind::Value, .type = result_type};
  if (unrolled_ * count <= kUnrollLimit || needed) {
    if (unrolled_ * count > kUnrollProcesses) {
      value_error(expr.at, "model too large: the quantifier ranges over too many processes");
      return bad();
    }
    unrolled_ *= count;
    std::vector<ExprId> found;
    for (int64_t i = type->lo; i <= type->hi && result.kind != OperandKind::Bad && !failed(); ++i) {
      NameScope inner(context.scope);
      Symbol bound{.kind = SymbolKind::Place, .at = expr.at};
      bound.place = make_constant(*type, std::string(expr.name), {static_cast<int32_t>(i)}, expr.at);
      inner.declare(expr.name, bound);
      Context inside = context;
      inside.scope = &inner;
      const Operand part = integer(*expr.a, inside);
      // Types inside the body were resolved for this scope, which is about to go.
      forget(inner);
      if (part.kind == OperandKind::Bad) {
        result = bad();
      } else {
        found.push_back(part.expr);
        merge_flags(result, part);
      }
    }
    unrolled_ /= count;
    if (result.kind == OperandKind::Bad) return bad();
    const ExprId joined = op == Op::Sum ? all(std::move(found), Op::Add, expr.at)
                                        : all(std::move(found), op == Op::Forall ? Op::And : Op::Or, expr.at);
    Operand whole = value(joined, result_type);
    merge_flags(whole, result);
    result = std::move(whole);
  } else {
    const uint32_t saved = outer_slots_;
    NameScope inner(context.scope);
    Symbol bound{.kind = SymbolKind::Place, .at = expr.at};
    bound.place.root = Root::Local;
    bound.place.type = type;
    bound.place.writable = false;
    bound.place.data = bound.place.block = new_slots(1, context);
    bound.place.block_type = type;
    const uint32_t slot = bound.place.data;
    inner.declare(expr.name, bound);
    Context inside = context;
    inside.scope = &inner;
    const Operand body = integer(*expr.a, inside);
    forget(inner);
    if (context.frame == nullptr) outer_slots_ = saved;
    if (body.kind == OperandKind::Bad) return bad();
    const ExprId node = system_.make({.op = op,
                                      .base = slot,
                                      .a = system_.make_const(type->lo, expr.at),
                                      .b = system_.make_const(type->hi, expr.at),
                                      .c = body.expr,
                                      .at = expr.at});
    result = value(node, result_type);
    merge_flags(result, body);
  }
  if (result.effect) {
    error(expr.at, "the expression under a quantifier must not have side effects");
    return bad();
  }
  return result;
}

}  // namespace harrier::uppaal
