// Traces as data: what a witness says, and that the writers are functions of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "harrier/harrier.h"

namespace harrier {
namespace {

CheckResult checked(const Model& model, Search search = Search::BreadthFirst) {
  CheckOptions options;
  options.search = search;
  return model.check(0, options);
}

// The texts of a result are what the writers make of its trace; and what is read back is the same trace.
void expect_consistent(const Model& model, const CheckResult& result) {
  ASSERT_TRUE(result.trace);
  const Trace& trace = *result.trace;
  EXPECT_EQ(to_text(trace), result.trace_text);
  EXPECT_EQ(to_json(trace), result.trace_json);
  EXPECT_EQ(to_chart(trace), result.trace_chart);
  EXPECT_EQ(to_trail(trace), result.trace_trail);
  const Trace again = model.read_trace(result.trace_json, "trace");
  EXPECT_EQ(again, trace);
  EXPECT_EQ(to_text(again), result.trace_text);
}

TEST(Traces, OfATimedNetwork) {
  Model model = Model::load_text(
      "clock x; int n; chan c;\n"
      "process P() { state a { x <= 3 }, b; init a; trans a -> b { guard x > 2; sync c!; assign n = 7; }; }\n"
      "process Q(int i) { state u, v; init u; trans u -> v { select k : int[4,4]; sync c?; assign x = 0; }; }\n"
      "Q1 = Q(1); system P, Q1;\n",
      "n.xta");
  model.add_query("E<> P.b && x == 1");
  const CheckResult result = checked(model);
  expect_consistent(model, result);
  const Trace& trace = *result.trace;
  EXPECT_EQ(trace.model, "n.xta");
  EXPECT_EQ(trace.language, "uppaal");
  EXPECT_EQ(trace.property, "E<> P.b && x == 1");
  EXPECT_EQ(trace.kind, PropertyKind::Reachable);
  ASSERT_EQ(trace.steps.size(), 1u);
  const Trace::Step& step = trace.steps[0];
  EXPECT_GT(step.time, 2 * trace.denominator);
  EXPECT_LE(step.time, 3 * trace.denominator);
  EXPECT_EQ(step.delay, step.time);
  EXPECT_EQ(trace.end_time(), step.time + trace.denominator);
  EXPECT_EQ(trace.final_delay, trace.denominator);
  ASSERT_EQ(step.edges.size(), 2u);
  EXPECT_EQ(step.edges[0].process, "P");
  EXPECT_EQ(step.edges[0].source, "a");
  EXPECT_EQ(step.edges[0].target, "b");
  EXPECT_EQ(step.edges[0].direction, Direction::Send);
  EXPECT_EQ(step.edges[0].channel, "c");
  EXPECT_EQ(step.edges[0].position.rfind("n.xta:2:", 0), 0u);
  EXPECT_EQ(step.edges[1].process, "Q1");
  EXPECT_EQ(step.edges[1].direction, Direction::Receive);
  EXPECT_EQ(step.edges[1].label, "k = 4");

  const Trace::Names& names = trace.names();
  ASSERT_EQ(names.processes.size(), 2u);
  EXPECT_EQ(names.processes[0].name, "P");
  const auto location = [&](const Trace::State& state, size_t process) {
    const Trace::Process& p = names.processes[process];
    return p.locations.at(static_cast<size_t>(state.values.at(p.variable)));
  };
  EXPECT_EQ(location(trace.initial, 0), "a");
  EXPECT_EQ(location(trace.last(), 0), "b");
  EXPECT_EQ(location(trace.last(), 1), "v");
  ASSERT_EQ(names.variables.size(), trace.initial.values.size());
  size_t changed = 0;
  for (const uint32_t v : step.changed) {
    if (names.variables[v].internal) continue;
    ++changed;
    EXPECT_EQ(names.variables[v].name, "n");
    EXPECT_EQ(trace.initial.values[v], 0);
    EXPECT_EQ(step.state.values[v], 7);
  }
  EXPECT_EQ(changed, 1u);
  ASSERT_EQ(names.clocks.size(), 2u);
  EXPECT_EQ(names.clocks[1], "x");
  EXPECT_EQ(step.state.clocks[1], 0);
  EXPECT_EQ(trace.initial.zone, std::vector<std::string>{"x <= 3"});
}

TEST(Traces, WithACycleOrARest) {
  Model model = Model::load_text(
      "clock x; process P() { state a { x <= 1 }, b; init a; trans a -> a { guard x == 1; assign x = 0; }, a -> b { }; "
      "}\n"
      "system P;",
      "n.xta");
  model.add_query("A<> P.b");
  const CheckResult cycle = model.check(0, {});
  expect_consistent(model, cycle);
  ASSERT_TRUE(cycle.trace->loop_start);
  EXPECT_EQ(*cycle.trace->loop_start, *cycle.loop_start);
  Model waits = Model::load_text("clock x; process P() { state a, b; init a; trans a -> b { }; } system P;", "w.xta");
  waits.add_query("E[] P.a");
  const CheckResult rest = waits.check(0, {});
  expect_consistent(waits, rest);
  EXPECT_EQ(rest.trace->rest, Rest::Delay);
}

TEST(Traces, OfAProgram) {
  const Model model = Model::load_text(
      "mtype = { ping, pong }; mtype last; proctype Late() { last = ping }\n"
      "active proctype P() { run Late(); last == ping; assert(last == pong) }\n",
      "m.pml");
  const CheckResult result = checked(model);
  expect_consistent(model, result);
  const Trace& trace = *result.trace;
  EXPECT_EQ(trace.kind, PropertyKind::Invariant);
  EXPECT_EQ(trace.reason.rfind("assertion failed: assert", 0), 0u) << trace.reason;
  EXPECT_EQ(trace.steps.back().edges[0].label.rfind("assert", 0), 0u);
  EXPECT_NE(to_trail(trace), "");
  const auto& all = trace.names().variables;
  const auto last = std::find_if(all.begin(), all.end(), [](const auto& v) { return v.name == "last"; });
  ASSERT_NE(last, all.end());
  const int32_t value = trace.last().values[static_cast<size_t>(last - all.begin())];
  EXPECT_EQ(last->values.at(static_cast<size_t>(value)), "ping");
  const Trace::Process& late = trace.names().processes.at(1);
  EXPECT_EQ(late.name, "Late(1)");
  EXPECT_TRUE(late.dynamic);
  EXPECT_EQ(trace.initial.values[late.variable], 0);
}

TEST(Traces, OfAFailure) {
  Model model = Model::load_text(
      "int n; process P() { state a; init a; trans a -> a { assign n = 1 / n; }; } system P;", "f.xta");
  model.add_query("E<> n == 3");
  const CheckResult result = checked(model);
  ASSERT_EQ(result.verdict, Verdict::Failed);
  expect_consistent(model, result);
  ASSERT_TRUE(result.trace->failure);
  EXPECT_EQ(result.trace->failure->error, "division by zero");
  EXPECT_EQ(result.trace->failure->part, FailurePart::Transition);
  ASSERT_EQ(result.trace->failure->edges.size(), 1u);
  EXPECT_EQ(result.trace->failure->edges[0].process, "P");
}

TEST(Traces, OutliveTheirModel) {
  CheckResult result;
  {
    Model model = Model::load_text("process P() { state a, b; init a; trans a -> b { }; } system P;", "m.xta");
    model.add_query("E<> P.b");
    result = checked(model);
  }
  EXPECT_EQ(to_text(*result.trace), result.trace_text);
}

TEST(Traces, OnlyOnRequestAndOnlyFromModels) {
  Model model = Model::load_text("process P() { state a, b; init a; trans a -> b { }; } system P;", "m.xta");
  model.add_query("E<> P.b");
  CheckOptions options;
  options.forms = {.text = false, .json = false, .chart = false, .trail = false, .trace = false};
  const CheckResult result = model.check(0, options);
  EXPECT_EQ(result.witness_length, 1u);
  EXPECT_FALSE(result.trace);
  EXPECT_EQ(result.trace_text + result.trace_json + result.trace_chart + result.trace_trail, "");
  EXPECT_THROW(to_text(Trace{}), std::invalid_argument);
}

}  // namespace
}  // namespace harrier
