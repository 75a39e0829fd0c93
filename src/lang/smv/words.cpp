// Words: bit vectors of a fixed width. A signed word is kept as its value, so that comparisons are those of integers;
// operators on bits work on its `raw` bits. Results are cut to the width.
#include <algorithm>

#include "lang/smv/values.h"

namespace harrier::smv {

using model::Op;

namespace {

int32_t mask_of(uint32_t width) { return static_cast<int32_t>((1U << width) - 1); }

}  // namespace

uint32_t Values::width_of(int64_t width, SourceRef at) {
  if (width <= 0) fail(at, "a word has at least one bit");
  if (width > kMaxWidth) refuse(at, "a word of more than " + std::to_string(kMaxWidth) + " bits");
  return static_cast<uint32_t>(width);
}

// The value of the bits of a term within the width.
TermId Values::wrapped(TermId term, const Type& type, SourceRef at) {
  const Term& t = terms_[term];
  const int32_t sign = static_cast<int32_t>(1U << (type.width - 1));
  if (type.is_signed ? t.lo >= -sign && t.hi < sign : t.lo >= 0 && t.hi <= mask_of(type.width)) return term;
  return word_of(terms_.make(Op::BitAnd, term, terms_.constant(mask_of(type.width)), at), type, at).term;
}

TermId Values::raw(const Value& word, SourceRef at) {
  if (!word.type.is_signed) return word.term;
  return terms_.make(Op::BitAnd, word.term, terms_.constant(mask_of(word.type.width)), at);
}

Value Values::word_of(TermId raw_bits, Type type, SourceRef at) {
  if (!type.is_signed) return {type, raw_bits};
  const TermId sign = terms_.constant(static_cast<int32_t>(1U << (type.width - 1)));
  return {type, terms_.make(Op::Sub, terms_.make(Op::BitXor, raw_bits, sign, at), sign, at)};
}

// Of 30 bits each at most: by halves, so that nothing is too large for the model.
TermId Values::word_product(const Value& a, const Value& b, SourceRef at) {
  constexpr uint32_t kHalf = 15;
  const TermId left = raw(a, at);
  const TermId right = raw(b, at);
  if (a.type.width <= kHalf) return terms_.make(Op::Mul, left, right, at);
  const TermId mask = terms_.constant(mask_of(kHalf));
  const TermId shift = terms_.constant(kHalf);
  const auto low = [&](TermId t) { return terms_.make(Op::BitAnd, t, mask, at); };
  const auto high = [&](TermId t) { return terms_.make(Op::Shr, t, shift, at); };
  const auto times = [&](TermId x, TermId y) { return terms_.make(Op::Mul, x, y, at); };
  const TermId middle =
      terms_.make(Op::Add, low(times(high(left), low(right))), low(times(low(left), high(right))), at);
  return terms_.make(Op::Add, terms_.make(Op::Shl, low(middle), shift, at), times(low(left), low(right)), at);
}

Value Values::word_binary(ExprKind kind, const Value& a, const Value& b, SourceRef at) {
  if (a.type.kind != TypeKind::Word || b.type.kind != TypeKind::Word) {
    fail(at, describe(a.type) + " and " + describe(b.type) + " do not go together");
  }
  if (kind == ExprKind::Concat) {
    const Type type{TypeKind::Word, false, width_of(int64_t{a.type.width} + b.type.width, at)};
    const TermId high = terms_.make(Op::Shl, raw(a, at), terms_.constant(static_cast<int32_t>(b.type.width)), at);
    return {type, terms_.make(Op::BitOr, high, raw(b, at), at)};
  }
  if (a.type != b.type) fail(at, describe(a.type) + " and " + describe(b.type) + " do not go together");
  const Type type = a.type;
  const TermId mask = terms_.constant(mask_of(type.width));
  const auto arithmetic = [&](Op op) { return Value{type, wrapped(terms_.make(op, a.term, b.term, at), type, at)}; };
  const auto bitwise = [&](Op op) { return terms_.make(op, raw(a, at), raw(b, at), at); };
  const auto inverted = [&](TermId bits) { return terms_.make(Op::BitXor, bits, mask, at); };
  switch (kind) {
    case ExprKind::Add: return arithmetic(Op::Add);
    case ExprKind::Sub: return arithmetic(Op::Sub);
    case ExprKind::Mul: return word_of(terms_.make(Op::BitAnd, word_product(a, b, at), mask, at), type, at);
    case ExprKind::Div: return arithmetic(Op::Div);
    case ExprKind::Mod: return arithmetic(Op::Mod);
    case ExprKind::And: return word_of(bitwise(Op::BitAnd), type, at);
    case ExprKind::Or: return word_of(bitwise(Op::BitOr), type, at);
    case ExprKind::Xor: return word_of(bitwise(Op::BitXor), type, at);
    case ExprKind::Xnor:
    case ExprKind::Iff: return word_of(inverted(bitwise(Op::BitXor)), type, at);
    case ExprKind::Implies: return word_of(terms_.make(Op::BitOr, inverted(raw(a, at)), raw(b, at), at), type, at);
    default: fail(at, "words have no such operator");
  }
}

Value Values::word_shift(ExprKind kind, const Value& a, const Value& b, SourceRef at) {
  if (a.type.kind != TypeKind::Word) fail(at, "a shift needs a word, but this is " + describe(a.type));
  const bool by_word = b.type.kind == TypeKind::Word && !b.type.is_signed;
  const TermId distance = by_word ? b.term : to_integer(b, at);
  const auto width = static_cast<int32_t>(a.type.width);
  const TermId in_range = terms_.both(terms_.make(Op::Ge, distance, terms_.constant(0), at),
                                      terms_.make(Op::Le, distance, terms_.constant(width), at), at);
  TermId shifted;
  if (kind == ExprKind::Shr) {
    shifted = terms_.make(Op::Shr, a.term, distance, at);
  } else {
    // What is shifted out is cut off before.
    const TermId kept = terms_.make(Op::Shr, terms_.constant(mask_of(a.type.width)), distance, at);
    const TermId bits = terms_.make(Op::Shl, terms_.make(Op::BitAnd, raw(a, at), kept, at), distance, at);
    shifted = word_of(terms_.make(Op::BitAnd, bits, terms_.constant(mask_of(a.type.width)), at), a.type, at).term;
  }
  if (terms_.is_true(in_range)) return {a.type, shifted};
  return {a.type, terms_.ite(in_range, shifted, terms_.fail("shift by more than the width of the word", at), at)};
}

Value Values::bits(const Value& word, const Value& high, const Value& low, SourceRef at) {
  no_set(word, at);
  if (word.type.kind != TypeKind::Word) fail(at, "only words have bits; this is " + describe(word.type));
  const auto last = constant(high);
  const auto first = constant(low);
  if (!last || !first) fail(at, "the numbers of the bits must be constant integers");
  if (*first < 0 || *last < *first || *last >= static_cast<int32_t>(word.type.width)) {
    fail(at, describe(word.type) + " has no bits " + std::to_string(*last) + ":" + std::to_string(*first));
  }
  const Type type{TypeKind::Word, false, static_cast<uint32_t>(*last - *first + 1)};
  const TermId shifted = *first == 0 ? raw(word, at) : terms_.make(Op::Shr, raw(word, at), low.term, at);
  return {type, terms_.make(Op::BitAnd, shifted, terms_.constant(mask_of(type.width)), at)};
}

Value Values::resized(const Value& word, uint32_t width, bool extend, SourceRef at) {
  Type type = word.type;
  type.width = width;
  if (width >= word.type.width) return {type, word.term};
  if (extend) fail(at, "this makes the word shorter");
  if (!type.is_signed) return {type, wrapped(word.term, type, at)};
  // The sign stays: it becomes the highest of the remaining bits.
  const TermId low = terms_.make(Op::BitAnd, word.term, terms_.constant(mask_of(width - 1)), at);
  const TermId sign = terms_.constant(static_cast<int32_t>(1U << (width - 1)));
  const TermId negative = terms_.make(Op::Lt, word.term, terms_.constant(0), at);
  return {type, terms_.ite(negative, terms_.make(Op::Sub, low, sign, at), low, at)};
}

Value Values::word_call(const std::string& function, const std::vector<Value>& arguments, SourceRef at) {
  const auto number = [&](size_t i) {
    const auto value = constant(arguments[i]);
    if (!value) fail(at, "'" + function + "' needs a constant here");
    return int64_t{*value};
  };
  if (function == "uwconst" || function == "swconst") {
    if (arguments.size() != 2) fail(at, "'" + function + "' takes two arguments");
    const Type type{TypeKind::Word, function == "swconst", width_of(number(1), at)};
    const int64_t lo = type.is_signed ? -(int64_t{1} << (type.width - 1)) : 0;
    const int64_t hi = type.is_signed ? -lo - 1 : mask_of(type.width);
    if (number(0) < lo || number(0) > hi) fail(at, "the number does not fit " + describe(type));
    return {type, arguments[0].term};
  }
  const Value& word = arguments.front();
  if (word.type.kind != TypeKind::Word) fail(at, "'" + function + "' needs a word, but this is " + describe(word.type));
  if (function == "sizeof") return integer(terms_.constant(static_cast<int32_t>(word.type.width), at));
  if (function == "signed" || function == "unsigned") {
    const Type type{TypeKind::Word, function == "signed", word.type.width};
    return type == word.type ? word : word_of(raw(word, at), type, at);
  }
  if (arguments.size() != 2) fail(at, "'" + function + "' takes two arguments");
  const bool extend = function == "extend";
  const int64_t width = extend ? word.type.width + number(1) : number(1);
  return resized(word, width_of(width, at), extend, at);
}

Value Values::call(const std::string& function, const std::vector<Value>& arguments, SourceRef at) {
  if (arguments.empty()) fail(at, "'" + function + "' needs an argument");
  for (const Value& argument : arguments) no_set(argument, at);
  const Value& first = arguments.front();
  if (function == "count") {
    TermId sum = terms_.constant(0, at);
    for (const Value& argument : arguments) sum = terms_.make(Op::Add, sum, to_boolean(argument, at), at);
    return integer(sum);
  }
  if (function == "max" || function == "min") {
    if (arguments.size() != 2) fail(at, "'" + function + "' takes two arguments");
    const Op op = function == "max" ? Op::Max : Op::Min;
    return integer(terms_.make(op, to_integer(first, at), to_integer(arguments[1], at), at));
  }
  const bool unary = function == "bool" || function == "word1" || function == "toint" || function == "abs" ||
                     function == "signed" || function == "unsigned" || function == "sizeof";
  if (unary && arguments.size() != 1) fail(at, "'" + function + "' takes one argument");
  const bool is_word = first.type.kind == TypeKind::Word;
  if (function == "abs") {
    const TermId term = to_integer(first, at);
    return integer(terms_.make(Op::Max, term, terms_.make(Op::Neg, term, {}, at), at));
  }
  if (function == "word1") return {{TypeKind::Word, false, 1}, to_boolean(first, at)};
  if (function == "toint") return integer(is_word ? first.term : to_integer(first, at));
  if (function == "bool") {
    if (is_word && first.type.width != 1) fail(at, "only a word of one bit is a boolean");
    if (first.type.kind == TypeKind::Boolean) return first;
    const TermId number = is_word ? raw(first, at) : to_integer(first, at);
    return boolean(terms_.make(Op::Ne, number, terms_.constant(0), at));
  }
  return word_call(function, arguments, at);
}

// 0ud8_255: a sign, a base, the width, the digits.
Value Values::word_literal(const std::string& text, SourceRef at) {
  size_t i = 1;
  Type type{TypeKind::Word, false, 0};
  if (text[i] == 'u' || text[i] == 's') type.is_signed = text[i++] == 's';
  int64_t base = 0;
  uint32_t digit_bits = 0;
  switch (i < text.size() ? text[i] : ' ') {
    case 'b':
    case 'B':
      base = 2;
      digit_bits = 1;
      break;
    case 'o':
    case 'O':
      base = 8;
      digit_bits = 3;
      break;
    case 'd':
    case 'D': base = 10; break;
    case 'h':
    case 'H':
      base = 16;
      digit_bits = 4;
      break;
    default: fail(at, "malformed word '" + text + "'");
  }
  int64_t width = 0;
  for (++i; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
    width = std::min<int64_t>(width * 10 + (text[i] - '0'), 1'000'000);
  }
  int64_t value = 0;
  int64_t digits = 0;
  bool good = i < text.size() && text[i] == '_';
  for (++i; i < text.size() && good; ++i) {
    const char c = text[i];
    if (c == '_') continue;
    const int64_t digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : base;
    good = digit < base;
    value = std::min<int64_t>(value * base + digit, int64_t{1} << 40);
    ++digits;
  }
  if (!good || digits == 0) fail(at, "malformed word '" + text + "'");
  if (width == 0 && digit_bits == 0) fail(at, "a decimal word needs its width: 0d8_255");
  type.width = width_of(width != 0 ? width : digits * digit_bits, at);
  if (value > mask_of(type.width)) fail(at, "the number does not fit " + describe(type));
  return word_of(terms_.constant(static_cast<int32_t>(value), at), type, at);
}

}  // namespace harrier::smv
