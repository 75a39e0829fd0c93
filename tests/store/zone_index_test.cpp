// The index of a long list of zones: it must not skip what a look at every zone finds.
#include "store/zone_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <vector>

#include "base/rng.h"
#include "zone/federation.h"

namespace harrier::store {
namespace {

// A zone after some resets and delays, with a bound above some clocks.
std::vector<Bound> random_zone(Rng& rng, uint32_t dim) {
  for (;;) {
    Zone zone(dim);
    dbm::up(zone.data(), dim);
    bool any = true;
    for (uint32_t i = 0; any && i < 3 * dim; ++i) {
      const auto clock = static_cast<uint32_t>(1 + rng.below(dim - 1));
      const auto constant = static_cast<int32_t>(rng.below(i % 5 == 0 ? 40'000 : 12));
      if (rng.below(2) == 0) any = dbm::constrain(zone.data(), dim, clock, 0, bound_le(20 + constant));
      if (any && rng.below(2) == 0) any = dbm::constrain(zone.data(), dim, 0, clock, bound_le(-constant));
      if (!any) break;
      dbm::reset(zone.data(), dim, static_cast<uint32_t>(1 + rng.below(dim - 1)), 0);
      if (rng.below(4) != 0) dbm::up(zone.data(), dim);
    }
    if (any) return {zone.data(), zone.data() + size_t{dim} * dim};
  }
}

class Lists : public ::testing::TestWithParam<uint32_t> {};

TEST_P(Lists, FindWhatALookAtEveryZoneFinds) {
  const uint32_t dim = GetParam();
  Rng rng(dim);
  Budget budget;
  ZoneStore store(budget);
  ZoneIndex index(budget);
  std::deque<ZoneBlock*> plain;  // the newest first
  uint64_t above = 0;
  uint64_t below = 0;
  uint64_t looks = 0;
  constexpr uint64_t kZones = 3000;
  for (uint64_t i = 0; i < kZones; ++i) {
    const std::vector<Bound> zone = random_zone(rng, dim);
    std::vector<Bound> thresholds = zone;
    // Thresholds are at most the bounds, and of some entries nothing is asked.
    for (Bound& b : thresholds) {
      if (rng.below(4) == 0) b = INT32_MIN / 2;
    }
    ZonePattern pattern;
    pattern.set_thresholds(thresholds.data(), dim);
    pattern.set_zone(zone.data(), dim);
    std::vector<const ZoneBlock*> larger;
    for (ZoneBlock* block : plain) {
      if (pattern.subsumed_by(*block)) larger.push_back(block);
    }
    std::vector<const ZoneBlock*> found;
    const ZoneBlock* newest = index.newest_above(pattern, [&](const ZoneBlock& block) {
      ++looks;
      if (pattern.subsumed_by(block)) found.push_back(&block);
      return false;
    });
    EXPECT_EQ(newest, nullptr);
    EXPECT_EQ(found, larger);
    newest = index.newest_above(pattern, [&](const ZoneBlock& block) { return pattern.subsumed_by(block); });
    EXPECT_EQ(newest, larger.empty() ? nullptr : larger[0]);
    above += found.size();
    std::vector<const ZoneBlock*> inside;
    for (ZoneBlock* block : plain) {
      if (pattern.includes(*block)) inside.push_back(block);
    }
    found.clear();
    // Some stay though they are inside.
    index.take_out_below(pattern, [&](ZoneBlock* block) {
      if (!pattern.includes(*block)) return false;
      found.push_back(block);
      return block->node % 8 != 0;
    });
    EXPECT_EQ(found, inside);
    below += found.size();
    for (const ZoneBlock* block : inside) {
      if (block->node % 8 != 0) plain.erase(std::find(plain.begin(), plain.end(), block));
    }
    ZoneBlock* block = store.add(pattern, dim);
    block->node = i;
    plain.push_front(block);
    index.add(block);
    ASSERT_EQ(index.size(), plain.size());
  }
  EXPECT_GT(above, 100u);
  EXPECT_GT(below, 100u);
  if (dim > 3) {
    EXPECT_GT(plain.size(), 300u);
    EXPECT_LT(looks, kZones * plain.size() / 4);  // most are skipped
  }
}

INSTANTIATE_TEST_SUITE_P(OfClocks, Lists, ::testing::Values(2u, 3u, 4u, 5u));

TEST(ZoneIndex, TakesOverAListInItsOrder) {
  Rng rng(3);
  Budget budget;
  ZoneStore store(budget);
  ZoneBlock* newest = nullptr;
  for (uint64_t i = 0; i < 200; ++i) {
    const std::vector<Bound> zone = random_zone(rng, 4);
    ZonePattern pattern;
    pattern.set_zone(zone.data(), 4);
    ZoneBlock* block = store.add(pattern, 4);
    block->node = i;
    block->next = newest;
    newest = block;
  }
  ZoneIndex index(budget);
  index.take(newest);
  EXPECT_EQ(index.size(), 200u);
  std::vector<Bound> nothing(16, INT32_MIN / 2);
  ZonePattern any;
  any.set_thresholds(nothing.data(), 4);
  uint64_t next = 200;
  const ZoneBlock* last = index.newest_above(any, [&](const ZoneBlock& block) {
    EXPECT_EQ(block.node, --next);
    return next == 50;
  });
  EXPECT_EQ(next, 50u);
  EXPECT_EQ(last->node, 50u);
}

}  // namespace
}  // namespace harrier::store
