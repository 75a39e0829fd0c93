// Anytime search: its last path is a shortest one and says so; limits leave the best path so far.
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "support/options.h"
#include "support/subject.h"

namespace harrier::search {
namespace {

using testing_support::Subject;

CheckOptions with(Search search) {
  CheckOptions options;
  options.search = search;
  return options;
}

TEST(Anytime, EndsWithAShortestPath) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{{"fischer-a", 2},
                                                                             {"fischer-a", 4},
                                                                             {"fischer-b", 2},
                                                                             {"fischer-b", 4},
                                                                             {"fischer-c", 2},
                                                                             {"fischer-c", 4},
                                                                             {"arbiter", 2},
                                                                             {"arbiter", 3},
                                                                             {"hanoi", 3},
                                                                             {"hanoi", 4},
                                                                             {"philosophers", 3}}) {
    const Subject subject(name, n);
    const Result expected = run(subject.system(), subject.property, with(Search::BreadthFirst));
    CheckOptions cached = with(Search::Anytime);
    cached.cache_entries = 8;
    for (const CheckOptions& options : {with(Search::Anytime), cached}) {
      const Result result = run(subject.system(), subject.property, options);
      ASSERT_EQ(result.verdict, Verdict::Reachable) << name << " " << n;
      EXPECT_EQ(result.path->steps.size(), expected.path->steps.size()) << name << " " << n;
      EXPECT_TRUE(result.shortest) << name << " " << n;
      EXPECT_EQ(result.reason, "") << name << " " << n;
      EXPECT_EQ(subject.problem_with(*result.path), "") << name << " " << n;
    }
  }
}

TEST(Anytime, ProvesThatNothingIsReachable) {
  for (const auto& [name, n] :
       std::vector<std::pair<const char*, uint32_t>>{{"fischer", 3}, {"csma", 3}, {"train-gate", 3}}) {
    const Subject subject(name, n);
    const Result result = run(subject.system(), subject.property, with(Search::Anytime));
    EXPECT_EQ(result.verdict, Verdict::Unreachable) << name;
    EXPECT_FALSE(result.shortest) << name;
    EXPECT_GT(result.statistics.expanded, 0u) << name;
  }
}

TEST(Anytime, AGoalInTheInitialStateIsShortest) {
  const Subject subject("process P() { state s; init s; } system P;", "E<> P.s");
  const Result result = run(subject.system(), subject.property, with(Search::Anytime));
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_TRUE(result.path->steps.empty());
  EXPECT_TRUE(result.shortest);
}

TEST(Anytime, LimitsEndIt) {
  const Subject subject("arbiter", 3);
  CheckOptions depth = with(Search::Anytime);
  depth.depth_limit = 13;
  const Result cut = run(subject.system(), subject.property, depth);
  EXPECT_EQ(cut.verdict, Verdict::Unknown);
  EXPECT_EQ(cut.reason, "depth limit");
  depth.depth_limit = 14;
  const Result found = run(subject.system(), subject.property, depth);
  EXPECT_EQ(found.verdict, Verdict::Reachable);
  EXPECT_TRUE(found.shortest);

  CheckOptions memory = with(Search::Anytime);
  memory.memory_limit_bytes = 0;
  const Result full = run(subject.system(), subject.property, memory);
  EXPECT_EQ(full.verdict, Verdict::Unknown);
  EXPECT_EQ(full.reason, "memory limit");

  CheckOptions time = with(Search::Anytime);
  time.time_limit_s = 0;
  const Subject large("fischer", 8);
  EXPECT_EQ(run(large.system(), large.property, time).reason, "time limit");
}

TEST(Anytime, ALimitLeavesTheBestPathSoFar) {
  // Greedy search finds a path in little memory; the proof that there is no shorter one needs much more.
  const Subject subject("arbiter", 5);
  CheckOptions options = with(Search::Anytime);
  options.memory_limit_bytes = 8 << 20;
  const Result result = run(subject.system(), subject.property, options);
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(subject.problem_with(*result.path), "");
  EXPECT_LE(result.statistics.memory_bytes, *options.memory_limit_bytes);
}

TEST(Anytime, AModelThatFailsOffThePathKeepsThePath) {
  // The goal is near; a division by zero waits on the way to nowhere, where only the proof looks.
  const Subject subject(R"(int[0,9] n; int[0,9] z; int r;
process P() {
  state a, b, c, goal;
  init a;
  trans a -> b { }, b -> c { }, c -> goal { };
}
process Q() {
  state s, t;
  init s;
  trans s -> s { guard n < 9; assign n := n + 1; }, s -> t { guard n == 2; assign r := 1 / z; };
}
system P, Q;
)",
                        "E<> P.goal");
  const Result result = run(subject.system(), subject.property, with(Search::Anytime));
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(result.path->steps.size(), 3u);
}

}  // namespace
}  // namespace harrier::search
