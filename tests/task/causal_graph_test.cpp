#include "task/causal_graph.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "task_support.h"

namespace harrier::task {
namespace {

using testing_support::TaskExample;

TEST(CausalGraph, ArcsLeadFromWhatIsNeededToWhatChanges) {
  const TaskExample example(
      "int[0,3] supply; int[0,3] made; int[0,1] unused;\n"
      "process P() { state l0, l1; init l0;\n"
      "  trans l0 -> l0 { assign supply = (supply + 1) % 4; }, l0 -> l1 { guard made == 2; }; }\n"
      "process Q() { state s; init s; trans s -> s { guard supply == 3; assign made = (made + 1) % 4; }; }\n"
      "system P, Q;\n",
      "E<> P.l1");
  const VariableDomains domains(example.shared_task());
  const CausalGraph graph(domains);
  const auto number = [&](const std::string& name) {
    uint32_t v = 0;
    while (domains.variable(v).variable != example.variable(name)) ++v;
    return v;
  };
  using Numbers = std::vector<uint32_t>;
  EXPECT_EQ(graph.all_predecessors(number("supply")), (Numbers{number("P")}));
  EXPECT_EQ(graph.all_predecessors(number("made")), (Numbers{number("supply")}));
  EXPECT_EQ(graph.all_predecessors(number("P")), (Numbers{number("made")}));
  EXPECT_EQ(graph.all_predecessors(domains.goal()), (Numbers{number("P")}));
  EXPECT_TRUE(graph.all_predecessors(number("unused")).empty());
  // The cycle is broken where a process would come before an integer.
  EXPECT_TRUE(graph.predecessors(number("supply")).empty());
  EXPECT_EQ(graph.predecessors(number("P")), (Numbers{number("made")}));
  const auto& order = graph.order();
  ASSERT_EQ(order.size(), domains.size());
  const auto at = [&](uint32_t v) { return std::find(order.begin(), order.end(), v) - order.begin(); };
  EXPECT_LT(at(number("supply")), at(number("made")));
  EXPECT_LT(at(number("made")), at(number("P")));
  EXPECT_EQ(order.back(), domains.goal());
}

}  // namespace
}  // namespace harrier::task
