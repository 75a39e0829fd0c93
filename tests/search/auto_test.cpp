// `auto`: the verdicts of the searches it is made of, the same run every time, and limits for all of them together.
#include <gtest/gtest.h>

#include <atomic>
#include <utility>
#include <vector>

#include "search/search.h"
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

TEST(Auto, CanBeRepeated) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"arbiter", 4}, {"hanoi", 6}, {"fischer", 5}, {"philosophers", 6}}) {
    const Subject subject(name, n);
    const Result first = run(subject.system(), subject.property, with(Search::Auto));
    const Result second = run(subject.system(), subject.property, with(Search::Auto));
    EXPECT_EQ(first.verdict, second.verdict) << name;
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

TEST(Auto, KeepsTheOtherLimits) {
  const Subject subject("fischer", 8);
  CheckOptions time = with(Search::Auto);
  time.time_limit_s = 0;
  const Result late = run(subject.system(), subject.property, time);
  EXPECT_EQ(late.verdict, Verdict::Unknown);
  EXPECT_EQ(late.reason, "time limit");
  EXPECT_GT(late.statistics.expanded, 0u);

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
