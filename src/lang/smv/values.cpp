#include "lang/smv/values.h"

#include <algorithm>
#include <limits>

#include "model/operators.h"

namespace harrier::smv {

using model::Op;

namespace {

constexpr int64_t kMaxTranslated = 4096;  // values of an integer that is compared with symbols
constexpr uint64_t kMaxSet = 100'000;
constexpr uint32_t kMaxSetDepth = 2000;

Op comparison_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::Lt: return Op::Lt;
    case ExprKind::Le: return Op::Le;
    case ExprKind::Gt: return Op::Gt;
    case ExprKind::Ge: return Op::Ge;
    case ExprKind::Ne: return Op::Ne;
    default: return Op::Eq;
  }
}

std::string symbol_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::Add: return "+";
    case ExprKind::Sub: return "-";
    case ExprKind::Mul: return "*";
    case ExprKind::Div: return "/";
    case ExprKind::Mod: return "mod";
    case ExprKind::Shl: return "<<";
    case ExprKind::Shr: return ">>";
    case ExprKind::Concat: return "::";
    case ExprKind::Lt: return "<";
    case ExprKind::Le: return "<=";
    case ExprKind::Gt: return ">";
    case ExprKind::Ge: return ">=";
    case ExprKind::Eq: return "=";
    case ExprKind::Ne: return "!=";
    default: return "this operator";
  }
}

}  // namespace

void Values::fail(SourceRef at, std::string message) {
  diagnostics_.error(at, std::move(message));
  throw Failure();
}

void Values::refuse(SourceRef at, std::string message) {
  diagnostics_.unsupported(at, std::move(message));
  throw Failure();
}

Atom Values::symbol(const std::string& name) {
  const auto [entry, is_new] = symbols_.try_emplace(name, kFirstSymbol + static_cast<Atom>(symbol_names_.size()));
  if (is_new) symbol_names_.push_back(name);
  return entry->second;
}

std::string Values::atom_name(Atom atom) const {
  return atom < kFirstSymbol ? std::to_string(atom) : symbol_names_[static_cast<size_t>(atom - kFirstSymbol)];
}

const Coding* Values::coding(const std::vector<Atom>& atoms) {
  std::unique_ptr<Coding>& entry = codings_[atoms];
  if (!entry) {
    entry = std::make_unique<Coding>();
    entry->atoms = atoms;
    for (size_t i = 0; i < atoms.size(); ++i) entry->codes.emplace(atoms[i], static_cast<int32_t>(i));
  }
  return entry.get();
}

Value Values::symbol_value(Atom atom, SourceRef at) {
  return {{.kind = TypeKind::Symbolic, .coding = coding({atom})}, terms_.constant(0, at)};
}

std::string Values::describe(const Type& type) const {
  switch (type.kind) {
    case TypeKind::Boolean: return "a boolean";
    case TypeKind::Integer: return "an integer";
    case TypeKind::Symbolic: return "a symbol";
    case TypeKind::Word:
      return std::string(type.is_signed ? "a signed" : "an unsigned") + " word[" + std::to_string(type.width) + "]";
  }
  return {};
}

std::string Values::describe(const Value& value) const { return value.set ? "a set" : describe(value.type); }

void Values::no_set(const Value& value, SourceRef at) {
  if (value.set) refuse(at, "a set as an operand: only assignments, 'in', 'union', 'case' and '?' take sets");
}

std::optional<int32_t> Values::constant(const Value& value) const {
  if (value.set || !terms_.is_const(value.term) || value.type.kind == TypeKind::Symbolic) return std::nullopt;
  return terms_[value.term].value;
}

TermId Values::to_boolean(const Value& value, SourceRef at) {
  no_set(value, at);
  if (value.type.kind == TypeKind::Boolean) return value.term;
  if (value.type.kind == TypeKind::Integer && terms_.is_boolean(value.term)) return value.term;
  fail(at, "expected a boolean, but this is " + describe(value.type));
}

TermId Values::to_integer(const Value& value, SourceRef at) {
  no_set(value, at);
  if (value.type.kind == TypeKind::Integer || value.type.kind == TypeKind::Boolean) return value.term;
  fail(at, "expected an integer, but this is " + describe(value.type));
}

std::vector<Atom> Values::atoms_of(const Value& value, SourceRef at) {
  if (value.type.kind == TypeKind::Symbolic) return value.type.coding->atoms;
  const int64_t lo = value.set ? value.set->lo : terms_[value.term].lo;
  const int64_t hi = value.set ? value.set->hi : terms_[value.term].hi;
  if (hi - lo >= kMaxTranslated) refuse(at, "an integer with so many values together with symbols");
  std::vector<Atom> out;
  for (int64_t i = lo; i <= hi; ++i) out.push_back(i);
  return out;
}

// The type that has the values of both.
Type Values::merged(const Value& a, const Value& b, SourceRef at) {
  using enum TypeKind;
  if (a.type == b.type) return a.type;
  const auto is_plain = [](const Value& v) { return v.type.kind == Boolean || v.type.kind == Integer; };
  if (is_plain(a) && is_plain(b)) {
    // One is boolean, the other an integer.
    const Value& number = a.type.kind == Integer ? a : b;
    const bool bit = number.set ? number.set->lo >= 0 && number.set->hi <= 1 : terms_.is_boolean(number.term);
    return bit ? Type{Boolean} : Type{Integer};
  }
  const auto fits = [](const Value& v) { return v.type.kind == Integer || v.type.kind == Symbolic; };
  if (!fits(a) || !fits(b)) fail(at, describe(a.type) + " and " + describe(b.type) + " do not go together");
  std::vector<Atom> atoms = atoms_of(a, at);
  std::vector<Atom> more = atoms_of(b, at);
  if (more.size() > atoms.size()) std::swap(atoms, more);  // the larger coding is likely that of a variable
  const Coding* larger = coding(atoms);
  for (const Atom atom : more) {
    if (larger->code(atom) < 0) atoms.push_back(atom);
  }
  if (static_cast<int64_t>(atoms.size()) > kMaxTranslated) refuse(at, "an expression with so many different symbols");
  return {.kind = Symbolic, .coding = coding(atoms)};
}

// The term chosen by the value of another, which is a number below the size of the table.
TermId Values::by_code(TermId term, const std::vector<TermId>& table, SourceRef at) {
  TermId out = table.back();
  for (size_t i = table.size() - 1; i-- > 0;) {
    if (table[i] == out) continue;
    const TermId is_it = terms_.equal(term, terms_.constant(static_cast<int32_t>(i)), at);
    out = terms_.ite(is_it, table[i], out, at);
  }
  return out;
}

TermId Values::recoded(const Value& value, const Type& type, TermId missing, SourceRef at) {
  using enum TypeKind;
  no_set(value, at);
  const auto bad = [&]() -> TermId {
    fail(at, "expected " + describe(type) + ", but this is " + describe(value.type));
  };
  if (value.type == type) return value.term;
  if (type.kind == Word || value.type.kind == Word) return bad();
  if (type.kind == Boolean) {
    if (value.type.kind != Integer) return bad();
    const TermId term = value.term;
    if (terms_.is_boolean(term)) return term;
    const TermId zero = terms_.constant(0);
    return terms_.ite(terms_.equal(term, zero), zero,
                      terms_.ite(terms_.equal(term, terms_.constant(1)), terms_.constant(1), missing));
  }
  if (type.kind == Integer) {
    if (value.type.kind == Boolean) return value.term;
    std::vector<TermId> table;
    for (const Atom atom : value.type.coding->atoms) {
      table.push_back(atom < kFirstSymbol ? terms_.constant(static_cast<int32_t>(atom)) : missing);
    }
    return terms_.rewrite_values(value.term, [&](TermId leaf) {
      return terms_.is_const(leaf) ? table[static_cast<size_t>(terms_[leaf].value)] : by_code(leaf, table, at);
    });
  }
  if (value.type.kind == Boolean) return bad();
  const auto translate = [&](Atom atom) {
    const int32_t code = type.coding->code(atom);
    return code < 0 ? missing : terms_.constant(code);
  };
  if (value.type.kind == Integer) {
    return terms_.rewrite_values(value.term, [&](TermId leaf) {
      const Term term = terms_[leaf];
      if (int64_t{term.hi} - term.lo >= kMaxTranslated) {
        refuse(at, "an integer with so many values together with symbols");
      }
      std::vector<TermId> table;
      for (int64_t i = term.lo; i <= term.hi; ++i) table.push_back(translate(i));
      return by_code(terms_.make(Op::Sub, leaf, terms_.constant(term.lo), at), table, at);
    });
  }
  std::vector<TermId> table;
  bool same = true;
  for (size_t i = 0; i < value.type.coding->atoms.size(); ++i) {
    table.push_back(translate(value.type.coding->atoms[i]));
    same = same && table.back() == terms_.constant(static_cast<int32_t>(i));
  }
  if (same) return value.term;
  return terms_.rewrite_values(value.term, [&](TermId leaf) {
    return terms_.is_const(leaf) ? table[static_cast<size_t>(terms_[leaf].value)] : by_code(leaf, table, at);
  });
}

Value Values::unary(ExprKind kind, const Value& a, SourceRef at) {
  no_set(a, at);
  if (a.type.kind == TypeKind::Word) {
    if (kind == ExprKind::Neg) return {a.type, wrapped(terms_.make(Op::Neg, a.term, {}, at), a.type, at)};
    const TermId mask = terms_.constant(static_cast<int32_t>((1U << a.type.width) - 1));
    return word_of(terms_.make(Op::BitXor, raw(a, at), mask, at), a.type, at);
  }
  if (kind == ExprKind::Neg) return integer(terms_.make(Op::Neg, to_integer(a, at), {}, at));
  return boolean(terms_.negation(to_boolean(a, at), at));
}

TermId Values::truth_table(ExprKind kind, TermId a, TermId b, SourceRef at) {
  switch (kind) {
    case ExprKind::And: return terms_.both(a, b, at);
    case ExprKind::Or: return terms_.either(a, b, at);
    case ExprKind::Implies: return terms_.either(terms_.negation(a, at), b, at);
    case ExprKind::Xor: return terms_.make(Op::Ne, a, b, at);
    default: return terms_.make(Op::Eq, a, b, at);  // Iff, Xnor
  }
}

Value Values::connective(ExprKind kind, const std::vector<Value>& operands, SourceRef at) {
  for (const Value& operand : operands) no_set(operand, at);
  if (operands.front().type.kind == TypeKind::Word) {
    Value out = operands.front();
    for (size_t i = 1; i < operands.size(); ++i) out = word_binary(kind, out, operands[i], at);
    return out;
  }
  std::vector<TermId> parts;
  for (const Value& operand : operands) parts.push_back(to_boolean(operand, at));
  if (kind == ExprKind::And) return boolean(terms_.all_of(std::move(parts), at));
  if (kind == ExprKind::Or) return boolean(terms_.any_of(std::move(parts), at));
  return boolean(truth_table(kind, parts[0], parts[1], at));
}

Value Values::compare(ExprKind kind, const Value& a, const Value& b, SourceRef at) {
  using enum TypeKind;
  const Op op = comparison_of(kind);
  const bool equality = op == Op::Eq || op == Op::Ne;
  if (a.type.kind == Symbolic || b.type.kind == Symbolic) {
    if (!equality) fail(at, "symbols have no order: '" + symbol_of(kind) + "' compares numbers");
    // In the coding of a variable, if one of them is one.
    const auto rank = [&](const Value& v) {
      return v.type.kind != Symbolic                  ? 0
             : terms_[v.term].kind == TermKind::Const ? 1
             : terms_[v.term].kind == TermKind::Node  ? 2
                                                      : 3;
    };
    const bool left = rank(a) >= rank(b);
    const Value& first = left ? a : b;
    const TermId second = recoded(left ? b : a, first.type, terms_.constant(-1), at);
    return boolean(terms_.make(op, first.term, second, at));
  }
  if (a.type.kind == Word || b.type.kind == Word) {
    if (a.type != b.type) fail(at, describe(a.type) + " and " + describe(b.type) + " cannot be compared");
    return boolean(terms_.make(op, a.term, b.term, at));
  }
  return boolean(terms_.make(op, to_integer(a, at), to_integer(b, at), at));
}

Value Values::arithmetic(ExprKind kind, const Value& a, const Value& b, SourceRef at) {
  const TermId left = to_integer(a, at);
  const TermId right = to_integer(b, at);
  switch (kind) {
    case ExprKind::Add: return integer(terms_.make(Op::Add, left, right, at));
    case ExprKind::Sub: return integer(terms_.make(Op::Sub, left, right, at));
    case ExprKind::Mul: return integer(terms_.make(Op::Mul, left, right, at));
    case ExprKind::Div: return integer(terms_.make(Op::Div, left, right, at));
    case ExprKind::Mod: return integer(terms_.make(Op::Mod, left, right, at));
    default: fail(at, "'" + symbol_of(kind) + "' needs words, but this is " + describe(a.type));
  }
}

Value Values::binary(ExprKind kind, const Value& a, const Value& b, SourceRef at) {
  no_set(a, at);
  no_set(b, at);
  switch (kind) {
    case ExprKind::Xor:
    case ExprKind::Xnor:
    case ExprKind::Implies:
    case ExprKind::Iff: return connective(kind, {a, b}, at);
    case ExprKind::Eq:
    case ExprKind::Ne:
    case ExprKind::Lt:
    case ExprKind::Le:
    case ExprKind::Gt:
    case ExprKind::Ge: return compare(kind, a, b, at);
    case ExprKind::Shl:
    case ExprKind::Shr: return word_shift(kind, a, b, at);
    default: break;
  }
  const bool words = a.type.kind == TypeKind::Word;
  return words || b.type.kind == TypeKind::Word ? word_binary(kind, a, b, at) : arithmetic(kind, a, b, at);
}

SetPtr Values::keep_set(SetNode node, SourceRef at) {
  for (const SetPtr& part : node.parts) {
    node.size += part->size;
    node.depth = std::max(node.depth, part->depth + 1);
  }
  if (node.size > kMaxSet || node.depth > kMaxSetDepth) refuse(at, "a set with so many elements");
  return std::make_shared<const SetNode>(std::move(node));
}

SetPtr Values::to_set(const Value& value) const {
  if (value.set) return value.set;
  const Term& term = terms_[value.term];
  return std::make_shared<const SetNode>(
      SetNode{.kind = SetKind::Single, .type = value.type, .term = value.term, .lo = term.lo, .hi = term.hi});
}

Value Values::conditional(TermId condition, const Value& then, const Value& otherwise, SourceRef at) {
  if (terms_.is_const(condition)) return terms_.is_true(condition) ? then : otherwise;
  const auto is_failure = [&](const Value& v) { return !v.set && terms_[v.term].kind == TermKind::Fail; };
  const Type type = is_failure(otherwise) ? then.type : is_failure(then) ? otherwise.type : merged(then, otherwise, at);
  if (!then.set && !otherwise.set) {
    const auto term = [&](const Value& v) { return is_failure(v) ? v.term : recoded(v, type, v.term, at); };
    return {type, terms_.ite(condition, term(then), term(otherwise), at)};
  }
  const SetPtr a = to_set(then);
  const SetPtr b = to_set(otherwise);
  SetNode node{.kind = SetKind::Ite, .type = type, .term = condition, .parts = {a, b}};
  node.lo = std::min(a->lo, b->lo);
  node.hi = std::max(a->hi, b->hi);
  return {type, {}, keep_set(std::move(node), at)};
}

Value Values::set_of(const std::vector<Value>& elements, SourceRef at) {
  if (elements.size() == 1) return elements.front();
  SetNode node{.kind = SetKind::Union, .type = elements.front().type};
  node.lo = std::numeric_limits<int32_t>::max();
  node.hi = std::numeric_limits<int32_t>::min();
  Value all = elements.front();
  for (const Value& element : elements) {
    all.type = merged(all, element, at);
    node.parts.push_back(to_set(element));
    node.lo = std::min(node.lo, node.parts.back()->lo);
    node.hi = std::max(node.hi, node.parts.back()->hi);
    all.set = std::make_shared<const SetNode>(SetNode{.type = all.type, .lo = node.lo, .hi = node.hi});
  }
  node.type = all.type;
  return {node.type, {}, keep_set(std::move(node), at)};
}

Value Values::range(const Value& lo, const Value& hi, SourceRef at) {
  const auto first = constant(lo);
  const auto last = constant(hi);
  if (!first || !last) fail(at, "the bounds of a range must be constant integers");
  if (*first > *last) fail(at, "this range is empty");
  if (*first == *last) return lo;
  return {{TypeKind::Integer},
          {},
          keep_set({.kind = SetKind::Range, .type = {TypeKind::Integer}, .lo = *first, .hi = *last}, at)};
}

TermId Values::member_term(const Value& a, const SetNode& set, SourceRef at) {
  switch (set.kind) {
    case SetKind::Single: return compare(ExprKind::Eq, a, {set.type, set.term}, at).term;
    case SetKind::Range: {
      const TermId term = to_integer(a, at);
      return terms_.both(terms_.make(Op::Ge, term, terms_.constant(set.lo), at),
                         terms_.make(Op::Le, term, terms_.constant(set.hi), at), at);
    }
    case SetKind::Union: {
      std::vector<TermId> parts;
      for (const SetPtr& part : set.parts) parts.push_back(member_term(a, *part, at));
      return terms_.any_of(std::move(parts), at);
    }
    case SetKind::Ite:
      return terms_.ite(set.term, member_term(a, *set.parts[0], at), member_term(a, *set.parts[1], at), at);
  }
  return {};
}

Value Values::membership(const Value& a, const Value& set, SourceRef at) {
  if (a.set) refuse(at, "a set to the left of 'in'");
  return boolean(member_term(a, *to_set(set), at));
}

SetPtr Values::rewrite(const SetPtr& set, const std::function<TermId(TermId)>& term) const {
  SetNode node = *set;
  if (node.term.valid()) node.term = term(node.term);
  for (SetPtr& part : node.parts) part = rewrite(part, term);
  return std::make_shared<const SetNode>(std::move(node));
}

}  // namespace harrier::smv
