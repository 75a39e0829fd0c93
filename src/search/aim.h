// The heuristics that a search is told to use, made for what it is to find.
#pragma once

#include <memory>
#include <optional>

#include "abstraction/workshop.h"
#include "base/watch.h"
#include "heur/heuristic.h"
#include "heur/recipe.h"
#include "heur/views.h"
#include "model/symmetry.h"
#include "search/config.h"
#include "step/semantics.h"

namespace harrier::search {

struct Guidance {
  std::unique_ptr<heur::Heuristic> heuristic;
  bool safe = true;     // its dead ends are proved
  bool clocks = false;  // it looks at zones
  CostType costs = CostType::Unit;
};

// Heuristics that are made from one object share what they are made of, as long as one of them lives. Not thread-safe;
// the heuristics may go to different threads.
class Aims {
 public:
  // Keeps a reference. Without a workshop, abstractions are built by default options.
  explicit Aims(const step::Semantics& semantics, std::shared_ptr<abstraction::Workshop> workshop = nullptr,
                CostType costs = CostType::Unit);

  const step::Semantics& semantics() const { return semantics_; }
  const std::shared_ptr<abstraction::Workshop>& workshop() const { return workshop_; }
  // What searches and heuristics count.
  CostType costs() const { return costs_; }

  // The processes that can be exchanged, and the property with them.
  std::shared_ptr<const model::Symmetry> symmetry(const Watch& watch);

  // Deadlocks are near everywhere, as far as distance heuristics know: among other goals they are left out for searches
  // to which only the direction matters; then what looks like a dead end need not be one. Nor if the goal cannot be
  // evaluated everywhere: a state where it fails is to be found, too.
  Guidance guidance(const heur::Recipe& recipe, const Estimate& estimate, bool direction_only, const Watch& watch);

 private:
  heur::Views& views(bool direction_only);

  const step::Semantics& semantics_;
  std::shared_ptr<abstraction::Workshop> workshop_;
  CostType costs_;
  std::vector<model::Clause> direction_;  // the goal without deadlocks, unless there is nothing else
  bool can_fail_;                         // the goal
  std::optional<heur::Views> of_goal_;
  std::shared_ptr<const model::Symmetry> symmetry_;  // found when it is needed
  std::optional<heur::Views> of_direction_;
};

}  // namespace harrier::search
