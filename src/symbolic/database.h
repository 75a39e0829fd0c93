// A pattern database as decision diagrams (Qian and Nymeyer 2004; Bui 2009, §3.2): one diagram for each distance to the
// goal in an abstraction of the model that knows only some of its variables.
//
//     Database database(space, pattern, {.seconds = 10});
//     for (const Database::Part& part : database.split(states)) …    // part.states are at least part.distance away
//
// A step of the abstraction is one of the model for some values of the other variables, so that a distance is never too
// large, and differs by one at most between a state and its successors. The goal of the abstraction has the states in
// which the model or the query fails, too, as that is what searches look for.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "symbolic/space.h"

namespace harrier::symbolic {

class Database {
 public:
  // Where it stops, complete or not.
  struct Limits {
    double seconds = 10;
    uint64_t nodes = UINT64_MAX;  // of all its diagrams
  };
  struct Part {
    Bdd states;
    uint64_t distance = 0;
  };

  Database(Space& space, std::span<const model::VarId> pattern, const Limits& limits);

  // By distance.
  const std::vector<Bdd>& layers() const { return layers_; }
  // The goal cannot be reached from states in no layer. Otherwise they are farther from it than all others.
  bool complete() const { return complete_; }
  const std::vector<model::VarId>& pattern() const { return pattern_; }
  uint64_t nodes() const { return nodes_; }
  // The number of different distances.
  uint64_t size() const { return layers_.size() + (complete_ ? 0 : 1); }

  // The states in parts, none of them empty, by ascending distance, without those from which there is no way.
  std::vector<Part> split(Bdd states) const;
  // Of the nearest of the states; none: there is no way from any of them.
  std::optional<uint64_t> distance(const Bdd& states) const;

 private:
  std::vector<model::VarId> pattern_;
  std::vector<Bdd> layers_;
  uint64_t nodes_ = 0;
  bool complete_ = false;
};

// A database whose pattern is the dependency layers of the goal (model/participation.h) as far as the limits allow:
// first what the goal speaks of, then also what that depends on, and so on. Of those that estimate the initial states
// best, the smallest is kept.
Database layered_database(Space& space, const model::Property& property, const Database::Limits& limits);

}  // namespace harrier::symbolic
