#include "abstraction/patterns/projection.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "abstraction/abstraction_support.h"
#include "abstraction/patterns/abstract_space.h"
#include "abstraction/patterns/additivity.h"

namespace harrier::abstraction {
namespace {

using testing_support::Example;
using testing_support::factors_of;
using testing_support::for_small_random_models;
using testing_support::StateGraph;

// All steps between keys, found by trying every label on every pair.
std::set<std::pair<uint64_t, uint64_t>> steps_by_definition(const Factors& factors, const Projection& projection) {
  std::set<std::pair<uint64_t, uint64_t>> steps;
  std::vector<Value> a(projection.width());
  std::vector<Value> b(projection.width());
  for (const Factors::Label& label : factors.labels()) {
    std::map<uint32_t, uint32_t> relation_of;
    for (const Factors::Part& part : factors.parts(label)) relation_of[part.variable] = part.relation;
    for (uint64_t from = 0; from < projection.keys(); ++from) {
      projection.decode(from, a.data());
      for (uint64_t to = 0; to < projection.keys(); ++to) {
        if (from == to) continue;
        projection.decode(to, b.data());
        bool leads = true;
        for (size_t i = 0; i < a.size() && leads; ++i) {
          const auto at = relation_of.find(projection.pattern()[i]);
          if (at == relation_of.end()) {
            leads = a[i] == b[i];
          } else {
            const auto image = factors.relation(at->second).from(a[i]);
            leads = std::find(image.begin(), image.end(), b[i]) != image.end();
          }
        }
        if (leads) steps.emplace(from, to);
      }
    }
  }
  return steps;
}

TEST(Projection, StepsAreThoseOfTheLabelsInBothDirections) {
  size_t checked = 0;
  for_small_random_models(40, 300, [&](Example& example, const StateGraph&, const std::string& name) {
    const auto factors = factors_of(example);
    for (uint32_t v = 0; v + 1 < factors->size(); v += 2) {
      const Pattern pattern = v + 2 < factors->size() ? Pattern{v, v + 1, v + 2} : Pattern{v, v + 1};
      if (Projection::combinations(*factors, pattern) > 150) continue;
      const Projection projection(*factors, pattern);
      std::set<std::pair<uint64_t, uint64_t>> forward;
      std::set<std::pair<uint64_t, uint64_t>> backward;
      std::vector<Value> values(pattern.size());
      for (uint64_t key = 0; key < projection.keys(); ++key) {
        projection.decode(key, values.data());
        projection.for_each_successor(key, values.data(), [&](uint32_t, uint64_t to) {
          if (to != key) forward.emplace(key, to);
        });
        projection.for_each_predecessor(key, values.data(), [&](uint32_t, uint64_t from) {
          if (from != key) backward.emplace(from, key);
        });
      }
      ASSERT_EQ(forward, backward) << name;
      ASSERT_EQ(forward, steps_by_definition(*factors, projection)) << name;
      std::set<uint64_t> goals;
      projection.for_each_goal([&](uint64_t key) { goals.insert(key); });
      for (uint64_t key = 0; key < projection.keys(); ++key) {
        projection.decode(key, values.data());
        ASSERT_EQ(projection.is_goal(values.data()), goals.contains(key)) << name;
      }
      checked += forward.size();
    }
  });
  EXPECT_GT(checked, 1000u);
}

TEST(Projection, TooManyKeysAreNoticed) {
  const Example example(
      "int[0,999] x[8];\n"
      "process P() { state a; init a; trans a -> a { assign x[0] = x[0] + 1, x[1] = x[0], x[2] = x[0], x[3] = x[0],\n"
      "  x[4] = x[0], x[5] = x[0], x[6] = x[0], x[7] = x[0]; }; }\n"
      "system P;\n",
      "E<> x[0] == 999");
  const auto factors = factors_of(example);
  Pattern all;
  for (uint32_t v = 0; v < factors->size(); ++v) all.push_back(v);
  ASSERT_GE(all.size(), 7u);
  EXPECT_EQ(Projection::combinations(*factors, all), Projection::kTooMany);
}

TEST(AbstractSpace, KeysThatCanBeReachedHaveTheDistancesOfAll) {
  size_t checked = 0;
  const Allowance allowance(1'000'000, 1000, Watch::none());
  for_small_random_models(40, 300, [&](Example& example, const StateGraph& graph, const std::string& name) {
    const auto factors = factors_of(example);
    std::vector<Value> initial;
    for (uint32_t v = 0; v < factors->size(); ++v) initial.push_back(factors->read(v, graph.states[0].data()));
    Pattern all;
    for (uint32_t v = 0; v < factors->size(); ++v) {
      all.push_back(v);
      if (Projection::combinations(*factors, all) > 20'000) all.pop_back();
    }
    if (all.empty()) return;
    const auto dense = AbstractSpace::build(*factors, all, initial.data(), 20'000, allowance);
    ASSERT_TRUE(dense && dense->numbers() == nullptr);
    const uint64_t keys = dense->size();
    if (keys == 1) return;
    const auto sparse = AbstractSpace::build(*factors, all, initial.data(), keys - 1, allowance);
    if (!sparse) return;
    std::vector<uint32_t> costs;
    for (const auto& label : factors->labels()) costs.push_back(label.cost + (costs.size() % 3 == 0 ? 2 : 0));
    if (!costs.empty()) costs[0] = 0;
    const auto a = dense->distances(dense->operator_costs(costs), allowance);
    const auto b = sparse->distances(sparse->operator_costs(costs), allowance);
    for (uint32_t s = 0; s < sparse->size(); ++s) ASSERT_EQ((*b)[s], (*a)[sparse->key(s)]) << name;
    // Distances by definition: no step makes them shorter, and each is that of some step.
    const Projection& projection = dense->projection();
    const auto operator_costs = dense->operator_costs(costs);
    std::vector<Value> values(projection.width());
    for (uint32_t s = 0; s < dense->size(); ++s) {
      projection.decode(s, values.data());
      uint64_t least = projection.is_goal(values.data()) ? 0 : kInfinity;
      projection.for_each_successor(s, values.data(), [&](uint32_t op, uint64_t to) {
        if ((*a)[to] != kInfinity) least = std::min<uint64_t>(least, uint64_t{(*a)[to]} + operator_costs[op]);
      });
      ASSERT_EQ((*a)[s], least) << name;
      ++checked;
    }
    // With what is saturated, distances stay.
    const auto needed = dense->saturated(*a, allowance);
    for (size_t op = 0; op < needed->size(); ++op) ASSERT_LE((*needed)[op], operator_costs[op]);
    ASSERT_EQ(dense->distances(*needed, allowance), a) << name;
  });
  EXPECT_GT(checked, 1000u);
}

TEST(AbstractSpace, EndsWhenTheTimeIsOver) {
  const Example example(
      "int[0,99] x; int[0,99] y;\n"
      "process P() { state a; init a; trans a -> a { assign x = x + 1; }, a -> a { assign y = y + 1; }; }\n"
      "system P;\n",
      "E<> x == 99 && y == 99");
  const auto factors = factors_of(example);
  const std::vector<Value> initial(factors->size(), 0);
  const Allowance none(1'000'000, 0, Watch::none());
  const auto space = AbstractSpace::build(*factors, {0, 1}, initial.data(), 1'000'000, none);
  ASSERT_TRUE(space);
  EXPECT_FALSE(space->distances(std::vector<uint32_t>(space->projection().operators(), 1), none));
  EXPECT_FALSE(AbstractSpace::build(*factors, {0, 1}, initial.data(), 9'999, none));
}

// A step that sets six variables comes from 10^12 combinations of values: few states can be reached, but the
// predecessors of one of them take for ever. (k and m are always equal, so that nothing counts; a relaxation does not
// know that.)
TEST(AbstractSpace, EndsAmongTheStepsOfOneState) {
  std::string text = "int[0,1] k; int[0,1] m;\n";
  std::string seven;
  std::string zero;
  std::string counting;
  std::string goal;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
    text += std::string("int[0,99] ") + name + ";\n";
    seven += std::string(", ") + name + " = 7";
    zero += std::string(", ") + name + " = 0";
    counting += std::string(", set -> set { guard k == 0 && m == 1; assign ") + name + " = " + name + " + 1; }";
    goal += std::string(" && ") + name + " == 7";
  }
  text += "process P() { state start, set; init start; trans start -> set { assign k = 1, m = 1" + seven +
          "; }, set -> start { assign k = 0, m = 0" + zero + "; }" + counting + "; }\nsystem P;\n";
  const Example example(text, "E<> k == 1" + goal);
  const auto factors = factors_of(example);
  std::vector<Value> initial;
  const auto values = example.system().initial_values();
  Pattern all;
  for (uint32_t v = 0; v < factors->size(); ++v) {
    initial.push_back(factors->read(v, values.data()));
    all.push_back(v);
  }
  const Allowance little(1'000, 0.1, Watch::none());
  const auto space = AbstractSpace::build(*factors, all, initial.data(), 1'000, little);
  ASSERT_TRUE(space && space->numbers() != nullptr);
  EXPECT_EQ(space->size(), 2u);
  const std::vector<uint32_t> costs(space->projection().operators(), 1);
  EXPECT_FALSE(space->distances(costs, little));
  EXPECT_FALSE(space->saturated(std::vector<uint32_t>(space->size(), 0), little));
  const Watch watch({.polls = 3});
  const Allowance watched(1'000, 1000, watch);
  EXPECT_THROW(space->distances(costs, watched), Error);
}

TEST(Additivity, MaximalSets) {
  const Example example(
      "int[0,3] x; int[0,3] y; int[0,3] z;\n"
      "process P() { state a; init a; trans a -> a { assign x = x + 1; }, a -> a { assign y = y + 1, z = z + 1; }; }\n"
      "system P;\n",
      "E<> x == 3 && y == 2 && z == 1");
  const auto factors = factors_of(example);
  const auto variable = [&](const std::string& name) {
    for (uint32_t v = 0; v < factors->size(); ++v) {
      if (factors->variable(v) == example.variable(name)) return v;
    }
    return factors->size();
  };
  const std::vector<Pattern> patterns = {{variable("x")}, {variable("y")}, {variable("z")}};
  auto sets = Additivity(*factors).maximal_sets(patterns, 10);
  for (auto& set : sets) std::sort(set.begin(), set.end());
  std::sort(sets.begin(), sets.end());
  EXPECT_EQ(sets, (std::vector<std::vector<uint32_t>>{{0, 1}, {0, 2}}));
  EXPECT_EQ(Additivity(*factors).maximal_sets(patterns, 1).size(), 1u);
}

}  // namespace
}  // namespace harrier::abstraction
