#include "task/variable_domains.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "task_support.h"

namespace harrier::task {
namespace {

using testing_support::TaskExample;

uint32_t number(const VariableDomains& domains, const TaskExample& example, const std::string& name) {
  for (uint32_t v = 0; v < domains.goal(); ++v) {
    if (domains.variable(v).variable == example.variable(name)) return v;
  }
  throw std::runtime_error("no domain of " + name);
}

TEST(VariableDomains, WhatTiesVariablesTogetherMakesSeveralLabels) {
  const TaskExample example(
      "int[0,2] x; int[0,2] y; int[0,2] z;\n"
      "process P() { state s; init s; trans s -> s { guard x < y; assign z = x; },\n"
      "  s -> s { assign x = (x + 1) % 3; }, s -> s { assign y = 2; }, s -> s { assign y = 1; }; }\n"
      "system P;\n",
      "E<> z == 1");
  const VariableDomains domains(example.shared_task());
  const uint32_t x = number(domains, example, "x");
  const uint32_t y = number(domains, example, "y");
  const uint32_t z = number(domains, example, "z");
  // One for each pair of values of x and a larger one of y.
  size_t of_first = 0;
  for (const VariableDomains::Label& label : domains.labels()) {
    EXPECT_TRUE(label.exact);
    if (label.transition != 0) continue;
    ++of_first;
    const auto part = [&](uint32_t v) {
      const auto parts = domains.parts(label);
      return *std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.variable == v; });
    };
    ASSERT_EQ(domains.set(part(x).set).values.size(), 1u);
    ASSERT_EQ(domains.set(part(y).set).values.size(), 1u);
    const Value from = domains.set(part(x).set).values[0];
    EXPECT_LT(from, domains.set(part(y).set).values[0]);
    EXPECT_EQ(domains.mapped(part(z).map, 2), from);
    EXPECT_TRUE(part(x).restricts && !part(x).affects);
    EXPECT_TRUE(part(z).affects && !part(z).restricts);
  }
  EXPECT_EQ(of_first, 3u);
  // The second label turns x round.
  ASSERT_EQ(domains.edges_from(x, 2).size(), 1u);
  EXPECT_EQ(domains.edges_from(x, 2)[0].to, 0u);
  ASSERT_EQ(domains.edges(domains.goal()).size(), 1u);
}

TEST(VariableDomains, WhatHasTooManyCombinationsIsNotExact) {
  const TaskExample example(
      "int[0,99] a; int[0,99] b; int[0,99] c; int n;\n"
      "process P() { state s, t; init s; trans s -> s { guard a < 99; assign a = a + 1; },\n"
      "  s -> s { guard b < 99; assign b = b + 1; }, s -> s { guard c < 99; assign c = c + 1; },\n"
      "  s -> t { guard a + b == c; }, s -> t { assign c = (a + b + c) % 100; }, s -> s { assign n = n + 1; },\n"
      "  s -> t { guard n == 7; }; }\n"
      "system P;\n",
      "E<> P.t");
  const VariableDomains domains(example.shared_task());
  EXPECT_THROW(number(domains, example, "n"), std::runtime_error) << "it has no exact domain";
  std::map<uint32_t, bool> exact;
  for (const VariableDomains::Label& label : domains.labels()) {
    if (label.transition != kNone) exact[label.transition] = label.exact;
  }
  // Counting n changes nothing that has a domain.
  EXPECT_EQ(exact, (std::map<uint32_t, bool>{{0, true}, {1, true}, {2, true}, {3, false}, {4, false}, {6, false}}));
  const uint32_t c = number(domains, example, "c");
  EXPECT_TRUE(std::any_of(domains.edges(c).begin(), domains.edges(c).end(),
                          [](const VariableDomains::Edge& e) { return e.to == kAnyValue; }));
}

}  // namespace
}  // namespace harrier::task
