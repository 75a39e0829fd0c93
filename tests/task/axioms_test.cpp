// Derived variables in a task, its graphs and its steps, against all transitions of random models.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "random/rng.h"
#include "support/random_axioms.h"
#include "support/state_graph.h"
#include "support/system_builder.h"
#include "task/progression.h"
#include "task/regression.h"
#include "task/variable_domains.h"

namespace harrier::task {
namespace {

using model::VarId;
using testing_support::RandomAxioms;
using testing_support::Rng;
using testing_support::StateGraph;
using testing_support::SystemBuilder;

// x and y, what holds when both are 1, and when that does not.
struct Small {
  SystemBuilder b;
  VarId x, y, both, missing;
  model::Property goal;

  Small() {
    const auto p = b.process("P", {"A"});
    x = b.var("x", 0, 1);
    y = b.var("y", 0, 1);
    both = b.var("both", 0, 1);
    missing = b.var("missing", 0, 1);
    b.system.axioms.push_back({both, 1, 0, {b.eq(x, 1), b.eq(y, 1)}, {}});
    b.system.axioms.push_back({missing, 1, 1, {b.eq(both, 0)}, {}});
    for (const VarId v : {x, y}) {
      const auto e = b.edge(p, 0, 0);
      b.edge(e).effect = {b.set(v, 1)};
    }
    goal = SystemBuilder::reachable({b.eq(both, 1)});
  }
  std::shared_ptr<const Task> task() const { return std::make_shared<const Task>(b.system, goal.goal); }
};

TEST(TaskWithAxioms, AxiomsHaveConditions) {
  const Small small;
  const auto task = small.task();
  ASSERT_EQ(task->axioms().size(), 2u);
  EXPECT_EQ(task->axioms()[0].variable, small.both.value);
  EXPECT_EQ(task->axioms()[0].value, 1);
  EXPECT_EQ(task->conditions(task->axioms()[0]).size(), 2u);
  EXPECT_EQ(std::vector<VarId>(task->derived().begin(), task->derived().end()),
            (std::vector<VarId>{small.both, small.missing}));
  for (const VarId v : task->derived()) EXPECT_EQ(task->domain(v.value).size(), 2u);
  for (const Label& label : task->labels()) {
    for (const uint32_t id : task->effects(label)) EXPECT_NE(task->effect(id).writes, std::vector<VarId>{small.both});
  }
}

TEST(TaskWithAxioms, TheyAreLabelsThatMakeNoStep) {
  const Small small;
  const VariableDomains domains(small.task());
  size_t axioms = 0, ways_back = 0;
  for (const VariableDomains::Label& label : domains.labels()) {
    if (!label.axiom) continue;
    ++axioms;
    EXPECT_EQ(label.transition, kNone);
    EXPECT_EQ(label.split_from, kNone);
    for (const VariableDomains::Part& part : domains.parts(label)) {
      if (!part.affects) continue;
      EXPECT_TRUE(domains.variable(part.variable).derived);
      EXPECT_FALSE(domains.makes_steps(part.variable));
      ways_back += domains.parts(label).size() == 1 ? 1 : 0;
    }
  }
  EXPECT_EQ(axioms, 4u) << "an axiom and a way back for each variable";
  EXPECT_EQ(ways_back, 2u);
  EXPECT_TRUE(domains.makes_steps(0));
}

// Every step of random models is one of the task.
TEST(TaskWithAxioms, StepsAreCovered) {
  size_t steps = 0;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    SystemBuilder b;
    const auto p = b.process("P", {"A"});
    std::vector<VarId> plain;
    for (int i = 0; i < 3; ++i) plain.push_back(b.var("v" + std::to_string(i), 0, 2));
    const std::vector<VarId> heads = RandomAxioms(b, rng).add(4);
    for (int i = 0; i < 5; ++i) {
      const auto e = b.edge(p, 0, 0);
      const VarId head = rng.pick(heads);
      if (rng.chance(50)) b.edge(e).guard = {b.eq(head, b.system.variable(head).initial)};
      b.edge(e).effect = {rng.chance(60) ? b.set(rng.pick(plain), rng.between(0, 2))
                                         : b.run(b.store(rng.pick(plain), b.get(rng.pick(heads))))};
    }
    const auto goal = SystemBuilder::reachable({b.eq(heads[0], 1)});
    const auto graph = StateGraph::explore(b.system, goal, 2'000);
    ASSERT_TRUE(graph.has_value());
    const auto task = std::make_shared<const Task>(b.system, goal.goal);
    const VariableDomains domains(task);
    const Regression regression(domains);
    Progression progression(*task);
    std::vector<Value> from(task->variable_count()), to(from), reached(from);
    std::vector<Value> before(domains.size()), after(domains.size());
    for (size_t id = 0; id < graph->states.size(); ++id) {
      task->read(graph->states[id].data(), from.data());
      domains.read(graph->states[id].data(), before.data());
      EXPECT_EQ(progression.is_goal(from.data()), graph->goal[id]);
      for (const StateGraph::Step& step : graph->steps[id]) {
        task->read(graph->states[step.target].data(), to.data());
        domains.read(graph->states[step.target].data(), after.data());
        const auto labels = task->labels_of(task->transitions_of(model::EdgeId(step.edges[0]))[0]);
        ASSERT_TRUE(progression.apply(labels[0], from.data(), reached.data()));
        for (size_t v = 0; v < to.size(); ++v) EXPECT_TRUE(reached[v] == to[v] || reached[v] == kAnyValue) << seed;
        Region target;
        for (uint32_t v = 0; v + 1 < domains.size(); ++v) {
          if (domains.variable(v).size > 1) target.push_back({v, {after[v]}});
        }
        bool covered = false;
        for (const uint32_t label : domains.labels_of(step.edges[0])) {
          const auto region = regression.regress(label, target);
          covered = covered || (region && Regression::contains(*region, before.data()));
        }
        // A step that changes nothing but what follows has no label.
        EXPECT_TRUE(covered || domains.labels_of(step.edges[0]).empty() ||
                    graph->states[id] == graph->states[step.target])
            << seed;
        ++steps;
      }
    }
  }
  EXPECT_GT(steps, 500u);
}

}  // namespace
}  // namespace harrier::task
