// Static analyses: what expressions, statements, edges and transitions read and write, and the flat list of
// transitions.
//
//     Accesses accesses(system);
//     for (const Transition& t : flat_transitions(system)) {
//       Access access = accesses.of(t);          // over variables and clocks, sorted
//     }
//
// The sets are sound over-approximations: a function counts with everything that it can reach, an array access with
// a computed index counts for the whole block unless `range_of` narrows the index.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/system.h"

namespace harrier::model {

// Sorted, without duplicates.
struct Access {
  std::vector<VarId> reads;
  std::vector<VarId> writes;
  std::vector<ClockId> clocks_read;  // never the reference clock
  std::vector<ClockId> clocks_written;

  bool operator==(const Access&) const = default;
};

// The edges that fire together (Wehrle 2011, def. 2.5, 2.6): one internal edge, or the sender and the receiver of a
// binary channel, in different processes. For a broadcast channel `edges` is the sender alone, and `optional` are all
// edges that may receive, of which every other process takes at most one.
struct Transition {
  std::vector<EdgeId> edges;
  std::vector<EdgeId> optional;
};

// Without the beginning, which is none.
std::vector<Transition> flat_transitions(const System& system, const Watch& watch = Watch::none());

// The processes of all its edges, optional ones included, in order.
std::vector<ProcessId> participants(const System& system, const Transition& transition);

class Accesses {
 public:
  // The watch is polled by every question.
  explicit Accesses(const System& system, const Watch& watch = Watch::none())
      : system_(system), watch_(watch), functions_(system.functions.size()) {}

  Access of(ExprId expr);
  Access of(StmtId stmt);
  Access of(const ClockConstraint& constraint);
  // Invariants only.
  Access of(const Location& location);
  // The head is written.
  Access of(const Axiom& axiom);
  // Guards and effects; what follows from these by axioms is written. The location of the process is read, and written
  // unless the edge is a loop.
  Access of(const Edge& edge);
  // The union over all its edges, with before_update and after_update.
  Access of(const Transition& transition);
  Access of(const Clause& clause);

 private:
  class Collector;

  // What the body of a function does itself, and which functions it calls.
  struct Direct {
    Access access;
    std::vector<uint32_t> calls;
  };
  // Heads by the variables that bodies of their axioms read; and the number of the last answer that has a head.
  struct Derivations {
    std::vector<std::vector<VarId>> heads;
    std::vector<uint64_t> added;
  };
  const Direct& direct(uint32_t function);
  // Adds what follows from what is written.
  void add_derived(Access& access);
  template <class Visit>
  Access collect(const Visit& visit);

  const System& system_;
  const Watch& watch_;
  std::vector<std::optional<Direct>> functions_;
  std::optional<Derivations> derivations_;  // made when they are needed
  uint64_t answers_ = 0;
};

// Whether an evaluation can, for all that is easily seen, fail: by a run-time error or a range violation.
bool can_fail(const System& system, ExprId expr);
bool can_fail(const System& system, const Clause& clause);
bool can_fail(const System& system, StmtId statement);
// Whether a run of the system can, for all that is easily seen, end in a run-time error.
bool can_stop(const System& system, const Watch& watch = Watch::none());

// By edge: its number among the edges of its template between the same two locations, in the order of the text. Edges
// that were written as one have the same. With the locations it names an edge, also in a model of another size.
std::vector<uint32_t> edge_ranks(const System& system);

// The process that a condition is about: its location is all that the condition reads.
std::optional<ProcessId> process_located_by(const System& system, Accesses& accesses, ExprId condition);

}  // namespace harrier::model
