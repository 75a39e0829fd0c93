// h1 (Bui 2009, §6.2.1, figure 6.5): the abstraction database. How far a state is from the path to the goal that a
// smaller sibling has, and how long that path is from there.
//
// The patterns of the thesis are the steps of the path: which process moves, from which local state to which, and some
// global variables; the estimate is the number of steps that remain from the first pattern that matches, and the
// maximum where none does. It looks at the process that moved. A heuristic that sees states alone reads the path as a
// sequence of points instead: a point i is where the participants are after i of n steps (heur/teams.h), and the values
// of global variables then. Instead of matching or not, a state has a distance to each point, and
//
//     h1(s) = min over i of (n - i) + Σ cost of the placements at point i + number of variables that differ
//
// So a state at a point of the path has the steps that remain as its estimate, or fewer if a later point is as near:
// a loop that the larger model has to run through more often looks like its last round. Where nothing matches the
// estimate is not the same everywhere, but leads back to the path.
//
// In a team that acts as a whole there are more processes than roles. Those without a place cost the rest of the way
// of some role from their location on: the steps that it takes after its last visit there.
//
// A global variable counts if the path changes it and no process writes a number of its own into it (as in `last =
// _pid`), which would mean another process here.
//
// A process that has strayed (heur/strays.h) is not where it seems to be, but a step before where its other edges lead.
//
// Preferred transitions have an edge that the sibling takes behind the nearest point.
//
// step_costs() are the patterns of the thesis, made by machine: the template of the process that moves, and its
// locations before and after. Its variables, and which process it is, were chosen by hand there, and are left out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "harrier/goal_path.h"
#include "heur/heuristic.h"
#include "heur/strays.h"
#include "heur/teams.h"

namespace harrier::heur {

class SiblingPath : public Heuristic {
 public:
  // Throws Error(Usage) without a sibling (null).
  SiblingPath(const model::System& system, const GoalPath* sibling);

  uint32_t evaluate(const StateView& state) override;
  // The path does not depend on what transitions there are.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t> edges) const override;
  // The steps that remain from the first pattern that matches (Bui 2009, fig. 6.5); the worst where none does.
  const StepCosts* step_costs() const override { return &costs_; }

 private:
  struct Group {
    Team team;
    std::vector<uint32_t> spare;
    std::vector<Placement> placements;
    std::vector<int32_t> costs;  // of the placements in the state at hand, or kUnknown
    std::vector<uint32_t> present;
  };
  struct Point {
    uint32_t steps = 0;                // before it
    int32_t least = 0;                 // no state costs less
    std::vector<uint32_t> placements;  // by group
    std::vector<int32_t> values;       // by scalar
  };

  void follow_edges(const model::System& system, const GoalPath& sibling);
  void add_strays(const model::System& system);

  std::unique_ptr<Strays> strays_;
  std::vector<uint32_t> scalars_;  // variables
  std::vector<Group> groups_;
  std::vector<Point> points_;  // the cheapest first
  uint32_t length_ = 0;
  std::vector<uint32_t> last_use_;  // by edge: the number of the step, counted from 1; 0: the sibling does not take it
  std::vector<uint32_t> left_;
  uint32_t nearest_ = 0;
  StepCosts costs_;
};

}  // namespace harrier::heur
