// Zones as sets of points, for comparing operations on them with their definitions.
//
// With n <= 3 clocks and integer constants, every non-empty zone has a point whose coordinates are multiples of 1/4, so
// that sets of valuations are compared on that grid. Coordinates are counted in eighths, so that a delay or a
// forgotten value may also lie between two grid points.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "random/rng.h"
#include "zone/dbm.h"

namespace harrier::testing_support {

inline constexpr int32_t kUnit = 8;
inline constexpr int32_t kGrid = 2;    // a quarter
inline constexpr int32_t kExtent = 8;  // coordinates of grid points lie in [0, kExtent]
inline constexpr int32_t kHorizon = 2 * kExtent * kUnit;

using Point = std::vector<int32_t>;  // coordinate 0 is 0

inline bool satisfies(const Point& v, uint32_t i, uint32_t j, zone::Bound b) {
  if (b == zone::kInfinity) return true;
  const int32_t difference = v[i] - v[j];
  const int32_t constant = zone::bound_constant(b) * kUnit;
  return zone::bound_is_strict(b) ? difference < constant : difference <= constant;
}

inline bool contains(const zone::Zone& zone, const Point& v) {
  for (uint32_t i = 0; i < zone.dim(); ++i) {
    for (uint32_t j = 0; j < zone.dim(); ++j) {
      if (!satisfies(v, i, j, zone.at(i, j))) return false;
    }
  }
  return true;
}

// Calls visit(point) for every grid point until it returns false.
inline void for_each_point(uint32_t dim, const std::function<bool(const Point&)>& visit) {
  Point v(dim, 0);
  while (true) {
    if (!visit(v)) return;
    uint32_t i = 1;
    while (i < dim && v[i] == kExtent * kUnit) v[i++] = 0;
    if (i == dim) return;
    v[i] += kGrid;
  }
}

inline bool any_point(uint32_t dim, const std::function<bool(const Point&)>& predicate) {
  bool found = false;
  for_each_point(dim, [&](const Point& v) {
    found = predicate(v);
    return !found;
  });
  return found;
}

struct Constraint {
  uint32_t i = 0;
  uint32_t j = 0;
  zone::Bound bound = 0;
};

inline Constraint random_constraint(Rng& rng, uint32_t dim) {
  Constraint c;
  c.i = static_cast<uint32_t>(rng.below(dim));
  c.j = (c.i + 1 + static_cast<uint32_t>(rng.below(dim - 1))) % dim;
  const bool strict = rng.chance(50);
  c.bound = zone::make_bound(rng.between(-2, 2), strict);
  return c;
}

// A random non-empty zone, made by the operations themselves, so that unbounded ones and points occur too.
inline zone::Zone random_zone(Rng& rng, uint32_t dim) {
  zone::Zone zone(dim);
  if (rng.chance(70)) zone::dbm::set_universal(zone.data(), dim);
  const size_t steps = 1 + rng.below(5);
  for (size_t k = 0; k < steps; ++k) {
    switch (rng.below(5)) {
      case 0: zone::dbm::up(zone.data(), dim); break;
      case 1: {
        const int32_t value = rng.between(0, 2);
        zone::dbm::reset(zone.data(), dim, 1 + static_cast<uint32_t>(rng.below(dim - 1)), value);
        break;
      }
      default: {
        const Constraint c = random_constraint(rng, dim);
        zone::Zone next = zone;
        if (next.constrain(c.i, c.j, c.bound)) zone = next;
      }
    }
  }
  return zone;
}

inline uint32_t random_dim(Rng& rng) { return 2 + static_cast<uint32_t>(rng.below(3)); }

inline int rounds(uint32_t dim) { return dim == 4 ? 1 : 4; }

// Runs body(rng, dim) on many seeds; small dimensions more often, for their grids are small.
inline void on_random_cases(int cases, const std::function<void(Rng&, uint32_t)>& body) {
  for (int seed = 1; seed <= cases && !::testing::Test::HasFailure(); ++seed) {
    Rng rng(static_cast<uint64_t>(seed));
    const uint32_t dim = random_dim(rng);
    for (int k = 0; k < rounds(dim) && !::testing::Test::HasFailure(); ++k) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", round " + std::to_string(k));
      body(rng, dim);
    }
  }
}

}  // namespace harrier::testing_support
