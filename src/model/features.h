// What is known about a model and a property before any search, and decides which search suits. Cheap: a few walks over
// the edges.
#pragma once

#include <cstddef>

#include "model/participation.h"
#include "model/system.h"

namespace harrier::model {

struct Features {
  size_t processes = 0;            // without the claim
  size_t locations = 0;            // of these processes
  size_t edges = 0;                // of these processes
  size_t variables = 0;            // the locations of processes among them
  size_t clocks = 0;               // without the constant zero
  size_t channels = 0;             // that edges synchronise on
  size_t queues = 0;               // message channels
  bool exclusive_control = false;  // a process can go on alone for a while, as inside Promela's atomic
  bool claim = false;
  bool choices = false;   // effects choose, or there are several initial states
  bool diagrams = false;  // suits_diagrams
  bool planning = false;  // is_planning
  bool can_stop = false;  // a run may end in a run-time error, for all that is easily seen

  bool proof = false;             // the property is meant to hold for all paths; otherwise a state is asked for
  bool liveness = false;          // it is about infinite paths
  bool branching = false;         // it is a formula of branching time
  size_t deadlock_clauses = 0;    // of the goal
  size_t incomplete_clauses = 0;  // Clause::incomplete
  size_t other_clauses = 0;
  Participation participation;

  bool only_deadlocks() const { return deadlock_clauses != 0 && other_clauses == 0; }
  // Bui (2009) calls PEP low if few processes participate, and high if most or all do.
  bool high_pep() const { return participation.factor() > 0.5; }
};

// Whether symbolic searches are worth a try: there are no clocks, and what happens is all in the values of variables,
// since effects choose, or no process has more than one location, as in SMV.
bool suits_diagrams(const System& system);
// Whether model and property are as planning tasks are: all is in the values of variables, transitions do one thing
// each, and a state is asked for.
bool is_planning(const System& system, const Property& property);

Features features(const System& system, const Property& property, const Watch& watch = Watch::none());

}  // namespace harrier::model
