// Decision diagrams: the laws that the rest relies on, and the limits inside a single operation.
#include "symbolic/bdd.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
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
