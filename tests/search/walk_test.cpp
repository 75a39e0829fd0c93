// Random walks without clocks: which steps they take and how often, where they end, and where they start again.

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "harrier/harrier.h"
#include "search/bias.h"
#include "support/frequency.h"
#include "support/options.h"
#include "support/subject.h"
#include "support/watch.h"

namespace harrier::search {
namespace {

using testing_support::expect_frequencies;
using testing_support::Followed;
using testing_support::PromelaSubject;
using testing_support::Subject;
using testing_support::Walk;
using testing_support::walk_options;
using testing_support::watch;
using Selection = WalkOptions::Selection;
using Restart = WalkOptions::Restart;
using Kind = WalkOptions::Bias;

constexpr uint64_t kTrials = 20'000;

TEST(Luby, First31) {
  const std::vector<uint64_t> expected = {1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 1,
                                          1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8, 16};
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(luby(i + 1), expected[i]) << i + 1;
  EXPECT_EQ(luby((uint64_t{1} << 40) - 1), uint64_t{1} << 39);
  EXPECT_EQ(luby(uint64_t{1} << 40), 1U);
}

std::optional<uint64_t> wanted(std::optional<double> delta, std::optional<double> epsilon,
                               std::optional<uint64_t> walks = {}) {
  RandomWalks options;
  options.delta = delta;
  options.epsilon = epsilon;
  options.walks = walks;
  return walks_wanted(options);
}

// ⌈ln δ / ln(1 − ε)⌉ (Grosu and Smolka 2005) with 50 decimal digits.
TEST(WalksWanted, IsTheNumberOfGrosuAndSmolka) {
  EXPECT_EQ(wanted(4e-5, 5e-3), 2021U);  // 2020.26; Bui (2009) rounds down to 2020
  EXPECT_EQ(wanted(0.1, 0.1), 22U);
  EXPECT_EQ(wanted(0.05, 0.01), 299U);
  EXPECT_EQ(wanted(1e-9, 1e-6), 20723256U);
  EXPECT_EQ(wanted(1e-3, 1e-12), 6907755278979U);
  EXPECT_EQ(wanted(0.99, 0.5), 1U);
  // Whole numbers.
  EXPECT_EQ(wanted(0.5, 0.5), 1U);
  EXPECT_EQ(wanted(0.25, 0.5), 2U);
  EXPECT_EQ(wanted(0.125, 0.5), 3U);
  EXPECT_EQ(wanted(0.01, 0.9), 2U);
  EXPECT_EQ(wanted(0.001, 0.9), 3U);
}

TEST(WalksWanted, WithoutProbabilities) {
  EXPECT_EQ(wanted({}, {}), std::nullopt);
  EXPECT_EQ(wanted({}, {}, 7), 7U);
  EXPECT_EQ(wanted(0.1, 0.1, 7), 7U);
  EXPECT_EQ(wanted(0.1, 0.1, 70), 22U);
}

TEST(WalksWanted, OnlyProbabilitiesMakeSense) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto& [delta, epsilon] :
       std::vector<std::pair<std::optional<double>, std::optional<double>>>{{0.1, {}},
                                                                            {{}, 0.1},
                                                                            {0.0, 0.1},
                                                                            {1.0, 0.1},
                                                                            {0.1, 0.0},
                                                                            {0.1, 1.0},
                                                                            {-0.1, 0.1},
                                                                            {2.0, 0.1},
                                                                            {nan, 0.1},
                                                                            {0.1, nan}}) {
    try {
      Config config;
      config.method = RandomWalks{.delta = delta, .epsilon = epsilon};
      check(config, {}, {});
      ADD_FAILURE() << delta.value_or(-1) << " " << epsilon.value_or(-1);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Usage);
    }
  }
}

// ---- Steps.

// The values of x after walks of so many steps, and how often they came out.
std::map<int32_t, uint64_t> outcomes(const model::System& system, const model::Property& property, CheckOptions options,
                                     uint64_t steps) {
  const size_t x = testing_support::variable(system, "x");
  options.walk.depth = steps;
  options.walk.walks = kTrials;
  std::map<int32_t, uint64_t> counts;
  std::map<std::vector<uint32_t>, int32_t> known;  // following is slow
  watch(system, property, options, [&](const Walk& walk) {
    std::vector<uint32_t> edges;
    for (const auto& step : walk.path.steps) {
      for (const auto e : step.edges) edges.push_back(e.value);
    }
    auto at = known.find(edges);
    if (at == known.end()) at = known.emplace(edges, Followed(system, walk.path).states.back()[x]).first;
    ++counts[at->second];
    return true;
  });
  return counts;
}

using Law = std::map<int32_t, double>;

void expect_law(const std::string& text, Selection selection, const Law& law) {
  SCOPED_TRACE(text);
  CheckOptions options = walk_options(3);
  options.walk.selection = selection;
  const Subject subject(text, "E<> x == 99");
  expect_frequencies(outcomes(subject.system(), subject.property, options, 1), law);
}

void expect_law_in_promela(const std::string& text, Selection selection, const Law& law, uint64_t steps = 1) {
  SCOPED_TRACE(text);
  CheckOptions options = walk_options(4);
  options.walk.selection = selection;
  promela::Options load;
  load.goals = {"x == 99"};
  const PromelaSubject subject(text, load);
  expect_frequencies(outcomes(subject.system(), subject.property(), options, steps), law);
}

TEST(Step, AProcessFirstOrAllTransitionsAlike) {
  const char* text = R"(int[0,99] x; int[0,1] n;
process A() { state s; init s; trans s -> s { assign x := 1; }, s -> s { assign x := 2; }, s -> s { assign x := 3; }; }
process B() { state s; init s; trans s -> s { assign x := 4; }; }
process C() { state s; init s; trans s -> s { guard x == 50; assign x := 5; }; }
process D() { state s; init s; trans s -> s { assign x := 6, n := n + 2; }; }
process E() { state s, t; init s; trans s -> t { assign x := 7; }; }
process F() { state s, t { x < 8 }; init s; trans s -> t { assign x := 8; }, s -> s { guard false; }; }
system A, B, C, D, E, F;
)";
  // C has no transition; those of D and F violate a range and an invariant.
  expect_law(text, Selection::One, {{1, 1.0 / 9}, {2, 1.0 / 9}, {3, 1.0 / 9}, {4, 1.0 / 3}, {7, 1.0 / 3}});
  expect_law(text, Selection::All, {{1, 0.2}, {2, 0.2}, {3, 0.2}, {4, 0.2}, {7, 0.2}});
}

TEST(Step, ASenderStartsASynchronisation) {
  const char* text = R"(int[0,99] x; chan a;
process S() { state s; init s; trans s -> s { sync a!; }; }
process R1() { state s; init s; trans s -> s { sync a?; assign x := 1; }; }
process R2() { state s; init s; trans s -> s { sync a?; assign x := 2; }, s -> s { sync a?; assign x := 3; }; }
process R3() { state s; init s; trans s -> s { guard x == 5; sync a?; assign x := 4; }; }
process T() { state s; init s; trans s -> s { assign x := 5; }; }
system S, R1, R2, R3, T;
)";
  expect_law(text, Selection::One, {{1, 1.0 / 6}, {2, 1.0 / 6}, {3, 1.0 / 6}, {5, 0.5}});
  expect_law(text, Selection::All, {{1, 0.25}, {2, 0.25}, {3, 0.25}, {5, 0.25}});
}

TEST(Step, ABroadcastTakesAllAlong) {
  const char* text = R"(int[0,99] x; broadcast chan a;
process S() { state s; init s; trans s -> s { sync a!; assign x := 10; }; }
process R1() { state s; init s; trans s -> s { sync a?; assign x := x + 1; }, s -> s { sync a?; assign x := x + 2; }; }
process R2() { state s; init s; trans s -> s { sync a?; assign x := x + 10; }; }
process R3() { state s; init s; trans s -> s { guard x == 5; sync a?; assign x := x + 50; }; }
process T() { state s; init s; trans s -> s { assign x := 5; }; }
system S, R1, R2, R3, T;
)";
  expect_law(text, Selection::One, {{21, 0.25}, {22, 0.25}, {5, 0.5}});
  expect_law(text, Selection::All, {{21, 1.0 / 3}, {22, 1.0 / 3}, {5, 1.0 / 3}});
}

TEST(Step, CommittedLocationsComeFirst) {
  const char* text = R"(int[0,99] x; chan a, b;
process C() { state s, t; commit s; init s; trans s -> t { assign x := 1; }, s -> t { sync a?; assign x := 2; }; }
process D() { state s; init s; trans s -> s { sync a!; }, s -> s { assign x := 3; }, s -> s { sync b!; assign x := 4; }; }
process E() { state s; init s; trans s -> s { sync b?; }; }
system C, D, E;
)";
  expect_law(text, Selection::One, {{1, 0.5}, {2, 0.5}});
  expect_law(text, Selection::All, {{1, 0.5}, {2, 0.5}});
}

TEST(Step, OnlyWhatHasTheHighestPriority) {
  const char* text = R"(int[0,99] x; chan low, high; chan priority low < default < high;
process S() { state s; init s; trans s -> s { sync low!; assign x := 1; }, s -> s { guard x == 50; sync high!; }; }
process R() { state s; init s; trans s -> s { sync low?; }, s -> s { sync high?; }; }
process T() { state s; init s; trans s -> s { assign x := 3; }, s -> s { assign x := 4; }; }
process U() { state s; init s; trans s -> s { assign x := 5; }; }
system S, R, T, U;
)";
  expect_law(text, Selection::All, {{3, 1.0 / 3}, {4, 1.0 / 3}, {5, 1.0 / 3}});
  expect_law(text, Selection::One, {{3, 0.25}, {4, 0.25}, {5, 0.5}});
}

TEST(Step, ABlockedTransitionHasNoPriority) {
  const char* text = R"(int[0,99] x; int[0,1] n;
process S() { state s; init s; trans s -> s { assign x := 1; }; }
process T() { state s; init s; trans s -> s { assign x := 2, n := 3; }; }
system S < T;
)";
  expect_law(text, Selection::One, {{1, 1}});
  expect_law(text, Selection::All, {{1, 1}});
}

TEST(Step, Promela) {
  const char* text = R"(byte x;
active proctype A() { if :: x = 1 :: x = 2 :: x = 3 fi }
active proctype B() { x = 4 }
active proctype C() { x == 50 -> x = 5 }
)";
  expect_law_in_promela(text, Selection::One, {{1, 1.0 / 6}, {2, 1.0 / 6}, {3, 1.0 / 6}, {4, 0.5}});
  expect_law_in_promela(text, Selection::All, {{1, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.25}});
}

TEST(Step, PromelaAtomicGoesOnAlone) {
  const char* text = R"(byte x;
active proctype A() { atomic { x = 1; if :: x = x + 10 :: x = x + 20 fi } }
active proctype B() { x = 2; x = 3 }
)";
  // B may go on after its step, A must: 12 and 22 come from B first.
  expect_law_in_promela(text, Selection::One, {{11, 0.25}, {21, 0.25}, {3, 0.25}, {1, 0.25}}, 2);
}

TEST(Step, PromelaElse) {
  const char* text = R"(byte x;
active proctype A() { do :: x == 5 -> x = 1 :: else -> x = 2 od }
)";
  expect_law_in_promela(text, Selection::One, {{2, 1}}, 2);
  expect_law_in_promela(text, Selection::All, {{2, 1}}, 2);
}

TEST(Step, PromelaRendezvous) {
  const char* text = R"(byte x; chan c = [0] of { byte };
active proctype S() { c!1 }
active proctype T() { c!2 }
active proctype R() { c?x }
active proctype Q() { c?3 }
)";
  expect_law_in_promela(text, Selection::One, {{1, 0.5}, {2, 0.5}});
  expect_law_in_promela(text, Selection::All, {{1, 0.5}, {2, 0.5}});
}

TEST(Step, PromelaTimeoutOnlyIfNothingElse) {
  const char* text = R"(byte x;
active proctype A() { if :: timeout -> x = 1 :: timeout -> x = 2 :: x == 50 fi }
active proctype B() { timeout -> x = 3 }
)";
  expect_law_in_promela(text, Selection::All, {{1, 1.0 / 3}, {2, 1.0 / 3}, {3, 1.0 / 3}}, 2);
  expect_law_in_promela(text, Selection::One, {{1, 0.25}, {2, 0.25}, {3, 0.5}}, 2);
  const char* busy = R"(byte x;
active proctype A() { if :: timeout -> x = 1 :: x = 2 fi }
active proctype B() { timeout -> x = 3 }
)";
  expect_law_in_promela(busy, Selection::One, {{2, 1}});
  expect_law_in_promela(busy, Selection::All, {{2, 1}});
}

// Every step is one that the concrete semantics permits.
TEST(Step, IsPermittedByTheModel) {
  const auto expect_permitted = [](const model::System& system, const model::Property& property) {
    for (const Selection selection : {Selection::One, Selection::All}) {
      for (const bool trails : {false, true}) {
        CheckOptions options = walk_options(5);
        options.walk.selection = selection;
        options.walk.trails = trails;
        options.walk.depth = 40;
        options.walk.walks = 4;
        watch(system, property, options, [&](const Walk& walk) {
          const Followed followed(system, walk.path);
          const bool cut = walk.path.steps.size() == 40;
          if (!walk.found && !cut) {
            EXPECT_TRUE(trails ? followed.all_successors_visited() : followed.successors.empty());
          }
          if (trails) {
            EXPECT_EQ(followed.first_revisit(), followed.states.size());
          }
          return true;
        });
      }
    }
  };
  const std::filesystem::path folder = std::filesystem::path(HARRIER_SOURCE_DIR) / "tests/promela/models";
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    SCOPED_TRACE(entry.path().filename());
    Diagnostics diagnostics;
    promela::Source source(read_file(entry.path()), entry.path(), {}, diagnostics);
    source.lower(diagnostics);
    if (diagnostics.has_errors()) continue;
    try {
      expect_permitted(*source.system(), source.properties().at(0));
      ++count;
    } catch (const model::EvalFailure&) {
      // The model fails, as some are to do.
    }
  }
  EXPECT_GT(count, 40U);
  for (const families::Family& family : families::families()) {
    SCOPED_TRACE(family.name);
    const Subject subject(family.name, family.min_n + 1);
    if (subject.system().clocks.size() == 1) expect_permitted(subject.system(), subject.property);
  }
}

// ---- Guidance. From s, the goal is 1, 2 and 3 steps away behind a, b and c; s itself is 2 steps away.

constexpr const char* kFork = R"(int[0,3] x;
process P() {
  state s, a, b, c, g;
  init s;
  trans s -> a { assign x := 1; }, s -> b { assign x := 2; }, s -> c { assign x := 3; },
        c -> b { }, b -> a { }, a -> g { };
}
system P;
)";

std::map<int32_t, uint64_t> guided_outcomes(Selection selection, Kind kind, double temperature = 1,
                                            bool reverse = false) {
  const Subject subject(kFork, "E<> P.g");
  CheckOptions options = walk_options(6);
  options.heuristic = "hL";
  options.walk.selection = selection;
  options.walk.bias = kind;
  options.walk.temperature = temperature;
  options.walk.reverse = reverse;
  return outcomes(subject.system(), subject.property, options, 1);
}

// The law of proposals in random order, each taken with its probability; by these weights if none is.
Law proposals(const std::vector<double>& accept, const std::vector<double>& weights) {
  Law law;
  double sum = 0;
  for (const double w : weights) sum += w;
  std::vector<int32_t> order = {0, 1, 2};
  do {
    double left = 1.0 / 6;
    for (const int32_t i : order) {
      law[i + 1] += left * accept[i];
      left *= 1 - accept[i];
    }
    for (const int32_t i : order) law[i + 1] += left * weights[i] / sum;
  } while (std::next_permutation(order.begin(), order.end()));
  return law;
}

TEST(Guided, AllByWeight) {
  const auto linear = guided_outcomes(Selection::All, Kind::Linear);
  expect_frequencies(linear, Law{{1, 3.0 / 6}, {2, 2.0 / 6}, {3, 1.0 / 6}});
  for (const double t : {0.5, 1.0, 4.0}) {
    const double sum = std::exp(-1 / t) + std::exp(-2 / t) + std::exp(-3 / t);
    expect_frequencies(guided_outcomes(Selection::All, Kind::Softmax, t),
                       Law{{1, std::exp(-1 / t) / sum}, {2, std::exp(-2 / t) / sum}, {3, std::exp(-3 / t) / sum}});
  }
  const double blind = 0.1 / 3;
  expect_frequencies(guided_outcomes(Selection::All, Kind::Greedy), Law{{1, 0.9 + blind}, {2, blind}, {3, blind}});
}

TEST(Guided, ReversedAllByWeight) {
  // Estimates 1, 2, 3 become 2, 1, 0.
  expect_frequencies(guided_outcomes(Selection::All, Kind::Linear, 1, true),
                     Law{{1, 2.0 / 9}, {2, 3.0 / 9}, {3, 4.0 / 9}});
  const double sum = std::exp(-2) + std::exp(-1) + 1;
  expect_frequencies(guided_outcomes(Selection::All, Kind::Softmax, 1, true),
                     Law{{1, std::exp(-2) / sum}, {2, std::exp(-1) / sum}, {3, 1 / sum}});
  const double blind = 0.1 / 3;
  expect_frequencies(guided_outcomes(Selection::All, Kind::Greedy, 1, true),
                     Law{{1, blind}, {2, blind}, {3, 0.9 + blind}});
}

TEST(Guided, OneByOne) {
  for (const double t : {0.5, 1.0, 4.0}) {
    const double farther = std::exp(-1 / t);
    expect_frequencies(guided_outcomes(Selection::One, Kind::Softmax, t), proposals({1, 1, farther}, {1, 0, 0}));
  }
  expect_frequencies(guided_outcomes(Selection::One, Kind::Greedy), proposals({1, 0.1, 0.1}, {1, 0, 0}));
  // What was passed over is not proposed again.
  expect_frequencies(guided_outcomes(Selection::One, Kind::Linear), proposals({0.75, 0.5, 0.25}, {3, 2, 1}));
}

// By the process that moves: a, b and c are 1, 2 and 3 away from the local goal, and the farthest has no weight.
TEST(Guided, BySteps) {
  const Subject subject(kFork, "E<> P.g");
  for (const Selection selection : {Selection::One, Selection::All}) {
    CheckOptions options = walk_options(6);
    options.heuristic = "h0";
    options.walk.selection = selection;
    options.walk.bias = Kind::Steps;
    expect_frequencies(outcomes(subject.system(), subject.property, options, 1), Law{{1, 2.0 / 3}, {2, 1.0 / 3}});
    options.walk.reverse = true;
    expect_frequencies(outcomes(subject.system(), subject.property, options, 1),
                       Law{{1, 1.0 / 6}, {2, 2.0 / 6}, {3, 3.0 / 6}});
  }
}

TEST(Guided, StepsWithoutWeightAreNotTaken) {
  const Subject subject("process P() { state s, g; init s; trans s -> s { }, s -> g { }; } system P;", "E<> P.g");
  CheckOptions options = walk_options(6);
  options.heuristic = "h0";
  options.walk.bias = Kind::Steps;
  options.walk.reverse = true;  // s -> g has no weight, s -> s has
  options.walk.depth = 20;
  options.walk.walks = 3;
  EXPECT_EQ(run(subject.system(), subject.property, options).verdict, Verdict::Unknown);
}

// Where all steps are as bad, any will do.
TEST(Guided, ByStepsThatTellNothing) {
  const std::vector<double> nothing(3, 0.0);
  Rng rng(9);
  std::map<int32_t, uint64_t> counts;
  for (int i = 0; i < 30'000; ++i) ++counts[static_cast<int32_t>(Bias::draw(nothing, rng))];
  expect_frequencies(counts, Law{{0, 1.0 / 3}, {1, 1.0 / 3}, {2, 1.0 / 3}});
}

// From s, t leads nowhere, and hL knows it.
constexpr const char* kTrap = R"(int[0,3] x;
process P() {
  state s, t, a, g;
  init s;
  trans s -> t { assign x := 3; }, s -> a { assign x := 1; }, s -> s { assign x := 2; }, t -> t { }, a -> g { guard x < 3; };
}
system P;
)";

TEST(Guided, ProvedDeadEndsAreNeverEntered) {
  const Subject subject(kTrap, "E<> P.g");
  for (const Selection selection : {Selection::One, Selection::All}) {
    for (const Kind kind : {Kind::Linear, Kind::Softmax, Kind::Greedy}) {
      for (const bool reverse : {false, true}) {
        SCOPED_TRACE(static_cast<int>(kind));
        CheckOptions options = walk_options(7);
        options.heuristic = "hL";
        options.walk.selection = selection;
        options.walk.bias = kind;
        options.walk.reverse = reverse;
        options.walk.temperature = 1e9;
        const auto counts = outcomes(subject.system(), subject.property, options, 1);
        EXPECT_FALSE(counts.contains(3));
        EXPECT_GT(counts.at(1), 0U);
        EXPECT_GT(counts.at(2), 0U);
      }
    }
  }
}

// A dead end that was seen does not count as the largest estimate.
TEST(Guided, DeadEndsDoNotBlurTheOthers) {
  const Subject subject(kTrap, "E<> P.g");
  CheckOptions options = walk_options(8);
  options.heuristic = "hL";
  options.walk.selection = Selection::All;
  options.walk.bias = Kind::Linear;
  // Estimates: 1 behind a, 2 behind s.
  expect_frequencies(outcomes(subject.system(), subject.property, options, 1), Law{{1, 2.0 / 3}, {2, 1.0 / 3}});
}

// ---- Ends.

// Counts up to n, and stays there.
std::string line(int n) {
  return "int[0," + std::to_string(n) + "] x; process P() { state s; init s; trans s -> s { guard x < " +
         std::to_string(n) + "; assign x := x + 1; }; } system P;";
}

TEST(End, DepthBoundsAWalk) {
  const Subject subject("int[0,3] x; process P() { state s; init s; trans s -> s { assign x := 1 - x; }; } system P;",
                        "E<> x == 3");
  for (const uint64_t depth : {1, 2, 17}) {
    CheckOptions options = walk_options();
    options.walk.depth = depth;
    options.walk.walks = 5;
    const Result result = run(subject.system(), subject.property, options);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.statistics.walks, 5U);
    EXPECT_EQ(result.statistics.steps, 5 * depth);
  }
}

TEST(End, AGoalAtTheDepthIsFound) {
  for (const char* query : {"E<> x == 7", "E<> deadlock", "E<> x == 7 && deadlock"}) {
    const Subject subject(line(7), query);
    for (const uint64_t depth : {6, 7, 8}) {
      CheckOptions options = walk_options();
      options.walk.depth = depth;
      options.walk.walks = 1;
      const Result result = run(subject.system(), subject.property, options);
      EXPECT_EQ(result.verdict, depth < 7 ? Verdict::Unknown : Verdict::Reachable) << query << " " << depth;
      if (result.path) {
        EXPECT_EQ(subject.problem_with(*result.path), "");
      }
    }
  }
}

TEST(End, WithoutABoundLubysSequenceGoverns) {
  const Subject far(line(30'000), "E<> x == 30000");
  CheckOptions options = walk_options();
  options.walk.walks = 1;
  EXPECT_EQ(run(far.system(), far.property, options).statistics.steps, 10'000U);
  options.walk.depth = 0;
  const Result found = run(far.system(), far.property, options);
  EXPECT_EQ(found.verdict, Verdict::Reachable);
  EXPECT_EQ(found.statistics.walk_length, 30'000U);
  // Two steps back and forth, and a goal that a guide cannot get nearer to: 1 + 1 + 2 + 1 + 1 + 2 + 4 units.
  const Subject idle(
      "int[0,1] x; int[0,2] y; process P() { state s; init s; trans s -> s { assign x := 1 - x; }; } "
      "process Q() { state q, g; init q; trans q -> g { guard y == 1; }, q -> q { guard x == 2; assign y := 1; }; }"
      " system P, Q;",
      "E<> Q.g");
  options = walk_options();
  options.walk.walks = 7;
  EXPECT_EQ(run(idle.system(), idle.property, options).statistics.steps, 120'000U);
  options.heuristic = "dU";
  EXPECT_EQ(run(idle.system(), idle.property, options).statistics.steps, 12'000U);
  options.walk.restart = Restart::Best;
  EXPECT_EQ(run(idle.system(), idle.property, options).statistics.steps, 480U);
}

TEST(End, AGuidedWalkGoesOnWhileItGetsNearer) {
  const Subject far(line(30'000), "E<> x == 30000");
  CheckOptions options = walk_options();
  options.walk.walks = 1;
  options.heuristic = "dU";  // knows nothing of x
  EXPECT_EQ(run(far.system(), far.property, options).verdict, Verdict::Unknown);
  std::string text = "process P() { state s0";
  for (int i = 1; i <= 3000; ++i) text += ", s" + std::to_string(i);
  text += "; init s0; trans s0 -> s1 { }";
  for (int i = 1; i < 3000; ++i) text += ", s" + std::to_string(i) + " -> s" + std::to_string(i + 1) + " { }";
  const Subject chain(text + "; } system P;", "E<> P.s3000");
  EXPECT_EQ(run(chain.system(), chain.property, options).verdict, Verdict::Reachable);
}

constexpr const char* kRing = R"(int[0,9] x; int[0,9] y;
process P() { state s; init s; trans s -> s { assign x := (x + 1) % 5; }, s -> s { assign x := (x + 4) % 5; }; }
process Q() { state s; init s; trans s -> s { guard y < 3; assign y := y + 1; }, s -> s { guard y > 0; assign y := 0; }; }
system P, Q;
)";

TEST(End, AtTheFirstLoop) {
  const Subject subject(kRing, "E<> x == 9");
  CheckOptions options = walk_options();
  options.walk.end_at_loop = true;
  options.walk.walks = 200;
  uint64_t walks = 0;
  watch(subject.system(), subject.property, options, [&](const Walk& walk) {
    ++walks;
    const Followed followed(subject.system(), walk.path);
    EXPECT_EQ(followed.first_revisit(), followed.states.size() - 1);
    return true;
  });
  EXPECT_EQ(walks, 200U);
}

TEST(End, AtTheFirstLoopOrLeaf) {
  const Subject subject(line(5), "E<> false");
  CheckOptions options = walk_options();
  options.walk.end_at_loop = true;
  options.walk.walks = 3;
  EXPECT_EQ(run(subject.system(), subject.property, options).statistics.steps, 15U);
}

TEST(End, OfTrailsWhenAllSuccessorsWereVisited) {
  const Subject subject(kRing, "E<> x == 9");
  for (const Selection selection : {Selection::One, Selection::All}) {
    for (const char* heuristic : {"", "dU"}) {
      CheckOptions options = walk_options();
      options.heuristic = heuristic;
      options.walk.selection = selection;
      options.walk.trails = true;
      options.walk.walks = 200;
      uint64_t walks = 0;
      watch(subject.system(), subject.property, options, [&](const Walk& walk) {
        ++walks;
        const Followed followed(subject.system(), walk.path);
        EXPECT_EQ(followed.first_revisit(), followed.states.size());
        EXPECT_TRUE(followed.all_successors_visited());
        return true;
      });
      EXPECT_EQ(walks, 200U);
    }
  }
}

TEST(End, BySaturation) {
  const Subject subject(kRing, "E<> x == 9");
  CheckOptions options = walk_options();
  options.walk.saturation = 0.01;
  const Result result = run(subject.system(), subject.property, options);
  EXPECT_EQ(result.verdict, Verdict::Unknown);
  EXPECT_GE(result.statistics.steps, 100'000U);
  EXPECT_LE(result.statistics.steps, 200'000U);
}

// ---- Starts.

TEST(Start, PreviousIsOnTheWalkBefore) {
  const Subject subject(kRing, "E<> x == 9");
  CheckOptions options = walk_options();
  options.walk.restart = Restart::Previous;
  options.walk.depth = 20;
  options.walk.walks = 2000;
  Walk before;
  std::map<uint64_t, uint64_t> offsets;
  watch(subject.system(), subject.property, options, [&](const Walk& walk) {
    EXPECT_EQ(walk.path.steps.size(), walk.start + 20);
    EXPECT_LE(walk.start, 20U);  // no farther than a walk may go
    if (walk.start != 0) {
      EXPECT_GE(walk.start, before.start);
    }
    for (size_t i = 0; i < walk.start; ++i) {
      EXPECT_EQ(walk.path.steps[i].edges, before.path.steps[i].edges);
    }
    if (before.start == 0 && !before.path.steps.empty()) ++offsets[walk.start];
    before = walk;
    return true;
  });
  // From a walk that started at the initial state, all of its states are equally likely.
  std::map<uint64_t, double> uniform;
  for (uint64_t i = 0; i <= 20; ++i) uniform[i] = 1.0 / 21;
  expect_frequencies(offsets, uniform);
}

// Nothing but the way into the middle brings P nearer.
constexpr const char* kPlain = R"(int[0,1] x; int[0,1] y;
process P() { state s, m, g; init s; trans s -> m { }, m -> m { assign x := 1 - x; }, m -> g { guard y == 1; }; }
process Q() { state q; init q; trans q -> q { guard x == 2; assign y := 1; }; }
system P, Q;
)";

TEST(Start, TenWalksFromTheBestStateThenTheInitialOne) {
  const Subject subject(kPlain, "E<> P.g");
  CheckOptions options = walk_options();
  options.heuristic = "dU";
  options.walk.restart = Restart::Best;
  options.walk.walks = 34;
  std::vector<uint64_t> starts;
  watch(subject.system(), subject.property, options, [&](const Walk& walk) {
    starts.push_back(walk.start);
    return true;
  });
  std::vector<uint64_t> expected;
  for (uint64_t i = 0; i < 34; ++i) expected.push_back(i % 11 == 0 ? 0 : 1);
  EXPECT_EQ(starts, expected);
}

TEST(Start, WitnessesFromAnywhereStartAtTheInitialState) {
  for (const char* family : {"hanoi", "philosophers", "arbiter"}) {
    const Subject subject(family, 3);
    for (const Restart restart : {Restart::Initial, Restart::Previous, Restart::Best}) {
      for (const bool trails : {false, true}) {
        for (uint64_t seed = 1; seed <= 5; ++seed) {
          CheckOptions options = walk_options(seed);
          options.heuristic = "hU";
          options.walk.restart = restart;
          options.walk.trails = trails;
          const Result first = run(subject.system(), subject.property, options);
          ASSERT_EQ(first.verdict, Verdict::Reachable);
          EXPECT_EQ(subject.problem_with(*first.path), "");
          EXPECT_EQ(first.statistics.walk_length, first.path->steps.size());
          EXPECT_FALSE(first.shortest);
          const Result again = run(subject.system(), subject.property, options);
          ASSERT_EQ(again.path->steps.size(), first.path->steps.size());
          for (size_t i = 0; i < first.path->steps.size(); ++i) {
            EXPECT_EQ(again.path->steps[i].edges, first.path->steps[i].edges);
          }
          EXPECT_EQ(again.statistics.steps, first.statistics.steps);
        }
      }
    }
  }
}

TEST(Start, BestNeedsAHeuristic) {
  const Subject subject(kRing, "E<> x == 9");
  CheckOptions options = walk_options();
  options.walk.restart = Restart::Best;
  EXPECT_THROW(run(subject.system(), subject.property, options), Error);
}

TEST(Start, AModelWithoutInitialStateEnds) {
  const Subject subject("int[0,1] x; process P() { state s { x == 1 }; init s; trans s -> s { }; } system P;",
                        "E<> x == 1");
  const Result result = run(subject.system(), subject.property, walk_options());
  EXPECT_EQ(result.verdict, Verdict::Unreachable);
  EXPECT_EQ(result.statistics.steps, 0U);
}

TEST(Start, AModelThatCannotLeaveItsInitialStateEnds) {
  for (const char* clocks : {"", "clock x;"}) {
    const std::string model =
        std::string(clocks) + " bool b; process P() { state s, t; init s; trans s -> t { guard b; }; } system P;";
    const Subject subject(model, "E<> P.t");
    const Result result = run(subject.system(), subject.property, walk_options());
    EXPECT_EQ(result.verdict, Verdict::Unreachable) << clocks;
    const Subject stuck(model, "E<> deadlock");
    EXPECT_EQ(run(stuck.system(), stuck.property, walk_options()).verdict, Verdict::Reachable) << clocks;
  }
}

// ---- What is not for walks.

TEST(Walks, NeverProve) {
  const Subject subject(line(3), "E<> x == 9");
  CheckOptions options = walk_options();
  options.walk.walks = 10;
  for (const char* heuristic : {"", "hU", "hL"}) {
    options.heuristic = heuristic;
    const Result result = run(subject.system(), subject.property, options);
    EXPECT_EQ(result.verdict, Verdict::Unknown);
    EXPECT_EQ(result.reason, "no error in 10 walks");
    EXPECT_EQ(result.statistics.walks, 10U);
  }
}

TEST(Walks, RefuseWhatHasNoMeaning) {
  const Subject subject(line(3), "E<> x == 3");
  const auto refused = [&](auto&& change) {
    CheckOptions options = walk_options();
    options.heuristic = "hU";
    change(options);
    try {
      run(subject.system(), subject.property, options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Usage;
    }
    return false;
  };
  EXPECT_TRUE(refused([](CheckOptions& o) { o.prefer = {"useless"}; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.prefer = {"contexts"}; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.prefer = {"preferred"}; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.depth_limit = 5; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.reduction = true; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.walk.threads = 0; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.walk.delta = 0.1; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.walk.temperature = 0; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.walk.saturation = -1; }));
  EXPECT_TRUE(refused([](CheckOptions& o) { o.heuristic = "nonsense"; }));
  EXPECT_FALSE(refused([](CheckOptions&) {}));
}

}  // namespace
}  // namespace harrier::search
