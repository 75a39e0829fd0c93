// Taking zones away from zones, compared with sets of points.
#include "zone/federation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "base/error.h"
#include "random/rng.h"
#include "random/zone_points.h"

namespace harrier::zone {
namespace {

using testing_support::any_point;
using testing_support::Constraint;
using testing_support::contains;
using testing_support::for_each_point;
using testing_support::on_random_cases;
using testing_support::Point;
using testing_support::random_constraint;
using testing_support::random_zone;
using testing_support::Rng;
using testing_support::satisfies;

using Atoms = std::vector<Atom>;

Zone universal(uint32_t dim) {
  Zone zone(dim);
  dbm::set_universal(zone.data(), dim);
  return zone;
}

bool equal(const Zone& a, const Zone& b) {
  return dbm::includes(a.data(), b.data(), a.dim()) && dbm::includes(b.data(), a.data(), a.dim());
}

Atoms random_atoms(Rng& rng, uint32_t dim, size_t count) {
  Atoms atoms;
  for (size_t i = 0; i < count; ++i) {
    const Constraint c = random_constraint(rng, dim);
    atoms.push_back({c.i, c.j, c.bound});
  }
  return atoms;
}

bool satisfies_all(const Point& v, const Atoms& atoms) {
  return std::all_of(atoms.begin(), atoms.end(), [&](const Atom& a) { return satisfies(v, a.left, a.right, a.bound); });
}

size_t count_containing(const std::vector<Piece>& pieces, const Point& v) {
  return static_cast<size_t>(
      std::count_if(pieces.begin(), pieces.end(), [&](const Piece& p) { return contains(p.zone, v); }));
}

// The pieces are disjoint, and these are their points.
void expect_points(const std::vector<Piece>& pieces, uint32_t dim, const std::function<bool(const Point&)>& expected) {
  for_each_point(dim, [&](const Point& v) {
    const size_t found = count_containing(pieces, v);
    EXPECT_EQ(found, expected(v) ? 1u : 0u) << "at " << ::testing::PrintToString(v) << "/8";
    return !::testing::Test::HasFailure();
  });
}

// The atoms of every piece cut it out of the whole, and it is not empty.
void expect_cut_out_of(const Zone& whole, const std::vector<Piece>& pieces) {
  for (const Piece& piece : pieces) {
    Zone again = whole;
    for (const Atom& a : piece.atoms) ASSERT_TRUE(again.constrain(a.left, a.right, a.bound));
    EXPECT_TRUE(equal(again, piece.zone));
  }
}

// ---- by hand ----

TEST(Federation, AZoneWithoutItsMiddleIsTwoPieces) {
  // 0 <= x <= 5 without 2 <= x < 3.
  Piece whole{universal(2), {}};
  ASSERT_TRUE(restrict_to(whole, Atoms{{1, 0, bound_le(5)}}));
  const Atoms middle{{0, 1, bound_le(-2)}, {1, 0, bound_lt(3)}};
  const std::vector<Piece> left = subtract({whole}, middle, Watch::none());
  ASSERT_EQ(left.size(), 2u);
  EXPECT_EQ(left[0].zone.at(1, 0), bound_lt(2));
  EXPECT_EQ(left[1].zone.at(0, 1), bound_le(-3));
  EXPECT_EQ(left[1].zone.at(1, 0), bound_le(5));
  ASSERT_EQ(left[0].atoms.size(), 2u) << "that of the whole, and not x >= 2";
  EXPECT_EQ(left[0].atoms[1].left, 1u);
  EXPECT_EQ(left[0].atoms[1].right, 0u);
  EXPECT_EQ(left[0].atoms[1].bound, bound_lt(2));
}

TEST(Federation, AZoneWithoutWhatItDoesNotMeetStays) {
  Piece whole{universal(3), {}};
  ASSERT_TRUE(restrict_to(whole, Atoms{{1, 0, bound_lt(3)}}));
  const std::vector<Piece> left = subtract({whole}, Atoms{{0, 1, bound_le(-3)}, {2, 0, bound_le(1)}}, Watch::none());
  ASSERT_EQ(left.size(), 1u);
  EXPECT_TRUE(equal(left[0].zone, whole.zone));
}

TEST(Federation, NothingIsLeftWhereEverythingIsTakenAway) {
  const Zone zone = universal(3);
  EXPECT_TRUE(subtract({{zone, {}}}, Atoms{}, Watch::none()).empty()) << "no condition is always true";
  EXPECT_TRUE(subtract({{zone, {}}}, Atoms{{0, 1, kZeroLe}, {0, 2, kZeroLe}}, Watch::none()).empty());
  EXPECT_TRUE(subtract({{zone, {}}, {zone, {}}}, Atoms{}, Watch::none()).empty());
  EXPECT_TRUE(subtract({}, Atoms{{1, 0, kZeroLe}}, Watch::none()).empty());
}

// 0 - 0 < 0, as constraints are that have no value.
TEST(Federation, AnImpossibleAtomTakesNothingAway) {
  const Atom impossible{0, 0, kZeroLt};
  Piece whole{universal(2), {}};
  ASSERT_TRUE(restrict_to(whole, Atoms{{1, 0, bound_le(5)}}));
  for (const Atoms& atoms : {Atoms{impossible}, Atoms{impossible, {1, 0, bound_le(2)}}}) {
    const std::vector<Piece> left = subtract({whole}, atoms, Watch::none());
    ASSERT_EQ(left.size(), 1u);
    EXPECT_TRUE(equal(left[0].zone, whole.zone));
  }
  const std::vector<Piece> halves = subtract({whole}, Atoms{{1, 0, bound_le(2)}, impossible}, Watch::none());
  expect_points(halves, 2, [&](const Point& v) { return contains(whole.zone, v); });
  EXPECT_FALSE(restrict_to(whole, Atoms{impossible}));
}

TEST(Federation, RestrictingToNothingChangesNothing) {
  Piece piece{universal(2), {{1, 0, bound_le(7)}}};
  EXPECT_TRUE(restrict_to(piece, {}));
  EXPECT_TRUE(equal(piece.zone, universal(2)));
  EXPECT_EQ(piece.atoms.size(), 1u);
}

TEST(Federation, AtomsOfAPointFixEveryClock) {
  Zone point(3);
  dbm::reset(point.data(), 3, 1, 4);
  dbm::reset(point.data(), 3, 2, 1);
  Piece again{universal(3), {}};
  ASSERT_TRUE(restrict_to(again, atoms_of(point)));
  EXPECT_TRUE(equal(again.zone, point));
}

TEST(Federation, TheWatchIsPolledForEveryPiece) {
  const std::vector<Piece> three(3, Piece{universal(2), {}});
  const Atoms atoms{{1, 0, bound_le(2)}};
  EXPECT_EQ(subtract(three, atoms, Watch({.polls = 3})).size(), 3u);
  for (const uint64_t polls : {0u, 1u, 2u}) {
    try {
      subtract(three, atoms, Watch({.polls = polls}));
      ADD_FAILURE() << "not ended after " << polls;
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), ErrorKind::Limit);
    }
  }
}

// ---- random zones, point by point ----

TEST(Federation, RestrictingIsTheIntersection) {
  on_random_cases(150, [](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    const Atoms atoms = random_atoms(rng, dim, rng.below(4));
    const auto expected = [&](const Point& v) { return contains(zone, v) && satisfies_all(v, atoms); };
    Piece piece{zone, {}};
    const bool possible = any_point(dim, expected);
    ASSERT_EQ(restrict_to(piece, atoms), possible);
    if (!possible) return;
    EXPECT_EQ(piece.atoms.size(), atoms.size());
    expect_points({piece}, dim, expected);
    expect_cut_out_of(zone, {piece});
  });
}

TEST(Federation, SubtractingLeavesThePointsThatAreNotInTheConjunction) {
  size_t several = 0;
  on_random_cases(200, [&](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    const Atoms atoms = random_atoms(rng, dim, rng.below(4));
    const std::vector<Piece> left = subtract({{zone, {}}}, atoms, Watch::none());
    expect_points(left, dim, [&](const Point& v) { return contains(zone, v) && !satisfies_all(v, atoms); });
    expect_cut_out_of(zone, left);
    if (left.size() > 1) ++several;
  });
  EXPECT_GT(several, 50u);
}

TEST(Federation, SubtractingAgainAndAgainKeepsThePiecesDisjoint) {
  size_t most = 0;
  on_random_cases(100, [&](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    std::vector<Atoms> taken;
    std::vector<Piece> left{{zone, {}}};
    for (int round = 0; round < 3; ++round) {
      taken.push_back(random_atoms(rng, dim, 1 + rng.below(4)));
      left = subtract(std::move(left), taken.back(), Watch::none());
    }
    most = std::max(most, left.size());
    expect_points(left, dim, [&](const Point& v) {
      return contains(zone, v) &&
             std::none_of(taken.begin(), taken.end(), [&](const Atoms& atoms) { return satisfies_all(v, atoms); });
    });
    expect_cut_out_of(zone, left);
  });
  EXPECT_GT(most, 4u);
}

TEST(Federation, AtomsOfAZoneDescribeIt) {
  on_random_cases(300, [](Rng& rng, uint32_t dim) {
    const Zone zone = random_zone(rng, dim);
    const Atoms atoms = atoms_of(zone);
    for_each_point(dim, [&](const Point& v) {
      EXPECT_EQ(satisfies_all(v, atoms), contains(zone, v)) << "at " << ::testing::PrintToString(v) << "/8";
      return !::testing::Test::HasFailure();
    });
    EXPECT_TRUE(subtract({{zone, {}}}, atoms, Watch::none()).empty()) << "a zone without itself";
  });
}

TEST(Federation, OneZoneWithoutAnotherIsTheDifference) {
  on_random_cases(150, [](Rng& rng, uint32_t dim) {
    const Zone from = random_zone(rng, dim);
    const Zone taken = random_zone(rng, dim);
    const std::vector<Piece> left = subtract({{from, {}}}, atoms_of(taken), Watch::none());
    expect_points(left, dim, [&](const Point& v) { return contains(from, v) && !contains(taken, v); });
    EXPECT_EQ(left.empty(), dbm::includes(taken.data(), from.data(), dim));
  });
}

}  // namespace
}  // namespace harrier::zone
