#include "task/regression.h"

#include <gtest/gtest.h>

#include <deque>
#include <map>

#include "task/label_index.h"
#include "task/progression.h"
#include "task_support.h"

namespace harrier::task {
namespace {

using testing_support::TaskExample;

constexpr const char* kPuzzle =
    "int[0,3] x; int[0,2] y; chan go;\n"
    "process P() { state a, b, c; init a; trans a -> b { guard x == 2; sync go!; assign x = 0; },\n"
    "  a -> a { assign x = (x + 1) % 4; }, b -> c { guard x < y; }, b -> a { assign x = y; }; }\n"
    "process Q() { state s, t; init s; trans s -> t { sync go?; assign y = (y + 1) % 3; }, t -> s { guard y != 2; }; "
    "}\n"
    "system P, Q;\n";

TEST(Regression, IsTheInverseOfALabel) {
  const TaskExample example(kPuzzle, "E<> P.c");
  const VariableDomains domains(example.shared_task());
  const Regression regression(domains);
  for (uint32_t l = 0; l < domains.labels().size(); ++l) {
    if (domains.labels()[l].transition == kNone) {
      // Into the goal from where its clause holds.
      const auto before = regression.regress(l, regression.goal());
      ASSERT_TRUE(before.has_value());
      continue;
    }
    ASSERT_TRUE(domains.labels()[l].exact);
    const auto all = regression.regress(l, {});  // from where it can be taken at all
    ASSERT_TRUE(all.has_value());
    for (const VariableDomains::Part& part : domains.parts(domains.labels()[l])) {
      for (uint32_t i = 0; i < domains.variable(part.variable).size; ++i) {
        const auto value = static_cast<Value>(i);
        const auto before = regression.regress(l, {{part.variable, {value}}});
        bool reached = false;
        for (uint32_t f = 0; f < domains.variable(part.variable).size; ++f) {
          const auto from = static_cast<Value>(f);
          const bool leads = domains.contains(part.set, from) && domains.mapped(part.map, from) == value;
          reached = reached || leads;
          if (!before) continue;
          std::vector<Value> state(domains.size(), 0);
          for (const Restriction& r : *before) state[r.variable] = r.values[0];
          state[part.variable] = from;
          EXPECT_EQ(Regression::contains(*before, state.data()), leads);
        }
        EXPECT_EQ(before.has_value(), reached);
      }
    }
  }
}

// Distances by regions, backwards from the goal, are those of the states, forwards.
TEST(Regression, GivesTheDistancesOfAllStates) {
  const TaskExample example(kPuzzle, "E<> P.c and y == 2");
  const Task& task = example.task();
  const VariableDomains domains(example.shared_task());
  const Regression regression(domains);

  std::map<std::vector<Value>, uint32_t> forwards;  // all states, and their numbers
  std::vector<std::vector<Value>> states;
  std::vector<std::vector<uint32_t>> before;
  std::vector<uint32_t> distance;
  std::deque<uint32_t> queue;
  Progression progression(task);
  const LabelIndex index(task);
  const auto visit = [&](const std::vector<Value>& state) {
    const auto [at, fresh] = forwards.try_emplace(state, static_cast<uint32_t>(states.size()));
    if (fresh) {
      states.push_back(state);
      before.emplace_back();
      queue.push_back(at->second);
    }
    return at->second;
  };
  visit(example.state());
  while (!queue.empty()) {
    const uint32_t source = queue.front();
    queue.pop_front();
    const std::vector<Value> state = states[source];
    index.for_each_applicable(progression, state.data(), [&](uint32_t l) {
      std::vector<Value> next(state.size());
      if (!progression.apply(task.labels()[l], state.data(), next.data())) return;
      const uint32_t target = visit(next);
      before[target].push_back(source);
    });
  }
  ASSERT_GT(states.size(), 15u);
  distance.assign(states.size(), kNone);
  for (uint32_t s = 0; s < states.size(); ++s) {
    if (!progression.is_goal(states[s].data())) continue;
    distance[s] = 0;
    queue.push_back(s);
  }
  for (; !queue.empty(); queue.pop_front()) {
    for (const uint32_t s : before[queue.front()]) {
      if (distance[s] != kNone) continue;
      distance[s] = distance[queue.front()] + 1;
      queue.push_back(s);
    }
  }

  std::vector<uint32_t> backwards(states.size(), kNone);
  std::vector<Region> layer;
  for (const uint32_t l : regression.labels_into(domains.goal(), 1)) {
    if (auto region = regression.regress(l, regression.goal())) layer.push_back(*region);
  }
  for (uint32_t depth = 0; !layer.empty(); ++depth) {
    std::vector<Region> next;
    for (const Region& region : layer) {
      bool news = false;
      for (uint32_t s = 0; s < states.size(); ++s) {
        std::vector<Value> numbers(domains.size(), 0);
        for (uint32_t v = 0; v < domains.goal(); ++v) numbers[v] = states[s][domains.variable(v).variable];
        if (backwards[s] != kNone || !Regression::contains(region, numbers.data())) continue;
        backwards[s] = depth;
        news = true;
      }
      if (!news) continue;
      for (uint32_t l = 0; l < domains.labels().size(); ++l) {
        if (domains.labels()[l].transition == kNone) continue;
        if (auto preimage = regression.regress(l, region)) next.push_back(std::move(*preimage));
      }
    }
    layer = std::move(next);
  }
  EXPECT_EQ(backwards, distance);
  EXPECT_EQ(distance[0], 8u);
}

TEST(Regression, KnowsWhichLabelsLeadToAValue) {
  const TaskExample example(kPuzzle, "E<> P.c");
  const VariableDomains domains(example.shared_task());
  const Regression regression(domains);
  for (uint32_t v = 0; v < domains.size(); ++v) {
    for (uint32_t i = 0; i < domains.variable(v).size; ++i) {
      const auto value = static_cast<Value>(i);
      std::vector<uint32_t> expected;
      for (uint32_t l = 0; l < domains.labels().size(); ++l) {
        for (const VariableDomains::Part& part : domains.parts(domains.labels()[l])) {
          if (part.variable != v) continue;
          bool leads = false;
          for (uint32_t f = 0; f < domains.variable(v).size; ++f) {
            const auto from = static_cast<Value>(f);
            leads =
                leads || (from != value && domains.contains(part.set, from) && domains.mapped(part.map, from) == value);
          }
          if (leads) expected.push_back(l);
        }
      }
      const auto found = regression.labels_into(v, value);
      EXPECT_EQ(std::vector<uint32_t>(found.begin(), found.end()), expected);
    }
  }
}

}  // namespace
}  // namespace harrier::task
