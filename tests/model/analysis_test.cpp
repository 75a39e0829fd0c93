// Read and write sets, and the flat list of transitions.
#include "model/analysis.h"

#include <gtest/gtest.h>

#include "support/system_builder.h"

namespace harrier::model {
namespace {

using testing_support::SystemBuilder;

class AnalysisTest : public ::testing::Test {
 protected:
  SystemBuilder b;
  VarId x = b.var("x", 0, 9);
  VarId y = b.var("y", 0, 1);
  VarId a = b.array("a", 4, 0, 9);
  ClockId c = b.clock("c[0]");
  ClockId d = b.clock("c[1]");
  ProcessId p = b.process("P", {"l", "m"});
  ProcessId q = b.process("Q", {"l", "m"});
  ProcessId r = b.process("R", {"l"});

  VarId element(size_t i) const { return VarId(a.value + i); }
};

TEST_F(AnalysisTest, Expressions) {
  Accesses accesses(b.system);
  EXPECT_EQ(accesses.of(b.op(Op::Add, b.get(y), b.get(x))).reads, (std::vector<VarId>{x, y}));
  // The whole block for an unknown index, a part of it for a narrow one.
  EXPECT_EQ(accesses.of(b.load(a, 4, b.get(x))).reads,
            (std::vector<VarId>{x, element(0), element(1), element(2), element(3)}));
  EXPECT_EQ(accesses.of(b.load(a, 4, b.op(Op::Add, b.get(y), b.num(1)))).reads,
            (std::vector<VarId>{y, element(1), element(2)}));
  const Access stored = accesses.of(b.store(a, 4, b.num(2), b.get(y)));
  EXPECT_EQ(stored.reads, std::vector<VarId>{y});
  EXPECT_EQ(stored.writes, std::vector<VarId>{element(2)});
}

TEST_F(AnalysisTest, FunctionsCountWithAllThatTheyCall) {
  const FunctionId inner = b.function("inner", 0, 0, {b.set(x, 1), b.reset(d)});
  const FunctionId outer = b.function("outer", 1, 1, {b.give_back(b.op(Op::Add, b.call(inner, {}), b.get(y)))});
  Accesses accesses(b.system);
  const Access access = accesses.of(b.call(outer, {b.get(element(3))}));
  EXPECT_EQ(access.reads, (std::vector<VarId>{y, element(3)}));
  EXPECT_EQ(access.writes, std::vector<VarId>{x});
  EXPECT_EQ(access.clocks_written, std::vector<ClockId>{d});
}

TEST_F(AnalysisTest, WhatCanFail) {
  const System& system = b.system;
  EXPECT_FALSE(can_fail(system, b.op(Op::Lt, b.op(Op::Add, b.get(x), b.get(y)), b.num(3))));
  EXPECT_TRUE(can_fail(system, b.op(Op::Add, b.get(x), b.num(INT32_MAX))));
  EXPECT_TRUE(can_fail(system, b.op(Op::Div, b.num(1), b.get(x))));
  EXPECT_FALSE(can_fail(system, b.op(Op::Mod, b.get(x), b.num(3))));
  EXPECT_TRUE(can_fail(system, b.load(a, 4, b.get(x))));
  EXPECT_FALSE(can_fail(system, b.load(a, 4, b.get(y))));
  const auto in_range = [&](VarId v) {
    return b.system.make({.op = Op::InRange, .a = b.get(v), .b = b.num(0), .c = b.num(1)});
  };
  EXPECT_TRUE(can_fail(system, in_range(x)));
  EXPECT_FALSE(can_fail(system, in_range(y)));
  const FunctionId fails = b.function("fails", 0, 0, {b.give_back(in_range(x))});
  const FunctionId works = b.function("works", 1, 1, {b.give_back(in_range(y))});
  EXPECT_FALSE(can_stop(system)) << "no edge does any of this";
  EXPECT_TRUE(can_fail(system, b.call(fails, {})));
  EXPECT_FALSE(can_fail(system, b.call(works, {b.get(x)})));
  EXPECT_TRUE(can_fail(system, b.call(works, {b.load(a, 4, b.get(x))})));
  ClockConstraint bound = b.lt(c, 9);
  EXPECT_FALSE(can_fail(system, Clause{{}, {bound}}));
  bound.condition = b.op(Op::Div, b.num(1), b.get(x));
  EXPECT_TRUE(can_fail(system, Clause{{}, {bound}}));
}

TEST_F(AnalysisTest, ResetsWithOffset) {
  const StmtId all =
      b.system.make_stmt({.kind = StmtKind::Reset, .expr = b.num(0), .count = 2, .clock = c, .offset = b.get(x)});
  Accesses accesses(b.system);
  EXPECT_EQ(accesses.of(all).clocks_written, (std::vector<ClockId>{c, d}));
  EXPECT_EQ(accesses.of(all).reads, std::vector<VarId>{x});
}

TEST_F(AnalysisTest, EdgesAndTransitions) {
  const ChannelId binary = b.channel("binary");
  const ChannelId broadcast = b.channel("broadcast", true);
  const EdgeId internal = b.edge(p, 0, 0);
  b.edge(internal).guard = {b.eq(x, 1)};
  b.edge(internal).clock_guard = {b.ge(c, 1)};
  const EdgeId send = b.send(p, 0, 1, binary);
  const EdgeId own = b.receive(p, 1, 0, binary);
  const EdgeId receive = b.receive(q, 0, 1, binary);
  b.edge(receive).effect = {b.set(y, 1)};
  const EdgeId shout = b.send(q, 1, 0, broadcast);
  const EdgeId hear_p = b.receive(p, 1, 0, broadcast);
  const EdgeId hear_r = b.receive(r, 0, 0, broadcast);
  b.system.after_update = {b.set(element(0), 0)};

  const auto transitions = flat_transitions(b.system);
  ASSERT_EQ(transitions.size(), 3U);
  EXPECT_EQ(transitions[0].edges, std::vector<EdgeId>{internal});
  EXPECT_EQ(transitions[1].edges, (std::vector<EdgeId>{send, receive}));
  EXPECT_EQ(transitions[2].edges, std::vector<EdgeId>{shout});
  EXPECT_EQ(transitions[2].optional, (std::vector<EdgeId>{hear_p, hear_r}));
  EXPECT_EQ(participants(b.system, transitions[1]), (std::vector<ProcessId>{p, q}));
  EXPECT_EQ(participants(b.system, transitions[2]), (std::vector<ProcessId>{p, q, r}));
  EXPECT_NE(b.edge(own).direction, Direction::Internal);

  Accesses accesses(b.system);
  const VarId at_p = b.system.process(p).location;
  const VarId at_q = b.system.process(q).location;
  const Access loop = accesses.of(b.edge(internal));
  EXPECT_EQ(loop.reads, (std::vector<VarId>{x, at_p}));
  EXPECT_TRUE(loop.writes.empty());
  EXPECT_EQ(loop.clocks_read, std::vector<ClockId>{c});
  const Access both = accesses.of(transitions[1]);
  EXPECT_EQ(both.reads, (std::vector<VarId>{at_p, at_q}));
  EXPECT_EQ(both.writes, (std::vector<VarId>{y, element(0), at_p, at_q}));
}

TEST_F(AnalysisTest, LocationsAndClauses) {
  b.location(p, 0).invariant = {b.eq(x, 1)};
  b.location(p, 0).clock_invariant = {b.difference(c, d, 3, false)};
  Accesses accesses(b.system);
  EXPECT_EQ(accesses.of(b.location(p, 0)), (Access{{x}, {}, {c, d}, {}}));
  EXPECT_EQ(accesses.of(Clause{{b.eq(y, 1)}, {b.le(d, 2)}, {}}), (Access{{y}, {}, {d}, {}}));
}

// What an edge writes, and what follows from that, in several steps.
TEST(AccessesWithAxioms, WhatFollowsIsWritten) {
  testing_support::SystemBuilder b;
  const ProcessId p = b.process("P", {"A", "B"});
  const VarId x = b.var("x", 0, 1);
  const VarId y = b.var("y", 0, 1);
  const VarId first = b.var("first", 0, 1);
  const VarId second = b.var("second", 0, 1);
  const VarId of_place = b.var("of_place", 0, 1);
  b.system.axioms.push_back({first, 1, 0, {b.eq(x, 1)}, {}});
  b.system.axioms.push_back({of_place, 1, 0, {b.at(p, 1)}, {}});
  b.system.axioms.push_back({second, 1, 1, {b.eq(first, 0), b.eq(y, 1)}, {}});
  const EdgeId set = b.edge(p, 0, 0);
  b.edge(set).effect = {b.set(x, 1)};
  const EdgeId go = b.edge(p, 0, 1);
  Accesses accesses(b.system);
  const VarId place = b.system.process(p).location;
  EXPECT_EQ(accesses.of(b.system.axioms[2]).reads, (std::vector<VarId>{y, first}));
  EXPECT_EQ(accesses.of(b.edge(set)).writes, (std::vector<VarId>{x, first, second}));
  EXPECT_EQ(accesses.of(b.edge(set)).reads, std::vector<VarId>{place});
  EXPECT_EQ(accesses.of(Transition{{set}, {}}), accesses.of(b.edge(set)));
  EXPECT_EQ(accesses.of(b.edge(go)).writes, (std::vector<VarId>{place, of_place}));
}

}  // namespace
}  // namespace harrier::model
