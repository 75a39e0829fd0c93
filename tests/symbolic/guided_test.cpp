// Symbolic pattern databases, and the search and the walks that they guide, against plain enumeration.
#include <gtest/gtest.h>

#include <map>

#include "symbolic/database.h"
#include "symbolic/enumeration.h"
#include "symbolic/guided_reachability.h"
#include "symbolic/random_network.h"
#include "symbolic/walker.h"

namespace harrier::testing_support {
namespace {

using symbolic::Bdd;
using symbolic::Database;
using symbolic::GuidedReachability;
using symbolic::Walker;

struct Subject {
  explicit Subject(uint64_t seed)
      : system(RandomNetwork::lively(seed, static_cast<int>(seed % 8)).make()),
        property(RandomNetwork::goal(system, seed)) {}

  model::System system;
  model::Property property;
};

// Every second variable, more or less.
std::vector<model::VarId> some_variables(const model::System& system, uint64_t seed) {
  Rng rng(seed);
  std::vector<model::VarId> out;
  for (size_t v = 0; v < system.variables.size(); ++v) {
    if (rng.chance(50)) out.emplace_back(v);
  }
  return out;
}

TEST(GuidedReachability, AgreesWithEnumerationOnRandomNetworks) {
  Tally tally;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Subject subject(seed);
    const auto layered = [&](symbolic::Space& space) {
      return std::make_unique<GuidedReachability>(space, layered_database(space, subject.property, {}));
    };
    // Also cut off early.
    const auto any = [&](symbolic::Space& space) {
      const Database::Limits limits{10, seed % 3 == 0 ? 3 : UINT64_MAX};
      return std::make_unique<GuidedReachability>(space, Database(space, some_variables(subject.system, seed), limits));
    };
    ASSERT_EQ(tally.compare(subject.system, subject.property, {}, layered), "") << "seed " << seed;
    ASSERT_EQ(tally.compare(subject.system, subject.property, {}, any), "") << "seed " << seed;
  }
  EXPECT_GT(tally.reachable, 200);
  EXPECT_GT(tally.unreachable, 300);
  EXPECT_GT(tally.failed, 100);
  EXPECT_GT(tally.with_many_states, 100);
}

// Distances to the goal, from plain backward search, are never less than those of a database; and its layers are apart.
TEST(SymbolicDatabase, IsNeverTooLarge) {
  int complete = 0;
  int cut = 0;
  int dead = 0;
  for (uint64_t seed = 1; seed <= 400; ++seed) {
    Subject subject(seed);
    Budget budget;
    symbolic::Space space(subject.system, subject.property, budget);
    const Database::Limits limits{10, seed % 2 == 0 ? 5 : UINT64_MAX};
    const Database database(space, some_variables(subject.system, seed), limits);
    ++(database.complete() ? complete : cut);
    Bdd all;
    for (const Bdd& layer : database.layers()) {
      EXPECT_FALSE(intersects(all, layer)) << "seed " << seed;
      all |= layer;
    }
    // By true distance.
    Bdd fresh = space.targets();
    Bdd reached = fresh;
    for (uint64_t distance = 0; !fresh.is_false(); ++distance) {
      Bdd parts;
      for (const Database::Part& part : database.split(fresh)) {
        EXPECT_LE(part.distance, distance) << "seed " << seed;
        parts |= part.states;
      }
      ASSERT_EQ(parts, fresh) << "no dead end may have a way to the goal; seed " << seed;
      fresh = space.transitions().preimage(fresh) - reached;
      reached |= fresh;
    }
    if (database.complete() && !(Bdd(true) - all).is_false()) ++dead;
  }
  EXPECT_GT(complete, 200);
  EXPECT_GT(cut, 20);
  EXPECT_GT(dead, 50);
}

// With all variables it has the true distances.
TEST(SymbolicDatabase, OfAllVariablesIsExact) {
  for (uint64_t seed = 1; seed <= 100; ++seed) {
    Subject subject(seed);
    Budget budget;
    symbolic::Space space(subject.system, subject.property, budget);
    std::vector<model::VarId> all;
    for (size_t v = 0; v < subject.system.variables.size(); ++v) all.emplace_back(v);
    const Database database(space, all, {});
    ASSERT_TRUE(database.complete());
    Bdd fresh = space.targets();
    Bdd reached = fresh;
    for (const Bdd& layer : database.layers()) {
      ASSERT_EQ(layer, fresh) << "seed " << seed;
      fresh = space.transitions().preimage(fresh) - reached;
      reached |= fresh;
    }
    EXPECT_TRUE(fresh.is_false());
  }
}

TEST(SymbolicDatabase, WithoutTimeKnowsNothing) {
  Subject subject(1);
  Budget budget;
  symbolic::Space space(subject.system, subject.property, budget);
  const Database database = layered_database(space, subject.property, {0, UINT64_MAX});
  EXPECT_FALSE(database.complete());
  EXPECT_EQ(database.distance(Bdd(true)), 0u);
  EXPECT_EQ(database.size(), 1u);
}

// Whatever a walk finds is there; and what is there is found, since the models are small.
TEST(SymbolicWalker, FindsWhatIsThere) {
  int found = 0;
  int in_vain = 0;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    Subject subject(seed);
    const Enumeration expected = enumerate(subject.system, subject.property);
    if (!expected.complete) continue;
    Budget budget;
    symbolic::Space space(subject.system, subject.property, budget);
    if (failing_beginning(space) || space.initial().is_false()) continue;
    std::optional<Database> guide;
    if (seed % 2 == 0) guide = layered_database(space, subject.property, {});
    const Walker::Rules rules{.trails = seed % 3 == 0,
                              .end_at_loop = seed % 5 == 0,
                              .reverse = seed % 7 == 0,
                              .draw = seed % 4 < 2 ? symbolic::Draw::Uniform : symbolic::Draw::Branches,
                              .bias = static_cast<Walker::Bias>(seed / 2 % 3)};
    Walker walker(space, rules, std::move(guide), seed);
    bool success = false;
    for (int walk = 0; walk < 200 && !success; ++walk) {
      Walker::Step step = walk % 4 == 3 ? walker.begin_at_previous() : walker.begin();
      while (step == Walker::Step::Made && walker.length() < 100) step = walker.step();
      success = step == Walker::Step::Found;
    }
    if (!expected.goal && !expected.failure) {
      EXPECT_FALSE(success) << "seed " << seed;
      continue;
    }
    ++(success ? found : in_vain);
    if (!success) continue;
    const model::Path path = walker.path();
    EXPECT_GE(path.steps.size(), std::min(expected.goal.value_or(SIZE_MAX), expected.failure.value_or(SIZE_MAX)));
    EXPECT_EQ(problem_with(subject.system, subject.property, path), "") << "seed " << seed;
  }
  EXPECT_GT(found, 80);
  EXPECT_LT(in_vain, found / 10);
}

// One successor is at the goal, and nine are one step farther away: a lottery among distances wins it one time in three
// or more often, one among states less often than the thesis's, and far more often than blindly.
TEST(SymbolicWalker, BiasSaysHowLikelyADistanceIs) {
  SystemBuilder b;
  const auto v = b.var("v", 0, 10);
  const auto p = b.process("P", {"a"});
  for (int value = 1; value <= 10; ++value) {
    const auto e = b.edge(p, 0, 0);
    b.edge(e).guard = {b.eq(v, 0)};
    b.edge(e).effect = {b.set(v, value)};
    const auto on = b.edge(p, 0, 0);
    b.edge(on).guard = {b.eq(v, value)};
    b.edge(on).effect = {b.set(v, 1)};
  }
  const model::Property property = SystemBuilder::reachable({b.eq(v, 1)});
  Budget budget;
  symbolic::Space space(b.system, property, budget);
  const auto hits = [&](const Walker::Rules& rules, bool guided) {
    std::optional<Database> database;
    if (guided) database = Database(space, std::vector<model::VarId>{v}, {});
    Walker walker(space, rules, std::move(database), 7);
    int out = 0;
    for (int walk = 0; walk < 1000; ++walk) {
      walker.begin();
      if (walker.step() == Walker::Step::Found) ++out;
    }
    return out;
  };
  EXPECT_NEAR(hits({}, false), 100, 40);
  // Distances 0 and 1 of two: 2 tickets and 1.
  EXPECT_NEAR(hits({.bias = Walker::Bias::Linear}, true), 667, 60);
  // 1 and 9 exp(-2).
  EXPECT_NEAR(hits({.bias = Walker::Bias::Softmax}, true), 451, 60);
  EXPECT_NEAR(hits({.reverse = true, .bias = Walker::Bias::Softmax}, true), 15, 15);
  EXPECT_NEAR(hits({.bias = Walker::Bias::Greedy}, true), 910, 40);
}

TEST(SymbolicWalker, TrailsVisitNoStateTwice) {
  SystemBuilder b;
  const auto p = b.process("P", {"a", "b", "c"});
  b.edge(p, 0, 1);
  b.edge(p, 1, 0);
  b.edge(p, 1, 2);
  b.edge(p, 2, 1);
  const model::Property property = SystemBuilder::reachable({b.num(0)});
  Budget budget;
  symbolic::Space space(b.system, property, budget);
  Walker walker(space, {.trails = true}, std::nullopt, 1);
  ASSERT_EQ(walker.begin(), Walker::Step::Made);
  EXPECT_EQ(walker.step(), Walker::Step::Made);
  EXPECT_EQ(walker.step(), Walker::Step::Made);
  EXPECT_EQ(walker.step(), Walker::Step::Ended);
  EXPECT_EQ(walker.length(), 2u);
}

}  // namespace
}  // namespace harrier::testing_support
