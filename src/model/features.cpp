#include "model/features.h"

#include <algorithm>

#include "model/analysis.h"

namespace harrier::model {

bool suits_diagrams(const System& system) {
  if (system.clocks.size() > 1 || system.processes.empty()) return false;
  return system.has_choices() || std::all_of(system.processes.begin(), system.processes.end(),
                                             [](const Process& p) { return p.locations.size() == 1; });
}

bool is_planning(const System& system, const Property& property) {
  return suits_diagrams(system) && system.processes.size() == 1 && !system.has_choices() &&
         property.kind == PropertyKind::Reachable &&
         std::none_of(property.goal.begin(), property.goal.end(),
                      [](const Clause& c) { return c.deadlock == DeadlockTest::IsDeadlock || c.incomplete; });
}

Features features(const System& system, const Property& property, const Watch& watch) {
  Features out;
  for (size_t p = 0; p < system.processes.size(); ++p) {
    if (ProcessId(p) == system.claim) continue;
    ++out.processes;
    out.locations += system.processes[p].locations.size();
    out.edges += system.processes[p].edges.size();
  }
  out.variables = system.variables.size();
  out.clocks = system.clocks.size() - 1;
  out.channels = system.channels.size();
  out.queues = system.queues.size();
  for (const Edge& edge : system.edges) out.exclusive_control = out.exclusive_control || edge.keeps_control;
  out.claim = system.claim.valid();
  out.choices = system.has_choices();
  out.diagrams = suits_diagrams(system);
  out.planning = is_planning(system, property);
  out.can_stop = can_stop(system, watch);
  out.proof = property.kind == PropertyKind::Invariant || property.kind == PropertyKind::Eventually ||
              property.kind == PropertyKind::LeadsTo || property.kind == PropertyKind::Liveness ||
              property.kind == PropertyKind::Branching;
  out.branching = property.kind == PropertyKind::Branching;
  out.liveness = property.kind != PropertyKind::Reachable && property.kind != PropertyKind::Invariant &&
                 property.kind != PropertyKind::Extrema;
  for (const Clause& clause : property.goal) {
    if (clause.deadlock == DeadlockTest::IsDeadlock) {
      ++out.deadlock_clauses;
    } else if (clause.incomplete) {
      ++out.incomplete_clauses;
    } else {
      ++out.other_clauses;
    }
  }
  out.participation = participation(system, property, watch);
  return out;
}

}  // namespace harrier::model
