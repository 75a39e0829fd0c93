// The random numbers: the published generators, on every machine, and without a preference.
#include "base/rng.h"

#include <gtest/gtest.h>

#include <array>
#include <utility>
#include <vector>

#include "support/frequency.h"

namespace harrier {
namespace {

// The first numbers of xoshiro256**, whose state is filled by splitmix64, made by another program (which agrees with
// the published test vectors: splitmix64 of 1234567 starts with 6457827717110365317, 3203168211198807973).
TEST(Rng, IsXoshiro256StarStarSeededBySplitmix64) {
  const std::vector<std::pair<uint64_t, std::array<uint64_t, 5>>> reference = {
      {0, {0x99ec5f36cb75f2b4, 0xbf6e1f784956452a, 0x1a5f849d4933e6e0, 0x6aa594f1262d2d2c, 0xbba5ad4a1f842e59}},
      {1, {0xb3f2af6d0fc710c5, 0x853b559647364cea, 0x92f89756082a4514, 0x642e1c7bc266a3a7, 0xb27a48e29a233673}},
      {42, {0x15780b2e0c2ec716, 0x6104d9866d113a7e, 0xae17533239e499a1, 0xecb8ad4703b360a1, 0xfde6dc7fe2ec5e64}},
      {UINT64_MAX,
       {0x8f5520d52a7ead08, 0xc476a018caa1802d, 0x81de31c0d260469e, 0xbf658d7e065f3c2f, 0x913593fda1bca32a}}};
  for (const auto& [seed, numbers] : reference) {
    Rng rng(seed);
    for (const uint64_t number : numbers) EXPECT_EQ(rng.next(), number) << seed;
  }
}

TEST(Rng, BelowIsUniform) {
  for (const uint64_t n : {1, 2, 3, 5, 7, 16, 100}) {
    Rng rng(n);
    std::map<uint64_t, uint64_t> counts;
    std::map<uint64_t, double> expected;
    for (uint64_t i = 0; i < n; ++i) expected[i] = 1.0 / static_cast<double>(n);
    for (int i = 0; i < 200'000; ++i) ++counts[rng.below(n)];
    testing_support::expect_frequencies(counts, expected);
  }
}

TEST(Rng, BelowStaysBelowLargeNumbers) {
  Rng rng(3);
  for (const uint64_t n : {uint64_t{1} << 32, (uint64_t{1} << 63) + 1, UINT64_MAX}) {
    uint64_t halves = 0;
    for (int i = 0; i < 10'000; ++i) {
      const uint64_t x = rng.below(n);
      ASSERT_LT(x, n);
      halves += x < n / 2;
    }
    EXPECT_NEAR(static_cast<double>(halves) / 10'000, 0.5, testing_support::deviation(10'000));
  }
}

}  // namespace
}  // namespace harrier
