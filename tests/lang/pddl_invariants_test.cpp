// Mutex groups: those that are known, and none that a reachable state contradicts.
#include <gtest/gtest.h>

#include "lang/pddl/invariants.h"
#include "lang/pddl_finite_support.h"

namespace harrier::testing {
namespace {

using Groups = std::vector<std::vector<uint32_t>>;
using pddl::GroundEffect;
using pddl::GroundTask;

Groups groups_of(const GroundTask& ground) { return pddl::mutex_groups(ground, Watch::none()); }

// Two parcels, a truck, two places. Atoms: at(truck, x), at(parcel, x), in(parcel, truck).
struct Logistics {
  static constexpr uint32_t kAt = 0;
  static constexpr uint32_t kIn = 1;
  static constexpr uint32_t kTruck = 0;
  GroundTask ground;

  Logistics() {
    for (uint32_t thing = 0; thing < 3; ++thing) {
      for (uint32_t place = 0; place < 2; ++place) ground.atoms.push_back({kAt, {thing, 3 + place}, false, place == 0});
    }
    for (uint32_t parcel = 1; parcel < 3; ++parcel) ground.atoms.push_back({kIn, {parcel, kTruck}, false, false});
    for (uint32_t place = 0; place < 2; ++place) {
      step({at(0, place)}, at(0, place), at(0, 1 - place));
      for (uint32_t parcel = 1; parcel < 3; ++parcel) {
        step({at(0, place), at(parcel, place)}, at(parcel, place), in(parcel));
        step({at(0, place), in(parcel)}, in(parcel), at(parcel, place));
      }
    }
  }
  static uint32_t at(uint32_t thing, uint32_t place) { return 2 * thing + place; }
  static uint32_t in(uint32_t parcel) { return 5 + parcel; }
  void step(const std::vector<uint32_t>& needs, uint32_t before, uint32_t after) {
    pddl::GroundOperator op;
    for (const uint32_t atom : needs) op.preconditions.push_back({atom, true});
    std::sort(op.preconditions.begin(), op.preconditions.end());
    op.effects = {{{}, before, false}, {{}, after, true}};
    ground.operators.push_back(op);
  }
};

TEST(PddlInvariants, AThingIsSomewhere) {
  const Logistics logistics;
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{0, 1}, {2, 3, 6}, {4, 5, 7}}));
}

// At one of two places, or in one of two drawers of a desk: two objects are counted over then.
TEST(PddlInvariants, ManyObjectsMayBeCountedOver) {
  GroundTask ground;
  for (uint32_t place = 0; place < 2; ++place) ground.atoms.push_back({0, {9, place}, false, place == 0});
  for (uint32_t drawer = 0; drawer < 2; ++drawer) ground.atoms.push_back({1, {5, 9, drawer}, false, false});
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t next = (i + 1) % 4;
    ground.operators.push_back({.preconditions = {{i, true}}, .effects = {{{}, i, false}, {{}, next, true}}});
  }
  EXPECT_EQ(groups_of(ground), (Groups{{0, 1, 2, 3}}));
}

// What breaks the group of one thing does not break those of others.
TEST(PddlInvariants, ThingsAreLookedAtOneByOne) {
  Logistics logistics;
  logistics.ground.operators.push_back({.effects = {{{}, Logistics::at(1, 0), true}}});
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{0, 1}, {4, 5, 7}}));
}

TEST(PddlInvariants, TwoAtTheStartAreNoGroup) {
  Logistics logistics;
  logistics.ground.atoms[1].initial = true;
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{2, 3, 6}, {4, 5, 7}}));
}

TEST(PddlInvariants, TwoAtOnceAreTooHeavy) {
  Logistics logistics;
  logistics.ground.operators.push_back(
      {.preconditions = {{0, true}},
       .effects = {{{}, 0, false}, {{}, 1, true}, {{}, 0, true}}});  // what is deleted and added stays
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{2, 3, 6}, {4, 5, 7}}));
}

TEST(PddlInvariants, ADeletionThatNeedNotTakePlaceIsNone) {
  Logistics logistics;
  logistics.ground.atoms.push_back({2, {}, false, false});
  logistics.ground.operators.push_back(
      {.preconditions = {{0, true}}, .effects = {{{{8, true}}, 0, false}, {{}, 1, true}}});
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{2, 3, 6}, {4, 5, 7}}));
}

TEST(PddlInvariants, ConditionsMayKeepTheBalance) {
  Logistics logistics;
  // Whoever is at one of the places goes to the other one.
  const auto move = [](uint32_t from, uint32_t to) {
    return std::vector<GroundEffect>{{{{from, true}}, from, false}, {{{from, true}}, to, true}};
  };
  pddl::GroundOperator op;
  for (const auto& [from, to] : {std::pair(2u, 3u), std::pair(3u, 2u), std::pair(4u, 5u)}) {
    for (const GroundEffect& effect : move(from, to)) op.effects.push_back(effect);
  }
  logistics.ground.operators.push_back(op);
  EXPECT_EQ(groups_of(logistics.ground), (Groups{{0, 1}, {2, 3, 6}, {4, 5, 7}}));
}

TEST(PddlInvariants, NoReachableStateHasTwoOfAGroup) {
  size_t groups = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    const RandomGroundTask random(seed);
    const Groups found = groups_of(random.ground);
    groups += found.size();
    for (const auto& [state, cost] : reach<GroundState>(random.ground)) {
      for (const auto& group : found) {
        const auto holds = [&state = state](uint32_t atom) { return state[atom]; };
        ASSERT_LE(std::count_if(group.begin(), group.end(), holds), 1) << "seed " << seed;
      }
    }
  }
  EXPECT_GT(groups, 100u);
}

}  // namespace
}  // namespace harrier::testing
