// The validator accepts what is right and names what is wrong: one test a rule.
#include "trace/validator.h"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "support/play.h"
#include "support/system_builder.h"

namespace harrier::trace {
namespace {

using model::DeadlockTest;
using model::Direction;
using model::EdgeId;
using model::LocationKind;
using model::Op;
using testing_support::play;
using testing_support::Played;
using testing_support::SystemBuilder;

// A system with a bit of everything and a good trace through it:
//   P: a --x >= 2, n := 1, x := 0--> b (x <= 3) --c!--> d
//   Q: a --c?, m := n + 1--> b
//   R: shouts w, which P hears in d and Q in b.
class ValidatorTest : public ::testing::Test {
 protected:
  SystemBuilder b;
  model::VarId n = b.var("n", 0, 5);
  model::VarId m = b.var("m", 0, 5);
  model::ClockId x = b.clock("x");
  model::ClockId y = b.clock("y");
  model::ChannelId c = b.channel("c");
  model::ChannelId other = b.channel("other");
  model::ChannelId w = b.channel("w", true);
  model::ProcessId p = b.process("P", {"a", "b", "d"});
  model::ProcessId q = b.process("Q", {"a", "b"});
  model::ProcessId r = b.process("R", {"a", "b"});
  EdgeId start = b.edge(p, 0, 1);
  EdgeId send = b.send(p, 1, 2, c);
  EdgeId hear_p = b.receive(p, 2, 2, w);
  EdgeId receive = b.receive(q, 0, 1, c);
  EdgeId hear_q = b.receive(q, 1, 1, w);
  EdgeId shout = b.send(r, 0, 1, w);
  EdgeId idle = b.edge(r, 0, 0);
  model::Property property;
  std::vector<Played> good;

  void SetUp() override {
    b.edge(start).clock_guard = {b.ge(x, 2)};
    b.edge(start).effect = {b.set(n, 1), b.reset(x)};
    b.edge(receive).effect = {b.run(b.store(m, b.op(Op::Add, b.get(n), b.num(1))))};
    b.edge(idle).label = "i = 1";
    b.location(p, 1).clock_invariant = {b.le(x, 3)};
    property = b.reachable({b.at(r, 1), b.eq(m, 2)}, {b.ge(y, 6)});
    good = {{2, {start}}, {3, {send, receive}}, {0, {shout, hear_p, hear_q}}};
  }

  ValidationReport run(const Trace& trace) { return validate(b.system, property, trace); }
  // The validator rejects the steps at the given one for the given reason.
  void rejects(const std::vector<Played>& steps, size_t step, const std::string& reason, int64_t final_delay = 1) {
    rejects_trace(play(b.system, property, steps, final_delay), step, reason);
  }
  void rejects_trace(const Trace& trace, size_t step, const std::string& reason) {
    const auto report = run(trace);
    EXPECT_FALSE(report.valid) << reason;
    EXPECT_EQ(report.step, step) << report.text();
    EXPECT_NE(report.reason.find(reason), std::string::npos) << report.text();
  }
  // A good trace, spoilt.
  void rejects_change(size_t step, const std::string& reason, const std::function<void(Trace&)>& change) {
    Trace trace = play(b.system, property, good, 1);
    change(trace);
    rejects_trace(trace, step, reason);
  }
};

TEST_F(ValidatorTest, AcceptsAGoodTrace) {
  const auto report = run(play(b.system, property, good, 1));
  EXPECT_TRUE(report.valid) << report.text();
  EXPECT_EQ(report.text(), "the trace is valid");
}

TEST_F(ValidatorTest, AcceptsFractions) {
  const auto report =
      run(play(b.system, property, {{5, {start}}, {6, {send, receive}}, {0, {shout, hear_p, hear_q}}}, 1, 2));
  EXPECT_TRUE(report.valid) << report.text();
}

TEST_F(ValidatorTest, AcceptsInvariantProperties) {
  property.kind = model::PropertyKind::Invariant;
  EXPECT_TRUE(run(play(b.system, property, good, 1)).valid);
}

TEST_F(ValidatorTest, AcceptsTheInitialStateAlone) {
  property = b.reachable({b.at(p, 0)});
  EXPECT_TRUE(run(play(b.system, property, {})).valid);
}

TEST_F(ValidatorTest, Head) {
  rejects_change(0, "other content", [](Trace& t) { t.content_hash ^= 1; });
  rejects_change(0, "another language", [](Trace& t) { t.language = "promela"; });
  rejects_change(0, "another property", [](Trace& t) { t.property = "E<> other"; });
  rejects_change(0, "another property", [](Trace& t) { t.kind = model::PropertyKind::Invariant; });
  rejects_change(0, "denominator is not positive", [](Trace& t) { t.denominator = 0; });
  rejects_change(0, "denominator is not positive", [](Trace& t) { t.denominator = -2; });
  rejects_change(0, "denominator is too large", [](Trace& t) { t.denominator = INT64_MAX; });
  rejects_change(0, "no such clause", [](Trace& t) { t.goal_clause = 1; });
  property.kind = model::PropertyKind::LeadsTo;
  rejects(good, 0, "ends in a cycle or rests");
}

TEST_F(ValidatorTest, InitialState) {
  rejects_change(0, "claims n = 1 where it is 0", [&](Trace& t) { t.initial.values[n.value] = 1; });
  rejects_change(0, "claims clock x = 1 where it is 0", [&](Trace& t) { t.initial.clocks[x.value] = 1; });
  rejects_change(0, "wrong number", [](Trace& t) { t.initial.values.pop_back(); });
  rejects_change(0, "wrong number", [](Trace& t) { t.initial.clocks.push_back(0); });
  b.location(q, 0).invariant = {b.eq(n, 1)};
  rejects(good, 0, "an invariant does not hold in the initial state");
  b.location(q, 0).invariant = {};
  b.system.variables[n.value].initial = 9;
  rejects(good, 0, "initial value of n is out of range");
}

TEST_F(ValidatorTest, Times) {
  rejects_change(2, "delay is negative", [](Trace& t) { t.steps[1].delay = -1; });
  rejects_change(2, "claims time 6 but happens at 5", [](Trace& t) { t.steps[1].time = 6; });
  rejects_change(4, "delay is negative", [](Trace& t) { t.final_delay = -1; });
  rejects_change(3, "delay is too long", [](Trace& t) { t.steps[2].delay = INT64_MAX; });
}

TEST_F(ValidatorTest, InvariantDuringTheDelay) {
  rejects({{2, {start}}, {4, {send, receive}}}, 2, "at the end of the delay");
}

TEST_F(ValidatorTest, UrgentAndCommittedLocations) {
  b.location(q, 0).kind = LocationKind::Urgent;
  rejects(good, 1, "time may not pass in the urgent location Q.a");
  b.location(q, 0).kind = LocationKind::Committed;
  rejects(good, 1, "time may not pass in the committed location Q.a");
  b.location(q, 0).kind = LocationKind::Normal;
  b.location(p, 2).kind = LocationKind::Urgent;
  rejects(good, 4, "time may not pass in the urgent location P.d");
}

TEST_F(ValidatorTest, UrgentSynchronisation) {
  b.system.channels[c.value].urgent = true;
  rejects(good, 2, "urgent channel");
  good = {{4, {start}}, {0, {send, receive}}, {0, {shout, hear_p, hear_q}}};
  EXPECT_TRUE(run(play(b.system, property, good, 2)).valid);
  b.system.channels[w.value].urgent = true;
  rejects(good, 1, "urgent channel");
}

TEST_F(ValidatorTest, Descriptions) {
  rejects_change(1, "no edge 99", [](Trace& t) { t.steps[0].edges[0].edge = 99; });
  rejects_change(1, "belongs to process P", [](Trace& t) { t.steps[0].edges[0].process = "Q"; });
  rejects_change(1, "starts in location a", [](Trace& t) { t.steps[0].edges[0].source = "b"; });
  rejects_change(1, "leads to location b", [](Trace& t) { t.steps[0].edges[0].target = "d"; });
  rejects_change(2, "synchronises differently", [](Trace& t) { t.steps[1].edges[0].channel = "other"; });
  rejects_change(2, "synchronises differently", [](Trace& t) { t.steps[1].edges[0].direction = Direction::Receive; });
  rejects_change(1, "has the label", [](Trace& t) { t.steps[0].edges[0].label = "i = 2"; });
}

TEST_F(ValidatorTest, PositionsAndZonesAreComments) {
  Trace trace = play(b.system, property, good, 1);
  trace.steps[0].edges[0].position = "elsewhere.xta:1:1";
  trace.steps[0].state.zone = {"x < 0"};
  EXPECT_TRUE(run(trace).valid);
}

TEST_F(ValidatorTest, EdgesThatCannotBeTaken) {
  rejects({{0, {}}}, 1, "no edge fires");
  rejects({{0, {send, receive}}}, 1, "process P is not in location b");
  rejects({{1, {start}}}, 1, "the guard of P: a -> b does not hold");
  b.edge(start).guard = {b.eq(n, 4)};
  rejects(good, 1, "the guard of P: a -> b does not hold");
}

TEST_F(ValidatorTest, Synchronisation) {
  const EdgeId deaf = b.receive(q, 0, 0, other);
  const EdgeId second = b.edge(q, 0, 0);
  const EdgeId own = b.receive(p, 1, 1, c);
  rejects({{2, {start, second}}}, 1, "an internal edge fires alone");
  rejects({{2, {start}}, {0, {send}}}, 2, "exactly one sender and one receiver");
  rejects({{2, {start}}, {0, {receive}}}, 2, "starts with its sender");
  rejects({{2, {start}}, {0, {receive, send}}}, 2, "starts with its sender");
  rejects({{2, {start}}, {0, {send, deaf}}}, 2, "different channels");
  rejects({{2, {start}}, {0, {send, second}}}, 2, "has to receive");
  rejects({{2, {start}}, {0, {send, own}}}, 2, "takes part twice");
}

TEST_F(ValidatorTest, Broadcast) {
  const Played before = good[1];
  rejects({good[0], before, {0, {shout, hear_p}}}, 3, "process Q can receive the broadcast but does not");
  rejects({good[0], before, {0, {shout}}}, 3, "process P can receive the broadcast but does not");
  rejects({good[0], before, {0, {shout, hear_q, hear_p}}}, 3, "not in the order");
  rejects({good[0], before, {0, {shout, hear_p, hear_q, hear_q}}}, 3, "takes part twice");
  b.edge(hear_q).guard = {b.eq(n, 5)};
  rejects({good[0], before, {0, {shout, hear_p, hear_q}}}, 3, "the guard of Q: b -> b does not hold");
  EXPECT_TRUE(run(play(b.system, property, {good[0], before, {0, {shout, hear_p}}}, 1)).valid);
}

TEST_F(ValidatorTest, CommittedFirst) {
  b.location(p, 1).kind = LocationKind::Committed;
  rejects({{2, {start}}, {0, {idle}}}, 2, "a committed location has to be left first");
  EXPECT_TRUE(
      run(play(b.system, property, {{2, {start}}, {0, {send, receive}}, {0, {shout, hear_p, hear_q}}}, 4)).valid);
}

TEST_F(ValidatorTest, ChannelPriority) {
  b.system.channels[w.value].priority = 1;
  rejects(good, 1, "a transition of higher priority is enabled: R: a -> b");
}

TEST_F(ValidatorTest, ProcessPriority) {
  b.system.processes[r.value].priority = 1;
  rejects(good, 1, "a transition of higher priority is enabled");
  b.edge(idle).guard = {b.eq(n, 5)};
  b.edge(shout).guard = {b.eq(m, 2)};
  EXPECT_TRUE(run(play(b.system, property, good, 1)).valid);
}

TEST_F(ValidatorTest, Effects) {
  b.edge(receive).effect = {b.set(m, 6)};
  rejects(good, 2, "an effect leaves the range of a variable");
  b.edge(receive).effect = {};
  Trace trace = play(b.system, property, good, 1);
  b.edge(receive).effect = {b.run(b.store(m, b.op(Op::Div, b.get(n), b.op(Op::Sub, b.get(n), b.num(1)))))};
  rejects_trace(trace, 2, "division by zero");
}

TEST_F(ValidatorTest, InvariantsOfTheTarget) {
  b.location(q, 1).invariant = {b.eq(m, 3)};
  rejects(good, 2, "an invariant does not hold after the step");
  b.location(q, 1).invariant = {};
  b.location(q, 1).clock_invariant = {b.le(y, 4)};
  rejects(good, 2, "an invariant does not hold after the step");
}

TEST_F(ValidatorTest, ClaimedStates) {
  rejects_change(2, "claims m = 3 where it is 2", [&](Trace& t) { t.steps[1].state.values[m.value] = 3; });
  rejects_change(1, "claims P.location = 2 where it is 1",
                 [&](Trace& t) { t.steps[0].state.values[b.system.process(p).location.value] = 2; });
  rejects_change(2, "claims clock y = 4 where it is 5", [&](Trace& t) { t.steps[1].state.clocks[y.value] = 4; });
  rejects_change(1, "wrong number", [](Trace& t) { t.steps[0].state.values.clear(); });
  rejects_change(1, "list of changed variables", [](Trace& t) { t.steps[0].changed.pop_back(); });
  rejects_change(1, "list of changed variables", [&](Trace& t) { t.steps[0].changed.push_back(m.value); });
}

TEST_F(ValidatorTest, Goal) {
  rejects({good[0], good[1]}, 3, "the goal does not hold");
  rejects(good, 4, "the goal does not hold", 0);
}

TEST_F(ValidatorTest, Deadlock) {
  property = b.reachable({}, {}, DeadlockTest::IsDeadlock);
  rejects({good[0], good[1]}, 3, "the goal does not hold");
  EXPECT_TRUE(run(play(b.system, property, good)).valid);
  property = b.reachable({}, {}, DeadlockTest::NotDeadlock);
  rejects(good, 4, "the goal does not hold", 0);
  EXPECT_TRUE(run(play(b.system, property, {good[0], good[1]})).valid);
}

TEST_F(ValidatorTest, RuntimeErrorInTheGoal) {
  property = b.reachable({b.op(Op::Div, b.num(1), b.op(Op::Sub, b.get(n), b.num(1)))});
  rejects(good, 4, "the model fails: test.xta:1:1: error: division by zero");
}

}  // namespace
}  // namespace harrier::trace
