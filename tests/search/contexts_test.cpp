// Interference contexts and innocence on small systems whose answers are plain to see.
#include "search/contexts.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/system_builder.h"

namespace harrier::search {
namespace {

using testing_support::SystemBuilder;

// Four processes with one edge each, in a chain of variables: A writes x, B reads x and writes y, C reads y, D is
// alone.
struct Chain {
  SystemBuilder b;
  model::VarId x = b.var("x", 0, 1);
  model::VarId y = b.var("y", 0, 1);
  model::VarId z = b.var("z", 0, 1);
  model::ProcessId pa = b.process("A", {"a0", "a1"});
  model::ProcessId pb = b.process("B", {"b0", "b1"});
  model::ProcessId pc = b.process("C", {"c0", "c1"});
  model::ProcessId pd = b.process("D", {"d0", "d1"});
  model::EdgeId ea = b.edge(pa, 0, 1);
  model::EdgeId eb = b.edge(pb, 0, 1);
  model::EdgeId ec = b.edge(pc, 0, 1);
  model::EdgeId ed = b.edge(pd, 0, 1);

  Chain() {
    b.edge(ea).effect = {b.set(x, 1)};
    b.edge(eb).guard = {b.eq(x, 1)};
    b.edge(eb).effect = {b.set(y, 1)};
    b.edge(ec).guard = {b.eq(y, 1)};
    b.edge(ed).effect = {b.set(z, 1)};
  }
};

uint32_t of(const Contexts& contexts, model::EdgeId edge) {
  const uint32_t edges[] = {edge.value};
  return contexts.find(edges);
}

TEST(Contexts, DistanceIsTheLengthOfAChainOfInterference) {
  Chain s;
  Contexts contexts(s.b.system, SystemBuilder::reachable({s.b.at(s.pc, 1)}).goal, true);
  const uint32_t a = of(contexts, s.ea);
  const uint32_t b = of(contexts, s.eb);
  const uint32_t c = of(contexts, s.ec);
  const uint32_t d = of(contexts, s.ed);
  EXPECT_EQ(contexts.distance(a, a), 0);
  EXPECT_EQ(contexts.distance(a, b), 1);
  EXPECT_EQ(contexts.distance(b, a), 1);
  EXPECT_EQ(contexts.distance(b, c), 1);
  EXPECT_EQ(contexts.distance(a, c), 2);
  EXPECT_EQ(contexts.distance(c, a), 2);
  EXPECT_EQ(contexts.distance(a, d), Contexts::kUnrelated);
  EXPECT_EQ(contexts.distance(d, c), Contexts::kUnrelated);
  EXPECT_EQ(contexts.closure(a), contexts.closure(c));
  EXPECT_NE(contexts.closure(a), contexts.closure(d));
}

TEST(Contexts, ReadersOfOneVariableDoNotInterfere) {
  SystemBuilder b;
  const auto x = b.var("x", 0, 1);
  const auto p = b.process("P", {"p"});
  const auto q = b.process("Q", {"q"});
  const auto ep = b.edge(p, 0, 0);
  const auto eq = b.edge(q, 0, 0);
  b.edge(ep).guard = {b.eq(x, 0)};
  b.edge(eq).guard = {b.eq(x, 0)};
  Contexts contexts(b.system, SystemBuilder::reachable({b.eq(x, 1)}).goal, true);
  EXPECT_EQ(contexts.distance(of(contexts, ep), of(contexts, eq)), Contexts::kUnrelated);
}

TEST(Contexts, WritersOfOneVariableInterfere) {
  SystemBuilder b;
  const auto x = b.var("x", 0, 1);
  const auto p = b.process("P", {"p"});
  const auto q = b.process("Q", {"q"});
  const auto ep = b.edge(p, 0, 0);
  const auto eq = b.edge(q, 0, 0);
  b.edge(ep).effect = {b.set(x, 0)};
  b.edge(eq).effect = {b.set(x, 1)};
  Contexts contexts(b.system, SystemBuilder::reachable({b.eq(x, 1)}).goal, true);
  EXPECT_EQ(contexts.distance(of(contexts, ep), of(contexts, eq)), 1);
}

TEST(Contexts, TransitionsOfOneProcessInterfere) {
  SystemBuilder b;
  const auto p = b.process("P", {"p0", "p1"});
  const auto there = b.edge(p, 0, 1);
  const auto back = b.edge(p, 1, 0);
  const auto loop = b.edge(p, 0, 0);
  Contexts contexts(b.system, SystemBuilder::reachable({b.at(p, 1)}).goal, true);
  EXPECT_EQ(contexts.distance(of(contexts, there), of(contexts, back)), 1);
  EXPECT_EQ(contexts.distance(of(contexts, loop), of(contexts, back)), 1) << "a loop counts as a write of the process";
}

TEST(Contexts, ClocksAreVariablesIfTheyCount) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto p = b.process("P", {"p"});
  const auto q = b.process("Q", {"q"});
  const auto resets = b.edge(p, 0, 0);
  const auto tests = b.edge(q, 0, 0);
  b.edge(resets).effect = {b.reset(x)};
  b.edge(tests).clock_guard = {b.ge(x, 3)};
  Contexts contexts(b.system, SystemBuilder::reachable({b.at(q, 0)}).goal, true);
  EXPECT_EQ(contexts.distance(of(contexts, resets), of(contexts, tests)), 1);
  Contexts untimed(b.system, SystemBuilder::reachable({b.at(q, 0)}).goal, false);
  EXPECT_EQ(untimed.distance(of(untimed, resets), of(untimed, tests)), Contexts::kUnrelated);
}

TEST(Contexts, SynchronisationsAreOneTransition) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"p0", "p1"});
  const auto q = b.process("Q", {"q0", "q1"});
  const auto r = b.process("R", {"r0", "r1"});
  const auto send = b.send(p, 0, 1, c);
  const auto at_q = b.receive(q, 0, 1, c);
  const auto at_r = b.receive(r, 0, 1, c);
  const auto own = b.edge(r, 1, 0);
  Contexts contexts(b.system, SystemBuilder::reachable({b.at(r, 1)}).goal, true);
  const uint32_t to_q[] = {send.value, at_q.value};
  const uint32_t to_r[] = {send.value, at_r.value};
  EXPECT_NE(contexts.find(to_q), contexts.find(to_r));
  EXPECT_EQ(contexts.distance(contexts.find(to_q), contexts.find(to_r)), 1);
  EXPECT_EQ(contexts.distance(contexts.find(to_r), of(contexts, own)), 1);
  EXPECT_EQ(contexts.distance(contexts.find(to_q), of(contexts, own)), 2);
}

TEST(Contexts, ABroadcastIsFoundByItsSender) {
  SystemBuilder b;
  const auto c = b.channel("c", true);
  const auto p = b.process("P", {"p0", "p1"});
  const auto q = b.process("Q", {"q0", "q1"});
  const auto r = b.process("R", {"r0", "r1"});
  const auto send = b.send(p, 0, 1, c);
  const auto at_q = b.receive(q, 0, 1, c);
  const auto at_r = b.receive(r, 0, 1, c);
  Contexts contexts(b.system, SystemBuilder::reachable({b.at(r, 1)}).goal, true);
  const uint32_t alone[] = {send.value};
  const uint32_t with_one[] = {send.value, at_r.value};
  const uint32_t with_both[] = {send.value, at_q.value, at_r.value};
  EXPECT_EQ(contexts.find(alone), contexts.find(with_one));
  EXPECT_EQ(contexts.find(alone), contexts.find(with_both));
  EXPECT_FALSE(contexts.may_prune()) << "a broadcast takes along whoever is ready";
}

TEST(Innocence, IsNotToTouchTheGoal) {
  Chain s;
  const Contexts contexts(s.b.system, SystemBuilder::reachable({s.b.at(s.pc, 1)}).goal, true);
  EXPECT_TRUE(contexts.innocent(of(contexts, s.ea)));
  EXPECT_TRUE(contexts.innocent(of(contexts, s.eb)));
  EXPECT_FALSE(contexts.innocent(of(contexts, s.ec))) << "it enters the goal location";
  EXPECT_TRUE(contexts.innocent(of(contexts, s.ed)));
}

TEST(Innocence, LeavingAGoalLocationIsInnocent) {
  SystemBuilder b;
  const auto p = b.process("P", {"p0", "p1", "p2"});
  const auto enter = b.edge(p, 0, 1);
  const auto leave = b.edge(p, 1, 2);
  const Contexts contexts(b.system, SystemBuilder::reachable({b.at(p, 1)}).goal, true);
  EXPECT_FALSE(contexts.innocent(of(contexts, enter)));
  EXPECT_TRUE(contexts.innocent(of(contexts, leave)));
}

TEST(Innocence, AWriteOfAGoalVariableIsNotInnocent) {
  SystemBuilder b;
  const auto x = b.var("x", 0, 5);
  const auto y = b.var("y", 0, 5);
  const auto p = b.process("P", {"p"});
  const auto writes_x = b.edge(p, 0, 0);
  const auto writes_y = b.edge(p, 0, 0);
  b.edge(writes_x).effect = {b.run(b.store(x, b.op(model::Op::Add, b.get(x), b.num(1))))};
  b.edge(writes_y).effect = {b.set(y, 1)};
  const Contexts contexts(b.system, SystemBuilder::reachable({b.eq(x, 3)}).goal, true);
  EXPECT_FALSE(contexts.innocent(of(contexts, writes_x)));
  EXPECT_TRUE(contexts.innocent(of(contexts, writes_y)));
}

TEST(Innocence, EveryClauseOfTheGoalCounts) {
  Chain s;
  model::Property property = SystemBuilder::reachable({s.b.at(s.pc, 1)});
  property.goal.push_back({{s.b.eq(s.z, 1)}, {}, model::DeadlockTest::Ignore});
  const Contexts contexts(s.b.system, property.goal, true);
  EXPECT_FALSE(contexts.innocent(of(contexts, s.ec)));
  EXPECT_FALSE(contexts.innocent(of(contexts, s.ed)));
  EXPECT_TRUE(contexts.innocent(of(contexts, s.ea)));
}

TEST(Innocence, NothingIsInnocentOfADeadlockOrAClockGoal) {
  Chain s;
  const Contexts deadlock(s.b.system, SystemBuilder::reachable({}, {}, model::DeadlockTest::IsDeadlock).goal, true);
  EXPECT_FALSE(deadlock.innocent(of(deadlock, s.ea)));
  const auto x = s.b.clock("x");
  const Contexts clocks(s.b.system, SystemBuilder::reachable({}, {s.b.ge(x, 1)}).goal, true);
  EXPECT_FALSE(clocks.innocent(of(clocks, s.ea)));
}

TEST(Pruning, IsForSystemsWhoseTransitionsCommute) {
  const auto may_prune = [](auto&& change) {
    Chain s;
    change(s);
    return Contexts(s.b.system, SystemBuilder::reachable({s.b.at(s.pc, 1)}).goal, true).may_prune();
  };
  EXPECT_TRUE(may_prune([](Chain&) {}));
  EXPECT_FALSE(may_prune([](Chain& s) { s.b.clock("x"); }));
  EXPECT_FALSE(may_prune([](Chain& s) { s.b.location(s.pa, 0).kind = model::LocationKind::Committed; }));
  EXPECT_FALSE(may_prune([](Chain& s) { s.b.location(s.pa, 0).invariant = {s.b.eq(s.x, 0)}; }));
  EXPECT_FALSE(may_prune([](Chain& s) { s.b.system.processes[0].priority = 1; }));
  EXPECT_FALSE(may_prune([](Chain& s) { s.b.channel("c", true); }));
}

}  // namespace
}  // namespace harrier::search
