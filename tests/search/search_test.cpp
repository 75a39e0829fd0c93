// The searches together: they agree on verdicts, keep their promises about lengths, and respect depth bounds and
// limits.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "base/source.h"
#include "families/families.h"
#include "heur/table.h"
#include "lang/uppaal/uppaal.h"
#include "support/options.h"
#include "support/system_builder.h"

namespace harrier::search {
namespace {

using testing_support::SystemBuilder;

constexpr Search kSearches[] = {
    Search::BreadthFirst,  Search::DepthFirst, Search::RandomDepthFirst,    Search::AStar,
    Search::WeightedAStar, Search::Greedy,     Search::ContextBoundProcess, Search::ContextBoundInterference};

CheckOptions breadth_first() {
  CheckOptions options;
  options.search = Search::BreadthFirst;
  return options;
}

struct Family {
  Family(const char* name, uint32_t n) {
    const families::Generated generated = families::find_family(name)->generate(n);
    Diagnostics diagnostics;
    loaded = uppaal::load(generated.model, name, diagnostics);
    property = uppaal::parse_queries(loaded, generated.query, "query", diagnostics).at(0);
  }
  const model::System& system() const { return *loaded.system; }

  uppaal::Loaded loaded;
  model::Property property;
};

// A counter from 0 to n: a path without branches.
struct Line {
  SystemBuilder b;
  model::VarId x;
  model::ProcessId p = b.process("P", {"p"});

  explicit Line(int32_t n) : x(b.var("x", 0, n)) {
    const auto e = b.edge(p, 0, 0);
    b.edge(e).effect = {b.run(b.store(x, b.op(model::Op::Add, b.get(x), b.num(1))))};
  }
  model::Property reach(int32_t value) { return SystemBuilder::reachable({b.eq(x, value)}); }
};

TEST(Searches, AgreeWithBreadthFirstOnEveryFamily) {
  for (const families::Family& family : families::families()) {
    const Family subject(family.name, family.min_n + 1);
    const Result reference = run(subject.system(), subject.property, breadth_first());
    ASSERT_NE(reference.verdict, Verdict::Unknown) << family.name;
    for (const Search search : kSearches) {
      CheckOptions options = breadth_first();
      options.search = search;
      const Result result = run(subject.system(), subject.property, options);
      EXPECT_EQ(result.verdict, reference.verdict) << family.name << " " << static_cast<int>(search);
      if (result.path) {
        EXPECT_GE(result.path->steps.size(), reference.path->steps.size()) << family.name;
      }
    }
  }
}

// A reduced space follows the processes one by one; the place of a process in a list of this length must not matter.
TEST(Searches, ReduceModelsOfManyProcesses) {
  constexpr int32_t kMany = 5000;
  SystemBuilder b;
  model::ExprId all = b.num(1);
  for (int32_t i = 0; i < kMany; ++i) {
    const auto p = b.process("P" + std::to_string(i), {"p0", "p1"});
    const auto own = b.var("v" + std::to_string(i), 0, 1);
    const auto e = b.edge(p, 0, 1);
    b.edge(e).effect = {b.set(own, 1)};
    if (i == kMany - 1) all = b.at(p, 1);
  }
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst}) {
    CheckOptions options;
    options.search = search;
    options.reduction = true;
    const Result result = run(b.system, SystemBuilder::reachable({all}), options);
    ASSERT_EQ(result.verdict, Verdict::Reachable);
    ASSERT_FALSE(result.path->steps.empty());
    EXPECT_EQ(b.system.edge(result.path->steps.back().edges.at(0)).process.value, uint32_t{kMany - 1});
  }
}

TEST(Searches, AgreeUnderEveryHeuristicAndPreference) {
  for (const auto& [name, n] :
       std::vector<std::pair<const char*, uint32_t>>{{"hanoi", 3}, {"arbiter", 2}, {"fischer-a", 3}, {"fischer", 3}}) {
    const Family subject(name, n);
    const Verdict reference = run(subject.system(), subject.property, breadth_first()).verdict;
    for (const heur::Entry& entry : heur::table()) {
      if (entry.sibling || !entry.is_for(subject.system())) continue;
      for (uint64_t preferences = 0; preferences < 8; ++preferences) {
        CheckOptions options = breadth_first();
        options.search = Search::Greedy;
        options.heuristic = entry.name;
        options.prefer = preferences_in(preferences);
        EXPECT_EQ(run(subject.system(), subject.property, options).verdict, reference)
            << name << " " << entry.name << " " << preferences;
      }
    }
  }
}

TEST(Searches, AStarIsShortestUnderAdmissibleHeuristics) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"hanoi", 4}, {"arbiter", 2}, {"fischer-a", 3}, {"philosophers", 3}}) {
    const Family subject(name, n);
    const size_t shortest = run(subject.system(), subject.property, breadth_first()).path->steps.size();
    for (const heur::Entry& entry : heur::table()) {
      if (!entry.admissible || !entry.is_for(subject.system())) continue;
      CheckOptions options = breadth_first();
      options.search = Search::AStar;
      options.heuristic = entry.name;
      EXPECT_EQ(run(subject.system(), subject.property, options).path->steps.size(), shortest)
          << name << " " << entry.name;
    }
  }
}

TEST(Searches, SeveralHeuristicsTakeTurns) {
  for (const auto& [name, n] :
       std::vector<std::pair<const char*, uint32_t>>{{"hanoi", 3}, {"arbiter", 2}, {"fischer-a", 3}, {"fischer", 3}}) {
    const Family subject(name, n);
    const Verdict reference = run(subject.system(), subject.property, breadth_first()).verdict;
    for (uint64_t preferences = 0; preferences < 8; ++preferences) {
      CheckOptions options = breadth_first();
      options.search = Search::Greedy;
      options.heuristic = "hamming, max(hL, dU), hff";
      options.prefer = preferences_in(preferences);
      const Result result = run(subject.system(), subject.property, options);
      EXPECT_EQ(result.verdict, reference) << name << " " << preferences;
      EXPECT_GE(result.statistics.queues.size(), 3u) << "each has its own";
    }
  }
}

TEST(Searches, CountWhatTheyDo) {
  Line line(10);
  const Result proved = run(line.b.system, line.reach(11), breadth_first());
  EXPECT_EQ(proved.verdict, Verdict::Unreachable);
  EXPECT_EQ(proved.statistics.expanded, 11u);
  EXPECT_EQ(proved.statistics.generated, 10u);
  EXPECT_EQ(proved.statistics.stored, 11u);
  EXPECT_GT(proved.statistics.memory_bytes, 0u);
  EXPECT_EQ(proved.statistics.evaluated, 0u);
  CheckOptions greedy = breadth_first();
  greedy.search = Search::Greedy;
  const Result guided = run(line.b.system, line.reach(10), greedy);
  EXPECT_EQ(guided.statistics.evaluated, 10u) << "a goal is noticed before it is evaluated";
  EXPECT_EQ(guided.statistics.expanded, 10u);
}

TEST(Searches, AGoalInTheInitialStateNeedsNoStep) {
  Line line(3);
  for (const Search search : kSearches) {
    CheckOptions options = breadth_first();
    options.search = search;
    const Result result = run(line.b.system, line.reach(0), options);
    EXPECT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_TRUE(result.path->steps.empty());
    EXPECT_EQ(result.statistics.expanded, 0u);
  }
}

TEST(DepthBound, CutsBelowTheGoalAndFindsAtIt) {
  Line line(20);
  for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::RandomDepthFirst, Search::AStar,
                              Search::WeightedAStar, Search::Greedy}) {
    CheckOptions options = breadth_first();
    options.search = search;
    options.depth_limit = 9;
    const Result cut = run(line.b.system, line.reach(10), options);
    EXPECT_EQ(cut.verdict, Verdict::Unknown) << static_cast<int>(search);
    EXPECT_EQ(cut.reason, "depth limit");
    EXPECT_EQ(cut.statistics.expanded, 9u);
    options.depth_limit = 10;
    EXPECT_EQ(run(line.b.system, line.reach(10), options).verdict, Verdict::Reachable) << static_cast<int>(search);
  }
}

TEST(DepthBound, OfZeroLooksAtTheInitialStateOnly) {
  Line line(3);
  CheckOptions options = breadth_first();
  options.depth_limit = 0;
  EXPECT_EQ(run(line.b.system, line.reach(0), options).verdict, Verdict::Reachable);
  const Result result = run(line.b.system, line.reach(1), options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.statistics.expanded, 0u);
}

TEST(DepthBound, ThatIsNeverReachedStillProves) {
  Line line(5);
  CheckOptions options = breadth_first();
  options.depth_limit = 6;
  EXPECT_EQ(run(line.b.system, line.reach(9), options).verdict, Verdict::Unreachable);
}

// A long way to a state from which a short way leads on: depth-first search takes the long one first, and must look at
// the state again when it is reached at lower depth.
TEST(DepthBound, AStateThatIsReachedAgainAtLowerDepthIsExpandedAgain) {
  SystemBuilder b;
  const auto p = b.process("P", {"start", "detour", "detour2", "middle", "goal"});
  b.edge(p, 0, 1);
  b.edge(p, 1, 2);
  b.edge(p, 2, 3);
  b.edge(p, 0, 3);
  b.edge(p, 3, 4);
  const model::Property property = SystemBuilder::reachable({b.at(p, 4)});
  for (const Search search : {Search::DepthFirst, Search::Greedy, Search::AStar}) {
    CheckOptions options = breadth_first();
    options.search = search;
    options.depth_limit = 3;
    const Result result = run(b.system, property, options);
    ASSERT_EQ(result.verdict, Verdict::Reachable) << static_cast<int>(search);
    EXPECT_LE(result.path->steps.size(), 3u);
  }
}

TEST(Limits, EndASearchWithItsReason) {
  Line line(1000000);
  CheckOptions memory = breadth_first();
  memory.memory_limit_bytes = 1 << 20;
  const Result full = run(line.b.system, line.reach(1000000), memory);
  EXPECT_EQ(full.verdict, Verdict::Unknown);
  EXPECT_EQ(full.reason, "memory limit");
  EXPECT_GT(full.statistics.stored, 0u);
  EXPECT_LE(full.statistics.memory_bytes, *memory.memory_limit_bytes);

  CheckOptions none = breadth_first();
  none.memory_limit_bytes = 0;
  EXPECT_EQ(run(line.b.system, line.reach(1000000), none).reason, "memory limit");

  CheckOptions time = breadth_first();
  time.time_limit_s = 0;
  EXPECT_EQ(run(line.b.system, line.reach(1000000), time).reason, "time limit");

  const std::atomic<bool> stop{true};
  CheckOptions stopped = breadth_first();
  stopped.stop = &stop;
  EXPECT_EQ(run(line.b.system, line.reach(1000000), stopped).reason, "interrupted");
}

TEST(Limits, ARequestToStopLeavesTheStatistics) {
  const Family endless("hanoi", 30);
  std::atomic<bool> stop{false};
  CheckOptions options = breadth_first();
  options.stop = &stop;
  uint64_t shown = 0;
  options.progress = [&](const Statistics& s) {
    stop = true;
    shown = s.expanded;
  };
  const Result result = run(endless.system(), endless.property, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_EQ(result.reason, "interrupted");
  EXPECT_GT(shown, 0u);
  EXPECT_GE(result.statistics.expanded, shown);
}

TEST(Progress, IsReportedWithGrowingNumbers) {
  Line line(3000000);
  std::vector<uint64_t> expanded;
  CheckOptions options = breadth_first();
  options.progress = [&](const Statistics& s) { expanded.push_back(s.expanded); };
  std::atomic<bool> stop{false};
  options.stop = &stop;
  run(line.b.system, line.reach(3000001), options);
  EXPECT_TRUE(std::is_sorted(expanded.begin(), expanded.end()));
}

TEST(Errors, OfTheModelAndOfTheOptions) {
  Line line(3);
  CheckOptions options = breadth_first();
  options.search = Search::Greedy;
  options.heuristic = "nothing of the kind";
  EXPECT_THROW(run(line.b.system, line.reach(1), options), Error);
  model::Property property = line.reach(1);
  property.kind = model::PropertyKind::LeadsTo;
  try {
    run(line.b.system, property, breadth_first());
    FAIL() << "should be refused";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::Unsupported);
  }
}

}  // namespace
}  // namespace harrier::search
