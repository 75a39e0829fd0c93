// The store of discrete states, and the memory budget.
#include "store/state_store.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"

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

// Of every size, compressed and not: the same numbers for the same states.
TEST(StateStore, TheTreeIsTheSameSet) {
  for (uint32_t words = 1; words <= 11; ++words) {
    Rng rng(words);
    Budget budget;
    StateStore plain(budget, words);
    StateStore tree(budget, words, true);
    std::vector<uint64_t> state(words);
    for (uint64_t i = 0; i < 20'000; ++i) {
      // A step changes a word or two; now and then the walk goes on from another state.
      for (uint64_t k = rng.below(3); k-- > 0;) state[rng.below(words)] = rng.below(5) << rng.below(64);
      if (rng.below(10) == 0 && plain.size() != 0) {
        const uint64_t* other = plain[rng.below(plain.size())];
        state.assign(other, other + words);
      }
      const bool known = plain.contains(state.data());
      EXPECT_EQ(tree.contains(state.data()), known);
      const Admission a = plain.insert(state.data());
      const Admission b = tree.insert(state.data());
      EXPECT_EQ(a.id, b.id);
      EXPECT_EQ(a.fresh, b.fresh);
      EXPECT_EQ(a.fresh, !known);
    }
    ASSERT_EQ(tree.size(), plain.size());
    for (uint64_t id = 0; id < plain.size(); ++id) {
      EXPECT_TRUE(std::equal(plain[id], plain[id] + words, tree[id])) << words;
    }
    EXPECT_EQ(plain.bytes() + tree.bytes(), budget.used());
  }
}

TEST(StateStore, TheTreeSharesWhatStatesHaveInCommon) {
  Budget budget;
  StateStore plain(budget, 8);
  StateStore tree(budget, 8, true);
  for (uint64_t i = 0; i < 200'000; ++i) {
    const uint64_t words[8] = {1, i % 7, 3, i % 50, i / 50 % 40, 6, i / 2000, 8};
    EXPECT_EQ(plain.insert(words).id, tree.insert(words).id);
  }
  EXPECT_LT(tree.bytes() * 3, plain.bytes());
  EXPECT_LT(tree.bytes(), 24 * tree.size());
}

TEST(StateStore, TheTreeStopsAtTheBudgetAndStaysReadable) {
  Budget budget(1 << 20);
  StateStore store(budget, 4, true);
  uint64_t i = 0;
  const auto fill = [&] {
    for (;; ++i) {
      const uint64_t words[4] = {i % 100, 2, i / 100, 4};
      store.insert(words);
    }
  };
  EXPECT_THROW(fill(), MemoryLimitReached);
  EXPECT_GT(i, 10'000u);
  EXPECT_LE(budget.used(), uint64_t{1} << 20);
  for (uint64_t k = 0; k < i; ++k) EXPECT_EQ(store[k][2], k / 100);
}

}  // namespace
}  // namespace harrier::store
