// Earliest solutions of difference constraints.
#include "trace/earliest.h"

#include <gtest/gtest.h>

#include <random>

namespace harrier::trace {
namespace {

using Times = std::vector<int64_t>;

TEST(EarliestTimes, Unconstrained) {
  const auto s = EarliestTimes(3).solve();
  ASSERT_TRUE(s);
  EXPECT_EQ(s->denominator, 1);
  EXPECT_EQ(s->times, (Times{0, 0, 0}));
}

TEST(EarliestTimes, LowerBoundsAndUpperBoundsThatPushBack) {
  EarliestTimes times(4);
  times.at_most(0, 2, -5, false);  // T2 >= 5
  times.at_most(2, 1, 2, false);   // T2 - T1 <= 2, so that T1 >= 3
  const auto s = times.solve();
  ASSERT_TRUE(s);
  EXPECT_EQ(s->times, (Times{0, 3, 5, 5}));
}

TEST(EarliestTimes, StrictBounds) {
  EarliestTimes times(4);
  times.at_most(0, 1, -2, true);  // T1 > 2
  times.at_most(1, 2, -1, true);  // T2 > T1 + 1
  times.at_most(2, 0, 4, true);   // T2 < 4
  const auto s = times.solve();
  ASSERT_TRUE(s);
  EXPECT_EQ(s->denominator, 3);
  EXPECT_EQ(s->times, (Times{0, 7, 11, 11}));  // 2 + 1/3, 3 + 2/3
}

TEST(EarliestTimes, NoSolution) {
  EarliestTimes strict(3);
  strict.at_most(0, 1, -2, true);
  strict.at_most(1, 0, 2, false);
  EXPECT_FALSE(strict.solve());
  EarliestTimes cycle(3);
  cycle.at_most(1, 2, -3, false);
  cycle.at_most(2, 1, 2, false);
  EXPECT_FALSE(cycle.solve());
  EarliestTimes constant(1);
  constant.at_most(0, 0, -1, false);
  EXPECT_FALSE(constant.solve());
  EarliestTimes zero(1);
  zero.at_most(0, 0, 0, true);
  EXPECT_FALSE(zero.solve());
}

// Random systems: the solution satisfies everything, and is componentwise least among the solutions on a grid.
TEST(EarliestTimes, RandomSystemsAgainstEnumeration) {
  std::mt19937 rng(7);
  const auto pick = [&](int n) { return static_cast<size_t>(std::uniform_int_distribution<int>(0, n - 1)(rng)); };
  size_t feasible = 0;
  for (int round = 0; round < 400; ++round) {
    struct Bound {
      size_t u, v;
      int64_t w;
      bool strict;
    };
    std::vector<Bound> bounds;
    EarliestTimes times(4);
    for (size_t i = 0; i < 4; ++i) {
      const Bound c{pick(4), pick(4), static_cast<int64_t>(pick(7)) - 3, pick(2) == 0};
      if (c.u == c.v) continue;
      bounds.push_back(c);
      times.at_most(c.u, c.v, c.w, c.strict);
    }
    // Enough to tell apart four strict bounds.
    constexpr int64_t kUnit = 5;
    const auto holds = [&](const Times& t, int64_t unit) {
      for (const Bound& c : bounds) {
        const int64_t difference = t[c.u] - t[c.v];
        if (c.strict ? difference >= c.w * unit : difference > c.w * unit) return false;
      }
      return t[0] == 0 && t[0] <= t[1] && t[1] <= t[2] && t[2] <= t[3];
    };
    const auto solution = times.solve();
    bool any = false;
    constexpr int64_t kLast = 10 * kUnit;
    for (int64_t a = 0; a <= kLast; ++a) {
      for (int64_t b = a; b <= kLast; ++b) {
        for (int64_t c = b; c <= kLast; ++c) {
          if (!holds({0, a, b, c}, kUnit)) continue;
          any = true;
          ASSERT_TRUE(solution) << "round " << round;
          // Rounded down to whole units, the least solution is below every other.
          EXPECT_LE(solution->times[1] / solution->denominator, a / kUnit);
          EXPECT_LE(solution->times[2] / solution->denominator, b / kUnit);
          EXPECT_LE(solution->times[3] / solution->denominator, c / kUnit);
        }
      }
    }
    if (solution) {
      EXPECT_TRUE(holds(solution->times, solution->denominator)) << "round " << round;
      ++feasible;
    }
    EXPECT_EQ(any, solution.has_value()) << "round " << round;
  }
  EXPECT_GT(feasible, 100U);
}

TEST(EarliestTimes, LongPaths) {
  constexpr size_t kCount = 20'000;
  EarliestTimes times(kCount);
  for (size_t i = 0; i + 10 < kCount; ++i) {
    times.at_most(i, i + 10, -3, i % 2 == 0);
    times.at_most(i + 10, i, 4, false);
    times.at_most(i + 1, i, 2, false);
  }
  EXPECT_TRUE(times.solve());
}

}  // namespace
}  // namespace harrier::trace
