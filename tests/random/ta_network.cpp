#include "random/ta_network.h"

#include <algorithm>
#include <cstdlib>

#include "random/ta_evaluator.h"

namespace harrier::testing_support {

namespace {

class TaNetwork : public Network {
 public:
  explicit TaNetwork(const TaModel& model) : model_(model), evaluator_(model) {
    auto first_clock = static_cast<uint32_t>(1 + model.clocks.size());
    for (const TaInstance& instance : model.instances) {
      TaProcess p;
      p.instance = &instance;
      p.of = &model.templates[instance.of];
      p.first_clock = first_clock;
      first_clock += static_cast<uint32_t>(p.of->clocks.size());
      evaluator_.add_process(p);
      processes_.push_back(std::move(p));
    }
    for (uint32_t p = 0; p < processes_.size(); ++p) add_edges(p);
    uint32_t channel = 0;
    for (const TaChannel& c : model.channels) {
      channel_base_.push_back(channel);
      channel += static_cast<uint32_t>(std::max<size_t>(c.size, 1));
    }
    scan_constraints();
  }

  uint32_t processes() const override { return static_cast<uint32_t>(processes_.size()); }
  uint32_t clocks() const override {
    size_t n = model_.clocks.size();
    for (const TaProcess& p : processes_) n += p.of->clocks.size();
    return static_cast<uint32_t>(n);
  }
  int32_t largest_constant() const override { return largest_; }
  bool has_diagonals() const override { return diagonals_; }
  bool has_strict_bounds() const override { return strict_; }
  int32_t process_priority(uint32_t process) const override { return processes_[process].instance->priority; }
  NetValues initial_values() override { return evaluator_.initial(); }

  NetLocation location_kind(const NetValues& values, uint32_t process) override {
    switch (location(values, process).kind) {
      case TaLocationKind::Urgent: return NetLocation::Urgent;
      case TaLocationKind::Committed: return NetLocation::Committed;
      default: return NetLocation::Normal;
    }
  }

  std::vector<NetEdge> edges(const NetValues& values, uint32_t process) override {
    std::vector<NetEdge> out;
    const TaProcess& p = processes_[process];
    for (const uint32_t id : p.edges) {
      const ConcreteEdge& concrete = edges_[id];
      const TaEdge& e = *concrete.edge;
      if (static_cast<int32_t>(e.source) != values[p.location]) continue;
      NetValues copy = values;
      Context context = context_of(concrete, copy);
      NetEdge edge{.process = process, .id = id};
      if (!conditions(e.guard, context, edge.clocks)) continue;
      if (e.sync) {
        const TaChannel& channel = model_.channels[e.sync->channel];
        const int32_t index = e.sync->index ? value(*e.sync->index, context) : 0;
        if (index < 0 || index >= static_cast<int32_t>(std::max<size_t>(channel.size, 1))) {
          throw NetRuntimeError("channel index");
        }
        edge.direction = e.sync->send ? NetDirection::Send : NetDirection::Receive;
        edge.channel = channel_base_[e.sync->channel] + static_cast<uint32_t>(index);
        edge.broadcast = channel.broadcast;
        edge.urgent = channel.urgent;
        if (!model_.channel_priority.empty()) edge.channel_priority = model_.channel_priority[e.sync->channel];
      }
      out.push_back(std::move(edge));
    }
    return out;
  }

  bool apply(std::span<const uint32_t> ids, NetValues& values, std::vector<NetReset>& resets) override {
    try {
      for (const uint32_t id : ids) {
        const ConcreteEdge& concrete = edges_[id];
        const TaProcess& p = *concrete.process;
        Context context = context_of(concrete, values);
        context.resets = &resets;
        for (const TaUpdate& update : concrete.edge->updates) {
          if (update.clock) {
            evaluator_.reset(*update.clock, *update.expr, context);
          } else {
            value(*update.expr, context);
          }
        }
        values[p.location] = static_cast<int32_t>(concrete.edge->target);
      }
    } catch (const RangeViolation&) {
      return false;
    }
    return true;
  }

  bool invariant(const NetValues& values, std::vector<NetAtom>& clocks) override {
    NetValues copy = values;
    for (uint32_t p = 0; p < processes_.size(); ++p) {
      Context context(model_, &copy, &processes_[p]);
      if (!conditions(location(values, p).invariant, context, clocks)) return false;
    }
    return true;
  }

  size_t queries() const override { return model_.queries.size(); }

  std::vector<NetClause> goal(const NetValues& values, size_t query) override {
    std::vector<NetClause> out;
    try {
      for (const auto& atoms : model_.queries[query].clauses) {
        out.push_back(clause(atoms, values));
        const NetClause& last = out.back();
        if (last.holds && last.clocks.empty() && last.deadlock == NetDeadlock::Ignore) break;
      }
    } catch (const RangeViolation&) {
      throw NetQueryFailure();
    } catch (const NetRuntimeError&) {
      throw NetQueryFailure();
    }
    return out;
  }

 private:
  using Context = TaEvaluator::Context;

  // An edge of a process with its select variables fixed.
  struct ConcreteEdge {
    const TaProcess* process = nullptr;
    const TaEdge* edge = nullptr;
    std::vector<int32_t> selected;
  };

  Context context_of(const ConcreteEdge& concrete, NetValues& values) const {
    Context context(model_, &values, concrete.process);
    for (size_t i = 0; i < concrete.selected.size(); ++i) {
      context.slots[concrete.edge->selects[i]] = concrete.selected[i];
    }
    return context;
  }

  int32_t value(const TaExpr& e, Context& context) { return evaluator_.value(e, context); }

  void add_edges(uint32_t number) {
    TaProcess& p = processes_[number];
    for (const TaEdge& e : p.of->edges) {
      std::vector<int32_t> selected;
      for (const size_t slot : e.selects) selected.push_back(model_.slots[slot].lo);
      while (true) {
        p.edges.push_back(static_cast<uint32_t>(edges_.size()));
        edges_.push_back({&p, &e, selected});
        size_t i = selected.size();
        while (i > 0 && selected[i - 1] == model_.slots[e.selects[i - 1]].hi) {
          selected[i - 1] = model_.slots[e.selects[i - 1]].lo;
          --i;
        }
        if (i == 0) break;
        ++selected[i - 1];
      }
    }
  }

  const TaLocation& location(const NetValues& values, uint32_t process) const {
    const TaProcess& p = processes_[process];
    return p.of->locations[static_cast<size_t>(values[p.location])];
  }

  // ---- conditions ----
  NetClause clause(const std::vector<TaGoalAtom>& atoms, const NetValues& values) {
    NetClause out{.holds = true};
    NetValues copy = values;
    for (const TaGoalAtom& atom : atoms) {
      if (atom.kind == TaGoalAtom::Kind::Deadlock) {
        out.deadlock = atom.negated ? NetDeadlock::IsNot : NetDeadlock::Is;
      } else if (atom.condition.clock) {
        Context context(model_, &copy, &processes_[atom.instance]);
        all_hold({atom.condition}, context, out.clocks);
      } else if (!holds(atom, copy)) {
        return {};
      }
    }
    return out;
  }

  // What does not depend on clocks.
  bool holds(const TaGoalAtom& atom, NetValues& values) {
    const TaProcess& p = processes_[atom.instance];
    switch (atom.kind) {
      case TaGoalAtom::Kind::Location:
        return (values[p.location] == static_cast<int32_t>(atom.location)) != atom.negated;
      case TaGoalAtom::Kind::Condition: {
        Context context(model_, &values, &p);
        return (value(*atom.condition.expr, context) != 0) != atom.negated;
      }
      default: return of_processes(atom, values) != atom.negated;
    }
  }

  bool of_processes(const TaGoalAtom& atom, NetValues& values) {
    const bool all = atom.kind == TaGoalAtom::Kind::All;
    for (const TaProcess& p : processes_) {
      if (p.of != processes_[atom.instance].of) continue;
      Context context(model_, &values, &p);
      context.slots[atom.slot] = p.instance->arguments[0];
      if ((value(*atom.condition.expr, context) != 0) != all) return !all;
    }
    return all;
  }

  bool conditions(const std::vector<TaCondition>& all, Context& context, std::vector<NetAtom>& clocks) {
    try {
      return all_hold(all, context, clocks);
    } catch (const RangeViolation&) {
      return false;
    }
  }

  bool all_hold(const std::vector<TaCondition>& all, Context& context, std::vector<NetAtom>& clocks) {
    for (const TaCondition& c : all) {
      if (!c.clock) {
        if (value(*c.expr, context) == 0) return false;
        continue;
      }
      const TaClockAtom& a = *c.clock;
      if (a.condition && value(*a.condition, context) == 0) continue;
      const int32_t bound = value(*a.bound, context);
      const uint32_t left = evaluator_.clock(a.left, *context.process);
      const uint32_t right = a.right ? evaluator_.clock(*a.right, *context.process) : 0;
      const bool strict = a.op == TaOp::Lt || a.op == TaOp::Gt;
      if (a.op != TaOp::Gt && a.op != TaOp::Ge) clocks.push_back({left, right, strict, bound});
      if (a.op != TaOp::Lt && a.op != TaOp::Le) clocks.push_back({right, left, strict, -bound});
    }
    return true;
  }

  // ---- the largest constant ----
  // The largest absolute value that a bound can have, from the ranges of what it reads.
  std::pair<int64_t, int64_t> range(const TaExpr& e, const TaTemplate& of) const {
    switch (e.op) {
      case TaOp::Const: return {e.value, e.value};
      case TaOp::Slot: {
        const TaSlot& slot = model_.slots[static_cast<size_t>(e.value)];
        if (!slot.bounded) break;
        return {slot.lo, slot.hi};
      }
      case TaOp::Parameter: {
        const TaParameter& p = of.parameters[static_cast<size_t>(e.value)];
        return {p.lo, p.hi};
      }
      case TaOp::Variable: {
        if (e.place.scope == TaScope::Reference) {
          const TaParameter& p = of.parameters[e.place.index];
          return {p.lo, p.hi};
        }
        const bool global = e.place.scope == TaScope::Global;
        const TaVariable& v = global ? model_.variables[e.place.index] : of.variables[e.place.index];
        return {v.lo, v.hi};
      }
      case TaOp::Call: {
        const bool global = e.place.scope == TaScope::Global;
        const TaFunction& f = global ? model_.functions[e.place.index] : of.functions[e.place.index];
        if (!f.bounded) break;
        return {f.lo, f.hi};
      }
      case TaOp::Add:
      case TaOp::Sub: {
        const auto a = range(*e.args[0], of);
        const auto b = range(*e.args[1], of);
        if (e.op == TaOp::Add) return {a.first + b.first, a.second + b.second};
        return {a.first - b.second, a.second - b.first};
      }
      default: break;
    }
    throw NetRuntimeError("a clock bound outside of what the tester understands");
  }

  void scan(const TaExpr& bound, const TaTemplate& of) {
    const auto [lo, hi] = range(bound, of);
    largest_ = static_cast<int32_t>(std::max({static_cast<int64_t>(largest_), std::abs(lo), std::abs(hi)}));
  }

  void scan(const std::vector<TaCondition>& conditions, const TaTemplate& of) {
    for (const TaCondition& c : conditions) {
      if (!c.clock) continue;
      scan(*c.clock->bound, of);
      diagonals_ = diagonals_ || c.clock->right.has_value();
      strict_ = strict_ || c.clock->op == TaOp::Lt || c.clock->op == TaOp::Gt;
    }
  }

  void scan(const std::vector<TaStatement>& body, const TaTemplate& of) {
    for (const TaStatement& s : body) {
      if (s.kind == TaStatement::Kind::Reset) scan(*s.expr, of);
      scan(s.body, of);
      scan(s.otherwise, of);
    }
  }

  void scan_constraints() {
    for (const TaFunction& f : model_.functions) scan(f.body, {});
    for (const TaTemplate& of : model_.templates) {
      for (const TaFunction& f : of.functions) scan(f.body, of);
      for (const TaLocation& l : of.locations) scan(l.invariant, of);
      for (const TaEdge& e : of.edges) {
        scan(e.guard, of);
        for (const TaUpdate& u : e.updates) {
          if (u.clock) scan(*u.expr, of);
        }
      }
    }
    for (const TaQuery& query : model_.queries) {
      for (const auto& clause : query.clauses) {
        for (const TaGoalAtom& atom : clause) {
          scan({atom.condition}, *processes_[atom.instance].of);
        }
      }
    }
  }

  const TaModel& model_;
  TaEvaluator evaluator_;
  std::vector<uint32_t> channel_base_;
  std::vector<TaProcess> processes_;
  std::vector<ConcreteEdge> edges_;
  int32_t largest_ = 0;
  bool diagonals_ = false;
  bool strict_ = false;
};

}  // namespace

std::unique_ptr<Network> make_network(const TaModel& model) { return std::make_unique<TaNetwork>(model); }

}  // namespace harrier::testing_support
