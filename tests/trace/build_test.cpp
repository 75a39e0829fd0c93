// From paths to traces: replay, earliest times, zones.
#include <gtest/gtest.h>

#include <random>

#include "base/error.h"
#include "support/system_builder.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::trace {
namespace {

using model::ClockId;
using model::EdgeId;
using model::LocationKind;
using model::Op;
using testing_support::SystemBuilder;
using Zone = std::vector<std::string>;

Path path_of(const std::vector<std::vector<EdgeId>>& steps) {
  Path path;
  for (const auto& edges : steps) path.steps.push_back({edges, {}});
  return path;
}

Trace checked(const SystemBuilder& b, const model::Property& property, const Path& path) {
  Trace trace = build_trace(b.system, property, path);
  const auto report = validate(b.system, property, trace);
  EXPECT_TRUE(report.valid) << report.text();
  return trace;
}

TEST(BuildTrace, EarliestTimesOfAChain) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 5);
  const auto x = b.clock("x");
  const auto y = b.clock("y");
  const auto p = b.process("P", {"a", "b", "c"});
  const EdgeId first = b.edge(p, 0, 1);
  const EdgeId second = b.edge(p, 1, 2);
  b.edge(first).clock_guard = {b.ge(x, 1)};
  b.edge(first).effect = {b.reset(x), b.set(n, 4)};
  b.edge(second).clock_guard = {b.gt(x, 2), b.ge(y, 5)};
  b.location(p, 1).clock_invariant = {b.le(x, 3)};
  const auto property = b.reachable({b.at(p, 2)});
  const Trace trace = checked(b, property, path_of({{first}, {second}}));
  // y >= 5 when x <= 3 pushes the first step to 2; x > 2 is then satisfied with x = 3.
  EXPECT_EQ(trace.denominator, 1);
  ASSERT_EQ(trace.steps.size(), 2U);
  EXPECT_EQ(trace.steps[0].time, 2);
  EXPECT_EQ(trace.steps[0].delay, 2);
  EXPECT_EQ(trace.steps[1].time, 5);
  EXPECT_EQ(trace.steps[1].delay, 3);
  EXPECT_EQ(trace.final_delay, 0);
  EXPECT_EQ(trace.steps[0].state.clocks, (std::vector<int64_t>{0, 0, 2}));
  EXPECT_EQ(trace.steps[1].state.clocks, (std::vector<int64_t>{0, 3, 5}));
  EXPECT_EQ(trace.steps[0].changed, (std::vector<uint32_t>{n.value, b.system.process(p).location.value}));
  EXPECT_EQ(trace.steps[0].edges[0].position, "test.xta:10:1");
  EXPECT_EQ(trace.initial.zone, Zone{"y == x"});
  EXPECT_EQ(trace.steps[0].state.zone, (Zone{"x <= 3", "x - y <= -1"}));
}

TEST(BuildTrace, StrictBoundsShareTheSpace) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto y = b.clock("y");
  const auto p = b.process("P", {"a", "b", "c"});
  const EdgeId first = b.edge(p, 0, 1);
  const EdgeId second = b.edge(p, 1, 2);
  b.edge(first).clock_guard = {b.gt(x, 0)};
  b.edge(first).effect = {b.reset(x)};
  b.edge(second).clock_guard = {b.gt(x, 0), b.lt(y, 1)};
  const auto property = b.reachable({b.at(p, 2)});
  const Trace trace = checked(b, property, path_of({{first}, {second}}));
  EXPECT_EQ(trace.denominator, 3);
  EXPECT_EQ(trace.steps[0].time, 1);
  EXPECT_EQ(trace.steps[1].time, 2);
  EXPECT_EQ(time_text(trace.steps[1].time, trace.denominator), "2/3");
}

TEST(BuildTrace, GoalsExtrasAndResetsToValues) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto y = b.clock("y");
  const auto p = b.process("P", {"a", "b"});
  const EdgeId e = b.edge(p, 0, 1);
  b.edge(e).effect = {b.reset(x, 3)};
  const auto property = b.reachable({b.at(p, 1)}, {b.ge(x, 10)});
  Path path = path_of({{e}});
  Trace trace = checked(b, property, path);
  EXPECT_EQ(trace.steps[0].time, 0);
  EXPECT_EQ(trace.final_delay, 7);
  EXPECT_EQ(trace.end_time(), 7);
  path.steps[0].extra = {{ClockId(0), y, -4, true}};  // y > 4
  path.goal_extra = {{y, ClockId(0), 12, false}};
  trace = checked(b, property, path);
  EXPECT_EQ(trace.denominator, 2);
  EXPECT_EQ(trace.steps[0].time, 9);
  EXPECT_EQ(trace.end_time(), 23);
  path.goal_extra = {{y, ClockId(0), 11, false}};
  EXPECT_THROW(build_trace(b.system, property, path), Error);
}

TEST(BuildTrace, UrgencyAndConditionalConstraints) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 5, 2);
  const auto x = b.clock("x");
  const auto u = b.channel("u", false, true);
  const auto p = b.process("P", {"a", "b", "c", "d"});
  const auto q = b.process("Q", {"a", "b"});
  const EdgeId first = b.edge(p, 0, 1);
  const EdgeId second = b.edge(p, 1, 2);
  const EdgeId send = b.send(p, 2, 3, u);
  const EdgeId receive = b.receive(q, 0, 1, u);
  b.location(p, 1).kind = LocationKind::Urgent;
  b.edge(send).clock_guard = {};
  model::ClockConstraint conditional = b.ge(x, 0);
  conditional.condition = b.eq(n, 2);
  conditional.bound = b.op(Op::Neg, b.get(n));
  b.edge(second).clock_guard = {conditional};  // n == 2 imply x >= n
  const auto property = b.reachable({b.at(p, 3), b.at(q, 1)});
  const Trace trace = checked(b, property, path_of({{first}, {second}, {send, receive}}));
  EXPECT_EQ(trace.steps[0].time, 2);
  EXPECT_EQ(trace.steps[1].time, 2);
  EXPECT_EQ(trace.steps[2].time, 2);
  EXPECT_EQ(trace.steps[2].edges[1].channel, "u");
  // The urgent synchronisation is enabled at once in location c: x >= 5 comes too late.
  b.edge(receive).effect = {b.reset(x)};
  const auto late = b.reachable({b.at(p, 2)}, {b.ge(x, 5)});
  b.edge(second).clock_guard = {b.le(x, 4)};
  EXPECT_THROW(build_trace(b.system, late, path_of({{first}, {second}})), Error);
}

TEST(BuildTrace, BadPathsAreInternalErrors) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto x = b.clock("x");
  const auto p = b.process("P", {"a", "b"});
  const EdgeId e = b.edge(p, 0, 1);
  const auto property = b.reachable({b.at(p, 1)});
  const auto fails = [&](const Path& path) {
    try {
      build_trace(b.system, property, path);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::Internal;
    }
    return false;
  };
  EXPECT_FALSE(fails(path_of({{e}})));
  EXPECT_TRUE(fails(path_of({})));
  EXPECT_TRUE(fails(path_of({{e}, {e}})));
  EXPECT_TRUE(fails(path_of({{EdgeId(7)}})));
  Path other = path_of({{e}});
  other.goal_clause = 1;
  EXPECT_TRUE(fails(other));
  b.edge(e).guard = {b.eq(n, 1)};
  EXPECT_TRUE(fails(path_of({{e}})));
  b.edge(e).guard = {};
  b.edge(e).effect = {b.set(n, 3)};
  EXPECT_TRUE(fails(path_of({{e}})));
  b.edge(e).effect = {};
  b.location(p, 1).invariant = {b.eq(n, 1)};
  EXPECT_TRUE(fails(path_of({{e}})));
  b.location(p, 1).invariant = {};
  b.edge(e).clock_guard = {b.gt(x, 2), b.le(x, 2)};
  EXPECT_TRUE(fails(path_of({{e}})));
}

// A random walk through a random one-process system with clocks: whatever path has times is validated.
TEST(BuildTrace, RandomPathsAreValid) {
  std::mt19937 rng(3);
  const auto pick = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(rng); };
  int built = 0;
  for (int round = 0; round < 500; ++round) {
    SystemBuilder b;
    const std::vector<ClockId> clocks{b.clock("x"), b.clock("y"), b.clock("z")};
    const auto p = b.process("P", {"a", "b", "c"});
    const auto constraint = [&] {
      const ClockId left(static_cast<size_t>(pick(4)));
      const ClockId right((left.value + 1U + static_cast<size_t>(pick(3))) % 4);
      return b.difference(left, right, pick(9) - (left.value == 0 ? 6 : 2), pick(2) == 0);
    };
    for (size_t l = 0; l < 3; ++l) {
      if (pick(2) == 0) b.location(p, l).clock_invariant = {b.le(clocks[static_cast<size_t>(pick(3))], 2 + pick(5))};
      if (pick(6) == 0) b.location(p, l).kind = LocationKind::Urgent;
    }
    Path path;
    uint32_t here = 0;
    for (int i = 0; i < 6; ++i) {
      const auto next = static_cast<uint32_t>(pick(3));
      const EdgeId e = b.edge(p, here, next);
      for (int k = pick(3); k > 0; --k) b.edge(e).clock_guard.push_back(constraint());
      if (pick(2) == 0) b.edge(e).effect = {b.reset(clocks[static_cast<size_t>(pick(3))], pick(3))};
      path.steps.push_back({{e}, {}});
      here = next;
    }
    const auto property = b.reachable({b.at(p, static_cast<int32_t>(here))}, {constraint()});
    try {
      checked(b, property, path);
      ++built;
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::Internal);
    }
  }
  EXPECT_GT(built, 50);
}

TEST(BuildTrace, LongPaths) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto n = b.var("n", 0, 1);
  const auto p = b.process("P", {"a"});
  const EdgeId e = b.edge(p, 0, 0);
  b.edge(e).clock_guard = {b.gt(x, 1)};
  b.edge(e).effect = {b.reset(x), b.run(b.store(n, b.op(Op::Sub, b.num(1), b.get(n))))};
  const auto property = b.reachable({});
  Path path;
  for (int i = 0; i < 10'000; ++i) path.steps.push_back({{e}, {}});
  const Trace trace = checked(b, property, path);
  EXPECT_EQ(trace.denominator, 10'001);
}

TEST(TimeText, LowestTerms) {
  EXPECT_EQ(time_text(0, 3), "0");
  EXPECT_EQ(time_text(6, 3), "2");
  EXPECT_EQ(time_text(7, 3), "7/3");
  EXPECT_EQ(time_text(2, 4), "1/2");
  EXPECT_EQ(time_text(-3, 2), "-3/2");
}

}  // namespace
}  // namespace harrier::trace
