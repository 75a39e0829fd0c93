// The concrete semantics: delays, synchronisation, committed locations, priorities, deadlocks.
#include "trace/concrete.h"

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/system_builder.h"

namespace harrier::trace {
namespace {

using model::DeadlockTest;
using model::EdgeId;
using model::LocationKind;
using model::Op;
using testing_support::SystemBuilder;
using Edges = ConcreteSemantics::Edges;

std::vector<Edges> enabled(ConcreteSemantics& semantics, const ConcreteSemantics::State& state) {
  std::vector<Edges> out;
  for (const auto& move : semantics.enabled(state)) out.push_back(move.edges);
  return out;
}

TEST(ConcreteSemantics, BinarySynchronisationNeedsTwoProcesses) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"l"});
  const auto q = b.process("Q", {"l"});
  const EdgeId send = b.send(p, 0, 0, c);
  b.receive(p, 0, 0, c);
  ConcreteSemantics semantics(b.system);
  EXPECT_TRUE(semantics.enabled(semantics.initial()).empty());
  const EdgeId receive = b.receive(q, 0, 0, c);
  EXPECT_EQ(enabled(semantics, semantics.initial()), (std::vector<Edges>{{send, receive}}));
}

TEST(ConcreteSemantics, BroadcastTakesEveryReadyReceiver) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 9);
  const auto c = b.channel("c", true);
  const auto p = b.process("P", {"l"});
  const auto q = b.process("Q", {"l"});
  const auto r = b.process("R", {"l"});
  const EdgeId send = b.send(q, 0, 0, c);
  const EdgeId first = b.receive(p, 0, 0, c);
  const EdgeId second = b.receive(p, 0, 0, c);
  const EdgeId third = b.receive(r, 0, 0, c);
  ConcreteSemantics semantics(b.system);
  EXPECT_EQ(enabled(semantics, semantics.initial()), (std::vector<Edges>{{send, first, third}, {send, second, third}}));
  b.edge(third).guard = {b.eq(n, 1)};
  b.edge(first).guard = {b.eq(n, 1)};
  b.edge(second).guard = {b.eq(n, 1)};
  EXPECT_EQ(enabled(semantics, semantics.initial()), (std::vector<Edges>{{send}}));
}

TEST(ConcreteSemantics, EffectsInOrder) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 1000, 1);
  const auto c = b.channel("c");
  const auto p = b.process("P", {"l", "m"});
  const auto q = b.process("Q", {"l", "m"});
  const auto digit = [&](int32_t k) {
    return b.run(b.store(n, b.op(Op::Add, b.op(Op::Mul, b.get(n), b.num(5)), b.num(k))));
  };
  const EdgeId receive = b.receive(p, 0, 1, c);
  const EdgeId send = b.send(q, 0, 1, c);
  b.edge(receive).effect = {digit(3)};
  b.edge(send).effect = {digit(2)};
  b.system.before_update = {digit(1)};
  b.system.after_update = {digit(4)};
  ConcreteSemantics semantics(b.system);
  const auto moves = semantics.enabled(semantics.initial());
  ASSERT_EQ(moves.size(), 1U);
  EXPECT_EQ(moves[0].edges, (Edges{send, receive}));
  EXPECT_EQ(moves[0].target.values[n.value], ((((1 * 5 + 1) * 5 + 2) * 5) + 3) * 5 + 4);
  EXPECT_EQ(moves[0].target.values[b.system.process(p).location.value], 1);
  EXPECT_EQ(moves[0].target.values[b.system.process(q).location.value], 1);
}

TEST(ConcreteSemantics, RangeViolationsAndTargetInvariantsDisable) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto x = b.clock("x");
  const auto p = b.process("P", {"l", "m"});
  const EdgeId e = b.edge(p, 0, 1);
  b.edge(e).effect = {b.set(n, 3)};
  ConcreteSemantics semantics(b.system);
  const auto start = semantics.initial();
  EXPECT_TRUE(semantics.enabled(start).empty());
  b.edge(e).effect = {b.set(n, 2)};
  EXPECT_EQ(semantics.enabled(start).size(), 1U);
  b.location(p, 1).invariant = {b.eq(n, 1)};
  EXPECT_TRUE(semantics.enabled(start).empty());
  b.location(p, 1).invariant.clear();
  b.location(p, 1).clock_invariant = {b.lt(x, 1)};
  EXPECT_EQ(semantics.enabled(start).size(), 1U);
  EXPECT_TRUE(semantics.enabled(ConcreteSemantics::delayed(start, 1)).empty());
  b.edge(e).effect = {b.reset(x)};
  EXPECT_EQ(semantics.enabled(ConcreteSemantics::delayed(start, 1)).size(), 1U);
  // A range violation in a guard is just false.
  b.edge(e).guard = {b.system.make({.op = Op::InRange, .a = b.get(n), .b = b.num(5), .c = b.num(6)})};
  EXPECT_TRUE(semantics.enabled(start).empty());
}

TEST(ConcreteSemantics, ARangeViolationInAClockConstraint) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto x = b.clock("x");
  const auto p = b.process("P", {"l", "m"});
  const EdgeId e = b.edge(p, 0, 1);
  const model::ExprId violation = b.system.make({.op = Op::InRange, .a = b.get(n), .b = b.num(5), .c = b.num(6)});
  ConcreteSemantics semantics(b.system);
  const auto start = semantics.initial();
  model::ClockConstraint bound = b.lt(x, 9);
  bound.bound = violation;
  model::ClockConstraint lower{{}, model::ClockId(0), x, false, violation, {}};
  model::ClockConstraint condition = b.lt(x, 9);
  condition.condition = violation;
  for (const model::ClockConstraint& c : {bound, lower, condition}) {
    b.edge(e).clock_guard = {c};
    b.location(p, 1).clock_invariant = {};
    EXPECT_TRUE(semantics.enabled(start).empty());
    EXPECT_TRUE(semantics.is_deadlock(start));
    b.edge(e).clock_guard = {};
    b.location(p, 1).clock_invariant = {c};
    EXPECT_TRUE(semantics.enabled(start).empty());
    EXPECT_TRUE(semantics.is_deadlock(start));
    // A query fails, if what it says of variables does not come to an end before.
    EXPECT_THROW(semantics.holds(model::Clause{{}, {c}}, start), model::RunTimeError);
    EXPECT_FALSE(semantics.holds(model::Clause{{b.eq(n, 1)}, {c}}, start));
  }
}

TEST(ConcreteSemantics, RuntimeErrorsAreThrown) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto p = b.process("P", {"l"});
  const EdgeId e = b.edge(p, 0, 0);
  b.edge(e).guard = {b.op(Op::Div, b.num(1), b.get(n))};
  ConcreteSemantics semantics(b.system);
  try {
    semantics.enabled(semantics.initial());
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::Runtime);
    EXPECT_EQ(std::string(error.what()), "test.xta:1:1: error: division by zero");
  }
}

TEST(ConcreteSemantics, CommittedLocationsGoFirst) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"l"});
  const auto q = b.process("Q", {"l"});
  b.edge(p, 0, 0);
  const EdgeId leave = b.edge(q, 0, 0);
  const EdgeId send = b.send(p, 0, 0, c);
  const EdgeId receive = b.receive(q, 0, 0, c);
  b.location(q, 0).kind = LocationKind::Committed;
  ConcreteSemantics semantics(b.system);
  EXPECT_EQ(enabled(semantics, semantics.initial()), (std::vector<Edges>{{send, receive}, {leave}}));
  EXPECT_FALSE(semantics.may_delay(semantics.initial()));
}

TEST(ConcreteSemantics, Priorities) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto high = b.channel("high", true, false, 1);
  const auto p = b.process("P", {"l"});
  const auto q = b.process("Q", {"l"});
  const auto r = b.process("R", {"l"});
  b.system.processes[q.value].priority = 1;
  const EdgeId slow = b.edge(p, 0, 0);
  const EdgeId fast = b.edge(q, 0, 0);
  const EdgeId loud = b.send(r, 0, 0, high);
  ConcreteSemantics semantics(b.system);
  const auto start = semantics.initial();
  // The channel counts before the process.
  EXPECT_EQ(enabled(semantics, start), (std::vector<Edges>{{loud}}));
  b.edge(loud).guard = {b.eq(n, 1)};
  EXPECT_EQ(enabled(semantics, start), (std::vector<Edges>{{fast}}));
  // A transition that a range violation forbids blocks nothing.
  b.edge(fast).effect = {b.set(n, 3)};
  EXPECT_EQ(enabled(semantics, start), (std::vector<Edges>{{slow}}));
  // A synchronisation has the highest priority of its processes.
  const auto c = b.channel("c");
  const EdgeId send = b.send(p, 0, 0, c);
  const EdgeId receive = b.receive(q, 0, 0, c);
  EXPECT_EQ(enabled(semantics, start), (std::vector<Edges>{{send, receive}}));
}

TEST(ConcreteSemantics, Delays) {
  SystemBuilder b;
  const auto n = b.var("n", 0, 2);
  const auto x = b.clock("x");
  const auto u = b.channel("u", false, true);
  const auto p = b.process("P", {"l"});
  const auto q = b.process("Q", {"l"});
  b.location(p, 0).clock_invariant = {b.lt(x, 3)};
  ConcreteSemantics semantics(b.system, 2);
  const auto start = semantics.initial();
  EXPECT_FALSE(semantics.delay_obstacle(start, 5));
  EXPECT_TRUE(semantics.delay_obstacle(start, 6));
  EXPECT_TRUE(semantics.delay_obstacle(start, -1));
  b.location(p, 0).clock_invariant.clear();
  b.send(p, 0, 0, u);
  const EdgeId receive = b.receive(q, 0, 0, u);
  EXPECT_FALSE(semantics.may_delay(start));
  EXPECT_TRUE(semantics.delay_obstacle(start, 1));
  b.edge(receive).guard = {b.eq(n, 1)};
  EXPECT_TRUE(semantics.may_delay(start));
  EXPECT_FALSE(semantics.delay_obstacle(start, 1));
  // Clock guards on urgent edges: time may pass until they hold, and no longer.
  b.edge(receive).guard.clear();
  b.edge(receive).clock_guard = {b.ge(x, 2)};
  EXPECT_FALSE(semantics.delay_obstacle(start, 4));
  EXPECT_TRUE(semantics.delay_obstacle(start, 5));
  b.edge(receive).clock_guard = {b.gt(x, 2)};
  EXPECT_FALSE(semantics.delay_obstacle(start, 4));
  EXPECT_TRUE(semantics.delay_obstacle(start, 5));
  b.location(q, 0).kind = LocationKind::Urgent;
  EXPECT_TRUE(semantics.delay_obstacle(start, 1));
}

class DeadlockTestCase : public ::testing::Test {
 protected:
  SystemBuilder b;
  model::ClockId x = b.clock("x");
  model::ClockId y = b.clock("y");
  model::ProcessId p = b.process("P", {"l", "m"});
  EdgeId e = b.edge(p, 0, 1);

  bool deadlock(int64_t after = 0) {
    ConcreteSemantics semantics(b.system, 1);
    return semantics.is_deadlock(ConcreteSemantics::delayed(semantics.initial(), after));
  }
};

TEST_F(DeadlockTestCase, AfterADelay) {
  EXPECT_FALSE(deadlock());
  b.edge(e).clock_guard = {b.ge(x, 5)};
  EXPECT_FALSE(deadlock());
  b.location(p, 0).clock_invariant = {b.le(x, 4)};
  EXPECT_TRUE(deadlock());
  b.location(p, 0).clock_invariant = {b.lt(x, 5)};
  EXPECT_TRUE(deadlock());
  b.location(p, 0).clock_invariant = {b.le(x, 5)};
  EXPECT_FALSE(deadlock());
  b.location(p, 0).kind = LocationKind::Urgent;
  EXPECT_TRUE(deadlock());
  EXPECT_FALSE(deadlock(5));
}

TEST_F(DeadlockTestCase, BetweenWholeNumbers) {
  b.edge(e).clock_guard = {b.gt(x, 5), b.lt(x, 6)};
  EXPECT_FALSE(deadlock(5));
  EXPECT_TRUE(deadlock(6));
  b.edge(e).clock_guard = {b.gt(x, 5), b.lt(x, 5)};
  EXPECT_TRUE(deadlock());
}

TEST_F(DeadlockTestCase, TargetInvariants) {
  b.location(p, 1).clock_invariant = {b.le(x, 3)};
  b.edge(e).clock_guard = {b.ge(x, 4)};
  EXPECT_TRUE(deadlock());
  b.edge(e).effect = {b.reset(x)};
  EXPECT_FALSE(deadlock());
  b.location(p, 1).clock_invariant = {b.lt(x, 0)};
  EXPECT_TRUE(deadlock());
  // A difference with one clock reset moves with time: y - x with x := 0.
  b.location(p, 1).clock_invariant = {b.difference(y, x, 3, false)};
  EXPECT_TRUE(deadlock());
  b.location(p, 1).clock_invariant = {b.difference(y, x, 4, false)};
  EXPECT_FALSE(deadlock());
  EXPECT_TRUE(deadlock(5));
  b.edge(e).clock_guard = {};
  b.location(p, 1).clock_invariant = {b.difference(x, y, -4, false)};
  EXPECT_FALSE(deadlock());
}

TEST_F(DeadlockTestCase, UrgentSynchronisationCutsTheDelay) {
  const auto u = b.channel("u", true, true);
  const auto n = b.var("n", 0, 1);
  const auto q = b.process("Q", {"l"});
  b.edge(e).clock_guard = {b.ge(x, 5)};
  EXPECT_FALSE(deadlock());
  const EdgeId shout = b.send(q, 0, 0, u);
  b.edge(shout).effect = {b.set(n, 2)};  // urgent, but cannot be taken
  EXPECT_TRUE(deadlock());
  b.edge(shout).clock_guard = {b.ge(x, 5)};
  EXPECT_FALSE(deadlock());
  b.edge(shout).clock_guard = {b.ge(x, 4)};
  EXPECT_TRUE(deadlock());
}

TEST_F(DeadlockTestCase, BroadcastReceiversThatChangeWithTime) {
  const auto c = b.channel("c", true);
  const auto n = b.var("n", 0, 1);
  const auto q = b.process("Q", {"l"});
  const auto r = b.process("R", {"l"});
  b.edge(e).guard = {b.num(0)};
  b.send(q, 0, 0, c);
  EXPECT_FALSE(deadlock());
  const EdgeId spoil = b.receive(r, 0, 0, c);
  b.edge(spoil).effect = {b.set(n, 2)};  // whoever listens makes the broadcast impossible
  EXPECT_TRUE(deadlock());
  b.edge(spoil).clock_guard = {b.le(x, 7)};
  EXPECT_FALSE(deadlock());
  b.location(q, 0).clock_invariant = {b.le(x, 7)};
  EXPECT_TRUE(deadlock());
}

TEST_F(DeadlockTestCase, Clauses) {
  ConcreteSemantics semantics(b.system);
  const auto start = semantics.initial();
  EXPECT_TRUE(semantics.holds({{b.at(p, 0)}, {b.le(x, 0)}, DeadlockTest::NotDeadlock}, start));
  EXPECT_FALSE(semantics.holds({{b.at(p, 0)}, {b.le(x, 0)}, DeadlockTest::IsDeadlock}, start));
  EXPECT_FALSE(semantics.holds({{b.at(p, 1)}, {}, DeadlockTest::Ignore}, start));
  EXPECT_FALSE(semantics.holds({{}, {b.ge(x, 1)}, DeadlockTest::Ignore}, start));
  EXPECT_TRUE(semantics.goal({{{b.at(p, 1)}, {}, {}}, {{}, {}, {}}}, start));
  EXPECT_FALSE(semantics.goal({}, start));
}

}  // namespace
}  // namespace harrier::trace
