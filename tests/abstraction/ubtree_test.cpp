#include "abstraction/predicates/ubtree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "base/rng.h"

namespace harrier::abstraction {
namespace {

constexpr uint32_t kNone = UINT32_MAX;

TEST(UBTree, SmallSets) {
  UBTree tree;
  const std::vector<uint8_t> nothing(8, 0);
  EXPECT_EQ(tree.smallest_subset(nothing.data(), kNone), kNone);
  tree.insert(std::vector<uint32_t>{1, 3}, 4);
  tree.insert(std::vector<uint32_t>{1, 3, 5}, 2);
  tree.insert(std::vector<uint32_t>{2}, 7);
  tree.insert(std::vector<uint32_t>{1, 3}, 6);
  EXPECT_EQ(tree.sets(), 3u);
  const auto ask = [&](std::vector<uint32_t> members, uint32_t limit = kNone) {
    std::vector<uint8_t> flags(8, 0);
    for (const uint32_t m : members) flags[m] = 1;
    return tree.smallest_subset(flags.data(), limit);
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(ask({}), kNone);
    EXPECT_EQ(ask({1}), kNone);
    EXPECT_EQ(ask({1, 3}), 4u);
    EXPECT_EQ(ask({1, 2, 3}), 4u);
    EXPECT_EQ(ask({1, 3, 5}), 2u);
    EXPECT_EQ(ask({1, 3, 5}, 2), 2u);
    EXPECT_EQ(ask({1, 3, 5}, 1), 1u);
    EXPECT_EQ(ask({2, 5, 7}), 7u);
    tree.freeze();
  }
}

TEST(UBTree, RandomSetsAgainstAScan) {
  Rng rng(3);
  for (int round = 0; round < 50; ++round) {
    const uint32_t elements = 1 + static_cast<uint32_t>(rng.below(20));
    std::vector<std::pair<std::vector<uint32_t>, uint32_t>> sets;
    UBTree tree;
    for (uint64_t n = rng.below(60); n > 0; --n) {
      std::vector<uint32_t> set;
      for (uint32_t e = 0; e < elements; ++e) {
        if (rng.below(3) == 0) set.push_back(e);
      }
      const auto number = static_cast<uint32_t>(rng.below(30));
      tree.insert(set, number);
      sets.emplace_back(set, number);
    }
    for (int query = 0; query < 100; ++query) {
      if (query == 50) tree.freeze();
      std::vector<uint8_t> members(elements);
      for (auto& m : members) m = rng.below(2) != 0;
      uint32_t expected = kNone;
      for (const auto& [set, number] : sets) {
        const bool subset = std::all_of(set.begin(), set.end(), [&](uint32_t e) { return members[e] != 0; });
        if (subset) expected = std::min(expected, number);
      }
      ASSERT_EQ(tree.smallest_subset(members.data(), kNone), expected);
      ASSERT_EQ(tree.has_subset(members.data()), expected != kNone);
    }
  }
}

}  // namespace
}  // namespace harrier::abstraction
