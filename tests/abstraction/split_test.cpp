#include "abstraction/predicates/split.h"

#include <gtest/gtest.h>

#include <string>

#include "abstraction/predicates/part.h"
#include "heur/heur_support.h"

namespace harrier::abstraction {
namespace {

using Parts = std::vector<std::vector<uint32_t>>;
using testing_support::Example;

Split split(const Example& example, uint32_t bound) {
  model::Accesses accesses(example.system());
  return split_network(example.system(), accesses, bound, Watch::none());
}

std::string process(const std::string& name, const std::string& edges) {
  return "process " + name + "() { state a, b; init a; trans " + edges + "; }\n";
}

TEST(Split, ProcessesThatInteractStayTogether) {
  // P tells Q through x and y; R and S synchronise; T is alone.
  const Example example("int[0,3] x, y; chan c;\n" + process("P", "a -> b { assign x = 1; }") +
                            process("R", "a -> b { sync c!; }") +
                            process("Q", "a -> a { assign y = x; }, a -> b { guard y == 1; }") +
                            process("S", "a -> b { sync c?; }") + process("T", "a -> b { }") + "system P, R, Q, S, T;",
                        "E<> Q.b");
  EXPECT_EQ(split(example, 0).parts, (Parts{{0, 1, 2, 3, 4}}));
  EXPECT_EQ(split(example, 2).parts, (Parts{{0, 2}, {1, 3}, {4}}));
  EXPECT_EQ(split(example, 2).violated, 0u);
  EXPECT_EQ(split(example, 5).parts, (Parts{{0, 1, 2, 3, 4}}));
  EXPECT_EQ(split(example, 1).parts, (Parts{{0}, {1}, {2}, {3}, {4}}));
  EXPECT_EQ(split(example, 1).kept, 0u);
  EXPECT_EQ(split(example, 1).violated, 3u);  // x := 1 affects y == 1; a synchronisation counts both ways
}

TEST(Split, MoreInteractionsCountMore) {
  const Example example("int[0,3] x, y;\n" + process("P", "a -> b { guard x == 1; }") +
                            process("Q", "a -> b { assign x = 1, y = 1; }") +
                            process("R", "a -> b { guard y == 1; }, b -> a { guard y == 2; }") + "system P, Q, R;",
                        "E<> P.b");
  EXPECT_EQ(split(example, 2).parts, (Parts{{0}, {1, 2}}));
  EXPECT_EQ(split(example, 2).kept, 2u);
  EXPECT_EQ(split(example, 2).violated, 1u);
}

TEST(Parts, ConditionsOnWhatOthersWriteAreRemoved) {
  const Example example("int[0,3] x, y; clock t; chan c; broadcast chan d;\n" +
                            process("P",
                                    "a -> b { guard x == 1 && y == 2 && t > 3; sync c!; }, b -> a { sync d?; }, a -> a "
                                    "{ assign y = y < 3 ? y + 1 : 0; }") +
                            process("Q", "a -> b { sync c?; assign x = 1, t = 0; }, b -> a { sync d!; }") +
                            "system P, Q;",
                        "E<> P.b && Q.b && y == 3");
  Workbench bench(example.system(), example.property().goal, Watch::none());
  const auto never = [] { return false; };
  const Part whole = make_part(bench, std::vector<uint32_t>{0, 1}, never);
  EXPECT_TRUE(whole.whole);
  EXPECT_EQ(whole.removed_conditions, 0u);
  EXPECT_EQ(whole.removed_synchronisations, 0u);
  EXPECT_EQ(whole.steps.size(), 4u);  // both together, the broadcast with and without P, and P alone
  const Part part = make_part(bench, std::vector<uint32_t>{0}, never);
  EXPECT_EQ(part.removed_synchronisations, 1u);
  EXPECT_EQ(part.removed_conditions, 3u);  // x == 1, t > 3 and, of the goal, Q.b
  EXPECT_EQ(part.steps.size(), 3u);
  ASSERT_EQ(part.aims.size(), 1u);
  EXPECT_EQ(part.aims[0].conditions.size(), 2u);
  EXPECT_FALSE(part.is_trivial());
  size_t open = 0;
  for (const Part::Step& step : part.steps) open += step.open;
  EXPECT_EQ(open, 2u);
  // Out of time: nothing is said.
  EXPECT_TRUE(make_part(bench, std::vector<uint32_t>{0}, [] { return true; }).is_trivial());
}

}  // namespace
}  // namespace harrier::abstraction
