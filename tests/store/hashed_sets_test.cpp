// The sets that keep bits or hashes of states: what was added is known, and little else is.
#include <gtest/gtest.h>

#include <cmath>

#include "base/hash.h"
#include "store/bit_array.h"
#include "store/fingerprints.h"

namespace harrier::store {
namespace {

uint64_t hash(uint64_t i) { return hash_words(&i, 1); }

TEST(BitArray, KnowsWhatWasAdded) {
  Budget budget;
  BitArray seen(budget, 1, 3);
  EXPECT_EQ(budget.used(), uint64_t{1} << 20);
  for (uint64_t i = 0; i < 10'000; ++i) {
    seen.add(hash(i));
    EXPECT_TRUE(seen.has(hash(i)));
    EXPECT_FALSE(seen.add(hash(i)));
  }
  EXPECT_GE(seen.size(), 9'999u);
  EXPECT_LT(seen.omitted(), 0.01);
}

// The estimate is that of what happens.
TEST(BitArray, EstimatesWhatItMisses) {
  for (const uint32_t functions : {1u, 2u, 3u, 7u}) {
    Budget budget;
    BitArray seen(budget, 1, functions);
    constexpr uint64_t kStates = 2'000'000;
    for (uint64_t i = 0; i < kStates; ++i) seen.add(hash(i));
    const double missed = static_cast<double>(kStates - seen.size());
    ASSERT_GT(missed, 1000) << functions;
    EXPECT_NEAR(seen.omitted() / missed, 1, 0.05) << functions;
  }
}

TEST(BitArray, DrawsOnTheBudget) {
  Budget budget(uint64_t{1} << 20);
  EXPECT_THROW(BitArray(budget, 2, 3), MemoryLimitReached);
  EXPECT_EQ(budget.used(), 0u);
  { BitArray seen(budget, 1, 3); }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(Fingerprints, KnowWhatWasAdded) {
  Budget budget;
  Fingerprints seen(budget);
  constexpr uint64_t kStates = 200'000;
  for (uint64_t i = 0; i < kStates; ++i) {
    EXPECT_FALSE(seen.has(hash(i)));
    EXPECT_TRUE(seen.add(hash(i)));
  }
  for (uint64_t i = 0; i < kStates; ++i) {
    EXPECT_TRUE(seen.has(hash(i)));
    EXPECT_FALSE(seen.add(hash(i)));
  }
  EXPECT_EQ(seen.size(), kStates);
  EXPECT_LT(budget.used(), 16 * kStates);
  EXPECT_NEAR(std::log2(seen.omitted()), 2 * std::log2(kStates) - 65, 0.01);
  // Hashes that lie at the edges.
  for (const uint64_t edge : {uint64_t{0}, ~uint64_t{0}, ~uint64_t{0} - 1}) {
    EXPECT_TRUE(seen.add(edge));
    EXPECT_TRUE(seen.has(edge));
    EXPECT_FALSE(seen.add(edge));
  }
}

}  // namespace
}  // namespace harrier::store
