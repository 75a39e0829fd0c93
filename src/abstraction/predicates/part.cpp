#include "abstraction/predicates/part.h"

#include <algorithm>
#include <map>

#include "model/ranges.h"

namespace harrier::abstraction {

using model::Direction;
using model::Edge;
using model::EdgeId;
using model::Op;

namespace {

constexpr size_t kMostCombinations = 256;  // of the receivers of a broadcast

}  // namespace

Workbench::Workbench(const model::System& s, const std::vector<model::Clause>& g, const Watch& w)
    : system(s),
      goal(g),
      watch(w),
      accesses(s, w),
      values(model::reachable_values(s, w)),
      senders(s.channels.size()),
      receivers(s.channels.size()) {
  for (uint32_t e = 0; e < s.edges.size(); ++e) {
    const Edge& edge = s.edges[e];
    if (edge.direction == Direction::Send) senders[edge.channel.value].emplace_back(e);
    if (edge.direction == Direction::Receive) receivers[edge.channel.value].emplace_back(e);
  }
}

bool Part::is_trivial() const {
  return std::any_of(aims.begin(), aims.end(), [](const Aim& aim) {
    return aim.conditions.empty() && std::none_of(aim.clock_conditions.begin(), aim.clock_conditions.end(),
                                                  [](const ClockCondition& c) { return c.atom.has_value(); });
  });
}

std::string Part::name(const model::System& system) const {
  std::string out;
  for (const Process& p : processes) out += (out.empty() ? "" : ", ") + system.processes[p.number].name;
  return out;
}

namespace {

class Builder {
 public:
  Builder(Workbench& bench, std::span<const uint32_t> processes, const std::function<bool()>& over)
      : bench_(bench),
        system_(bench.system),
        over_(over),
        inside_(system_.processes.size(), false),
        symbolic_(system_, bench.terms, bench.accesses, part_.opaque, bench.values) {
    for (const uint32_t p : processes) inside_[p] = true;
    part_.whole = processes.size() == system_.processes.size();
    find_opaque();
    for (const uint32_t p : processes) add_process(p);
  }

  Part build() {
    add_aims();
    if (!part_.is_trivial()) add_steps();
    return std::move(part_);
  }

 private:
  Terms& terms() { return bench_.terms; }

  // An internal edge outside that puts a process of the part into a location.
  bool starts_inside(const Edge& edge, const model::Access& access) const {
    return edge.direction == Direction::Internal &&
           std::any_of(access.writes.begin(), access.writes.end(), [&](model::VarId v) {
             return locates_[v.value] != UINT32_MAX && inside_[locates_[v.value]] &&
                    locates_[v.value] != edge.process.value;
           });
  }

  void find_opaque() {
    part_.opaque.assign(system_.variables.size(), false);
    part_.opaque_clocks.assign(system_.clocks.size(), false);
    locates_.assign(system_.variables.size(), UINT32_MAX);
    if (system_.control.valid()) part_.opaque[system_.control.value] = true;
    for (uint32_t p = 0; p < inside_.size(); ++p) {
      locates_[system_.processes[p].location.value] = p;
      if (!inside_[p]) part_.opaque[system_.processes[p].location.value] = true;
    }
    if (part_.whole) return;
    const auto give_away = [&](const model::Access& access) {
      for (const model::VarId v : access.writes) part_.opaque[v.value] = true;
      for (const model::ClockId c : access.clocks_written) part_.opaque_clocks[c.value] = true;
    };
    for (uint32_t e = 0; e < system_.edges.size(); ++e) {
      bench_.watch.poll();
      const Edge& edge = system_.edges[e];
      if (inside_[edge.process.value]) continue;
      model::Access access;
      for (const model::StmtId s : edge.effect) {
        const model::Access more = bench_.accesses.of(s);
        access.writes.insert(access.writes.end(), more.writes.begin(), more.writes.end());
        access.clocks_written.insert(access.clocks_written.end(), more.clocks_written.begin(),
                                     more.clocks_written.end());
      }
      if (starts_inside(edge, access)) {
        starters_.emplace_back(e);
      } else {
        give_away(access);
      }
    }
    for (const auto* updates : {&system_.before_update, &system_.after_update}) {
      for (const model::StmtId s : *updates) give_away(bench_.accesses.of(s));
    }
  }

  // In the state that the symbolic execution is in. None if it is about something opaque.
  std::optional<Part::ClockCondition> clock_condition(const model::ClockConstraint& c) {
    if (part_.opaque_clocks[c.left.value] || part_.opaque_clocks[c.right.value]) {
      ++part_.removed_conditions;
      return std::nullopt;
    }
    Part::ClockCondition out;
    out.condition = c.condition.valid() ? symbolic_.value(c.condition) : 1;
    out.left = c.left.value;
    out.right = c.right.value;
    out.strict = c.strict;
    out.bound = symbolic_.value(c.bound);
    if (terms().is_true(out.condition)) {
      const int64_t largest =
          terms().is_constant(out.bound) ? terms()[out.bound].value : model::range_of(system_, c.bound).hi;
      if (std::abs(largest) <= zone::kLargestConstant) {
        out.atom = ClockAtom{out.left, out.right, zone::make_bound(static_cast<int32_t>(largest), c.strict)};
      }
    }
    return out;
  }
  void clock_conditions(const std::vector<model::ClockConstraint>& constraints,
                        std::vector<Part::ClockCondition>& out) {
    for (const auto& c : constraints) {
      if (auto condition = clock_condition(c); condition && !terms().is_false(condition->condition)) {
        out.push_back(*condition);
      }
    }
  }
  void require(TermId condition, std::vector<TermId>& out) {
    if (terms().has_unknown(condition)) ++part_.removed_conditions;
    terms().conjuncts(terms().weaken(condition), out);
  }

  void add_process(uint32_t p) {
    const model::Process& process = system_.processes[p];
    Part::Process out{p, process.location.value, !part_.opaque[process.location.value], {}};
    for (const model::Location& location : process.locations) {
      Part::Location& own = out.locations.emplace_back();
      own.kind = location.kind;
      symbolic_.start();
      clock_conditions(location.clock_invariant, own.invariant);
    }
    part_.processes.push_back(std::move(out));
  }

  void add_aims() {
    for (const model::Clause& clause : bench_.goal) {
      Part::Aim& aim = part_.aims.emplace_back();
      symbolic_.start();
      for (const model::ExprId e : clause.conditions) require(symbolic_.value(e), aim.conditions);
      clock_conditions(clause.clocks, aim.clock_conditions);
      const bool never =
          std::any_of(aim.conditions.begin(), aim.conditions.end(), [&](TermId t) { return terms().is_false(t); });
      if (never) part_.aims.pop_back();
    }
  }

  void add_steps() {
    for (const Part::Process& p : part_.processes) {
      for (const EdgeId id : system_.processes[p.number].edges) {
        if (over_()) return stop();  // it stays over
        const Edge& edge = system_.edge(id);
        if (edge.direction == Direction::Internal) {
          add({id}, false);
        } else if (system_.channel(edge.channel).broadcast) {
          if (edge.direction == Direction::Send) send_broadcast(id);
        } else {
          synchronise(id);
        }
      }
    }
    receive_broadcasts();
    for (const EdgeId id : starters_) add({id}, true);
    if (over_()) stop();
  }
  // Nothing is known: no state is farther from the goal than any other.
  void stop() {
    part_.steps.clear();
    part_.aims.assign(1, {});
  }

  bool inside(EdgeId id) const { return inside_[system_.edge(id).process.value]; }

  void synchronise(EdgeId id) {
    const Edge& edge = system_.edge(id);
    const bool sends = edge.direction == Direction::Send;
    bool outside = false;
    for (const EdgeId other : (sends ? bench_.receivers : bench_.senders)[edge.channel.value]) {
      if (system_.edge(other).process == edge.process) continue;
      if (!inside(other)) {
        outside = true;
      } else if (sends) {
        if (over_()) return;
        add({id, other}, false);
      }
    }
    if (!outside) return;
    ++part_.removed_synchronisations;
    add({id}, true);
  }

  // Receivers of a channel in the part, by process, in order. Without the sender's own.
  std::vector<std::vector<EdgeId>> receivers(model::ChannelId channel, model::ProcessId sender, bool& outside) const {
    std::map<uint32_t, std::vector<EdgeId>> by_process;
    for (const EdgeId id : bench_.receivers[channel.value]) {
      const model::ProcessId process = system_.edge(id).process;
      if (process == sender) continue;
      if (inside(id)) {
        by_process[process.value].push_back(id);
      } else {
        outside = true;
      }
    }
    std::vector<std::vector<EdgeId>> out;
    for (auto& [process, edges] : by_process) out.push_back(std::move(edges));
    return out;
  }

  void send_broadcast(EdgeId sender) {
    const Edge& edge = system_.edge(sender);
    bool outside = false;
    const auto groups = receivers(edge.channel, edge.process, outside);
    std::vector<EdgeId> edges{sender};
    combine(groups, edges, outside);
  }
  void receive_broadcasts() {
    for (uint32_t c = 0; c < system_.channels.size(); ++c) {
      if (!system_.channels[c].broadcast || over_()) continue;
      const auto& senders = bench_.senders[c];
      if (std::all_of(senders.begin(), senders.end(), [&](EdgeId id) { return inside(id); })) continue;
      bool outside = false;
      std::vector<EdgeId> edges;
      combine(receivers(model::ChannelId(c), {}, outside), edges, true);
    }
  }
  void combine(const std::vector<std::vector<EdgeId>>& groups, std::vector<EdgeId>& edges, bool open) {
    size_t combinations = 1;
    for (const auto& group : groups) combinations = std::min(kMostCombinations + 1, combinations * (group.size() + 1));
    if (combinations > kMostCombinations) return add(edges, true, groups);  // who takes part is not known
    extend(groups, 0, edges, open);
  }
  void extend(const std::vector<std::vector<EdgeId>>& groups, size_t next, std::vector<EdgeId>& edges, bool open) {
    if (next == groups.size()) {
      if (!edges.empty()) add(edges, open);
      return;
    }
    extend(groups, next + 1, edges, open);
    for (const EdgeId id : groups[next]) {
      edges.push_back(id);
      extend(groups, next + 1, edges, open);
      edges.pop_back();
    }
  }

  // The step of some edges; those of the groups may do something, too.
  void add(const std::vector<EdgeId>& edges, bool open, const std::vector<std::vector<EdgeId>>& groups = {}) {
    Part::Step step;
    step.edges = edges;
    step.open = open;
    symbolic_.start();
    for (const EdgeId id : edges) guard(system_.edge(id), step);
    if (part_.whole) symbolic_.execute(system_.before_update);
    const bool others = open || (!part_.whole && !system_.after_update.empty());
    for (const EdgeId id : edges) {
      symbolic_.execute(system_.edge(id).effect);
      if (others) forget_opaque();
    }
    std::vector<Symbolic::Reset> more;
    for (const auto& group : groups) disturb(group, more);
    if (part_.whole) symbolic_.execute(system_.after_update);
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      symbolic_.write(system_.process(edge.process).location.value,
                      terms().constant(static_cast<int32_t>(edge.target)));
    }
    for (const TermId condition : symbolic_.conditions()) require(condition, step.conditions);
    for (const EdgeId id : edges) {
      const Edge& edge = system_.edge(id);
      for (const model::ExprId e : system_.process(edge.process).locations[edge.target].invariant) {
        require(symbolic_.value(e), step.conditions);
      }
    }
    std::sort(step.conditions.begin(), step.conditions.end());
    step.conditions.erase(std::unique(step.conditions.begin(), step.conditions.end()), step.conditions.end());
    if (!step.conditions.empty() && terms().is_false(step.conditions.front())) return;
    for (const auto& [variable, term] : symbolic_.writes()) {
      if (!part_.opaque[variable]) step.writes.emplace_back(variable, term);
    }
    std::map<uint32_t, std::optional<TermId>> resets;
    for (const auto& reset : symbolic_.resets()) resets[reset.clock] = reset.value;
    for (const auto& reset : more) resets[reset.clock] = std::nullopt;
    for (const auto& [clock, value] : resets) {
      if (!part_.opaque_clocks[clock]) step.resets.push_back({clock, value});
    }
    part_.steps.push_back(std::move(step));
  }
  // What the step has written, but others may write after it, before anybody looks at it.
  void forget_opaque() {
    std::vector<uint32_t> written;
    for (const auto& [variable, term] : symbolic_.writes()) {
      if (part_.opaque[variable]) written.push_back(variable);
    }
    for (const uint32_t v : written) {
      symbolic_.write(v, terms().unknown(system_.variables[v].lo, system_.variables[v].hi));
    }
  }
  void guard(const Edge& edge, Part::Step& step) {
    const model::Process& process = system_.process(edge.process);
    const model::Location& source = process.locations[edge.source];
    if (source.kind == model::LocationKind::Committed) step.leaves_committed = true;
    const TermId location = symbolic_.read(process.location.value);
    terms().conjuncts(
        terms().weaken(terms().make(Op::Eq, location, terms().constant(static_cast<int32_t>(edge.source)))),
        step.conditions);
    for (const model::ExprId e : edge.guard) require(symbolic_.value(e), step.conditions);
    for (const model::ExprId e : source.invariant) require(symbolic_.value(e), step.conditions);
    clock_conditions(edge.clock_guard, step.clock_conditions);
  }
  void disturb(const std::vector<EdgeId>& group, std::vector<Symbolic::Reset>& resets) {
    for (const EdgeId id : group) {
      const model::Access access = bench_.accesses.of(system_.edge(id));
      for (const model::VarId v : access.writes) {
        symbolic_.write(v.value, terms().unknown(system_.variable(v).lo, system_.variable(v).hi));
      }
      for (const model::ClockId c : access.clocks_written) resets.push_back({c.value, std::nullopt});
    }
  }

  Workbench& bench_;
  const model::System& system_;
  const std::function<bool()>& over_;
  std::vector<bool> inside_;       // by process
  std::vector<uint32_t> locates_;  // by variable: the process whose location it is
  std::vector<EdgeId> starters_;
  Part part_;
  Symbolic symbolic_;
};

void add_predicate_of(const Part::ClockCondition& condition, PredicateSet& out) {
  if (!condition.atom) return;
  if (const auto predicate = predicate_of(*condition.atom)) out.add(*predicate);
}

}  // namespace

Part make_part(Workbench& bench, std::span<const uint32_t> processes, const std::function<bool()>& over) {
  return Builder(bench, processes, over).build();
}

void add_predicates_of(Workbench& bench, const Part& part, TermId condition, PredicateSet& out) {
  bench.terms.comparisons(condition, [&](TermId comparison) {
    const auto predicate = predicate_of(bench.terms, comparison);
    if (!predicate) return;
    // Locations are in every abstract state anyway.
    const auto& parts = predicate->parts;
    const bool located = parts.size() == 1 && std::any_of(part.processes.begin(), part.processes.end(),
                                                          [&](const auto& p) { return p.variable == parts[0].first; });
    if (!located) out.add(*predicate);
  });
}

void add_predicates_of_aims(Workbench& bench, const Part& part, PredicateSet& out) {
  for (const Part::Aim& aim : part.aims) {
    for (const TermId condition : aim.conditions) add_predicates_of(bench, part, condition, out);
    for (const auto& condition : aim.clock_conditions) add_predicate_of(condition, out);
  }
}

void add_predicates_of_syntax(Workbench& bench, const Part& part, PredicateSet& out) {
  add_predicates_of_aims(bench, part, out);
  Symbolic symbolic(bench.system, bench.terms, bench.accesses, part.opaque, bench.values);
  const auto add_conditions = [&](const std::vector<model::ExprId>& conditions) {
    for (const model::ExprId e : conditions) add_predicates_of(bench, part, symbolic.condition(e), out);
  };
  for (const Part::Process& p : part.processes) {
    const model::Process& process = bench.system.processes[p.number];
    for (const model::EdgeId id : process.edges) {
      bench.watch.poll();
      add_conditions(bench.system.edge(id).guard);
    }
    for (const model::Location& location : process.locations) add_conditions(location.invariant);
    for (const Part::Location& location : p.locations) {
      for (const auto& condition : location.invariant) add_predicate_of(condition, out);
    }
  }
  for (const Part::Step& step : part.steps) {
    for (const auto& condition : step.clock_conditions) add_predicate_of(condition, out);
  }
}

}  // namespace harrier::abstraction
