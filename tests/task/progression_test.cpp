#include "task/progression.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/error.h"
#include "heur/heur_support.h"
#include "model/interpreter.h"
#include "random/generator.h"
#include "task/label_index.h"
#include "task_support.h"

namespace harrier::task {
namespace {

using testing_support::Profile;
using testing_support::StateGraph;
using testing_support::TaskExample;

bool covers(const std::vector<Value>& successor, const std::vector<Value>& state) {
  return std::equal(successor.begin(), successor.end(), state.begin(),
                    [](Value s, Value v) { return s == kAnyValue || s == v; });
}

TEST(Progression, AppliesMovesAndEffects) {
  const TaskExample example(
      "int[0,3] x = 1; int[0,3] y; chan c;\n"
      "process P() { state a, b; init a; trans a -> b { guard x < 2; sync c!; assign x = x + 2, y = x; }; }\n"
      "process Q() { state a, b; init a; trans a -> b { sync c?; }; }\n"
      "system P, Q;\n",
      "E<> y == 3 and P.b");
  const Task& task = example.task();
  Progression progression(task);
  ASSERT_EQ(task.labels().size(), 1u);
  std::vector<Value> next(task.variable_count());
  ASSERT_TRUE(progression.apply(task.labels()[0], example.state().data(), next.data()));
  EXPECT_EQ(next, example.state({{"x", 3}, {"y", 3}, {"P", 1}, {"Q", 1}}));
  EXPECT_TRUE(progression.is_goal(next.data()));
  EXPECT_FALSE(progression.is_goal(example.state({{"y", 3}}).data()));
  std::vector<Value> further(task.variable_count());
  EXPECT_FALSE(progression.apply(task.labels()[0], next.data(), further.data())) << "it has left";
  EXPECT_FALSE(progression.is_applicable(task.labels()[0], example.state({{"x", 3}}).data()));
}

TEST(Progression, OtherReceiversAreLeftOpen) {
  const TaskExample example(
      "broadcast chan go; int[0,1] x; int[0,1] y;\n"
      "process S() { state a, b; init a; trans a -> b { sync go!; }; }\n"
      "process R() { state a, b; init a; trans a -> b { sync go?; assign x = 1; }; }\n"
      "process T() { state a, b; init a; trans a -> b { guard x == 0; sync go?; assign y = 1; }; }\n"
      "system S, R, T;\n",
      "E<> x == 1 and y == 1");
  const Task& task = example.task();
  Progression progression(task);
  std::vector<Value> next(task.variable_count());
  ASSERT_TRUE(progression.apply(task.labels_of(0)[1], example.state().data(), next.data()));
  EXPECT_EQ(next[example.variable("x")], 1u);
  EXPECT_EQ(next[example.variable("y")], kAnyValue);
  EXPECT_EQ(next[example.variable("T")], kAnyValue);
  // With x == 1 nobody else is ready.
  ASSERT_TRUE(progression.apply(task.labels_of(0)[1], example.state({{"x", 1}}).data(), next.data()));
  EXPECT_EQ(next, example.state({{"x", 1}, {"S", 1}, {"R", 1}}));
}

TEST(Progression, WindowsAndWideVariables) {
  const std::string model =
      "int n;\nprocess P() { state a, b; init a; trans a -> a { assign n = n + 1; }, a -> b { guard n == 5; }; }\n"
      "system P;\n";
  const TaskExample window(model, "E<> P.b", {.most_values = 4, .largest_window = 64});
  ASSERT_TRUE(window.task().domain(window.variable("n")).is_window());
  Progression progression(window.task());
  std::vector<Value> next(window.task().variable_count());
  ASSERT_TRUE(progression.apply(window.task().labels()[0], window.state({{"n", 4}}).data(), next.data()));
  EXPECT_EQ(next, window.state({{"n", 5}}));
  // From below the window it may come to its end, or not yet.
  ASSERT_TRUE(progression.apply(window.task().labels()[0], window.state({{"n", -100}}).data(), next.data()));
  EXPECT_EQ(next[window.variable("n")], kAnyValue);

  const TaskExample wide(model, "E<> P.b", {.most_values = 4, .largest_window = 2});
  Progression without(wide.task());
  ASSERT_TRUE(wide.task().domain(wide.variable("n")).is_wide());
  ASSERT_TRUE(without.apply(wide.task().labels()[1], wide.state().data(), next.data())) << "n may be 5";
  EXPECT_EQ(next, wide.state({{"P", 1}}));
}

// Whatever the model does, a label does.
TEST(Progression, CoversWhatRandomModelsDo) {
  size_t checked = 0;
  size_t exact = 0;
  for (const Profile& profile : testing_support::profiles()) {
    if (profile.max_clocks != 0) continue;
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      const testing_support::TaModel model = testing_support::generate(profile, seed);
      const testing_support::Example example(testing_support::to_xta(model),
                                             testing_support::to_query(model, model.queries.at(0)));
      std::optional<StateGraph> graph;
      try {
        graph = StateGraph::explore(example.system(), example.property(), 300);
      } catch (const model::EvalFailure&) {
        continue;
      } catch (const Error&) {
        continue;
      }
      if (!graph) continue;
      for (const Task::Limits& limits : {Task::Limits(), Task::Limits{2, 3}}) {
        const Task task(example.system(), example.property().goal, limits);
        const LabelIndex index(task);
        Progression progression(task);
        std::vector<std::vector<Value>> states;
        for (const auto& values : graph->states) {
          states.emplace_back(task.variable_count());
          task.read(values.data(), states.back().data());
        }
        std::vector<Value> next(task.variable_count());
        for (size_t s = 0; s < states.size(); ++s) {
          ASSERT_TRUE(!graph->goal[s] || progression.is_goal(states[s].data()));
          std::vector<uint32_t> applicable;
          index.for_each_applicable(progression, states[s].data(), [&](uint32_t l) { applicable.push_back(l); });
          std::sort(applicable.begin(), applicable.end());
          std::vector<uint32_t> expected;
          for (uint32_t l = 0; l < task.labels().size(); ++l) {
            if (progression.is_applicable(task.labels()[l], states[s].data())) expected.push_back(l);
          }
          ASSERT_EQ(applicable, expected) << profile.name << " " << seed;
          for (const StateGraph::Step& step : graph->steps[s]) {
            const bool covered = std::any_of(applicable.begin(), applicable.end(), [&](uint32_t l) {
              const Label& label = task.labels()[l];
              if (!task.fires(label.transition, step.edges)) return false;
              if (!progression.apply(label, states[s].data(), next.data())) return false;
              if (!covers(next, states[step.target])) return false;
              exact += next == states[step.target];
              return true;
            });
            ASSERT_TRUE(covered) << profile.name << " " << seed << " state " << s << "\n"
                                 << testing_support::to_xta(model);
            ++checked;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 1000u);
  EXPECT_GT(exact, checked / 10);
}

}  // namespace
}  // namespace harrier::task
