// Landmarks of a relaxed task (Hoffmann, Porteous and Sebastia 2004): facts that hold at some time on every path from
// the initial state to the goal, and the order in which they do.
//
//     a -> b -> c with a lock that only b opens, goal c:   landmarks  a, b, the lock is open, c
//
// A fact is a landmark if the goal cannot be reached in the abstraction without ever making it true. All facts of which
// this can be so stand on any one abstract path, so it is tried for these. That finds all causal landmarks of the
// abstraction, the same as propagating sets of them does (Zhu and Givan 2003; Keyder, Richter and Helmert 2010),
// without a set for every fact. Since a condition of a guard such as "x < 3" is a fact as well, landmarks of several
// alternatives and of several facts at once are among them. Each clause of the goal, and each alternative inside one,
// has its landmarks; beyond kMostGoals of them the last ones have those that they have in common.
//
// Where whatever first makes a landmark true needs one of a few values of a variable, these together are a landmark,
// too.
//
// Orders (Richter and Westphal 2010):
//   natural            a holds no later than b first does: b cannot be reached without a.
//   greedy-necessary   a holds just before b first does: all that may make b true first needs a.
//   reasonable         a should come before b, for b is needed later than a and would be lost on the way to a.
//                      Those that would close a circle are left out.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "heur/flat_rules.h"
#include "heur/relaxed_task.h"

namespace harrier::heur {

// Sets of small numbers, one a row.
class BitRows {
 public:
  BitRows() = default;
  BitRows(size_t rows, size_t bits) : words_((bits + 63) / 64), data_(rows * words_, 0) {}

  size_t words() const { return words_; }
  std::span<uint64_t> operator[](size_t row) { return std::span(data_).subspan(row * words_, words_); }
  std::span<const uint64_t> operator[](size_t row) const { return std::span(data_).subspan(row * words_, words_); }
  bool has(size_t row, size_t bit) const { return (data_[row * words_ + bit / 64] >> (bit % 64) & 1) != 0; }
  void add(size_t row, size_t bit) { data_[row * words_ + bit / 64] |= uint64_t{1} << (bit % 64); }

 private:
  size_t words_ = 0;
  std::vector<uint64_t> data_;
};

// Immutable; landmarks are numbered.
class Landmarks {
 public:
  static constexpr size_t kMostGoals = 16;
  static constexpr size_t kMostLandmarks = 512;
  static constexpr size_t kMostAlternatives = 4;
  // Looking for them ends, with those found, when so many preconditions have been looked at.
  static constexpr uint64_t kMostWork = 300'000'000;

  Landmarks(const RelaxedTask& task, const FlatRules& rules, const Watch& watch = Watch::none());

  size_t size() const { return facts_.size(); }
  // The facts one of which has to hold.
  std::span<const uint32_t> facts(size_t landmark) const { return facts_[landmark]; }

  // By landmark: those that come before it.
  const BitRows& natural() const { return natural_; }
  const BitRows& greedy_necessary() const { return greedy_necessary_; }
  const BitRows& reasonable() const { return reasonable_; }

  // By goal, a clause or several: the landmarks on the way there, and those that hold there.
  size_t goal_count() const { return goals_; }
  const BitRows& of_goal() const { return of_goal_; }
  const BitRows& at_goal() const { return at_goal_; }

 private:
  class Finder;

  size_t goals_ = 0;
  std::vector<Facts> facts_;
  BitRows natural_, greedy_necessary_, reasonable_;
  BitRows of_goal_, at_goal_;
};

}  // namespace harrier::heur
