#include "model/system.h"

#include <algorithm>

#include "model/axioms.h"
#include "model/operators.h"

namespace harrier::model {

std::string fault_text(const System& system, Fault fault) {
  switch (fault) {
    case Fault::None: return "no fault";
    case Fault::RangeViolation: return "value out of the variable's range";
    case Fault::DivisionByZero: return "division by zero";
    case Fault::IndexOutOfBounds: return "array index out of bounds";
    case Fault::Overflow: return "integer overflow";
    case Fault::BadShift: return "shift distance outside 0..31";
    case Fault::NegativeClock: return "clock set to a negative value";
    case Fault::StepLimit: return "function does not come to an end";
    case Fault::Raised: break;
  }
  return system.faults.at(static_cast<size_t>(fault) - static_cast<size_t>(Fault::Raised));
}

int32_t apply_unary(Op op, int32_t a, Fault& fault) {
  switch (static_cast<UnaryOp>(op)) {
    case UnaryOp::Neg:
      if (a == INT32_MIN) {
        fault = Fault::Overflow;
        return 0;
      }
      return -a;
    case UnaryOp::Not: return a == 0;
    case UnaryOp::BitNot: return ~a;
  }
  return 0;
}

int32_t apply_binary(Op op, int32_t a, int32_t b, Fault& fault) {
  if (is_comparison(op)) return compare(op, a, b);
  int32_t result = 0;
  switch (static_cast<ArithmeticOp>(op)) {
    case ArithmeticOp::Add:
      if (__builtin_add_overflow(a, b, &result)) fault = Fault::Overflow;
      break;
    case ArithmeticOp::Sub:
      if (__builtin_sub_overflow(a, b, &result)) fault = Fault::Overflow;
      break;
    case ArithmeticOp::Mul:
      if (__builtin_mul_overflow(a, b, &result)) fault = Fault::Overflow;
      break;
    case ArithmeticOp::Div:
    case ArithmeticOp::Mod:
      if (b == 0) {
        fault = Fault::DivisionByZero;
      } else if (a == INT32_MIN && b == -1) {
        if (op == Op::Div) fault = Fault::Overflow;
      } else {
        return op == Op::Div ? a / b : a % b;
      }
      break;
    case ArithmeticOp::Shl:
    case ArithmeticOp::Shr:
      if (b < 0 || b > 31) {
        fault = Fault::BadShift;
      } else if (op == Op::Shr) {
        return a >> b;
      } else {
        const int64_t wide = static_cast<int64_t>(a) * (int64_t{1} << b);
        if (wide < INT32_MIN || wide > INT32_MAX) {
          fault = Fault::Overflow;
        } else {
          return static_cast<int32_t>(wide);
        }
      }
      break;
    case ArithmeticOp::BitAnd: return a & b;
    case ArithmeticOp::BitOr: return a | b;
    case ArithmeticOp::BitXor: return a ^ b;
    case ArithmeticOp::Min: return std::min(a, b);
    case ArithmeticOp::Max: return std::max(a, b);
  }
  return fault == Fault::None ? result : 0;
}

std::vector<int32_t> System::initial_values() const {
  std::vector<int32_t> values;
  values.reserve(variables.size());
  for (const Variable& variable : variables) values.push_back(variable.initial);
  derive(*this, values);
  return values;
}

bool System::has_priorities() const {
  const auto channel_differs = [&](const Channel& c) { return c.priority != internal_priority; };
  const auto process_differs = [&](const Process& p) { return p.priority != processes.front().priority; };
  return std::any_of(channels.begin(), channels.end(), channel_differs) ||
         std::any_of(processes.begin(), processes.end(), process_differs);
}

bool System::has_choices() const {
  return beginning.valid() ||
         std::any_of(stmts.begin(), stmts.end(), [](const Stmt& s) { return s.kind == StmtKind::Choose; });
}

bool System::is_preemptive() const {
  return control.valid() || has_priorities() ||
         std::any_of(edges.begin(), edges.end(), [](const Edge& e) { return e.urgency != 0 || e.when_idle; });
}

std::optional<int32_t> System::constant(ExprId id) const {
  if (!id.valid() || expr(id).op != Op::Const) return std::nullopt;
  return expr(id).value;
}

ExprId System::make(Expr node) {
  exprs.push_back(node);
  return ExprId(exprs.size() - 1);
}

ExprId System::make_const(int32_t value, SourceRef at) { return make({.op = Op::Const, .value = value, .at = at}); }

ExprId System::make_var(VarId var, SourceRef at) { return make({.op = Op::Var, .base = var.value, .at = at}); }

ExprId System::make_unary(Op op, ExprId a, SourceRef at) {
  if (const auto value = constant(a)) {
    Fault fault = Fault::None;
    const int32_t folded = apply_unary(op, *value, fault);
    if (fault == Fault::None) return make_const(folded, at);
  }
  return make({.op = op, .a = a, .at = at});
}

ExprId System::make_binary(Op op, ExprId a, ExprId b, SourceRef at) {
  const auto left = constant(a);
  const auto right = constant(b);
  const auto is_boolean = [&](ExprId id) { return is_truth(expr(id).op); };
  if (is_connective(op)) {
    // A constant left side decides or vanishes; a constant right side may only vanish, for the left side
    // may fail at run time.
    const bool neutral = op == Op::And;
    if (left) {
      if ((*left != 0) != neutral) return make_const(!neutral, at);
      if (right) return make_const(*right != 0, at);
      if (is_boolean(b)) return b;
    } else if (right && (*right != 0) == neutral && is_boolean(a)) {
      return a;
    }
  } else if (left && right) {
    Fault fault = Fault::None;
    const int32_t folded = apply_binary(op, *left, *right, fault);
    if (fault == Fault::None) return make_const(folded, at);
  }
  return make({.op = op, .a = a, .b = b, .at = at});
}

ExprId System::make_ite(ExprId condition, ExprId then, ExprId otherwise, SourceRef at) {
  if (const auto value = constant(condition)) return *value != 0 ? then : otherwise;
  return make({.op = Op::Ite, .a = condition, .b = then, .c = otherwise, .at = at});
}

StmtId System::make_stmt(Stmt stmt) {
  stmts.push_back(stmt);
  return StmtId(stmts.size() - 1);
}

StmtId System::make_block(std::span<const StmtId> statements, SourceRef at) {
  Stmt block{.kind = StmtKind::Block, .at = at};
  block.first = static_cast<uint32_t>(children.size());
  block.count = static_cast<uint32_t>(statements.size());
  children.insert(children.end(), statements.begin(), statements.end());
  return make_stmt(block);
}

StmtId System::make_expr_stmt(ExprId expr, SourceRef at) {
  return make_stmt({.kind = StmtKind::Expr, .expr = expr, .at = at});
}

ExprId System::make_fail(std::string_view text, SourceRef at) {
  const auto known = std::find(faults.begin(), faults.end(), text);
  const auto number = static_cast<int32_t>(known - faults.begin());
  if (known == faults.end()) faults.emplace_back(text);
  return make({.op = Op::Fail, .value = static_cast<int32_t>(Fault::Raised) + number, .at = at});
}

}  // namespace harrier::model
