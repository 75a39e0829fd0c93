// h0 (Bui 2009, §6.2.1, §6.3.2): the local-distance table. How far the processes are from their local goals, each in
// the graph of its template alone.
//
// The thesis looks at the process that moved, and so do step_costs(); an estimate of a state adds up all that matter.
// Local goals are
//   - the locations that the goal names for a process: as d^U, of several clauses the nearest counts;
//   - with a smaller sibling, where the participants of its path end (heur/teams.h). A process of a team that acts as a
//     whole, and for which there is no place left, has to come to any of these locations.
// Both are added up; of what a team costs, what its participants cost that the goal names is taken off, which the first
// has counted.
// A location that cannot be reached counts as far away, never as a dead end: neither admissible nor safe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "harrier/goal_path.h"
#include "heur/graph_distance.h"
#include "heur/heuristic.h"
#include "heur/teams.h"

namespace harrier::heur {

class LocalDistance : public Heuristic {
 public:
  // Without a sibling (null) the goal has to name locations: throws Error(Usage) otherwise.
  LocalDistance(const model::System& system, const std::vector<model::Clause>& goal, const GoalPath* sibling);

  uint32_t evaluate(const StateView& state) override;
  // What is not the way of a process alone does not matter here.
  uint32_t evaluate_without(const StateView& state, std::span<const uint32_t>, uint32_t) override {
    return evaluate(state);
  }
  bool prefers(std::span<const uint32_t>) const override { return false; }
  // Of an edge: how far its process is from its local goals then. The farthest is the worst (Bui 2009, fig. 6.4).
  const StepCosts* step_costs() const override { return &costs_; }

 private:
  void rate_steps(const model::System& system, const GoalPath* sibling);

  struct Aim {
    Team team;
    std::vector<uint32_t> spare;
    Placement end;
    std::optional<Placement> named;  // of those participants only that the goal names
  };
  std::optional<GraphDistance> named_;
  uint32_t far_ = 0;  // more than any sum of distances to named locations
  std::vector<Aim> aims_;
  std::vector<uint32_t> present_;
  std::vector<uint32_t> left_;
  StepCosts costs_;
};

}  // namespace harrier::heur
