// Which edges fire together, and what they do.
#include "step/network.h"

#include <gtest/gtest.h>

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "support/system_builder.h"
#include "zone/dbm.h"

namespace harrier::step {
namespace {

using model::EdgeId;
using model::LocationKind;
using testing_support::SystemBuilder;
using Edges = std::vector<uint32_t>;
using Values = std::vector<int32_t>;

struct Combination {
  Edges edges;
  Edges refused = {};
  bool operator==(const Combination&) const = default;
};
using Combinations = std::vector<Combination>;

void PrintTo(const Combination& c, std::ostream* out) {
  *out << ::testing::PrintToString(c.edges);
  if (!c.refused.empty()) *out << " without " << ::testing::PrintToString(c.refused);
}

Edges numbers(const std::vector<EdgeId>& edges) {
  Edges out;
  for (const EdgeId e : edges) out.push_back(e.value);
  return out;
}
Combination together(const std::vector<EdgeId>& edges, const std::vector<EdgeId>& refused = {}) {
  return {numbers(edges), numbers(refused)};
}
Combinations each_alone(const std::vector<EdgeId>& edges) {
  Combinations out;
  for (const EdgeId e : edges) out.push_back(together({e}));
  return out;
}

// A network with a state to look at.
struct Stage {
  explicit Stage(const SystemBuilder& b)
      : network(b.system), work(network.program()), values(b.system.initial_values()) {}

  Combinations firings(ReceiverFilter* filter = nullptr) {
    Combinations out;
    network.for_each_firing(
        work, values.data(),
        [&](const Firing& f) {
          out.push_back({{f.edges.begin(), f.edges.end()}, {f.refused.begin(), f.refused.end()}});
          return true;
        },
        filter);
    return out;
  }
  int32_t& at(model::ProcessId p) { return values[network.system().process(p).location.value]; }
  int32_t& operator[](model::VarId v) { return values[v.value]; }
  // Fires and lets it stand, if it can.
  bool fire(const std::vector<EdgeId>& edges) {
    const Values before = values;
    const bool fired = network.fire(work, values.data(), numbers(edges));
    if (fired) {
      work.keep();
    } else {
      work.undo(values.data());
      EXPECT_EQ(values, before);
    }
    return fired;
  }
  Edges refused(const std::vector<EdgeId>& edges) {
    Edges out{99};  // what it held before does not matter
    network.refused(work, values.data(), numbers(edges), out);
    return out;
  }
  bool may_delay() { return network.may_delay(work, values.data()); }

  Network network;
  Workspace work;
  Values values;
};

// ---- what fires together ----

TEST(Network, AnInternalEdgeFiresAlone) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3, 1);
  const auto p = b.process("P", {"A", "B"});
  const auto q = b.process("Q", {"A", "B"});
  const auto of_q = b.edge(q, 0, 1);
  const auto of_p = b.edge(p, 0, 1);
  const auto guarded = b.edge(p, 0, 0);
  b.edge(guarded).guard = {b.eq(v, 2)};
  const auto elsewhere = b.edge(p, 1, 0);
  Stage s(b);
  EXPECT_EQ(s.firings(), each_alone({of_p, of_q})) << "in the order of the processes";
  s[v] = 2;
  EXPECT_EQ(s.firings(), each_alone({of_p, guarded, of_q}));
  s.at(p) = 1;
  EXPECT_EQ(s.firings(), each_alone({elsewhere, of_q}));
}

TEST(Network, AGuardThatLeavesARangeIsFalse) {
  SystemBuilder b;
  const auto p = b.process("P", {"A"});
  const auto e = b.edge(p, 0, 0);
  const auto v = b.var("v", 0, 9, 5);
  b.edge(e).guard = {b.system.make(
      {.op = model::Op::InRange, .a = b.get(v), .b = b.num(0), .c = b.num(3), .at = SystemBuilder::line(1)})};
  Stage s(b);
  EXPECT_EQ(s.firings(), Combinations{});
  s[v] = 3;
  EXPECT_EQ(s.firings(), each_alone({e}));
}

TEST(Network, ABinaryChannelJoinsASenderWithOneReceiverOfAnotherProcess) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto other = b.channel("other");
  const auto p = b.process("P", {"A", "B"});
  const auto q = b.process("Q", {"A", "B"});
  const auto r = b.process("R", {"A", "B"});
  const auto by_r = b.receive(r, 0, 1, c);
  const auto send = b.send(p, 0, 1, c);
  b.receive(p, 0, 1, c);  // nobody receives from himself
  const auto by_q = b.receive(q, 0, 1, c);
  const auto by_q_too = b.receive(q, 0, 0, c);
  b.receive(q, 0, 1, other);
  Stage s(b);
  EXPECT_EQ(s.firings(), (Combinations{together({send, by_q}), together({send, by_q_too}), together({send, by_r})}));
  s.at(q) = 1;
  EXPECT_EQ(s.firings(), (Combinations{together({send, by_r})}));
  s.at(r) = 1;
  EXPECT_EQ(s.firings(), Combinations{}) << "a sender waits for a receiver";
}

TEST(Network, BothGuardsOfASynchronisationMustHold) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto sends = b.var("sends", 0, 1);
  const auto receives = b.var("receives", 0, 1);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto send = b.send(p, 0, 0, c);
  const auto receive = b.receive(q, 0, 0, c);
  b.edge(send).guard = {b.eq(sends, 1)};
  b.edge(receive).guard = {b.eq(receives, 1)};
  Stage s(b);
  for (const int32_t sender : {0, 1}) {
    for (const int32_t receiver : {0, 1}) {
      s[sends] = sender;
      s[receives] = receiver;
      EXPECT_EQ(s.firings().size(), sender == 1 && receiver == 1 ? 1u : 0u);
    }
  }
}

// A sender and three listeners; the edges of the last one come first.
struct Broadcasting {
  Broadcasting() {
    c = b.channel("c", true);
    for (const char* name : {"S", "P", "Q", "R"}) processes.push_back(b.process(name, {"A", "B"}));
    by_r = b.receive(processes[3], 0, 1, c);
    by_q = b.receive(processes[2], 0, 1, c);
    by_p = b.receive(processes[1], 0, 1, c);
    send = b.send(processes[0], 0, 1, c);
    x = b.clock("x");
  }
  SystemBuilder b;
  model::ChannelId c;
  model::ClockId x;
  std::vector<model::ProcessId> processes;
  EdgeId send, by_p, by_q, by_r;
};

TEST(Network, ABroadcastTakesEveryReceiverAlong) {
  Broadcasting m;
  m.b.receive(m.processes[0], 0, 1, m.c);  // not the sender itself
  Stage s(m.b);
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_q, m.by_r})})) << "in the order of the processes";
  s.at(m.processes[2]) = 1;
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_r})}));
  s.at(m.processes[1]) = s.at(m.processes[3]) = 1;
  EXPECT_EQ(s.firings(), each_alone({m.send})) << "it waits for nobody";
}

TEST(Network, ABroadcastLeavesOutWhoCannotReceive) {
  Broadcasting m;
  const auto v = m.b.var("v", 0, 1);
  m.b.edge(m.by_q).guard = {m.b.eq(v, 1)};
  Stage s(m.b);
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_r})}));
  EXPECT_EQ(s.refused({m.send, m.by_p, m.by_r}), Edges{});
  s[v] = 1;
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_q, m.by_r})}));
}

TEST(Network, ABroadcastGoesThroughTheAlternativesOfItsReceivers) {
  Broadcasting m;
  const auto also_p = m.b.receive(m.processes[1], 0, 0, m.c);
  const auto also_r = m.b.receive(m.processes[3], 0, 0, m.c);
  Stage s(m.b);
  EXPECT_EQ(s.firings(),
            (Combinations{together({m.send, m.by_p, m.by_q, m.by_r}), together({m.send, also_p, m.by_q, m.by_r}),
                          together({m.send, m.by_p, m.by_q, also_r}), together({m.send, also_p, m.by_q, also_r})}));
}

TEST(Network, OnlyClocksLetAReceiverRefuse) {
  Broadcasting m;
  m.b.edge(m.by_p).clock_guard = {m.b.ge(m.x, 3)};
  const auto late_q = m.b.receive(m.processes[2], 0, 0, m.c);
  m.b.edge(late_q).clock_guard = {m.b.ge(m.x, 5)};  // but by_q is always open
  Stage s(m.b);
  EXPECT_EQ(s.firings(),
            (Combinations{together({m.send, m.by_p, m.by_q, m.by_r}), together({m.send, m.by_q, m.by_r}, {m.by_p}),
                          together({m.send, m.by_p, late_q, m.by_r}), together({m.send, late_q, m.by_r}, {m.by_p})}));
}

TEST(Network, WhoRefusesRefusesAllItsOpenEdges) {
  Broadcasting m;
  const auto v = m.b.var("v", 0, 1);
  m.b.edge(m.by_p).clock_guard = {m.b.ge(m.x, 3)};
  const auto early = m.b.receive(m.processes[1], 0, 0, m.c);
  m.b.edge(early).clock_guard = {m.b.le(m.x, 1)};
  const auto closed = m.b.receive(m.processes[1], 0, 0, m.c);
  m.b.edge(closed).guard = {m.b.eq(v, 1)};  // no clock guard, but it is not open
  Stage s(m.b);
  s.at(m.processes[2]) = s.at(m.processes[3]) = 1;
  EXPECT_EQ(s.firings(),
            (Combinations{together({m.send, m.by_p}), together({m.send, early}), together({m.send}, {m.by_p, early})}));
  EXPECT_EQ(s.refused({m.send}), numbers({m.by_p, early})) << "the same, told afterwards";
  EXPECT_EQ(s.refused({m.send, early}), Edges{}) << "P takes part";
  s[v] = 1;
  EXPECT_EQ(s.firings().size(), 3u) << "nobody may refuse now";
}

TEST(Network, OnlyBroadcastsAreRefused) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto r = b.process("R", {"A"});
  const auto internal = b.edge(p, 0, 0);
  const auto send = b.send(p, 0, 0, c);
  const auto receive = b.receive(q, 0, 0, c);
  b.receive(r, 0, 0, c);
  Stage s(b);
  EXPECT_EQ(s.refused({internal}), Edges{});
  EXPECT_EQ(s.refused({send, receive}), Edges{});
}

TEST(Network, ClockGuardsAreNotLookedAt) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto p = b.process("P", {"A"});
  const auto e = b.edge(p, 0, 0);
  b.edge(e).clock_guard = {b.lt(x, 0)};
  Stage s(b);
  EXPECT_EQ(s.firings(), each_alone({e}));
  ASSERT_EQ(s.network.edge(e.value).clock_guard.size(), 1u);
  EXPECT_EQ(s.network.edge(e.value).clock_guard[0].bound, 0);
}

TEST(Network, TheVisitorCanStopIt) {
  Broadcasting m;
  m.b.receive(m.processes[1], 0, 0, m.c);
  m.b.edge(m.processes[1], 0, 0);
  m.b.edge(m.processes[1], 0, 0);
  Stage s(m.b);
  const size_t all = s.firings().size();
  ASSERT_EQ(all, 4u);
  for (size_t most = 1; most <= all; ++most) {
    size_t seen = 0;
    s.network.for_each_firing(s.work, s.values.data(), [&](const Firing&) { return ++seen < most; });
    EXPECT_EQ(seen, most);
  }
}

TEST(Network, ListsWhatOneProcessStarts) {
  Broadcasting m;
  const auto own = m.b.edge(m.processes[2], 0, 1);
  Stage s(m.b);
  const auto of = [&](size_t p) {
    Combinations out;
    s.network.for_each_firing_of(s.work, s.values.data(), m.processes[p].value, false, [&](const Firing& f) {
      out.push_back({{f.edges.begin(), f.edges.end()}, {}});
      return true;
    });
    return out;
  };
  EXPECT_EQ(of(0), (Combinations{together({m.send, m.by_p, m.by_q, m.by_r})}));
  EXPECT_EQ(of(1), Combinations{}) << "it can only receive";
  EXPECT_EQ(of(2), each_alone({own}));
}

// ---- committed locations ----

TEST(Network, WhileSomebodyIsCommittedOthersWait) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "committed"});
  const auto q = b.process("Q", {"A"});
  b.location(p, 1).kind = LocationKind::Committed;
  const auto in = b.edge(p, 0, 1);
  const auto out = b.edge(p, 1, 0);
  const auto other = b.edge(q, 0, 0);
  Stage s(b);
  EXPECT_FALSE(s.network.committed(s.values.data()));
  EXPECT_EQ(s.firings(), each_alone({in, other}));
  ASSERT_TRUE(s.fire({in}));
  EXPECT_TRUE(s.network.committed(s.values.data()));
  EXPECT_EQ(s.firings(), each_alone({out}));
  EXPECT_TRUE(s.network.edge(out.value).from_committed);
  EXPECT_FALSE(s.network.edge(in.value).from_committed);
}

TEST(Network, OnePartnerFromACommittedLocationIsEnough) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"A", "committed"});
  const auto q = b.process("Q", {"A", "committed"});
  const auto r = b.process("R", {"committed"});
  std::vector<EdgeId> sends, receives;
  for (const uint32_t l : {0u, 1u}) {
    sends.push_back(b.send(p, l, l, c));
    receives.push_back(b.receive(q, l, l, c));
  }
  b.location(p, 1).kind = b.location(q, 1).kind = b.location(r, 0).kind = LocationKind::Committed;
  Stage s(b);
  for (const int32_t sender : {0, 1}) {
    for (const int32_t receiver : {0, 1}) {
      s.at(p) = sender;
      s.at(q) = receiver;
      const Combinations both{together({sends[static_cast<size_t>(sender)], receives[static_cast<size_t>(receiver)]})};
      EXPECT_EQ(s.firings(), sender == 1 || receiver == 1 ? both : Combinations{});
    }
  }
}

TEST(Network, AReceiverCanMakeABroadcastLeaveACommittedLocation) {
  Broadcasting m;
  m.b.location(m.processes[2], 0).kind = LocationKind::Committed;
  m.b.edge(m.by_q).clock_guard = {m.b.ge(m.x, 3)};
  Stage s(m.b);
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_q, m.by_r})})) << "not without Q";
  s.at(m.processes[2]) = 1;
  EXPECT_EQ(s.firings(), (Combinations{together({m.send, m.by_p, m.by_r})})) << "nobody is committed";
}

// ---- urgency and idleness ----

TEST(Network, MoreUrgentEdgesOfAProcessComeFirst) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  std::vector<EdgeId> edges;
  for (const int32_t urgency : {0, 2, 1, 2}) {
    edges.push_back(b.edge(p, 0, 0));
    b.edge(edges.back()).urgency = static_cast<uint8_t>(urgency);
    if (urgency != 0) b.edge(edges.back()).guard = {b.op(model::Op::Ge, b.get(v), b.num(urgency))};
  }
  const auto other = b.edge(q, 0, 0);
  Stage s(b);
  EXPECT_EQ(s.firings(), each_alone({edges[0], other}));
  s[v] = 1;
  EXPECT_EQ(s.firings(), each_alone({edges[2], other}));
  s[v] = 2;
  EXPECT_EQ(s.firings(), each_alone({edges[1], edges[3], other})) << "only within a process";
  const Network::LocationInfo& here = s.network.location(p.value, s.values.data());
  EXPECT_EQ(here.starts.internal, numbers({edges[1], edges[3]}));
  ASSERT_EQ(here.patient.size(), 2u);
  EXPECT_EQ(here.patient[0].internal, numbers({edges[2]}));
  EXPECT_EQ(here.patient[1].internal, numbers({edges[0]}));
}

TEST(Network, AnUrgentSendWithoutAReceiverKeepsNobodyWaiting) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A", "B"});
  const auto send = b.send(p, 0, 0, c);
  b.edge(send).urgency = 1;
  const auto patient = b.edge(p, 0, 0);
  const auto receive = b.receive(q, 0, 1, c);
  Stage s(b);
  EXPECT_EQ(s.firings(), (Combinations{together({send, receive})}));
  s.at(q) = 1;
  EXPECT_EQ(s.firings(), each_alone({patient}));
}

TEST(Network, PatientAndIdleEdgesWaitForABroadcastToo) {
  SystemBuilder b;
  const auto c = b.channel("c", true);
  const auto v = b.var("v", 0, 1);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto send = b.send(p, 0, 0, c);
  b.edge(send).urgency = 1;
  b.edge(send).guard = {b.eq(v, 0)};
  const auto patient = b.edge(p, 0, 0);
  b.edge(patient).guard = {b.eq(v, 0)};
  const auto idle = b.edge(q, 0, 0);
  b.edge(idle).when_idle = true;
  Stage s(b);
  EXPECT_EQ(s.firings(), each_alone({send}));
  s[v] = 1;
  EXPECT_EQ(s.firings(), each_alone({idle}));
}

TEST(Network, AnIdleEdgeWaitsUntilNothingElseCanStart) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 1);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto idle_p = b.edge(p, 0, 0);
  const auto idle_q = b.edge(q, 0, 0);
  b.edge(idle_p).when_idle = b.edge(idle_q).when_idle = true;
  b.edge(idle_q).urgency = 3;  // means nothing among the idle
  const auto busy = b.edge(q, 0, 0);
  b.edge(busy).guard = {b.eq(v, 0)};
  Stage s(b);
  EXPECT_TRUE(s.network.has_idle_edges());
  EXPECT_EQ(s.firings(), each_alone({busy}));
  s[v] = 1;
  EXPECT_EQ(s.firings(), each_alone({idle_p, idle_q}));
  b.edge(idle_p).when_idle = b.edge(idle_q).when_idle = false;
  EXPECT_FALSE(Network(b.system).has_idle_edges());
}

// ---- exclusive control ----

struct Controlled {
  Controlled() {
    control = b.var("control", 0, 2);
    b.system.control = control;
    blocked = b.var("blocked", 0, 1);
    p = b.process("P", {"A", "B", "C"});
    q = b.process("Q", {"A", "B"});
    enter = b.edge(p, 0, 1);
    b.edge(enter).keeps_control = true;
    go_on = b.edge(p, 1, 2);
    b.edge(go_on).guard = {b.eq(blocked, 0)};
    other = b.edge(q, 0, 0);
  }
  SystemBuilder b;
  model::VarId control, blocked;
  model::ProcessId p, q;
  EdgeId enter, go_on, other;
};

TEST(Network, AProcessInControlGoesOnAlone) {
  Controlled m;
  Stage s(m.b);
  EXPECT_FALSE(s.network.controlled(s.values.data()));
  EXPECT_EQ(s.firings(), each_alone({m.enter, m.other}));
  ASSERT_TRUE(s.fire({m.enter}));
  EXPECT_EQ(s[m.control], 1) << "1 + the number of P";
  EXPECT_TRUE(s.network.controlled(s.values.data()));
  EXPECT_EQ(s.firings(), each_alone({m.go_on}));
  ASSERT_TRUE(s.fire({m.go_on}));
  EXPECT_EQ(s[m.control], 0);
  EXPECT_EQ(s.firings(), each_alone({m.other}));
}

TEST(Network, AProcessThatCannotGoOnLosesControl) {
  Controlled m;
  Stage s(m.b);
  s[m.blocked] = 1;
  ASSERT_TRUE(s.fire({m.enter}));
  EXPECT_EQ(s[m.control], 0);
  EXPECT_EQ(s.firings(), each_alone({m.other}));
}

TEST(Network, AProcessThatACommittedLocationKeepsBackLosesControl) {
  Controlled m;
  for (const model::ProcessId p : {m.p, m.q}) {
    m.b.system.processes[p.value].locations[0].kind = model::LocationKind::Committed;
  }
  Stage s(m.b);
  ASSERT_TRUE(s.fire({m.enter}));
  EXPECT_EQ(s[m.control], 0);
  EXPECT_EQ(s.firings(), each_alone({m.other}));
}

TEST(Network, TheLastOfThoseThatKeepControlHasIt) {
  SystemBuilder b;
  b.system.control = b.var("control", 0, 2);
  const auto c = b.channel("c");
  const auto p = b.process("P", {"A", "B"});
  const auto q = b.process("Q", {"A", "B"});
  const auto send = b.send(p, 0, 1, c);
  const auto receive = b.receive(q, 0, 1, c);
  b.edge(p, 1, 1);
  b.edge(q, 1, 1);
  for (const bool sender : {false, true}) {
    for (const bool receiver : {false, true}) {
      b.edge(send).keeps_control = sender;
      b.edge(receive).keeps_control = receiver;
      Stage s(b);
      ASSERT_TRUE(s.fire({send, receive}));
      EXPECT_EQ(s[b.system.control], receiver ? 2 : sender ? 1 : 0);
    }
  }
}

TEST(Network, TheClaimAndTheOthersTakeTurns) {
  SystemBuilder b;
  const auto stopped = b.var("stopped", 0, 1);
  b.system.control = b.var("control", 0, 2);
  const auto p = b.process("P", {"A"});
  const auto claim = b.process("claim", {"A"});
  b.system.claim = claim;
  const auto step = b.edge(p, 0, 0);
  b.edge(step).guard = {b.eq(stopped, 0)};
  const auto watches = b.edge(claim, 0, 0);
  const auto stutters = b.edge(claim, 0, 0);
  b.edge(stutters).when_idle = true;
  Stage s(b);
  EXPECT_TRUE(s.network.is_claim(claim.value));
  EXPECT_FALSE(s.network.is_claim(p.value));
  s[b.system.control] = 2;  // it begins
  EXPECT_EQ(s.firings(), each_alone({watches}));
  ASSERT_TRUE(s.fire({watches}));
  EXPECT_EQ(s[b.system.control], 0);
  EXPECT_EQ(s.firings(), each_alone({step})) << "the claim does not move by itself";
  ASSERT_TRUE(s.fire({step}));
  EXPECT_EQ(s[b.system.control], 2);
  ASSERT_TRUE(s.fire({watches}));
  s[stopped] = 1;
  EXPECT_EQ(s.firings(), each_alone({stutters})) << "where the others cannot move";
  ASSERT_TRUE(s.fire({stutters}));
  EXPECT_EQ(s[b.system.control], 2) << "that counts as their turn";
}

// ---- what a transition does ----

TEST(Network, EffectsRunInOrderAndLocationsChangeLast) {
  Broadcasting m;
  const auto digits = m.b.var("digits", 0, 999999);
  const auto location = m.b.var("location", 0, 9, 9);
  const auto append = [&](int32_t digit) {
    const auto shifted = m.b.op(model::Op::Mul, m.b.get(digits), m.b.num(10));
    return m.b.run(m.b.store(digits, m.b.op(model::Op::Add, shifted, m.b.num(digit))));
  };
  m.b.system.before_update = {append(1)};
  m.b.edge(m.send).effect = {append(2)};
  m.b.edge(m.by_p).effect = {append(3)};
  m.b.edge(m.by_q).effect = {append(4)};
  m.b.edge(m.by_r).effect = {append(5)};
  const auto of_sender = m.b.system.process(m.processes[0]).location;
  m.b.system.after_update = {append(6), m.b.run(m.b.store(location, m.b.get(of_sender)))};
  Stage s(m.b);
  ASSERT_TRUE(s.fire({m.send, m.by_p, m.by_q, m.by_r}));
  EXPECT_EQ(s[digits], 123456);
  EXPECT_EQ(s[location], 0) << "the sender was still where it was";
  for (const auto p : m.processes) EXPECT_EQ(s.at(p), 1);
}

TEST(Network, GuardsAreReadInTheOldStateAndEffectsSeeEachOther) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto message = b.var("message", 0, 9);
  const auto got = b.var("got", 0, 9);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto send = b.send(p, 0, 0, c);
  b.edge(send).effect = {b.set(message, 7)};
  const auto before = b.receive(q, 0, 0, c);
  b.edge(before).guard = {b.eq(message, 0)};
  b.edge(before).effect = {b.run(b.store(got, b.get(message)))};
  const auto after = b.receive(q, 0, 0, c);
  b.edge(after).guard = {b.eq(message, 7)};
  Stage s(b);
  EXPECT_EQ(s.firings(), (Combinations{together({send, before})}));
  ASSERT_TRUE(s.fire({send, before}));
  EXPECT_EQ(s[got], 7) << "the sender's effect first";
  EXPECT_EQ(s.firings(), (Combinations{together({send, after})}));
}

TEST(Network, ATransitionThatLeavesARangeIsNotTaken) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto v = b.var("v", 0, 1);
  const auto w = b.var("w", 0, 1);
  const auto p = b.process("P", {"A", "B"});
  const auto q = b.process("Q", {"A", "B"});
  const auto send = b.send(p, 0, 1, c);
  b.edge(send).effect = {b.set(v, 1)};
  const auto receive = b.receive(q, 0, 1, c);
  b.edge(receive).effect = {b.set(w, 2)};
  Stage s(b);
  EXPECT_FALSE(s.fire({send, receive}));
  ASSERT_EQ(s.work.violations().size(), 1u);
  EXPECT_EQ(s.work.violations()[0].edge, receive.value);
  EXPECT_EQ(s.work.violations()[0].variable, w.value);
  EXPECT_EQ(s.firings(), (Combinations{together({send, receive})})) << "its guards hold all the same";
}

TEST(Network, ARunTimeErrorInAnEffectIsThrownAndCanBeTakenBack) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 9);
  const auto p = b.process("P", {"A", "B"});
  const auto e = b.edge(p, 0, 1);
  b.edge(e).effect = {b.set(v, 4),
                      b.run(b.store(v, b.op(model::Op::Div, b.num(1), b.op(model::Op::Sub, b.get(v), b.num(4)))))};
  Stage s(b);
  const Values before = s.values;
  EXPECT_THROW(s.network.fire(s.work, s.values.data(), numbers({e})), model::EvalFailure);
  s.work.undo(s.values.data());
  EXPECT_EQ(s.values, before);
}

TEST(Network, IntegerInvariantsMustHoldAfterwards) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"A", "small"});
  const auto q = b.process("Q", {"not 2"});
  b.location(p, 1).invariant = {b.op(model::Op::Lt, b.get(v), b.num(3))};
  b.location(q, 0).invariant = {b.op(model::Op::Ne, b.get(v), b.num(2))};
  std::vector<EdgeId> to;  // v becomes so much
  for (int32_t value = 0; value <= 3; ++value) {
    to.push_back(b.edge(p, 0, 1));
    b.edge(to.back()).effect = {b.set(v, value)};
  }
  const auto stays = b.edge(p, 0, 0);
  b.edge(stays).effect = {b.set(v, 3)};
  for (const auto& [edge, possible] : {std::pair{to[0], true}, {to[1], true}, {to[2], false}, {to[3], false}}) {
    Stage s(b);
    EXPECT_EQ(s.fire({edge}), possible) << "that of the target, and that of the process which stays";
  }
  Stage s(b);
  EXPECT_TRUE(s.fire({stays})) << "the invariant of another location";
  EXPECT_TRUE(s.network.invariants_hold(s.work, s.values.data()));
  s.at(p) = 1;
  EXPECT_FALSE(s.network.invariants_hold(s.work, s.values.data()));
  s[v] = 2;
  s.at(p) = 0;
  EXPECT_FALSE(s.network.invariants_hold(s.work, s.values.data()));
}

// ---- time and priorities ----

TEST(Network, TimeStandsStillInUrgentAndCommittedLocations) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "urgent", "committed"});
  b.process("Q", {"A"});
  b.location(p, 1).kind = LocationKind::Urgent;
  b.location(p, 2).kind = LocationKind::Committed;
  Stage s(b);
  EXPECT_TRUE(s.may_delay());
  s.at(p) = 1;
  EXPECT_FALSE(s.may_delay());
  s.at(p) = 2;
  EXPECT_FALSE(s.may_delay());
}

TEST(Network, TimeStandsStillWhileAnUrgentSynchronisationIsPossible) {
  SystemBuilder b;
  const auto hurry = b.channel("hurry", false, true);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A", "B"});
  b.edge(p, 0, 0);  // of no importance
  b.send(p, 0, 0, hurry);
  b.receive(q, 1, 1, hurry);
  Stage s(b);
  EXPECT_TRUE(s.network.has_urgent_channels());
  EXPECT_TRUE(s.may_delay()) << "no receiver";
  s.at(q) = 1;
  EXPECT_FALSE(s.may_delay());
}

TEST(Network, AnUrgentBroadcastNeedsNoReceiver) {
  for (const bool urgent : {false, true}) {
    SystemBuilder b;
    b.channel("another", false, true);
    const auto c = b.channel("c", true, urgent);
    const auto p = b.process("P", {"A", "B"});
    b.send(p, 0, 0, c);
    Stage s(b);
    EXPECT_EQ(s.may_delay(), !urgent);
    s.at(p) = 1;
    EXPECT_TRUE(s.may_delay());
  }
}

TEST(Network, TheChannelDecidesAboutPriorityBeforeTheProcesses) {
  SystemBuilder b;
  b.system.internal_priority = 1;
  const auto low = b.channel("low", false, false, 0);
  const auto high = b.channel("high", false, false, 2);
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  b.system.processes[p.value].priority = -5;
  b.system.processes[q.value].priority = 7;
  const auto of_p = b.edge(p, 0, 0);
  const auto of_q = b.edge(q, 0, 0);
  const auto send_low = b.send(p, 0, 0, low);
  const auto receive_low = b.receive(q, 0, 0, low);
  const auto send_high = b.send(p, 0, 0, high);
  const auto receive_high = b.receive(q, 0, 0, high);
  const Network network(b.system);
  const auto priority = [&](const std::vector<EdgeId>& edges) { return network.priority(numbers(edges)); };
  EXPECT_LT(priority({of_p}), priority({of_q}));
  EXPECT_LT(priority({send_low, receive_low}), priority({of_p})) << "although Q takes part";
  EXPECT_LT(priority({of_q}), priority({send_high, receive_high}));
  EXPECT_LT(priority({send_high}), priority({send_high, receive_high})) << "the highest of those that take part";
}

// ---- filters of receivers ----

// Notes what it is asked, and says no to what is forbidden.
class Recorder : public ReceiverFilter {
 public:
  bool begin(uint32_t sender) override {
    log += "begin " + std::to_string(sender) + "; ";
    return !forbidden.contains("begin");
  }
  bool take(uint32_t edge) override { return decide("take " + std::to_string(edge)); }
  bool refuse(std::span<const uint32_t> edges) override {
    std::string what = "refuse";
    for (const uint32_t e : edges) what += " " + std::to_string(e);
    return decide(what);
  }
  void back() override {
    ASSERT_GT(depth, 0);
    --depth;
    log += "back; ";
  }

  std::set<std::string> forbidden;
  std::string log;
  int depth = 0;

 private:
  bool decide(const std::string& what) {
    log += what + "; ";
    if (forbidden.contains(what)) return false;
    ++depth;
    return true;
  }
};

TEST(Network, AFilterIsAskedAboutWhatDependsOnClocks) {
  Broadcasting m;  // by_r is edge 0, by_q 1, by_p 2, send 3
  m.b.edge(m.by_p).clock_guard = {m.b.ge(m.x, 3)};
  m.b.edge(m.by_q).clock_guard = {m.b.ge(m.x, 4)};
  Stage s(m.b);
  Recorder all;
  const Combinations expected = s.firings();
  ASSERT_EQ(expected.size(), 4u);
  EXPECT_EQ(s.firings(&all), expected);
  EXPECT_EQ(all.depth, 0);
  EXPECT_EQ(all.log,
            "begin 3; take 1; take 2; back; refuse 2; back; back; refuse 1; take 2; back; refuse 2; back; back; ")
      << "R has no say";

  Recorder none;
  none.forbidden = {"begin"};
  EXPECT_EQ(s.firings(&none), Combinations{});
  EXPECT_EQ(none.log, "begin 3; ");

  Recorder some;
  some.forbidden = {"take 1", "refuse 2"};
  EXPECT_EQ(s.firings(&some), (Combinations{together({m.send, m.by_p, m.by_r}, {m.by_q})}));
  EXPECT_EQ(some.log, "begin 3; take 1; refuse 1; take 2; back; refuse 2; back; ")
      << "what is impossible is neither gone into nor taken back";
}

TEST(Network, AFilterHasNoSayInOtherSynchronisations) {
  SystemBuilder b;
  const auto c = b.channel("c");
  const auto x = b.clock("x");
  const auto p = b.process("P", {"A"});
  const auto q = b.process("Q", {"A"});
  const auto internal = b.edge(p, 0, 0);
  const auto send = b.send(p, 0, 0, c);
  const auto receive = b.receive(q, 0, 0, c);
  b.edge(receive).clock_guard = {b.ge(x, 1)};
  Stage s(b);
  Recorder recorder;
  recorder.forbidden = {"begin"};
  EXPECT_EQ(s.firings(&recorder), (Combinations{together({internal}), together({send, receive})}));
  EXPECT_EQ(recorder.log, "");
}

TEST(Network, ABroadcastCanBeEnumeratedInsideAnother) {
  Broadcasting m;
  m.b.edge(m.by_p).clock_guard = {m.b.ge(m.x, 3)};
  Stage s(m.b);
  const Combinations expected = s.firings();
  ASSERT_EQ(expected.size(), 2u);
  size_t seen = 0;
  s.network.for_each_firing(s.work, s.values.data(), [&](const Firing& f) {
    EXPECT_EQ(s.firings(), expected);
    EXPECT_EQ(Edges(f.edges.begin(), f.edges.end()), expected[seen].edges) << "still the same";
    ++seen;
    return true;
  });
  EXPECT_EQ(seen, expected.size());
}

// ---- making a network ----

TEST(Network, KnowsWhoHasClockInvariants) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto limit = b.var("limit", 0, 9, 4);
  b.process("P", {"A"});
  const auto q = b.process("Q", {"A", "B"});
  b.location(q, 1).clock_invariant = {b.le(x, 5), b.lt(x, 0)};
  b.location(q, 1).clock_invariant[1].bound = b.get(limit);
  b.location(q, 1).clock_invariant[1].condition = b.eq(limit, 4);
  Stage s(b);
  ASSERT_EQ(s.network.clock_invariant_processes().size(), 1u);
  EXPECT_EQ(s.network.clock_invariant_processes()[0], q.value);
  EXPECT_TRUE(s.network.location(q.value, s.values.data()).clock_invariant.empty());
  s.at(q) = 1;
  const auto& invariant = s.network.location(q.value, s.values.data()).clock_invariant;
  ASSERT_EQ(invariant.size(), 2u);
  EXPECT_EQ(demand(s.work, invariant[0], s.values.data())->bound, bound_le(5));
  EXPECT_EQ(demand(s.work, invariant[1], s.values.data())->bound, bound_lt(4)) << "the bound is that of the state";
  s[limit] = 3;
  EXPECT_FALSE(demand(s.work, invariant[1], s.values.data())) << "the condition does not hold";
}

TEST(Network, RefusesClockConstantsThatAreTooLarge) {
  for (const bool too_large : {false, true}) {
    SystemBuilder b;
    const auto x = b.clock("x");
    const auto p = b.process("P", {"A"});
    const auto e = b.edge(p, 0, 0);
    b.edge(e).clock_guard = {b.ge(x, kLargestConstant + (too_large ? 1 : 0))};
    if (!too_large) {
      EXPECT_EQ(Network(b.system).edge(e.value).clock_guard[0].bound, -kLargestConstant);
      continue;
    }
    try {
      const Network network(b.system);
      FAIL() << "not refused";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::Unsupported);
    }
  }
}

TEST(Network, TheWatchEndsTheMakingAndTheEnumeration) {
  Broadcasting m;
  EXPECT_THROW(Network(m.b.system, Watch({.polls = 2})), Error) << "of four edges";
  const Network network(m.b.system);
  const Watch watch({.polls = 2});
  Workspace work(network.program(), watch);
  const Values values = m.b.system.initial_values();
  EXPECT_THROW(network.for_each_firing(work, values.data(), [](const Firing&) { return true; }), Error);
}

}  // namespace
}  // namespace harrier::step
