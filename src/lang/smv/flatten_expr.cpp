// Names and expressions in the scope of an instance.
#include <algorithm>
#include <limits>

#include "base/suggest.h"
#include "lang/smv/flattener.h"

namespace harrier::smv {

namespace {

constexpr uint32_t kDeep = 600;  // a definition that is reached from here is evaluated on its own

}  // namespace

class Flattener::Deeper {
 public:
  explicit Deeper(uint32_t& depth) : depth_(depth) { ++depth_; }
  ~Deeper() { --depth_; }
  Deeper(const Deeper&) = delete;
  Deeper& operator=(const Deeper&) = delete;

 private:
  uint32_t& depth_;
};

Value Flattener::evaluated(ExprPtr expr, Instance& scope) {
  for (;;) {
    try {
      return eval(expr, scope);
    } catch (const TooDeep& found) {
      evaluate_alone(found);
    }
  }
}

// A definition, after those that it needs at great depth.
void Flattener::evaluate_alone(TooDeep first) {
  std::vector<TooDeep> open{std::move(first)};
  const auto mark = [](const TooDeep& one, bool waiting) {
    for (Define* define : one.waiting) define->waiting = waiting;
  };
  mark(open.back(), true);
  const uint32_t depth = depth_;
  while (!open.empty()) {
    diagnostics_.poll();
    depth_ = 0;
    try {
      value_of(*open.back().define);
      mark(open.back(), false);
      open.pop_back();
    } catch (const TooDeep& found) {
      mark(found, true);
      open.push_back(found);
    } catch (const Failure&) {
      for (const TooDeep& one : open) mark(one, false);
      depth_ = depth;
      throw;
    }
  }
  depth_ = depth;
}

Value Flattener::value_of(Define& define) {
  using enum Define::State;
  if (define.state == Done) return define.value;
  if (define.state == Bad) throw Failure();
  if (define.state == Busy || define.waiting) {
    define.state = Bad;
    values_.fail(define.at, "the definition of '" + define.name + "' depends on itself");
  }
  if (depth_ > kDeep) throw TooDeep{&define};
  diagnostics_.poll();
  define.state = Busy;
  try {
    define.value = eval(define.expr, *define.scope);
  } catch (TooDeep& found) {
    define.state = New;
    found.waiting.push_back(&define);
    throw;
  } catch (const Failure&) {
    define.state = Bad;
    throw;
  }
  define.state = Done;
  return define.value;
}

Value Flattener::value_of(const Ref& ref, ExprPtr expr) {
  switch (ref.kind) {
    case RefKind::Variable: return {out_.variables[ref.variable].type, out_.current(ref.variable)};
    case RefKind::Define: return value_of(*ref.define);
    case RefKind::Value: return ref.value;
    case RefKind::Array: values_.refuse(expr->at, "a whole array as a value");
    case RefKind::Instance: values_.fail(expr->at, "an instance of a module is no value");
    case RefKind::None: break;
  }
  throw Failure();
}

void Flattener::fail_unknown(const std::string& name, const Instance& instance, SourceRef at) {
  std::vector<std::string> known = values_.symbol_names();
  for (const auto& [other, ref] : instance.symbols) known.push_back(other);
  for (const auto& [other, actual] : instance.parameters) known.push_back(other);
  std::sort(known.begin(), known.end());
  const std::string hint = known.size() > 10'000 ? "" : suggestion(name, known);
  values_.fail(at, "'" + instance.path + name + "' is not declared" + (hint.empty() ? "" : "; " + hint));
}

// What an instance calls by this name; None: nothing.
Flattener::Ref Flattener::lookup(const std::string& name, Instance& instance, SourceRef at) {
  if (const auto found = instance.symbols.find(name); found != instance.symbols.end()) return found->second;
  const auto parameter = instance.parameters.find(name);
  if (parameter == instance.parameters.end()) return {};
  Actual& actual = parameter->second;
  if (actual.busy) values_.fail(at, "the parameter '" + instance.path + name + "' depends on itself");
  actual.busy = true;
  const auto done = [&](Ref ref) {
    actual.busy = false;
    return ref;
  };
  try {
    switch (actual.expr->kind) {
      case ExprKind::Name:
      case ExprKind::Member:
      case ExprKind::Index: return done(resolve(actual.expr, *actual.scope));
      default: return done({.kind = RefKind::Value, .value = eval(actual.expr, *actual.scope)});
    }
  } catch (...) {
    actual.busy = false;
    throw;
  }
}

Flattener::Ref Flattener::resolve(ExprPtr expr, Instance& scope) {
  const Deeper deeper(depth_);
  if (expr->kind == ExprKind::Name) return resolve_name(expr, scope);
  if (expr->kind == ExprKind::Index) return resolve_index(expr, scope);
  if (expr->kind != ExprKind::Member) return {.kind = RefKind::Value, .value = eval(expr, scope)};
  const Ref base = resolve(expr->args[0], scope);
  if (base.kind != RefKind::Instance) values_.fail(expr->at, "only an instance of a module has members");
  if (expr->text == "running") return running(*base.instance, expr->at);
  Ref found = lookup(expr->text, *base.instance, expr->at);
  if (found.kind == RefKind::None) fail_unknown(expr->text, *base.instance, expr->at);
  return found;
}

// An instance runs with the process that it is a part of.
Flattener::Ref Flattener::running(const Instance& instance, SourceRef at) {
  return {.kind = RefKind::Value, .value = values_.boolean(values_.terms().running(instance.process, at))};
}

Flattener::Ref Flattener::resolve_name(ExprPtr expr, Instance& scope) {
  if (expr->text == "self") return {.kind = RefKind::Instance, .instance = &scope};
  if (expr->text == "running") return running(scope, expr->at);
  Ref found = lookup(expr->text, scope, expr->at);
  if (found.kind != RefKind::None) return found;
  if (!values_.is_symbol(expr->text)) fail_unknown(expr->text, scope, expr->at);
  return {.kind = RefKind::Value, .value = values_.symbol_value(values_.symbol(expr->text), expr->at)};
}

Flattener::Ref Flattener::resolve_index(ExprPtr expr, Instance& scope) {
  const Ref base = resolve(expr->args[0], scope);
  if (base.kind != RefKind::Array) values_.fail(expr->at, "only arrays have elements; bits of a word are w[i:i]");
  const Value index = eval(expr->args[1], scope);
  const auto number = values_.constant(index);
  if (!number) return {.kind = RefKind::Value, .value = element_of(*base.array, index, expr)};
  const int64_t place = int64_t{*number} - base.array->lo;
  if (place < 0 || place >= static_cast<int64_t>(base.array->elements.size())) {
    values_.fail(expr->at, "the array has no element " + std::to_string(*number));
  }
  return base.array->elements[static_cast<size_t>(place)];
}

// The element whose number is known only when the model runs.
Value Flattener::element_of(const Array& array, const Value& index, ExprPtr expr) {
  Terms& terms = values_.terms();
  const bool is_word = index.type.kind == TypeKind::Word;
  if (index.set) values_.refuse(expr->at, "a set as an index");
  const TermId number = is_word ? index.term : values_.to_integer(index, expr->at);
  const Term bounds = terms[number];
  const auto last = array.lo + static_cast<int64_t>(array.elements.size()) - 1;
  Value out{value_of(array.elements.front(), expr).type, terms.fail("index outside of the array", expr->at)};
  bool needed = bounds.lo < array.lo || bounds.hi > last;  // a test of the index
  for (size_t i = array.elements.size(); i-- > 0;) {
    const int64_t place = array.lo + static_cast<int64_t>(i);
    if (place < bounds.lo || place > bounds.hi) continue;
    const Value element = value_of(array.elements[i], expr);
    const TermId is_it = terms.equal(number, terms.constant(static_cast<int32_t>(place)), expr->at);
    out = needed ? values_.conditional(is_it, element, out, expr->at) : element;
    needed = true;
  }
  return out;
}

Value Flattener::eval_reference(ExprPtr expr, Instance& scope) { return value_of(resolve(expr, scope), expr); }

TermId Flattener::condition(ExprPtr expr, Instance& scope) { return values_.to_boolean(eval(expr, scope), expr->at); }

Value Flattener::eval_case(ExprPtr expr, Instance& scope) {
  std::vector<std::pair<TermId, Value>> branches;
  bool complete = false;
  for (size_t i = 0; i + 1 < expr->args.size(); i += 2) {
    const TermId when = condition(expr->args[i], scope);
    Value value = eval(expr->args[i + 1], scope);
    if (complete || values_.terms().is_false(when)) continue;
    complete = values_.terms().is_true(when);
    branches.emplace_back(when, std::move(value));
  }
  if (branches.empty()) values_.fail(expr->at, "no condition of this case can hold");
  Value out = branches.back().second;
  if (!complete) {
    out = {out.type, values_.terms().fail("no condition of the case holds", expr->at)};
  } else {
    branches.pop_back();
  }
  for (size_t i = branches.size(); i-- > 0;) {
    out = values_.conditional(branches[i].first, branches[i].second, out, expr->at);
  }
  return out;
}

Value Flattener::eval(ExprPtr expr, Instance& scope) {
  const Deeper deeper(depth_);
  diagnostics_.poll();
  Terms& terms = values_.terms();
  const auto operand = [&](size_t i) { return eval(expr->args[i], scope); };
  const auto operands = [&] {
    std::vector<Value> out;
    for (const ExprPtr arg : expr->args) out.push_back(eval(arg, scope));
    return out;
  };
  switch (expr->kind) {
    case ExprKind::Number:
      if (expr->value > std::numeric_limits<int32_t>::max()) values_.refuse(expr->at, "a number of more than 32 bits");
      return values_.integer(terms.constant(static_cast<int32_t>(expr->value), expr->at));
    case ExprKind::Word: return values_.word_literal(expr->text, expr->at);
    case ExprKind::True: return values_.boolean(terms.truth(true));
    case ExprKind::False: return values_.boolean(terms.truth(false));
    case ExprKind::Name:
    case ExprKind::Member:
    case ExprKind::Index: return eval_reference(expr, scope);
    case ExprKind::Bits: return values_.bits(operand(0), operand(1), operand(2), expr->at);
    case ExprKind::Not:
    case ExprKind::Neg: return values_.unary(expr->kind, operand(0), expr->at);
    case ExprKind::And:
    case ExprKind::Or: return values_.connective(expr->kind, operands(), expr->at);
    case ExprKind::Xor:
    case ExprKind::Xnor:
    case ExprKind::Implies:
    case ExprKind::Iff:
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge:
    case ExprKind::Add:
    case ExprKind::Sub:
    case ExprKind::Mul:
    case ExprKind::Div:
    case ExprKind::Mod:
    case ExprKind::Shl:
    case ExprKind::Shr:
    case ExprKind::Concat: return values_.binary(expr->kind, operand(0), operand(1), expr->at);
    case ExprKind::Union:
    case ExprKind::Set: return values_.set_of(operands(), expr->at);
    case ExprKind::In: return values_.membership(operand(0), operand(1), expr->at);
    case ExprKind::Range: return values_.range(operand(0), operand(1), expr->at);
    case ExprKind::Conditional:
      return values_.conditional(condition(expr->args[0], scope), operand(1), operand(2), expr->at);
    case ExprKind::Case: return eval_case(expr, scope);
    case ExprKind::Next: {
      const Value inner = operand(0);
      forbid(inner, kMentionsNext | kMentionsInput | kMentionsRunning, expr->at, "'next'");
      return out_.shifted(inner);
    }
    case ExprKind::Call: return values_.call(expr->text, operands(), expr->at);
    case ExprKind::Temporal: values_.fail(expr->at, "a temporal operator inside of an expression");
  }
  throw Failure();
}

}  // namespace harrier::smv
