// Following given transitions: to the right states, and no others.
#include "step/replay.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "random/rng.h"
#include "support/options.h"
#include "support/subject.h"
#include "support/system_builder.h"
#include "support/watch.h"
#include "trace/concrete.h"
#include "trace/trace.h"

namespace harrier::step {
namespace {

using model::EdgeId;
using testing_support::PromelaSubject;
using testing_support::Rng;
using testing_support::Subject;
using testing_support::SystemBuilder;

std::vector<uint32_t> numbers(const std::vector<EdgeId>& edges) {
  std::vector<uint32_t> out;
  for (const EdgeId e : edges) out.push_back(e.value);
  return out;
}

bool same(const Replay::Position& a, const Replay::Position& b) { return a.values == b.values && a.zone == b.zone; }

// A model with its replay.
struct Following {
  Following(const model::System& model, const model::Property& property)
      : system(model), semantics(model, property), replay(semantics, Watch::none()) {}

  // Whether it can be made; if not, nothing changes.
  bool step(const std::vector<EdgeId>& edges) {
    const Replay::Position before = replay.position();
    const bool made = replay.step(numbers(edges));
    EXPECT_TRUE(made || same(replay.position(), before));
    return made;
  }
  bool step(uint32_t edge) { return step(std::vector{EdgeId(edge)}); }
  // Asking changes nothing.
  std::optional<size_t> goal() {
    const Replay::Position before = replay.position();
    const auto clause = replay.goal_clause();
    EXPECT_TRUE(same(replay.position(), before));
    return clause;
  }
  int32_t operator[](const std::string& variable) const {
    return replay.position().values[testing_support::variable(system, variable)];
  }
  // The bound on the difference of two clocks.
  Bound bound(uint32_t left, uint32_t right) const {
    return replay.position().zone[left * system.clocks.size() + right];
  }

  const model::System& system;
  Semantics semantics;
  Replay replay;
};

struct Example {
  explicit Example(const std::string& text, const std::string& query = "E<> false")
      : subject(text, query), follow(subject.system(), subject.property) {}
  Subject subject;
  Following follow;
};

// ---- paths of searches ----

// Whether exact clock values, in units of 1/denominator, lie in a zone.
bool contains(const std::vector<Bound>& zone, const std::vector<int64_t>& clocks, int64_t denominator) {
  const size_t dim = clocks.size();
  for (size_t i = 0; i < dim; ++i) {
    for (size_t j = 0; j < dim; ++j) {
      const Bound b = zone[i * dim + j];
      const int64_t constant = int64_t{bound_constant(b)} * denominator;
      const int64_t difference = clocks[i] - clocks[j];
      if (b != kInfinity && (bound_is_strict(b) ? difference >= constant : difference > constant)) return false;
    }
  }
  return true;
}

TEST(Replay, FollowsThePathsOfSearches) {
  size_t timed = 0;
  size_t untimed = 0;
  for (const families::Family& family : families::families()) {
    const Subject subject(family.generate(std::max(family.min_n, 2u)));
    const model::System& system = subject.system();
    if (!Replay::supports(system, subject.property.goal)) continue;
    for (const Search order : {Search::BreadthFirst, Search::RandomDepthFirst}) {
      CheckOptions options;
      options.search = order;
      const search::Result result = search::run(system, subject.property, options);
      if (!result.path) continue;
      SCOPED_TRACE(family.name);
      ++(system.clocks.size() > 1 ? timed : untimed);
      const trace::Trace trace = trace::build_trace(system, subject.property, *result.path);
      ASSERT_EQ(trace.steps.size(), result.path->steps.size());
      Following follow(system, subject.property);
      ASSERT_TRUE(follow.replay.start());
      for (size_t i = 0; i < trace.steps.size(); ++i) {
        ASSERT_TRUE(follow.step(result.path->steps[i].edges)) << "step " << i;
        const Replay::Position here = follow.replay.position();
        EXPECT_EQ(here.values, trace.steps[i].state.values);
        if (system.clocks.size() > 1) {
          EXPECT_TRUE(contains(here.zone, trace.steps[i].state.clocks, trace.denominator)) << "after step " << i;
        }
      }
      EXPECT_EQ(follow.goal(), result.path->goal_clause);
    }
  }
  EXPECT_GT(timed, 3u);
  EXPECT_GT(untimed, 3u);
}

// ---- models without clocks, against the concrete semantics ----

// Walks at random; at every state, whatever is tried leads where the concrete semantics says, or nowhere.
void expect_the_concrete_semantics(const model::System& system, const model::Property& property, uint64_t seed) {
  Following follow(system, property);
  trace::ConcreteSemantics semantics(system);
  std::set<std::vector<EdgeId>> candidates;
  for (uint32_t i = 0; i < system.edges.size(); ++i) {
    candidates.insert({EdgeId(i)});
    for (uint32_t j = 0; j < system.edges.size(); ++j) candidates.insert({EdgeId(i), EdgeId(j)});
  }
  Rng rng(seed);
  auto state = semantics.initial();
  ASSERT_TRUE(follow.replay.start());
  size_t made = 0;
  for (int steps = 0; steps < 25; ++steps) {
    ASSERT_EQ(follow.replay.position().values, state.values);
    const auto moves = semantics.enabled(state);
    for (const auto& move : moves) {
      candidates.insert(move.edges);
      candidates.insert({move.edges.rbegin(), move.edges.rend()});
    }
    const Replay::Position here = follow.replay.position();
    for (const auto& edges : candidates) {
      const auto move = std::find_if(moves.begin(), moves.end(), [&](const auto& m) { return m.edges == edges; });
      ASSERT_EQ(follow.step(edges), move != moves.end()) << ::testing::PrintToString(numbers(edges));
      if (move == moves.end()) continue;
      ++made;
      EXPECT_EQ(follow.replay.position().values, move->target.values);
      follow.replay.set_position(here);
      EXPECT_TRUE(same(follow.replay.position(), here));
    }
    if (moves.empty()) break;
    const auto& next = moves[rng.below(moves.size())];
    ASSERT_TRUE(follow.step(next.edges));
    state = next.target;
  }
  EXPECT_GT(made, 0u);
}

TEST(Replay, MakesTheStepsOfTheConcreteSemanticsAndNoOthers) {
  const std::string committed =
      "chan c; int[0,2] n; process P() { state A, B; commit B; init A;"
      " trans A -> B { assign n = n + 1; }, B -> A { guard n < 2; sync c!; }, B -> A { guard n == 2; assign n = 0; }; }"
      "process Q() { state A, B; init A; trans A -> B { }, B -> A { sync c?; }, A -> A { sync c?; }; } system P, Q;";
  const std::string broadcast =
      "broadcast chan c; int[0,3] n; process P() { state A; init A; trans A -> A { sync c!; assign n = (n + 1) % 4; }; "
      "}"
      "process Q(int[0,2] id) { state A, B; init A;"
      " trans A -> B { guard n > id; sync c?; }, A -> A { guard n > 2; sync c?; }, B -> A { }; } system P, Q;";
  const std::string priorities =
      "chan c, d; chan priority c < default < d; int[0,3] n;"
      "process P() { state A; init A; trans A -> A { sync c!; assign n = 0; }, A -> A { guard n == 2; sync d!; assign "
      "n = 3; },"
      " A -> A { guard n < 2; assign n = n + 1; }; }"
      "process Q() { state A, B { n != 3 }; init A; trans A -> A { sync c?; }, A -> B { sync d?; }, A -> A { sync d?; "
      "},"
      " B -> A { assign n = 0; }; } system P < Q;";
  for (const std::string& text : {committed, broadcast, priorities}) {
    SCOPED_TRACE(text);
    const Subject subject(text, "E<> false");
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      expect_the_concrete_semantics(subject.system(), subject.property, seed);
      if (HasFailure()) return;
    }
  }
}

TEST(Replay, KnowsControlUrgencyAndIdleness) {
  const std::string atomic =
      "chan c = [0] of { byte }; byte x; active proctype P() { do :: atomic { x = 1; c!1; x = 2 } :: x = 3 od }"
      "active proctype Q() { byte k; do :: atomic { c?k; k = 0 } :: x == 3 -> x = 0 od }";
  const std::string unless =
      "chan c = [0] of { byte }; byte x; active proctype P() { do :: { x = 1; x = 0 } unless { c!1 } od }"
      "active proctype Q() { byte k; do :: if :: x == 1 -> c?k :: else -> k = 1 - k fi od }";
  const std::string timeout =
      "byte x; active proctype P() { do :: x < 2 -> x++ od } active proctype Q() { do :: timeout -> x = 0 od }";
  for (const std::string& text : {atomic, unless, timeout}) {
    SCOPED_TRACE(text);
    const PromelaSubject subject(text);
    ASSERT_TRUE(Replay::supports(subject.system(), subject.property().goal));
    for (uint64_t seed = 1; seed <= 10; ++seed) {
      expect_the_concrete_semantics(subject.system(), subject.property(), seed);
      if (HasFailure()) return;
    }
  }
}

// ---- clocks ----

TEST(Replay, TheZoneIsExact) {
  // x is reset every time unit, y never; nothing compares y with more than 3.
  Example e(
      "clock x, y; process P() { state A { x <= 1 }; init A; trans A -> A { guard x == 1; assign x = 0; }; }"
      "system P;",
      "E<> y > 3 and P.A");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_EQ(e.follow.bound(2, 1), bound_le(0));
  for (int32_t round = 1; round <= 50; ++round) {
    ASSERT_TRUE(e.follow.step(0u));
    EXPECT_EQ(e.follow.bound(2, 1), bound_le(round)) << "y - x";
    EXPECT_EQ(e.follow.bound(1, 2), bound_le(-round));
    EXPECT_EQ(e.follow.bound(2, 0), bound_le(round + 1));
    EXPECT_EQ(e.follow.goal().has_value(), round >= 3);
  }
}

TEST(Replay, ClocksThatNobodyComparesAreFollowedToo) {
  Example e(
      "clock x, unused; process P() { state A, B; init A; trans A -> B { guard x >= 2; assign unused = 7; }; }"
      "system P;");
  ASSERT_TRUE(e.follow.replay.start());
  ASSERT_EQ(e.follow.replay.position().zone.size(), 9u);
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_EQ(e.follow.bound(0, 1), bound_le(-2));
  EXPECT_EQ(e.follow.bound(0, 2), bound_le(-7));
  EXPECT_EQ(e.follow.bound(2, 1), bound_le(5)) << "x was at least 2 when it became 7";
}

TEST(Replay, ClockGuardsOfAllEdgesMustHoldTogether) {
  const auto possible = [](const std::string& sender, const std::string& receiver) {
    Example e("clock x, y; chan c; process P() { state A, B; init A; trans A -> B { guard " + sender +
              "; sync c!; }; } process Q() { state A, B; init A; trans A -> B { guard " + receiver +
              "; sync c?; }; } system P, Q;");
    EXPECT_TRUE(e.follow.replay.start());
    return e.follow.step({EdgeId(0u), EdgeId(1u)});
  };
  EXPECT_TRUE(possible("x >= 3", "y <= 3"));
  EXPECT_FALSE(possible("x > 3", "y <= 3")) << "both run since the start";
  EXPECT_TRUE(possible("x - y == 0", "y <= 3"));
  EXPECT_FALSE(possible("x - y > 0", "true"));
}

TEST(Replay, InvariantsBoundTheDelayBeforeAndMustHoldAfter) {
  const auto possible = [](const std::string& before, const std::string& labels, const std::string& after) {
    Example e("clock x; process P() { state A { x <= " + before + " }, B { x <= " + after +
              " }; init A; trans A -> B { " + labels + " }; } system P;");
    EXPECT_TRUE(e.follow.replay.start());
    return e.follow.step(0u);
  };
  EXPECT_TRUE(possible("5", "guard x >= 5;", "9"));
  EXPECT_FALSE(possible("5", "guard x > 5;", "9"));
  EXPECT_FALSE(possible("5", "guard x >= 4;", "3"));
  EXPECT_TRUE(possible("5", "guard x >= 4; assign x = 3;", "3"));
  EXPECT_FALSE(possible("5", "guard x >= 4; assign x = 4;", "3"));
}

TEST(Replay, TimeDoesNotPassWhereItMayNot) {
  const auto latest = [](const std::string& declarations, const std::string& kind, const std::string& labels) {
    Example e("clock x; " + declarations + " process P() { state A; " + kind + " init A; trans A -> A { " + labels +
              " }; } process Q() { state A; init A; trans A -> A { sync c?; }; } system P, Q;");
    EXPECT_TRUE(e.follow.replay.start());
    return e.follow.bound(1, 0);
  };
  EXPECT_EQ(latest("chan c;", "", "sync c!;"), kInfinity);
  EXPECT_EQ(latest("chan c;", "urgent A;", "sync c!;"), kZeroLe);
  EXPECT_EQ(latest("chan c;", "commit A;", "sync c!;"), kZeroLe);
  EXPECT_EQ(latest("urgent chan c;", "", "sync c!;"), kZeroLe);
  EXPECT_EQ(latest("urgent chan c;", "", "guard false; sync c!;"), kInfinity);
}

TEST(Replay, OnlyEdgesFromCommittedLocationsLeaveThem) {
  Example e(
      "clock x; process P() { state A, B; commit A; init A; trans A -> B { }; }"
      "process Q() { state A, B; init A; trans A -> B { }; } system P, Q;");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_FALSE(e.follow.step(1u));
  EXPECT_TRUE(e.follow.step(0u));
  EXPECT_TRUE(e.follow.step(1u));
  EXPECT_FALSE(e.follow.step(1u)) << "Q is not there any more";
}

TEST(Replay, ABoundIsThatOfTheState) {
  Example e(
      "clock x; int[0,9] n = 4; process P() { state A { x <= n }, B; init A;"
      " trans A -> A { guard x == n; assign n = n + 2; }, A -> B { guard x > 4; }; } system P;");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_FALSE(e.follow.step(1u));
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_EQ(e.follow.bound(0, 1), bound_le(-4));
  EXPECT_EQ(e.follow.bound(1, 0), bound_le(6));
  EXPECT_TRUE(e.follow.step(1u));
}

TEST(Replay, StartsOnlyWhereInvariantsHold) {
  const auto starts = [](const std::string& invariant) {
    return Example("clock x; int[0,3] n = 1; process P() { state A { " + invariant + " }; init A; } system P;")
        .follow.replay.start();
  };
  EXPECT_TRUE(starts("n == 1 && x <= 0"));
  EXPECT_FALSE(starts("n == 2"));
  EXPECT_FALSE(starts("x < 0"));
}

TEST(Replay, CanGoBackToAPosition) {
  Example e(
      "clock x; int[0,9] n; process P() { state A { x <= 2 }; init A;"
      " trans A -> A { guard x >= 1; assign x = 0, n = n + 1; }, A -> A { guard x <= 0; assign n = n + 3; }; }"
      "system P;");
  ASSERT_TRUE(e.follow.replay.start());
  const Replay::Position first = e.follow.replay.position();
  ASSERT_TRUE(e.follow.step(0u));
  const Replay::Position second = e.follow.replay.position();
  ASSERT_TRUE(e.follow.step(1u));
  EXPECT_EQ(e.follow["n"], 4);
  e.follow.replay.set_position(second);
  EXPECT_EQ(e.follow["n"], 1);
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_EQ(e.follow["n"], 2);
  e.follow.replay.set_position(first);
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_TRUE(same(e.follow.replay.position(), second));
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_TRUE(same(e.follow.replay.position(), first)) << "a new start";
}

// ---- the goal ----

TEST(Replay, TellsTheClauseOfTheGoalThatCanHold) {
  Example e(
      "clock x; process P() { state A { x <= 3 }, B { x <= 9 }, C; init A;"
      " trans A -> B { guard x >= 2; }, B -> C { assign x = 0; }; } system P;",
      "E<> P.C or (P.B and x >= 5) or x > 9");
  ASSERT_EQ(e.subject.property.goal.size(), 3u);
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_EQ(e.follow.goal(), std::nullopt) << "x is at most 3";
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_EQ(e.follow.goal(), 1u);
  ASSERT_TRUE(e.follow.step(1u));
  EXPECT_EQ(e.follow.goal(), 0u) << "the first, although the third can hold, too";
}

TEST(Replay, SeesDeadlocksOfModelsWithoutClocks) {
  Example e("int[0,1] n; process P() { state A, B; init A; trans A -> B { }, B -> B { assign n = n - 1; }; } system P;",
            "E<> deadlock");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_EQ(e.follow.goal(), std::nullopt);
  ASSERT_TRUE(e.follow.step(0u));
  EXPECT_EQ(e.follow.goal(), 0u) << "n must not leave its range";
}

TEST(Replay, AGoalThatCannotBeEvaluatedIsNone) {
  for (const std::string clocks : {"", "clock x;"}) {
    Example e(clocks + "int[0,3] n; process P() { state A; init A; trans A -> A { assign n = 2; }; } system P;",
              "E<> 4 / n == 2");
    ASSERT_TRUE(e.follow.replay.start());
    EXPECT_EQ(e.follow.goal(), std::nullopt) << "division by zero";
    ASSERT_TRUE(e.follow.step(0u));
    EXPECT_EQ(e.follow.goal(), 0u);
  }
}

// Looking for a deadlock, it makes steps; one of them fails when it has written something.
TEST(Replay, AFailureWhileLookingForADeadlockLeavesThePosition) {
  Example e(
      "int[0,9] n, zero; process P() { state A, B; init A;"
      " trans A -> B { assign n = 5, n = 1 / zero; }, A -> A { guard n == 0; assign n = 1; }; } system P;",
      "E<> deadlock");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_EQ(e.follow.goal(), std::nullopt);
  EXPECT_EQ(e.follow["n"], 0);
  EXPECT_TRUE(e.follow.step(1u));
}

// ---- run-time errors ----

TEST(Replay, AStepThatFailsAtRunTimeIsNotMade) {
  for (const std::string clocks : {"", "clock x;"}) {
    Example e(
        clocks +
        "int[0,9] n, zero; process P() { state A, B; init A;"
        " trans A -> B { guard 1 / zero == 1; assign n = 3; }; }"
        "process Q() { state A, B; init A; trans A -> B { assign n = 5, n = 1 / zero; }, A -> B { assign n = 12; },"
        " A -> B { assign n = 4; }; } system P, Q;");
    ASSERT_TRUE(e.follow.replay.start());
    EXPECT_FALSE(e.follow.step(0u)) << "the guard fails";
    EXPECT_FALSE(e.follow.step(1u)) << "the effect fails when it has written n";
    EXPECT_FALSE(e.follow.step(2u)) << "n leaves its range";
    EXPECT_TRUE(e.follow.step(3u));
    EXPECT_EQ(e.follow["n"], 4);
  }
}

TEST(Replay, AFailureInAClockConstraintUndoesTheStep) {
  Example e(
      "clock x; int[0,9] n, zero; process P() { state A, B { x <= 4 / zero }; init A;"
      " trans A -> B { assign n = 3, x = 1; }, A -> A { assign n = 2; }; } system P;");
  ASSERT_TRUE(e.follow.replay.start());
  EXPECT_FALSE(e.follow.step(0u)) << "the bound of the new invariant fails";
  EXPECT_TRUE(e.follow.step(1u));
  EXPECT_EQ(e.follow["n"], 2);
}

// ---- what is supported ----

TEST(Replay, SupportsWhatEdgesDescribeCompletely) {
  const auto supports = [](const std::string& declarations, const std::string& order = "P",
                           const char* query = "E<> P.A") {
    const Subject subject(
        declarations + " process P() { state A; init A; } process Q() { state A; init A; } system " + order + ";",
        query);
    return Replay::supports(subject.system(), subject.property.goal);
  };
  EXPECT_TRUE(supports("clock x; chan c; urgent chan d;"));
  EXPECT_FALSE(supports("clock x; broadcast chan c;"));
  EXPECT_FALSE(supports("clock x;", "P < Q"));
  EXPECT_FALSE(supports("clock x; chan c; chan priority c < default;"));
  EXPECT_FALSE(supports("clock x;", "P", "E<> deadlock"));
  EXPECT_FALSE(supports("clock x;", "P", "E<> P.A and not deadlock"));
  EXPECT_TRUE(supports("broadcast chan c; chan d; chan priority d < default;", "P < Q", "E<> deadlock"))
      << "all of it without clocks";
}

TEST(Replay, PreemptionWithClocksIsNotSupported) {
  SystemBuilder b;
  b.clock("x");
  const auto p = b.process("P", {"A"});
  const auto e = b.edge(p, 0, 0);
  EXPECT_TRUE(Replay::supports(b.system, {}));
  b.edge(e).urgency = 1;
  EXPECT_FALSE(Replay::supports(b.system, {}));
  b.edge(e).urgency = 0;
  b.edge(e).when_idle = true;
  EXPECT_FALSE(Replay::supports(b.system, {}));
  b.edge(e).when_idle = false;
  b.system.control = b.var("control", 0, 1);
  EXPECT_FALSE(Replay::supports(b.system, {}));
}

}  // namespace
}  // namespace harrier::step
