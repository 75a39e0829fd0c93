#include "task/task.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "task/evaluator.h"
#include "task_support.h"

namespace harrier::task {
namespace {

using Example = testing_support::TaskExample;

// The writes of an effect in a state, by variable.
std::map<uint32_t, int32_t> writes(const Task& task, const Effect& effect, const std::vector<Value>& state) {
  std::map<uint32_t, int32_t> out;
  Evaluator evaluator(task);
  const auto outcome = evaluator.outcome(effect, state.data());
  EXPECT_TRUE(outcome.has_value());
  for (const Write& w : *outcome) out[w.variable] = w.value;
  return out;
}

TEST(Task, VariablesHaveTheValuesTheyCanHave) {
  const Example example(
      "int[0,9] x = 2; int n; int[-5,2000000] far;\n"
      "process P() { state a, b, c; init a; trans a -> b { guard n < 3; assign x = 7, n = n + 1, far = far + 1; }; }\n"
      "system P;\n",
      "E<> x == 7 and far == 40");
  const Task& task = example.task();
  EXPECT_EQ(task.domain(example.variable("x")).values, (std::vector<int32_t>{2, 7}));
  EXPECT_EQ(task.domain(example.variable("n")).values, (std::vector<int32_t>{0, 1, 2, 3}));
  EXPECT_EQ(task.domain(example.variable("P")).values, (std::vector<int32_t>{0, 1}));  // c has no way in
  const Domain& far = task.domain(example.variable("far"));
  ASSERT_TRUE(far.is_window());  // up to the 40 of the goal, and one more
  EXPECT_EQ(far.values.back(), 41);
  EXPECT_EQ(far.find(1'000'000), far.find(41));
  EXPECT_EQ(task.domain(example.variable("x")).find(3), std::nullopt);

  const Example narrow(
      "int far;\nprocess P() { state a; init a; trans a -> a { assign far = far + 1; }; }\nsystem P;\n",
      "E<> far == 4000", {.most_values = 100, .largest_window = 50});
  EXPECT_TRUE(narrow.task().domain(narrow.variable("far")).is_wide());
}

TEST(Task, EqualConditionsAreOne) {
  const Example example(
      "int[0,3] x; int[0,3] y;\n"
      "process P() { state a, b; init a; trans a -> b { guard x < y; }, b -> a { guard x < y; assign x = 1, y = 3; }; "
      "}\n"
      "system P;\n",
      "E<> x < y and P.b");
  const Task& task = example.task();
  ASSERT_EQ(task.labels().size(), 2u);
  const uint32_t shared = task.conditions(task.labels()[0])[0];
  EXPECT_EQ(task.conditions(task.labels()[1])[0], shared);
  const auto goal = task.goal_conditions(0);
  EXPECT_NE(std::find(goal.begin(), goal.end(), shared), goal.end());
  EXPECT_EQ(task.condition(shared).reads,
            (std::vector<model::VarId>{model::VarId(example.variable("x")), model::VarId(example.variable("y"))}));
  Evaluator evaluator(task);
  EXPECT_FALSE(evaluator.holds(task.condition(shared), example.state().data()));
  EXPECT_TRUE(evaluator.holds(task.condition(shared), example.state({{"y", 3}}).data()));
}

TEST(Task, EffectsAreSplitWhereTheyAreSeparate) {
  const Example example(
      "int[0,3] x; int[0,3] y; int[0,3] a[2]; clock c;\n"
      "process P() { state s; init s; trans\n"
      "  s -> s { assign x = 3, y = x, c = 0; },\n"  // y is the new x
      "  s -> s { assign x = 1, y = y > 0 ? 2 : 0; },\n"
      "  s -> s { assign a[x > 0 ? 1 : 0] = 3, c = y; }; }\n"
      "system P;\n",
      "E<> y == 3");
  const Task& task = example.task();
  ASSERT_EQ(task.labels().size(), 3u);
  const auto together = task.effects(task.labels()[0]);
  ASSERT_EQ(together.size(), 1u);
  EXPECT_EQ(writes(task, task.effect(together[0]), example.state()),
            (std::map<uint32_t, int32_t>{{example.variable("x"), 3}, {example.variable("y"), 3}}));

  const auto apart = task.effects(task.labels()[1]);
  ASSERT_EQ(apart.size(), 2u);
  EXPECT_EQ(task.effect(apart[0]).kind, Effect::Kind::Assignment);
  EXPECT_TRUE(Decisions::is_leaf(task.effect(apart[0]).decision));  // a constant
  EXPECT_EQ(writes(task, task.effect(apart[1]), example.state({{"y", 3}})),
            (std::map<uint32_t, int32_t>{{example.variable("y"), 2}}));

  const auto indexed = task.effects(task.labels()[2]);
  ASSERT_EQ(indexed.size(), 2u);
  EXPECT_EQ(task.effect(indexed[0]).kind, Effect::Kind::Other);
  EXPECT_EQ(writes(task, task.effect(indexed[0]), example.state({{"x", 1}})),
            (std::map<uint32_t, int32_t>{{example.variable("a[1]"), 3}}));
  EXPECT_EQ(task.effect(indexed[1]).kind, Effect::Kind::Reset);
}

TEST(Task, AnEffectMayFail) {
  const Example example(
      "int[0,3] x;\nprocess P() { state s; init s; trans s -> s { assign x = x + 2; }; }\nsystem P;\n", "E<> x == 3");
  const Task& task = example.task();
  const Effect& effect = task.effect(task.effects(task.labels()[0])[0]);
  Evaluator evaluator(task);
  EXPECT_TRUE(evaluator.outcome(effect, example.state().data()).has_value());
  EXPECT_FALSE(evaluator.outcome(effect, example.state({{"x", 2}}).data()).has_value());
}

TEST(Task, WhatIsTooLargeIsEvaluatedOnDemand) {
  // 100 * 100 combinations, but few of the first.
  const Example example(
      "int[0,99] x; int[0,99] y; int[0,1] z;\n"
      "process P() { state s, t; init s; trans s -> s { guard x < 99; assign x = x + 1; },\n"
      "  s -> s { guard y < 99; assign y = y + 1; }, s -> t { guard x + y > 150; assign z = x > y ? 1 : 0; }; }\n"
      "system P;\n",
      "E<> P.t");
  const Task& task = example.task();
  const Label& last = task.labels()[2];
  const Condition& condition = task.condition(task.conditions(last)[0]);
  const Effect& effect = task.effect(task.effects(last)[0]);
  EXPECT_EQ(condition.decision, Decisions::kNone);
  EXPECT_EQ(effect.decision, Decisions::kNone);
  Evaluator evaluator(task);
  ASSERT_TRUE(evaluator.knows(condition) && evaluator.knows(effect));
  EXPECT_FALSE(evaluator.holds(condition, example.state({{"x", 75}, {"y", 75}}).data()));
  EXPECT_TRUE(evaluator.holds(condition, example.state({{"x", 75}, {"y", 76}}).data()));
  EXPECT_EQ(writes(task, effect, example.state({{"x", 80}, {"y", 76}})),
            (std::map<uint32_t, int32_t>{{example.variable("z"), 1}}));
}

TEST(Task, EachReceiverOfABroadcastHasALabel) {
  const Example example(
      "broadcast chan go; int[0,3] x; int[0,3] y; int[0,3] z;\n"
      "process S() { state a, b; init a; trans a -> b { sync go!; assign x = 2; }; }\n"
      "process Reads() { state a, b; init a; trans a -> b { guard z == 0; sync go?; assign y = x; }; }\n"
      "process Writes() { state a, b; init a; trans a -> b { sync go?; assign x = 3; }; }\n"
      "process Alone() { state a, b; init a; trans a -> b { sync go?; assign z = 1; }; }\n"
      "system S, Reads, Writes, Alone;\n",
      "E<> y == 3");
  const Task& task = example.task();
  ASSERT_EQ(task.labels_of(0).size(), 4u);
  const Label& sender = task.labels_of(0)[0];
  const Label& reads = task.labels_of(0)[1];
  const Label& alone = task.labels_of(0)[3];
  EXPECT_FALSE(sender.receiver.valid());
  EXPECT_EQ(task.moves(sender).size(), 1u);
  EXPECT_EQ(task.moves(reads).size(), 2u);
  EXPECT_EQ(task.own_moves(reads)[0].variable, example.variable("Reads"));
  EXPECT_EQ(task.own_conditions(reads).size(), 1u);
  // It reads what the sender has written, and what another receiver may have written since.
  EXPECT_TRUE(reads.follows && reads.disturbed);
  ASSERT_EQ(task.arbitrary(reads).size(), 1u);
  EXPECT_EQ(task.arbitrary(reads)[0].value, example.variable("y"));
  EXPECT_FALSE(alone.follows || alone.disturbed);
  EXPECT_EQ(task.effects(alone).size(), 2u);
  EXPECT_EQ(task.own_effects(alone).size(), 1u);
  EXPECT_EQ(task.effects(alone)[0], task.effects(sender)[0]);
  EXPECT_EQ(alone.cost, 1u);
}

TEST(Task, BuildingEndsWithTheWatch) {
  const Example example(
      "int[0,50] x; int[0,50] y;\n"
      "process P() { state s; init s; trans s -> s { guard x < 50; assign x = x + 1; },\n"
      "  s -> s { guard y < 50; assign y = y + 1; }, s -> s { guard x < y; assign x = 0; }; }\nsystem P;\n",
      "E<> x > y");
  for (const uint64_t polls : {uint64_t{0}, uint64_t{5}, uint64_t{100}}) {
    const Watch watch({.polls = polls});
    EXPECT_THROW(Task(example.system(), example.property().goal, watch), Error);
  }
}

}  // namespace
}  // namespace harrier::task
