#include "zone/dbm.h"

#include <algorithm>
#include <utility>

#include "base/vector.h"

namespace harrier::zone::dbm {

namespace {

// target[k] = min(target[k], first + row[k]) for all k; `first` is finite.
inline __attribute__((always_inline)) void relax_row(Bound* __restrict target, const Bound* __restrict row, Bound first,
                                                     uint32_t dim) {
  for (uint32_t k = 0; k < dim; ++k) {
    const Bound sum = first + row[k] - ((first | row[k]) & 1);
    const Bound via = row[k] == kInfinity ? kInfinity : sum;
    target[k] = via < target[k] ? via : target[k];
  }
}

}  // namespace

void set_zero(Bound* d, uint32_t dim) { std::fill(d, d + size_t{dim} * dim, kZeroLe); }

void set_universal(Bound* d, uint32_t dim) {
  for (uint32_t i = 0; i < dim; ++i) {
    for (uint32_t j = 0; j < dim; ++j) d[i * dim + j] = i == 0 || i == j ? kZeroLe : kInfinity;
  }
}

HARRIER_VECTOR
bool close(Bound* d, uint32_t dim) {
  for (uint32_t k = 0; k < dim; ++k) {
    const Bound* row = d + size_t{k} * dim;
    for (uint32_t i = 0; i < dim; ++i) {
      const Bound first = d[i * dim + k];
      if (first == kInfinity || i == k) continue;
      relax_row(d + size_t{i} * dim, row, first, dim);
    }
    for (uint32_t i = 0; i < dim; ++i) {
      if (d[i * dim + i] < kZeroLe) return false;
    }
  }
  return true;
}

HARRIER_VECTOR
bool constrain(Bound* d, uint32_t dim, uint32_t i, uint32_t j, Bound b) {
  if (d[i * dim + j] <= b) return true;
  if (!satisfiable(d, dim, i, j, b)) return false;
  d[i * dim + j] = b;
  // Every new shortest path runs k -> i -> j -> l.
  const Bound* row = d + size_t{j} * dim;
  relax_row(d + size_t{i} * dim, row, b, dim);
  for (uint32_t k = 0; k < dim; ++k) {
    if (k == i || k == j) continue;
    const Bound first = add_bounds(d[k * dim + i], b);
    if (first == kInfinity || first >= d[k * dim + j]) continue;
    relax_row(d + size_t{k} * dim, row, first, dim);
  }
  return true;
}

HARRIER_VECTOR
bool constrain_upper(Bound* d, uint32_t dim, const Bound* bounds) {
  int tighter = 0;
  for (uint32_t i = 1; i < dim; ++i) tighter |= bounds[i] < d[i * dim];
  if (!tighter) return true;
  // All new edges lead from a clock to 0, so a new shortest path k -> l is k -> i -> 0 -> l for some i.
  for (uint32_t k = 1; k < dim; ++k) {
    Bound best = d[k * dim];
    for (uint32_t i = 1; i < dim; ++i) {
      if (bounds[i] != kInfinity) best = std::min(best, add_bounds(d[k * dim + i], bounds[i]));
    }
    if (best >= d[k * dim]) continue;
    if (add_bounds(best, d[k]) < kZeroLe) return false;
    d[k * dim] = best;
    relax_row(d + size_t{k} * dim, d, best, dim);
  }
  return true;
}

void up(Bound* d, uint32_t dim) {
  for (uint32_t i = 1; i < dim; ++i) d[i * dim] = kInfinity;
}

void down(Bound* d, uint32_t dim) {
  for (uint32_t j = 1; j < dim; ++j) {
    Bound lowest = kZeroLe;
    for (uint32_t i = 1; i < dim; ++i) lowest = std::min(lowest, d[i * dim + j]);
    d[j] = lowest;
  }
}

void reset(Bound* d, uint32_t dim, uint32_t clock, int32_t value) {
  for (uint32_t j = 0; j < dim; ++j) {
    if (j == clock) continue;
    d[clock * dim + j] = add_bounds(bound_le(value), d[j]);
    d[j * dim + clock] = add_bounds(d[j * dim], bound_le(-value));
  }
  d[clock * dim + clock] = kZeroLe;
}

void forget(Bound* d, uint32_t dim, uint32_t clock) {
  for (uint32_t j = 0; j < dim; ++j) {
    if (j == clock) continue;
    d[clock * dim + j] = kInfinity;
    d[j * dim + clock] = d[j * dim];
  }
}

HARRIER_VECTOR
bool includes(const Bound* outer, const Bound* inner, uint32_t dim) {
  for (uint32_t i = 0; i < dim; ++i) {
    int smaller = 0;
    for (uint32_t j = 0; j < dim; ++j) smaller |= outer[i * dim + j] < inner[i * dim + j];
    if (smaller) return false;
  }
  return true;
}

void minimal_constraints(const Bound* d, uint32_t dim, std::vector<std::pair<uint32_t, uint32_t>>& out) {
  // Larsen, Larsson, Pettersson, Yi 1997: clocks at a fixed distance from each other form classes; keep one cycle
  // through each class, and between the first members of classes the edges that no other class shortens.
  out.clear();
  std::vector<uint32_t> first_of(dim);
  std::vector<uint32_t> heads;
  for (uint32_t i = 0; i < dim; ++i) {
    first_of[i] = i;
    for (uint32_t j = 0; j < i; ++j) {
      if (first_of[j] == j && add_bounds(d[i * dim + j], d[j * dim + i]) == kZeroLe) {
        first_of[i] = j;
        break;
      }
    }
    if (first_of[i] == i) heads.push_back(i);
  }
  for (const uint32_t head : heads) {
    uint32_t previous = head;
    for (uint32_t i = head + 1; i < dim; ++i) {
      if (first_of[i] != head) continue;
      out.emplace_back(previous, i);
      previous = i;
    }
    if (previous != head) out.emplace_back(previous, head);
  }
  for (const uint32_t i : heads) {
    for (const uint32_t j : heads) {
      const Bound direct = d[i * dim + j];
      if (i == j || direct == kInfinity) continue;
      const bool implied = std::any_of(heads.begin(), heads.end(), [&](uint32_t k) {
        return k != i && k != j && add_bounds(d[i * dim + k], d[k * dim + j]) <= direct;
      });
      const bool trivial = i == 0 && direct == kZeroLe;  // clocks are never negative
      if (!implied && !trivial) out.emplace_back(i, j);
    }
  }
}

bool extrapolate_lu_plus(Bound* d, uint32_t dim, const int32_t* lower, const int32_t* upper) {
  // Index 0 has lower = upper = 0 by definition. `kNoBound` (-1) behaves as minus infinity for non-negative clocks.
  bool changed = false;
  for (uint32_t i = 1; i < dim; ++i) {
    Bound* row = d + size_t{i} * dim;
    const bool beyond = d[i] < bound_le(-lower[i]);  // x_i > L(x_i) throughout
    for (uint32_t j = 0; j < dim; ++j) {
      if (i == j || row[j] == kInfinity) continue;
      if (beyond || row[j] > bound_le(lower[i]) || (j != 0 && d[j] < bound_le(-upper[j]))) {
        row[j] = kInfinity;
        changed = true;
      }
    }
  }
  // Row 0 last: the tests above need the lower bounds as they were.
  for (uint32_t j = 1; j < dim; ++j) {
    if (d[j] < bound_le(-upper[j])) {
      const Bound weaker = upper[j] == kNoBound ? kZeroLe : bound_lt(-upper[j]);
      changed = changed || d[j] != weaker;
      d[j] = weaker;
    }
  }
  if (changed) close(d, dim);
  return changed;
}

void alu_thresholds(const Bound* inner, uint32_t dim, const int32_t* lower, const int32_t* upper, Bound* out) {
  // inner is not a subset of a_LU(outer) iff for some x, y (0 included)
  //   inner(0,x) >= (<=, -U_x)  and  outer(y,x) < inner(y,x)  and  outer(y,x) + (<, -L_y) < inner(0,x).
  for (uint32_t y = 0; y < dim; ++y) {
    const int32_t l = y == 0 ? 0 : lower[y];
    for (uint32_t x = 0; x < dim; ++x) {
      const int32_t u = x == 0 ? 0 : upper[x];
      Bound& threshold = out[y * dim + x];
      if (l == kNoBound || u == kNoBound || inner[x] < bound_le(-u) || x == y) {
        threshold = -kInfinity;
        continue;
      }
      const Bound reach = inner[x] + 2 * l;
      threshold = std::min(inner[y * dim + x], reach + (reach & 1));
    }
  }
}

bool included_in_alu(const Bound* inner, const Bound* outer, uint32_t dim, const int32_t* lower, const int32_t* upper) {
  std::vector<Bound> thresholds(size_t{dim} * dim);
  alu_thresholds(inner, dim, lower, upper, thresholds.data());
  return includes(outer, thresholds.data(), dim);
}

}  // namespace harrier::zone::dbm
