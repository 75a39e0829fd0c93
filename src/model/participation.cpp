// One pass over the edges for who participates; a search from the aim backwards over who writes what for the layers.
#include "model/participation.h"

#include <algorithm>
#include <utility>

#include "model/analysis.h"

namespace harrier::model {

namespace {

// A set of variables and clocks that remembers what was added since the last look.
class Marks {
 public:
  explicit Marks(const System& system)
      : variables_(system.variables.size(), false), clocks_(system.clocks.size(), false) {}

  bool has(VarId v) const { return variables_[v.value]; }
  bool has(ClockId c) const { return clocks_[c.value]; }
  void add(VarId v) {
    if (!has(v)) added_.variables.push_back(v);
    variables_[v.value] = true;
  }
  void add(ClockId c) {
    if (!has(c)) added_.clocks.push_back(c);
    clocks_[c.value] = true;
  }
  void add_reads(const Access& access) {
    for (const VarId v : access.reads) add(v);
    for (const ClockId c : access.clocks_read) add(c);
  }
  Layer take_added() {
    std::sort(added_.variables.begin(), added_.variables.end());
    std::sort(added_.clocks.begin(), added_.clocks.end());
    return std::exchange(added_, {});
  }

 private:
  std::vector<bool> variables_;
  std::vector<bool> clocks_;
  Layer added_;
};

bool contains(const std::vector<VarId>& sorted, VarId v) { return std::binary_search(sorted.begin(), sorted.end(), v); }

bool is_deadlock(const Clause& clause) { return clause.deadlock == DeadlockTest::IsDeadlock; }

void add_locations(const System& system, Marks& marks) {
  for (size_t p = 0; p < system.processes.size(); ++p) {
    if (ProcessId(p) != system.claim) marks.add(system.processes[p].location);
  }
}

// What an observer reads that is to be in the aim: not its own location, not the bookkeeping.
void add_observed(const System& system, const Access& access, VarId observer, Marks& aim) {
  for (const VarId v : access.reads) {
    if (v != observer && v != system.control) aim.add(v);
  }
  for (const ClockId c : access.clocks_read) aim.add(c);
}

Marks aim_of(const System& system, const Property& property, Accesses& accesses) {
  Marks aim(system);
  const VarId claim = system.claim.valid() ? system.process(system.claim).location : VarId();
  bool deadlock = false;
  bool other = false;
  bool failure = false;
  bool watched = false;
  std::vector<const std::vector<Clause>*> all{&property.goal, &property.premise};
  for (const std::vector<Clause>& set : property.accepting) all.push_back(&set);
  std::vector<Clause> formula;
  for (const FormulaNode& node : property.formula) {
    if (node.kind == FormulaKind::State) formula.push_back({{node.condition}, {}});
  }
  all.push_back(&formula);
  for (const auto* clauses : all) {
    for (const Clause& clause : *clauses) {
      if (clause.incomplete) continue;
      deadlock = deadlock || is_deadlock(clause);
      if (is_deadlock(clause)) continue;
      other = true;
      Access access = accesses.of(clause);
      failure = failure || (system.failure.valid() && contains(access.reads, system.failure));
      watched = watched || (claim.valid() && contains(access.reads, claim));
      std::erase(access.reads, system.failure);
      add_observed(system, access, claim, aim);
    }
  }
  if (deadlock && !other) add_locations(system, aim);
  for (size_t i = 0; (failure || watched) && i < system.edges.size(); ++i) {
    const Edge& edge = system.edges[i];
    const bool by_claim = edge.process == system.claim;
    if (!(watched && by_claim) && !(failure && !edge.effect.empty())) continue;
    const Access access = accesses.of(edge);
    if (!(watched && by_claim) && !contains(access.writes, system.failure)) continue;
    add_observed(system, access, by_claim ? claim : VarId(), aim);
  }
  return aim;
}

bool starts_another(const System& system, const Edge& edge, const Access& access) {
  const VarId own = system.process(edge.process).location;
  return std::any_of(access.writes.begin(), access.writes.end(),
                     [&](VarId v) { return v != own && system.variable(v).kind == VarKind::Location; });
}

bool writes_into(const System& system, const Access& access, const Marks& aim) {
  return std::any_of(access.writes.begin(), access.writes.end(),
                     [&](VarId v) { return aim.has(v) && system.variable(v).kind != VarKind::Location; }) ||
         std::any_of(access.clocks_written.begin(), access.clocks_written.end(), [&](ClockId c) { return aim.has(c); });
}

// What every transition does besides its edges.
Access around_transitions(Accesses& accesses) { return accesses.of(Transition{}); }

// The variables that decide how those that it was asked about change.
class Dependencies {
 public:
  Dependencies(const System& system, Accesses& accesses)
      : system_(system),
        accesses_(accesses),
        around_(around_transitions(accesses)),
        writers_of_variable_(system.variables.size()),
        writers_of_clock_(system.clocks.size()),
        axioms_of_(system.variables.size()),
        enabling_added_(system.edges.size(), false),
        senders_(system.channels.size()),
        receivers_(system.channels.size()) {
    for (uint32_t i = 0; i < system.axioms.size(); ++i) axioms_of_[system.axioms[i].head.value].push_back(i);
    edges_.reserve(system.edges.size());
    for (size_t i = 0; i < system.edges.size(); ++i) {
      const Edge& edge = system.edges[i];
      edges_.push_back(accesses.of(edge));
      for (const VarId v : edges_.back().writes) writers_of_variable_[v.value].push_back(EdgeId(i));
      for (const ClockId c : edges_.back().clocks_written) writers_of_clock_[c.value].push_back(EdgeId(i));
      if (edge.direction == Direction::Send) senders_[edge.channel.value].push_back(EdgeId(i));
      if (edge.direction == Direction::Receive) receivers_[edge.channel.value].push_back(EdgeId(i));
    }
  }

  void add_what_decides(VarId v, Marks& marks) {
    const bool location = system_.variable(v).kind == VarKind::Location;
    for (const EdgeId e : writers_of_variable_[v.value]) {
      add_firing(e, marks);
      if (!location) marks.add_reads(edges_[e.value]);
    }
    for (const uint32_t i : axioms_of_[v.value]) marks.add_reads(accesses_.of(system_.axioms[i]));
    if (contains(around_.writes, v)) add_around(marks);
  }
  void add_what_decides(ClockId c, Marks& marks) {
    for (const EdgeId e : writers_of_clock_[c.value]) {
      add_firing(e, marks);
      marks.add_reads(edges_[e.value]);
    }
    if (std::binary_search(around_.clocks_written.begin(), around_.clocks_written.end(), c)) add_around(marks);
  }

 private:
  // What decides whether an edge fires.
  void add_firing(EdgeId id, Marks& marks) {
    add_enabling(id, marks);
    const Edge& edge = system_.edge(id);
    if (edge.direction == Direction::Receive) add_partners(edge, senders_[edge.channel.value], marks);
    if (edge.direction == Direction::Send && !system_.channel(edge.channel).broadcast) {
      add_partners(edge, receivers_[edge.channel.value], marks);
    }
  }

  // The same without those it synchronises with.
  void add_enabling(EdgeId id, Marks& marks) {
    if (enabling_added_[id.value]) return;
    enabling_added_[id.value] = true;
    const Edge& edge = system_.edge(id);
    const Process& process = system_.process(edge.process);
    marks.add(process.location);
    for (const ExprId guard : edge.guard) marks.add_reads(accesses_.of(guard));
    for (const ClockConstraint& guard : edge.clock_guard) marks.add_reads(accesses_.of(guard));
    const Location& target = process.locations[edge.target];
    if (!target.invariant.empty() || !target.clock_invariant.empty()) marks.add_reads(accesses_.of(target));
  }

  // Takes those out of the list that need not be looked at again.
  void add_partners(const Edge& edge, std::vector<EdgeId>& partners, Marks& marks) {
    std::erase_if(partners, [&](EdgeId id) {
      if (system_.edge(id).process == edge.process) return false;
      add_enabling(id, marks);
      return true;
    });
  }

  void add_around(Marks& marks) {
    marks.add_reads(around_);
    add_locations(system_, marks);
  }

  const System& system_;
  Accesses& accesses_;
  Access around_;
  std::vector<Access> edges_;
  std::vector<std::vector<EdgeId>> writers_of_variable_;
  std::vector<std::vector<EdgeId>> writers_of_clock_;
  std::vector<std::vector<uint32_t>> axioms_of_;  // by variable
  std::vector<bool> enabling_added_;
  std::vector<std::vector<EdgeId>> senders_;  // by channel
  std::vector<std::vector<EdgeId>> receivers_;
};

}  // namespace

Participation participation(const System& system, const Property& property, const Watch& watch) {
  Accesses accesses(system, watch);
  const Marks aim = aim_of(system, property, accesses);
  const bool everybody = writes_into(system, around_transitions(accesses), aim);
  Participation out;
  for (size_t p = 0; p < system.processes.size(); ++p) {
    if (ProcessId(p) == system.claim) continue;
    ++out.all;
    const Process& process = system.processes[p];
    const bool writes = std::any_of(process.edges.begin(), process.edges.end(), [&](EdgeId id) {
      const Edge& edge = system.edge(id);
      if (everybody) return true;
      if (edge.effect.empty() && system.axioms.empty()) return false;
      const Access access = accesses.of(edge);
      return writes_into(system, access, aim) && !starts_another(system, edge, access);
    });
    if (aim.has(process.location) || writes) out.processes.push_back(ProcessId(p));
  }
  return out;
}

std::vector<Layer> dependency_layers(const System& system, const Property& property, const Watch& watch) {
  Accesses accesses(system, watch);
  Marks marks = aim_of(system, property, accesses);
  Dependencies dependencies(system, accesses);
  std::vector<Layer> out;
  for (Layer layer = marks.take_added(); !layer.empty(); layer = marks.take_added()) {
    for (const VarId v : layer.variables) {
      watch.poll();
      dependencies.add_what_decides(v, marks);
    }
    for (const ClockId c : layer.clocks) dependencies.add_what_decides(c, marks);
    out.push_back(std::move(layer));
  }
  return out;
}

}  // namespace harrier::model
