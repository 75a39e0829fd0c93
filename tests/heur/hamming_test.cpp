// The Hamming distance: bits that differ from the nearest goal, on values that are plain to see.
#include "heur/hamming.h"

#include <gtest/gtest.h>

#include "support/system_builder.h"

namespace harrier::heur {
namespace {

using testing_support::SystemBuilder;

struct Fixture {
  SystemBuilder b;
  model::VarId x = b.var("x", -1, 14);
  model::VarId y = b.var("y", 0, 15);
  model::ProcessId p = b.process("P", {"l0", "l1", "l2", "l3"});

  uint32_t estimate(const model::Property& property, int32_t vx, int32_t vy, int32_t location) {
    HammingDistance hamming(b.system, property.goal);
    const int32_t values[] = {vx, vy, location};
    return hamming.evaluate({values, {}});
  }
};

TEST(Hamming, CountsTheBitsThatDiffer) {
  Fixture f;
  const model::Property goal = SystemBuilder::reachable({f.b.eq(f.x, 6), f.b.at(f.p, 3)});
  EXPECT_EQ(f.estimate(goal, 6, 0, 3), 0u);
  EXPECT_EQ(f.estimate(goal, 6, 9, 0), 2u) << "two bits of the location; y does not matter";
  EXPECT_EQ(f.estimate(goal, -1, 0, 3), 3u) << "0 against 7, counting from -1";
  EXPECT_EQ(f.estimate(goal, 5, 0, 1), 2u) << "6 against 7, and one bit of the location";
}

TEST(Hamming, TakesTheNearestValueThatTheGoalAllows) {
  Fixture f;
  const auto at_least = [&](model::VarId v, int32_t n) { return f.b.op(model::Op::Ge, f.b.get(v), f.b.num(n)); };
  const model::Property goal = SystemBuilder::reachable({at_least(f.y, 7)});
  EXPECT_EQ(f.estimate(goal, 0, 3, 0), 1u) << "0011 against 0111";
  EXPECT_EQ(f.estimate(goal, 0, 0, 0), 1u) << "0000 against 1000";
  EXPECT_EQ(f.estimate(goal, 0, 15, 0), 0u);
}

TEST(Hamming, AConditionOnSeveralVariablesIsOneBit) {
  Fixture f;
  const auto same = f.b.op(model::Op::Eq, f.b.get(f.x), f.b.get(f.y));
  const model::Property goal = SystemBuilder::reachable({same, f.b.at(f.p, 1)});
  EXPECT_EQ(f.estimate(goal, 0, 15, 1), 1u);
  EXPECT_EQ(f.estimate(goal, 0, 15, 2), 3u);
  EXPECT_EQ(f.estimate(goal, 4, 4, 1), 0u);
}

}  // namespace
}  // namespace harrier::heur
