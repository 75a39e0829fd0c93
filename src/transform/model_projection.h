// A model projected to some of its variables and clocks: a model of its own that can do whatever the original can, as
// far as these show.
//
//     ModelProjector projector(system, goal);
//     const ModelProjection p = projector.project(kept);    // p.system, p.property
//
// Variables, clocks, processes and channels keep their numbers, so that a state of the original is one of the
// projection where one looks at what is kept; a variable that is dropped has one value, a clock that is dropped is
// compared with nothing. A process is dropped with its location. *Every run of the original is one of the projection*,
// with the same delays: each transition becomes at most one transition, or nothing where it does nothing to what is
// kept. Hence distances to the goal only shrink, and what cannot be reached in the projection cannot be reached at all.
//
// Edges. All edges of a dropped process become loops in its only location. Of guards, invariants and goal clauses every
// conjunct goes that looks at something dropped; after such a one in a guard also those that can fail, which it
// may have protected. Of effects goes what writes only into what is dropped. If a kept variable gets a value that
// depends on something dropped, or is written in a way that cannot be taken apart, it gets any of the values that it
// can ever have: the edge becomes one edge for each. Where these were too many, the variable is dropped instead, and so
// is one that gets no other values, unless the goal reads it; a clock always. So `kept` of the result can be less than
// what was asked for. Loops that do nothing and meet nobody go, and so do all but one of those that are alike.
//
// Derived variables. One is kept with all that it follows from, or dropped.
//
// What keeps others from doing something needs more care, since a projection enables more:
//   committed   stays a location of a kept process, for the original is in it whenever the projection is. But if an
//   edge
//               of a dropped process that leaves a committed location is left, a transition with it must remain
//               possible: then all committed locations are urgent only. Dropped processes hurry nobody.
//   urgent      locations of kept processes stay. A channel stays urgent if all its edges are as they were, since then
//   it is
//               possible to synchronise in the original wherever it is in the projection.
//   broadcast   takes along everybody who can receive. Who can receive in the projection need not be able to in the
//               original, so an edge whose guard lost something gets company: a loop that receives and does nothing.
//               The same for dropped processes.
//   priorities, urgent edges, edges when idle, exclusive control and the turns of a claim: gone, all edges are equal.
//   deadlocks   are possible everywhere: the test goes from the goal.
// If nothing is dropped, all stays as it is.
#pragma once

#include <cstdint>
#include <vector>

#include "base/watch.h"
#include "model/analysis.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::transform {

// By number. Clock 0 is always kept.
struct Kept {
  std::vector<bool> variables;
  std::vector<bool> clocks;

  static Kept nothing(const model::System& system);
  static Kept everything(const model::System& system);

  bool has(model::VarId v) const { return variables[v.value]; }
  bool has(model::ClockId c) const { return clocks[c.value]; }
  bool operator==(const Kept&) const = default;
};

struct ModelProjection {
  Kept kept;
  model::System system;
  model::Property property;  // asks for a state
};

// What all projections of a model have in common.
class ModelProjector {
 public:
  // Keeps references.
  ModelProjector(const model::System& system, const std::vector<model::Clause>& goal,
                 const Watch& watch = Watch::none());

  ModelProjection project(Kept kept) const;

 private:
  class Builder;

  const model::System& system_;
  const std::vector<model::Clause>& goal_;
  const Watch& watch_;
  std::vector<model::ValueSet> values_;  // that each variable can have
  std::vector<bool> in_goal_;            // by variable: the goal reads it
};

}  // namespace harrier::transform
