#include "task/label_index.h"

#include <gtest/gtest.h>

#include <set>

#include "task_support.h"

namespace harrier::task {
namespace {

// (progression_test.cpp compares the index with a look at all labels, on random models.)
TEST(LabelIndex, FindsTheLabelsThatAreApplicable) {
  const testing_support::TaskExample example(
      "int[0,3] x; int[0,3] y; chan c;\n"
      "process P() { state a, b; init a; trans a -> b { guard x == 1; }, a -> b { guard x == 1 && x < y; },\n"
      "  a -> a { guard x == 2; }, b -> a { sync c!; }, a -> a { guard x == 0, x == 1; }; }\n"
      "process Q() { state a; init a; trans a -> a { sync c?; }, a -> a { assign x = (x + 1) % 4, y = x; }; }\n"
      "process Empty() { state a; init a; }\n"
      "system P, Q, Empty;\n",
      "E<> x == 3");
  const Task& task = example.task();
  ASSERT_EQ(task.labels().size(), 6u);
  const LabelIndex index(task);
  Progression progression(task);
  const auto applicable = [&](const std::map<std::string, int32_t>& changes) {
    std::set<std::string> out;
    index.for_each_applicable(progression, example.state(changes).data(), [&](uint32_t l) {
      const auto& edges = task.transitions()[task.labels()[l].transition].edges;
      std::string text;
      for (const model::EdgeId e : edges) text += std::to_string(e.value) + " ";
      EXPECT_TRUE(out.insert(text).second) << "twice";
    });
    return out;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(applicable({}), (Names{"6 "}));
  EXPECT_EQ(applicable({{"x", 1}}), (Names{"0 ", "6 "}));
  EXPECT_EQ(applicable({{"x", 1}, {"y", 2}}), (Names{"0 ", "1 ", "6 "}));
  EXPECT_EQ(applicable({{"x", 2}, {"y", 2}}), (Names{"2 ", "6 "}));
  EXPECT_EQ(applicable({{"x", 2}, {"P", 1}}), (Names{"3 5 ", "6 "}));
}

}  // namespace
}  // namespace harrier::task
