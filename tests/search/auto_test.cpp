// `auto`: the verdicts of the searches it is made of, the same run every time, and limits for all of them together.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
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

TEST(Auto, GivesTheVerdictOfBreadthFirstSearch) {
  for (const families::Family& family : families::families()) {
    for (uint32_t n = family.min_n; n <= family.min_n + 1; ++n) {
      const Subject subject(family.generate(n));
      const Result expected = run(subject.system(), subject.property, with(Search::BreadthFirst));
      const Result result = run(subject.system(), subject.property, with(Search::Auto));
      EXPECT_EQ(result.verdict, expected.verdict) << family.name << " " << n;
      EXPECT_EQ(result.reason, "") << family.name << " " << n;
      ASSERT_EQ(result.path.has_value(), expected.path.has_value()) << family.name << " " << n;
      if (!result.path) continue;
      EXPECT_GE(result.path->steps.size(), expected.path->steps.size()) << family.name << " " << n;
      EXPECT_EQ(subject.problem_with(*result.path), "") << family.name << " " << n;
    }
  }
}

TEST(Auto, FindsWhatNeedsDirection) {
  const Subject subject("arbiter", 6);
  const Result result = run(subject.system(), subject.property, with(Search::Auto));
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  EXPECT_EQ(subject.problem_with(*result.path), "");
  EXPECT_GT(result.statistics.evaluated, 0u);
}

// As long as the heuristics take no more than the time that they have in any case; what is slower depends on the
// machine.
TEST(Auto, CanBeRepeated) {
  constexpr double kFreeSeconds = 0.25;
  size_t compared = 0;
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"arbiter", 4}, {"hanoi", 4}, {"fischer", 5}, {"philosophers", 4}}) {
    const Subject subject(name, n);
    CheckOptions options = with(Search::Auto);
    options.first = true;  // how long others go on afterwards depends on the machine
    const Result first = run(subject.system(), subject.property, options);
    const Result second = run(subject.system(), subject.property, options);
    EXPECT_EQ(first.verdict, second.verdict) << name;
    if (std::max(first.statistics.time_s, second.statistics.time_s) >= kFreeSeconds) continue;
    ++compared;
    EXPECT_EQ(first.statistics.expanded, second.statistics.expanded) << name;
    EXPECT_EQ(first.statistics.generated, second.statistics.generated) << name;
    EXPECT_EQ(first.statistics.stored, second.statistics.stored) << name;
    EXPECT_EQ(first.statistics.evaluated, second.statistics.evaluated) << name;
    EXPECT_EQ(first.statistics.dead_ends, second.statistics.dead_ends) << name;
    EXPECT_EQ(first.statistics.memory_bytes, second.statistics.memory_bytes) << name;
    ASSERT_EQ(first.path.has_value(), second.path.has_value()) << name;
    if (!first.path) continue;
    ASSERT_EQ(first.path->steps.size(), second.path->steps.size()) << name;
    for (size_t i = 0; i < first.path->steps.size(); ++i) {
      EXPECT_EQ(first.path->steps[i].edges, second.path->steps[i].edges) << name << " " << i;
    }
  }
  if (compared == 0) GTEST_SKIP() << "the machine is too slow for runs that time does not decide";
}

TEST(Auto, EndsUnknownWhenMemoryIsUsedUpByAllOfThem) {
  const Subject subject("fischer", 8);
  CheckOptions options = with(Search::Auto);
  options.memory_limit_bytes = 4 << 20;
  const Result result = run(subject.system(), subject.property, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "memory limit");
  EXPECT_GT(result.statistics.expanded, 0u);
  EXPECT_GT(result.statistics.generated, result.statistics.expanded);
  EXPECT_GT(result.statistics.evaluated, 0u) << "the directed members have had their turns";
  EXPECT_GT(result.statistics.memory_bytes, 0u);
  EXPECT_LE(result.statistics.memory_bytes, *options.memory_limit_bytes);

  options.memory_limit_bytes = 0;
  EXPECT_EQ(run(subject.system(), subject.property, options).reason, "memory limit");
}

TEST(Auto, EndsAlsoWhenOnlyAWalkCouldGoOn) {
  // All processes take part, so that random walks are among the members; they need no memory.
  const Subject subject(R"(
int[0,1000000] a; int[0,1000000] b;
process P() { state p; init p; trans p -> p { guard a < 1000000; assign a := a + 1; }; }
process Q() { state q; init q; trans q -> q { guard b < 1000000; assign b := b + 1; }; }
system P, Q;
)",
                        "E<> a == 1000000 && b == 1000000 && P.p && Q.q && a < b");
  CheckOptions options = with(Search::Auto);
  options.memory_limit_bytes = 2 << 20;
  const Result result = run(subject.system(), subject.property, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "memory limit");
}

TEST(Auto, ShowsAShortPath) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"arbiter", 3}, {"hanoi", 6}, {"philosophers", 4}, {"fischer-a", 4}, {"fischer-b", 5}}) {
    const Subject subject(name, n);
    const size_t shortest = run(subject.system(), subject.property, with(Search::BreadthFirst)).path->steps.size();
    const Result result = run(subject.system(), subject.property, with(Search::Auto));
    ASSERT_TRUE(result.path) << name;
    EXPECT_LE(result.path->steps.size(), 2 * shortest) << name;
    EXPECT_TRUE(!result.shortest || result.path->steps.size() == shortest) << name;
    EXPECT_EQ(subject.problem_with(*result.path), "") << name;
  }
}

TEST(Auto, StopsAtTheFirstPathIfTold) {
  const Subject subject("arbiter", 5);
  CheckOptions options = with(Search::Auto);
  const Result best = run(subject.system(), subject.property, options);
  options.first = true;
  const Result first = run(subject.system(), subject.property, options);
  ASSERT_TRUE(first.path && best.path);
  EXPECT_FALSE(first.improved);
  EXPECT_LT(first.statistics.generated, best.statistics.generated);
  EXPECT_GE(first.path->steps.size(), best.path->steps.size());
}

TEST(Auto, TellsWhichSearchAnswered) {
  const Subject easy("hanoi", 2);
  const Result shortest = run(easy.system(), easy.property, with(Search::Auto));
  EXPECT_EQ(shortest.search, "bfs");
  EXPECT_NE(shortest.search_reason, "");
  const Subject hard("arbiter", 6);
  CheckOptions options = with(Search::Auto);
  options.first = true;
  EXPECT_EQ(run(hard.system(), hard.property, options).search, "greedy hU useless");
  options = with(Search::Greedy);
  options.heuristic = "hL";
  options.prefer = {"contexts"};
  const Result alone = run(easy.system(), easy.property, options);
  EXPECT_EQ(alone.search, "greedy hL contexts");
  EXPECT_EQ(alone.search_reason, "");
}

TEST(Auto, KeepsTheOtherLimits) {
  const Subject subject("fischer", 8);
  CheckOptions time = with(Search::Auto);
  time.time_limit_s = 0;
  const Result late = run(subject.system(), subject.property, time);
  EXPECT_EQ(late.verdict, Verdict::Unknown);
  EXPECT_EQ(late.reason, "time limit");

  const Subject faulty("fischer-b", 3);
  CheckOptions depth = with(Search::Auto);
  depth.depth_limit = 5;
  const Result cut = run(faulty.system(), faulty.property, depth);
  EXPECT_EQ(cut.verdict, Verdict::Unknown);
  EXPECT_EQ(cut.reason, "depth limit");
  depth.depth_limit = 6;
  EXPECT_EQ(run(faulty.system(), faulty.property, depth).verdict, Verdict::Reachable);

  const std::atomic<bool> stop{true};
  CheckOptions stopped = with(Search::Auto);
  stopped.stop = &stop;
  EXPECT_EQ(run(subject.system(), subject.property, stopped).reason, "interrupted");
}

}  // namespace
}  // namespace harrier::search
