// What the relaxation knows of clocks: the constraints on single clocks that guards, invariants and the goal pose, as
// facts of a relaxed task.
//
//   x <= c, x < c   hold if a point of the zone satisfies them. Time does not help; only a reset of x does.
//   x >= c, x > c   hold if a point of the zone, which is closed under delay, satisfies them. Otherwise some processes
//                   keep time from passing long enough: each whose location is urgent, or has an invariant y <= k such
//                   that x cannot get there while y <= k. All of these must *give way* first: enter a location that is
//                   not urgent, or have y reset by somebody.
//
// Everything else counts as satisfied: constraints on differences, with computed bounds or with conditions, and on
// clocks that no longer matter. Nothing is lost by that, nor by extrapolated zones, which only have more points.
//
// Why x >= c stays false while a process stays where y <= k: let time D pass in all until then. y has not been reset,
// so y + D <= k; x has not been reset but to 0, so it is at most x + D now, which is at most (x - y) + k in the zone of
// the estimated state. In an urgent location no time passes. A reset of x to more than 0 counts as x >= c at once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "heur/fact.h"
#include "heur/heuristic.h"
#include "model/system.h"
#include "zone/dbm.h"

namespace harrier::heur {

class ClockFacts {
 public:
  // Facts are numbered from `first_fact`.
  ClockFacts(const model::System& system, const std::vector<model::Clause>& goal, uint32_t first_fact);

  uint32_t end_fact() const { return end_fact_; }
  std::vector<Implication> implications() const;

  // Appends what a constraint needs.
  void require(const model::ClockConstraint& constraint, Facts& out) const;
  // Appends what becomes true when a clock is reset (none: to an unknown value), and when an edge is taken.
  void reset(model::ClockId clock, std::optional<int32_t> value, Facts& out) const;
  void take(const model::Edge& edge, Facts& out) const;

  // Calls visit(fact) for those that stand for constraints.
  template <class Visit>
  void for_each_fact(Visit&& visit) const {
    for (const auto& [atom, fact] : facts_) visit(fact);
  }
  // Writes the facts that hold in a state; returns the end.
  uint32_t* write(const StateView& state, uint32_t* out) const;

 private:
  // x_left - x_right ~ bound, one of them the reference clock.
  struct Atom {
    uint32_t left = 0;
    uint32_t right = 0;
    zone::Bound bound = 0;

    bool is_upper() const { return right == 0; }
    uint32_t clock() const { return is_upper() ? left : right; }
    auto operator<=>(const Atom&) const = default;
  };
  struct Limit {
    bool urgent = false;
    std::vector<Atom> atoms;  // of the invariant, upper ones
  };
  // A process that can keep time from passing.
  struct Limiter {
    uint32_t variable = 0;  // its location
    std::vector<Limit> by_location;
    uint32_t gives_way = 0;  // fact
  };

  std::optional<Atom> atom_of(const model::ClockConstraint& constraint) const;
  void collect(const std::vector<model::ClockConstraint>& constraints);
  // Whether an unsatisfied lower bound stays so as long as the process stays where it is.
  static bool keeps(const Limit& limit, const Atom& lower, const zone::ZoneView& zone);

  const model::System& system_;
  // Each atom with its fact; a lower one is followed by a fact for each limiter: it does not keep the atom false.
  std::map<Atom, uint32_t> facts_;
  std::vector<Limiter> limiters_;
  std::map<uint32_t, uint32_t> limiter_of_;  // by process: index
  uint32_t end_fact_;
};

}  // namespace harrier::heur
