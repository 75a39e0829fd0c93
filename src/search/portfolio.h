// `auto`: a few searches in turns, under one memory budget; the first answer counts, and the shortest path.
//
// Breadth-first search gets a start of its own, since small models need no direction. Then all members have turns that
// grow. How the time is shared out depends on what the property says: `A[] p` is meant to hold, and breadth-first
// search proves that faster than anything, so it has a long start and nearly all of the time; `E<> p` asks for a state
// that is meant to exist, so the directed members have most of it at first. Turns are counted in work (Task::work), not
// in seconds, so that a run can be repeated; only what the directed members cost in time beyond a quarter of a second,
// making their heuristics among it, is held against what breadth-first search has had, so that a proof takes at most
// twice as long as it would alone. A member that runs out of memory is given up as long as another one is left.
//
//   greedy, hU, useless transitions        the best single configuration on most models with errors
//   greedy, hL, interference contexts      good where distances are uninformative, and cheap
//   greedy, hadd, preferred transitions    another view, good where useless transitions are not
//   greedy, ha                             if deadlocks are looked for
//   random walks                           if most processes take part in the error (Bui 2009, figure 7.11)
//   A*, zdb and pdb                        proofs, where a database prunes
//   breadth-first                          shortest paths and proofs
//   breadth-first, partial-order reduction proofs, where the reduction pays; depth-first if a state is asked for
//
// A database is begun when the others have had some turns, with as many abstract states as a small share of the work
// pays for. If the initial state is a dead end in it, that is the proof. Otherwise A* tries it for as long; it pays if
// a good part of the states that A* meets are dead ends, and then A* goes on. If not, it is thrown away, and a larger
// one follows in the next turn.
//
// A search with partial-order reduction (step/reduction.h) is a member where it is sound: breadth-first, by several
// threads, with twice the share of breadth-first search without; depth-first, which may come upon a state that is far
// away, with half of it where a state is asked for. It stays as long as it leaves out something at a good
// part of its states. Its paths are longer than they need be: if it finds one the others go on, and it counts only if
// they come to no answer.
//
// A planning task (model::is_planning) has members of its own, as planners have them; the time of breadth-first search
// is a small part then, for a state is asked for:
//
//   greedy, lazy, hff and lmcount, preferred transitions      the first iteration of LAMA (Richter and Westphal 2010)
//   greedy, hff and lmcount, useless and preferred ones       Wehrle 2011, fig. 3.7, with another estimate
//   greedy, lazy, hcea, preferred transitions                 another view
//   random walks, hff                                         where greedy search comes to large plateaus
//   symbolic search                                           small diagrams
//
// A witness should be readable. So after the first one the others go on looking for a shorter one, for as much work as
// it took and a second's more, and beside them weighted A* and A*, which need not look farther than the best path so
// far is long (as in anytime.h). AutoSearch::first leaves that out. The plan of a planning task, and what is counted in
// costs, is improved by the stages of anytime search alone, until the last of them has proved it to be the best, or a
// limit is reached; without a limit of the run, for a minute.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "model/features.h"
#include "search/method.h"

namespace harrier::search {

struct AutoSearch {
  bool first = false;                   // the first witness will do
  uint64_t seed = 1;                    // of its random walks
  std::optional<uint32_t> threads = 1;  // of breadth-first search, as there
  Estimate estimate;                    // what its guided members have in common; they choose the heuristic
  bool context_clocks = false;
  bool only_databases = false;  // no other directed members, and these at once: for tests with small models
  bool patient = false;         // no member is stopped for being slow: for tests on machines of any speed

  std::string describe() const { return "auto"; }
  bool answers(Question) const { return true; }
  Traits traits() const { return {.costs = true}; }  // in looking for better paths
  Result run(const step::Semantics& semantics, const Config& config) const;
};

// In words, what `auto` does with such a property.
std::string describe_auto(const model::System& system, const model::Property& property,
                          const model::Features& features);

}  // namespace harrier::search
