// Several walkers: what they find depends on seed and number, not on who is faster, and they all end together.
#include "search/swarm.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

#include "base/error.h"
#include "harrier/harrier.h"
#include "support/subject.h"
#include "support/watch.h"

namespace harrier::search {
namespace {

using testing_support::Subject;
using testing_support::walk_options;

CheckOptions threads(uint32_t count, uint64_t seed = 1) {
  CheckOptions options = walk_options(seed);
  options.walk.threads = count;
  return options;
}

Model philosophers() {
  const LoadOptions load{.options = {{"--define", "N=9"}}};
  return Model::load_file(std::string(HARRIER_SOURCE_DIR) + "/models/philosophers.pml", load);
}

constexpr const char* kRing = R"(int[0,9] x;
process P() { state s; init s; trans s -> s { assign x := (x + 1) % 5; }, s -> s { assign x := (x + 4) % 5; }; }
system P;
)";

TEST(Swarm, SameSeedAndNumberSameWitness) {
  const Model model = philosophers();
  for (const bool polish : {false, true}) {
    for (const char* heuristic : {"", "hU"}) {
      CheckOptions options = threads(4, 5);
      options.heuristic = heuristic;
      options.polish = polish;
      const std::string first = model.check(0, options).trace_json;
      ASSERT_FALSE(first.empty());
      for (int i = 0; i < 20; ++i) EXPECT_EQ(model.check(0, options).trace_json, first);
    }
  }
}

TEST(Swarm, EveryNumberOfWalkersFindsAValidWitness) {
  const Model model = philosophers();
  for (const uint32_t count : {1, 2, 3, 4, 8, 16}) {
    const CheckResult result = model.check(0, threads(count));
    EXPECT_EQ(result.verdict, Verdict::Reachable) << count;
    EXPECT_EQ(model.validate(result.trace_json, "trace").problem, "") << count;
    EXPECT_GE(result.statistics.walk_length, *result.witness_length);
  }
}

TEST(Swarm, OneOfSeveralWalksAsIfAlone) {
  // The first walker of several has the same random numbers as a single one: nobody finds something later than it.
  const Model model = philosophers();
  CheckOptions options = threads(1, 9);
  options.polish = false;
  const uint64_t alone = model.check(0, options).statistics.steps;
  for (const uint32_t count : {2, 4}) {
    options.walk.threads = count;
    const CheckResult together = model.check(0, options);
    // Each made at most the slice of 256 in which the first was found, and one more.
    EXPECT_LE(together.statistics.steps, count * (alone + 2 * 256));
  }
}

TEST(Swarm, SharesOutTheWalksExactly) {
  const Subject subject(kRing, "E<> x == 9");
  for (const uint64_t walks : {0, 1, 2, 3, 7, 100}) {
    for (const uint32_t count : {1, 2, 3, 4, 7}) {
      CheckOptions options = threads(count);
      options.walk.depth = 5;
      options.walk.walks = walks;
      const Result result = run(subject.system(), subject.property, options);
      EXPECT_EQ(result.verdict, Verdict::Unknown);
      EXPECT_EQ(result.statistics.walks, walks) << count;
      EXPECT_EQ(result.statistics.steps, 5 * walks) << count;
    }
  }
  CheckOptions options = threads(3);
  options.walk.depth = 5;
  options.walk.delta = 0.1;
  options.walk.epsilon = 0.1;
  const Result result = run(subject.system(), subject.property, options);
  EXPECT_EQ(result.statistics.walks, 22U);
  // Walks that are cut short say nothing about the model; maximal trails from the initial state do.
  EXPECT_EQ(result.reason, "no error in 22 walks");
  options.walk.depth = 0;
  options.walk.trails = true;
  const auto reason = [&] { return run(subject.system(), subject.property, options).reason; };
  EXPECT_EQ(
      reason(),
      "no error in 22 trails; that had a probability below 0.1 if a share of 0.1 of all maximal trails finds one");
  options.walk.restart = WalkOptions::Restart::Previous;
  EXPECT_EQ(reason(), "no error in 22 walks");
}

TEST(Swarm, ARunTimeErrorOfOneWalkerIsReported) {
  // Three steps choose one of eight ways; one of them fails.
  const Subject subject(R"(int[0,20] x; int y; int[0,3] n;
process P() {
  state s;
  init s;
  trans s -> s { guard n < 3; assign x := 2 * x, n := n + 1; }, s -> s { guard n < 3; assign x := 2 * x + 1, n := n + 1; },
        s -> s { guard n == 3; assign y := 10 / x; };
}
system P;
)",
                        "E<> x == 20");
  const auto fails = [&](uint32_t count, uint64_t seed) {
    CheckOptions options = threads(count, seed);
    options.walk.walks = count;
    options.walk.depth = 4;
    const Result result = run(subject.system(), subject.property, options);
    if (result.verdict == Verdict::Unknown) return false;
    EXPECT_EQ(result.verdict, Verdict::Failed);
    EXPECT_EQ(result.failure->fault, model::Fault::DivisionByZero);
    EXPECT_EQ(result.path->steps.size(), 3U);
    return true;
  };
  int others = 0;
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    const bool one = fails(1, seed);
    const bool four = fails(4, seed);
    EXPECT_EQ(fails(4, seed), four);
    EXPECT_TRUE(!one || four);
    others += !one && four;
  }
  EXPECT_GT(others, 0);
}

TEST(Swarm, AnInterruptEndsAll) {
  const Subject subject(kRing, "E<> x == 9");
  for (const uint32_t count : {1, 4}) {
    std::atomic<bool> stop = true;
    CheckOptions options = threads(count);
    options.stop = &stop;
    EXPECT_EQ(run(subject.system(), subject.property, options).reason, "interrupted");
    stop = false;
    options.progress = [&](const Statistics& s) {
      EXPECT_GT(s.walks, 0U);
      stop = true;
    };
    const Result result = run(subject.system(), subject.property, options);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "interrupted");
    EXPECT_GT(result.statistics.steps, 0U);
  }
}

TEST(Swarm, LimitsEndAll) {
  const Subject subject(kRing, "E<> x == 9");
  for (const uint32_t count : {1, 4}) {
    CheckOptions options = threads(count);
    options.time_limit_s = 0.02;
    EXPECT_EQ(run(subject.system(), subject.property, options).reason, "time limit");
    options.time_limit_s.reset();
    options.memory_limit_bytes = 4 << 20;
    options.walk.depth = 0;  // one way that never ends, and has to be kept
    const Result result = run(subject.system(), subject.property, options);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "memory limit");
    EXPECT_EQ(result.statistics.walks, count);
    EXPECT_LE(result.statistics.memory_bytes, uint64_t{4} << 20);
  }
}

TEST(Swarm, TooManyOrNoWalkersAreRefused) {
  const Subject subject(kRing, "E<> x == 9");
  for (const uint32_t count : {0U, 1025U, UINT32_MAX}) {
    EXPECT_THROW(run(subject.system(), subject.property, threads(count)), Error);
  }
}

}  // namespace
}  // namespace harrier::search
