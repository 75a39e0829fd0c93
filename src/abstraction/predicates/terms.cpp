#include "abstraction/predicates/terms.h"

#include <algorithm>
#include <map>

#include "base/hash.h"
#include "model/operators.h"
#include "model/system.h"

namespace harrier::abstraction {

using model::Op;

namespace {

constexpr int64_t kLargestCoefficient = int64_t{1} << 31;
constexpr int kDeepestSum = 64;
constexpr size_t kMostSummands = 256;

}  // namespace

size_t Terms::Hash::operator()(const Term& t) const {
  const uint64_t words[] = {(uint64_t{static_cast<uint8_t>(t.kind)} << 40) |
                                (uint64_t{static_cast<uint8_t>(t.op)} << 32) | static_cast<uint32_t>(t.value),
                            (uint64_t{static_cast<uint32_t>(t.highest)} << 32) | t.number, (uint64_t{t.a} << 32) | t.b,
                            t.c};
  return hash_words(words, 4);
}

Terms::Terms() {
  constant(0);
  constant(1);
}

TermId Terms::add(const Term& term, bool vague) {
  const auto [at, is_new] = known_.try_emplace(term, static_cast<TermId>(terms_.size()));
  if (is_new) {
    terms_.push_back(term);
    vague_.push_back(vague);
    seen_.push_back(0);
    values_.emplace_back();
  }
  return at->second;
}

TermId Terms::constant(int32_t value) {
  Term term;
  term.value = value;
  return add(term, false);
}

TermId Terms::variable(uint32_t number) {
  Term term;
  term.kind = Kind::Variable;
  term.number = number;
  return add(term, false);
}

TermId Terms::unknown(int32_t lowest, int32_t highest) {
  if (lowest == highest) return constant(lowest);
  Term term;
  term.kind = Kind::Unknown;
  term.value = lowest;
  term.highest = highest;
  term.number = unknowns_++;
  return add(term, true);
}

int Terms::arity(Op op) { return op == Op::Ite ? 3 : model::is_unary(op) ? 1 : 2; }

bool Terms::is_truth(TermId id) const {
  const Term& term = terms_[id];
  if (term.kind == Kind::Constant) return term.value == 0 || term.value == 1;
  if (term.kind != Kind::Operation) return false;
  return term.op == Op::Ite ? is_truth(term.b) && is_truth(term.c) : model::is_truth(term.op);
}

TermId Terms::make(Op op, TermId a, TermId b, TermId c) {
  if (const auto folded = fold(op, a, b, c)) return *folded;
  Term term;
  term.kind = Kind::Operation;
  term.op = op;
  term.a = a;
  const int operands = arity(op);
  if (operands > 1) term.b = b;
  if (operands > 2) term.c = c;
  return add(term, vague_[a] || (operands > 1 && vague_[b]) || (operands > 2 && vague_[c]));
}

// The term that an operation is without being computed. None: it has to be.
std::optional<TermId> Terms::fold(Op op, TermId a, TermId b, TermId c) {
  if (op == Op::Ite) {
    if (is_constant(a)) return is_true(a) ? b : c;
    if (b == c) return b;
    if (is_true(b) && is_false(c) && is_truth(a) && terms_[b].value == 1) return a;
    return std::nullopt;
  }
  if (arity(op) == 1) {
    const Term operand = terms_[a];
    if (operand.kind == Kind::Constant) {
      model::Fault fault = model::Fault::None;
      const int32_t result = model::apply_unary(op, operand.value, fault);
      return fault == model::Fault::None ? constant(result) : unknown();
    }
    if (op != Op::Not || operand.kind != Kind::Operation) return std::nullopt;
    if (operand.op == Op::Not && is_truth(operand.a)) return operand.a;
    if (model::is_comparison(operand.op)) return make(model::complement(operand.op), operand.a, operand.b);
    return std::nullopt;
  }
  return simplify(op, a, b);
}

std::optional<TermId> Terms::simplify(Op op, TermId a, TermId b) {
  if (op == Op::And) {
    if (is_false(a) || is_false(b)) return 0;
    if (is_true(a) && is_truth(b)) return b;
    if (is_true(b) && is_truth(a)) return a;
    if (a == b && is_truth(a)) return a;
    return std::nullopt;
  }
  if (op == Op::Or) {
    if (is_true(a) || is_true(b)) return 1;
    if (is_false(a) && is_truth(b)) return b;
    if (is_false(b) && is_truth(a)) return a;
    if (a == b && is_truth(a)) return a;
    return std::nullopt;
  }
  if (is_constant(a) && is_constant(b)) {
    model::Fault fault = model::Fault::None;
    const int32_t result = model::apply_binary(op, terms_[a].value, terms_[b].value, fault);
    return fault == model::Fault::None ? constant(result) : unknown();
  }
  return model::is_comparison(op) ? simplify_comparison(op, a, b) : simplify_arithmetic(op, a, b);
}

std::optional<TermId> Terms::simplify_comparison(Op op, TermId a, TermId b) {
  if (a == b && !vague_[a]) return truth(model::compare(op, 0, 0));
  if (is_constant(a)) return make(model::mirrored(op), b, a);
  const Term left = terms_[a];
  if (!is_constant(b) || left.kind != Kind::Operation) return std::nullopt;
  const int32_t bound = terms_[b].value;
  // A choice is compared where it is made, so that what comes out are conditions on variables.
  const auto is_leaf = [&](TermId id) { return terms_[id].kind != Kind::Operation; };
  if (left.op == Op::Ite && (is_leaf(left.b) || is_leaf(left.c))) {
    const TermId then = make(op, left.b, b);
    const TermId otherwise = make(op, left.c, b);
    return disjunction(conjunction(left.a, then), conjunction(make_not(left.a), otherwise));
  }
  if (is_truth(a)) {
    const bool zero = model::compare(op, 0, bound);
    const bool one = model::compare(op, 1, bound);
    return zero == one ? truth(zero) : one ? a : make_not(a);
  }
  return std::nullopt;
}

std::optional<TermId> Terms::simplify_arithmetic(Op op, TermId a, TermId b) {
  const auto is = [&](TermId id, int32_t value) { return is_constant(id) && terms_[id].value == value; };
  if ((op == Op::Add || op == Op::Sub) && is(b, 0)) return a;
  if (op == Op::Add && is(a, 0)) return b;
  if (op == Op::Mul && is(b, 1)) return a;
  if (op == Op::Mul && is(a, 1)) return b;
  if (op == Op::Mul && ((is(a, 0) && !vague_[b]) || (is(b, 0) && !vague_[a]))) return 0;
  return std::nullopt;
}

void Terms::next_round() {
  if (++round_ != 0) return;
  std::fill(seen_.begin(), seen_.end(), 0);
  round_ = 1;
}

bool Terms::fresh(TermId id) {
  if (seen_[id] == round_) return false;
  seen_[id] = round_;
  return true;
}

std::vector<uint32_t> Terms::variables(TermId id) {
  std::vector<uint32_t> out;
  for (const TermId leaf : leaves(id)) {
    if (terms_[leaf].kind == Kind::Variable) out.push_back(terms_[leaf].number);
  }
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<TermId> Terms::leaves(TermId id) {
  std::vector<TermId> out;
  std::vector<TermId> open{id};
  next_round();
  while (!open.empty()) {
    const TermId at = open.back();
    open.pop_back();
    if (!fresh(at)) continue;
    const Term& term = terms_[at];
    if (term.kind == Kind::Variable || term.kind == Kind::Unknown) out.push_back(at);
    if (term.kind != Kind::Operation) continue;
    const int operands = arity(term.op);
    open.push_back(term.a);
    if (operands > 1) open.push_back(term.b);
    if (operands > 2) open.push_back(term.c);
  }
  return out;
}

TermId Terms::replace(TermId id, const Replace& leaf) {
  std::unordered_map<TermId, TermId> done;
  const auto go = [&](const auto& self, TermId at) -> TermId {
    if (const auto known = done.find(at); known != done.end()) return known->second;
    const Term term = terms_[at];
    TermId out = at;
    if (term.kind == Kind::Operation) {
      const int operands = arity(term.op);
      const TermId a = self(self, term.a);
      const TermId b = operands > 1 ? self(self, term.b) : 0;
      const TermId c = operands > 2 ? self(self, term.c) : 0;
      out = make(term.op, a, b, c);
    } else if (term.kind != Kind::Constant) {
      out = leaf(at);
    }
    done.emplace(at, out);
    return out;
  };
  return go(go, id);
}

TermId Terms::weaken(TermId id, bool positive) {
  const uint64_t key = (uint64_t{id} << 1) | (positive ? 1 : 0);
  if (const auto known = weakened_.find(key); known != weakened_.end()) return known->second;
  const TermId out = make_weaker(id, positive);
  weakened_.emplace(key, out);
  return out;
}

TermId Terms::make_weaker(TermId id, bool positive) {
  const Term term = terms_[id];
  if (term.kind == Kind::Constant) return truth((term.value != 0) == positive);
  if (term.kind == Kind::Operation) {
    if (term.op == Op::Not) return weaken(term.a, !positive);
    if (model::is_connective(term.op)) {
      const TermId a = weaken(term.a, positive);
      const TermId b = weaken(term.b, positive);
      return (term.op == Op::And) == positive ? conjunction(a, b) : disjunction(a, b);
    }
    if (term.op == Op::Ite && is_truth(term.b) && is_truth(term.c)) {
      const TermId then = conjunction(weaken(term.a, true), weaken(term.b, positive));
      return disjunction(then, conjunction(weaken(term.a, false), weaken(term.c, positive)));
    }
    if (model::is_comparison(term.op)) {
      if (vague_[id]) return 1;
      return positive ? id : make(model::complement(term.op), term.a, term.b);
    }
  }
  if (vague_[id]) return 1;
  return make(positive ? Op::Ne : Op::Eq, id, 0);
}

void Terms::conjuncts(TermId condition, std::vector<TermId>& out) {
  std::vector<TermId> open{condition};
  next_round();
  while (!open.empty()) {
    const TermId at = open.back();
    open.pop_back();
    if (!fresh(at) || is_true(at)) continue;
    const Term& term = terms_[at];
    if (term.kind == Kind::Operation && term.op == Op::And) {
      open.push_back(term.b);
      open.push_back(term.a);
    } else {
      out.push_back(at);
    }
  }
}

void Terms::comparisons(TermId condition, const std::function<void(TermId)>& visit) {
  std::vector<TermId> open{condition};
  next_round();
  while (!open.empty()) {
    const TermId at = open.back();
    open.pop_back();
    if (!fresh(at)) continue;
    const Term& term = terms_[at];
    if (term.kind != Kind::Operation) continue;
    if (model::is_comparison(term.op)) {
      visit(at);
    } else if (model::is_connective(term.op)) {
      open.push_back(term.b);
      open.push_back(term.a);
    }
  }
}

std::optional<int32_t> Terms::value(TermId id, std::span<const int32_t> state) {
  next_round();
  const auto go = [&](const auto& self, TermId at) -> std::optional<int32_t> {
    const Term& term = terms_[at];
    if (term.kind == Kind::Constant) return term.value;
    if (term.kind == Kind::Variable) return state[term.number];
    if (term.kind == Kind::Unknown) return std::nullopt;
    if (!fresh(at)) return values_[at];
    std::optional<int32_t> out;
    const std::optional<int32_t> a = self(self, term.a);
    if (term.op == Op::Ite) {
      if (a) out = self(self, *a != 0 ? term.b : term.c);
    } else if (model::is_connective(term.op)) {
      // What decides it may stand on either side: this only makes more of it known.
      const bool decides = term.op == Op::Or;
      if (a && (*a != 0) == decides) {
        out = decides;
      } else {
        const std::optional<int32_t> b = self(self, term.b);
        if (b && (*b != 0) == decides) {
          out = decides;
        } else if (a && b) {
          out = !decides;
        }
      }
    } else if (a) {
      model::Fault fault = model::Fault::None;
      if (arity(term.op) == 1) {
        out = model::apply_unary(term.op, *a, fault);
      } else if (const std::optional<int32_t> b = self(self, term.b)) {
        out = model::apply_binary(term.op, *a, *b, fault);
      }
      if (fault != model::Fault::None) out.reset();
    }
    return values_[at] = out;
  };
  return go(go, id);
}

std::optional<Terms::Linear> Terms::linear(TermId id) const {
  Linear out;
  if (!add_linear(id, 1, out, 0)) return std::nullopt;
  std::sort(out.parts.begin(), out.parts.end());
  Linear sum;
  sum.constant = out.constant;
  for (const auto& [variable, factor] : out.parts) {
    if (!sum.parts.empty() && sum.parts.back().first == variable) {
      sum.parts.back().second += factor;
    } else {
      sum.parts.emplace_back(variable, factor);
    }
  }
  std::erase_if(sum.parts, [](const auto& part) { return part.second == 0; });
  return sum;
}

bool Terms::add_linear(TermId id, int64_t factor, Linear& out, int depth) const {
  if (depth > kDeepestSum || out.parts.size() > kMostSummands || std::abs(factor) > kLargestCoefficient ||
      std::abs(out.constant) > (int64_t{1} << 60)) {
    return false;
  }
  const Term& term = terms_[id];
  switch (term.kind) {
    case Kind::Constant: out.constant += factor * term.value; return true;
    case Kind::Variable: out.parts.emplace_back(term.number, factor); return true;
    case Kind::Unknown: return false;
    case Kind::Operation: break;
  }
  if (term.op == Op::Neg) return add_linear(term.a, -factor, out, depth + 1);
  if (term.op == Op::Add || term.op == Op::Sub) {
    return add_linear(term.a, factor, out, depth + 1) &&
           add_linear(term.b, term.op == Op::Add ? factor : -factor, out, depth + 1);
  }
  if (term.op != Op::Mul) return false;
  if (is_constant(term.b)) return add_linear(term.a, factor * terms_[term.b].value, out, depth + 1);
  if (is_constant(term.a)) return add_linear(term.b, factor * terms_[term.a].value, out, depth + 1);
  return false;
}

}  // namespace harrier::abstraction
