// Properties about infinite paths, on all states that can be reached: is there an accepting path (Liveness), does an
// initial state satisfy a formula (Branching)?
//
//     Temporal search(space, property);
//     while (search.advance() == Engine::Status::Running) {}
//
// A model that fails, or a goal, is found on the way. Found is a violation, which a path shows if the formula allows
// it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/system.h"
#include "symbolic/fair_paths.h"
#include "symbolic/reachability.h"

namespace harrier::symbolic {

class Temporal : public Engine {
 public:
  // Keeps references.
  Temporal(Space& space, const model::Property& property)
      : space_(space), property_(property), reachability_(space, Reachability::Way::Forward) {}

  Status advance() override;
  bool has_path() const override;
  model::Path path() override;
  std::vector<std::string> remarks() const override { return remarks_; }

  long double states() const override { return reachability_.states(); }
  uint64_t layers() const override { return reachability_.layers(); }
  uint64_t depth() const override { return reachability_.depth(); }
  uint64_t images() const override { return reachability_.images() + (paths_ ? paths_->images() : 0); }

 private:
  void decide();
  void look_for_vacuity();
  Bdd satisfying(const model::FormulaNode& node);
  // Goes on from the last state of a path, so that it shows that the state satisfies the node.
  struct Shown {
    std::vector<StateValues> states;
    std::optional<size_t> loop_start;
  };
  void show(const model::FormulaNode& node, Shown& path);
  std::vector<StateValues> way_to_first(const Bdd& some) const;
  bool is_in(const StateValues& state, const Bdd& some) const {
    return intersects(space_.encoding().states(state), some);
  }

  Space& space_;
  const model::Property& property_;
  Reachability reachability_;
  Status status_ = Status::Running;
  std::optional<FairPaths> paths_;  // when all states are known
  Bdd fair_;                        // where a fair path begins
  std::vector<Bdd> satisfying_;     // by node of the formula
  std::vector<std::string> remarks_;
};

}  // namespace harrier::symbolic
