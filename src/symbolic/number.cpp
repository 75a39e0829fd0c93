#include "symbolic/number.h"

#include <algorithm>
#include <utility>

namespace harrier::symbolic {

namespace {

constexpr size_t kWord = 32;
constexpr int64_t kLargestShift = 31;

// a + b + carry, in so many digits.
Number sum(const Number& a, const Number& b, Bdd carry, size_t width) {
  std::vector<Bdd> digits;
  digits.reserve(width);
  for (size_t i = 0; i < width; ++i) {
    const Bdd& x = a.digit(i);
    const Bdd& y = b.digit(i);
    const Bdd half = x ^ y;
    digits.push_back(half ^ carry);
    if (i + 1 < width) carry = (x & y) | (half & carry);
  }
  return Number(std::move(digits));
}

template <class Apply>
Number by_digit(const Number& a, const Number& b, const Apply& apply) {
  const size_t width = std::max(a.width(), b.width());
  std::vector<Bdd> digits;
  digits.reserve(width);
  for (size_t i = 0; i < width; ++i) digits.push_back(apply(a.digit(i), b.digit(i)));
  return Number(std::move(digits));
}

Number moved_left(const Number& a, size_t distance) {
  std::vector<Bdd> digits(distance);
  for (size_t i = 0; i < a.width(); ++i) digits.push_back(a.digit(i));
  return Number(std::move(digits));
}

Number moved_right(const Number& a, size_t distance) {
  std::vector<Bdd> digits;
  for (size_t i = distance; i < a.width(); ++i) digits.push_back(a.digit(i));
  if (digits.empty()) digits.push_back(a.sign());
  return Number(std::move(digits));
}

Number negated(const Number& a) { return subtract(Number(0), a); }
Number magnitude(const Number& a) { return ite(a.sign(), negated(a), a); }

template <class Move>
Number shifted(const Number& a, const Number& b, const Move& move) {
  if (b.is_constant()) {
    const int64_t distance = b.constant();
    return distance < 0 || distance > kLargestShift ? Number(0) : move(a, static_cast<size_t>(distance));
  }
  Number out = a;
  for (size_t i = 0; i < 5; ++i) {
    if (!b.digit(i).is_false()) out = ite(b.digit(i), move(out, size_t{1} << i), out);
  }
  return out;
}

}  // namespace

Number::Number(int64_t value) {
  for (; value != 0 && value != -1; value >>= 1) digits_.emplace_back((value & 1) != 0);
  digits_.emplace_back(value == -1);
}

void Number::trim() {
  while (digits_.size() > 1 && digits_.back() == digits_[digits_.size() - 2]) digits_.pop_back();
}

Bdd Number::truth() const {
  Bdd out;
  for (const Bdd& digit : digits_) out |= digit;
  return out;
}

bool Number::is_constant() const {
  return std::all_of(digits_.begin(), digits_.end(), [](const Bdd& d) { return d.is_constant(); });
}

int64_t Number::constant() const {
  int64_t out = sign().is_true() ? -1 : 0;
  for (size_t i = digits_.size(); i-- > 0;) out = out * 2 + (digits_[i].is_true() ? 1 : 0);
  return out;
}

Number ite(const Bdd& condition, const Number& then, const Number& otherwise) {
  if (condition.is_constant()) return condition.is_true() ? then : otherwise;
  return by_digit(then, otherwise, [&](const Bdd& x, const Bdd& y) { return ite(condition, x, y); });
}

Number add(const Number& a, const Number& b) { return sum(a, b, Bdd(), std::max(a.width(), b.width()) + 1); }

Number subtract(const Number& a, const Number& b) {
  return sum(a, bit_not(b), Bdd(true), std::max(a.width(), b.width()) + 1);
}

Number multiply(const Number& a, const Number& b) {
  if (a.width() < b.width() || (a.is_constant() && !b.is_constant())) {
    if (!b.is_constant()) return multiply(b, a);
  }
  // The digits of b, the last of which counts negatively.
  Number out(0);
  for (size_t i = 0; i < b.width(); ++i) {
    if (b.digit(i).is_false()) continue;
    const Number part = ite(b.digit(i), moved_left(a, i), Number(0));
    out = i + 1 == b.width() ? subtract(out, part) : add(out, part);
  }
  return out;
}

Division divide(const Number& a, const Number& b) {
  const Number dividend = magnitude(a);
  const Number divisor = magnitude(b);
  std::vector<Bdd> quotient(dividend.width());
  Number rest(0);
  for (size_t i = dividend.width(); i-- > 0;) {
    rest = bit_or(moved_left(rest, 1), Number(dividend.digit(i)));
    const Bdd fits = !less(rest, divisor);
    quotient[i] = fits;
    rest = ite(fits, subtract(rest, divisor), rest);
  }
  const Number q = Number::from_unsigned(std::move(quotient));
  return {ite(a.sign() ^ b.sign(), negated(q), q), ite(a.sign(), negated(rest), rest)};
}

Number shift_left(const Number& a, const Number& b) { return shifted(a, b, moved_left); }
Number shift_right(const Number& a, const Number& b) { return shifted(a, b, moved_right); }

Number bit_not(const Number& a) {
  return by_digit(a, a, [](const Bdd& x, const Bdd&) { return !x; });
}
Number bit_and(const Number& a, const Number& b) {
  return by_digit(a, b, [](const Bdd& x, const Bdd& y) { return x & y; });
}
Number bit_or(const Number& a, const Number& b) {
  return by_digit(a, b, [](const Bdd& x, const Bdd& y) { return x | y; });
}
Number bit_xor(const Number& a, const Number& b) {
  return by_digit(a, b, [](const Bdd& x, const Bdd& y) { return x ^ y; });
}

Bdd equal(const Number& a, const Number& b) {
  Bdd out(true);
  for (size_t i = std::max(a.width(), b.width()); i-- > 0 && !out.is_false();) {
    out &= equivalent(a.digit(i), b.digit(i));
  }
  return out;
}

Bdd less(const Number& a, const Number& b) {
  const size_t width = std::max(a.width(), b.width());
  Bdd out;
  for (size_t i = 0; i < width; ++i) {
    // Of the signs, the greater one is that of the smaller number.
    const Bdd& x = i + 1 == width ? b.digit(i) : a.digit(i);
    const Bdd& y = i + 1 == width ? a.digit(i) : b.digit(i);
    out = (y - x) | (out - (x ^ y));
  }
  return out;
}

Bdd outside_32_bits(const Number& a) {
  Bdd out;
  for (size_t i = kWord - 1; i + 1 < a.width(); ++i) out |= a.digit(i) ^ a.sign();
  return out;
}

Number low_32_bits(const Number& a) {
  if (a.width() <= kWord) return a;
  std::vector<Bdd> digits;
  for (size_t i = 0; i < kWord; ++i) digits.push_back(a.digit(i));
  return Number(std::move(digits));
}

int64_t value(const Number& a, const std::vector<bool>& bits) {
  int64_t out = value(a.sign(), bits) ? -1 : 0;
  for (size_t i = a.width(); i-- > 0;) out = out * 2 + (value(a.digit(i), bits) ? 1 : 0);
  return out;
}

}  // namespace harrier::symbolic
