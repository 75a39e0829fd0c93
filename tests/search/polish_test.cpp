// Polishing: paths get shorter and have fewer context switches, never the opposite, and stay valid.

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "harrier/harrier.h"
#include "search/neighbourhood.h"
#include "support/options.h"
#include "support/subject.h"

namespace harrier::search {
namespace {

using testing_support::Subject;

constexpr uint64_t kEffort = 100'000;

model::Path path_of(const Subject& subject, Search search, uint64_t seed = 1) {
  CheckOptions options;
  options.search = search;
  options.seed = seed;
  return run(subject.system(), subject.property, options).path.value();
}

Polished polished(const Subject& subject, const model::Path& path, uint64_t effort = kEffort) {
  return polish(step::Semantics(subject.system(), subject.property), path, CheckOptions(), effort);
}

TEST(Polish, NeverLengthensAndStaysValid) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"fischer-a", 3}, {"fischer-b", 4}, {"fischer-c", 3}, {"arbiter", 3}, {"hanoi", 4}, {"philosophers", 4}}) {
    const Subject subject(name, n);
    const size_t shortest = path_of(subject, Search::BreadthFirst).steps.size();
    for (const Search search : {Search::BreadthFirst, Search::DepthFirst, Search::RandomDepthFirst, Search::Greedy}) {
      const model::Path path = path_of(subject, search);
      for (const uint64_t effort : {uint64_t{0}, uint64_t{10}, uint64_t{1000}, kEffort}) {
        const Polished result = polished(subject, path, effort);
        EXPECT_LE(result.path.steps.size(), path.steps.size()) << name << " " << effort;
        EXPECT_GE(result.path.steps.size(), shortest) << name << " " << effort;
        EXPECT_EQ(subject.problem_with(result.path), "") << name << " " << effort;
        if (result.path.steps.size() == path.steps.size()) {
          EXPECT_LE(context_switches(subject.system(), result.path), context_switches(subject.system(), path))
              << name << " " << effort;
        }
        if (result.shortest) {
          EXPECT_EQ(result.path.steps.size(), shortest) << name << " " << effort;
        }
      }
    }
  }
}

// A walk through a torus comes near everything; the shortest path is among what it passed.
TEST(Polish, FindsShortPathsNearLongWalks) {
  const Subject subject(R"(
int[0,19] x; int[0,19] y;
process P() { state p; init p; trans p -> p { assign x := (x + 1) % 20; }, p -> p { assign x := (x + 19) % 20; }; }
process Q() { state q; init q; trans q -> q { assign y := (y + 1) % 20; }, q -> q { assign y := (y + 19) % 20; }; }
system P, Q;
)",
                        "E<> x == 10 && y == 10");
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const model::Path walk = path_of(subject, Search::Walk, seed);
    const model::Path path = shorten(step::Semantics(subject.system(), subject.property), walk, Config());
    EXPECT_EQ(path.steps.size(), 20u) << walk.steps.size();
    EXPECT_EQ(subject.problem_with(path), "");
    Budget budget;
    const auto nearby = shorter_nearby(step::Semantics(subject.system(), subject.property), walk, 100'000, budget);
    EXPECT_EQ((nearby ? *nearby : walk).steps.size(), 20u);
    Budget tight(1 << 12);
    EXPECT_THROW(shorter_nearby(step::Semantics(subject.system(), subject.property), walk, 100'000, tight),
                 MemoryLimitReached);
  }
}

TEST(Polish, LeavesOutWhatIsUseless) {
  const Subject subject("fischer-b", 4);
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    const model::Path path = path_of(subject, Search::RandomDepthFirst, seed);
    // Too little effort for A* to expand anything: what gets shorter does so by leaving out.
    const Polished result = polished(subject, path, 60);
    EXPECT_LE(result.path.steps.size(), path.steps.size()) << seed;
    EXPECT_EQ(subject.problem_with(result.path), "") << seed;
    const Polished best = polished(subject, path);
    EXPECT_TRUE(best.shortest) << seed;
    EXPECT_EQ(best.path.steps.size(), 6u) << seed;
    EXPECT_EQ(subject.problem_with(best.path), "") << seed;
  }
}

// Two processes; only three steps of P matter.
constexpr const char* kAside = R"(int[0,9] n;
process P() {
  state a, b, c, goal;
  init a;
  trans a -> b { }, b -> c { }, c -> goal { };
}
process Q() {
  state s;
  init s;
  trans s -> s { assign n := (n + 1) % 10; };
}
system P, Q;
)";

TEST(Polish, LeavesOutTheStepsOfABystander) {
  const Subject subject(kAside, "E<> P.goal");
  model::Path path = path_of(subject, Search::BreadthFirst);
  ASSERT_EQ(path.steps.size(), 3u);
  model::PathStep aside;
  for (uint32_t e = 0; e < subject.system().edges.size(); ++e) {
    if (subject.system().edges[e].process.value == 1) aside.edges = {model::EdgeId{e}};
  }
  for (const size_t at : {0, 2, 4, 4}) path.steps.insert(path.steps.begin() + static_cast<ptrdiff_t>(at), aside);
  ASSERT_EQ(subject.problem_with(path), "");
  const Polished result = polished(subject, path, 60);
  EXPECT_EQ(result.path.steps.size(), 3u);
  EXPECT_EQ(context_switches(subject.system(), result.path), 0u);
  EXPECT_EQ(subject.problem_with(result.path), "");
}

TEST(Polish, GathersTheStepsOfAProcess) {
  // Both processes must take all their steps, in any order.
  const Subject subject(R"(process P() {
  state a, b, c, d;
  init a;
  trans a -> b { }, b -> c { }, c -> d { };
}
A := P();
B := P();
system A, B;
)",
                        "E<> A.d && B.d");
  model::Path path = path_of(subject, Search::BreadthFirst);
  std::vector<model::PathStep> by_process[2];
  for (const model::PathStep& step : path.steps) {
    by_process[subject.system().edge(step.edges[0]).process.value].push_back(step);
  }
  path.steps.clear();
  for (size_t i = 0; i < 3; ++i) {
    path.steps.push_back(by_process[0].at(i));
    path.steps.push_back(by_process[1].at(i));
  }
  ASSERT_EQ(subject.problem_with(path), "");
  ASSERT_EQ(context_switches(subject.system(), path), 5u);
  const Polished result = polished(subject, path);
  EXPECT_TRUE(result.shortest);
  EXPECT_EQ(result.path.steps.size(), 6u);
  EXPECT_EQ(context_switches(subject.system(), result.path), 1u);
  EXPECT_EQ(subject.problem_with(result.path), "");
}

TEST(Polish, AnEmptyPathIsShortest) {
  const Subject subject(kAside, "E<> P.a");
  const Polished result = polished(subject, path_of(subject, Search::BreadthFirst));
  EXPECT_TRUE(result.shortest);
  EXPECT_TRUE(result.path.steps.empty());
}

// Paths of these models are not described by their edges alone.
TEST(Polish, KnowsBroadcastsPrioritiesAndDeadlocks) {
  const char* const broadcast = R"(clock x;
broadcast chan all;
int[0,3] heard;
process Sender() {
  state s, t;
  init s;
  trans s -> t { guard x >= 2; sync all!; }, t -> s { assign x := 0; };
}
process Listener(const int k) {
  state idle, awake;
  init idle;
  trans idle -> awake { guard x <= 2 + k; sync all?; assign heard := heard + 1; }, awake -> awake { };
}
A := Listener(0);
B := Listener(1);
system Sender, A, B;
)";
  const char* const priorities = R"(clock x;
chan low, high;
chan priority low < high;
int[0,5] n;
process P() {
  state s;
  init s;
  trans s -> s { guard n < 5; sync low!; assign n := n + 1; }, s -> s { guard x > 3 && n < 5; sync high!; assign x := 0; };
}
process Q() {
  state s;
  init s;
  trans s -> s { sync low?; }, s -> s { sync high?; };
}
system P, Q;
)";
  for (const auto& [model, query] : std::vector<std::pair<const char*, const char*>>{
           {broadcast, "E<> heard == 2"},
           {broadcast, "E<> A.idle && B.awake"},
           {priorities, "E<> n == 4"},
           {priorities, "E<> deadlock"},
           {kAside, "E<> P.goal && n == 7"},
           {"process P() { state a, b, c; init a; trans a -> b { }, b -> c { }, b -> a { }; } system P;",
            "E<> deadlock"}}) {
    const Subject subject(model, query);
    const size_t shortest = path_of(subject, Search::BreadthFirst).steps.size();
    for (uint64_t seed = 1; seed <= 3; ++seed) {
      const model::Path path = path_of(subject, Search::RandomDepthFirst, seed);
      for (const uint64_t effort : {uint64_t{0}, kEffort}) {
        const Polished result = polished(subject, path, effort);
        EXPECT_LE(result.path.steps.size(), path.steps.size()) << query;
        EXPECT_EQ(subject.problem_with(result.path), "") << query;
        if (effort != 0) {
          EXPECT_EQ(result.path.steps.size(), shortest) << query;
        }
      }
    }
  }
}

TEST(Polish, AModelThatFailsOffThePathKeepsThePath) {
  // Without the step that makes z positive, the later division fails; A* meets it, too.
  const Subject subject(R"(int[0,9] z; int r;
process P() {
  state a, b, goal;
  init a;
  trans a -> b { assign z := 1; }, b -> goal { };
}
process Q() {
  state s, t;
  init s;
  trans s -> t { assign r := 1 / z; };
}
system P, Q;
)",
                        "E<> P.goal && Q.t");
  model::Path path;
  for (const uint32_t e : {0, 2, 1}) path.steps.push_back({{model::EdgeId{e}}, {}});
  ASSERT_EQ(subject.problem_with(path), "");
  const Polished result = polished(subject, path);
  EXPECT_EQ(result.path.steps.size(), 3u);
  EXPECT_EQ(subject.problem_with(result.path), "");
}

TEST(Polish, KeepsLimits) {
  const Subject subject("arbiter", 4);
  const model::Path path = path_of(subject, Search::Greedy);
  CheckOptions options;
  options.memory_limit_bytes = 0;
  const Polished result = polish(step::Semantics(subject.system(), subject.property), path, options, kEffort);
  EXPECT_FALSE(result.shortest);
  EXPECT_LE(result.path.steps.size(), path.steps.size());
  EXPECT_EQ(subject.problem_with(result.path), "");
}

TEST(Polish, UndoesTheRoundsOfAWalkIntoADeadlock) {
  LoadOptions load;
  load.language = "promela";
  const Model model = Model::load_text(R"(
    #define N 12
    bool taken[N];
    active [N] proctype philosopher() {
      do
      :: atomic { !taken[_pid] -> taken[_pid] = true };
         atomic { !taken[(_pid + 1) % N] -> taken[(_pid + 1) % N] = true };
         taken[_pid] = false;
         taken[(_pid + 1) % N] = false
      od
    })",
                                       "table.pml", load);
  CheckOptions options;
  options.search = Search::Walk;
  for (options.seed = 1; options.seed <= 5; ++options.seed) {
    const CheckResult result = model.check(0, options);
    EXPECT_EQ(result.witness_length, 24u) << options.seed;  // every philosopher tests and takes one fork
    EXPECT_GE(result.statistics.walk_length, 24u) << options.seed;
  }
}

}  // namespace
}  // namespace harrier::search
