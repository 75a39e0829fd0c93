#include "abstraction/factors.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

#include "abstraction/abstraction_support.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::factors_of;
using testing_support::for_small_random_models;
using testing_support::StateGraph;

std::vector<Value> read(const Factors& factors, const std::vector<int32_t>& state) {
  std::vector<Value> out;
  for (uint32_t v = 0; v < factors.size(); ++v) out.push_back(factors.read(v, state.data()));
  return out;
}

// Whether a label leads from one state to another.
bool leads(const Factors& factors, const Factors::Label& label, const std::vector<Value>& from,
           const std::vector<Value>& to) {
  std::vector<bool> told(from.size(), false);
  for (const Factors::Part& part : factors.parts(label)) {
    const auto image = factors.relation(part.relation).from(from[part.variable]);
    if (!std::binary_search(image.begin(), image.end(), to[part.variable])) return false;
    told[part.variable] = true;
  }
  for (size_t v = 0; v < from.size(); ++v) {
    if (!told[v] && from[v] != to[v]) return false;
  }
  return true;
}

size_t count_labels(const Factors& factors, const std::vector<Value>& from, const std::vector<Value>& to) {
  return static_cast<size_t>(std::count_if(factors.labels().begin(), factors.labels().end(),
                                           [&](const auto& label) { return leads(factors, label, from, to); }));
}

bool is_goal(const Factors& factors, const std::vector<Value>& state) {
  return std::any_of(factors.goals().begin(), factors.goals().end(), [&](const Factors::Label& goal) {
    const auto parts = factors.parts(goal);
    return std::all_of(parts.begin(), parts.end(), [&](const Factors::Part& part) {
      return !factors.relation(part.relation).from(state[part.variable]).empty();
    });
  });
}

// Whatever the model does, one label does, in all variables at once; goal states are goal states.
TEST(Factors, CoverWhatRandomModelsDo) {
  size_t checked = 0;
  for_small_random_models(150, 300, [&](Example& example, const StateGraph& graph, const std::string& name) {
    for (const task::Task::Limits& limits : {task::Task::Limits(), task::Task::Limits{2, 3}}) {
      const auto shared = factors_of(example, limits);
      const Factors& factors = *shared;
      std::vector<std::vector<Value>> states;
      for (const auto& values : graph.states) states.push_back(read(factors, values));
      for (size_t s = 0; s < states.size(); ++s) {
        ASSERT_TRUE(!graph.goal[s] || is_goal(factors, states[s])) << name;
        for (const StateGraph::Step& step : graph.steps[s]) {
          if (states[s] == states[step.target]) continue;  // it changes only what has no factor
          ASSERT_GT(count_labels(factors, states[s], states[step.target]), 0u) << name << " state " << s;
          ++checked;
        }
      }
    }
  });
  EXPECT_GT(checked, 5000u);
}

constexpr const char* kBroadcast =
    "broadcast chan go; int[0,2] x;\n"
    "process S() { state a, b; init a; trans a -> b { sync go!; }; }\n"
    "process R() { state a, b; init a; trans a -> b { sync go?; }; }\n"
    "process T() { state a, b; init a; trans a -> b { guard x == 1; sync go?; }; }\n"
    "process U() { state a, b; init a; trans a -> b { guard x == 2; sync go?; }; }\n"
    "process V() { state a; init a; trans a -> a { assign x = x + 1; }; }\n"
    "system S, R, T, U, V;\n";

TEST(Factors, ReceiversOfABroadcastComeAlong) {
  const Example example(kBroadcast, "E<> S.b");
  const auto shared = factors_of(example);
  const Factors& factors = *shared;
  const auto state = [&](const std::map<std::string, int32_t>& changes) {
    return read(factors, example.state(changes));
  };
  const auto start = state({{"x", 1}});
  EXPECT_GT(count_labels(factors, start, state({{"x", 1}, {"S", 1}, {"R", 1}, {"T", 1}})), 0u);
  EXPECT_EQ(count_labels(factors, start, state({{"x", 1}, {"S", 1}})), 0u) << "R is ready: it cannot stay";
  EXPECT_EQ(count_labels(factors, start, state({{"x", 1}, {"S", 1}, {"T", 1}})), 0u);
  EXPECT_GT(count_labels(factors, state({{"x", 1}, {"R", 1}}), state({{"x", 1}, {"S", 1}, {"R", 1}, {"T", 1}})), 0u);
}

TEST(Factors, OnlyThoseReceiveWhoseGuardsCanHold) {
  const Example example(kBroadcast, "E<> S.b");
  const auto shared = factors_of(example);
  const Factors& factors = *shared;
  const uint32_t u = [&] {
    for (uint32_t v = 0; v < factors.size(); ++v) {
      if (factors.variable(v) == example.variable("U")) return v;
    }
    return factors.size();
  }();
  const uint32_t x = [&] {
    for (uint32_t v = 0; v < factors.size(); ++v) {
      if (factors.variable(v) == example.variable("x")) return v;
    }
    return factors.size();
  }();
  size_t told = 0;
  for (const Factors::Label& label : factors.labels()) {
    const auto parts = factors.parts(label);
    const auto of = [&](uint32_t v) {
      return std::find_if(parts.begin(), parts.end(), [&](const auto& part) { return part.variable == v; });
    };
    if (of(x) == parts.end() || factors.relation(of(x)->relation).from(1).empty()) continue;
    if (!factors.relation(of(x)->relation).keeps()) continue;
    ++told;  // T receives with x == 1, so that U cannot
    EXPECT_EQ(of(u), parts.end());
  }
  EXPECT_EQ(told, 1u);
}

TEST(Factors, CommittedLocationsGoFirst) {
  const Example example(
      "int[0,1] x;\n"
      "process P() { state a, b; commit b; init a; trans a -> b { }, b -> a { }; }\n"
      "process Q() { state a; init a; trans a -> a { guard x == 0; assign x = 1; }; }\n"
      "system P, Q;\n",
      "E<> x == 1");
  const auto shared = factors_of(example);
  const Factors& factors = *shared;
  const auto state = [&](const std::map<std::string, int32_t>& changes) {
    return read(factors, example.state(changes));
  };
  EXPECT_EQ(count_labels(factors, state({}), state({{"x", 1}})), 1u);
  EXPECT_EQ(count_labels(factors, state({{"P", 1}}), state({{"P", 1}, {"x", 1}})), 0u);
  EXPECT_EQ(count_labels(factors, state({{"P", 1}}), state({})), 1u);
}

}  // namespace
}  // namespace harrier::abstraction
