// Decision diagrams: the laws that the rest relies on, and the limits inside a single operation.
#include "symbolic/bdd.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <limits>
#include <map>
#include <thread>

#include "base/error.h"
#include "symbolic/number.h"

namespace harrier::symbolic {
namespace {

// The product of two numbers of so many bits: its diagrams are exponential in any order.
Number large(const BddManager& manager, int width) {
  std::vector<Bdd> a;
  std::vector<Bdd> b;
  for (int i = 0; i < width; ++i) a.push_back(manager.bit(i));
  for (int i = 0; i < width; ++i) b.push_back(manager.bit(width + i));
  return multiply(Number::from_unsigned(a), Number::from_unsigned(b));
}

// A pure conjunction of equalities in the worst order: a single operation makes 2^width nodes.
Bdd large_at_once(const BddManager& manager, int width) {
  Bdd upper(true);
  Bdd lower(true);
  for (int i = 0; i < width; ++i) {
    (i % 2 == 0 ? upper : lower) &= equivalent(manager.bit(i), manager.bit(width + i));
  }
  return upper & lower;
}

// Equal halves that were apart come together.
TEST(Bdd, WindowsArePermuted) {
  Budget budget;
  BddManager manager(budget);
  constexpr int kBlocks = 6;
  manager.resize(2 * kBlocks + 1);
  Bdd pairs(true);  // block i says the same as block i + 3
  for (int i = 0; i < kBlocks / 2; ++i) {
    for (int bit = 2 * i; bit < 2 * i + 2; ++bit) pairs &= equivalent(manager.bit(bit), manager.bit(bit + kBlocks));
  }
  const uint64_t before = node_count(pairs);
  const std::vector<int> sizes{2, 2, 0, 2, 2, 2, 2};
  std::vector<size_t> order = manager.permute_windows(sizes);
  EXPECT_LT(node_count(pairs), before);
  std::sort(order.begin(), order.end());
  EXPECT_EQ(order, (std::vector<size_t>{0, 1, 2, 3, 4, 5, 6}));
}

TEST(Bdd, DrawsAssignments) {
  Budget budget;
  BddManager manager(budget);
  manager.resize(4);
  const Bdd f = ite(manager.bit(0), manager.bit(2), equivalent(manager.bit(1), manager.bit(2)));
  const std::vector<int> bits{0, 1, 2};
  constexpr int kDraws = 8000;
  for (const Draw draw : {Draw::Uniform, Draw::Branches}) {
    Rng rng(7);
    std::map<std::vector<bool>, int> seen;
    for (int i = 0; i < kDraws; ++i) {
      const std::vector<bool> bits_of_one = random_assignment(f, bits, manager.bits(), draw, rng);
      ASSERT_TRUE(value(f, bits_of_one));
      ++seen[bits_of_one];
    }
    ASSERT_EQ(seen.size(), 4u);  // bit 1 is free where bit 0 is set
    for (const auto& [assignment, times] : seen) EXPECT_NEAR(times, kDraws / 4.0, kDraws / 20.0);
  }
  // Two of three are in the lower branch, which is as likely as the upper one only if nobody counts.
  const Bdd g = ite(manager.bit(0), manager.bit(1), Bdd(true));
  const std::vector<int> two{0, 1};
  for (const Draw draw : {Draw::Uniform, Draw::Branches}) {
    Rng rng(7);
    int upper = 0;
    for (int i = 0; i < kDraws; ++i) upper += random_assignment(g, two, manager.bits(), draw, rng)[0] ? 1 : 0;
    EXPECT_NEAR(upper, draw == Draw::Uniform ? kDraws / 3.0 : kDraws / 2.0, kDraws / 20.0);
  }
}

TEST(Bdd, ABoundEndsAnOperation) {
  constexpr double kForever = std::numeric_limits<double>::infinity();
  for (const auto& [seconds, nodes] : {std::pair(0.2, UINT64_MAX), std::pair(kForever, uint64_t{150'000})}) {
    Budget budget;
    BddManager manager(budget);
    manager.resize(80);
    {
      const BddManager::Bound bound(seconds, nodes);
      EXPECT_THROW(large_at_once(manager, 40), BddManager::BoundReached);
      EXPECT_LE(manager.peak_nodes(), nodes);
    }
    EXPECT_FALSE(large_at_once(manager, 4).is_false());
  }
}

TEST(Bdd, HasTheLawsOfSets) {
  Budget budget;
  BddManager manager(budget);
  manager.resize(6);
  const Bdd a = manager.bit(0);
  const Bdd b = manager.bit(3);
  EXPECT_TRUE((a & !a).is_false());
  EXPECT_TRUE((a | !a).is_true());
  EXPECT_EQ(ite(a, b, !b), equivalent(a, b));
  EXPECT_EQ(exists(a & b, manager.cube({0})), b);
  EXPECT_EQ(and_exists(a, b, manager.cube({0, 3})), Bdd(true));
  EXPECT_EQ(support(a ^ b), (std::vector<int>{0, 3}));
  const std::vector<int> bits = {0, 3, 5};
  EXPECT_EQ(count(a | b, bits), 6);
  EXPECT_EQ(count(Bdd(true), bits), 8);
  EXPECT_EQ(count(Bdd(), bits), 0);
  const Renaming renaming(std::vector<int>{0}, std::vector<int>{1});
  EXPECT_EQ(renaming(a & b), manager.bit(1) & b);
  EXPECT_TRUE(value(a & !b, any_assignment(a & !b, manager.bits())));
}

TEST(Bdd, TimeEndsAnOperation) {
  const Watch watch({.seconds = 0.3});
  Budget budget(std::nullopt, watch);
  BddManager manager(budget);
  manager.resize(64);
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THROW(large(manager, 24), Error);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(Bdd, ARequestEndsAnOperation) {
  std::atomic<bool> stop = false;
  const Watch watch({.stop = &stop});
  Budget budget(std::nullopt, watch);
  BddManager manager(budget);
  manager.resize(60);
  std::jthread asks([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop = true;
  });
  EXPECT_THROW(large_at_once(manager, 28), Error);
}

TEST(Bdd, MemoryEndsAnOperationAndNothingIsLost) {
  Budget budget(uint64_t{60} << 20);
  BddManager manager(budget);
  manager.resize(60);
  const Bdd kept = manager.bit(0) ^ manager.bit(59);
  EXPECT_THROW(large_at_once(manager, 28), MemoryLimitReached);
  EXPECT_EQ(support(kept), (std::vector<int>{0, 59}));
  manager.collect();
  EXPECT_EQ(kept & manager.bit(0), manager.bit(0) - manager.bit(59));
}

TEST(Bdd, ASecondManagerWaits) {
  Budget budget;
  std::atomic<bool> gone = false;
  std::jthread other;
  {
    BddManager manager(budget);
    manager.resize(2);
    other = std::jthread([&] {
      Budget own;
      BddManager second(own);
      EXPECT_TRUE(gone);
      second.resize(2);
      EXPECT_FALSE((second.bit(0) & second.bit(1)).is_false());
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_THROW(BddManager{budget}, Error);  // in the same thread it would wait for ever
    gone = true;
  }
}

TEST(Bdd, WaitingForAManagerHeedsTheWatch) {
  Budget budget;
  BddManager manager(budget);
  std::jthread other([] {
    const Watch watch({.seconds = 0.05});
    Budget own(std::nullopt, watch);
    EXPECT_THROW(BddManager{own}, Error);
  });
}

TEST(Bdd, TheBudgetGetsEverythingBack) {
  Budget budget;
  { BddManager manager(budget); }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace harrier::symbolic
