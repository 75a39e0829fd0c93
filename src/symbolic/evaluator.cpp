#include "symbolic/evaluator.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "base/error.h"
#include "model/operators.h"

namespace harrier::symbolic {

using model::Expr;
using model::ExprId;
using model::Fault;
using model::Op;
using model::OpKind;
using model::Stmt;
using model::StmtId;
using model::StmtKind;
using model::VarId;

namespace {

constexpr uint32_t kMostRounds = 20'000;  // of the loops and quantifiers of an evaluation
constexpr uint32_t kDeepest = 100;        // calls inside each other

}  // namespace

void Evaluator::begin(const Bdd& where, Violations violations) {
  violations_ = violations;
  alive_ = where;
  reached_ = where;
  returned_ = Bdd();
  values_.clear();
  bound_.clear();
  conjuncts_.clear();
  failures_.clear();
  choices_.clear();
  choice_bits_ = 0;
  rounds_ = 0;
}

void Evaluator::refuse(const std::string& what, SourceRef at) const {
  throw Error(ErrorKind::Unsupported,
              "unsupported: " + what + " in the symbolic engine at " + encoding_.system().sources.describe(at));
}

void Evaluator::add_conjunct(Bdd conjunct) {
  if (!conjunct.is_true()) conjuncts_.push_back(std::move(conjunct));
}

void Evaluator::add_failure(const model::EvalFailure& what, const Bdd& when) {
  if (when.is_false()) return;
  failures_.push_back({what, when, conjuncts_.size()});
  add_conjunct(!when);
}

void Evaluator::fault(Fault what, SourceRef at, const Bdd& where) {
  const Bdd when = reached_ & where;
  if (when.is_false()) return;
  if (what == Fault::RangeViolation && violations_ == Violations::Block) {
    add_conjunct(!when);
  } else {
    add_failure({what, at}, when);
  }
  reached_ -= when;
  alive_ -= when;
}

void Evaluator::round(SourceRef at) {
  watch_.poll();
  if (++rounds_ > kMostRounds) refuse("a loop of more than " + std::to_string(kMostRounds) + " rounds", at);
}

Number Evaluator::in_32_bits(const Number& value, SourceRef at) {
  fault(Fault::Overflow, at, outside_32_bits(value));
  return low_32_bits(value);
}

void Evaluator::write_slot(Frame& frame, uint32_t slot, const Number& value) const {
  Number& target = frame.slots[slot];
  target = reached_ == (frame.running & alive_) ? value : ite(reached_, value, target);
}

const Number& Evaluator::number(VarId v) const {
  const auto written = values_.find(v);
  return written != values_.end() ? written->second : encoding_.number(v, Moment::Now);
}

void Evaluator::set(VarId v, const Number& value, const Bdd& condition) {
  values_[v] = ite(condition, value, number(v));
}

Number Evaluator::choose(int64_t low, uint64_t count) {
  std::vector<Bdd> digits;
  for (auto i = static_cast<size_t>(std::bit_width(count - 1)); i > 0; --i) {
    digits.push_back(encoding_.manager().bit(encoding_.choice_bit(choice_bits_++)));
  }
  Number value = add(Number::from_unsigned(std::move(digits)), Number(low));
  add_conjunct(!(reached_ & less(Number(low + static_cast<int64_t>(count) - 1), value)));
  return value;
}

Number Evaluator::evaluate(ExprId expr) {
  Frame frame{std::vector<Number>(encoding_.system().quantifier_slots), reached_};
  return eval(expr, frame);
}

Bdd Evaluator::assume_all(std::span<const ExprId> conditions) {
  for (const ExprId condition : conditions) {
    reached_ &= evaluate(condition).truth();
    alive_ = reached_;
  }
  return reached_;
}

void Evaluator::execute(std::span<const StmtId> statements) {
  Frame frame{std::vector<Number>(encoding_.system().quantifier_slots), reached_};
  for (const StmtId s : statements) run(s, frame);
  reached_ |= std::exchange(returned_, Bdd());
}

void Evaluator::execute_if(const Bdd& condition, std::span<const StmtId> statements) {
  const Bdd others = reached_ - condition;
  reached_ &= condition;
  execute(statements);
  reached_ |= others;
}

void Evaluator::require_if(const Bdd& condition, std::span<const ExprId> conditions) {
  const Bdd others = reached_ - condition;
  reached_ &= condition;
  for (const ExprId c : conditions) {
    const Bdd holds = evaluate(c).truth();
    const Bdd blocked = reached_ - holds;
    add_conjunct(!blocked);
    reached_ -= blocked;
    alive_ -= blocked;
  }
  reached_ |= others;
}

void Evaluator::check_index(const Expr& e, const Number& index) {
  fault(Fault::IndexOutOfBounds, e.at, outside(index, 0, static_cast<int64_t>(e.count) - 1));
}

template <class Visit>
void Evaluator::for_each_element(const Expr& e, const Number& index, const Visit& visit) {
  if (index.is_constant()) {
    const int64_t i = index.constant();
    if (i >= 0 && i < static_cast<int64_t>(e.count)) visit(e.base + static_cast<uint32_t>(i), Bdd(true));
    return;
  }
  for (uint32_t i = 0; i < e.count; ++i) {
    watch_.poll();
    const Bdd here = equal(index, Number(i));
    if (intersects(here, reached_)) visit(e.base + i, here);
  }
}

Number Evaluator::eval(ExprId id, Frame& frame) {
  if (reached_.is_false()) return Number(0);
  const Expr& e = encoding_.system().expr(id);
  switch (kind_of(e.op)) {
    case OpKind::Const: return Number(e.value);
    case OpKind::Var: return number(VarId(e.base));
    case OpKind::Local: return frame.slots[e.base];
    case OpKind::Load:
    case OpKind::LoadLocal: {
      const Number index = eval(e.a, frame);
      check_index(e, index);
      Number out(0);
      for_each_element(e, index, [&](uint32_t element, const Bdd& here) {
        out = ite(here, e.op == Op::Load ? number(VarId(element)) : frame.slots[element], out);
      });
      return out;
    }
    case OpKind::Index: {
      Number index = eval(e.a, frame);
      check_index(e, index);
      return index;
    }
    case OpKind::InRange: {
      Number value = eval(e.a, frame);
      const Number lo = eval(e.b, frame);
      const Number hi = eval(e.c, frame);
      fault(Fault::RangeViolation, e.at, less(value, lo) | less(hi, value));
      return value;
    }
    case OpKind::Unary: {
      const Number a = eval(e.a, frame);
      switch (static_cast<model::UnaryOp>(e.op)) {
        case model::UnaryOp::Neg: return in_32_bits(subtract(Number(0), a), e.at);
        case model::UnaryOp::Not: return Number(!a.truth());
        case model::UnaryOp::BitNot: break;
      }
      return bit_not(a);
    }
    case OpKind::Arithmetic: {
      const Number a = eval(e.a, frame);
      const Number b = eval(e.b, frame);
      return arithmetic(e, a, b);
    }
    case OpKind::Comparison: {
      const Number a = eval(e.a, frame);
      const Number b = eval(e.b, frame);
      return Number(compare(e.op, a, b));
    }
    case OpKind::Connective: return connective(e, frame);
    case OpKind::Ite: return conditional(e, frame);
    case OpKind::Quantifier: return quantify(e, frame);
    case OpKind::Call: return call(e, frame);
    case OpKind::Store: return store(e, frame);
    case OpKind::StoreLocal: return store_local(e, frame);
    case OpKind::Comma: eval(e.a, frame); return eval(e.b, frame);
    case OpKind::Fail: fault(static_cast<Fault>(e.value), e.at, Bdd(true)); return Number(0);
  }
  throw Error(ErrorKind::Internal, "the symbolic evaluator met an unknown operator");
}

Number Evaluator::arithmetic(const Expr& e, const Number& a, const Number& b) {
  switch (static_cast<model::ArithmeticOp>(e.op)) {
    case model::ArithmeticOp::Add: return in_32_bits(add(a, b), e.at);
    case model::ArithmeticOp::Sub: return in_32_bits(subtract(a, b), e.at);
    case model::ArithmeticOp::Mul: return in_32_bits(multiply(a, b), e.at);
    case model::ArithmeticOp::Div:
      fault(Fault::DivisionByZero, e.at, !b.truth());
      return in_32_bits(divide(a, b).quotient, e.at);
    case model::ArithmeticOp::Mod: fault(Fault::DivisionByZero, e.at, !b.truth()); return divide(a, b).remainder;
    case model::ArithmeticOp::Shl:
      fault(Fault::BadShift, e.at, outside(b, 0, 31));
      return in_32_bits(shift_left(a, b), e.at);
    case model::ArithmeticOp::Shr: fault(Fault::BadShift, e.at, outside(b, 0, 31)); return shift_right(a, b);
    case model::ArithmeticOp::BitAnd: return bit_and(a, b);
    case model::ArithmeticOp::BitOr: return bit_or(a, b);
    case model::ArithmeticOp::BitXor: return bit_xor(a, b);
    case model::ArithmeticOp::Min: return ite(less(a, b), a, b);
    case model::ArithmeticOp::Max: return ite(less(a, b), b, a);
  }
  return a;
}

Bdd Evaluator::compare(Op op, const Number& a, const Number& b) const {
  switch (static_cast<model::ComparisonOp>(op)) {
    case model::ComparisonOp::Lt: return less(a, b);
    case model::ComparisonOp::Le: return !less(b, a);
    case model::ComparisonOp::Eq: return equal(a, b);
    case model::ComparisonOp::Ne: return !equal(a, b);
    case model::ComparisonOp::Ge: return !less(a, b);
    case model::ComparisonOp::Gt: return less(b, a);
  }
  return {};
}

// The right operand is evaluated only where the left one does not decide.
Number Evaluator::connective(const Expr& e, Frame& frame) {
  const Bdd left = eval(e.a, frame).truth();
  const Bdd open = e.op == Op::And ? left : !left;
  const Bdd decided = reached_ - open;
  reached_ &= open;
  const Bdd right = eval(e.b, frame).truth();
  reached_ |= decided;
  return Number(e.op == Op::And ? left & right : left | right);
}

Number Evaluator::conditional(const Expr& e, Frame& frame) {
  const Bdd condition = eval(e.a, frame).truth();
  const Bdd otherwise = reached_ - condition;
  reached_ &= condition;
  const Number a = eval(e.b, frame);
  const Bdd after = std::exchange(reached_, otherwise);
  const Number b = eval(e.c, frame);
  reached_ |= after;
  return ite(condition, a, b);
}

Number Evaluator::quantify(const Expr& e, Frame& frame) {
  const Number from = eval(e.a, frame);
  const Number to = eval(e.b, frame);
  if (!from.is_constant() || !to.is_constant()) refuse("a quantifier over a range that is not constant", e.at);
  Number sum(0);
  Bdd decided;
  for (int64_t i = from.constant(); i <= to.constant() && !reached_.is_false(); ++i) {
    round(e.at);
    frame.slots[e.base] = Number(i);  // nobody else uses it
    const Number value = eval(e.c, frame);
    if (e.op == Op::Sum) {
      sum = in_32_bits(add(sum, value), e.at);
      continue;
    }
    const Bdd ends = reached_ & (e.op == Op::Exists ? value.truth() : !value.truth());
    decided |= ends;
    reached_ -= ends;
  }
  if (e.op == Op::Sum) return sum;
  reached_ |= decided;
  return Number(e.op == Op::Exists ? decided : !decided);
}

Number Evaluator::call(const Expr& e, Frame& frame) {
  const model::Function& function = encoding_.system().functions[e.base];
  if (++depth_ > kDeepest) refuse("calls of this depth", e.at);
  Frame inner{std::vector<Number>(std::max(function.slots, e.count)), {}};
  const auto arguments = encoding_.system().call_arguments(e);
  for (size_t i = 0; i < arguments.size(); ++i) inner.slots[i] = eval(arguments[i], frame);
  inner.running = reached_;
  const Bdd returned = std::exchange(returned_, Bdd());
  const Number outer = std::exchange(result_, Number(0));
  run(function.body, inner);
  reached_ |= std::exchange(returned_, returned);
  --depth_;
  return std::exchange(result_, outer);
}

void Evaluator::store_variable(VarId v, const Number& value, SourceRef at) {
  const model::Variable& variable = encoding_.system().variable(v);
  fault(Fault::RangeViolation, at, outside(value, variable.lo, variable.hi));
  const model::Interval& domain = encoding_.domain(v);
  if (domain != model::Interval{variable.lo, variable.hi}) {
    // No state that can be reached does that.
    const Bdd never = reached_ & outside(value, domain.lo, domain.hi);
    add_conjunct(!never);
    reached_ -= never;
    alive_ -= never;
  }
  values_[v] = reached_ == alive_ ? value : ite(reached_, value, number(v));
}

Number Evaluator::store(const Expr& e, Frame& frame) {
  if (!e.a.valid()) {
    Number value = eval(e.b, frame);
    store_variable(VarId(e.base), value, e.at);
    return value;
  }
  const Number index = eval(e.a, frame);
  check_index(e, index);
  Number value = eval(e.b, frame);
  for_each_element(e, index, [&](uint32_t element, const Bdd& here) {
    const Bdd others = reached_ - here;
    reached_ &= here;
    store_variable(VarId(element), value, e.at);
    reached_ |= others;
  });
  return value;
}

Number Evaluator::store_local(const Expr& e, Frame& frame) {
  if (!e.a.valid()) {
    Number value = eval(e.b, frame);
    if (const auto bound = bound_.find(e.base); bound != bound_.end() && reached_ == alive_) {
      const model::Interval& domain = encoding_.domain(bound->second);
      if (!intersects(alive_, outside(value, domain.lo, domain.hi))) {
        add_conjunct(equal(encoding_.number(bound->second, Moment::Next), value));
        value = encoding_.number(bound->second, Moment::Next);
      }
    }
    write_slot(frame, e.base, value);
    return value;
  }
  const Number index = eval(e.a, frame);
  check_index(e, index);
  Number value = eval(e.b, frame);
  for_each_element(e, index, [&](uint32_t element, const Bdd& here) {
    const Bdd others = reached_ - here;
    reached_ &= here;
    write_slot(frame, element, value);
    reached_ |= others;
  });
  return value;
}

void Evaluator::run(StmtId id, Frame& frame) {
  if (!id.valid() || reached_.is_false()) return;
  watch_.poll();
  const Stmt& s = encoding_.system().stmt(id);
  switch (s.kind) {
    case StmtKind::Expr: eval(s.expr, frame); return;
    case StmtKind::Block:
      for (const StmtId child : encoding_.system().block(s)) run(child, frame);
      return;
    case StmtKind::If: run_if(s, frame); return;
    case StmtKind::While: run_while(s, frame); return;
    case StmtKind::Return: {
      const Number value = s.expr.valid() ? eval(s.expr, frame) : Number(0);
      result_ = returned_.is_false() ? value : ite(reached_, value, result_);
      returned_ |= reached_;
      frame.running -= reached_;
      reached_ = Bdd();
      return;
    }
    case StmtKind::Reset: refuse("a clock", s.at);
    case StmtKind::Choose: run_choose(s, frame); return;
    case StmtKind::Assume: run_assume(s, frame); return;
  }
}

void Evaluator::run_if(const Stmt& s, Frame& frame) {
  const Bdd condition = eval(s.expr, frame).truth();
  const Bdd otherwise = reached_ - condition;
  reached_ &= condition;
  run(s.a, frame);
  const Bdd after = std::exchange(reached_, otherwise);
  run(s.b, frame);
  reached_ |= after;
}

void Evaluator::run_while(const Stmt& s, Frame& frame) {
  Bdd left;
  while (!reached_.is_false()) {
    const Bdd condition = eval(s.expr, frame).truth();
    left |= reached_ - condition;
    reached_ &= condition;
    if (reached_.is_false()) break;
    round(s.at);
    run(s.a, frame);
  }
  reached_ = left;
}

void Evaluator::run_choose(const Stmt& s, Frame& frame) {
  const int64_t high = static_cast<int64_t>(s.low) + s.count - 1;
  const auto bound = bound_.find(s.first);
  const auto fits = [&](const model::Interval& domain) { return domain.contains(s.low) && domain.contains(high); };
  Number value;
  if (bound != bound_.end() && reached_ == alive_ && fits(encoding_.domain(bound->second))) {
    value = encoding_.number(bound->second, Moment::Next);
    add_conjunct(!outside(value, s.low, high));
  } else {
    value = choose(s.low, s.count);
  }
  choices_.push_back({value, reached_});
  write_slot(frame, s.first, value);
}

void Evaluator::run_assume(const Stmt& s, Frame& frame) {
  const Bdd holds = eval(s.expr, frame).truth();
  add_conjunct(reached_ == alive_ ? holds : !(reached_ - holds));
}

}  // namespace harrier::symbolic
