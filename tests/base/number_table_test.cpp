// The open-addressing table and the vector under it, against a map and a budget.
#include "base/number_table.h"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/hash.h"
#include "base/rng.h"

namespace harrier {
namespace {

TEST(NumberTable, NumbersThingsInTheOrderOfArrival) {
  Budget budget;
  NumberTable table(budget, 4);
  std::vector<uint64_t> things;
  std::map<uint64_t, uint64_t> expected;
  Rng rng(5);
  const auto hash_of = [&](uint64_t i) { return mix64(things[i]); };
  for (int i = 0; i < 20'000; ++i) {
    const uint64_t thing = rng.below(7'000);
    const uint64_t hash = mix64(thing);
    const auto slot = table.find(hash, [&](uint64_t n) { return things[n] == thing; });
    const auto known = expected.find(thing);
    ASSERT_EQ(slot.number, known == expected.end() ? NumberTable::kNone : known->second);
    if (known != expected.end()) continue;
    const auto free = table.with_room(slot, hash, hash_of);
    expected.emplace(thing, things.size());
    things.push_back(thing);
    table.put(free, hash);
  }
  EXPECT_GT(budget.used(), things.size() * sizeof(uint64_t));
  table.clear();
  EXPECT_EQ(table.find(mix64(things[0]), [](uint64_t) { return true; }).number, NumberTable::kNone);
}

TEST(NumberTable, TellsThingsWithEqualHashesApart) {
  Budget budget;
  NumberTable table(budget, 4);
  for (uint64_t i = 0; i < 100; ++i) {
    auto slot = table.find(7, [&](uint64_t n) { return n == i; });
    EXPECT_EQ(slot.number, NumberTable::kNone);
    slot = table.with_room(slot, 7, [](uint64_t) { return uint64_t{7}; });
    table.put(slot, 7);
  }
  for (uint64_t i = 0; i < 100; ++i) {
    EXPECT_EQ(table.find(7, [&](uint64_t n) { return n == i; }).number, i);
  }
}

TEST(CountedVector, AsksTheBudgetBeforeItGrows) {
  Budget budget(1000);
  {
    CountedVector<uint64_t> vector(budget);
    uint64_t i = 0;
    EXPECT_THROW(for (;; ++i) vector.push_back(i), MemoryLimitReached);
    EXPECT_EQ(vector.size(), i);
    for (uint64_t k = 0; k < i; ++k) EXPECT_EQ(vector[k], k);
    EXPECT_EQ(vector.bytes(), budget.used());
  }
  EXPECT_EQ(budget.used(), 0u);
}

}  // namespace
}  // namespace harrier
