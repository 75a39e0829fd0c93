// A run may be told to end at any moment: whatever it is doing, it ends in good order, with a reason.
#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "harrier/harrier.h"

namespace harrier {
namespace {

// A bit of everything: functions, arrays, clocks, a broadcast with clock guards, priorities of nobody.
constexpr const char* kTimed = R"(
const int N = 3;
clock x; int[0,4] n; int a[2] := { 1, 2 }; broadcast chan go; chan hand;
int twice(int v) { int r := 0; for (i : int[0,1]) { r := r + v; } return r; }
process Sender() {
  state idle { x <= 5 }, done;
  init idle;
  trans idle -> idle { guard x >= 1 && n < 4; sync go!; assign x := 0, n := n + 1, a[n % 2] := twice(n); },
        idle -> done { guard n == 4; sync hand!; };
}
process Receiver(int[0,1] id) {
  clock y;
  state a, b;
  init a;
  trans a -> b { guard y > id; sync go?; assign y := 0; },
        b -> a { guard y >= 2; },
        a -> a { sync hand?; };
}
system Sender, Receiver;
)";

constexpr const char* kProgram = R"(
#define LIMIT 3
mtype = { ping, pong };
chan q = [2] of { mtype, byte };
byte count;
active proctype Sender() {
  byte i;
  do
  :: i < LIMIT -> atomic { q!ping(i); i++ }
  :: else -> break
  od;
  run Late(i)
}
proctype Late(byte v) { count = count + v }
active proctype Receiver() {
  byte v;
end: do
  :: q?ping(v) -> d_step { count = count + v; v = 0 }
  od
}
ltl bounded { [] (count < 6) }
)";

struct Case {
  const char* name;
  const char* text;
  const char* language;
  const char* query;  // of a UPPAAL model
  Search search;
  const char* heuristic;
  bool preferences = false;
  bool safe_abstraction = false;
};

const Case kCases[] = {
    {"auto", kTimed, "uppaal", "E<> Sender.done", Search::Auto, ""},
    {"proof", kTimed, "uppaal", "A[] n <= 4 and not deadlock", Search::BreadthFirst, ""},
    {"useless", kTimed, "uppaal", "E<> Sender.done", Search::Greedy, "hU", true},
    {"astar", kTimed, "uppaal", "E<> n == 3", Search::AStar, "hL"},
    {"causal", kTimed, "uppaal", "E<> n == 3", Search::WeightedAStar, "hCG"},
    {"context", kTimed, "uppaal", "E<> n == 3", Search::Greedy, "hcea"},
    {"cuts", kTimed, "uppaal", "E<> n == 3", Search::AStar, "lmcut"},
    {"landmarks", kTimed, "uppaal", "E<> n == 3", Search::Greedy, "lmcount"},
    {"zones", kTimed, "uppaal", "E<> n == 3", Search::AStar, "zdb"},
    {"patterns", kTimed, "uppaal", "E<> n == 3", Search::AStar, "pdb"},
    {"merging", kTimed, "uppaal", "E<> n == 3", Search::AStar, "ms"},
    {"predicates", kTimed, "uppaal", "E<> n == 3", Search::Greedy, "pa"},
    {"bounding", kTimed, "uppaal", "E<> n == 3", Search::ContextBoundProcess, "hadd"},
    {"anytime", kTimed, "uppaal", "E<> Sender.done", Search::Anytime, ""},
    {"walk", kTimed, "uppaal", "E<> Sender.done", Search::Walk, "hU"},
    {"abstraction", kTimed, "uppaal", "E<> n == 3", Search::BreadthFirst, "", false, true},
    {"program", kProgram, "promela", nullptr, Search::Auto, ""},
    {"diagrams", kProgram, "promela", nullptr, Search::AStar, "spdb"},
    {"claim", kProgram, "promela", nullptr, Search::DepthFirst, ""},
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

using Polls = std::optional<uint64_t>;  // that are let pass; empty: all

class EveryPoll : public testing::TestWithParam<Case> {
 protected:
  static LoadOptions loading(const Case& c, Polls polls) {
    LoadOptions options;
    options.language = c.language;
    if (c.query == nullptr && c.search != Search::DepthFirst) options.options = {{"--no-claim", ""}};
    options.poll_limit = polls;
    return options;
  }
  static Model load(const Case& c, Polls polls) {
    Model model = Model::load_text(c.text, c.name, loading(c, polls));
    if (c.query != nullptr) model.add_query(c.query, loading(c, polls));
    return model;
  }
  static CheckOptions checking(const Case& c, Polls polls) {
    CheckOptions options;
    options.search = c.search;
    options.heuristic = c.heuristic;
    if (c.preferences) options.prefer = {"useless", "contexts"};
    options.safe_abstraction = c.safe_abstraction;
    options.polish = c.query != nullptr || c.search != Search::DepthFirst;
    options.poll_limit = polls;
    return options;
  }

  // Calls `run` with limits that end it after ever more polls, until it is not ended; it tells whether it was.
  static uint64_t at_every_poll(const std::function<bool(Polls)>& run) {
    uint64_t polls = 0;
    while (run(polls)) polls += 1 + polls / 10;
    return polls;
  }
};

TEST_P(EveryPoll, EndsLoading) {
  const uint64_t taken = at_every_poll([&](Polls polls) {
    try {
      load(GetParam(), polls);
      return false;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Limit) << e.what();
      return true;
    }
  });
  EXPECT_GT(taken, 100u) << "loading polls";
}

TEST_P(EveryPoll, EndsChecking) {
  const Case& c = GetParam();
  const CheckResult expected = load(c, {}).check(0, checking(c, {}));
  ASSERT_NE(expected.verdict, Verdict::Unknown) << expected.reason;
  const uint64_t taken = at_every_poll([&](Polls polls) {
    const CheckResult result = load(c, {}).check(0, checking(c, polls));
    if (result.verdict == Verdict::Unknown) {
      EXPECT_EQ(result.reason.find("interrupted"), 0u) << result.reason;
      EXPECT_FALSE(result.holds.has_value());
      EXPECT_FALSE(result.witness_length.has_value());
      return true;
    }
    EXPECT_EQ(result.verdict, expected.verdict);
    EXPECT_EQ(result.holds, expected.holds);
    // Improving a path may have been cut short.
    return result.witness_length != expected.witness_length || result.trace_json != expected.trace_json;
  });
  EXPECT_GT(taken, 10u) << "checking polls";
}

TEST_P(EveryPoll, EndsAnalysisValidationAndPolishing) {
  const Case& c = GetParam();
  const CheckResult found = load(c, {}).check(0, checking(c, {}));
  const auto ends = [](const std::function<void()>& work) {
    try {
      work();
      return false;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Limit) << e.what();
      return true;
    }
  };
  at_every_poll([&](Polls polls) { return ends([&] { load(c, {}).analyse(0, checking(c, polls)); }); });
  if (found.verdict != Verdict::Reachable) return;
  const uint64_t validation = at_every_poll([&](Polls polls) {
    return ends([&] { EXPECT_EQ(load(c, {}).validate(found.trace_json, "trace", checking(c, polls)).problem, ""); });
  });
  EXPECT_GT(validation, *found.witness_length);
  if (found.loop_start) return;
  at_every_poll([&](Polls polls) {
    return ends([&] {
      const CheckResult polished = load(c, {}).polish(found.trace_json, "trace", checking(c, polls), 1000);
      EXPECT_LE(*polished.witness_length, *found.witness_length);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(Cases, EveryPoll, testing::ValuesIn(kCases),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace
}  // namespace harrier
