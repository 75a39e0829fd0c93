// The symbolic searches against plain enumeration by the concrete semantics: verdicts, shortest lengths, numbers of
// states, failures, and paths that can be replayed.
#include "symbolic/reachability.h"

#include <gtest/gtest.h>

#include "symbolic/chaining.h"
#include "symbolic/enumeration.h"
#include "symbolic/random_network.h"

namespace harrier::testing_support {
namespace {

using symbolic::Reachability;
using Way = Reachability::Way;

TEST(SymbolicReachability, AgreesWithEnumerationOnRandomNetworks) {
  Tally tally;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    model::System system = RandomNetwork::lively(seed, static_cast<int>(seed % 16)).make();
    const model::Property property = RandomNetwork::goal(system, seed);
    for (const Way way : {Way::Forward, Way::Backward, Way::Both}) {
      const auto make = [&](symbolic::Space& space) { return std::make_unique<Reachability>(space, way); };
      ASSERT_EQ(tally.compare(system, property, {.all = way == Way::Forward}, make), "")
          << "seed " << seed << ", way " << static_cast<int>(way);
    }
  }
  EXPECT_GT(tally.reachable, 300);
  EXPECT_GT(tally.unreachable, 500);
  EXPECT_GT(tally.failed, 200);
  EXPECT_GT(tally.with_many_states, 200);
}

TEST(ChainedReachability, AgreesWithEnumerationOnRandomNetworks) {
  Tally tally;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    model::System system = RandomNetwork::lively(seed, static_cast<int>(seed % 16)).make();
    const model::Property property = RandomNetwork::goal(system, seed);
    const auto make = [](symbolic::Space& space) { return std::make_unique<symbolic::ChainedReachability>(space); };
    ASSERT_EQ(tally.compare(system, property, {.all = true, .shortest = false}, make), "") << "seed " << seed;
  }
  EXPECT_GT(tally.reachable, 100);
  EXPECT_GT(tally.unreachable, 150);
  EXPECT_GT(tally.failed, 50);
  EXPECT_GT(tally.with_many_states, 60);
}

// Goal and failure at the same distance are found as the goal by forward search.
TEST(SymbolicReachability, PrefersTheGoal) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 3);
  const auto p = b.process("P", {"a", "b"});
  const auto e = b.edge(p, 0, 1);
  b.edge(e).effect = {b.set(v, 1)};
  b.edge(b.edge(p, 1, 1)).guard = {b.op(model::Op::Div, b.num(1), b.op(model::Op::Sub, b.get(v), b.num(1)))};
  const model::Property property = SystemBuilder::reachable({b.eq(v, 1)});
  Budget budget;
  symbolic::Space space(b.system, property, budget);
  Reachability search(space, Way::Forward);
  while (search.advance() == Reachability::Status::Running) {
  }
  EXPECT_FALSE(search.path().failure);
  EXPECT_EQ(search.path().steps.size(), 1u);
}

TEST(SymbolicReachability, RefusesClocks) {
  SystemBuilder b;
  b.clock("x");
  b.process("P", {"a"});
  const model::Property property = SystemBuilder::reachable({});
  Budget budget;
  EXPECT_THROW(symbolic::Space(b.system, property, budget), Error);
}

}  // namespace
}  // namespace harrier::testing_support
