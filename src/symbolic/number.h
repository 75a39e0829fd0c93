// Integers that depend on bits: vectors of decision diagrams in two's complement.
//
//     Number x = …;                                // 0..7, from three bits
//     Bdd odd = equal(modulo(x, Number(2)), Number(1));
//
// The last digit is the sign, which goes on for ever, so that numbers of different widths go together; results are as
// wide as they have to be. Nothing overflows here; who needs 32 bits asks `outside_32_bits`.
#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/bdd.h"

namespace harrier::symbolic {

class Number {
 public:
  explicit Number(int64_t value = 0);
  // 0 or 1.
  explicit Number(const Bdd& truth) : digits_{truth, Bdd()} { trim(); }
  // From the lowest digit to the sign; not empty.
  explicit Number(std::vector<Bdd> digits) : digits_(std::move(digits)) { trim(); }
  // The digits of a number that is not negative.
  static Number from_unsigned(std::vector<Bdd> digits) {
    digits.emplace_back();
    return Number(std::move(digits));
  }

  size_t width() const { return digits_.size(); }
  const Bdd& digit(size_t i) const { return digits_[i < digits_.size() ? i : digits_.size() - 1]; }
  const Bdd& sign() const { return digits_.back(); }
  Bdd truth() const;  // it is not 0
  bool is_constant() const;
  int64_t constant() const;  // of a constant one

  bool operator==(const Number&) const = default;  // the same everywhere

 private:
  void trim();

  std::vector<Bdd> digits_;
};

Number ite(const Bdd& condition, const Number& then, const Number& otherwise);
Number add(const Number& a, const Number& b);
Number subtract(const Number& a, const Number& b);
Number multiply(const Number& a, const Number& b);
// Towards zero, and the remainder has the sign of a. Anything where b is 0.
struct Division {
  Number quotient;
  Number remainder;
};
Division divide(const Number& a, const Number& b);
// By 0 to 31 digits; anything where b is something else.
Number shift_left(const Number& a, const Number& b);
Number shift_right(const Number& a, const Number& b);
Number bit_not(const Number& a);
Number bit_and(const Number& a, const Number& b);
Number bit_or(const Number& a, const Number& b);
Number bit_xor(const Number& a, const Number& b);

Bdd equal(const Number& a, const Number& b);
Bdd less(const Number& a, const Number& b);
inline Bdd outside(const Number& a, int64_t lo, int64_t hi) { return less(a, Number(lo)) | less(Number(hi), a); }
Bdd outside_32_bits(const Number& a);
// The number as it is in 32 bits: for where it fits.
Number low_32_bits(const Number& a);

// The value for an assignment.
int64_t value(const Number& a, const std::vector<bool>& bits);

}  // namespace harrier::symbolic
