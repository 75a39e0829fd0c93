#include "abstraction/predicates/symbolic.h"

#include <algorithm>

#include "model/operators.h"

namespace harrier::abstraction {

using model::Expr;
using model::ExprId;
using model::Op;
using model::OpKind;
using model::Stmt;
using model::StmtId;
using model::StmtKind;

namespace {

constexpr size_t kMostTerms = 20'000;  // that one execution may make
constexpr uint32_t kLargestBlock = 64;
constexpr int64_t kMostRounds = 64;
constexpr int kDeepestCall = 16;

}  // namespace

Symbolic::Symbolic(const model::System& system, Terms& terms, model::Accesses& accesses,
                   const std::vector<bool>& opaque, const std::vector<model::ValueSet>& values)
    : system_(system), terms_(terms), accesses_(accesses), opaque_(opaque), values_(values) {
  start();
}

void Symbolic::start() {
  initial_.clear();
  writes_.clear();
  resets_.clear();
  conditions_.clear();
  frame_ = Frame{std::vector<TermId>(system_.quantifier_slots, 0)};
  path_ = 1;
  depth_ = 0;
  size_at_start_ = terms_.size();
}

void Symbolic::check_size() {
  if (terms_.size() > size_at_start_ + kMostTerms) throw GiveUp{};
}

TermId Symbolic::initial(uint32_t variable) {
  const model::ValueSet& set = values_[variable];
  if (!set.wide && set.values.size() == 1) return terms_.constant(set.values[0]);
  if (!opaque_[variable]) return terms_.variable(variable);
  const auto [at, fresh] = initial_.try_emplace(variable, 0);
  if (fresh) at->second = terms_.unknown(system_.variables[variable].lo, system_.variables[variable].hi);
  return at->second;
}

TermId Symbolic::read(uint32_t variable) {
  const auto at = writes_.find(variable);
  return at == writes_.end() ? initial(variable) : at->second;
}

void Symbolic::execute(std::span<const StmtId> statements) {
  const auto writes = writes_;
  const auto resets = resets_;
  const auto conditions = conditions_;
  try {
    size_at_start_ = terms_.size();
    for (const StmtId id : statements) run(id);
  } catch (const GiveUp&) {
    writes_ = writes;
    resets_ = resets;
    conditions_ = conditions;
    forget(statements);
  }
  frame_ = Frame{std::vector<TermId>(system_.quantifier_slots, 0)};
  path_ = 1;
  depth_ = 0;
}

void Symbolic::forget(std::span<const StmtId> statements) {
  for (const StmtId id : statements) {
    const model::Access access = accesses_.of(id);
    for (const model::VarId v : access.writes) {
      const model::Variable& variable = system_.variable(v);
      writes_[v.value] = terms_.unknown(variable.lo, variable.hi);
    }
    for (const model::ClockId clock : access.clocks_written) resets_.push_back({clock.value, std::nullopt});
  }
}

TermId Symbolic::value(ExprId expr) {
  const auto writes = writes_;
  const auto resets = resets_;
  const auto conditions = conditions_;
  TermId out = 0;
  try {
    size_at_start_ = terms_.size();
    out = evaluate(expr);
  } catch (const GiveUp&) {
    out = terms_.unknown();
  }
  writes_ = writes;
  resets_ = resets;
  conditions_ = conditions;
  frame_ = Frame{std::vector<TermId>(system_.quantifier_slots, 0)};
  path_ = 1;
  depth_ = 0;
  return out;
}

TermId Symbolic::evaluate(ExprId id) {
  check_size();
  const Expr& e = system_.expr(id);
  switch (model::kind_of(e.op)) {
    case OpKind::Const: return terms_.constant(e.value);
    case OpKind::Var: return read(e.base);
    case OpKind::Load: return load(e.base, e.count, evaluate(e.a));
    case OpKind::Local: return frame_.slots.at(e.base);
    case OpKind::LoadLocal: return load_local(e.base, e.count, evaluate(e.a));
    case OpKind::Index:
    case OpKind::InRange: return evaluate(e.a);
    case OpKind::Unary: return terms_.make(e.op, evaluate(e.a));
    case OpKind::Arithmetic:
    case OpKind::Comparison: {
      const TermId a = evaluate(e.a);
      return terms_.make(e.op, a, evaluate(e.b));
    }
    case OpKind::Connective: {
      const TermId a = evaluate(e.a);
      const TermId before = path_;
      path_ = terms_.conjunction(path_, e.op == Op::And ? a : terms_.make_not(a));
      const TermId b = evaluate(e.b);
      path_ = before;
      return terms_.make(e.op, a, b);
    }
    case OpKind::Ite: {
      const TermId a = evaluate(e.a);
      const TermId before = path_;
      path_ = terms_.conjunction(before, a);
      const TermId b = evaluate(e.b);
      path_ = terms_.conjunction(before, terms_.make_not(a));
      const TermId c = evaluate(e.c);
      path_ = before;
      return terms_.make(Op::Ite, a, b, c);
    }
    case OpKind::Quantifier: return quantifier(e);
    case OpKind::Call: return call(e);
    case OpKind::Store: return store(e);
    case OpKind::StoreLocal: return store_local(e);
    case OpKind::Comma: evaluate(e.a); return evaluate(e.b);
    case OpKind::Fail: return terms_.unknown();
  }
  throw GiveUp{};
}

TermId Symbolic::load(uint32_t first, uint32_t count, TermId index) {
  if (terms_.is_constant(index)) {
    const int32_t at = terms_[index].value;
    if (at < 0 || static_cast<uint32_t>(at) >= count) return terms_.unknown();
    return read(first + static_cast<uint32_t>(at));
  }
  if (count > kLargestBlock) {
    const model::Variable& any = system_.variables[first];
    int32_t lo = any.lo;
    int32_t hi = any.hi;
    for (uint32_t i = 1; i < count; ++i) {
      lo = std::min(lo, system_.variables[first + i].lo);
      hi = std::max(hi, system_.variables[first + i].hi);
    }
    return terms_.unknown(lo, hi);
  }
  TermId out = read(first + count - 1);
  for (uint32_t i = count - 1; i-- > 0;) {
    out = terms_.make(Op::Ite, terms_.make(Op::Eq, index, terms_.constant(static_cast<int32_t>(i))), read(first + i),
                      out);
  }
  return out;
}

TermId Symbolic::load_local(uint32_t first, uint32_t count, TermId index) {
  if (terms_.is_constant(index)) {
    const int32_t at = terms_[index].value;
    if (at < 0 || static_cast<uint32_t>(at) >= count) return terms_.unknown();
    return frame_.slots.at(first + static_cast<uint32_t>(at));
  }
  if (count > kLargestBlock) return terms_.unknown();
  TermId out = frame_.slots.at(first + count - 1);
  for (uint32_t i = count - 1; i-- > 0;) {
    out = terms_.make(Op::Ite, terms_.make(Op::Eq, index, terms_.constant(static_cast<int32_t>(i))),
                      frame_.slots.at(first + i), out);
  }
  return out;
}

TermId Symbolic::quantifier(const Expr& e) {
  const auto lo = system_.constant(e.a);
  const auto hi = system_.constant(e.b);
  if (!lo || !hi || int64_t{*hi} - *lo >= kMostRounds) throw GiveUp{};
  TermId out = terms_.constant(e.op == Op::Forall ? 1 : 0);
  for (int64_t i = *lo; i <= *hi; ++i) {
    frame_.slots.at(e.base) = terms_.constant(static_cast<int32_t>(i));
    const TermId value = evaluate(e.c);
    out = terms_.make(e.op == Op::Forall ? Op::And : e.op == Op::Exists ? Op::Or : Op::Add, out, value);
  }
  return e.op == Op::Sum || terms_.is_truth(out) ? out : terms_.make(Op::Ne, out, 0);
}

TermId Symbolic::call(const Expr& e) {
  if (++depth_ > kDeepestCall) throw GiveUp{};
  const model::Function& function = system_.functions[e.base];
  Frame frame{std::vector<TermId>(function.slots, 0)};
  const std::span<const ExprId> arguments = system_.call_arguments(e);
  for (size_t i = 0; i < arguments.size(); ++i) frame.slots.at(i) = evaluate(arguments[i]);
  std::swap(frame, frame_);
  const TermId before = path_;
  path_ = terms_.conjunction(path_, frame.running);
  run(function.body);
  path_ = before;
  std::swap(frame, frame_);
  --depth_;
  return frame.result;
}

void Symbolic::assign(uint32_t variable, TermId value, TermId when) {
  const model::Variable& v = system_.variables[variable];
  const TermId fits = terms_.conjunction(terms_.make(Op::Ge, value, terms_.constant(v.lo)),
                                         terms_.make(Op::Le, value, terms_.constant(v.hi)));
  const TermId condition = terms_.weaken(terms_.disjunction(terms_.make_not(when), fits));
  if (!terms_.is_true(condition)) conditions_.push_back(condition);
  writes_[variable] = terms_.make(Op::Ite, when, value, read(variable));
}

TermId Symbolic::store(const Expr& e) {
  if (!e.a.valid()) {
    const TermId value = evaluate(e.b);
    assign(e.base, value, here());
    return value;
  }
  const TermId index = evaluate(e.a);
  const TermId value = evaluate(e.b);
  if (terms_.is_constant(index)) {
    const int32_t at = terms_[index].value;
    if (at < 0 || static_cast<uint32_t>(at) >= e.count) throw GiveUp{};
    assign(e.base + static_cast<uint32_t>(at), value, here());
    return value;
  }
  for (uint32_t i = 0; i < e.count; ++i) {
    const uint32_t variable = e.base + i;
    if (e.count > kLargestBlock) {
      writes_[variable] = terms_.unknown(system_.variables[variable].lo, system_.variables[variable].hi);
    } else {
      const TermId meant = terms_.make(Op::Eq, index, terms_.constant(static_cast<int32_t>(i)));
      assign(variable, value, terms_.conjunction(here(), meant));
    }
  }
  return value;
}

TermId Symbolic::store_local(const Expr& e) {
  const TermId index = e.a.valid() ? evaluate(e.a) : 0;
  const TermId value = evaluate(e.b);
  const uint32_t count = e.a.valid() ? e.count : 1;
  for (uint32_t i = 0; i < count; ++i) {
    const TermId meant = terms_.make(Op::Eq, index, terms_.constant(static_cast<int32_t>(i)));
    TermId& slot = frame_.slots.at(e.base + i);
    slot = terms_.make(Op::Ite, terms_.conjunction(here(), meant), value, slot);
    check_size();
  }
  return value;
}

void Symbolic::run(StmtId id) {
  if (!id.valid()) return;
  check_size();
  const Stmt& s = system_.stmt(id);
  switch (s.kind) {
    case StmtKind::Expr: evaluate(s.expr); return;
    case StmtKind::Block:
      for (const StmtId child : system_.block(s)) run(child);
      return;
    case StmtKind::If: {
      const TermId condition = evaluate(s.expr);
      const TermId before = path_;
      path_ = terms_.conjunction(before, condition);
      if (!terms_.is_false(path_)) run(s.a);
      path_ = terms_.conjunction(before, terms_.make_not(condition));
      if (!terms_.is_false(path_)) run(s.b);
      path_ = before;
      return;
    }
    case StmtKind::While: loop(s); return;
    case StmtKind::Return: {
      const TermId value = s.expr.valid() ? evaluate(s.expr) : 0;
      frame_.result = terms_.make(Op::Ite, here(), value, frame_.result);
      frame_.running = terms_.conjunction(frame_.running, terms_.make_not(path_));
      return;
    }
    case StmtKind::Reset: reset(s); return;
    case StmtKind::Choose:
    case StmtKind::Assume: throw GiveUp{};
  }
}

void Symbolic::loop(const Stmt& s) {
  const TermId before = path_;
  for (int64_t round = 0;; ++round) {
    path_ = terms_.conjunction(path_, evaluate(s.expr));
    if (terms_.is_false(here())) break;
    if (round == kMostRounds) throw GiveUp{};
    run(s.a);
  }
  path_ = before;
}

void Symbolic::reset(const Stmt& s) {
  const TermId offset = s.offset.valid() ? evaluate(s.offset) : 0;
  const TermId value = evaluate(s.expr);
  const bool certain = terms_.is_true(here());
  if (terms_.is_false(here())) return;
  if (certain && terms_.is_constant(offset)) {
    resets_.push_back({s.clock.value + static_cast<uint32_t>(std::max(0, terms_[offset].value)), value});
    return;
  }
  const uint32_t count = s.offset.valid() ? s.count : 1;
  for (uint32_t i = 0; i < count; ++i) resets_.push_back({s.clock.value + i, std::nullopt});
}

}  // namespace harrier::abstraction
