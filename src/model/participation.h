// Who takes part in an error: variable dependencies in layers (Bui 2009, figure 7.4) and the Process Error
// Participation factor, PEP (Bui 2009, §5.4.2, §6.4, §7.3). `docs/analysis.md` tells what it is good for.
//
// The *aim* of a property is the set of variables, locations and clocks that its goal reads:
//   - clauses that ask for a deadlock are left out if there are others; if there are none, the aim is the location of
//     every process, since everybody must be stuck;
//   - clauses that only say that the system lacks something (Clause::incomplete) are left out, and so is the
//     bookkeeping of exclusive control (System::control);
//   - a flag or an observer stands for what it looks at: instead of System::failure the aim has what the edges read
//     that set it, which includes the location of their processes; instead of the location of the claim it has what
//     the edges of the claim read.
//
// A process *participates* if its location is in the aim, or if one of its edges writes a variable of the aim or resets
// a clock of it. Edges that start another process do not count: they give initial values. PEP is the number of
// participating processes by the number of all; the claim is none of them.
//
//     Peterson's protocol, goal `resource > 1`:    aim {resource}, and all N processes write it     PEP N/N
//     the same with two processes that write it    aim {resource}                                   PEP 2/N
//     P(1).cs && P(2).cs                           aim {P(1), P(2)}, locations                      PEP 2/N
//     deadlock                                     every location                                   PEP N/N
#pragma once

#include <cstddef>
#include <vector>

#include "base/watch.h"
#include "model/system.h"

namespace harrier::model {

struct Participation {
  std::vector<ProcessId> processes;  // that participate, in order
  size_t all = 0;                    // how many there are, without the claim

  // In (0, 1], or 0 if no process can do anything about the goal.
  double factor() const { return all == 0 ? 0 : static_cast<double>(processes.size()) / static_cast<double>(all); }
};

Participation participation(const System& system, const Property& property, const Watch& watch = Watch::none());

// In order of their numbers.
struct Layer {
  std::vector<VarId> variables;  // locations among them
  std::vector<ClockId> clocks;

  bool empty() const { return variables.empty() && clocks.empty(); }
};

// Layer 0 is the aim. What decides how a variable (location, clock) of a layer changes is in the next layer unless it
// is in an earlier one. Of every edge that writes it these are the location of the process and what its guards and the
// invariant of its target read; the same of edges that it has to synchronise with (the sender of a broadcast waits for
// nobody); and what the effects of the edge read, unless it is a location that changes. Priorities, urgency, idleness,
// exclusive control, range violations and the passing of time do not count. Variables in no layer are *weak*
// (Bui 2009, §7.3): they have no influence on the goal, except by these.
std::vector<Layer> dependency_layers(const System& system, const Property& property,
                                     const Watch& watch = Watch::none());

}  // namespace harrier::model
