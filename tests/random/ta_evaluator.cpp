#include "random/ta_evaluator.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace harrier::testing_support {

namespace {

constexpr int kMaxLoop = 1000;
constexpr int32_t kSmallest = -32768;  // of an int without a range
constexpr int32_t kLargest = 32767;

int32_t narrow(int64_t v) {
  if (v < INT32_MIN || v > INT32_MAX) throw NetRuntimeError("overflow");
  return static_cast<int32_t>(v);
}

int32_t binary(TaOp op, int64_t a, int64_t b) {
  switch (op) {
    case TaOp::Mul: return narrow(a * b);
    case TaOp::Div:
    case TaOp::Mod:
      if (b == 0) throw NetRuntimeError("division by zero");
      return narrow(op == TaOp::Div ? a / b : a % b);
    case TaOp::Add: return narrow(a + b);
    case TaOp::Sub: return narrow(a - b);
    case TaOp::Shl:
    case TaOp::Shr:
      if (b < 0 || b > 31) throw NetRuntimeError("shift");
      return narrow(op == TaOp::Shl ? a * (int64_t{1} << b) : a >> b);
    case TaOp::Min: return static_cast<int32_t>(std::min(a, b));
    case TaOp::Max: return static_cast<int32_t>(std::max(a, b));
    case TaOp::Lt: return a < b;
    case TaOp::Le: return a <= b;
    case TaOp::Ge: return a >= b;
    case TaOp::Gt: return a > b;
    case TaOp::Eq: return a == b;
    case TaOp::Ne: return a != b;
    case TaOp::BitAnd: return static_cast<int32_t>(a & b);
    case TaOp::BitXor: return static_cast<int32_t>(a ^ b);
    case TaOp::BitOr: return static_cast<int32_t>(a | b);
    default: std::abort();
  }
}

}  // namespace

// ---- where values are ----

void TaEvaluator::add_variable(const TaVariable& v, std::vector<uint32_t>& bases) {
  bases.push_back(static_cast<uint32_t>(initial_.size()));
  for (size_t i = 0; i < std::max<size_t>(v.size, 1); ++i) {
    initial_.push_back(v.initial[i]);
    lows_.push_back(v.lo);
    highs_.push_back(v.hi);
  }
}

void TaEvaluator::add_process(TaProcess& process) {
  process.location = static_cast<uint32_t>(initial_.size());
  initial_.push_back(static_cast<int32_t>(process.of->initial));
  lows_.push_back(0);
  highs_.push_back(static_cast<int32_t>(process.of->locations.size()) - 1);
  for (const TaVariable& v : process.of->variables) add_variable(v, process.variables);
}

uint32_t TaEvaluator::clock(const TaPlace& place, const TaProcess& p) const {
  switch (place.scope) {
    case TaScope::Global: return static_cast<uint32_t>(1 + place.index);
    case TaScope::Local: return p.first_clock + static_cast<uint32_t>(place.index);
    case TaScope::Reference: return static_cast<uint32_t>(1 + p.instance->arguments[place.index]);
  }
  return 0;
}

uint32_t TaEvaluator::address(const TaExpr& e, Context& context) {
  uint32_t base = 0;
  size_t size = 0;
  switch (e.place.scope) {
    case TaScope::Global:
      base = global_base_[e.place.index];
      size = model_.variables[e.place.index].size;
      break;
    case TaScope::Local:
      base = context.process->variables[e.place.index];
      size = context.process->of->variables[e.place.index].size;
      break;
    case TaScope::Reference:
      base = global_base_[static_cast<size_t>(context.process->instance->arguments[e.place.index])];
      break;
  }
  if (e.args.empty()) return base;
  const int32_t index = value(*e.args[0], context);
  if (index < 0 || index >= static_cast<int32_t>(size)) throw NetRuntimeError("array index");
  return base + static_cast<uint32_t>(index);
}

TaEvaluator::Context::Target TaEvaluator::slot(size_t number, Context& context) const {
  if (context.references[number].value != nullptr) return context.references[number];
  const TaSlot& s = model_.slots[number];
  return {&context.slots[number], s.bounded ? s.lo : kSmallest, s.bounded ? s.hi : kLargest};
}

TaEvaluator::Context::Target TaEvaluator::target(const TaExpr& e, Context& context) {
  if (e.op == TaOp::Slot) return slot(static_cast<size_t>(e.value), context);
  const uint32_t at = address(e, context);
  return {&(*context.values)[at], lows_[at], highs_[at]};
}

void TaEvaluator::store(const Context::Target& to, int32_t v) {
  if (v < to.lo || v > to.hi) throw RangeViolation{};
  *to.value = v;
}

void TaEvaluator::reset(const TaPlace& place, const TaExpr& to, Context& context) {
  const int32_t v = value(to, context);
  if (v < 0) throw NetRuntimeError("negative clock value");
  context.resets->push_back({clock(place, *context.process), v});
}

// ---- expressions ----

int32_t TaEvaluator::value(const TaExpr& e, Context& context) {
  const auto arg = [&](size_t i) { return value(*e.args[i], context); };
  switch (e.op) {
    case TaOp::Const: return e.value;
    case TaOp::Variable: return (*context.values)[address(e, context)];
    case TaOp::Slot: return *slot(static_cast<size_t>(e.value), context).value;
    case TaOp::Parameter: return context.process->instance->arguments[static_cast<size_t>(e.value)];
    case TaOp::Call: return call(e, context);
    case TaOp::Neg: return narrow(-static_cast<int64_t>(arg(0)));
    case TaOp::Not: return arg(0) == 0;
    case TaOp::And: return arg(0) != 0 && arg(1) != 0;
    case TaOp::Or: return arg(0) != 0 || arg(1) != 0;
    case TaOp::Imply: return arg(0) == 0 || arg(1) != 0;
    case TaOp::Ite: return arg(0) != 0 ? arg(1) : arg(2);
    case TaOp::Forall:
    case TaOp::Exists:
    case TaOp::Sum: return quantified(e, context);
    case TaOp::Assign:
    case TaOp::AddAssign:
    case TaOp::SubAssign: {
      const int64_t right = arg(1);
      const int64_t left = e.op == TaOp::Assign ? 0 : arg(0);
      const int32_t v = narrow(e.op == TaOp::SubAssign ? left - right : left + right);
      store(target(*e.args[0], context), v);
      return v;
    }
    case TaOp::PostIncrement:
    case TaOp::PreIncrement:
    case TaOp::PostDecrement:
    case TaOp::PreDecrement: {
      const bool up = e.op == TaOp::PostIncrement || e.op == TaOp::PreIncrement;
      const int32_t old = arg(0);
      const int32_t v = old + (up ? 1 : -1);
      store(target(*e.args[0], context), v);
      return e.op == TaOp::PostIncrement || e.op == TaOp::PostDecrement ? old : v;
    }
    default: {
      const int32_t left = arg(0);
      return binary(e.op, left, arg(1));
    }
  }
}

int32_t TaEvaluator::quantified(const TaExpr& e, Context& context) {
  const auto number = static_cast<size_t>(e.value);
  int64_t sum = 0;
  for (int32_t v = model_.slots[number].lo; v <= model_.slots[number].hi; ++v) {
    context.slots[number] = v;
    const int32_t body = value(*e.args[0], context);
    if (e.op == TaOp::Forall && body == 0) return 0;
    if (e.op == TaOp::Exists && body != 0) return 1;
    sum += body;
  }
  if (e.op == TaOp::Sum) return narrow(sum);
  return e.op == TaOp::Forall;
}

// ---- functions ----

int32_t TaEvaluator::call(const TaExpr& e, Context& context) {
  const bool global = e.place.scope == TaScope::Global;
  const TaFunction& f = global ? model_.functions[e.place.index] : context.process->of->functions[e.place.index];
  // All arguments are evaluated before the first is stored: one may call the same function.
  std::vector<int32_t> values(e.args.size());
  std::vector<Context::Target> references(e.args.size());
  for (size_t i = 0; i < e.args.size(); ++i) {
    if (model_.slots[f.parameters[i]].reference) {
      references[i] = target(*e.args[i], context);
    } else {
      values[i] = value(*e.args[i], context);
    }
  }
  for (size_t i = 0; i < e.args.size(); ++i) {
    context.references[f.parameters[i]] = references[i];
    if (references[i].value == nullptr) store(slot(f.parameters[i], context), values[i]);
  }
  declare(f.locals, context);
  int32_t result = 0;
  run(f.body, context, result);
  const int32_t lo = f.bounded ? f.lo : kSmallest, hi = f.bounded ? f.hi : kLargest;
  if (f.returns_value && (result < lo || result > hi)) throw RangeViolation{};
  return result;
}

void TaEvaluator::declare(const std::vector<TaLocal>& locals, Context& context) {
  for (const TaLocal& local : locals) store(slot(local.slot, context), value(*local.initial, context));
}

// True when a return statement was met.
bool TaEvaluator::run(const std::vector<TaStatement>& body, Context& context, int32_t& result) {
  return std::any_of(body.begin(), body.end(), [&](const TaStatement& s) { return run(s, context, result); });
}

bool TaEvaluator::run(const TaStatement& s, Context& context, int32_t& result) {
  switch (s.kind) {
    case TaStatement::Kind::Expression: value(*s.expr, context); return false;
    case TaStatement::Kind::Reset: reset(s.clock, *s.expr, context); return false;
    case TaStatement::Kind::Return:
      if (s.expr) result = value(*s.expr, context);
      return true;
    case TaStatement::Kind::If: return run(value(*s.expr, context) != 0 ? s.body : s.otherwise, context, result);
    case TaStatement::Kind::While:
      for (int rounds = 0; value(*s.expr, context) != 0; ++rounds) {
        if (rounds > kMaxLoop) throw NetRuntimeError("endless loop");
        if (run(s.body, context, result)) return true;
      }
      return false;
    case TaStatement::Kind::ForRange:
      for (int32_t i = model_.slots[s.slot].lo; i <= model_.slots[s.slot].hi; ++i) {
        context.slots[s.slot] = i;
        if (run(s.body, context, result)) return true;
      }
      return false;
    case TaStatement::Kind::ForLoop: {
      int32_t& i = context.slots[s.slot];
      for (i = 0; i <= s.last; ++i) {
        if (run(s.body, context, result)) return true;
      }
      return false;
    }
    case TaStatement::Kind::Block: declare(s.locals, context); return run(s.body, context, result);
  }
  return false;
}

}  // namespace harrier::testing_support
