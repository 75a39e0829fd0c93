// Safe abstraction (Wehrle 2011, §5.3): variables that can be set at will are taken out of the model before the search,
// and put back into the path afterwards.
//
// A variable v (the location of a process counts) is *safe* if internal edges that read and write nothing but v, its
// *drivers*, lead from each of its values to every other (Wehrle 2011, def. 5.7: independent and strongly connected).
// The reduced model has no drivers and no v: an edge or a clause of the goal that reads v stands for itself with each
// value that allows it, and what it writes into v is forgotten. This repeats, for what depended on v alone may be safe
// now.
//
// A path of the model, without its drivers, is a path of the reduced one: so a proof carries over. The other way round,
// before each step of a reduced path that needs a value of v, drivers take v there by a shortest way: so a witness
// carries over, and a proof on the model would be one on the reduced model. For this the drivers must always be able
// to run, take no time, and change nothing else, and nothing but edges and the goal may look at v:
//   - drivers are internal, without clocks, in a process with one location (or with v as its location), a normal one;
//   - no invariant, no function and no array access with a computed index touches v, and if v is a location, none of
//     the process has an invariant;
//   - no urgent and no broadcast channel has an edge that touches v: else the value of v would decide whether time may
//     pass or who else receives;
//   - no transition that touches v leaves a committed location, so that no process is in one when v is to be set; for
//     the same reason a goal reads v only in models without committed locations;
//   - of two edges that synchronise, only one touches v, and who writes v writes a constant of its domain and does not
//     read v in its effects;
//   - there are no priorities, no updates around transitions, and no goal asks for deadlocks.
// Run-time errors stay: a guard or a goal that can fail is kept even where it cannot hold. The reduced model can only
// fail where the model does or where a guard is evaluated in vain; the search then runs on the model instead.
//
// Other edges may write v as a side effect; this is more than Wehrle (2011) allows, and sound since v can be set again.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/watch.h"
#include "model/path.h"
#include "model/system.h"

namespace harrier::transform {

struct SafeAbstraction {
  SafeAbstraction(const model::System& original, const model::Property& original_property,
                  const Watch& watch = Watch::none());

  // The names of the variables that are gone, in the order in which they went.
  std::vector<std::string> abstracted;
  // Variables keep their numbers; edges and clauses of the goal do not.
  model::System system;
  model::Property property;

  // The path of the original model that belongs to one of the reduced model.
  model::Path concrete(const model::Path& reduced) const;

 private:
  class Builder;

  using Value = uint32_t;  // the number of a value of the variable, in increasing order

  // What an edge or a clause of the goal has to do with the variable of a layer.
  struct Use {
    std::vector<Value> needed;  // any of them; empty: does not matter
    std::optional<Value> written;
  };
  struct Move {
    model::EdgeId driver;
    Value to = 0;
  };
  // One variable that is taken out. Edges and clauses are numbered as before (the driver) or after (the rest).
  struct Layer {
    Value initial = 0;
    uint32_t size = 0;
    std::vector<Move> moves;         // by source and destination: the first of a shortest way
    std::vector<uint32_t> distance;  // likewise
    std::vector<model::EdgeId> edge_before;
    std::unordered_map<uint32_t, Use> edge_use;
    std::vector<size_t> clause_before;
    std::vector<std::vector<Value>> clause_needs;
  };

  std::vector<Layer> layers_;
};

}  // namespace harrier::transform
