// The store of discrete states, and the memory budget.
#include "store/state_store.h"

#include <gtest/gtest.h>

namespace harrier::store {
namespace {

TEST(StateStore, KeepsEachStateOnce) {
  Budget budget;
  StateStore store(budget, 2);
  constexpr uint64_t kCount = 20'000;
  for (uint64_t i = 0; i < kCount; ++i) {
    const uint64_t words[] = {i, i * i};
    const auto inserted = store.insert(words);
    EXPECT_TRUE(inserted.fresh);
    EXPECT_EQ(inserted.id, i);
  }
  for (uint64_t i = 0; i < kCount; ++i) {
    const uint64_t words[] = {i, i * i};
    const auto found = store.insert(words);
    EXPECT_FALSE(found.fresh);
    EXPECT_EQ(found.id, i);
    EXPECT_EQ(store[i][1], i * i);
  }
  EXPECT_EQ(store.size(), kCount);
  EXPECT_EQ(store.bytes(), budget.used());
}

TEST(StateStore, StopsAtTheBudgetAndStaysReadable) {
  Budget budget(1 << 20);
  StateStore store(budget, 1);
  uint64_t i = 0;
  EXPECT_THROW(
      for (;; ++i) { store.insert(&i); }, MemoryLimitReached);
  EXPECT_GT(i, 10'000u);
  EXPECT_LE(budget.used(), uint64_t{1} << 20);
  for (uint64_t k = 0; k < i; ++k) EXPECT_EQ(*store[k], k);
}

}  // namespace
}  // namespace harrier::store
