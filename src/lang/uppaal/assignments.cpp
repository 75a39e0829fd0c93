// Assignments, and the updates and expression statements that are made of them.
#include "lang/uppaal/elaborator.h"

namespace harrier::uppaal {

void Elaborator::note_write(const Place& place, Context context) {
  if (context.frame == nullptr) return;
  if (place.root == Root::Global) context.frame->effect = true;
  if (place.root == Root::Local) {
    for (Frame::Block& block : context.frame->blocks) {
      if (place.data >= block.first && place.data < block.first + block.size()) block.written = true;
    }
  }
}

bool Elaborator::assignable(const Operand& target, const Expr& expr) {
  if (target.kind == OperandKind::Bad) return false;
  if (target.kind != OperandKind::Place) {
    error(expr.at, "this cannot be assigned to: it is not a variable");
    return false;
  }
  if (!target.place.writable) {
    error(expr.at, "a constant cannot be changed");
    return false;
  }
  if (target.type->channels > 0) {
    error(expr.at, "a channel cannot be assigned");
    return false;
  }
  return true;
}

Operand Elaborator::assign(const Expr& expr, Context context) {
  const Expr& to = *expr.a;
  if (to.kind == ExprKind::Conditional) {
    // (c ? a : b) = v is c ? (a = v) : (b = v).
    Expr then = expr, otherwise = expr, choice = to;
    then.a = to.b;
    otherwise.a = to.c;
    choice.b = &then;
    choice.c = &otherwise;
    return conditional(choice, context);
  }
  Operand target = lower(to, context);
  if (!assignable(target, to)) {
    lower(*expr.b, context);
    return bad();
  }
  if (target.type->kind == TypeKind::Clock) {
    error(expr.at, "a clock can only be reset by an update of its own, not inside an expression");
    return bad();
  }
  if (target.type->aggregate()) {
    unsupported(expr.at, "the assignment of a structure or array inside an expression");
    return bad();
  }
  return assign_scalar(std::move(target.place), expr, context);
}

Operand Elaborator::assign_scalar(Place place, const Expr& expr, Context context) {
  Operand from = scalar(*expr.b, context);
  if (from.kind == OperandKind::Bad) return from;
  if (expr.compound ? !(place.type->integral() && from.type->integral()) : !compatible(*place.type, *from.type)) {
    error(expr.at, "cannot assign " + describe(*from.type) + " to " + describe(*place.type));
    return bad();
  }
  ExprId prelude;
  if (expr.compound) {
    stabilise(place, context, prelude, expr.at);
    const Operand old = to_scalar(place_operand(place), expr.at);
    from = arithmetic(expr.op, old, from, expr.at);
  }
  const ExprId converted = convert(from, *place.type, place.root == Root::Local, expr.at);
  Operand result = value(comma(prelude, store(place, converted, context, expr.at), expr.at), place.type);
  result.lo = std::max<int64_t>(from.lo, place.type->lo);
  result.hi = std::min<int64_t>(from.hi, place.type->hi);
  if (result.lo > result.hi) result.lo = INT32_MIN, result.hi = INT32_MAX;
  result.effect = true;
  result.state |= from.state || place.root == Root::Global;
  result.local = true;
  return result;
}

Operand Elaborator::step(const Expr& expr, Context context) {
  Operand target = lower(*expr.a, context);
  if (!assignable(target, *expr.a)) return bad();
  if (target.type->kind != TypeKind::Int) {
    error(expr.at, "only an integer can be counted up or down, not " + describe(*target.type));
    return bad();
  }
  ExprId prelude;
  stabilise(target.place, context, prelude, expr.at);
  const Operand old = to_scalar(place_operand(target.place), expr.at);
  const Operand by = constant_value(expr.value, types_.wide_integer(), expr.at);
  const Operand sum = arithmetic(Op::Add, old, by, expr.at);
  const ExprId converted = convert(sum, *target.type, target.place.root == Root::Local, expr.at);
  ExprId stored = comma(prelude, store(target.place, converted, context, expr.at), expr.at);
  // The value of i++ is the old one: the new one, counted back.
  if (!expr.prefix) stored = system_.make_binary(Op::Sub, stored, by.expr, expr.at);
  Operand result = value(stored, types_.wide_integer());
  result.effect = true;
  result.state |= target.place.root == Root::Global;
  result.local = true;
  return result;
}

// An expression whose value is not used: an update of an edge or a statement.
void Elaborator::update(const Expr& expr, Context context, std::vector<StmtId>& out) {
  switch (expr.kind) {
    case ExprKind::Comma:
      update(*expr.a, context, out);
      update(*expr.b, context, out);
      return;
    case ExprKind::Assign: {
      const Expr& to = *expr.a;
      const Type* type = type_of_place(to, context);
      if (type == nullptr || (type->kind != TypeKind::Clock && !type->aggregate())) break;
      const Operand target = lower(to, context);
      if (!assignable(target, to)) return;
      if (expr.compound) {
        error(expr.at, "only '=' can be used for " + describe(*type));
      } else if (type->kind == TypeKind::Clock) {
        assign_clock(target.place, expr, context, out);
      } else {
        assign_aggregate(target.place, expr, context, out);
      }
      return;
    }
    case ExprKind::Conditional: {
      const Operand test = integer(*expr.a, context);
      std::vector<StmtId> then, otherwise;
      update(*expr.b, context, then);
      update(*expr.c, context, otherwise);
      if (test.kind == OperandKind::Bad) return;
      model::Stmt node{.kind = model::StmtKind::If, .expr = test.expr, .at = expr.at};
      node.a = as_block(then, expr.at);
      if (!otherwise.empty()) node.b = as_block(otherwise, expr.at);
      out.push_back(system_.make_stmt(node));
      return;
    }
    case ExprKind::Step: {
      // The value is not used: count beforehand, which is simpler.
      Expr prefix = expr;
      prefix.prefix = true;
      const Operand operand = step(prefix, context);
      if (operand.kind != OperandKind::Bad) out.push_back(system_.make_expr_stmt(operand.expr, expr.at));
      return;
    }
    default: break;
  }
  Operand operand = lower(expr, context);
  if (operand.kind == OperandKind::Bad) return;
  if (!operand.effect) {
    const bool constant_number = expr.kind == ExprKind::Number;
    if (!constant_number) warn(expr.at, "this expression has no effect");
    // It may still fail at run time.
    if (operand.kind == OperandKind::Place || system_.constant(operand.expr)) return;
  }
  if (operand.kind == OperandKind::Parts) {
    out.push_back(system_.make_expr_stmt(parts(operand, expr.at).front(), expr.at));
  } else {
    out.push_back(system_.make_expr_stmt(operand.expr, expr.at));
  }
}

void Elaborator::assign_clock(const Place& place, const Expr& expr, Context context, std::vector<StmtId>& out) {
  const Operand from = lower(*expr.b, context);
  if (is_clock(from)) {
    unsupported(expr.at, "the assignment of a clock to a clock");
    return;
  }
  const Operand number = to_scalar(from, expr.b->at);
  if (number.kind == OperandKind::Bad) return;
  if (!number.type->integral()) return error(expr.at, "a clock is set to an integer, not to " + describe(*number.type));
  if (const auto known = system_.constant(number.expr); known && *known < 0) {
    value_error(expr.at, "a clock cannot be set to the negative value " + std::to_string(*known));
  }
  model::Stmt reset{.kind = model::StmtKind::Reset,
                    .expr = with_range(number, expr.at),
                    .clock = model::ClockId(place.clock),
                    .at = expr.at};
  if (!place.terms.empty()) reset.offset = offset(place, &IndexTerm::clock_stride, reset.count, expr.at);
  if (context.frame != nullptr) context.frame->effect = true;
  out.push_back(system_.make_stmt(reset));
}

void Elaborator::assign_aggregate(const Place& place, const Expr& expr, Context context, std::vector<StmtId>& out) {
  const Operand from = lower(*expr.b, context);
  if (from.kind == OperandKind::Bad) return;
  if (from.kind == OperandKind::Void || from.kind == OperandKind::Clock || !compatible(*place.type, *from.type)) {
    return error(expr.at, "cannot assign " + describe(*from.type) + " to " + describe(*place.type));
  }
  if (place.type->clocks > 0) return unsupported(expr.at, "the assignment of structures or arrays with clocks");
  Place to = place;
  Operand source = from;
  ExprId prelude;
  stabilise(to, context, prelude, expr.at);
  if (source.kind == OperandKind::Place) stabilise(source.place, context, prelude, expr.at);
  if (prelude.valid()) out.push_back(system_.make_expr_stmt(prelude, expr.at));
  std::vector<ExprId> values = parts(source, expr.at);
  if (source.kind == OperandKind::Parts) {
    // All parts are computed before the first is stored: they may read the target.
    const uint32_t first = new_slots(static_cast<uint32_t>(values.size()), context);
    for (uint32_t i = 0; i < values.size(); ++i) {
      out.push_back(system_.make_expr_stmt(store_local(first + i, values[i], expr.at), expr.at));
      values[i] = local(first + i, expr.at);
    }
  }
  const auto to_leaves = leaves(*to.type);
  const auto from_leaves = leaves(*source.type);
  for (uint32_t i = 0; i < values.size(); ++i) {
    Place part = to;
    part.type = to_leaves[i];
    part.data += i;
    Operand one = value(values[i], from_leaves[i]);
    one.lo = from_leaves[i]->lo;
    one.hi = from_leaves[i]->hi;
    const ExprId converted = convert(one, *to_leaves[i], to.root == Root::Local, expr.at);
    out.push_back(system_.make_expr_stmt(store(part, converted, context, expr.at), expr.at));
  }
}

}  // namespace harrier::uppaal
