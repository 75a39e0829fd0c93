// What a search answers, and the figures of its work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace harrier {

enum class Verdict : uint8_t {
  Reachable,    // a goal state is reached: there is a witness, and it has been validated
  Unreachable,  // proved: no goal state can be reached
  Unknown,      // a limit was hit first
  Failed,       // the model fails at run time: CheckResult::failure says how, and the witness leads there
  Computed,     // the values that were asked for are known: CheckResult::values
};

// Names are stable: they are the keys of the JSON output.
struct Statistics {
  uint64_t expanded = 0;   // states whose successors were generated
  uint64_t generated = 0;  // successors generated, also those that are not stored
  uint64_t stored = 0;     // states in the store at the end
  // Of them: states in which a process has exclusive control, as inside Promela's atomic. Breadth-first searches, and
  // depth-first and greedy ones without a depth limit, pass through these and store them rarely, if there are no
  // preferences.
  uint64_t transient = 0;
  uint64_t state_bits = 0;  // of a packed state, without clocks, of searches that look at states one by one
  uint64_t forgotten = 0;  // variables whose values are forgotten as soon as nobody needs them (CheckOptions::simplify)
  uint64_t interchangeable = 0;  // processes whose order did not matter
  double native_s = 0;           // that native code took to compile; 0: none was used
  double time_s = 0;             // of all that was done for the property
  uint64_t memory_bytes = 0;  // that the process had resident at most, beyond what it had before the model was loaded
  // Of guided searches:
  uint64_t evaluated = 0;          // states whose estimate was computed
  uint64_t dead_ends = 0;          // states from which the heuristic proved that no goal can be reached
  uint64_t deferred_expanded = 0;  // states that were expanded although they had been put back
  struct Queue {
    uint64_t pushed = 0;
    uint64_t popped = 0;
  };
  std::vector<Queue> queues;  // by rank
  // Of random walks:
  uint64_t walks = 0;        // begun
  uint64_t steps = 0;        // transitions taken, in all walks together
  uint64_t walk_length = 0;  // of the path that was found, before it was polished
  // Of symbolic searches:
  uint64_t layers = 0;      // of states, from the initial ones and from the goal
  uint64_t images = 0;      // that were computed, of sets of states
  uint64_t peak_nodes = 0;  // of decision diagrams at most
  double states = 0;        // found from the initial ones on; backward: from which there is a way to the goal
  // Of a search that is going on, for those who watch it:
  std::string search;  // the one that has its turn
  uint64_t open = 0;   // states that wait to be looked at
  uint64_t depth = 0;  // of the state that is looked at, where depths are kept
};

// An extreme value: sup is `value`, or just below it if strict; inf is `value`, or just above it.
struct Extremum {
  bool infinite = false;  // there is no largest value
  int64_t value = 0;
  bool strict = false;

  bool operator==(const Extremum&) const = default;
};

// What a sup, inf or bounds query tells about one of its terms. Neither is there if no state satisfies the condition.
struct TermValues {
  std::string term;
  std::optional<Extremum> inf;
  std::optional<Extremum> sup;
};

}  // namespace harrier
