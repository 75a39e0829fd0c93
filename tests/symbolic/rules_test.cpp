// The rules of who moves when, against the concrete semantics: on random networks, all states that there are.
#include <gtest/gtest.h>

#include "symbolic/compare.h"
#include "symbolic/random_network.h"

namespace harrier::testing_support {
namespace {

TEST(SymbolicRules, AreThoseOfTheConcreteSemantics) {
  int compared = 0;
  int failed = 0;
  int moved = 0;
  for (uint64_t seed = 1; seed <= 1000; ++seed) {
    const model::System system = RandomNetwork(seed).make();
    Comparison comparison(system);
    ASSERT_EQ(comparison.difference(seed, 30), "") << "seed " << seed;
    compared += comparison.compared;
    failed += comparison.failed;
    moved += comparison.moved;
  }
  EXPECT_GT(failed, compared / 40);
  EXPECT_GT(moved, compared / 4);
}

}  // namespace
}  // namespace harrier::testing_support
