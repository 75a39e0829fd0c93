// Packing, the state store, the zone store and the memory budget.
#include <gtest/gtest.h>

#include "base/rng.h"
#include "space/layout.h"
#include "space/state_store.h"
#include "space/zone_store.h"

namespace harrier::space {
namespace {

TEST(Layout, PacksTightlyAndBack) {
  model::System system;
  // 1 + 3 + 0 + 16 + 32 bits, and one variable with negative values.
  system.variables = {
      {"b", 0, 1, 0}, {"loc", 0, 6, 0}, {"c", 7, 7, 7}, {"i", -32768, 32767, 0}, {"w", INT32_MIN, INT32_MAX, 0}};
  const Layout layout(system);
  EXPECT_EQ(layout.words(), 1u);
  EXPECT_EQ(layout.bits(), 52u);
  Rng rng(3);
  for (int round = 0; round < 1000; ++round) {
    std::vector<int32_t> values;
    for (const auto& v : system.variables) {
      values.push_back(static_cast<int32_t>(
          v.lo + static_cast<int64_t>(rng.below(static_cast<uint64_t>(int64_t{v.hi} - v.lo) + 1))));
    }
    uint64_t words[1];
    layout.pack(values.data(), words);
    std::vector<int32_t> back(values.size());
    layout.unpack(words, back.data());
    EXPECT_EQ(back, values);
    values[1] = (values[1] + 1) % 7;
    layout.set(words, 1, values[1]);
    layout.unpack(words, back.data());
    EXPECT_EQ(back, values);
  }
}

TEST(Layout, ManyVariablesFillWords) {
  model::System system;
  for (int i = 0; i < 100; ++i) system.variables.push_back({"v" + std::to_string(i), 0, 4, 0});  // 3 bits each
  EXPECT_EQ(Layout(system).words(), 5u) << "21 variables a word";
}

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
}  // namespace harrier::space
