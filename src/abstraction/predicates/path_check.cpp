#include "abstraction/predicates/path_check.h"

#include <algorithm>
#include <map>
#include <unordered_map>

namespace harrier::abstraction {

namespace {

class PathCheck {
 public:
  PathCheck(Workbench& bench, const Part& part, std::span<const uint32_t> steps, uint32_t clause)
      : bench_(bench), part_(part), steps_(steps), clause_(clause) {}

  bool is_feasible(Solver& solver, PredicateSet& predicates) {
    execute();
    std::vector<size_t> core;
    if (never_) {
      core = {*never_};
    } else {
      const auto conflict = are_differences() ? conflict_of_differences() : solver.conflict(constraints_, times());
      if (!conflict) return true;
      core = *conflict;
    }
    for (const size_t i : core) {
      if (!origins_[i].clock) explain(origins_[i], predicates);
    }
    explain_clocks(core, predicates);
    return false;
  }

 private:
  // Where a constraint comes from: what must hold before the step `position`, or at the goal.
  struct Origin {
    size_t position = 0;
    bool clock = false;
    TermId condition = 1;     // over the state at the position
    Part::ClockCondition on;  // of clocks
    bool entering = false;    // of an invariant: when its location is entered, before time passes
  };
  struct ClockValue {
    uint32_t since = 0;  // T_position - T_since + offset
    TermId offset = 0;
  };

  Terms& terms() { return bench_.terms; }

  TermId now(TermId term) {
    return terms().replace(term, [&](TermId leaf) {
      const Terms::Term t = terms()[leaf];
      if (t.kind == Terms::Kind::Variable) return state_.at(t.number);
      const auto [at, fresh] = unknowns_.try_emplace(leaf, 0);
      if (fresh) at->second = terms().unknown(t.value, t.highest);
      return at->second;
    });
  }

  void add(Solver::Constraint constraint, const Origin& origin) {
    if (constraint.timed) {
      if (terms().is_false(constraint.condition)) return;
    } else {
      if (terms().is_true(constraint.condition)) return;
      if (terms().is_false(constraint.condition) && !never_) never_ = constraints_.size();
    }
    constraints_.push_back(constraint);
    origins_.push_back(origin);
  }
  void require(size_t position, TermId condition) {
    Solver::Constraint constraint;
    constraint.condition = now(condition);
    add(constraint, {position, false, condition, {}, false});
  }
  // At the time of a step.
  void require(size_t position, const Part::ClockCondition& c, uint32_t time, bool entering) {
    Solver::Constraint constraint;
    constraint.timed = true;
    constraint.condition = now(c.condition);
    const auto value = [&](uint32_t clock) { return clock == 0 ? ClockValue{time, 0} : clocks_[clock]; };
    // x = T - T_since + offset, so that the difference of two does not depend on T.
    const ClockValue left = value(c.left);
    const ClockValue right = value(c.right);
    constraint.late = right.since;
    constraint.early = left.since;
    constraint.late_offset = left.offset;
    constraint.early_offset = right.offset;
    constraint.bound = now(c.bound);
    constraint.strict = c.strict;
    add(constraint, {position, true, c.condition, c, entering});
  }

  // The locations that are known at a position.
  const Part::Location* location(const Part::Process& process) {
    if (!process.located) return nullptr;
    const TermId at = state_.at(process.variable);
    return terms().is_constant(at) ? &process.locations[static_cast<size_t>(terms()[at].value)] : nullptr;
  }
  void require_invariants(size_t position, uint32_t time, bool entering) {
    for (const Part::Process& process : part_.processes) {
      const Part::Location* at = location(process);
      if (at == nullptr) continue;
      for (const auto& condition : at->invariant) require(position, condition, time, entering);
    }
  }
  // No time passes between the step before and the one at the position.
  void hold_time(size_t position) {
    const bool held = std::any_of(part_.processes.begin(), part_.processes.end(), [&](const Part::Process& process) {
      const Part::Location* at = location(process);
      return at != nullptr && at->holds_time();
    });
    held_.push_back(held);
    if (!held) return;
    Solver::Constraint constraint;
    constraint.timed = true;
    constraint.late = static_cast<uint32_t>(position) + 1;
    constraint.early = static_cast<uint32_t>(position);
    add(constraint, {position, true, 1, {}, false});
  }

  // T_0 is when everything starts, T_(i+1) the time of step i.
  void execute() {
    const std::vector<int32_t> initial = bench_.system.initial_values();
    for (uint32_t v = 0; v < initial.size(); ++v) state_.push_back(terms().constant(initial[v]));
    clocks_.resize(bench_.system.clocks.size());
    for (size_t i = 0;; ++i) {
      bench_.watch.poll();
      const auto enter = static_cast<uint32_t>(i);
      unknowns_.clear();
      require_invariants(i, enter, true);
      hold_time(i);
      require_invariants(i, enter + 1, false);
      if (i == steps_.size()) break;
      const Part::Step& step = part_.steps[steps_[i]];
      for (const TermId condition : step.conditions) require(i, condition);
      for (const auto& condition : step.clock_conditions) require(i, condition, enter + 1, false);
      std::vector<TermId> values;
      for (const auto& [variable, term] : step.writes) values.push_back(now(term));
      for (const auto& reset : step.resets) {
        clocks_[reset.clock] = {enter + 1, reset.value ? now(*reset.value) : terms().unknown(0)};
      }
      for (size_t w = 0; w < values.size(); ++w) state_[step.writes[w].first] = values[w];
    }
    const Part::Aim& aim = part_.aims[clause_];
    for (const TermId condition : aim.conditions) require(steps_.size(), condition);
    for (const auto& condition : aim.clock_conditions) {
      require(steps_.size(), condition, static_cast<uint32_t>(steps_.size()) + 1, false);
    }
  }
  size_t times() const { return steps_.size() + 2; }

  // Whether what is left are differences of times that are bounded by constants.
  bool are_differences() {
    const auto is_number = [&](TermId id) {
      return terms().is_constant(id) && std::abs(int64_t{terms()[id].value}) <= zone::kLargestConstant;
    };
    return std::all_of(constraints_.begin(), constraints_.end(), [&](const Solver::Constraint& c) {
      return c.timed && terms().is_true(c.condition) && is_number(c.late_offset) && is_number(c.early_offset) &&
             is_number(c.bound);
    });
  }
  // Then a conflict is a cycle of negative weight, where a strict bound weighs a little less than another one.
  std::optional<std::vector<size_t>> conflict_of_differences() {
    constexpr int64_t kUnit = 1 << 20;  // more than there are bounds in a cycle
    struct Arc {
      uint32_t from = 0;
      uint32_t to = 0;
      int64_t weight = 0;
      std::optional<size_t> constraint;
    };
    std::vector<Arc> arcs;
    for (uint32_t t = 1; t < times(); ++t) arcs.push_back({t, t - 1, 0, {}});
    for (size_t i = 0; i < constraints_.size(); ++i) {
      const Solver::Constraint& c = constraints_[i];
      const auto number = [&](TermId id) { return int64_t{terms()[id].value}; };
      const int64_t most = number(c.bound) - number(c.late_offset) + number(c.early_offset);
      arcs.push_back({c.early, c.late, most * kUnit - (c.strict ? 1 : 0), i});
    }
    std::vector<int64_t> distance(times(), 0);
    std::vector<size_t> last(times(), 0);  // arc
    std::optional<uint32_t> shortened;
    for (size_t round = 0; round <= times(); ++round) {
      bench_.watch.poll();
      shortened.reset();
      for (size_t a = 0; a < arcs.size(); ++a) {
        const int64_t sum = distance[arcs[a].from] + arcs[a].weight;
        if (sum >= distance[arcs[a].to]) continue;
        distance[arcs[a].to] = sum;
        last[arcs[a].to] = a;
        shortened = arcs[a].to;
      }
      if (!shortened) return std::nullopt;
    }
    uint32_t at = *shortened;
    for (size_t i = 0; i < times(); ++i) at = arcs[last[at]].from;  // into the cycle
    std::vector<size_t> core;
    const uint32_t start = at;
    do {
      const Arc& arc = arcs[last[at]];
      if (arc.constraint) core.push_back(*arc.constraint);
      at = arc.from;
    } while (at != start);
    std::sort(core.begin(), core.end());
    return core;
  }

  // The weakest preconditions of a condition, back to the beginning.
  void explain(const Origin& origin, PredicateSet& predicates) {
    TermId condition = origin.condition;
    for (size_t position = origin.position;; --position) {
      condition = terms().weaken(condition);
      if (terms().is_constant(condition)) return;
      add_predicates_of(bench_, part_, condition, predicates);
      if (position == 0) return;
      const Part::Step& step = part_.steps[steps_[position - 1]];
      condition = terms().replace(condition, [&](TermId leaf) {
        const Terms::Term t = terms()[leaf];
        const auto at = std::find_if(step.writes.begin(), step.writes.end(),
                                     [&](const auto& write) { return write.first == t.number; });
        return t.kind == Terms::Kind::Variable && at != step.writes.end() ? at->second : leaf;
      });
    }
  }

  // The same for the clocks of a core, all at once: zones.
  void explain_clocks(const std::vector<size_t>& core, PredicateSet& predicates) {
    std::map<uint32_t, uint32_t> local{{0, 0}};
    std::vector<uint32_t> global{0};
    for (const size_t i : core) {
      if (!origins_[i].clock || !origins_[i].on.atom) continue;
      // Where the bound depends on variables, or a condition does, these matter, too.
      explain(origins_[i], predicates);
      for (const uint32_t clock : {origins_[i].on.left, origins_[i].on.right}) {
        if (local.try_emplace(clock, static_cast<uint32_t>(global.size())).second) global.push_back(clock);
      }
    }
    const auto dim = static_cast<uint32_t>(global.size());
    if (dim == 1) return;
    std::vector<zone::Bound> zone(size_t{dim} * dim);
    zone::dbm::set_universal(zone.data(), dim);
    const auto constrain = [&](size_t position, bool entering) {
      return std::all_of(core.begin(), core.end(), [&](size_t i) {
        const Origin& origin = origins_[i];
        if (!origin.clock || !origin.on.atom || origin.position != position || origin.entering != entering) return true;
        const ClockAtom& atom = *origin.on.atom;
        return zone::dbm::constrain(zone.data(), dim, local.at(atom.left), local.at(atom.right), atom.bound);
      });
    };
    const auto collect = [&] {
      std::vector<std::pair<uint32_t, uint32_t>> minimal;
      zone::dbm::minimal_constraints(zone.data(), dim, minimal);
      for (const auto& [i, j] : minimal) {
        if (const auto p = predicate_of(ClockAtom{global[i], global[j], zone[i * dim + j]})) predicates.add(*p);
      }
    };
    for (size_t position = steps_.size();; --position) {
      if (!constrain(position, false)) return;
      collect();
      if (!held_[position]) zone::dbm::down(zone.data(), dim);
      if (!constrain(position, true)) return;
      collect();
      if (position == 0) return;
      const Part::Step& step = part_.steps[steps_[position - 1]];
      for (const auto& reset : step.resets) {
        const auto clock = local.find(reset.clock);
        if (clock == local.end() || !reset.value || !terms().is_constant(*reset.value)) continue;
        const int32_t value = std::clamp(terms()[*reset.value].value, 0, zone::kLargestConstant);
        if (!zone::dbm::constrain(zone.data(), dim, clock->second, 0, zone::bound_le(value)) ||
            !zone::dbm::constrain(zone.data(), dim, 0, clock->second, zone::bound_le(-value))) {
          return;
        }
      }
      for (const auto& reset : step.resets) {
        const auto clock = local.find(reset.clock);
        if (clock != local.end()) zone::dbm::forget(zone.data(), dim, clock->second);
      }
    }
  }

  Workbench& bench_;
  const Part& part_;
  std::span<const uint32_t> steps_;
  uint32_t clause_;
  std::vector<TermId> state_;
  std::unordered_map<TermId, TermId> unknowns_;  // of this step
  std::vector<ClockValue> clocks_;
  std::vector<Solver::Constraint> constraints_;
  std::vector<Origin> origins_;
  std::vector<bool> held_;  // by position
  std::optional<size_t> never_;
};

}  // namespace

bool is_feasible(Workbench& bench, Solver& solver, const Part& part, std::span<const uint32_t> steps, uint32_t clause,
                 PredicateSet& predicates) {
  return PathCheck(bench, part, steps, clause).is_feasible(solver, predicates);
}

}  // namespace harrier::abstraction
