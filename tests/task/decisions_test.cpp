#include "task/decisions.h"

#include <gtest/gtest.h>

namespace harrier::task {
namespace {

// x == 1 and y == 2, with x in 0..1 and y in 0..2.
Decisions::Node conjunction(Decisions& out, uint32_t x, uint32_t y) {
  const Decisions::Node root = out.grow(x, 2);
  const Decisions::Node inner = out.grow(y, 3);
  for (size_t value = 0; value < 3; ++value) out.set_child(inner, value, Decisions::leaf(value == 2 ? 1 : 0));
  out.set_child(root, 0, Decisions::leaf(0));
  out.set_child(root, 1, inner);
  return root;
}

TEST(Decisions, AskOnlyForWhatMatters) {
  Decisions decisions;
  const Decisions::Node root = conjunction(decisions, 0, 1);
  for (Value x = 0; x < 2; ++x) {
    for (Value y = 0; y < 3; ++y) {
      const Value state[] = {x, y};
      EXPECT_EQ(decisions.at(root, state), x == 1 && y == 2 ? 1u : 0u);
    }
  }
  std::vector<std::pair<std::vector<Fact>, uint32_t>> ways;
  std::vector<Fact> scratch;
  decisions.for_each_way(root, scratch, [&](std::span<const Fact> way, uint32_t result) {
    ways.push_back({{way.begin(), way.end()}, result});
  });
  ASSERT_EQ(ways.size(), 4u);
  EXPECT_EQ(ways[0], std::pair(std::vector<Fact>{{0, 0}}, 0u));
  EXPECT_EQ(ways[1], std::pair(std::vector<Fact>({{0, 1}, {1, 0}}), 0u));
  EXPECT_EQ(ways[3], std::pair(std::vector<Fact>({{0, 1}, {1, 2}}), 1u));
}

TEST(Decisions, ALeafIsATree) {
  Decisions decisions;
  std::vector<Fact> scratch;
  size_t ways = 0;
  decisions.for_each_way(Decisions::leaf(7), scratch, [&](std::span<const Fact> way, uint32_t result) {
    EXPECT_TRUE(way.empty());
    EXPECT_EQ(result, 7u);
    ++ways;
  });
  EXPECT_EQ(ways, 1u);
  EXPECT_EQ(decisions.at(Decisions::leaf(7), nullptr), 7u);
}

TEST(Decisions, WhatIsTakenBackLeavesNoTrace) {
  Decisions decisions;
  const Decisions::Node first = conjunction(decisions, 0, 1);
  const size_t size = decisions.size();
  conjunction(decisions, 1, 0);
  decisions.shrink_to(size);
  EXPECT_EQ(decisions.size(), size);
  const Value state[] = {1, 2};
  EXPECT_EQ(decisions.at(first, state), 1u);
}

}  // namespace
}  // namespace harrier::task
