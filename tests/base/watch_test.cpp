#include "base/watch.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "base/budget.h"
#include "base/chunked.h"

namespace harrier {
namespace {

std::string reason(const Watch& watch) {
  try {
    watch.poll();
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Limit);
    return e.what();
  }
  return "";
}

// Waits until the watch has looked.
std::string reason_in_the_end(const Watch& watch) {
  while (!watch.over()) std::this_thread::yield();
  return reason(watch);
}

TEST(Watch, WithoutBoundsNeverEndsAnything) {
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(reason(Watch::none()), "");
  EXPECT_FALSE(Watch::none().over());
  EXPECT_EQ(&Watch::or_none(nullptr), &Watch::none());
}

TEST(Watch, WhatIsReachedAtTheStartIsKnownAtOnce) {
  EXPECT_EQ(reason(Watch({.seconds = 0})), "time limit");
  const std::atomic<bool> stop{true};
  EXPECT_EQ(reason(Watch({.stop = &stop})), "interrupted");
  EXPECT_EQ(reason(Watch({.seconds = 1e9, .bytes = uint64_t{1} << 60})), "");
}

TEST(Watch, SeesTimeAndRequestsComing) {
  const Watch soon({.seconds = 0.01});
  EXPECT_EQ(reason_in_the_end(soon), "time limit");
  EXPECT_GE(soon.seconds(), 0.01);
  EXPECT_EQ(reason(soon), "time limit") << "it stays so";
  std::atomic<bool> stop{false};
  const Watch watch({.stop = &stop});
  EXPECT_EQ(reason(watch), "");
  stop = true;
  EXPECT_EQ(reason_in_the_end(watch), "interrupted");
}

TEST(Watch, SeesMemoryComingAndGoing) {
  constexpr uint64_t kLimit = uint64_t{64} << 20;
  const uint64_t before = resident_bytes();
  if (before == 0) GTEST_SKIP() << "the system does not tell how much memory is used";
  EXPECT_EQ(reason(Watch({.bytes = 0})), "memory limit");
  const Watch watch({.bytes = kLimit, .bytes_before = before});
  EXPECT_EQ(reason(watch), "");
  {
    // Reserved memory does not count.
    const auto reserved = std::make_unique_for_overwrite<char[]>(4 * kLimit);
    EXPECT_EQ(reason(watch), "");
    const std::vector<char> used(2 * kLimit, 'x');
    asm volatile("" : : "g"(used.data()) : "memory");  // somebody may look at it: a compiler must not leave it out
    EXPECT_EQ(reason_in_the_end(watch), "memory limit");
    EXPECT_THROW(watch.poll(), MemoryLimitReached);
  }
  EXPECT_EQ(reason(watch), "") << "what was freed may be used again";
  EXPECT_GT(watch.peak_bytes(), kLimit);
}

TEST(Watch, CountsPollsForTests) {
  const Watch watch({.polls = 2});
  EXPECT_EQ(reason(watch), "");
  EXPECT_EQ(reason(watch), "");
  EXPECT_EQ(reason(watch), "interrupted");
  EXPECT_EQ(reason(watch), "interrupted");
}

TEST(ChunkedArray, TakesLittleForFewLargeRecords) {
  Budget budget;
  constexpr uint32_t kWords = 1 << 17;  // 1 MB a record
  ChunkedArray<uint64_t> large(budget, kWords);
  for (uint64_t i = 0; i < 3; ++i) large.append()[kWords - 1] = i;
  EXPECT_EQ(budget.used(), 3 * sizeof(uint64_t) * kWords);
  for (uint64_t i = 0; i < 3; ++i) EXPECT_EQ(large[i][kWords - 1], i);
  ChunkedArray<uint64_t> medium(budget, 1000);
  for (uint64_t i = 0; i < 1000; ++i) medium.append()[999] = i;
  for (uint64_t i = 0; i < 1000; ++i) ASSERT_EQ(medium[i][999], i);
}

}  // namespace
}  // namespace harrier
