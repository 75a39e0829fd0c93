// The table of numbers in parts, against a map.
#include "store/parted_table.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <vector>

#include "base/error.h"
#include "base/hash.h"

namespace harrier::store {
namespace {

struct Things {
  explicit Things(Budget& budget) : table(budget) {}

  static uint64_t hash(uint64_t thing) { return hash_words(&thing, 1); }
  PartedTable::Place find(uint64_t thing) const {
    return table.find(hash(thing), [&](uint64_t n) { return list[n] == thing; });
  }
  void make_room(uint64_t thing, uint64_t more) {
    table.make_room(
        PartedTable::part_of(hash(thing)), more, [&](uint64_t n) { return hash(list[n]); }, [](uint64_t) {});
  }
  // False: it is there already.
  bool insert(uint64_t thing) {
    make_room(thing, 1);
    const PartedTable::Place place = find(thing);
    if (place.number != PartedTable::kNone) return false;
    table.add(hash(thing), place.at, list.size());
    list.push_back(thing);
    return true;
  }

  PartedTable table;
  std::vector<uint64_t> list;
};

TEST(PartedTable, FindsWhatIsInIt) {
  Budget budget;
  {
    Things things(budget);
    for (uint64_t i = 0; i < 200'000; ++i) ASSERT_TRUE(things.insert(i * i));
    for (uint64_t i = 2; i < 200'000; ++i) ASSERT_EQ(things.find(i * i + 1).number, PartedTable::kNone);
    for (uint64_t i = 0; i < 200'000; ++i) {
      ASSERT_EQ(things.find(i * i).number, i);
      ASSERT_FALSE(things.insert(i * i));
    }
    EXPECT_GE(budget.used(), 200'000 * sizeof(uint64_t));
    EXPECT_LE(budget.used(), 2 * 200'000 * sizeof(uint64_t));
  }
  EXPECT_EQ(budget.used(), 0U);
}

TEST(PartedTable, NumbersCanBeReplaced) {
  Budget budget;
  Things things(budget);
  for (uint64_t i = 0; i < 1000; ++i) things.insert(i);
  things.list.resize(2000);
  for (uint64_t i = 0; i < 1000; ++i) {
    const PartedTable::Place place = things.find(i);
    things.list[1000 + i] = i;
    things.table.set(Things::hash(i), place.at, 1000 + i);
  }
  for (uint64_t i = 0; i < 1000; ++i) EXPECT_EQ(things.find(i).number, 1000 + i);
}

TEST(PartedTable, RoomIsThereAtOnce) {
  Budget budget;
  Things things(budget);
  things.make_room(7, 5000);
  const uint64_t used = budget.used();
  things.make_room(7, 5000);
  EXPECT_EQ(budget.used(), used);
}

TEST(PartedTable, WithoutMemoryItStaysAsItIs) {
  Budget probe;
  const uint64_t first = [&] {
    const PartedTable empty(probe);
    return probe.used();
  }();
  Budget budget(first + 200);
  Things things(budget);
  uint64_t inserted = 0;
  EXPECT_THROW(for (;; ++inserted) things.insert(inserted), MemoryLimitReached);
  EXPECT_GT(inserted, 0U);
  for (uint64_t i = 0; i < inserted; ++i) EXPECT_EQ(things.find(i).number, i);
  EXPECT_EQ(things.find(inserted).number, PartedTable::kNone);
}

}  // namespace
}  // namespace harrier::store
