// Open lists: the order in which each hands out its states, what it counts and what memory it takes.
#include "search/frontier.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace harrier::search {
namespace {

std::vector<uint64_t> drain(Frontier& frontier) {
  std::vector<uint64_t> ids;
  while (const auto next = frontier.next()) ids.push_back(next->id);
  return ids;
}

using Ids = std::vector<uint64_t>;

TEST(BreadthFirst, IsFirstInFirstOutWithDepths) {
  BreadthFirst frontier;
  EXPECT_FALSE(frontier.next());
  // State 0 has the successors 1 and 2; state 1 has 3; state 2 has 4 and 5.
  frontier.add({.id = 0});
  const auto expect = [&](uint64_t id, uint32_t depth, uint64_t layer_end) {
    const auto next = frontier.next();
    ASSERT_TRUE(next);
    EXPECT_EQ(next->id, id);
    EXPECT_EQ(next->cost, depth);
    EXPECT_EQ(next->rank, 0u);
    EXPECT_EQ(frontier.layer_end(), layer_end);
  };
  expect(0, 0, 1);
  frontier.add({.id = 1});
  frontier.add({.id = 2});
  expect(1, 1, 3);
  frontier.add({.id = 3});
  expect(2, 1, 3);
  frontier.add({.id = 4});
  frontier.add({.id = 5});
  expect(3, 2, 6);
  expect(4, 2, 6);
  expect(5, 2, 6);
  EXPECT_FALSE(frontier.next());
}

TEST(ByDepth, IsInTheOrderOfDepthsAndTakesBytes) {
  Budget budget;
  ByDepth frontier(budget);
  EXPECT_FALSE(frontier.next());
  frontier.add({.id = 7, .cost = 2});
  frontier.add({.id = 1, .cost = 1});
  frontier.add({.id = uint64_t{1} << 39, .cost = 2});
  frontier.add({.id = 3, .cost = 2});
  frontier.add({.id = 3, .cost = 2});
  EXPECT_EQ(frontier.size(), 5u);
  EXPECT_EQ(frontier.next()->id, 1u);
  frontier.add({.id = 8, .cost = 4});
  const auto next = frontier.next();
  EXPECT_EQ(next->id, 7u);
  EXPECT_EQ(next->cost, 2u);
  EXPECT_EQ(drain(frontier), (Ids{uint64_t{1} << 39, 3, 3, 8}));
  EXPECT_EQ(frontier.size(), 0u);
  // Numbers that follow one another.
  for (uint64_t id = 1000000; id < 1100000; ++id) frontier.add({.id = id, .cost = 9});
  EXPECT_LT(budget.used(), 120000u);
  EXPECT_EQ(drain(frontier).size(), 100000u);
  EXPECT_EQ(budget.used(), 0u);
}

TEST(DepthFirst, TakesTheNewestExpansionInItsOrder) {
  Budget budget;
  DepthFirst frontier(budget, std::nullopt);
  EXPECT_FALSE(frontier.next());
  frontier.add({.id = 0});
  frontier.end_of_expansion();
  EXPECT_EQ(frontier.next()->id, 0u);
  for (const uint64_t id : {1, 2, 3}) frontier.add({.id = id, .cost = 1});
  frontier.end_of_expansion();
  EXPECT_EQ(frontier.next()->id, 1u);
  for (const uint64_t id : {4, 5}) frontier.add({.id = id, .cost = 2});
  frontier.end_of_expansion();
  const auto next = frontier.next();
  EXPECT_EQ(next->id, 4u);
  EXPECT_EQ(next->cost, 2u);
  EXPECT_EQ(drain(frontier), (Ids{5, 2, 3}));
  EXPECT_FALSE(frontier.layer_end());
}

TEST(DepthFirst, ShufflesBySeed) {
  const auto order = [](uint64_t seed) {
    Budget budget;
    DepthFirst frontier(budget, seed);
    for (uint64_t id = 0; id < 20; ++id) frontier.add({.id = id});
    frontier.end_of_expansion();
    return drain(frontier);
  };
  EXPECT_EQ(order(1), order(1));
  EXPECT_NE(order(1), order(2));
  Ids sorted = order(1);
  std::sort(sorted.begin(), sorted.end());
  for (uint64_t id = 0; id < 20; ++id) EXPECT_EQ(sorted[id], id);
}

TEST(DepthFirst, EverySuccessorComesFirstEquallyOften) {
  Budget budget;
  std::map<uint64_t, int> first;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    DepthFirst frontier(budget, seed);
    for (const uint64_t id : {0, 1, 2}) frontier.add({.id = id});
    frontier.end_of_expansion();
    ++first[frontier.next()->id];
  }
  for (const auto& [id, count] : first) EXPECT_NEAR(count, 1000, 150) << id;
}

TEST(BucketQueue, HandsOutTheLowestKeyAndTheOldestOfIt) {
  Budget budget;
  BucketQueue queue(budget);
  EXPECT_TRUE(queue.empty());
  queue.push(5, {.id = 1});
  queue.push(3, {.id = 2});
  queue.push(5, {.id = 3});
  queue.push(3, {.id = 4});
  EXPECT_EQ(queue.pop().id, 2u);
  queue.push(1, {.id = 5});
  EXPECT_EQ(queue.pop().id, 5u);
  queue.push(3, {.id = 6});
  EXPECT_EQ(queue.pop().id, 4u);
  EXPECT_EQ(queue.pop().id, 6u);
  EXPECT_EQ(queue.pop().id, 1u);
  EXPECT_EQ(queue.pop().id, 3u);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.counts().pushed, 6u);
  EXPECT_EQ(queue.counts().popped, 6u);
}

TEST(BucketQueue, KeepsCostAndRank) {
  Budget budget;
  BucketQueue queue(budget);
  queue.push(0, {.id = 7, .cost = 8, .rank = 9});
  const Next next = queue.pop();
  EXPECT_EQ(next.id, 7u);
  EXPECT_EQ(next.cost, 8u);
  EXPECT_EQ(next.rank, 9u);
}

TEST(BucketQueue, IsUsedAgainAfterItWasEmpty) {
  Budget budget;
  BucketQueue queue(budget);
  for (uint32_t round = 0; round < 10; ++round) {
    queue.push(10 - round, {.id = round});
    queue.push(20, {.id = 100 + round});
    EXPECT_EQ(queue.pop().id, round);
    EXPECT_EQ(queue.pop().id, 100 + round);
    EXPECT_TRUE(queue.empty());
  }
}

TEST(BucketQueue, HugeKeysAreToldApartAndTakeLittleMemory) {
  Budget budget;
  BucketQueue queue(budget);
  queue.push(UINT32_MAX, {.id = 1});
  queue.push(UINT32_MAX - 1, {.id = 2});
  queue.push(12, {.id = 3});
  queue.push(UINT32_MAX, {.id = 4});
  EXPECT_LT(budget.used(), 4096u);
  EXPECT_EQ(queue.pop().id, 3u);
  EXPECT_EQ(queue.pop().id, 2u);
  EXPECT_EQ(queue.pop().id, 1u);
  queue.push(5000, {.id = 5});
  EXPECT_EQ(queue.pop().id, 5u);
  EXPECT_EQ(queue.pop().id, 4u);
  EXPECT_TRUE(queue.empty());
}

TEST(BucketQueue, KeepsHugeKeysWhenTheBudgetEnds) {
  Budget budget(10000);
  BucketQueue queue(budget);
  uint32_t pushed = 0;
  EXPECT_THROW(for (;; ++pushed) queue.push(1'000'000 - pushed, {.id = pushed}), MemoryLimitReached);
  EXPECT_GT(pushed, 0u);
  for (uint32_t left = pushed; left > 0; --left) EXPECT_EQ(queue.pop().id, left - 1);
  EXPECT_TRUE(queue.empty());
  EXPECT_LT(budget.used(), 200u);
}

TEST(BucketQueue, TakesItsMemoryFromTheBudgetAndGivesItBack) {
  Budget budget;
  {
    BucketQueue queue(budget);
    for (uint32_t id = 0; id < 1000; ++id) queue.push(id % 7, {.id = id});
    EXPECT_GE(budget.used(), 1000 * sizeof(Next));
    const BucketQueue moved(std::move(queue));
    EXPECT_GE(budget.used(), 1000 * sizeof(Next));
  }
  EXPECT_EQ(budget.used(), 0u);
}

TEST(BucketQueue, KeepsWhatItHasWhenTheBudgetEnds) {
  Budget budget(10000);
  BucketQueue queue(budget);
  uint64_t pushed = 0;
  EXPECT_THROW(for (;; ++pushed) queue.push(0, {.id = pushed}), MemoryLimitReached);
  EXPECT_GT(pushed, 0u);
  for (uint64_t id = 0; id < pushed; ++id) EXPECT_EQ(queue.pop().id, id);
  EXPECT_TRUE(queue.empty());
}

// With one estimate.
struct Waiting {
  uint64_t id = 0;
  uint32_t cost = 0;
  uint32_t estimate = 0;
  uint32_t rank = 0;
  bool preferred = false;
};

void add(Frontier& frontier, const Waiting& w) {
  frontier.add({.id = w.id, .cost = w.cost, .rank = w.rank, .preferred = w.preferred, .estimates = {&w.estimate, 1}});
}

TEST(BestFirst, GreedyLooksAtTheEstimateOnly) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::None);
  add(frontier, {.id = 1, .cost = 0, .estimate = 9});
  add(frontier, {.id = 2, .cost = 100, .estimate = 1});
  add(frontier, {.id = 3, .cost = 50, .estimate = 5});
  EXPECT_EQ(drain(frontier), (Ids{2, 3, 1}));
}

TEST(BestFirst, SeveralEstimatesTakeTurns) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::None, 2);
  const auto add_both = [&](uint64_t id, uint32_t first, uint32_t second) {
    const uint32_t estimates[] = {first, second};
    frontier.add({.id = id, .estimates = estimates});
  };
  add_both(1, 0, 9);
  add_both(2, 1, 8);
  add_both(3, 9, 0);
  EXPECT_EQ(frontier.size(), 6u);  // each waits twice
  EXPECT_EQ(drain(frontier), (Ids{1, 3, 2, 2, 3, 1}));
  ASSERT_EQ(frontier.counts().size(), 2u);
  EXPECT_EQ(frontier.counts()[1].popped, 3u);
}

TEST(BestFirst, ProgressOfOneEstimateBoostsThePreferredStatesOfAll) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Boosted, 2);
  const auto add_both = [&](uint64_t id, uint32_t first, uint32_t second, bool preferred) {
    const uint32_t estimates[] = {first, second};
    frontier.add({.id = id, .preferred = preferred, .estimates = estimates});
  };
  for (uint64_t id = 0; id < 3; ++id) add_both(id, 1, 1, false);
  for (uint64_t id = 10; id < 13; ++id) add_both(id, 5, 5, true);
  // The first states were progress: preferred ones, in both of their sets, come before all others.
  EXPECT_EQ(drain(frontier), (Ids{10, 10, 11, 11, 12, 12, 0, 0, 1, 1, 2, 2, 10, 10, 11, 11, 12, 12}));
}

TEST(BestFirst, AStarAddsCostAndEstimate) {
  Budget budget;
  BestFirst frontier(budget, 1, 1, Turns::None);
  add(frontier, {.id = 1, .cost = 6, .estimate = 1});
  add(frontier, {.id = 2, .cost = 1, .estimate = 5});
  add(frontier, {.id = 3, .cost = 0, .estimate = 8});
  const auto next = frontier.next();
  EXPECT_EQ(next->id, 2u);
  EXPECT_EQ(next->cost, 1u);
  EXPECT_EQ(drain(frontier), (Ids{1, 3}));
}

TEST(BestFirst, WeightsCount) {
  Budget budget;
  BestFirst frontier(budget, 1, 5, Turns::None);
  add(frontier, {.id = 1, .cost = 0, .estimate = 2});   // 10
  add(frontier, {.id = 2, .cost = 4, .estimate = 1});   // 9
  add(frontier, {.id = 3, .cost = 11, .estimate = 0});  // 11
  EXPECT_EQ(drain(frontier), (Ids{2, 1, 3}));
}

TEST(BestFirst, LowerRanksAreEmptiedFirst) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::None);
  add(frontier, {.id = 1, .estimate = 0, .rank = 2});
  add(frontier, {.id = 2, .estimate = 9, .rank = 0});
  add(frontier, {.id = 3, .estimate = 4, .rank = 1});
  const auto next = frontier.next();
  EXPECT_EQ(next->id, 2u);
  EXPECT_EQ(next->rank, 0u);
  EXPECT_EQ(frontier.next()->id, 3u);
  add(frontier, {.id = 4, .estimate = 7, .rank = 0});  // comes before what was put back earlier
  EXPECT_EQ(drain(frontier), (Ids{4, 1}));
}

TEST(BestFirst, CountsEachQueue) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Boosted);
  add(frontier, {.id = 1, .rank = 0});
  add(frontier, {.id = 2, .rank = 2, .preferred = true});
  frontier.next();
  const std::vector<QueueCounts> counts = frontier.counts();
  ASSERT_EQ(counts.size(), 6u);  // ranks 0 to 2, regular and preferred
  uint64_t pushed = 0;
  uint64_t popped = 0;
  for (const QueueCounts& c : counts) {
    pushed += c.pushed;
    popped += c.popped;
  }
  EXPECT_EQ(pushed, 3u) << "a preferred state is in two queues";
  EXPECT_EQ(popped, 1u);
  EXPECT_EQ(counts[0].pushed, 1u);
  EXPECT_EQ(counts[2].pushed, 1u);
  EXPECT_EQ(counts[5].pushed, 1u);
}

TEST(BestFirst, WithoutAlternationPreferredStatesAreLikeOthers) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::None);
  add(frontier, {.id = 1, .estimate = 3, .preferred = true});
  add(frontier, {.id = 2, .estimate = 2});
  EXPECT_EQ(drain(frontier), (Ids{2, 1}));
}

TEST(BestFirst, AlternationPrefersAfterProgress) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Boosted);
  add(frontier, {.id = 1, .estimate = 5});
  add(frontier, {.id = 2, .estimate = 9, .preferred = true});
  // The first estimate was progress: the preferred state is first although its estimate is worse.
  EXPECT_EQ(frontier.next()->id, 2u);
  EXPECT_EQ(frontier.next()->id, 1u);
  // State 2 is still in the regular queue; the search skips it there.
  EXPECT_EQ(drain(frontier), (Ids{2}));
}

// Wehrle 2011, fig. 3.7, line by line.
TEST(BestFirst, AlternatingQueuesTakeStrictTurns) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Alternating);
  for (uint64_t id = 0; id < 4; ++id) add(frontier, {.id = id, .estimate = 1});
  // As long as no preferred state is there, its queue does not save up turns.
  EXPECT_EQ(frontier.next()->id, 0u);
  EXPECT_EQ(frontier.next()->id, 1u);
  for (uint64_t id = 10; id < 13; ++id) add(frontier, {.id = id, .estimate = 0, .preferred = true});  // no boost
  EXPECT_EQ(frontier.next()->id, 10u);                                                                // preferred
  EXPECT_EQ(frontier.next()->id, 11u);  // preferred: both have had as many turns, and it comes first
  EXPECT_EQ(frontier.next()->id, 10u);  // regular, best estimate first: all states are there
  EXPECT_EQ(frontier.next()->id, 12u);
  EXPECT_EQ(drain(frontier), (Ids{11, 12, 2, 3}));
}

TEST(BestFirst, AlternatingQueuesReadUselessStatesLastEvenIfPreferred) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Alternating);
  add(frontier, {.id = 1, .estimate = 0, .rank = 1, .preferred = true});
  add(frontier, {.id = 2, .estimate = 9});
  add(frontier, {.id = 3, .estimate = 8, .preferred = true});
  EXPECT_EQ(drain(frontier), (Ids{3, 3, 2, 1}));
  EXPECT_EQ(frontier.counts().back().pushed, 1u) << "a useless state is in one queue only";
}

TEST(DepthFirst, LowerRanksAreEmptiedFirst) {
  Budget budget;
  DepthFirst frontier(budget, std::nullopt);
  for (const uint64_t id : {1, 2, 3}) add(frontier, {.id = id, .rank = static_cast<uint32_t>(id % 2)});
  frontier.end_of_expansion();
  const auto next = frontier.next();
  EXPECT_EQ(next->id, 2u);
  EXPECT_EQ(next->rank, 0u);
  add(frontier, {.id = 4, .rank = 1});
  add(frontier, {.id = 5, .rank = 0});
  frontier.end_of_expansion();
  EXPECT_EQ(drain(frontier), (Ids{5, 4, 1, 3}));
}

TEST(BestFirst, AlternationTakesTurnsWithoutProgress) {
  Budget budget;
  BestFirst frontier(budget, 0, 1, Turns::Boosted);
  constexpr uint64_t kMany = 5000;
  for (uint64_t id = 0; id < kMany; ++id) add(frontier, {.id = id, .estimate = 1, .preferred = id % 2 == 0});
  // The boost after the first state lasts for 1000 turns; then both sets are served alike.
  for (int i = 0; i < 1001; ++i) EXPECT_EQ(frontier.next()->id % 2, 0u);
  uint64_t from_preferred = 0;
  const auto before = frontier.counts();
  for (int i = 0; i < 100; ++i) frontier.next();
  const auto after = frontier.counts();
  ASSERT_EQ(after.size(), 2u);
  from_preferred = after[1].popped - before[1].popped;
  EXPECT_NEAR(static_cast<double>(from_preferred), 50, 1);
}

}  // namespace
}  // namespace harrier::search
