// A part of a network (Hoffmann et al. 2006, §3.3): some of its processes, and what they do, as terms.
//
// What processes outside may change is *opaque* to the part: variables that they write, clocks that they reset. A
// condition on something opaque may hold. A synchronisation with a process outside is taken alone; its step is *open*,
// for others take part that are not known. So whatever the network does, a step of the part does, or the part does
// nothing while time may pass: every part over-approximates the network. The part of all processes has no opaque
// variables but the bookkeeping of exclusive control.
//
// Of a broadcast every combination of receivers is a step, or one step says that the receivers may do anything. Steps
// outside the part that put a process of the part into a location (which is how processes are started) are steps of it,
// too, if they are internal. Committed locations are left to those who use the part; priorities, urgency of channels
// and of edges, and exclusive control are ignored: they only keep steps from being taken.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "abstraction/predicates/predicate.h"
#include "abstraction/predicates/symbolic.h"
#include "abstraction/predicates/terms.h"
#include "base/watch.h"
#include "model/analysis.h"
#include "model/system.h"
#include "model/value_sets.h"

namespace harrier::abstraction {

// What all parts of a network share.
struct Workbench {
  Workbench(const model::System& s, const std::vector<model::Clause>& g, const Watch& w);

  const model::System& system;
  const std::vector<model::Clause>& goal;
  const Watch& watch;
  model::Accesses accesses;
  std::vector<model::ValueSet> values;  // by variable: what it can ever have
  Terms terms;
  std::vector<std::vector<model::EdgeId>> senders;  // by channel
  std::vector<std::vector<model::EdgeId>> receivers;
};

struct Part {
  // condition != 0 implies left - right < bound, or <= bound.
  struct ClockCondition {
    TermId condition = 1;
    uint32_t left = 0;
    uint32_t right = 0;
    bool strict = false;
    TermId bound = 0;
    // A bound that holds wherever this does; none where that cannot be said.
    std::optional<ClockAtom> atom;
  };
  struct Location {
    model::LocationKind kind = model::LocationKind::Normal;
    std::vector<ClockCondition> invariant;
    bool holds_time() const { return kind != model::LocationKind::Normal; }
  };
  struct Process {
    uint32_t number = 0;
    uint32_t variable = 0;
    bool located = true;  // its location is not opaque
    std::vector<Location> locations;
  };
  struct Step {
    std::vector<model::EdgeId> edges;  // of the part, sender first
    bool open = false;
    bool leaves_committed = false;
    std::vector<TermId> conditions;                   // on the state before, without unknowns
    std::vector<std::pair<uint32_t, TermId>> writes;  // by variable, locations among them; none that is opaque
    std::vector<ClockCondition> clock_conditions;     // before
    std::vector<Symbolic::Reset> resets;              // one a clock
  };
  // A clause of the goal.
  struct Aim {
    std::vector<TermId> conditions;
    std::vector<ClockCondition> clock_conditions;
  };

  std::vector<Process> processes;
  bool whole = false;  // all processes of the network
  std::vector<bool> opaque;
  std::vector<bool> opaque_clocks;
  std::vector<Step> steps;
  std::vector<Aim> aims;
  uint64_t removed_conditions = 0;  // that depend on something opaque
  uint64_t removed_synchronisations = 0;

  bool is_trivial() const;  // every state satisfies the aim
  std::string name(const model::System& system) const;
};

// Stops early, with a part that says nothing, where `over` says so.
Part make_part(Workbench& bench, std::span<const uint32_t> processes, const std::function<bool()>& over);

// All that guards, invariants and the aims of a part compare (Hoffmann et al. 2006, §4), or the aims alone.
void add_predicates_of_syntax(Workbench& bench, const Part& part, PredicateSet& out);
void add_predicates_of_aims(Workbench& bench, const Part& part, PredicateSet& out);
// What a condition compares, and what a constraint on clocks bounds.
void add_predicates_of(Workbench& bench, const Part& part, TermId condition, PredicateSet& out);

}  // namespace harrier::abstraction
