// Symbolic pattern databases for explicit searches (Edelkamp 2002; Qian and Nymeyer 2004; Bui 2009, §3.2): the layers
// of a projection of the model around the goal are found as decision diagrams (symbolic/database.h), and made one table
// (distance_diagram.h) that is looked up in every state. The package of diagrams is only needed in between: it has one
// kernel for the process, which the search may want for itself.
//
//     const auto table = SymbolicPatterns::build(system, goal, options, watch);
//     table.look_up(values);     // a lower bound of the distance to the goal, or kInfinity
//
// Whatever an effect does and chooses is a relation between bits, so that all models without clocks can have one, also
// with several initial states. States in which the model or the query fails count as goals: nothing that a search would
// report is hidden behind a dead end.
//
// `options.states` bounds the nodes of the table, and those of the diagrams that it is made of; `options.seconds` all
// of it. The nearest layers are kept, as many as there is room for. States in none of them are as far as the first that
// is missing; if none is, they are dead ends. If not even the encoding of the model is ready in time, all distances are
// 0.
#pragma once

#include <vector>

#include "abstraction/diagrams/distance_diagram.h"
#include "base/archive.h"
#include "base/watch.h"
#include "harrier/abstraction.h"
#include "model/system.h"

namespace harrier::abstraction {

class SymbolicPatterns {
 public:
  // Waits while somebody else uses decision diagrams; this thread must not. Throws Error(Unsupported) for what cannot
  // be encoded, clocks among it, and Error(Usage) if the pattern does not fit.
  static SymbolicPatterns build(const model::System& system, const std::vector<model::Clause>& goal,
                                const AbstractionOptions& options, const Watch& watch = Watch::none());

  // Back from a file; the system must be that which it was built for.
  static SymbolicPatterns load(ArchiveReader& in, const model::System& system);
  void save(ArchiveWriter& out) const;

  // A lower bound of the distance from a state that can be reached, or kInfinity. Allocates nothing.
  uint32_t look_up(const int32_t* values) const { return diagram_.look_up(values); }
  const AbstractionReport& report() const { return report_; }

 private:
  SymbolicPatterns() : diagram_(0) {}
  void describe(const model::System& system);

  std::vector<model::VarId> pattern_;
  DistanceDiagram diagram_;
  uint64_t states_ = 0;  // whose distances are known, of the abstraction
  uint32_t layers_ = 0;
  uint64_t layer_nodes_ = 0;
  uint32_t initial_ = 0;  // the distance of the nearest initial state, or kInfinity
  AbstractionReport report_;
};

}  // namespace harrier::abstraction
