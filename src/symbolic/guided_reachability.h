// Symbolic A*: sets of states with equal distance from the initial states and equal estimate, in the order of the sums
// of both (Qian and Nymeyer 2004; SGMC of Bui 2009, fig. 5.1).
//
//     GuidedReachability search(space, database);
//     while (search.advance() == Engine::Status::Running) {}
//
// Of equal sums, the smaller distance so far comes first. Estimates of a database change by one at most in a step, so a
// state is never found by a shorter way after it had its turn: it has one turn, and the first goal is a nearest one.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "symbolic/database.h"
#include "symbolic/engine.h"

namespace harrier::symbolic {

class GuidedReachability : public Engine {
 public:
  // Keeps a reference to the space.
  GuidedReachability(Space& space, Database database) : space_(space), database_(std::move(database)) {}

  Status advance() override;
  model::Path path() override;

  long double states() const override;
  uint64_t layers() const override { return turns_; }
  uint64_t depth() const override { return expanded_.empty() ? 0 : expanded_.size() - 1; }
  uint64_t images() const override { return images_; }
  long double dead_ends() const override;

 private:
  void put(const Bdd& states, uint64_t steps);

  Space& space_;
  Database database_;
  Status status_ = Status::Running;
  bool started_ = false;
  std::map<std::pair<uint64_t, uint64_t>, Bdd> open_;  // by sum and distance so far
  std::vector<Bdd> expanded_;                          // by distance so far
  Bdd closed_;                                         // all of them
  Bdd dead_;
  Bdd found_;  // with Found: goals and failures
  uint64_t found_at_ = 0;
  uint64_t turns_ = 0;
  uint64_t images_ = 0;
};

}  // namespace harrier::symbolic
