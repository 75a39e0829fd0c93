// Which processes have to be looked at together, prepared for partial-order reduction (reduction.h).
//
// Let P be some processes in a state s, and T all transitions in which an edge that leaves the current location of one
// of them takes part. P is *closed* in s if nothing that the other processes do, as long as none of T happens, has to
// do with T (a persistent set of Godefroid 1996, a strong stubborn set of Valmari 1991, made of whole processes as by
// Overman 1981). For every edge e that leaves the location of a process of P:
//
//   - a condition of its guard is false in s, and no process outside P can ever come, by any of its edges, to make it
//     true (a necessary enabling set; the first condition that is false is taken, as guards are evaluated in order); or
//   - no process outside P can ever come to an edge f that *matters* to e: one writes what the effect of the other
//     reads or writes, or can make a condition of the other's guard false, as edge_facts.h finds out.
//
// "Ever" is by the graphs of the processes: from their current locations on, without edges that wait until nothing
// else can happen (`when_idle`): one of T can, as long as none of T did. What is prepared here are sets of locations,
// one for each e (`whole`) and each of its conditions (`enablers`): a process at one of these must be in P as well.
//
// Some of f can be told to be impossible from a state on, although there is a way to it: where a condition of its guard
// is false that is *settled*. It reads only variables that its process alone writes, and whoever starts that process,
// like the channels that a process was given as parameters; no edge that writes them can be come to, and the process
// cannot be started again. So a set of locations has *parts*, which count only where this is not so.
//
// Also what matters to e:
//   - f can be its partner on a channel;
//   - e leads to where its process listens on a channel on which it is noticed that somebody is ready, or makes the
//   guard
//     of a receiver there true: on a broadcast, or where a send that becomes possible takes the place of less urgent
//     edges, or lets a process keep control. Then all sends on it matter;
//   - f is what a process in control goes on with, and e can make its guard true, so that the process does not lose
//   control;
//   - of a process that has more urgent edges, the less urgent ones depend on the guards of those;
//   - e takes exclusive control: then all that its process does in control belongs to e. With channels without room for
//     messages among it, everything matters; also if the search does not pass through these states (passing.h), for
//     then what follows e would be kept back by other rules;
//   - e can change whether a clause of the goal holds: then so does every other edge that can. Clauses that stay true
//     once they are, because they only read variables which nothing else reads and which are set to values that satisfy
//     them (assertions), do not count, nor do clauses about deadlocks;
//   - e runs into a run-time error: its conditions then count as possible, and whatever writes what it reads matters.
//
// An edge that sets the location of another process starts that process, which does not run yet (it is at location 0).
// So it has nothing to do with the edges of that process, but a process at location 0 needs all that can come to start
// it.
//
// See reduction.h for why closed sets of processes keep what is looked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "step/program.h"

namespace harrier::step {

// Why a model cannot be reduced, for users; nothing if it can, as far as its constructs go.
std::optional<std::string> hindrance_to_reduction(const model::System& system, const std::vector<model::Clause>& goal);

class Independence {
 public:
  // A set of locations of all processes, by a number.
  using Row = uint32_t;
  // Locations of one process, unless a settled condition is false.
  struct Part {
    uint32_t process = 0;
    Row where = 0;
    Code condition;
    Row unsettled = 0;  // at these locations of the process the condition can still change
  };
  struct Needs {
    Row row = 0;
    uint32_t first_part = 0;
    uint32_t end_part = 0;
  };
  struct Test {
    Code condition;  // of a guard, which cannot fail
    Needs enablers;  // if it is false: where processes can come to make it true
  };
  struct Outgoing {
    Needs whole;
    uint32_t first_test = 0;
    uint32_t end_test = 0;
  };
  struct Place {
    Row all = 0;  // the union over its edges
    uint32_t first_edge = 0;
    uint32_t end_edge = 0;
    bool passes = false;  // its process may be followed through it without storing the state (reduction.h)
  };

  // `passing`: the search passes through states in which a process has exclusive control. The system must outlive it.
  Independence(const model::System& system, const std::vector<model::Clause>& goal, bool passing, const Watch& watch);

  bool applies() const { return !places_.empty(); }
  uint32_t processes() const { return static_cast<uint32_t>(location_.size()); }
  const Program& program() const { return program_; }
  uint32_t location_variable(uint32_t process) const { return location_[process]; }
  // The number of a location among those of all processes.
  uint32_t number(uint32_t process, const int32_t* values) const {
    return first_[process] + static_cast<uint32_t>(values[location_[process]]);
  }
  const Place& place(uint32_t location) const { return places_[location]; }
  const Outgoing& edge(uint32_t number) const { return edges_[number]; }
  const Test& test(uint32_t number) const { return tests_[number]; }
  const Part& part(uint32_t number) const { return parts_[number]; }
  // Where processes can come to start this one.
  Row starting(uint32_t process) const { return starting_[process]; }
  bool contains(Row row, uint32_t location) const {
    return ((rows_[size_t{row} * words_ + location / 64] >> (location % 64)) & 1) != 0;
  }
  // Of processes in locations that may be passed.
  const std::vector<uint32_t>& passing_processes() const { return passing_processes_; }

 private:
  class Maker;

  Program program_;
  uint32_t words_ = 0;              // of a row
  std::vector<uint32_t> location_;  // variable, by process
  std::vector<uint32_t> first_;     // number of location 0, by process
  std::vector<Place> places_;       // by location
  std::vector<Outgoing> edges_;
  std::vector<Test> tests_;
  std::vector<Part> parts_;
  std::vector<Row> starting_;  // by process
  std::vector<uint64_t> rows_;
  std::vector<uint32_t> passing_processes_;
};

}  // namespace harrier::step
