// Models whose effects choose and that begin in several states, against plain enumeration by the concrete semantics.

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "random/rng.h"
#include "random/threads.h"
#include "search/config.h"
#include "search/search.h"
#include "support/options.h"
#include "support/system_builder.h"
#include "trace/concrete.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::search {
namespace {

using model::ExprId;
using model::Op;
using model::StmtId;
using model::StmtKind;
using model::VarId;
using testing_support::Rng;
using testing_support::SystemBuilder;

constexpr uint32_t kSlots = 5;

// Some variables, and edges that compute values in slots, choose, assume, and store at the end.
class RandomChoices {
 public:
  explicit RandomChoices(uint64_t seed) : rng_(seed) {
    b_.system.quantifier_slots = kSlots;
    for (int i = 0; i < 3; ++i) vars_.push_back(b_.var("v" + std::to_string(i), 0, rng_.between(1, 3)));
    for (int p = rng_.between(1, 2); p > 0; --p) {
      const auto process = b_.process("P" + std::to_string(p), {"a", "b"});
      for (int e = rng_.between(1, 3); e > 0; --e) {
        const auto edge = b_.edge(process, static_cast<uint32_t>(rng_.below(2)), static_cast<uint32_t>(rng_.below(2)));
        if (rng_.chance(40)) b_.edge(edge).guard = {test(0)};
        b_.edge(edge).effect = effect();
      }
    }
    if (rng_.chance(70)) {
      const auto beginning = b_.edge(model::ProcessId(0), 0, 0);
      b_.edge(beginning).effect = effect();
      b_.system.processes[0].edges.pop_back();
      b_.system.beginning = beginning;
    }
    model::Clause clause;
    for (const VarId v : vars_) {
      if (rng_.chance(70)) clause.conditions.push_back(equals(b_.get(v), rng_.between(0, 3)));
    }
    property_.goal.push_back(std::move(clause));
    property_.text = "a random goal";
  }

  const model::System& system() const { return b_.system; }
  const model::Property& property() const { return property_; }

 private:
  ExprId equals(ExprId a, int32_t value) { return b_.system.make_binary(Op::Eq, a, b_.num(value)); }
  ExprId local(uint32_t slot) { return b_.system.make({.op = Op::Local, .base = slot}); }
  // Of a value that slots below `known` and the variables have.
  ExprId atom(uint32_t known) {
    if (known > 0 && rng_.chance(50)) return local(static_cast<uint32_t>(rng_.below(known)));
    return rng_.chance(70) ? b_.get(rng_.pick(vars_)) : b_.num(rng_.between(0, 2));
  }
  ExprId value(uint32_t known) {
    if (rng_.chance(40)) return atom(known);
    if (rng_.chance(30)) return b_.system.make_ite(test(known), atom(known), atom(known));
    return b_.system.make_binary(rng_.chance(50) ? Op::Add : Op::Min, atom(known), atom(known));
  }
  ExprId test(uint32_t known) {
    const Op op = rng_.chance(50) ? Op::Ne : rng_.chance(50) ? Op::Le : Op::Eq;
    return b_.system.make({.op = op, .a = atom(known), .b = atom(known)});
  }
  StmtId choose(uint32_t slot) {
    return b_.system.make_stmt({.kind = StmtKind::Choose,
                                .first = slot,
                                .count = 1 + static_cast<uint32_t>(rng_.below(3)),
                                .low = rng_.between(0, 1)});
  }
  StmtId set(uint32_t slot, ExprId value) {
    return b_.system.make_expr_stmt(b_.system.make({.op = Op::StoreLocal, .base = slot, .b = value}));
  }
  StmtId slot_statement(uint32_t slot) {
    if (rng_.chance(50)) return choose(slot);
    if (rng_.chance(60)) return set(slot, value(slot));
    return b_.system.make_stmt({.kind = StmtKind::If,
                                .expr = test(slot),
                                .a = choose(slot),
                                .b = rng_.chance(60) ? set(slot, value(slot)) : StmtId()});
  }
  std::vector<StmtId> effect() {
    std::vector<StmtId> out;
    const auto slots = static_cast<uint32_t>(rng_.between(1, kSlots));
    for (uint32_t s = 0; s < slots; ++s) {
      out.push_back(slot_statement(s));
      if (rng_.chance(25)) out.push_back(b_.system.make_stmt({.kind = StmtKind::Assume, .expr = test(s + 1)}));
    }
    for (const VarId v : vars_) {
      if (!rng_.chance(70)) continue;
      const ExprId stored = rng_.chance(70) ? local(static_cast<uint32_t>(rng_.below(slots))) : value(slots);
      out.push_back(b_.system.make_expr_stmt(b_.system.make({.op = Op::Store, .base = v.value, .b = stored})));
    }
    return out;
  }

  Rng rng_;
  SystemBuilder b_;
  std::vector<VarId> vars_;
  model::Property property_;
};

struct Graph {
  size_t states = 0;
  std::optional<size_t> distance;  // of the goal
};

Graph enumerate(const model::System& system, const model::Property& property) {
  trace::ConcreteSemantics semantics(system);
  std::map<std::vector<int32_t>, size_t> distance;
  std::deque<trace::ConcreteSemantics::State> open;
  Graph out;
  const auto reach = [&](const trace::ConcreteSemantics::State& state, size_t steps) {
    if (!distance.emplace(state.values, steps).second) return;
    if (!out.distance && semantics.goal(property.goal, state)) out.distance = steps;
    open.push_back(state);
  };
  for (const auto& state : semantics.initial_states()) reach(state, 0);
  while (!open.empty()) {
    const auto state = open.front();
    open.pop_front();
    const size_t steps = distance.at(state.values);
    for (const auto& move : semantics.enabled(state)) reach(move.target, steps + 1);
  }
  out.states = distance.size();
  return out;
}

Config with(Method method) {
  Config config;
  config.method = std::move(method);
  return config;
}

void expect_valid(const model::System& system, const model::Property& property, const model::Path& path,
                  const std::string& what) {
  const trace::Trace trace = trace::build_trace(system, property, path);
  const auto report = trace::validate(system, property, trace);
  EXPECT_TRUE(report.valid) << what << ": " << report.reason;
}

TEST(Choices, SearchesFindWhatPlainEnumerationFinds) {
  size_t reached = 0;
  size_t unreached = 0;
  for (uint64_t seed = 1; seed <= 600; ++seed) {
    const RandomChoices random(seed);
    const model::System& system = random.system();
    const model::Property& property = random.property();
    const Graph graph = enumerate(system, property);
    ++(graph.distance ? reached : unreached);
    const auto check = [&](const Method& method, bool shortest) {
      const Config config = with(method);
      const Result result = run(system, property, config);
      const std::string what = describe(config) + ", seed " + std::to_string(seed);
      ASSERT_EQ(result.verdict, graph.distance ? Verdict::Reachable : Verdict::Unreachable) << what;
      if (!graph.distance) return;
      if (shortest) {
        EXPECT_EQ(result.path->steps.size(), *graph.distance) << what;
      }
      expect_valid(system, property, *result.path, what);
    };
    check(BreadthFirstSearch(), true);
    EXPECT_EQ(testing_support::compare_threads(system, property), std::nullopt) << "seed " << seed;
    check(DepthFirstSearch(), false);
    for (const char* heuristic : {"hL", "hmax", "lmcut", "dL"}) {
      check(BestFirstSearch{.estimate = {.heuristic = heuristic}, .cost_weight = 1}, true);
    }
    for (const char* heuristic : {"hU", "hadd", "hff", "hCG", "hcea", "hamming"}) {
      check(BestFirstSearch{.estimate = {.heuristic = heuristic}}, false);
    }
    if (!graph.distance) {
      EXPECT_EQ(run(system, property, with(BreadthFirstSearch())).statistics.stored, graph.states) << "seed " << seed;
    }
  }
  EXPECT_GT(reached, 100u);
  EXPECT_GT(unreached, 100u);
}

// A walk starts in every initial state and takes every outcome of an edge, each as often as the others.
TEST(Choices, WalksTakeThemAll) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    const RandomChoices random(seed);
    const Graph graph = enumerate(random.system(), random.property());
    if (!graph.distance) continue;
    const Result result =
        run(random.system(), random.property(), with(RandomWalks{.seed = seed, .walks = 20'000, .depth = 40}));
    ASSERT_EQ(result.verdict, Verdict::Reachable) << "seed " << seed;
    expect_valid(random.system(), random.property(), *result.path, "walk, seed " + std::to_string(seed));
  }
}

// What was chosen is part of a trace, and nothing else can be put in its place.
TEST(Choices, AreCheckedByTheValidator) {
  SystemBuilder b;
  const auto x = b.var("x", 0, 9);
  const auto p = b.process("P", {"a"});
  const auto e = b.edge(p, 0, 0);
  const auto store =
      b.system.make({.op = Op::Store, .base = x.value, .b = b.system.make({.op = Op::Local, .base = 0})});
  b.edge(e).effect = {b.system.make_stmt({.kind = StmtKind::Choose, .first = 0, .count = 5, .low = 3}),
                      b.system.make_expr_stmt(store)};
  model::Property property;
  property.goal.push_back({.conditions = {b.system.make_binary(Op::Eq, b.get(x), b.num(5))}});
  property.text = "x is five";
  const Result result = run(b.system, property, with(BreadthFirstSearch()));
  ASSERT_EQ(result.verdict, Verdict::Reachable);
  ASSERT_EQ(result.path->steps.size(), 1u);
  EXPECT_EQ(result.path->steps[0].choices, std::vector<int32_t>{5});
  const trace::Trace trace = trace::build_trace(b.system, property, *result.path);
  EXPECT_TRUE(trace::validate(b.system, property, trace).valid);
  for (const std::vector<int32_t>& other : {std::vector<int32_t>{}, {4}, {2}, {8}, {5, 5}}) {
    trace::Trace changed = trace;
    changed.steps[0].choices = other;
    EXPECT_FALSE(trace::validate(b.system, property, changed).valid);
  }
  trace::Trace begun = trace;
  begun.beginning = {1};
  EXPECT_FALSE(trace::validate(b.system, property, begun).valid);
}

// A failure of the model with certain choices only, in a step and at the beginning.
TEST(Choices, FailuresAreFoundAndTold) {
  for (const bool at_start : {false, true}) {
    SystemBuilder b;
    const auto x = b.var("x", 0, 9);
    const auto p = b.process("P", {"a"});
    const auto e = b.edge(p, 0, 0);
    const ExprId chosen = b.system.make({.op = Op::Local, .base = 0});
    const ExprId quotient = b.system.make({.op = Op::Div, .a = b.num(6), .b = chosen, .at = SystemBuilder::line(3)});
    b.edge(e).effect = {
        b.system.make_stmt({.kind = StmtKind::Choose, .first = 0, .count = 4, .low = -3}),
        b.system.make_stmt({.kind = StmtKind::Assume, .expr = b.system.make_binary(Op::Ge, chosen, b.num(-1))}),
        b.system.make_expr_stmt(
            b.system.make({.op = Op::Store, .base = x.value, .b = b.system.make_binary(Op::Max, quotient, b.num(0))}))};
    if (at_start) {
      b.system.processes[0].edges.clear();
      b.system.beginning = e;
    }
    model::Property property;
    property.goal.push_back({.conditions = {b.num(0)}});
    property.text = "never";
    const Result result = run(b.system, property, with(BreadthFirstSearch()));
    ASSERT_EQ(result.verdict, Verdict::Failed);
    ASSERT_TRUE(result.path);
    const auto trace = trace::failure_trace(b.system, property, *result.path, Watch::none());
    ASSERT_TRUE(trace) << at_start;
    EXPECT_EQ(trace->failure->choices, std::vector<int32_t>{0});
    EXPECT_TRUE(trace::validate(b.system, property, *trace).valid);
  }
}

}  // namespace
}  // namespace harrier::search
