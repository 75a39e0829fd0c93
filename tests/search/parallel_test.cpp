// Breadth-first search by several threads: the verdict, the witness and the counts of the search by one, and a good end
// whatever ends it.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "base/error.h"
#include "random/threads.h"
#include "search/crew.h"
#include "search/parallel_search.h"
#include "support/options.h"
#include "support/subject.h"
#include "support/watch.h"

namespace harrier::search {
namespace {

using testing_support::compare_threads;
using testing_support::PromelaSubject;
using testing_support::Subject;

Config by(uint32_t threads, std::optional<uint64_t> threads_from = 0) {
  Config config;
  config.method = BreadthFirstSearch{.prefer = {}, .threads = threads, .threads_from = threads_from};
  return config;
}

// Counters, each up to `most`: layers of many thousand states.
std::string counters(int count, int most) {
  return "process P() { int[0," + std::to_string(most) + "] x; state s; init s; trans s -> s { guard x < " +
         std::to_string(most) + "; assign x := x + 1; }; }\n" + [&] {
           std::string text;
           std::string names;
           for (int i = 0; i < count; ++i) {
             text += "P" + std::to_string(i) + " = P();\n";
             names += (i == 0 ? "" : ", ") + ("P" + std::to_string(i));
           }
           return text + "system " + names + ";\n";
         }();
}

TEST(Crew, AllTakePartInEveryTurn) {
  Crew crew(4);
  std::vector<uint64_t> turns(4, 0);
  for (int i = 0; i < 1000; ++i) crew.each(4, [&](uint32_t who) { ++turns[who]; });
  EXPECT_EQ(turns, std::vector<uint64_t>(4, 1000));
  const std::thread::id caller = std::this_thread::get_id();
  crew.each(1, [&](uint32_t who) {
    EXPECT_EQ(who, 0U);
    EXPECT_EQ(std::this_thread::get_id(), caller);
  });
}

TEST(Crew, WhatIsThrownArrivesWhenAllAreDone) {
  Crew crew(3);
  for (uint32_t thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> done = 0;
    const auto work = [&](uint32_t who) {
      if (who == thrower) throw std::runtime_error("it");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      ++done;
    };
    EXPECT_THROW(crew.each(3, work), std::runtime_error);
    EXPECT_EQ(done, 2);
  }
  int calls = 0;
  EXPECT_THROW(crew.each(1,
                         [&](uint32_t) {
                           ++calls;
                           throw std::runtime_error("it");
                         }),
               std::runtime_error);
  EXPECT_EQ(calls, 1);
  crew.each(3, [](uint32_t) {});  // as if nothing had happened
}

TEST(Parallel, TimedFamilies) {
  for (const auto& [family, n] : std::vector<std::pair<const char*, uint32_t>>{{"fischer", 7},
                                                                               {"fischer-a", 4},
                                                                               {"fischer-b", 5},
                                                                               {"fischer-c", 5},
                                                                               {"csma", 6},
                                                                               {"train-gate", 4},
                                                                               {"arbiter", 2},
                                                                               {"hanoi", 5},
                                                                               {"philosophers", 5},
                                                                               {"dining", 7}}) {
    const Subject subject(family, n);
    EXPECT_EQ(compare_threads(subject.system(), subject.property), std::nullopt) << family;
  }
}

TEST(Parallel, LayersOfManyBlocks) {
  const std::string model = counters(4, 22);
  for (const char* query : {"E<> P0.x + P1.x + P2.x + P3.x > 88", "E<> P0.x == 22 && P1.x == 20 && P2.x * P3.x == 21",
                            "A[] not deadlock", "E<> P0.x == 15 && 3 / (P1.x + P2.x + P3.x - 40) == 3"}) {
    const Subject subject(model, query);
    EXPECT_EQ(compare_threads(subject.system(), subject.property), std::nullopt) << query;
  }
}

TEST(Parallel, ClocksInTheGoalAndSeveralZones) {
  constexpr const char* kModel = R"(
    clock x, y; int[0,6] n; broadcast chan go;
    process P() { state a { x <= 5 }, b; init a;
      trans a -> a { guard x >= 1 && n < 6; sync go!; assign x := 0, n := n + 1; }, a -> b { guard y > 7; }; }
    process Q(int[1,2] id) { clock z; state c, d; init c;
      trans c -> d { guard z > id; sync go?; assign z := 0; }, d -> c { guard z >= 2 && x < z; }; }
    system P < Q;
  )";
  for (const char* query :
       {"E<> P.b and x - y < -9", "A[] not deadlock", "E<> deadlock and n == 6", "E<> n == 6 and y < 6", "A[] n < 9"}) {
    const Subject subject(kModel, query);
    EXPECT_EQ(compare_threads(subject.system(), subject.property), std::nullopt) << query;
  }
}

TEST(Parallel, ProgramsWithAtomicSequencesClaimsAndFailures) {
  const std::vector<std::string> programs = {
      "byte x; active [3] proctype P() { do :: atomic { x < 40 -> x++; x = x + 2; x-- } :: x > 30 -> break od }",
      "byte x; active [2] proctype P() { byte i; do :: x < 50 -> x++; i++ :: i > 3 -> assert(x < 45); i = 0 od }",
      "int a[4]; byte i; active [2] proctype P() { do :: i < 9 -> i++ :: a[i] = 1 od }",
      R"(chan c = [3] of { byte }; active proctype S() { byte i; do :: c!i; i = (i + 1) % 50 od }
         active [2] proctype R() { byte v; do :: c?v :: timeout -> break od })",
      R"(byte x; active [2] proctype P() { do :: x = (x + 1) % 90 :: x == 70 -> goto end od; end: skip }
         never { do :: x < 80 :: x == 80 -> break od })"};
  for (const std::string& program : programs) {
    const PromelaSubject subject(program);
    EXPECT_EQ(compare_threads(subject.system(), subject.property()), std::nullopt) << program;
  }
}

TEST(Parallel, NoInitialStateAndNoStep) {
  for (const char* model : {"process P() { int[0,3] x := 2; state s { x < 2 }; init s; } system P;",
                            "process P() { state s; init s; } system P;"}) {
    for (const char* query : {"E<> P.s", "E<> not P.s", "E<> 1 / (1 - 1) == 1"}) {
      const Subject subject(model, query);
      EXPECT_EQ(compare_threads(subject.system(), subject.property), std::nullopt) << model << query;
    }
  }
}

TEST(Parallel, ViolationsAreThoseOfOneThread) {
  std::string model = "int[0,7] x; int[0,3] y;\nprocess P() { state s; init s; trans ";
  for (int i = 0; i < 30; ++i) {
    model += std::string(i == 0 ? "" : ", ") + "s -> s { guard x >= " + std::to_string(i % 8) + "; assign x := x + " +
             std::to_string(1 + i % 5) + ", y := (y + 1) % 4; }";
  }
  model += "; }\nQ = P(); R = P();\nsystem Q, R;\n";
  const Subject subject(model, "E<> x == 7 && y == 5");
  EXPECT_EQ(run(subject.system(), subject.property, by(1)).warnings.size(), step::Machine::kMostViolations);
  EXPECT_EQ(compare_threads(subject.system(), subject.property), std::nullopt);
}

TEST(Parallel, DepthLimits) {
  const Subject subject("fischer-a", 3);
  for (uint64_t depth = 0; depth < 12; ++depth) {
    EXPECT_EQ(compare_threads(subject.system(), subject.property, depth), std::nullopt) << depth;
  }
  const Subject discrete(counters(2, 3), "E<> P0.x == 3 && P1.x == 3");
  for (uint64_t depth = 0; depth < 9; ++depth) {
    EXPECT_EQ(compare_threads(discrete.system(), discrete.property, depth), std::nullopt) << depth;
  }
}

TEST(Parallel, SmallLayersAreForOne) {
  const Subject subject("fischer", 6);
  const Result one = run(subject.system(), subject.property, by(1));
  for (const std::optional<uint64_t> from : {std::optional<uint64_t>(), std::optional<uint64_t>(100)}) {
    const Result many = run(subject.system(), subject.property, by(4, from));
    EXPECT_EQ(testing_support::difference(one, many, true), std::nullopt);
  }
}

TEST(Parallel, MemoryLimit) {
  for (const Subject& subject : {Subject(counters(5, 20), "E<> P0.x > 20"), Subject("fischer", 10)}) {
    Config config = by(2);
    config.symmetry = false;
    config.memory_limit_bytes = 3'000'000;
    const Result result = run(subject.system(), subject.property, config);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "memory limit");
    EXPECT_GT(result.statistics.stored, 1000U);
    EXPECT_LE(result.statistics.memory_bytes, 3'000'000U);
  }
}

TEST(Parallel, TimeLimitAndRequestsToStop) {
  for (const Subject& subject : {Subject(counters(6, 40), "E<> P0.x > 40"), Subject("fischer", 14)}) {
    const Watch short_watch({.seconds = 0.1});
    Config config = by(3);
    config.symmetry = false;
    config.watch = &short_watch;
    Result result = run(subject.system(), subject.property, config);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "time limit");

    std::atomic<bool> stop = false;
    const Watch watch({.stop = &stop});
    config.watch = &watch;
    const std::jthread other([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      stop = true;
    });
    result = run(subject.system(), subject.property, config);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "interrupted");
  }
}

TEST(Parallel, EndsInGoodOrderAtEveryPoll) {
  for (const Subject& subject : {Subject(counters(2, 4), "E<> P0.x + P1.x == 7"), Subject("fischer-b", 2)}) {
    const Result whole = run(subject.system(), subject.property, by(2));
    ASSERT_EQ(whole.verdict, Verdict::Reachable);
    uint64_t polls = 0;
    for (;; ++polls) {
      const Watch watch({.polls = polls});
      Config config = by(2);
      config.watch = &watch;
      const Result result = run(subject.system(), subject.property, config);
      if (result.verdict == Verdict::Reachable) break;
      ASSERT_EQ(result.verdict, Verdict::Unknown);
      ASSERT_NE(result.reason, "");
    }
    EXPECT_GT(polls, 3U);
  }
}

TEST(Parallel, WhatItCannotDoIsRefused) {
  const Subject subject(counters(2, 4), "E<> P0.x == 4");
  const auto refusal = [&](const Config& config) -> std::string {
    try {
      run(subject.system(), subject.property, config);
    } catch (const Error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_NE(refusal(by(0)), "");
  EXPECT_NE(refusal(by(1000)), "");
  EXPECT_EQ(refusal(by(256)), "");
  Config config = by(2);
  config.reduction = true;
  EXPECT_EQ(refusal(config), "");
  config.depth_limit = 3;
  EXPECT_NE(refusal(config), "");
  config.method = BreadthFirstSearch{.prefer = {}, .threads = std::nullopt, .threads_from = {}};
  EXPECT_EQ(refusal(config), "");
  config = by(2);
  std::get<BreadthFirstSearch>(config.method).prefer.names = {"contexts"};
  EXPECT_NE(refusal(config), "");
}

}  // namespace
}  // namespace harrier::search
