// Exchanges of like parts of a system, and the proof that one changes nothing.
//
// An exchange maps variables, clocks, channels and processes to others and back, and exchanges names (value_classes.h)
// with each other: that of the processes 1 and 2 of Fischer's protocol maps P(1).x to P(2).x, and where `id` is 1 makes
// it 2. So it maps states to states, and edges to edges. It is an *automorphism* if it maps every edge, location,
// function and clause of the goal to one of the system that is written alike. Then s -> t is a transition exactly if
// the image of s -> the image of t is one, by the images of the edges; the initial state is its own image; and a state
// is a goal, or a deadlock, exactly if its image is one (Ip and Dill 1996; Emerson and Sistla 1996; for timed automata
// Hendriks, Behrmann, Larsen, Niebert and Vaandrager 2003).
//
// The proof compares texts, so that it is sound however an exchange was guessed, and refuses where texts do not tell:
//   - Operands of `+`, `&&` and the like, and conditions of a guard may be in another order only where none can fail,
//     since an evaluation ends at the first run-time error, or where it knows enough.
//   - A name may be compared for equality with names, stored, and used as an index of a block whose elements are
//     exchanged accordingly, also inside of a linear index like 3 * i + j; a quantifier over names goes over all of
//     those that are exchanged, or none.
//   - The receivers of a broadcast update in the order of their processes. If these are exchanged, their updates may
//     have nothing in common, and cannot fail.
//   - Of names for processes, System::control is one.
//   - Systems with a claim, derived variables, choices or several initial states are left alone.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "model/value_classes.h"

namespace harrier::model {

// Each is its own inverse: lists of what is exchanged, by what it is mapped to (itself where it stays).
struct Exchange {
  using Names = std::vector<std::pair<int32_t, int32_t>>;

  Exchange(const System& system, const Property& property, const ValueClasses& classes);

  std::vector<uint32_t> variables;
  std::vector<uint32_t> clocks;
  std::vector<uint32_t> channels;
  std::vector<uint32_t> processes;
  std::vector<Names> names;  // by class of values; each name once
  // What follows; is_automorphism writes it.
  std::vector<uint32_t> edges;
  std::vector<uint32_t> clauses;

  int32_t name(uint32_t kind, int32_t value) const;
};

// Why no exchange of this system can be proved; empty: they can.
std::string why_no_exchanges(const System& system, const Property& property);

// Whether it is proved to be one. The system must have exchanges.
bool is_automorphism(const System& system, const Property& property, const ValueClasses& classes, Exchange& exchange,
                     const Watch& watch);

}  // namespace harrier::model
