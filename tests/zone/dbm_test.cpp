// Zones by hand: small matrices whose operations can be checked on paper. Random tests are in tests/random.
#include "zone/dbm.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace harrier::zone {
namespace {

// Clocks x (1) and y (2).
constexpr uint32_t kDim = 3;

TEST(Bounds, AreOrderedAndAddUp) {
  EXPECT_LT(bound_lt(3), bound_le(3));
  EXPECT_LT(bound_le(2), bound_lt(3));
  EXPECT_EQ(add_bounds(bound_le(2), bound_le(3)), bound_le(5));
  EXPECT_EQ(add_bounds(bound_lt(2), bound_le(3)), bound_lt(5));
  EXPECT_EQ(add_bounds(bound_lt(-2), bound_lt(3)), bound_lt(1));
  EXPECT_EQ(add_bounds(kInfinity, bound_le(-7)), kInfinity);
  EXPECT_EQ(negate(bound_le(4)), bound_lt(-4));
  EXPECT_EQ(negate(bound_lt(4)), bound_le(-4));
}

TEST(Dbm, DelayKeepsDifferences) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  EXPECT_EQ(z.at(1, 2), kZeroLe);
  EXPECT_EQ(z.at(1, 0), kInfinity);
  ASSERT_TRUE(z.constrain(1, 0, bound_le(5)));
  EXPECT_EQ(z.at(2, 0), bound_le(5)) << "y = x, so y <= 5 too";
}

TEST(Dbm, ConstrainFindsEmptiness) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  ASSERT_TRUE(z.constrain(0, 1, bound_lt(-3)));  // x > 3
  EXPECT_FALSE(dbm::satisfiable(z.data(), kDim, 2, 0, bound_le(3)));
  EXPECT_TRUE(dbm::satisfiable(z.data(), kDim, 2, 0, bound_lt(4)));
  EXPECT_FALSE(z.constrain(2, 0, bound_le(3)));  // y <= 3, and y = x
}

TEST(Dbm, ResetToValue) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  z.constrain(1, 0, bound_le(10));
  dbm::reset(z.data(), kDim, 2, 4);
  EXPECT_EQ(z.at(2, 0), bound_le(4));
  EXPECT_EQ(z.at(0, 2), bound_le(-4));
  EXPECT_EQ(z.at(1, 2), bound_le(6)) << "x - y <= 10 - 4";
  EXPECT_EQ(z.at(2, 1), bound_le(4));
}

TEST(Dbm, UpperBoundsTogetherAreUpperBoundsOneByOne) {
  Zone one(kDim);
  dbm::up(one.data(), kDim);
  dbm::reset(one.data(), kDim, 1, 0);
  dbm::up(one.data(), kDim);
  Zone all = one;
  ASSERT_TRUE(one.constrain(1, 0, bound_le(3)));
  ASSERT_TRUE(one.constrain(2, 0, bound_lt(7)));
  const Bound bounds[] = {0, bound_le(3), bound_lt(7)};
  ASSERT_TRUE(dbm::constrain_upper(all.data(), kDim, bounds));
  EXPECT_TRUE(std::equal(one.data(), one.data() + kDim * kDim, all.data()));
}

TEST(Dbm, DownReachesBackInTime) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  z.constrain(0, 1, bound_le(-5));  // x >= 5, y = x
  dbm::down(z.data(), kDim);
  EXPECT_EQ(z.at(0, 1), kZeroLe);
  EXPECT_EQ(z.at(1, 2), kZeroLe) << "still on the diagonal";
}

TEST(Dbm, ExtrapolationForgetsWhatIsNeverAsked) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  z.constrain(0, 1, bound_le(-100));  // x = y >= 100
  const int32_t lower[] = {0, 10, dbm::kNoBound};
  const int32_t upper[] = {0, 10, dbm::kNoBound};
  EXPECT_TRUE(dbm::extrapolate_lu_plus(z.data(), kDim, lower, upper));
  EXPECT_EQ(z.at(0, 1), bound_lt(-10)) << "x > 10 is all that matters";
  EXPECT_EQ(z.at(0, 2), kZeroLe) << "y does not matter";
  EXPECT_EQ(z.at(1, 2), kInfinity);
  EXPECT_FALSE(dbm::extrapolate_lu_plus(z.data(), kDim, lower, upper)) << "idempotent";
}

TEST(Dbm, AluSubsumesMoreThanInclusion) {
  // inner: x = 20; outer: x = 15. With L = U = 10 no guard tells them apart.
  Zone inner(2);
  Zone outer(2);
  dbm::reset(inner.data(), 2, 1, 20);
  dbm::reset(outer.data(), 2, 1, 15);
  const int32_t ten[] = {0, 10};
  const int32_t seventeen[] = {0, 17};
  EXPECT_FALSE(dbm::includes(outer.data(), inner.data(), 2));
  EXPECT_TRUE(dbm::included_in_alu(inner.data(), outer.data(), 2, ten, ten));
  EXPECT_FALSE(dbm::included_in_alu(inner.data(), outer.data(), 2, seventeen, seventeen));
}

TEST(Dbm, MinimalConstraintsDescribeTheZone) {
  Zone z(kDim);
  dbm::up(z.data(), kDim);
  z.constrain(1, 0, bound_le(5));
  std::vector<std::pair<uint32_t, uint32_t>> pairs;
  dbm::minimal_constraints(z.data(), kDim, pairs);
  EXPECT_LE(pairs.size(), 3u) << "x = y (two) and one upper bound";
  std::vector<Bound> again(kDim * kDim);
  dbm::set_universal(again.data(), kDim);
  for (const auto& [i, j] : pairs) again[i * kDim + j] = z.at(i, j);
  ASSERT_TRUE(dbm::close(again.data(), kDim));
  EXPECT_TRUE(std::equal(again.begin(), again.end(), z.data()));
}

}  // namespace
}  // namespace harrier::zone
