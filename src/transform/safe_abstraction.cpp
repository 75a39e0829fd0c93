// One variable at a time: find it, take it out, note how to put it back.
#include "transform/safe_abstraction.h"

#include <algorithm>
#include <deque>
#include <utility>

#include "model/analysis.h"
#include "model/interpreter.h"
#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::transform {

using namespace model;

namespace {

constexpr size_t kMostValues = 64;
// An edge that copies a safe variable becomes one edge a value. The reduced model may have this many edges for one of
// the original, and some more.
constexpr size_t kMostGrowth = 8;
constexpr size_t kGrowthToSpare = 1024;
constexpr uint32_t kUnreached = UINT32_MAX;

bool contains(const std::vector<VarId>& sorted, VarId v) { return std::binary_search(sorted.begin(), sorted.end(), v); }
bool touches(const Access& access, VarId v) { return contains(access.reads, v) || contains(access.writes, v); }

// Puts a constant in the place of a variable.
class Substitution {
 public:
  Substitution(System& system, VarId variable, int32_t value) : system_(system), variable_(variable), value_(value) {}

  ExprId of(ExprId id) {
    if (!id.valid()) return id;
    Expr e = system_.expr(id);
    if (e.op == Op::Var) return VarId(e.base) == variable_ ? system_.make_const(value_, e.at) : id;
    if (e.op == Op::Call) {
      std::vector<ExprId> arguments;
      bool changed = false;
      for (uint32_t i = 0; i < e.count; ++i) {
        const ExprId argument = system_.call_arguments(e)[i];
        arguments.push_back(of(argument));
        changed = changed || arguments.back() != argument;
      }
      if (!changed) return id;
      e.value = static_cast<int32_t>(system_.arguments.size());
      system_.arguments.insert(system_.arguments.end(), arguments.begin(), arguments.end());
      return system_.make(e);
    }
    const ExprId a = of(e.a);
    const ExprId b = of(e.b);
    const ExprId c = of(e.c);
    if (a == e.a && b == e.b && c == e.c) return id;
    if (model::is_unary(e.op)) return system_.make_unary(e.op, a, e.at);
    if (model::is_binary(e.op)) return system_.make_binary(e.op, a, b, e.at);
    if (e.op == Op::Ite) return system_.make_ite(a, b, c, e.at);
    e.a = a;
    e.b = b;
    e.c = c;
    return system_.make(e);
  }

  StmtId of(StmtId id) {
    if (!id.valid()) return id;
    Stmt s = system_.stmt(id);
    if (s.kind == StmtKind::Block) {
      std::vector<StmtId> statements;
      for (uint32_t i = 0; i < s.count; ++i) statements.push_back(of(system_.children[s.first + i]));
      return system_.make_block(statements, s.at);
    }
    s.expr = of(s.expr);
    s.offset = of(s.offset);
    s.a = of(s.a);
    s.b = of(s.b);
    return system_.make_stmt(s);
  }

  void in(std::vector<ClockConstraint>& constraints) {
    for (ClockConstraint& c : constraints) {
      c.condition = of(c.condition);
      c.bound = of(c.bound);
    }
  }

 private:
  System& system_;
  VarId variable_;
  int32_t value_;
};

}  // namespace

class SafeAbstraction::Builder {
 public:
  Builder(SafeAbstraction& out, const Watch& watch)
      : out_(out),
        system_(out.system),
        watch_(watch),
        accesses_(system_, watch),
        most_edges_(system_.edges.size() * kMostGrowth + kGrowthToSpare) {}

  void run() {
    if (system_.is_preemptive() || !system_.before_update.empty() || !system_.after_update.empty()) return;
    if (!system_.axioms.empty()) return;
    const auto& goal = out_.property.goal;
    if (std::any_of(goal.begin(), goal.end(),
                    [](const Clause& c) { return c.deadlock != model::DeadlockTest::Ignore; })) {
      return;
    }
    prepare();
    while (take_out_one()) {
    }
  }

 private:
  // A variable under examination: its values and how everything uses them.
  struct Candidate {
    VarId variable;
    std::vector<EdgeId> drivers;
    std::vector<EdgeId> users;
    std::vector<int32_t> values;                 // sorted
    std::vector<std::vector<Value>> edge_needs;  // by user: values with which it can fire
    Layer layer;

    Value number(int32_t value) const {
      return static_cast<Value>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
    }
  };

  // What does not change when variables go.
  void prepare() {
    watched_.assign(system_.variables.size(), false);
    owner_.assign(system_.variables.size(), nullptr);
    const auto watch = [&](const Access& access) {
      for (const VarId v : access.reads) watched_[v.value] = true;
      for (const VarId v : access.writes) watched_[v.value] = true;
    };
    for (const model::Function& f : system_.functions) watch(accesses_.of(f.body));
    for (const Expr& e : system_.exprs) {
      if (e.op != Op::Load && !(e.op == Op::Store && e.a.valid())) continue;
      for (uint32_t i = 0; i < e.count; ++i) watched_[e.base + i] = true;
    }
    for (Process& p : system_.processes) {
      owner_[p.location.value] = &p;
      for (const Location& l : p.locations) {
        watch(accesses_.of(l));
        if (l.kind == LocationKind::Committed) committed_ = true;
        if (l.kind != LocationKind::Normal || !l.invariant.empty() || !l.clock_invariant.empty()) {
          watched_[p.location.value] = true;
        }
      }
    }
    for (const Edge& e : system_.edges) edge_access_.push_back(accesses_.of(e));
  }

  const Process& process_of(const Edge& e) const { return system_.process(e.process); }
  const Location& source_of(const Edge& e) const { return process_of(e).locations[e.source]; }

  // The variable that an edge drives, if any.
  VarId driven_by(EdgeId id) const {
    const Edge& e = system_.edge(id);
    const Access& access = edge_access_[id.value];
    if (e.direction != Direction::Internal || !e.clock_guard.empty() || access.writes.size() != 1 ||
        !access.clocks_written.empty() || source_of(e).kind != LocationKind::Normal) {
      return {};
    }
    const VarId v = access.writes[0];
    const VarId location = process_of(e).location;
    if (v == location ? !e.effect.empty() : process_of(e).locations.size() != 1) return {};
    const bool alone =
        std::all_of(access.reads.begin(), access.reads.end(), [&](VarId r) { return r == v || r == location; });
    return alone ? v : VarId();
  }

  bool take_out_one() {
    std::vector<std::vector<EdgeId>> drivers(system_.variables.size());
    for (size_t i = 0; i < system_.edges.size(); ++i) {
      const VarId v = driven_by(EdgeId(i));
      if (v.valid() && !watched_[v.value]) drivers[v.value].push_back(EdgeId(i));
    }
    for (size_t v = 0; v < drivers.size(); ++v) {
      watch_.poll();
      if (drivers[v].empty()) continue;
      Candidate candidate;
      candidate.variable = VarId(v);
      candidate.drivers = std::move(drivers[v]);
      if (!uses_are_harmless(candidate) || !find_values(candidate) || !connect(candidate) || !find_needs(candidate)) {
        continue;
      }
      reduce(candidate);
      return true;
    }
    return false;
  }

  bool uses_are_harmless(Candidate& c) {
    const VarId v = c.variable;
    std::vector<std::vector<EdgeId>> by_channel(system_.channels.size());
    for (size_t i = 0; i < system_.edges.size(); ++i) {
      const Edge& e = system_.edges[i];
      if (e.direction != Direction::Internal) by_channel[e.channel.value].push_back(EdgeId(i));
      if (touches(edge_access_[i], v) && !std::binary_search(c.drivers.begin(), c.drivers.end(), EdgeId(i))) {
        c.users.push_back(EdgeId(i));
      }
    }
    for (const EdgeId id : c.users) {
      const Edge& e = system_.edge(id);
      if (source_of(e).kind == LocationKind::Committed) return false;
      for (const ExprId guard : e.guard) {
        const Access access = accesses_.of(guard);
        if (contains(access.writes, v)) return false;
        if (v == process_of(e).location && contains(access.reads, v)) return false;
      }
      for (const ClockConstraint& constraint : e.clock_guard) {
        if (contains(accesses_.of(constraint).writes, v)) return false;
      }
      const bool writes = contains(edge_access_[id.value].writes, v);
      for (const StmtId s : e.effect) {
        const Access access = accesses_.of(s);
        if (contains(access.writes, v) && !stored_constant(s, v)) return false;
        if (writes && v != process_of(e).location && contains(access.reads, v)) return false;
      }
      if (e.direction == Direction::Internal) continue;
      if (system_.channel(e.channel).broadcast || system_.channel(e.channel).urgent) return false;
      for (const EdgeId other : by_channel[e.channel.value]) {
        const Edge& o = system_.edge(other);
        if (o.direction == e.direction || o.process == e.process) continue;
        if (touches(edge_access_[other.value], v) || source_of(o).kind == LocationKind::Committed) return false;
      }
    }
    for (const Clause& clause : out_.property.goal) {
      const Access access = accesses_.of(clause);
      if (contains(access.writes, v)) return false;
      if (contains(access.reads, v) && (committed_ || any_can_fail(clause.conditions))) return false;
    }
    return true;
  }

  bool any_can_fail(const std::vector<ExprId>& conditions) const {
    return std::any_of(conditions.begin(), conditions.end(), [&](ExprId e) { return model::can_fail(system_, e); });
  }

  // What a statement `v := constant` stores; none for anything else.
  std::optional<int32_t> stored_constant(StmtId id, VarId v) const {
    const Stmt& s = system_.stmt(id);
    if (s.kind != StmtKind::Expr) return std::nullopt;
    const Expr& e = system_.expr(s.expr);
    if (e.op != Op::Store || e.a.valid() || VarId(e.base) != v) return std::nullopt;
    const auto value = system_.constant(e.b);
    const model::Variable& variable = system_.variable(v);
    return value && *value >= variable.lo && *value <= variable.hi ? value : std::nullopt;
  }

  std::optional<int32_t> written(const Edge& e, VarId v) const {
    if (process_of(e).location == v) return static_cast<int32_t>(e.target);
    std::optional<int32_t> out;
    for (const StmtId s : e.effect) {
      if (const auto value = stored_constant(s, v)) out = value;
    }
    return out;
  }

  // Where a driver takes the variable from a value: nothing if it cannot fire. Throws EvalFailure on run-time errors.
  std::optional<int32_t> driven_to(EdgeId driver, VarId v, int32_t from) const {
    const Edge& e = system_.edge(driver);
    const bool moves = process_of(e).location == v;
    if (moves && static_cast<int32_t>(e.source) != from) return std::nullopt;
    std::vector<int32_t> state = system_.initial_values();
    state[v.value] = from;
    model::Interpreter interpreter(system_);
    try {
      if (!interpreter.holds(e.guard, state)) return std::nullopt;
      std::vector<model::ClockReset> resets;
      interpreter.execute(e.effect, state, resets);
    } catch (const model::EvalFailure& failure) {
      if (failure.fault == Fault::RangeViolation) return std::nullopt;
      throw;
    }
    return moves ? static_cast<int32_t>(e.target) : state[v.value];
  }

  // All values that the variable can get, if they are few and no driver fails.
  bool find_values(Candidate& c) const {
    std::vector<int32_t> open{system_.variable(c.variable).initial};
    for (const EdgeId user : c.users) {
      if (const auto value = written(system_.edge(user), c.variable)) open.push_back(*value);
    }
    try {
      while (!open.empty()) {
        const int32_t value = open.back();
        open.pop_back();
        const auto place = std::lower_bound(c.values.begin(), c.values.end(), value);
        if (place != c.values.end() && *place == value) continue;
        if (c.values.size() == kMostValues) return false;
        c.values.insert(place, value);
        for (const EdgeId driver : c.drivers) {
          if (const auto next = driven_to(driver, c.variable, value)) open.push_back(*next);
        }
      }
    } catch (const model::EvalFailure&) {
      return false;
    }
    return c.values.size() > 1;
  }

  // Shortest ways between all values; false if some value cannot be reached from another.
  bool connect(Candidate& c) const {
    const uint32_t n = static_cast<uint32_t>(c.values.size());
    std::vector<std::vector<Move>> next(n);
    for (Value from = 0; from < n; ++from) {
      for (const EdgeId driver : c.drivers) {
        const auto to = driven_to(driver, c.variable, c.values[from]);
        if (to && *to != c.values[from]) next[from].push_back({driver, c.number(*to)});
      }
    }
    Layer& layer = c.layer;
    layer.size = n;
    layer.initial = c.number(system_.variable(c.variable).initial);
    layer.moves.resize(size_t{n} * n);
    layer.distance.assign(size_t{n} * n, kUnreached);
    for (Value from = 0; from < n; ++from) {
      Move* const moves = layer.moves.data() + size_t{from} * n;
      uint32_t* const distance = layer.distance.data() + size_t{from} * n;
      distance[from] = 0;
      std::deque<Value> open{from};
      while (!open.empty()) {
        const Value at = open.front();
        open.pop_front();
        for (const Move& move : next[at]) {
          if (distance[move.to] != kUnreached) continue;
          distance[move.to] = distance[at] + 1;
          moves[move.to] = at == from ? move : moves[at];
          open.push_back(move.to);
        }
      }
      if (std::any_of(distance, distance + n, [](uint32_t d) { return d == kUnreached; })) return false;
    }
    return true;
  }

  bool reads_only(ExprId condition, VarId v) {
    const Access access = accesses_.of(condition);
    return access.writes.empty() && access.reads.size() == 1 && access.reads[0] == v;
  }

  // The values with which all conditions on the variable alone hold.
  std::vector<Value> allowed(const Candidate& c, const std::vector<ExprId>& conditions) {
    std::vector<Value> out;
    std::vector<int32_t> state = system_.initial_values();
    model::Interpreter interpreter(system_);
    for (Value value = 0; value < c.values.size(); ++value) {
      state[c.variable.value] = c.values[value];
      const bool holds = std::all_of(conditions.begin(), conditions.end(), [&](ExprId condition) {
        if (!reads_only(condition, c.variable)) return true;
        try {
          return interpreter.value(condition, state) != 0;
        } catch (const model::EvalFailure& failure) {
          if (failure.fault == Fault::RangeViolation) return false;
          throw;
        }
      });
      if (holds) out.push_back(value);
    }
    return out;
  }

  // Whether the value makes a difference beyond allowing the edge or not.
  bool is_copied(const Edge& e, VarId v) {
    return std::any_of(e.effect.begin(), e.effect.end(),
                       [&](StmtId s) { return contains(accesses_.of(s).reads, v); }) ||
           is_mixed(e.guard, e.clock_guard, v);
  }

  bool is_mixed(const std::vector<ExprId>& conditions, const std::vector<ClockConstraint>& clocks, VarId v) {
    return std::any_of(conditions.begin(), conditions.end(),
                       [&](ExprId e) { return contains(accesses_.of(e).reads, v) && !reads_only(e, v); }) ||
           std::any_of(clocks.begin(), clocks.end(),
                       [&](const ClockConstraint& k) { return contains(accesses_.of(k).reads, v); });
  }

  bool find_needs(Candidate& c) {
    size_t edges = system_.edges.size();
    try {
      for (const EdgeId user : c.users) {
        const Edge& e = system_.edge(user);
        std::vector<Value> needed = allowed(c, e.guard);
        if (process_of(e).location == c.variable) {
          std::erase_if(needed, [&](Value value) { return c.values[value] != static_cast<int32_t>(e.source); });
        }
        if (is_copied(e, c.variable)) edges += c.values.size();
        c.edge_needs.push_back(std::move(needed));
      }
      for (const Clause& clause : out_.property.goal) allowed(c, clause.conditions);
    } catch (const model::EvalFailure&) {
      return false;
    }
    return edges <= most_edges_;
  }

  // Conditions with the variable replaced; without those that always hold. False if one never does.
  bool substitute(std::vector<ExprId>& conditions, Substitution& substitution) const {
    for (ExprId& condition : conditions) condition = substitution.of(condition);
    const auto is = [&](ExprId e, bool truth) {
      const auto value = system_.constant(e);
      return value && (*value != 0) == truth;
    };
    const bool possible = std::none_of(conditions.begin(), conditions.end(), [&](ExprId e) { return is(e, false); });
    std::erase_if(conditions, [&](ExprId e) { return is(e, true); });
    return possible;
  }

  void drop_conditions_on(std::vector<ExprId>& conditions, VarId v) {
    std::erase_if(conditions, [&](ExprId e) { return reads_only(e, v); });
  }

  void reduce(Candidate& c) {
    std::vector<Edge> old_edges = std::exchange(system_.edges, {});
    std::vector<Access> old_access = std::exchange(edge_access_, {});
    const auto keep = [&](Edge e, Access access, EdgeId before) {
      system_.edges.push_back(std::move(e));
      edge_access_.push_back(std::move(access));
      c.layer.edge_before.push_back(before);
      return static_cast<uint32_t>(system_.edges.size() - 1);
    };
    size_t user = 0;
    for (size_t i = 0; i < old_edges.size(); ++i) {
      if (std::binary_search(c.drivers.begin(), c.drivers.end(), EdgeId(i))) continue;
      if (user == c.users.size() || c.users[user] != EdgeId(i)) {
        keep(std::move(old_edges[i]), std::move(old_access[i]), EdgeId(i));
        continue;
      }
      for (auto& [edge, use] : without(c, old_edges[i], c.edge_needs[user])) {
        Access access = accesses_.of(edge);
        c.layer.edge_use.emplace(keep(std::move(edge), std::move(access), EdgeId(i)), std::move(use));
      }
      ++user;
    }
    reduce_goal(c);

    model::Variable& variable = system_.variables[c.variable.value];
    if (Process* const process = owner_[c.variable.value]) {
      process->locations = {process->locations[static_cast<size_t>(variable.initial)]};
      variable.initial = 0;
    }
    variable.lo = variable.hi = variable.initial;
    for (Process& p : system_.processes) p.edges.clear();
    for (size_t i = 0; i < system_.edges.size(); ++i) {
      system_.processes[system_.edges[i].process.value].edges.push_back(EdgeId(i));
    }
    watched_[c.variable.value] = true;
    out_.abstracted.push_back(variable.name);
    out_.layers_.push_back(std::move(c.layer));
  }

  // The edges that an edge becomes.
  std::vector<std::pair<Edge, Use>> without(const Candidate& c, const Edge& original, const std::vector<Value>& needs) {
    const VarId v = c.variable;
    Edge rest = original;
    Use use;
    if (const auto value = written(original, v)) use.written = c.number(*value);
    std::erase_if(rest.effect, [&](StmtId s) { return contains(accesses_.of(s).writes, v); });
    if (process_of(original).location == v) rest.source = rest.target = 0;
    std::vector<std::pair<Edge, Use>> out;
    // An edge that no value allows is gone, unless its guard can be a run-time error: those must not get lost.
    const bool keep_all = process_of(original).location != v && any_can_fail(original.guard);
    if (!is_copied(original, v) && !(keep_all && needs.empty())) {
      if (needs.empty()) return out;
      drop_conditions_on(rest.guard, v);
      if (needs.size() < c.values.size()) use.needed = needs;
      out.emplace_back(std::move(rest), std::move(use));
      return out;
    }
    for (Value value = 0; value < c.values.size(); ++value) {
      if (!keep_all && !std::binary_search(needs.begin(), needs.end(), value)) continue;
      Substitution substitution(system_, v, c.values[value]);
      Edge e = rest;
      if (!substitute(e.guard, substitution) && !keep_all) continue;
      substitution.in(e.clock_guard);
      for (StmtId& s : e.effect) {
        if (contains(accesses_.of(s).reads, v)) s = substitution.of(s);
      }
      use.needed = {value};
      out.emplace_back(std::move(e), use);
    }
    return out;
  }

  void reduce_goal(Candidate& c) {
    std::vector<Clause> goal;
    const auto add = [&](Clause clause, size_t before, std::vector<Value> needs) {
      goal.push_back(std::move(clause));
      c.layer.clause_before.push_back(before);
      c.layer.clause_needs.push_back(std::move(needs));
    };
    const auto& old_goal = out_.property.goal;
    for (size_t i = 0; i < old_goal.size(); ++i) {
      Clause clause = old_goal[i];
      if (!contains(accesses_.of(clause).reads, c.variable)) {
        add(std::move(clause), i, {});
        continue;
      }
      const std::vector<Value> needs = allowed(c, clause.conditions);
      if (is_mixed(clause.conditions, clause.clocks, c.variable)) {
        for (const Value value : needs) {
          Substitution substitution(system_, c.variable, c.values[value]);
          Clause with_value = clause;
          if (!substitute(with_value.conditions, substitution)) continue;
          substitution.in(with_value.clocks);
          add(std::move(with_value), i, {value});
        }
      } else if (!needs.empty()) {
        drop_conditions_on(clause.conditions, c.variable);
        add(std::move(clause), i, needs);
      }
    }
    if (goal.empty()) {
      Clause never;
      never.conditions = {system_.make_const(0)};
      add(std::move(never), 0, {});
    }
    out_.property.goal = std::move(goal);
  }

  SafeAbstraction& out_;
  System& system_;
  const Watch& watch_;
  model::Accesses accesses_;
  size_t most_edges_;
  bool committed_ = false;
  std::vector<bool> watched_;    // by variable: not to be taken out
  std::vector<Process*> owner_;  // by variable: the process whose location it is
  std::vector<Access> edge_access_;
};

SafeAbstraction::SafeAbstraction(const System& original, const model::Property& original_property, const Watch& watch)
    : system(original), property(original_property) {
  Builder(*this, watch).run();
}

model::Path SafeAbstraction::concrete(const model::Path& reduced) const {
  model::Path path = reduced;
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    model::Path longer;
    Value at = layer->initial;
    const auto distance = [&](Value to) { return layer->distance[size_t{at} * layer->size + to]; };
    const auto drive = [&](const std::vector<Value>& needed) {
      if (needed.empty()) return;
      const Value to =
          *std::min_element(needed.begin(), needed.end(), [&](Value a, Value b) { return distance(a) < distance(b); });
      while (at != to) {
        const Move& move = layer->moves[size_t{at} * layer->size + to];
        longer.steps.push_back({{move.driver}, {}});
        at = move.to;
      }
    };
    for (model::PathStep& step : path.steps) {
      for (EdgeId& edge : step.edges) {
        if (const auto use = layer->edge_use.find(edge.value); use != layer->edge_use.end()) {
          drive(use->second.needed);
          if (use->second.written) at = *use->second.written;
        }
        edge = layer->edge_before[edge.value];
      }
      longer.steps.push_back(std::move(step));
    }
    drive(layer->clause_needs[path.goal_clause]);
    longer.goal_clause = layer->clause_before[path.goal_clause];
    longer.goal_extra = std::move(path.goal_extra);
    path = std::move(longer);
  }
  return path;
}

}  // namespace harrier::transform
