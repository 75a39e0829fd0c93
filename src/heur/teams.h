// The processes of a model in the roles that the goal path of a smaller sibling has for them (Bui 2009, §6.2.1).
//
// A *team* is the processes of one template of which some take part in the path: they fire, or the goal names them.
//   - If all of the sibling's processes of the template take part, and end at the same location, the team acts as a
//     *whole*: all of ours have to, as all philosophers have to hold their left forks.
//   - Otherwise as many of ours have to as there were, and any will do: two of many users, say, that are in the
//   critical
//     section together, or the three neighbours in a ring of which two become leaders.
// Templates and locations are told by their names; a location that has no namesake is the one with the same number if
// the template has as many locations in both models. What has no counterpart is passed over.
//
// A *placement* is where the participants of a team are at one point of the path, as a multiset of locations. What it
// costs a state to be there is a sum over the processes: each place takes the nearest process that no other place has
// taken, by the number of edges in the graph of the template. (Pairs of a place and a process are taken greedily; an
// exact assignment would cost more than it tells.) Processes that have no place cost nothing, or, if the team acts as a
// whole, what the user of the placement says they cost where they are.
//
//     3 philosophers end at {hungry, hungry, hungry}: 100 philosophers cost the sum of their distances to `hungry`.
//     2 of 3 users end at {cs, cs}: 60 users cost the distances of the two that are nearest to `cs`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "harrier/goal_path.h"
#include "model/system.h"

namespace harrier::heur {

struct Team {
  static constexpr uint32_t kNowhere = UINT32_MAX;

  std::string name;
  std::vector<uint32_t> processes;
  std::vector<uint32_t> members;  // the variables of their locations
  std::vector<size_t> roles;      // the processes of the sibling that take part
  bool whole = false;
  std::vector<uint32_t> ours;  // by location of the sibling; kNowhere: there is no such location
  // From a location to another; where there is no way, as many as locations. Rows may be added for other ways in which
  // a process can stand somewhere.
  std::vector<std::vector<uint32_t>> steps;

  // Where the participants are, as far as they have places in this model.
  std::vector<uint32_t> places(const GoalPath::State& at) const;
};

// Throws Error(Usage) if the models have nothing in common.
std::vector<Team> make_teams(const model::System& system, const GoalPath& sibling);

class Placement {
 public:
  // `spare` is the cost of a process without a place, by row of Team::steps.
  Placement(const Team& team, std::span<const uint32_t> places, std::span<const uint32_t> spare);

  // What the processes with places cost, less what they would cost without. `present` says how many processes are in
  // each row; `left` is memory for as many numbers.
  int32_t cost(const uint32_t* present, uint32_t* left);
  // No state costs less.
  int32_t least() const { return least_; }

 private:
  struct Option {
    int32_t cost = 0;
    uint32_t row = 0;
    uint32_t place = 0;
  };
  uint32_t rows_;
  std::vector<uint32_t> wanted_;  // processes, by different place
  std::vector<uint32_t> open_;    // of them, during an evaluation
  std::vector<Option> options_;   // cheapest first
  uint32_t all_ = 0;
  int32_t least_ = 0;
};

}  // namespace harrier::heur
