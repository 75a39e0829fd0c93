// The operations on zones against their definitions, point by point.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <vector>

#include "random/zone_points.h"
#include "zone/dbm.h"

namespace harrier::testing_support {
namespace {

using zone::Bound;
using zone::kInfinity;
using zone::Zone;
namespace dbm = zone::dbm;

// Entries that can be tightened, or an empty zone.
bool is_canonical(const Zone& zone) {
  Zone copy = zone;
  if (!dbm::close(copy.data(), copy.dim())) return false;
  for (uint32_t i = 0; i < zone.dim(); ++i) {
    for (uint32_t j = 0; j < zone.dim(); ++j) {
      if (copy.at(i, j) != zone.at(i, j)) return false;
    }
  }
  return true;
}

void expect_points(const Zone& zone, const std::function<bool(const Point&)>& expected) {
  EXPECT_TRUE(is_canonical(zone));
  for_each_point(zone.dim(), [&](const Point& v) {
    const bool same = contains(zone, v) == expected(v);
    EXPECT_TRUE(same) << "at " << ::testing::PrintToString(v) << "/8";
    return same;
  });
}

TEST(DbmRandom, NegateIsTheComplement) {
  for (int32_t c = -3; c <= 3; ++c) {
    for (const bool strict : {false, true}) {
      const Bound b = zone::make_bound(c, strict);
      for (int32_t x = 0; x <= 5 * kUnit; ++x) {
        for (int32_t y = 0; y <= 5 * kUnit; ++y) {
          ASSERT_NE(satisfies({x, y}, 0, 1, b), satisfies({x, y}, 1, 0, zone::negate(b)));
        }
      }
    }
  }
}

TEST(DbmRandom, AddBoundsIsTheTightestSum) {
  for (Bound a = -5; a <= 5; ++a) {
    for (Bound b = -5; b <= 5; ++b) {
      const Bound sum = zone::add_bounds(a, b);
      ASSERT_EQ(zone::bound_constant(sum), zone::bound_constant(a) + zone::bound_constant(b));
      ASSERT_EQ(zone::bound_is_strict(sum), zone::bound_is_strict(a) || zone::bound_is_strict(b));
    }
    ASSERT_EQ(zone::add_bounds(a, kInfinity), kInfinity);
    ASSERT_EQ(zone::add_bounds(kInfinity, a), kInfinity);
  }
}

TEST(DbmRandom, ConstrainIntersects) {
  on_random_cases(150, [](Rng& rng, uint32_t dim) {
    const Zone before = random_zone(rng, dim);
    const Constraint c = random_constraint(rng, dim);
    const auto expected = [&](const Point& v) { return contains(before, v) && satisfies(v, c.i, c.j, c.bound); };
    const bool possible = any_point(dim, expected);
    EXPECT_EQ(dbm::satisfiable(before.data(), dim, c.i, c.j, c.bound), possible);
    Zone after = before;
    ASSERT_EQ(after.constrain(c.i, c.j, c.bound), possible);
    if (possible) expect_points(after, expected);
  });
}

TEST(DbmRandom, CloseKeepsTheSet) {
  on_random_cases(150, [](Rng& rng, uint32_t dim) {
    Zone raw(dim);
    dbm::set_universal(raw.data(), dim);
    const size_t constraints = 1 + rng.below(5);
    for (size_t k = 0; k < constraints; ++k) {
      const Constraint c = random_constraint(rng, dim);
      Bound& entry = raw.data()[c.i * dim + c.j];
      entry = std::min(entry, c.bound);
    }
    const auto expected = [&](const Point& v) { return contains(raw, v); };
    Zone closed = raw;
    const bool possible = any_point(dim, expected);
    ASSERT_EQ(dbm::close(closed.data(), dim), possible);
    if (possible) expect_points(closed, expected);
  });
}

TEST(DbmRandom, UpAndDownLetTimePass) {
  on_random_cases(40, [](Rng& rng, uint32_t dim) {
    const Zone before = random_zone(rng, dim);
    const auto shifted = [&](const Point& v, int32_t sign) {
      for (int32_t d = 0; d <= kHorizon; ++d) {
        Point w = v;
        for (uint32_t i = 1; i < dim; ++i) w[i] += sign * d;
        if (contains(before, w)) return true;
      }
      return false;
    };
    Zone up = before;
    dbm::up(up.data(), dim);
    expect_points(up, [&](const Point& v) { return shifted(v, -1); });
    Zone down = before;
    dbm::down(down.data(), dim);
    expect_points(down, [&](const Point& v) { return shifted(v, 1); });
  });
}

TEST(DbmRandom, ResetAndForgetProject) {
  on_random_cases(100, [](Rng& rng, uint32_t dim) {
    const Zone before = random_zone(rng, dim);
    const uint32_t clock = 1 + static_cast<uint32_t>(rng.below(dim - 1));
    const int32_t value = rng.between(0, 3);
    const auto projected = [&](const Point& v) {
      Point w = v;
      for (w[clock] = 0; w[clock] <= kHorizon; ++w[clock]) {
        if (contains(before, w)) return true;
      }
      return false;
    };
    Zone reset = before;
    dbm::reset(reset.data(), dim, clock, value);
    expect_points(reset, [&](const Point& v) { return v[clock] == value * kUnit && projected(v); });
    Zone forgotten = before;
    dbm::forget(forgotten.data(), dim, clock);
    expect_points(forgotten, projected);
  });
}

TEST(DbmRandom, IncludesIsTheSubsetRelation) {
  on_random_cases(200, [](Rng& rng, uint32_t dim) {
    const Zone outer = random_zone(rng, dim);
    Zone inner = rng.chance(50) ? random_zone(rng, dim) : outer;
    const Constraint c = random_constraint(rng, dim);
    Zone smaller = inner;
    if (smaller.constrain(c.i, c.j, c.bound)) inner = smaller;
    const bool outside = any_point(dim, [&](const Point& v) { return contains(inner, v) && !contains(outer, v); });
    EXPECT_EQ(dbm::includes(outer.data(), inner.data(), dim), !outside);
  });
}

TEST(DbmRandom, MinimalConstraintsDescribeTheZone) {
  on_random_cases(500, [](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    std::vector<std::pair<uint32_t, uint32_t>> pairs;
    dbm::minimal_constraints(zone.data(), dim, pairs);
    Zone rebuilt(dim);
    dbm::set_universal(rebuilt.data(), dim);
    for (const auto& [i, j] : pairs) EXPECT_TRUE(rebuilt.constrain(i, j, zone.at(i, j)));
    EXPECT_TRUE(dbm::includes(zone.data(), rebuilt.data(), dim));
    EXPECT_TRUE(dbm::includes(rebuilt.data(), zone.data(), dim));
  });
}

// ---- abstractions ----

// Differences x_i - x_j <= or < a constant in eighths; satisfiable over the reals?
class Differences {
 public:
  explicit Differences(uint32_t dim) : dim_(dim), d_(size_t{dim} * dim, Entry{kFar, false}) {
    for (uint32_t i = 0; i < dim; ++i) d_[i * dim + i] = {0, false};
  }
  void add(uint32_t i, uint32_t j, int64_t constant, bool strict) {
    Entry& e = d_[i * dim_ + j];
    e = std::min(e, Entry{constant, strict});
  }
  void add(const Zone& zone) {
    for (uint32_t i = 0; i < dim_; ++i) {
      for (uint32_t j = 0; j < dim_; ++j) {
        const Bound b = zone.at(i, j);
        if (b != kInfinity) add(i, j, int64_t{zone::bound_constant(b)} * kUnit, zone::bound_is_strict(b));
      }
    }
  }
  bool satisfiable() {
    for (uint32_t k = 0; k < dim_; ++k) {
      for (uint32_t i = 0; i < dim_; ++i) {
        for (uint32_t j = 0; j < dim_; ++j) {
          const Entry& a = d_[i * dim_ + k];
          const Entry& b = d_[k * dim_ + j];
          if (a.constant == kFar || b.constant == kFar) continue;
          d_[i * dim_ + j] = std::min(d_[i * dim_ + j], Entry{a.constant + b.constant, a.strict || b.strict});
        }
      }
    }
    for (uint32_t i = 0; i < dim_; ++i) {
      if (d_[i * dim_ + i] < Entry{0, false}) return false;
    }
    return true;
  }

 private:
  static constexpr int64_t kFar = int64_t{1} << 40;
  struct Entry {
    int64_t constant = 0;
    bool strict = false;
    // Tighter is less.
    bool operator<(const Entry& other) const {
      return constant < other.constant || (constant == other.constant && strict && !other.strict);
    }
  };
  uint32_t dim_;
  std::vector<Entry> d_;
};

using Bounds = std::array<int32_t, 4>;

Bounds random_bounds(Rng& rng) {
  Bounds b{};
  for (int32_t& c : b) c = rng.chance(20) ? dbm::kNoBound : rng.between(0, 3);
  return b;
}

// v is in a_LU(zone): some v' in the zone has, for each clock x, v'(x) = v(x), or L(x) < v'(x) < v(x), or U(x) < v(x) <
// v'(x).
bool in_alu(const Zone& zone, const Point& v, const Bounds& lower, const Bounds& upper) {
  const uint32_t dim = zone.dim();
  std::vector<uint32_t> choice(dim, 0);
  while (true) {
    Differences constraints(dim);
    constraints.add(zone);
    bool possible = true;
    for (uint32_t x = 1; x < dim; ++x) {
      if (choice[x] == 0) {
        constraints.add(x, 0, v[x], false);
        constraints.add(0, x, -v[x], false);
      } else if (choice[x] == 1) {
        constraints.add(x, 0, v[x], true);
        if (lower[x] != dbm::kNoBound) constraints.add(0, x, -int64_t{lower[x]} * kUnit, true);
      } else {
        constraints.add(0, x, -v[x], true);
        if (upper[x] != dbm::kNoBound && v[x] <= upper[x] * kUnit) possible = false;
      }
    }
    if (possible && constraints.satisfiable()) return true;
    uint32_t x = 1;
    while (x < dim && choice[x] == 2) choice[x++] = 0;
    if (x == dim) return false;
    ++choice[x];
  }
}

TEST(DbmRandom, ExtraLuPlusLiesBetweenTheZoneAndItsAluAbstraction) {
  on_random_cases(150, [](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    const Bounds lower = random_bounds(rng);
    const Bounds upper = random_bounds(rng);
    Zone larger = zone;
    const bool changed = dbm::extrapolate_lu_plus(larger.data(), dim, lower.data(), upper.data());
    EXPECT_TRUE(is_canonical(larger));
    EXPECT_TRUE(dbm::includes(larger.data(), zone.data(), dim));
    EXPECT_TRUE(changed || dbm::includes(zone.data(), larger.data(), dim));
    for_each_point(dim, [&](const Point& v) {
      if (!contains(larger, v) || contains(zone, v)) return true;
      const bool sound = in_alu(zone, v, lower, upper);
      EXPECT_TRUE(sound) << "at " << ::testing::PrintToString(v) << "/8";
      return sound;
    });
  });
}

TEST(DbmRandom, IncludedInAluFollowsTheDefinition) {
  int included = 0;
  int excluded = 0;
  on_random_cases(600, [&](Rng& rng, uint32_t dim) {
    const Zone outer = random_zone(rng, dim);
    const Zone inner = random_zone(rng, dim);
    const Bounds lower = random_bounds(rng);
    const Bounds upper = random_bounds(rng);
    const bool outside = any_point(dim, [&](const Point& v) {
      return contains(inner, v) && !contains(outer, v) && !in_alu(outer, v, lower, upper);
    });
    EXPECT_EQ(dbm::included_in_alu(inner.data(), outer.data(), dim, lower.data(), upper.data()), !outside);
    ++(outside ? excluded : included);
  });
  EXPECT_GT(included, 100);
  EXPECT_GT(excluded, 100);
}

}  // namespace
}  // namespace harrier::testing_support
