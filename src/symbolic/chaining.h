// Reachability without layers: transitions are applied one relation after the other, each to all that has been reached
// so far, those before it in the same round included (chaining: Roig, Cortadella, Pastor 1995).
//
//     ChainedReachability search(space);
//     while (search.advance() == Engine::Status::Running) {}
//
// Where processes take turns, all states are known after far fewer images than there are layers, and the sets on the
// way are smaller than layers, which have all orders of independent steps half done. Relations are taken from the
// bottom of the order of bits to the top, each until it brings nothing new, as saturation does (Ciardo, Lüttgen,
// Siminiscalco 2001), and only to states that it has not seen.
//
// Once a target is among the states, layers go backwards from there inside of what has been reached: the path is a
// shortest one of those, which need not be a shortest one of all.
#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/engine.h"
#include "symbolic/space.h"

namespace harrier::symbolic {

class ChainedReachability : public Engine {
 public:
  // Keeps a reference.
  explicit ChainedReachability(Space& space);

  // Makes one image, or one layer on the way back.
  Status advance() override;
  model::Path path() override;

  long double states() const override;
  uint64_t layers() const override { return back_.size(); }
  uint64_t depth() const override { return images_; }
  uint64_t images() const override { return images_; }
  const Bdd& reached() const { return reached_; }

 private:
  struct Step {
    const Relation* relation = nullptr;
    Bdd seen;  // the states that it has been applied to
  };

  void start();
  void add(const Bdd& states);
  Status go_on();
  Status go_back();

  Space& space_;
  std::vector<Step> steps_;
  size_t at_ = 0;     // the relation whose turn it is
  size_t quiet_ = 0;  // so many relations in a row have brought nothing new
  bool started_ = false;
  Status status_ = Status::Running;
  Bdd reached_;
  std::vector<Bdd> back_;  // from the targets that have been reached to the initial states
  Bdd covered_;            // by these
  uint64_t images_ = 0;
};

}  // namespace harrier::symbolic
