// Derived variables: what a generator makes of them after each transition.
#include "step/axioms.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/error.h"
#include "model/axioms.h"
#include "random/rng.h"
#include "step/discrete_generator.h"
#include "step/semantics.h"
#include "step/zone_generator.h"
#include "support/random_axioms.h"
#include "support/system_builder.h"

namespace harrier::step {
namespace {

using model::ExprId;
using model::Op;
using model::VarId;
using testing_support::RandomAxioms;
using testing_support::Rng;
using testing_support::SystemBuilder;
using Values = std::vector<int32_t>;

void axiom(SystemBuilder& b, VarId head, int32_t value, uint32_t layer, std::vector<ExprId> body) {
  b.system.axioms.push_back({head, value, layer, std::move(body), SystemBuilder::line(1)});
}

// The values after the only edge that can fire, which stay.
Values after_step(DiscreteGenerator& generator) {
  Values out;
  generator.successors([&](const Firing&) {
    out = generator.all_values();
    generator.keep();
    return false;
  });
  return out;
}

// A directed graph whose edges are variables, and which nodes can be reached from node 0.
struct Reachability {
  SystemBuilder b;
  std::vector<VarId> edges, reached;
  VarId none_reached;
  model::ProcessId p;

  explicit Reachability(const std::vector<std::pair<size_t, size_t>>& graph, size_t nodes) {
    p = b.process("P", {"A"});
    for (size_t i = 0; i < graph.size(); ++i) edges.push_back(b.var("edge" + std::to_string(i), 0, 1));
    for (size_t i = 0; i < nodes; ++i) reached.push_back(b.var("reached" + std::to_string(i), 0, 1));
    none_reached = b.var("none", 0, 1);
    axiom(b, reached[0], 1, 0, {});
    for (size_t i = 0; i < graph.size(); ++i) {
      axiom(b, reached[graph[i].second], 1, 0, {b.eq(reached[graph[i].first], 1), b.eq(edges[i], 1)});
    }
    std::vector<ExprId> none;
    for (size_t i = 1; i < nodes; ++i) none.push_back(b.eq(reached[i], 0));
    axiom(b, none_reached, 1, 1, none);
    for (size_t i = 0; i < graph.size(); ++i) {
      const auto toggle = b.edge(p, 0, 0);
      b.edge(toggle).effect = {b.run(b.store(edges[i], b.op(Op::Sub, b.num(1), b.get(edges[i]))))};
    }
  }
  Values reached_in(const Values& values) const {
    Values out;
    for (const VarId v : reached) out.push_back(values[v.value]);
    return out;
  }
};

TEST(Axioms, InACycleNothingHoldsByItself) {
  Reachability r({{0, 1}, {1, 2}, {2, 1}, {2, 3}}, 4);
  const auto property = SystemBuilder::reachable({r.b.eq(r.reached[3], 1)});
  const Semantics semantics(r.b.system, property);
  DiscreteGenerator generator(semantics, Watch::none());
  ASSERT_TRUE(generator.load_initial());
  EXPECT_EQ(r.reached_in(generator.all_values()), (Values{1, 0, 0, 0}));
  EXPECT_EQ(generator.all_values()[r.none_reached.value], 1);
  const auto toggle = [&](uint32_t e) {
    EXPECT_TRUE(generator.make(std::vector{e}));
    generator.keep();
  };
  for (const uint32_t e : {1U, 2U, 3U}) toggle(e);
  EXPECT_EQ(r.reached_in(generator.all_values()), (Values{1, 0, 0, 0}));
  toggle(0);
  EXPECT_EQ(r.reached_in(generator.all_values()), (Values{1, 1, 1, 1}));
  EXPECT_EQ(generator.all_values()[r.none_reached.value], 0);
  EXPECT_TRUE(generator.goal());
  toggle(0);
  EXPECT_EQ(r.reached_in(generator.all_values()), (Values{1, 0, 0, 0})) << "1 and 2 still lead to each other";
  EXPECT_EQ(generator.all_values()[r.none_reached.value], 1);
  EXPECT_FALSE(generator.goal());
}

TEST(Axioms, ATransitionThatIsTakenBackTakesThemBack) {
  Reachability r({{0, 1}}, 2);
  const auto property = SystemBuilder::reachable({r.b.eq(r.none_reached, 0)});
  const Semantics semantics(r.b.system, property);
  DiscreteGenerator generator(semantics, Watch::none());
  ASSERT_TRUE(generator.load_initial());
  const Values before = generator.all_values();
  std::vector<Values> seen;
  generator.successors([&](const Firing&) {
    seen.push_back(generator.all_values());
    return true;
  });
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(r.reached_in(seen[0]), (Values{1, 1}));
  EXPECT_EQ(generator.all_values(), before);
}

TEST(Axioms, LocationsAndInvariantsTakePart) {
  SystemBuilder b;
  const auto p = b.process("P", {"A", "B"});
  const auto busy = b.var("busy", 0, 1);
  axiom(b, busy, 1, 0, {b.at(p, 1)});
  b.edge(p, 0, 1);
  const auto watcher = b.process("W", {"calm"});
  b.location(watcher, 0).invariant = {b.eq(busy, 0)};
  const auto property = SystemBuilder::reachable({b.eq(busy, 1)});
  const Semantics semantics(b.system, property);
  DiscreteGenerator generator(semantics, Watch::none());
  ASSERT_TRUE(generator.load_initial());
  EXPECT_EQ(after_step(generator), Values()) << "the invariant sees what follows from the new location";
}

TEST(Axioms, WithClocks) {
  SystemBuilder b;
  const auto x = b.clock("x");
  const auto p = b.process("P", {"A", "B"});
  const auto busy = b.var("busy", 0, 1);
  axiom(b, busy, 1, 0, {b.at(p, 1)});
  const auto e = b.edge(p, 0, 1);
  b.edge(e).clock_guard = {b.ge(x, 3)};
  const auto property = SystemBuilder::reachable({b.eq(busy, 1)});
  const Semantics semantics(b.system, property);
  ZoneGenerator generator(semantics, Watch::none());
  bool found = false;
  generator.initial([&] {
    EXPECT_FALSE(generator.goal());
    generator.keep();
    return false;
  });
  generator.successors([&](const Firing&) {
    found = generator.goal().has_value();
    return true;
  });
  EXPECT_TRUE(found);
}

TEST(Axioms, NegationOfTheSameLayerIsRefused) {
  SystemBuilder b;
  b.process("P", {"A"});
  const auto odd = b.var("odd", 0, 1);
  axiom(b, odd, 1, 0, {b.eq(odd, 0)});
  const auto property = SystemBuilder::reachable({});
  EXPECT_THROW(Semantics(b.system, property), Error);
}

TEST(Axioms, ALaterLayerIsRefused) {
  SystemBuilder b;
  b.process("P", {"A"});
  const auto early = b.var("early", 0, 1);
  const auto late = b.var("late", 0, 1);
  axiom(b, early, 1, 0, {b.eq(late, 0)});
  axiom(b, late, 1, 1, {});
  const auto property = SystemBuilder::reachable({});
  EXPECT_THROW(Semantics(b.system, property), Error);
}

// Random walks through random systems; what is derived is compared with its definition after every step.
TEST(Axioms, RandomSystems) {
  size_t derived = 0;
  for (uint64_t seed = 0; seed < 600; ++seed) {
    Rng rng(seed);
    SystemBuilder b;
    const auto p = b.process("P", {"A", "B"});
    std::vector<VarId> plain;
    for (int i = 0; i < 4; ++i) plain.push_back(b.var("v" + std::to_string(i), 0, 2));
    const std::vector<VarId> heads = RandomAxioms(b, rng).add(8);
    for (int i = 0; i < 6; ++i) {
      const auto e = b.edge(p, static_cast<uint32_t>(rng.below(2)), static_cast<uint32_t>(rng.below(2)));
      const VarId head = rng.pick(heads);
      if (rng.chance(40)) b.edge(e).guard = {b.eq(head, b.system.variable(head).initial)};
      for (int k = rng.between(1, 2); k > 0; --k) {
        const auto statement = rng.chance(70) ? b.set(rng.pick(plain), rng.between(0, 2))
                                              : b.run(b.store(rng.pick(plain), b.get(rng.pick(heads))));
        b.edge(e).effect.push_back(statement);
      }
    }
    const auto property = SystemBuilder::reachable({});
    const Semantics semantics(b.system, property);
    Values expected = b.system.initial_values();
    RandomAxioms::derive(b.system, expected);
    ASSERT_EQ(b.system.initial_values(), expected) << seed;
    DiscreteGenerator generator(semantics, Watch::none());
    ASSERT_TRUE(generator.load_initial());
    for (int step = 0; step < 20; ++step) {
      std::vector<uint32_t> fired;
      const Values before = generator.all_values();
      generator.successors([&](const Firing& firing) {
        Values values = generator.all_values();
        expected = values;
        RandomAxioms::derive(b.system, expected);
        EXPECT_EQ(values, expected) << seed;
        model::derive(b.system, values);
        EXPECT_EQ(values, expected) << seed;
        fired.push_back(firing.edges[0]);
        for (const VarId head : heads) derived += values[head.value] != b.system.variable(head).initial ? 1 : 0;
        return true;
      });
      ASSERT_EQ(generator.all_values(), before) << seed;
      if (fired.empty()) break;
      ASSERT_TRUE(generator.make(std::vector{rng.pick(fired)}));
      generator.keep();
    }
  }
  EXPECT_GT(derived, 10000u);
}

}  // namespace
}  // namespace harrier::step
