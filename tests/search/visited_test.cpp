// The states of a walk, against a map.
#include "search/visited.h"

#include <gtest/gtest.h>

#include <map>

#include "base/rng.h"

namespace harrier::search {
namespace {

TEST(Visited, KnowsTheFirstStepToAState) {
  Budget budget;
  {
    Visited visited(budget);
    Rng rng(1);
    for (int walk = 0; walk < 20; ++walk) {
      visited.clear();
      std::map<uint64_t, uint64_t> expected;
      // Few different hashes, many of which want the same place; 0 among them.
      for (uint64_t step = 0; step < 400 * static_cast<uint64_t>(walk); ++step) {
        const uint64_t hash = rng.below(4000) << (walk % 3 * 20);
        visited.insert(hash, step);
        expected.emplace(hash, step);
      }
      for (uint64_t i = 0; i < 4000; ++i) {
        const uint64_t hash = i << (walk % 3 * 20);
        const auto at = expected.find(hash);
        EXPECT_EQ(visited.find(hash), at == expected.end() ? std::nullopt : std::optional(at->second));
      }
    }
    EXPECT_GT(budget.used(), 0U);
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(Visited, ForgetsWhatItKnew) {
  Budget budget;
  Visited visited(budget);
  visited.insert(5, 1);
  visited.clear();
  EXPECT_EQ(visited.find(5), std::nullopt);
}

TEST(Visited, StaysReadableAtTheMemoryLimit) {
  Budget budget(40'000);  // enough for the first slots only
  Visited visited(budget);
  uint64_t count = 0;
  EXPECT_THROW(
      {
        for (;; ++count) visited.insert(count, count);
      },
      MemoryLimitReached);
  EXPECT_GT(count, 0U);
  for (uint64_t i = 0; i < count; ++i) EXPECT_EQ(visited.find(i), i);
  EXPECT_EQ(visited.find(count), std::nullopt);
}

}  // namespace
}  // namespace harrier::search
