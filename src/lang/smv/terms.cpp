#include "lang/smv/terms.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/hash.h"
#include "model/operators.h"
#include "model/system.h"

namespace harrier::smv {

using model::Op;

namespace {

constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();

struct Wide {
  int64_t lo = 0;
  int64_t hi = 0;
};

Wide product(const Term& a, const Term& b) {
  const int64_t all[] = {int64_t{a.lo} * b.lo, int64_t{a.lo} * b.hi, int64_t{a.hi} * b.lo, int64_t{a.hi} * b.hi};
  return {*std::min_element(std::begin(all), std::end(all)), *std::max_element(std::begin(all), std::end(all))};
}

// The smallest 2^n - 1 that is not below a value.
int64_t ones(int64_t value) {
  int64_t out = 0;
  while (out < value) out = out * 2 + 1;
  return out;
}

Wide bits(Op op, const Term& a, const Term& b) {
  if (a.lo >= 0 && b.lo >= 0) {
    if (op == Op::BitAnd) return {0, std::min(a.hi, b.hi)};
    return {0, ones(std::max(a.hi, b.hi))};
  }
  if (op == Op::BitAnd && (a.lo >= 0 || b.lo >= 0)) return {0, a.lo >= 0 ? a.hi : b.hi};
  const int64_t most =
      ones(std::max({int64_t{a.hi}, int64_t{b.hi}, -int64_t{a.lo} - 1, -int64_t{b.lo} - 1, int64_t{0}}));
  return {-most - 1, most};
}

Wide remainder(const Term& a, const Term& b) {
  const int64_t most = std::max(std::abs(int64_t{b.lo}), std::abs(int64_t{b.hi})) - 1;
  return {a.lo >= 0 ? 0 : std::max(-most, int64_t{a.lo}), a.hi <= 0 ? 0 : std::min(most, int64_t{a.hi})};
}

Wide arithmetic(model::ArithmeticOp op, const Term& a, const Term& b) {
  using enum model::ArithmeticOp;
  const int shift = std::clamp(b.hi, 0, 31);
  switch (op) {
    case Add: return {int64_t{a.lo} + b.lo, int64_t{a.hi} + b.hi};
    case Sub: return {int64_t{a.lo} - b.hi, int64_t{a.hi} - b.lo};
    case Mul: return product(a, b);
    case Div: {
      const int64_t most = std::max(std::abs(int64_t{a.lo}), std::abs(int64_t{a.hi}));
      return {a.lo >= 0 && b.lo >= 0 ? 0 : -most, most};
    }
    case Mod: return remainder(a, b);
    case Shl: return {int64_t{std::min(a.lo, 0)} << shift, int64_t{std::max(a.hi, 0)} << shift};
    case Shr: return {std::min(a.lo, 0), std::max(a.hi, 0)};
    case BitAnd:
    case BitOr:
    case BitXor: return bits(static_cast<Op>(op), a, b);
    case Min: return {std::min(a.lo, b.lo), std::min(a.hi, b.hi)};
    case Max: return {std::max(a.lo, b.lo), std::max(a.hi, b.hi)};
  }
  return {kMin, kMax};
}

}  // namespace

size_t Terms::KeyHash::operator()(const Key& key) const {
  const uint64_t words[] = {static_cast<uint64_t>(key.kind) << 8U | static_cast<uint64_t>(key.op),
                            static_cast<uint32_t>(key.value), uint64_t{key.a} << 32U | key.b, key.c, key.place};
  return hash_words(words, 5);
}

TermId Terms::keep(Term term) {
  derive(term);
  // What may fail says where. A slot serves several steps, with other bounds in each.
  const auto pair = [](auto high, auto low) {
    return uint64_t{static_cast<uint32_t>(high)} << 32U | static_cast<uint32_t>(low);
  };
  const uint64_t place = term.kind == TermKind::Slot ? pair(term.lo, term.hi)
                         : term.fails                ? pair(term.at.line, term.at.column)
                                                     : 0;
  const Key key{term.kind, term.op, term.value, term.a.value, term.b.value, term.c.value, place};
  const auto [entry, is_new] = known_.try_emplace(key, TermId(terms_.size()));
  if (is_new) terms_.push_back(term);
  return entry->second;
}

void Terms::derive(Term& term) const {
  if (term.kind == TermKind::Fail) term.fails = true;
  if (term.kind != TermKind::Node) return;
  uint64_t size = 1;
  for (const TermId id : {term.a, term.b, term.c}) {
    if (!id.valid()) continue;
    const Term& part = (*this)[id];
    size += part.size;
    term.depth = std::max(term.depth, part.depth + 1);
    term.fails = term.fails || part.fails;
    term.mentions |= part.mentions;
  }
  term.size = static_cast<uint32_t>(std::min<uint64_t>(size, std::numeric_limits<uint32_t>::max()));
  derive_bounds(term);
}

void Terms::derive_bounds(Term& term) const {
  const Term& a = (*this)[term.a];
  const Term& b = term.b.valid() ? (*this)[term.b] : a;
  term.lo = 0;
  term.hi = 1;
  if (model::is_truth(term.op)) return;
  if (term.op == Op::Ite) {
    const Term& c = (*this)[term.c];
    term.lo = std::min(b.lo, c.lo);
    term.hi = std::max(b.hi, c.hi);
    return;
  }
  if (a.lo > a.hi || b.lo > b.hi) {
    term.lo = kMax;
    term.hi = kMin;
    return;
  }
  Wide w = term.op == Op::Neg ? Wide{-int64_t{a.hi}, -int64_t{a.lo}} : Wide{kMin, kMax};
  if (model::kind_of(term.op) == model::OpKind::Arithmetic) {
    if (term.op == Op::Div || term.op == Op::Mod) term.fails = term.fails || (b.lo <= 0 && b.hi >= 0);
    if (term.op == Op::Shl || term.op == Op::Shr) term.fails = term.fails || b.lo < 0 || b.hi > 31;
    w = arithmetic(static_cast<model::ArithmeticOp>(term.op), a, b);
  }
  term.fails = term.fails || w.lo < kMin || w.hi > kMax;
  term.lo = static_cast<int32_t>(std::clamp<int64_t>(w.lo, kMin, kMax));
  term.hi = static_cast<int32_t>(std::clamp<int64_t>(w.hi, kMin, kMax));
}

TermId Terms::constant(int32_t value, SourceRef at) {
  return keep({.kind = TermKind::Const, .value = value, .at = at, .lo = value, .hi = value});
}

TermId Terms::variable(uint32_t number, Bounds bounds, bool input, SourceRef at) {
  return keep({.kind = TermKind::Current,
               .value = static_cast<int32_t>(number),
               .at = at,
               .lo = bounds.lo,
               .hi = bounds.hi,
               .mentions = input ? kMentionsInput : uint8_t{0}});
}

TermId Terms::next(uint32_t number, Bounds bounds, SourceRef at) {
  return keep({.kind = TermKind::Next,
               .value = static_cast<int32_t>(number),
               .at = at,
               .lo = bounds.lo,
               .hi = bounds.hi,
               .mentions = kMentionsNext});
}

TermId Terms::running(uint32_t process, SourceRef at) {
  return keep({.kind = TermKind::Running,
               .value = static_cast<int32_t>(process),
               .at = at,
               .lo = 0,
               .hi = 1,
               .mentions = kMentionsRunning});
}

TermId Terms::slot(uint32_t number, Bounds bounds) {
  return keep({.kind = TermKind::Slot, .value = static_cast<int32_t>(number), .lo = bounds.lo, .hi = bounds.hi});
}

TermId Terms::fail(std::string_view text, SourceRef at) {
  auto known = std::find(texts_.begin(), texts_.end(), text);
  if (known == texts_.end()) known = texts_.insert(texts_.end(), std::string(text));
  return keep({.kind = TermKind::Fail,
               .value = static_cast<int32_t>(known - texts_.begin()),
               .at = at,
               .lo = kMax,
               .hi = kMin});
}

TermId Terms::make(Op op, TermId a, TermId b, SourceRef at) {
  if (is_const(a) && (!b.valid() || is_const(b)) && !model::is_connective(op)) {
    model::Fault fault = model::Fault::None;
    const int32_t value = b.valid() ? model::apply_binary(op, (*this)[a].value, (*this)[b].value, fault)
                                    : model::apply_unary(op, (*this)[a].value, fault);
    if (fault == model::Fault::None) return constant(value, at);
  }
  if (const TermId simple = simplified(op, a, b, at); simple.valid()) return simple;
  return keep({.kind = TermKind::Node, .op = op, .a = a, .b = b, .at = at});
}

// A simpler term of the same meaning; none: there is no obvious one.
TermId Terms::simplified(Op op, TermId a, TermId b, SourceRef at) {
  if (model::is_connective(op)) {
    const bool neutral = op == Op::And;
    if (is_const(a)) return is_true(a) == neutral ? b : truth(!neutral);
    if (is_const(b) && is_true(b) == neutral) return a;
    const bool safe = !(*this)[a].fails;
    if (is_const(b) && safe) return truth(!neutral);
    if (a == b) return a;
    const bool opposite = (is_node(a, Op::Not) && (*this)[a].a == b) || (is_node(b, Op::Not) && (*this)[b].a == a);
    if (safe && opposite) return truth(!neutral);
    return {};
  }
  if (model::is_comparison(op)) return simplified_comparison(op, a, b, at);
  const auto is_number = [&](TermId id, int32_t value) { return is_const(id) && (*this)[id].value == value; };
  if (op == Op::Add && is_number(a, 0)) return b;
  if ((op == Op::Add || op == Op::Sub) && is_number(b, 0)) return a;
  if (op == Op::Mul && is_number(a, 1)) return b;
  if ((op == Op::Mul || op == Op::Div) && is_number(b, 1)) return a;
  return {};
}

TermId Terms::simplified_comparison(Op op, TermId a, TermId b, SourceRef at) {
  if (is_const(a) && !is_const(b)) return make(model::mirrored(op), b, a, at);
  const Term left = (*this)[a];
  const Term right = (*this)[b];
  const bool equality = op == Op::Eq || op == Op::Ne;
  if (equality && is_boolean(a) && is_const(b) && (right.value == 0 || right.value == 1)) {
    return (right.value == 1) == (op == Op::Eq) ? a : negation(a, at);
  }
  if (left.fails || right.fails || left.lo > left.hi || right.lo > right.hi) return {};
  if (a == b) return truth(op == Op::Eq || op == Op::Le || op == Op::Ge);
  const bool below = left.hi < right.lo;
  const bool above = left.lo > right.hi;
  if (equality && (below || above)) return truth(op == Op::Ne);
  if (op == Op::Lt || op == Op::Ge) {
    if (below) return truth(op == Op::Lt);
    if (left.lo >= right.hi) return truth(op == Op::Ge);
  }
  if (op == Op::Le || op == Op::Gt) {
    if (above) return truth(op == Op::Gt);
    if (left.hi <= right.lo) return truth(op == Op::Le);
  }
  return {};
}

TermId Terms::negation(TermId a, SourceRef at) {
  const Term term = (*this)[a];
  if (is_const(a)) return truth(term.value == 0);
  if (term.kind == TermKind::Node) {
    if (term.op == Op::Not) return term.a;
    if (model::is_comparison(term.op)) return make(model::complement(term.op), term.a, term.b, term.at);
  }
  return keep({.kind = TermKind::Node, .op = Op::Not, .a = a, .at = at});
}

TermId Terms::ite(TermId condition, TermId then, TermId otherwise, SourceRef at) {
  if (is_const(condition)) return is_true(condition) ? then : otherwise;
  if (is_node(condition, Op::Not)) return ite((*this)[condition].a, otherwise, then, at);
  if (then == otherwise && !(*this)[condition].fails) return then;
  if (is_boolean(then) && is_boolean(otherwise)) {
    if (is_true(then)) return either(condition, otherwise, at);
    if (is_false(then)) return both(negation(condition), otherwise, at);
    if (is_false(otherwise)) return both(condition, then, at);
    if (is_true(otherwise)) return either(negation(condition), then, at);
  }
  return keep({.kind = TermKind::Node, .op = Op::Ite, .a = condition, .b = then, .c = otherwise, .at = at});
}

TermId Terms::balanced(Op op, std::vector<TermId> parts, SourceRef at) {
  if (parts.empty()) return truth(op == Op::And);
  while (parts.size() > 1) {
    std::vector<TermId> pairs;
    for (size_t i = 0; i + 1 < parts.size(); i += 2) pairs.push_back(make(op, parts[i], parts[i + 1], at));
    if (parts.size() % 2 != 0) pairs.push_back(parts.back());
    parts = std::move(pairs);
  }
  return parts.front();
}

TermId Terms::all_of(std::vector<TermId> parts, SourceRef at) { return balanced(Op::And, std::move(parts), at); }
TermId Terms::any_of(std::vector<TermId> parts, SourceRef at) { return balanced(Op::Or, std::move(parts), at); }

std::vector<TermId> Terms::parts(TermId root) const {
  std::unordered_set<uint32_t> seen{root.value};
  std::vector<TermId> out{root};
  for (size_t i = 0; i < out.size(); ++i) {
    const Term& term = (*this)[out[i]];
    for (const TermId part : {term.a, term.b, term.c}) {
      if (part.valid() && seen.insert(part.value).second) out.push_back(part);
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

TermId Terms::rewrite(TermId root, Memo& memo, const std::function<TermId(TermId)>& leaf) {
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    if (memo.contains(id.value)) {
      open.pop_back();
      continue;
    }
    const Term term = (*this)[id];
    if (term.kind != TermKind::Node) {
      memo[id.value] = leaf(id);
      continue;
    }
    bool ready = true;
    for (const TermId part : {term.c, term.b, term.a}) {
      if (!part.valid() || memo.contains(part.value)) continue;
      open.push_back(part);
      ready = false;
    }
    if (!ready) continue;
    const TermId a = memo[term.a.value];
    const TermId b = term.b.valid() ? memo[term.b.value] : TermId();
    TermId made;
    if (term.op == Op::Ite) {
      made = ite(a, b, memo[term.c.value], term.at);
    } else if (term.op == Op::Not) {
      made = negation(a, term.at);
    } else {
      made = make(term.op, a, b, term.at);
    }
    memo[id.value] = made;
  }
  return memo[root.value];
}

TermId Terms::rewrite_values(TermId root, const std::function<TermId(TermId)>& value) {
  Memo memo;
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    const Term term = (*this)[id];
    if (memo.contains(id.value)) {
      open.pop_back();
    } else if (term.kind != TermKind::Node || term.op != Op::Ite) {
      memo[id.value] = term.kind == TermKind::Fail ? id : value(id);
    } else if (!memo.contains(term.b.value)) {
      open.push_back(term.b);
    } else if (!memo.contains(term.c.value)) {
      open.push_back(term.c);
    } else {
      memo[id.value] = ite(term.a, memo[term.b.value], memo[term.c.value], term.at);
    }
  }
  return memo[root.value];
}

std::vector<uint32_t> Terms::slots(TermId root) const {
  std::vector<uint32_t> out;
  for (const TermId id : parts(root)) {
    if ((*this)[id].kind == TermKind::Slot) out.push_back(static_cast<uint32_t>((*this)[id].value));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

}  // namespace harrier::smv
