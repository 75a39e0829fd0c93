// Difference bound matrices: zones of clock valuations (Dill 1989; Bengtsson and Yi 2004).
//
// A bound on x_i - x_j is one int32: twice the constant, plus 1 if "<=" and 0 if "<". Larger is weaker, so bounds
// are compared as integers. A zone of n clocks is a row-major matrix of dim x dim bounds, dim = n + 1, entry (i, j)
// bounding x_i - x_j; index 0 is the constant 0. Matrices are kept canonical (all-pairs shortest paths) and
// non-empty unless a function says otherwise; functions that constrain return false when the zone became empty,
// whose content is then undefined.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace harrier::zone {

using Bound = int32_t;

inline constexpr Bound kInfinity = std::numeric_limits<int32_t>::max() / 2;
inline constexpr Bound kZeroLe = 1;  // <= 0
inline constexpr Bound kZeroLt = 0;  // < 0
// Far enough from infinity that the sum of two bounds never reaches it.
inline constexpr int32_t kLargestConstant = (1 << 26) - 1;

constexpr Bound bound_le(int32_t c) { return c * 2 + 1; }
constexpr Bound bound_lt(int32_t c) { return c * 2; }
constexpr Bound make_bound(int32_t c, bool strict) { return c * 2 + (strict ? 0 : 1); }
constexpr int32_t bound_constant(Bound b) { return b >> 1; }
constexpr bool bound_is_strict(Bound b) { return (b & 1) == 0; }
// The complement: not (x - y <= c) is y - x < -c.
constexpr Bound negate(Bound b) { return 1 - b; }
constexpr Bound add_bounds(Bound a, Bound b) {
  return a == kInfinity || b == kInfinity ? kInfinity : a + b - ((a | b) & 1);
}

// Operations on a canonical matrix at `d` with `dim` rows.
namespace dbm {

void set_zero(Bound* d, uint32_t dim);       // all clocks 0
void set_universal(Bound* d, uint32_t dim);  // all clocks >= 0
bool close(Bound* d, uint32_t dim);          // Floyd–Warshall; false if empty
// x_i - x_j tightened by b; d stays canonical. O(dim^2). False if the zone became empty.
bool constrain(Bound* d, uint32_t dim, uint32_t i, uint32_t j, Bound b);
// x_i <= bounds[i] (kInfinity: no constraint) for all i >= 1 at once; bounds[0] is not read. O(dim^2 + dim *
// constraints).
bool constrain_upper(Bound* d, uint32_t dim, const Bound* bounds);
void up(Bound* d, uint32_t dim);    // let time pass
void down(Bound* d, uint32_t dim);  // valuations from which time leads into the zone
void reset(Bound* d, uint32_t dim, uint32_t clock, int32_t value);
void forget(Bound* d, uint32_t dim, uint32_t clock);                  // any value >= 0
bool includes(const Bound* outer, const Bound* inner, uint32_t dim);  // inner is a subset of outer
// Whether adding x_i - x_j ~ b leaves the zone non-empty. O(1).
inline bool satisfiable(const Bound* d, uint32_t dim, uint32_t i, uint32_t j, Bound b) {
  return add_bounds(d[j * dim + i], b) >= kZeroLe;
}
// The constraints that the others do not imply, as (i, j) index pairs.
void minimal_constraints(const Bound* d, uint32_t dim, std::vector<std::pair<uint32_t, uint32_t>>& out);

// Extra+_LU (Behrmann, Bouyer, Larsen, Pelanek 2006). lower[i], upper[i] are the largest constants that x_i is compared
// with from below (x > c) and above (x < c), or kNoBound. False if d did not
// change; true may also mean that closing it restored the same zone.
inline constexpr int32_t kNoBound = -1;
bool extrapolate_lu_plus(Bound* d, uint32_t dim, const int32_t* lower, const int32_t* upper);
// A matrix such that a zone `inner` is a subset of a_LU(outer) iff every entry of `outer` is at least that of `out`:
// one preparation, then each test against a stored zone is a plain comparison.
void alu_thresholds(const Bound* inner, uint32_t dim, const int32_t* lower, const int32_t* upper, Bound* out);
// inner is a subset of a_LU(outer) (Herbreteau, Srivathsan, Walukiewicz 2012, theorem 27). Both canonical and
// non-empty.
bool included_in_alu(const Bound* inner, const Bound* outer, uint32_t dim, const int32_t* lower, const int32_t* upper);

}  // namespace dbm

// The zone of a state, over the clocks that matter there.
struct ZoneView {
  const Bound* matrix = nullptr;    // null: nothing is known of the clocks
  const uint32_t* local = nullptr;  // by clock of the model: its row; 0: it does not matter (or is the reference clock)
  uint32_t dim = 0;
};

// A zone that owns its matrix, for code off the hot path.
class Zone {
 public:
  explicit Zone(uint32_t dim) : dim_(dim), d_(size_t{dim} * dim) { dbm::set_zero(d_.data(), dim); }
  Zone(uint32_t dim, const Bound* d) : dim_(dim), d_(d, d + size_t{dim} * dim) {}

  uint32_t dim() const { return dim_; }
  Bound* data() { return d_.data(); }
  const Bound* data() const { return d_.data(); }
  Bound at(uint32_t i, uint32_t j) const { return d_[i * dim_ + j]; }
  bool constrain(uint32_t i, uint32_t j, Bound b) { return dbm::constrain(d_.data(), dim_, i, j, b); }

 private:
  uint32_t dim_;
  std::vector<Bound> d_;
};

}  // namespace harrier::zone
