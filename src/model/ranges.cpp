// Interval analysis of expressions. Functions are analysed once, with unknown parameters and locals.
#include "model/ranges.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <unordered_map>
#include <vector>

#include "model/operators.h"

namespace harrier::model {

namespace {

constexpr Interval kAny{INT32_MIN, INT32_MAX};

Interval hull(Interval a, Interval b) { return {std::min(a.lo, b.lo), std::max(a.hi, b.hi)}; }

// The part of `a` within `limits`; if there is none the evaluation always fails and any answer is sound.
Interval clip(Interval a, Interval limits) {
  const Interval both{std::max(a.lo, limits.lo), std::min(a.hi, limits.hi)};
  return both.lo <= both.hi ? both : limits;
}

bool never_zero(Interval a) { return a.lo > 0 || a.hi < 0; }
bool always_zero(Interval a) { return a.lo == 0 && a.hi == 0; }

Interval truth(bool can_be_true, bool can_be_false) { return {can_be_false ? 0 : 1, can_be_true ? 1 : 0}; }

// The smallest m = 2^k - 1 with -m - 1 <= value <= m.
int64_t bit_mask(int64_t value) {
  const auto magnitude = static_cast<uint64_t>(value < 0 ? ~value : value);
  return static_cast<int64_t>((uint64_t{1} << std::bit_width(magnitude)) - 1);
}

int64_t bit_mask(Interval a, Interval b) {
  return std::max({bit_mask(a.lo), bit_mask(a.hi), bit_mask(b.lo), bit_mask(b.hi)});
}

template <class Function>
Interval corners(Interval a, Interval b, Function f) {
  const auto [lo, hi] = std::minmax({f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)});
  return {lo, hi};
}

Interval divide(Interval a, Interval b) {
  std::optional<Interval> result;
  const auto with = [&](Interval divisors) {
    if (divisors.lo > divisors.hi) return;
    const Interval part = corners(a, divisors, [](int64_t x, int64_t y) { return x / y; });
    result = result ? hull(*result, part) : part;
  };
  with({b.lo, std::min<int64_t>(b.hi, -1)});
  with({std::max<int64_t>(b.lo, 1), b.hi});
  return result.value_or(kAny);
}

Interval remainder(Interval a, Interval b) {
  const int64_t largest = std::max<int64_t>(std::max(std::abs(b.lo), std::abs(b.hi)) - 1, 0);
  return {a.lo < 0 ? std::max(a.lo, -largest) : 0, a.hi > 0 ? std::min(a.hi, largest) : 0};
}

Interval shift(Op op, Interval a, Interval b) {
  const Interval distance = clip(b, {0, 31});
  if (op == Op::Shl) return corners(a, distance, [](int64_t x, int64_t s) { return x * (int64_t{1} << s); });
  return corners(a, distance, [](int64_t x, int64_t s) { return x >> s; });
}

Interval bitwise(Op op, Interval a, Interval b) {
  const int64_t mask = bit_mask(a, b);
  if (op == Op::BitAnd) {
    if (a.lo >= 0 && b.lo >= 0) return {0, std::min(a.hi, b.hi)};
    if (a.lo >= 0) return {0, a.hi};
    if (b.lo >= 0) return {0, b.hi};
    return {-mask - 1, std::max({a.hi, b.hi, int64_t{-1}})};
  }
  if (a.lo >= 0 && b.lo >= 0) return {op == Op::BitOr ? std::max(a.lo, b.lo) : 0, mask};
  return {-mask - 1, mask};
}

Interval comparison(Op op, Interval a, Interval b) {
  const bool can_be_equal = a.lo <= b.hi && b.lo <= a.hi;
  const bool can_differ = !(a.lo == a.hi && a == b);
  switch (static_cast<ComparisonOp>(op)) {
    case ComparisonOp::Lt: return truth(a.lo < b.hi, a.hi >= b.lo);
    case ComparisonOp::Le: return truth(a.lo <= b.hi, a.hi > b.lo);
    case ComparisonOp::Eq: return truth(can_be_equal, can_differ);
    case ComparisonOp::Ne: return truth(can_differ, can_be_equal);
    case ComparisonOp::Ge: return truth(a.hi >= b.lo, a.lo < b.hi);
    case ComparisonOp::Gt: return truth(a.hi > b.lo, a.lo <= b.hi);
  }
  return kAny;
}

class Analysis {
 public:
  explicit Analysis(const System& system) : system_(system) {}

  Interval range(ExprId id) {
    const Expr& e = system_.expr(id);
    switch (kind_of(e.op)) {
      case OpKind::Const: return {e.value, e.value};
      case OpKind::Var: return domain(e.base);
      case OpKind::Load: return block(e);
      case OpKind::Local: return slot(e.base);
      case OpKind::LoadLocal: return kAny;
      case OpKind::Index: return clip(range(e.a), {0, int64_t{e.count} - 1});
      case OpKind::InRange: return clip(range(e.a), {range(e.b).lo, range(e.c).hi});
      case OpKind::Unary: return unary(e.op, range(e.a));
      case OpKind::Arithmetic: return clip(arithmetic(e.op, range(e.a), range(e.b)), kAny);
      case OpKind::Comparison: return comparison(e.op, range(e.a), range(e.b));
      case OpKind::Connective: return connective(e);
      case OpKind::Ite: {
        const Interval condition = range(e.a);
        if (never_zero(condition)) return range(e.b);
        if (always_zero(condition)) return range(e.c);
        return hull(range(e.b), range(e.c));
      }
      case OpKind::Quantifier: return quantifier(e);
      case OpKind::Call: return call(e.base);
      case OpKind::Store: return clip(range(e.b), e.a.valid() ? block(e) : domain(e.base));
      case OpKind::StoreLocal:
      case OpKind::Comma: return range(e.b);
      case OpKind::Fail: return kAny;
    }
    return kAny;
  }

 private:
  Interval domain(uint32_t variable) const {
    const Variable& v = system_.variables[variable];
    return {v.lo, v.hi};
  }

  // All values of the variables that an access with an index can meet.
  Interval block(const Expr& e) {
    if (e.count == 0) return kAny;
    const Interval index = clip(range(e.a), {0, int64_t{e.count} - 1});
    Interval result = domain(e.base + static_cast<uint32_t>(index.lo));
    for (int64_t i = index.lo + 1; i <= index.hi; ++i) {
      result = hull(result, domain(e.base + static_cast<uint32_t>(i)));
    }
    return result;
  }

  Interval slot(uint32_t number) const {
    const auto bound = std::find_if(bound_.rbegin(), bound_.rend(), [&](const auto& b) { return b.first == number; });
    return bound == bound_.rend() ? kAny : bound->second;
  }

  static Interval unary(Op op, Interval a) {
    switch (static_cast<UnaryOp>(op)) {
      case UnaryOp::Neg: return clip({-a.hi, -a.lo}, kAny);
      case UnaryOp::Not: return truth(a.contains(0), !always_zero(a));
      case UnaryOp::BitNot: return {~a.hi, ~a.lo};
    }
    return kAny;
  }

  Interval connective(const Expr& e) {
    const Interval a = range(e.a);
    if (e.op == Op::And ? always_zero(a) : never_zero(a)) return e.op == Op::And ? Interval{0, 0} : Interval{1, 1};
    const Interval b = range(e.b);
    if (e.op == Op::And) return truth(!always_zero(b), a.contains(0) || b.contains(0));
    return truth(!always_zero(a) || !always_zero(b), b.contains(0));
  }

  static Interval arithmetic(Op op, Interval a, Interval b) {
    switch (static_cast<ArithmeticOp>(op)) {
      case ArithmeticOp::Add: return {a.lo + b.lo, a.hi + b.hi};
      case ArithmeticOp::Sub: return {a.lo - b.hi, a.hi - b.lo};
      case ArithmeticOp::Mul: return corners(a, b, [](int64_t x, int64_t y) { return x * y; });
      case ArithmeticOp::Div: return divide(a, b);
      case ArithmeticOp::Mod: return remainder(a, b);
      case ArithmeticOp::Shl:
      case ArithmeticOp::Shr: return shift(op, a, b);
      case ArithmeticOp::BitAnd:
      case ArithmeticOp::BitOr:
      case ArithmeticOp::BitXor: return bitwise(op, a, b);
      case ArithmeticOp::Min: return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
      case ArithmeticOp::Max: return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
    }
    return kAny;
  }

  Interval quantifier(const Expr& e) {
    const Interval values{range(e.a).lo, range(e.b).hi};
    const int64_t rounds = std::max<int64_t>(values.hi - values.lo + 1, 0);
    if (rounds == 0) return e.op == Op::Forall ? Interval{1, 1} : Interval{0, 0};
    bound_.emplace_back(e.base, values);
    const Interval body = range(e.c);
    bound_.pop_back();
    if (e.op != Op::Sum) return truth(!always_zero(body), body.contains(0));
    if (rounds > INT32_MAX) return kAny;
    return clip({body.lo * rounds, body.hi * rounds}, kAny);
  }

  Interval call(uint32_t function) {
    const auto known = functions_.find(function);
    if (known != functions_.end()) return known->second;
    functions_[function] = kAny;  // what a recursive call sees
    std::vector<std::pair<uint32_t, Interval>> outside;
    outside.swap(bound_);
    std::optional<Interval> result;
    const StmtId body = system_.functions[function].body;
    collect_returns(body, result);
    if (!result || !always_returns(body)) result = hull(result.value_or(Interval{0, 0}), {0, 0});
    bound_.swap(outside);
    return functions_[function] = *result;
  }

  void collect_returns(StmtId id, std::optional<Interval>& result) {
    if (!id.valid()) return;
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Expr:
      case StmtKind::Reset:
      case StmtKind::Choose:
      case StmtKind::Assume: break;
      case StmtKind::Block:
        for (const StmtId child : system_.block(s)) collect_returns(child, result);
        break;
      case StmtKind::If:
        collect_returns(s.a, result);
        collect_returns(s.b, result);
        break;
      case StmtKind::While: collect_returns(s.a, result); break;
      case StmtKind::Return: {
        const Interval value = s.expr.valid() ? range(s.expr) : Interval{0, 0};
        result = result ? hull(*result, value) : value;
        break;
      }
    }
  }

  bool always_returns(StmtId id) const {
    if (!id.valid()) return false;
    const Stmt& s = system_.stmt(id);
    if (s.kind == StmtKind::Return) return true;
    if (s.kind == StmtKind::If) return always_returns(s.a) && always_returns(s.b);
    if (s.kind != StmtKind::Block) return false;
    const auto children = system_.block(s);
    return std::any_of(children.begin(), children.end(), [&](StmtId child) { return always_returns(child); });
  }

  const System& system_;
  std::vector<std::pair<uint32_t, Interval>> bound_;  // the slots of the quantifiers around the current node
  std::unordered_map<uint32_t, Interval> functions_;
};

}  // namespace

Interval range_of(const System& system, ExprId expr) { return Analysis(system).range(expr); }

}  // namespace harrier::model
