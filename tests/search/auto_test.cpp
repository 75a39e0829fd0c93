// `auto`: the verdicts of the searches it is made of, the same run every time, and limits for all of them together.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "abstraction/workshop.h"
#include "base/budget.h"
#include "model/analysis.h"
#include "search/task.h"
#include "step/semantics.h"
#include "support/options.h"
#include "support/shared_models.h"
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

// Where nobody is stopped for being slow, nothing depends on the machine.
TEST(Auto, CanBeRepeated) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"arbiter", 4}, {"hanoi", 4}, {"fischer", 5}, {"philosophers", 4}}) {
    const Subject subject(name, n);
    Config config;
    config.method = AutoSearch{.first = true, .patient = true};
    const Result first = run(subject.system(), subject.property, config);
    const Result second = run(subject.system(), subject.property, config);
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
  options.symmetry = false;
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

// Two processes exclude each other, among counters that have a say in when they let go: a projection to the two proves
// it, breadth-first search sees 300,000 states, and relaxations see nothing. With a fault they do not.
Subject exclusion(const std::string& query, bool faulty = false) {
  const std::string end = " }; }\n";
  std::string text = "int[0,9] c[5]; int[0,1] a; int[0,1] b;\n";
  text += "process A() { state idle, busy; init idle; trans idle -> busy { guard b == 0";
  text += faulty ? " || c[1] + c[2] + c[3] + c[4] == 36" : "";
  text += "; assign a := 1; }, busy -> idle { guard c[0] != 5; assign a := 0;" + end;
  text += "process B() { state idle, busy; init idle; trans idle -> busy { guard a == 0; assign b := 1; },";
  text += " busy -> idle { guard c[1] != c[2]; assign b := 0;" + end;
  text += "process C(const int[0,4] i) { state s; init s; trans";
  text += " s -> s { guard c[i] < 9 && c[(i + 1) % 5] != 8; assign c[i] := c[i] + 1; },";
  text += " s -> s { guard c[i] == 9 && a + b < 2; assign c[i] := 0;" + end;
  return {text + "system A, B, C;\n", query};
}

struct AutoRun {
  Result result;
  std::vector<AbstractionReport> built;
};

AutoRun run_auto(const Subject& subject, const AutoSearch& how, std::optional<uint64_t> bytes = {},
                 const Watch& watch = Watch::none()) {
  Config config;
  config.method = how;
  config.workshop = std::make_shared<abstraction::Workshop>();
  config.memory_limit_bytes = bytes;
  config.symmetry = false;  // what is wanted is large
  config.watch = &watch;
  Result result = run(subject.system(), subject.property, config);
  return {std::move(result), config.workshop->reports()};
}

TEST(Auto, ProvesByADatabase) {
  for (const char* query : {"A[] not (A.busy && B.busy)", "E<> A.busy && B.busy"}) {
    const Subject subject = exclusion(query);
    const Result plain = run(subject.system(), subject.property, with(Search::BreadthFirst));
    const AutoRun proof = run_auto(subject, {.patient = true});
    ASSERT_EQ(proof.result.verdict, Verdict::Unreachable) << query;
    EXPECT_EQ(proof.result.search, "astar zdb") << query;
    EXPECT_NE(proof.result.search_reason.find("proved dead ends, of which it met 1."), std::string::npos)
        << proof.result.search_reason;
    EXPECT_LT(proof.result.statistics.stored, plain.statistics.stored / 2) << query;
    EXPECT_GE(proof.result.statistics.dead_ends, 1u) << query;
    ASSERT_FALSE(proof.built.empty()) << query;
    EXPECT_EQ(proof.built[0].heuristic, "zdb");
    EXPECT_TRUE(proof.built[0].proved);
  }
}

TEST(Auto, ProvesATimedModelByADatabase) {
  HARRIER_NEEDS_SHARED("speed");
  const auto text = [](const char* name) { return read_file(testing_support::shared_model(name)); };
  const Subject subject(text("speed/csma-10.xta"), text("speed/csma-10.q"));
  const Result result = run_auto(subject, {.patient = true}).result;
  EXPECT_EQ(result.verdict, Verdict::Unreachable);
  EXPECT_EQ(result.search, "astar zdb");
  EXPECT_LT(result.statistics.stored, 144'898u / 2) << "as many as breadth-first search stores";
}

TEST(Auto, ProvesAtOnceWhereTheInitialStateIsADeadEnd) {
  const Subject subject = exclusion("A[] not (A.busy && B.busy)");
  const Result result = run_auto(subject, {.only_databases = true}).result;
  EXPECT_EQ(result.verdict, Verdict::Unreachable);
  EXPECT_EQ(result.statistics.dead_ends, 1u);
  EXPECT_LT(result.statistics.expanded, 32u);
}

// P never gets to B, as a database of one process shows at once; but Q looks behind the end of an array.
TEST(Auto, NoDatabaseHidesARunTimeError) {
  const auto with_guard = [](const std::string& guard) {
    return Subject(
        "int[0,9] i; int[0,1] a[9]; bool never;\n"
        "process P() { state A, B; init A; trans A -> B { guard never == true && i == 3; }; }\n"
        "process Q() { state A; init A; trans A -> A { guard i < 9; assign i = i + 1; }, A -> A { guard " +
            guard + "; }; }\nsystem P, Q;\n",
        "E<> P.B");
  };
  const Subject subject = with_guard("a[i] == 1");
  ASSERT_TRUE(model::can_stop(subject.system()));
  // What stands to the left protects what stands to the right.
  EXPECT_FALSE(model::can_stop(with_guard("i < 9 && a[i] == 1").system()));
  EXPECT_TRUE(model::can_stop(with_guard("a[i] == 1 && i < 9").system()));
  EXPECT_FALSE(model::can_stop(with_guard("9 != i and a[i] == 1").system()));
  Config config;
  config.method = AutoSearch{.only_databases = true};
  EXPECT_EQ(run(subject.system(), subject.property, config).verdict, Verdict::Failed);
}

TEST(Auto, FindsAnErrorBesideDatabases) {
  const Subject subject = exclusion("A[] not (A.busy && B.busy)", true);
  const Result plain = run(subject.system(), subject.property, with(Search::BreadthFirst));
  ASSERT_EQ(plain.verdict, Verdict::Reachable);
  for (const bool only_databases : {false, true}) {
    const Result result = run_auto(subject, {.only_databases = only_databases}).result;
    ASSERT_EQ(result.verdict, Verdict::Reachable);
    EXPECT_EQ(subject.problem_with(*result.path), "");
    EXPECT_GE(result.path->steps.size(), plain.path->steps.size());
    EXPECT_TRUE(!result.shortest || result.path->steps.size() == plain.path->steps.size());
  }
}

TEST(Auto, DatabasesDoNotChangeVerdicts) {
  size_t built = 0;
  for (const families::Family& family : families::families()) {
    const Subject subject(family.generate(family.min_n + 1));
    const Result expected = run(subject.system(), subject.property, with(Search::BreadthFirst));
    const AutoRun found = run_auto(subject, {.only_databases = true});
    EXPECT_EQ(found.result.verdict, expected.verdict) << family.name;
    built += found.built.size();
    if (!found.result.path) continue;
    EXPECT_EQ(subject.problem_with(*found.result.path), "") << family.name;
    EXPECT_TRUE(!found.result.shortest || found.result.path->steps.size() == expected.path->steps.size())
        << family.name;
  }
  EXPECT_GT(built, 0u);
}

TEST(Auto, EasyErrorsNeedNoDatabase) {
  for (const auto& [name, n] : std::vector<std::pair<const char*, uint32_t>>{
           {"arbiter", 4}, {"hanoi", 4}, {"philosophers", 4}, {"fischer-b", 4}}) {
    EXPECT_TRUE(run_auto(Subject(name, n), {.first = true}).built.empty()) << name;
  }
}

// No database pays here, and a larger one follows each.
TEST(Auto, DropsADatabaseThatDoesNotPay) {
  const Subject subject("fischer", 7);
  const AutoRun proof = run_auto(subject, {});
  EXPECT_EQ(proof.result.verdict, Verdict::Unreachable);
  EXPECT_EQ(proof.result.search, "bfs");
  EXPECT_LE(proof.built.size(), 2u) << "one report of each kind";
}

// Once F is off there is no way back: the first pattern database knows, and prunes half of the states. Zone databases
// leave F out for a counter, as that is farther from the goal, and see no dead end. That the counters are never all at
// 9, none that is small can see.
TEST(Auto, KeepsADatabaseThatPrunesAndReplacesOneThatDoesNot) {
  const Subject subject(R"(
int[0,9] c[5];
process F() { state on, off; init on; trans on -> off { }; }
process C(const int[0,4] i) {
  state s; init s;
  trans s -> s { guard c[i] < 8; assign c[i] := c[i] + 1; },
        s -> s { guard c[i] == 8 && c[(i + 1) % 5] != 9; assign c[i] := 9; },
        s -> s { guard c[i] == 9; assign c[i] := 0; };
}
system F, C;
)",
                        "A[] not (F.on && c[0] == 9 && c[1] == 9 && c[2] == 9 && c[3] == 9 && c[4] == 9)");
  const AutoRun proof = run_auto(subject, {.only_databases = true});
  EXPECT_EQ(proof.result.verdict, Verdict::Unreachable);
  EXPECT_GT(proof.result.statistics.dead_ends, 1000u);
  ASSERT_EQ(proof.built.size(), 2u);
  EXPECT_EQ(proof.built[0].heuristic, "zdb");
  EXPECT_GT(proof.built[0].states, 500u) << "a larger one has followed";
  EXPECT_EQ(proof.built[1].heuristic, "pdb");
  EXPECT_LE(proof.built[1].states, 500u) << "the first one is not kept";
}

TEST(Auto, LimitsBindTheBuildingOfDatabases) {
  // The whole is too large for the watch, the budget or the polls that are left when databases are begun.
  const Subject subject("fischer", 8);
  const AutoRun small = run_auto(subject, {.only_databases = true}, 1 << 20);
  EXPECT_EQ(small.result.verdict, Verdict::Unknown);
  EXPECT_EQ(small.result.reason, "memory limit");
  EXPECT_LE(small.result.statistics.memory_bytes, uint64_t{1} << 20);
  const Watch late({.seconds = 0.02});
  const AutoRun short_run = run_auto(subject, {.only_databases = true}, {}, late);
  EXPECT_EQ(short_run.result.verdict, Verdict::Unknown);
  EXPECT_EQ(short_run.result.reason, "time limit");
  const Subject proof = exclusion("A[] not (A.busy && B.busy)");
  for (uint64_t polls = 0; polls < 1'000'000; polls += 1 + polls / 4) {
    const Watch watch({.polls = polls});
    const Result result = run_auto(proof, {.only_databases = true}, {}, watch).result;
    if (result.verdict == Verdict::Unreachable) break;
    ASSERT_EQ(result.verdict, Verdict::Unknown) << polls;
    ASSERT_NE(result.reason, "") << polls;
  }
}

// What a search looks distances up in counts like what it stores.
TEST(Auto, TheMemoryOfADatabaseCounts) {
  const Subject subject("fischer-b", 3);
  const step::Semantics semantics(subject.system(), subject.property);
  Config config;
  config.method = BestFirstSearch{.estimate = {.heuristic = "zdb"}, .cost_weight = 1};
  config.workshop = std::make_shared<abstraction::Workshop>();
  Budget budget;
  const auto task = make_task(semantics, config, budget);
  const std::vector<AbstractionReport> built = config.workshop->reports();
  ASSERT_EQ(built.size(), 1u);
  EXPECT_GT(built[0].bytes, 0u);
  EXPECT_GE(budget.used(), built[0].bytes);
  Budget none(built[0].bytes / 2);
  EXPECT_THROW(make_task(semantics, config, none), MemoryLimitReached);
  EXPECT_EQ(none.used(), 0u);
}

}  // namespace
}  // namespace harrier::search
