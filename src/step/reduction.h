// Partial-order reduction by stubborn sets made of whole processes, and passing through states in which one process can
// go on alone (independence.h says which processes have to be looked at together).
//
// In a state in which nobody has exclusive control, only the transitions of a closed set P of processes that can make
// one are followed; those of the others wait. Let w be a path from there to what is looked for: a state in which a
// clause of the goal holds, a deadlock, or a run-time error.
//
//   1. Some transition of P is in w. Then the first of these is possible at once, and w without it afterwards leads to
//      the same state: nothing before it in w has to do with it. So a path that is shorter by one remains.
//   2. None is. A deadlock cannot be where w ends, for what P can do is still possible. Nor can w make a clause of the
//      goal true that P can change, for then all that can would be in P. So after a transition of P, w is still
//      possible, and leads to a state of the same kind: what is looked for stays as far away.
//
// (Valmari 1991; Godefroid 1996; on what has to be visible, Valmari and Hansen 2017.) So
// nothing is missed as long as case 2 does not go on for ever. It ends at the latest where all processes are looked at,
// so from every state such a state has to be reached by followed transitions. There are two ways to see to that:
//
//   - In any order of search: one of the successors has not been expanded yet. Then on a path of such successors the
//     times of expansion grow, and the last state of it has all its successors.
//   - In depth-first order: one of the successors is new or *finished*: all that was found from it is expanded. Then
//   the
//     times at which they are finished shrink along the path. This asks for less; it is what Spin does (Holzmann and
//     Peled 1994), but not only for states on the way to this one: those that wait have to be waited for as well.
//
// If the first P has no such successor, another closed set is added, and so on; in the end it is all processes. The
// union of closed sets is closed.
//
// A state in which a process alone is closed need not be stored (as by Spin's merging of statements, Holzmann 1999),
// if the process can go on: the argument above holds there, too, and case 2 cannot go on for ever, since
// the locations where this is done (Place::passes) are chosen such that no process can come around in them, nor start
// others. A state with a successor that was come by in this way has to have one that is stored and not in control.
//
// Reachable goals and deadlocks are kept, the lengths of paths are not.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

#include "step/discrete_generator.h"
#include "step/independence.h"

namespace harrier::step {

// What one thread needs to apply the reduction.
class Reduction {
 public:
  // Processes, by bits.
  using Set = uint64_t;

  // Both must outlive it.
  Reduction(const Independence& independence, const Watch& watch);

  // Finds closed sets in a state in which nobody has control, small ones first. Calls visit(process) for every process
  // of the first one, and is_enough() then; if that is false it goes on with what the next one adds. Returns whether it
  // was enough in the end; false also if visit returned false, in `stopped`.
  template <class Visit, class IsEnough>
  bool for_each_process(const int32_t* values, Visit&& visit, IsEnough&& is_enough, bool& stopped) {
    begin(values);
    stopped = false;
    Set done = 0;
    for (Set next = next_set(values, done); next != 0; next = next_set(values, done)) {
      for (Set open = next & ~done; open != 0; open &= open - 1) {
        if (!visit(static_cast<uint32_t>(std::countr_zero(open)))) {
          stopped = true;
          return false;
        }
      }
      done |= next;
      if (is_enough()) return true;
    }
    return false;
  }

  // Whether a process is closed alone in a state in which nobody has control.
  bool is_closed_alone(const int32_t* values, uint32_t process) {
    begin(values);
    return needs(values, process) == 0;
  }
  // The first process that is closed alone in the generator's candidate, at a place that may be passed, and that can go
  // on. The state is as it was afterwards.
  std::optional<uint32_t> process_to_pass(DiscreteGenerator& generator);

 private:
  void begin(const int32_t* values);
  // A smallest closed set that is not in `done`; empty: there is none.
  Set next_set(const int32_t* values, Set done);
  // The processes that are in every closed set with p because of what p can do.
  Set needs(const int32_t* values, uint32_t p);
  // Those of some processes that may do what matters.
  Set among(const int32_t* values, const Independence::Needs& needs, Set processes);
  // Somebody can come to start it.
  bool can_be_started(uint32_t process) const;

  const Independence& independence_;
  uint32_t processes_;
  Workspace work_;
  std::vector<uint32_t> at_;  // locations
  std::vector<Set> closed_;   // smallest closed sets, by process
  uint32_t next_alone_ = 0;
  bool all_known_ = false;
};

}  // namespace harrier::step
