// Reachability by layers: forward from the initial states, backward from the goal, or both until they meet.
//
//     Reachability search(space, Reachability::Way::Forward);
//     while (search.advance() == Reachability::Status::Running) {}
//     if (search.status() == Reachability::Status::Found) path = search.path();
//
// A layer has the states at one distance, so that a path through layers is a shortest one, to the goal or to where the
// model or the query fails. Layers that become empty prove that there is none.
#pragma once

#include <cstdint>
#include <vector>

#include "symbolic/engine.h"
#include "symbolic/space.h"

namespace harrier::symbolic {

class Reachability : public Engine {
 public:
  enum class Way : uint8_t { Forward, Backward, Both };

  // Keeps a reference.
  Reachability(Space& space, Way way) : space_(space), way_(way) {}

  // Makes one layer.
  Status advance() override;
  Status status() const { return status_; }

  model::Path path() override;

  // With Way::Backward, states from which there is a way to the goal.
  long double states() const override;
  uint64_t layers() const override { return forward_.layers.size() + backward_.layers.size(); }
  uint64_t depth() const override { return layers() == 0 ? 0 : layers() - 1; }
  uint64_t images() const override { return images_; }
  // Forward: by distance, and all that can be reached, if exhausted.
  const std::vector<Bdd>& forward_layers() const { return forward_.layers; }
  const Bdd& reached() const { return forward_.reached; }

 private:
  struct Side {
    std::vector<Bdd> layers;
    Bdd reached;
  };

  void start();
  bool meet();
  // False: there is nothing new.
  bool grow(Side& side, bool forward);

  Space& space_;
  Way way_;
  Status status_ = Status::Running;
  Side forward_;
  Side backward_;
  uint64_t images_ = 0;
};

}  // namespace harrier::symbolic
