// The store of zones.
#include "store/zone_store.h"

#include <gtest/gtest.h>

#include "zone/federation.h"

namespace harrier::store {
namespace {

TEST(ZoneStore, NarrowAndWideZonesComeBack) {
  Budget budget;
  ZoneStore store(budget);
  for (const int32_t constant : {5, 16'382, 16'383, 16'384, 1'000'000}) {
    Zone zone(3);
    dbm::reset(zone.data(), 3, 1, constant);
    dbm::up(zone.data(), 3);
    ZonePattern pattern;
    pattern.set_thresholds(zone.data(), 3);
    pattern.set_zone(zone.data(), 3);
    ZoneBlock* block = store.add(pattern, 3);
    EXPECT_EQ(block->wide, constant > 16'382) << constant;
    std::vector<Bound> back(9);
    ZoneStore::read(*block, back.data());
    EXPECT_TRUE(std::equal(back.begin(), back.end(), zone.data())) << constant;
    EXPECT_TRUE(pattern.subsumed_by(*block));
    EXPECT_TRUE(pattern.includes(*block));
    store.remove(block);
  }
  EXPECT_EQ(store.size(), 0u);
}

TEST(ZoneStore, ComparesAcrossWidths) {
  Budget budget;
  ZoneStore store(budget);
  // narrow: x in [0, 100]; wide: x in [0, 100000]; unbounded: x >= 0
  std::vector<ZoneBlock*> blocks;
  std::vector<ZonePattern> patterns;
  for (const Bound upper : {bound_le(100), bound_le(100'000), kInfinity}) {
    Zone zone(2);
    dbm::up(zone.data(), 2);
    if (upper != kInfinity) zone.constrain(1, 0, upper);
    patterns.emplace_back();
    patterns.back().set_thresholds(zone.data(), 2);
    patterns.back().set_zone(zone.data(), 2);
    blocks.push_back(store.add(patterns.back(), 2));
  }
  for (size_t i = 0; i < blocks.size(); ++i) {
    for (size_t j = 0; j < blocks.size(); ++j) {
      EXPECT_EQ(patterns[i].subsumed_by(*blocks[j]), i <= j) << i << " in " << j;
      // A wide zone may miss that it includes a narrow one; it must never claim it wrongly.
      EXPECT_FALSE(patterns[i].includes(*blocks[j]) && i < j);
    }
    EXPECT_TRUE(patterns[i].includes(*blocks[i]));
  }
}

}  // namespace
}  // namespace harrier::store
