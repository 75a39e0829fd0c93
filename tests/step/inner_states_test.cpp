// The set of states inside one long step.
#include "step/inner_states.h"

#include <gtest/gtest.h>

namespace harrier::step {
namespace {

using Inserted = InnerStates::Inserted;

TEST(InnerStates, RemembersTheStepsToAState) {
  Budget budget;
  InnerStates inner(budget, 2);
  const uint64_t a[] = {1, 2};
  const uint64_t b[] = {1, 3};
  const uint64_t c[] = {2, 2};
  EXPECT_EQ(inner.insert(a, InnerStates::kOutside, std::vector<uint32_t>{7}), Inserted::Fresh);
  EXPECT_EQ(inner.insert(b, 0, std::vector<uint32_t>{8, 9}), Inserted::Fresh);
  EXPECT_EQ(inner.insert(c, 1, std::vector<uint32_t>{5}), Inserted::Fresh);
  EXPECT_EQ(inner.insert(a, 2, std::vector<uint32_t>{4}), Inserted::Known);
  EXPECT_EQ(inner.depth(InnerStates::kOutside), 0u);
  EXPECT_EQ(inner.depth(2), 3u);
  // Names are the digits of the edges.
  uint32_t asked = 0;
  const auto of = [&](std::span<const uint32_t> edges) {
    ++asked;
    uint32_t name = 0;
    for (const uint32_t edge : edges) name = 10 * name + edge;
    return name;
  };
  const auto then = [](uint32_t first, uint32_t second) {
    return first == InnerStates::kNoLabel ? second : 1000 * first + second;
  };
  EXPECT_EQ(inner.label(InnerStates::kOutside, of, then), InnerStates::kNoLabel);
  EXPECT_EQ(inner.label(2, of, then), 7089005u);
  EXPECT_EQ(inner.label(1, of, then), 7089u);
  EXPECT_EQ(inner.label(2, of, then), 7089005u);
  EXPECT_EQ(asked, 3u) << "once for each state";
  inner.clear();
  EXPECT_EQ(inner.size(), 0u);
  EXPECT_EQ(inner.insert(b, InnerStates::kOutside, {}), Inserted::Fresh);
}

TEST(InnerStates, HasRoomForSoMany) {
  Budget budget;
  InnerStates inner(budget, 1);
  for (int round = 0; round < 2; ++round) {
    for (uint64_t i = 0; i < InnerStates::kMost; ++i) {
      ASSERT_EQ(inner.insert(&i, InnerStates::kOutside, {}), Inserted::Fresh);
    }
    for (uint64_t i = 0; i < InnerStates::kMost; ++i) {
      ASSERT_EQ(inner.insert(&i, InnerStates::kOutside, {}), Inserted::Known);
    }
    const uint64_t other = InnerStates::kMost;
    EXPECT_EQ(inner.insert(&other, InnerStates::kOutside, {}), Inserted::Full);
    EXPECT_EQ(inner.size(), InnerStates::kMost);
    inner.clear();
  }
}

}  // namespace
}  // namespace harrier::step
