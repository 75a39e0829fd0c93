#include "model/alike.h"

#include <algorithm>
#include <cstdlib>

#include "model/analysis.h"
#include "model/operators.h"

namespace harrier::model {

namespace {

constexpr int64_t kMostPlaces = 1 << 16;  // that an index is tried on

bool is_in_any_order(Op op) {
  switch (op) {
    case Op::Add:
    case Op::BitAnd:
    case Op::BitOr:
    case Op::BitXor:
    case Op::Min:
    case Op::Max:
    case Op::And:
    case Op::Or: return true;
    default: return false;
  }
}

int64_t floor_of(int64_t a, int64_t b) { return a / b - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0); }

int64_t largest_size(const Interval& range) { return std::max(std::abs(range.lo), std::abs(range.hi)); }

}  // namespace

std::optional<uint32_t> constant_index(const System& system, ExprId id) {
  if (!id.valid()) return std::nullopt;
  const Expr& e = system.expr(id);
  if (e.op == Op::Const) return e.value >= 0 ? std::optional(static_cast<uint32_t>(e.value)) : std::nullopt;
  if (e.op != Op::Index) return std::nullopt;
  const auto inside = constant_index(system, e.a);
  return inside && *inside < e.count ? inside : std::nullopt;
}

bool Alike::agree(uint32_t a, uint32_t b) const {
  if (stays(a) || stays(b)) return stays(a) && stays(b);
  return a == b || exchange_.names[a] == exchange_.names[b];
}

template <class List, class Same, class Fails>
bool Alike::same_in_any_order(const List& a, const List& b, Same&& same, Fails&& fails) {
  if (a.size() != b.size()) return false;
  size_t known = 0;
  while (known < a.size() && same(a[known], b[known])) ++known;
  if (known == a.size()) return true;
  if (std::any_of(a.begin(), a.end(), fails) || std::any_of(b.begin(), b.end(), fails)) return false;
  std::vector<bool> taken(b.size());
  return std::all_of(a.begin(), a.end(), [&](const auto& item) {
    for (size_t i = 0; i < b.size(); ++i) {
      if (taken[i] || !same(item, b[i])) continue;
      taken[i] = true;
      return true;
    }
    return false;
  });
}

bool Alike::conditions(const std::vector<ExprId>& a, const std::vector<ExprId>& b) {
  const Frames outside{classes_.outside(), classes_.outside()};
  return same_in_any_order(
      a, b, [&](ExprId x, ExprId y) { return same(x, y, outside, ValueClasses::kComputed); },
      [&](ExprId x) { return can_fail(system_, x); });
}

bool Alike::constraints(const std::vector<ClockConstraint>& a, const std::vector<ClockConstraint>& b) {
  return same_in_any_order(
      a, b, [&](const ClockConstraint& x, const ClockConstraint& y) { return same(x, y); },
      [&](const ClockConstraint& x) {
        return (x.condition.valid() && can_fail(system_, x.condition)) || can_fail(system_, x.bound);
      });
}

bool Alike::effects(const std::vector<StmtId>& a, const std::vector<StmtId>& b) {
  const Frames outside{classes_.outside(), classes_.outside()};
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](StmtId x, StmtId y) { return same(x, y, outside); });
}

bool Alike::same(const ClockConstraint& a, const ClockConstraint& b) {
  const Frames outside{classes_.outside(), classes_.outside()};
  return exchange_.clocks[a.left.value] == b.left.value && exchange_.clocks[a.right.value] == b.right.value &&
         a.strict == b.strict && same(a.condition, b.condition, outside, ValueClasses::kComputed) &&
         same(a.bound, b.bound, outside, ValueClasses::kComputed);
}

bool Alike::same(StmtId id_a, StmtId id_b, Frames frames) {
  if (!id_a.valid() || !id_b.valid()) return id_a.valid() == id_b.valid();
  const Stmt& a = system_.stmt(id_a);
  const Stmt& b = system_.stmt(id_b);
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case StmtKind::Expr: return same(a.expr, b.expr, frames, classes_.of(a.expr, frames.a));
    case StmtKind::Block: {
      const auto of_a = system_.block(a);
      const auto of_b = system_.block(b);
      return std::equal(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                        [&](StmtId x, StmtId y) { return same(x, y, frames); });
    }
    case StmtKind::If:
    case StmtKind::While:
      return same(a.expr, b.expr, frames, ValueClasses::kComputed) && same(a.a, b.a, frames) && same(a.b, b.b, frames);
    case StmtKind::Return: return same(a.expr, b.expr, frames, classes_.of_result(frames.a));
    case StmtKind::Reset:
      return same(a.expr, b.expr, frames, ValueClasses::kComputed) &&
             same_place(a.clock.value, b.clock.value, a.count, a.offset, b.offset, frames,
                        [&](uint32_t clock) { return exchange_.clocks[clock]; }) &&
             a.count == b.count;
    case StmtKind::Choose:
    case StmtKind::Assume: return false;
  }
  return false;
}

bool Alike::same(ExprId id_a, ExprId id_b, Frames frames, uint32_t kind) {
  if (!id_a.valid() || !id_b.valid()) return id_a.valid() == id_b.valid();
  const Expr& a = system_.expr(id_a);
  const Expr& b = system_.expr(id_b);
  if (a.op != b.op) return false;
  const auto slot_agrees = [&] {
    const uint32_t of_a = classes_.of_slot(frames.a, a.base);
    return a.base == b.base && agree(of_a, kind) && agree(of_a, classes_.of_slot(frames.b, b.base));
  };
  switch (kind_of(a.op)) {
    case OpKind::Const: return name(kind, a.value) == b.value;
    case OpKind::Var: return exchange_.variables[a.base] == b.base && agree(classes_.of(VarId(a.base)), kind);
    case OpKind::Load:
      return a.count == b.count && agree(classes_.of(VarId(a.base)), kind) &&
             same_place(a.base, b.base, a.count, a.a, b.a, frames, [&](uint32_t v) { return exchange_.variables[v]; });
    case OpKind::Local: return slot_agrees();
    case OpKind::LoadLocal:
      return slot_agrees() && a.count == b.count &&
             same_place(a.base, b.base, a.count, a.a, b.a, frames, [](uint32_t slot) { return slot; });
    case OpKind::Index: {
      Exchange::Names inside;
      if (kind < ValueClasses::kAny) inside = exchange_.names[kind];
      const auto fits = [&](int32_t value) { return value >= 0 && static_cast<uint32_t>(value) < a.count; };
      return a.count == b.count && same(a.a, b.a, frames, kind) &&
             std::all_of(inside.begin(), inside.end(), [&](const auto& n) { return fits(n.first) == fits(n.second); });
    }
    case OpKind::InRange: {
      Exchange::Names inside;
      if (kind < ValueClasses::kAny) inside = exchange_.names[kind];
      const int32_t lo = system_.expr(a.b).value;
      const int32_t hi = system_.expr(a.c).value;
      const auto fits = [&](int32_t value) { return lo <= value && value <= hi; };
      return lo == system_.expr(b.b).value && hi == system_.expr(b.c).value && same(a.a, b.a, frames, kind) &&
             std::all_of(inside.begin(), inside.end(), [&](const auto& n) { return fits(n.first) == fits(n.second); });
    }
    case OpKind::Unary: return stays(kind) && same(a.a, b.a, frames, ValueClasses::kComputed);
    case OpKind::Arithmetic:
    case OpKind::Comparison:
    case OpKind::Connective: return stays(kind) && same_operands(a, b, frames);
    case OpKind::Ite:
      return same(a.a, b.a, frames, ValueClasses::kComputed) && same(a.b, b.b, frames, kind) &&
             same(a.c, b.c, frames, kind);
    case OpKind::Quantifier: return stays(kind) && same_quantifier(a, b, frames);
    case OpKind::Call: return agree(classes_.of_result(a.base), kind) && same_call(a, b, frames);
    case OpKind::Store: return agree(classes_.of(VarId(a.base)), kind) && same_store(a, b, frames, false);
    case OpKind::StoreLocal: return slot_agrees() && same_store(a, b, frames, true);
    case OpKind::Comma: return same(a.a, b.a, frames, classes_.of(a.a, frames.a)) && same(a.b, b.b, frames, kind);
    case OpKind::Fail: return a.value == b.value;
  }
  return false;
}

void Alike::operands_of(Op op, ExprId id, std::vector<ExprId>& out) const {
  const Expr& e = system_.expr(id);
  if (e.op != op) {
    out.push_back(id);
    return;
  }
  operands_of(op, e.a, out);
  operands_of(op, e.b, out);
}

bool Alike::same_operands(const Expr& a, const Expr& b, Frames frames) {
  const auto fails = [&](ExprId e) { return can_fail(system_, e); };
  if (a.op == Op::Eq || a.op == Op::Ne) {
    uint32_t kind = classes_.of(a.a, frames.a);
    if (kind >= ValueClasses::kAny) kind = classes_.of(a.b, frames.a);
    if (same(a.a, b.a, frames, kind) && same(a.b, b.b, frames, kind)) return true;
    return !fails(a.a) && !fails(a.b) && same(a.a, b.b, frames, kind) && same(a.b, b.a, frames, kind);
  }
  const auto same_value = [&](ExprId x, ExprId y) { return same(x, y, frames, ValueClasses::kComputed); };
  if (!is_in_any_order(a.op)) return same_value(a.a, b.a) && same_value(a.b, b.b);
  std::vector<ExprId> of_a;
  std::vector<ExprId> of_b;
  for (const ExprId e : {a.a, a.b}) operands_of(a.op, e, of_a);
  for (const ExprId e : {b.a, b.b}) operands_of(b.op, e, of_b);
  // The sum of some of them may be too large, while that of all is not.
  int64_t sum = 0;
  if (a.op == Op::Add) {
    for (const ExprId e : of_a) sum += largest_size(range_of(system_, e));
  }
  return same_in_any_order(of_a, of_b, same_value, [&](ExprId e) { return sum > INT32_MAX || fails(e); });
}

bool Alike::same_quantifier(const Expr& a, const Expr& b, Frames frames) {
  const int32_t lo = system_.expr(a.a).value;
  const int32_t hi = system_.expr(a.b).value;
  const uint32_t kind = classes_.of_slot(frames.a, a.base);
  if (a.base != b.base || lo != system_.expr(b.a).value || hi != system_.expr(b.b).value) return false;
  if (!agree(kind, classes_.of_slot(frames.b, b.base))) return false;
  if (!same(a.c, b.c, frames, ValueClasses::kComputed)) return false;
  if (stays(kind)) return true;
  // The values are gone through in another order.
  const auto fits = [&](int32_t value) { return lo <= value && value <= hi; };
  const auto& names = exchange_.names[kind];
  const int64_t most = largest_size(range_of(system_, a.c)) * (int64_t{hi} - lo + 1);
  return std::all_of(names.begin(), names.end(), [&](const auto& n) { return fits(n.first) == fits(n.second); }) &&
         !can_fail(system_, a.c) && !can_fail(system_, b.c) && (a.op != Op::Sum || most <= INT32_MAX);
}

bool Alike::same_call(const Expr& a, const Expr& b, Frames frames) {
  const auto of_a = system_.call_arguments(a);
  const auto of_b = system_.call_arguments(b);
  if (of_a.size() != of_b.size()) return false;
  for (uint32_t i = 0; i < of_a.size(); ++i) {
    if (!same(of_a[i], of_b[i], frames, classes_.of_slot(a.base, i))) return false;
  }
  return same_functions(a.base, b.base);
}

bool Alike::same_functions(uint32_t a, uint32_t b) {
  // One that calls itself would be met before it is known: that counts as different.
  const auto [known, is_new] = functions_.try_emplace({a, b}, false);
  if (!is_new) return known->second;
  const Function& of_a = system_.functions[a];
  const Function& of_b = system_.functions[b];
  bool alike = of_a.parameters == of_b.parameters && of_a.slots == of_b.slots &&
               agree(classes_.of_result(a), classes_.of_result(b));
  for (uint32_t i = 0; alike && i < of_a.slots; ++i) alike = agree(classes_.of_slot(a, i), classes_.of_slot(b, i));
  // What begins as 0 is no other name.
  for (uint32_t i = of_a.parameters; alike && i < of_a.slots; ++i) alike = name(classes_.of_slot(a, i), 0) == 0;
  alike = alike && (name(classes_.of_result(a), 0) == 0 || (returns(of_a.body) && returns(of_b.body)));
  alike = alike && same(of_a.body, of_b.body, {a, b});
  return functions_[{a, b}] = alike;
}

bool Alike::returns(StmtId id) const {
  if (!id.valid()) return false;
  const Stmt& s = system_.stmt(id);
  if (s.kind == StmtKind::Block) return s.count != 0 && returns(system_.block(s).back());
  if (s.kind == StmtKind::If) return returns(s.a) && returns(s.b);
  return s.kind == StmtKind::Return && s.expr.valid();
}

bool Alike::same_store(const Expr& a, const Expr& b, Frames frames, bool local) {
  const uint32_t kind = local ? classes_.of_slot(frames.a, a.base) : classes_.of(VarId(a.base));
  return a.count == b.count && same(a.b, b.b, frames, kind) &&
         same_place(a.base, b.base, a.count, a.a, b.a, frames,
                    [&](uint32_t i) { return local ? i : exchange_.variables[i]; });
}

template <class Image>
bool Alike::same_place(uint32_t first_a, uint32_t first_b, uint32_t count, ExprId a, ExprId b, Frames frames,
                       Image&& image) {
  if (!a.valid() || !b.valid()) return a.valid() == b.valid() && image(first_a) == first_b;
  if (const auto i = constant_index(system_, a), j = constant_index(system_, b); i && j && *i < count && *j < count) {
    return image(first_a + *i) == first_b + *j;
  }
  Index of_a;
  Index of_b;
  const auto moves = [&](const Term& t) { return !stays(t.kind); };
  if (split(a, frames.a, 1, of_a) && std::any_of(of_a.terms.begin(), of_a.terms.end(), moves)) {
    if (!split(b, frames.b, 1, of_b) || of_a.constant != of_b.constant) return false;
    const auto alike = [&](const Term& x, const Term& y) {
      return x.factor == y.factor && x.range == y.range && agree(x.kind, y.kind) &&
             same(x.expr, y.expr, frames, x.kind);
    };
    if (!std::equal(of_a.terms.begin(), of_a.terms.end(), of_b.terms.begin(), of_b.terms.end(), alike)) return false;
    if (of_a.terms.size() == 1 && !restrict_to(of_a, 0, count)) return false;
    return same_elements(first_a, first_b, count, of_a, image);
  }
  if (!same(a, b, frames, ValueClasses::kComputed)) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (image(first_a + i) != first_b + i) return false;
  }
  return true;
}

template <class Image>
bool Alike::same_elements(uint32_t first_a, uint32_t first_b, uint32_t count, const Index& index, Image&& image) {
  // Nothing overflows for values that are exchanged.
  int64_t most = index.constants;
  for (const Term& t : index.terms) {
    int64_t size = 0;
    if (index.terms.size() > 1) size = largest_size(t.range);
    if (!stays(t.kind)) {
      for (const auto& [x, y] : exchange_.names[t.kind]) {
        size = std::max({size, std::abs(int64_t{x}), std::abs(int64_t{y})});
      }
    }
    if (size > INT32_MAX / std::abs(t.factor)) return false;
    most += size * std::abs(t.factor);
  }
  if (most > INT32_MAX) return false;
  int64_t places = 1;
  for (const Term& t : index.terms) {
    if (t.range.hi < t.range.lo) return true;  // always outside
    places *= std::min(t.range.hi - t.range.lo + 1, kMostPlaces + 1);
    if (places > kMostPlaces) return false;
  }
  for (int64_t place = 0; place < places; ++place) {
    int64_t rest = place;
    int64_t here = index.constant;
    int64_t there = index.constant;
    for (const Term& t : index.terms) {
      const int64_t size = t.range.hi - t.range.lo + 1;
      const auto value = static_cast<int32_t>(t.range.lo + rest % size);
      rest /= size;
      here += t.factor * value;
      there += t.factor * name(t.kind, value);
    }
    const auto fits = [&](int64_t i) { return 0 <= i && i < count; };
    if (fits(here) != fits(there)) return false;
    if (fits(here) && image(first_a + static_cast<uint32_t>(here)) != first_b + static_cast<uint32_t>(there)) {
      return false;
    }
  }
  return true;
}

bool Alike::split(ExprId id, uint32_t frame, int64_t factor, Index& out) const {
  const Expr& e = system_.expr(id);
  constexpr int64_t kMostFactor = INT32_MAX;
  if (std::abs(factor) > kMostFactor || factor == 0) return false;
  const auto checked = [&](int64_t lo, int64_t hi) {
    Index inside;
    if (!split(e.a, frame, 1, inside) || inside.terms.size() != 1 || !restrict_to(inside, lo, hi)) return false;
    inside.terms[0].factor *= factor;
    out.terms.push_back(inside.terms[0]);
    out.constant += factor * inside.constant;
    out.constants += std::abs(factor) * inside.constants;
    return true;
  };
  if (e.op == Op::Const) {
    out.constant += factor * e.value;
    out.constants += std::abs(factor * e.value);
    return out.constants <= kMostFactor;
  }
  if (e.op == Op::Index) return checked(0, e.count);
  if (e.op == Op::InRange) return checked(system_.expr(e.b).value, int64_t{system_.expr(e.c).value} + 1);
  if (e.op == Op::Add) return split(e.a, frame, factor, out) && split(e.b, frame, factor, out);
  if (e.op == Op::Sub) return split(e.a, frame, factor, out) && split(e.b, frame, -factor, out);
  if (e.op == Op::Mul) {
    if (const auto by = system_.constant(e.a)) return split(e.b, frame, factor * *by, out);
    if (const auto by = system_.constant(e.b)) return split(e.a, frame, factor * *by, out);
  }
  out.terms.push_back({factor, id, classes_.of(id, frame), range_of(system_, id)});
  return true;
}

bool Alike::restrict_to(Index& index, int64_t lo, int64_t hi) const {
  Term& t = index.terms[0];
  // lo <= constant + factor * x <= hi - 1
  int64_t least = lo - index.constant;
  int64_t most = hi - 1 - index.constant;
  if (t.factor < 0) {
    std::swap(least, most);
    least = -least;
    most = -most;
  }
  const int64_t by = std::abs(t.factor);
  t.range.lo = std::max(t.range.lo, -floor_of(-least, by));
  t.range.hi = std::min(t.range.hi, floor_of(most, by));
  if (stays(t.kind)) return true;
  const auto& names = exchange_.names[t.kind];
  return std::all_of(names.begin(), names.end(),
                     [&](const auto& n) { return t.range.contains(n.first) == t.range.contains(n.second); });
}

}  // namespace harrier::model
