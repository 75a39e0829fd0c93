#include "random/ta_network.h"

#include <algorithm>
#include <cstdlib>

namespace harrier::testing_support {

namespace {

struct RangeViolation {};

constexpr int kMaxLoop = 1000;

class TaNetwork : public Network {
 public:
  explicit TaNetwork(const TaModel& model) : model_(model) {
    for (const TaVariable& v : model.variables) add_variable(v, nullptr);
    for (const TaInstance& instance : model.instances) {
      const TaTemplate& of = model.templates[instance.of];
      Process p;
      p.instance = &instance;
      p.of = &of;
      p.location = static_cast<uint32_t>(initial_.size());
      initial_.push_back(static_cast<int32_t>(of.initial));
      lows_.push_back(0);
      highs_.push_back(static_cast<int32_t>(of.locations.size()) - 1);
      for (const TaVariable& v : of.variables) add_variable(v, &p);
      p.first_clock = static_cast<uint32_t>(1 + model.clocks.size());
      for (const Process& before : processes_) p.first_clock += static_cast<uint32_t>(before.of->clocks.size());
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
    for (const Process& p : processes_) n += p.of->clocks.size();
    return static_cast<uint32_t>(n);
  }
  int32_t largest_constant() const override { return largest_; }
  bool has_diagonals() const override { return diagonals_; }
  bool has_strict_bounds() const override { return strict_; }
  int32_t process_priority(uint32_t process) const override { return processes_[process].instance->priority; }
  NetValues initial_values() override { return initial_; }

  NetLocation location_kind(const NetValues& values, uint32_t process) override {
    switch (location(values, process).kind) {
      case TaLocationKind::Urgent: return NetLocation::Urgent;
      case TaLocationKind::Committed: return NetLocation::Committed;
      default: return NetLocation::Normal;
    }
  }

  std::vector<NetEdge> edges(const NetValues& values, uint32_t process) override {
    std::vector<NetEdge> out;
    const Process& p = processes_[process];
    for (const uint32_t id : p.edges) {
      const ConcreteEdge& concrete = edges_[id];
      const TaEdge& e = *concrete.edge;
      if (static_cast<int32_t>(e.source) != values[p.location]) continue;
      NetValues copy = values;
      Context context{&copy, &p, concrete.selected};
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
        const Process& p = *concrete.process;
        Context context{&values, &p, concrete.selected};
        for (const TaUpdate& update : concrete.edge->updates) {
          const int32_t v = value(*update.expr, context);
          if (!update.clock) continue;
          if (v < 0) throw NetRuntimeError("negative clock value");
          resets.push_back({clock(*update.clock, p), v});
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
      Context context{&copy, &processes_[p], {}};
      if (!conditions(location(values, p).invariant, context, clocks)) return false;
    }
    return true;
  }

  size_t queries() const override { return model_.queries.size(); }

  std::vector<NetClause> goal(const NetValues& values, size_t query) override {
    std::vector<NetClause> out;
    NetValues copy = values;
    for (const auto& atoms : model_.queries[query].clauses) {
      NetClause clause{.holds = true};
      for (const TaGoalAtom& atom : atoms) {
        const Process& p = processes_[atom.instance];
        Context context{&copy, &p, {}};
        switch (atom.kind) {
          case TaGoalAtom::Kind::Deadlock: clause.deadlock = atom.negated ? NetDeadlock::IsNot : NetDeadlock::Is; break;
          case TaGoalAtom::Kind::Location:
            if ((values[p.location] == static_cast<int32_t>(atom.location)) == atom.negated) clause.holds = false;
            break;
          case TaGoalAtom::Kind::Condition:
            if (conditions({atom.condition}, context, clause.clocks) == atom.negated) clause.holds = false;
            break;
        }
      }
      out.push_back(std::move(clause));
    }
    return out;
  }

 private:
  struct Process {
    const TaInstance* instance = nullptr;
    const TaTemplate* of = nullptr;
    uint32_t location = 0;
    std::vector<uint32_t> variables;  // first value of each local variable
    uint32_t first_clock = 0;
    std::vector<uint32_t> edges;
  };

  // An edge of a process with its select variables fixed.
  struct ConcreteEdge {
    const Process* process = nullptr;
    const TaEdge* edge = nullptr;
    std::vector<int32_t> selected;
  };

  struct Context {
    NetValues* values = nullptr;
    const Process* process = nullptr;
    std::vector<int32_t> slots;
    std::vector<TaSlot> slot_ranges;  // of a function's frame: assignments are checked against them
  };

  void add_variable(const TaVariable& v, Process* owner) {
    auto& bases = owner != nullptr ? owner->variables : global_base_;
    bases.push_back(static_cast<uint32_t>(initial_.size()));
    for (size_t i = 0; i < std::max<size_t>(v.size, 1); ++i) {
      initial_.push_back(v.initial[i]);
      lows_.push_back(v.lo);
      highs_.push_back(v.hi);
    }
  }

  void add_edges(uint32_t number) {
    Process& p = processes_[number];
    for (const TaEdge& e : p.of->edges) {
      std::vector<int32_t> selected;
      for (const TaSlot& s : e.selects) selected.push_back(s.lo);
      while (true) {
        p.edges.push_back(static_cast<uint32_t>(edges_.size()));
        edges_.push_back({&p, &e, selected});
        size_t i = selected.size();
        while (i > 0 && selected[i - 1] == e.selects[i - 1].hi) {
          selected[i - 1] = e.selects[i - 1].lo;
          --i;
        }
        if (i == 0) break;
        ++selected[i - 1];
      }
    }
  }

  const TaLocation& location(const NetValues& values, uint32_t process) const {
    const Process& p = processes_[process];
    return p.of->locations[static_cast<size_t>(values[p.location])];
  }

  uint32_t clock(const TaPlace& place, const Process& p) const {
    switch (place.scope) {
      case TaScope::Global: return static_cast<uint32_t>(1 + place.index);
      case TaScope::Local: return p.first_clock + static_cast<uint32_t>(place.index);
      case TaScope::Reference: return static_cast<uint32_t>(1 + p.instance->arguments[place.index]);
    }
    return 0;
  }

  // ---- conditions ----
  bool conditions(const std::vector<TaCondition>& all, Context& context, std::vector<NetAtom>& clocks) {
    try {
      for (const TaCondition& c : all) {
        if (!c.clock) {
          if (value(*c.expr, context) == 0) return false;
          continue;
        }
        const TaClockAtom& a = *c.clock;
        if (a.condition && value(*a.condition, context) == 0) continue;
        const int32_t bound = value(*a.bound, context);
        const uint32_t left = clock(a.left, *context.process);
        const uint32_t right = a.right ? clock(*a.right, *context.process) : 0;
        const bool strict = a.op == TaOp::Lt || a.op == TaOp::Gt;
        if (a.op != TaOp::Gt && a.op != TaOp::Ge) clocks.push_back({left, right, strict, bound});
        if (a.op != TaOp::Lt && a.op != TaOp::Le) clocks.push_back({right, left, strict, -bound});
      }
    } catch (const RangeViolation&) {
      return false;
    }
    return true;
  }

  // ---- expressions ----
  uint32_t address(const TaExpr& e, Context& context) {
    uint32_t base = 0;
    size_t size = 0;
    switch (e.place.scope) {
      case TaScope::Global:
        base = global_base_[e.place.index];
        size = model_.variables[e.place.index].size;
        break;
      case TaScope::Local:
        base = context.process->variables[e.place.index];
        size = context.process->of->variables[e.place.index].size;
        break;
      case TaScope::Reference:
        base = global_base_[static_cast<size_t>(context.process->instance->arguments[e.place.index])];
        break;
    }
    if (e.args.empty()) return base;
    const int32_t index = value(*e.args[0], context);
    if (index < 0 || index >= static_cast<int32_t>(size)) throw NetRuntimeError("array index");
    return base + static_cast<uint32_t>(index);
  }

  void store(const TaExpr& target, int32_t v, Context& context) {
    if (target.op == TaOp::Slot) {
      const size_t slot = static_cast<size_t>(target.value);
      const TaSlot& s = context.slot_ranges[slot];
      if (s.bounded && (v < s.lo || v > s.hi)) throw RangeViolation{};
      context.slots[slot] = v;
      return;
    }
    const uint32_t at = address(target, context);
    if (v < lows_[at] || v > highs_[at]) throw RangeViolation{};
    (*context.values)[at] = v;
  }

  static int32_t narrow(int64_t v) {
    if (v < INT32_MIN || v > INT32_MAX) throw NetRuntimeError("overflow");
    return static_cast<int32_t>(v);
  }

  int32_t value(const TaExpr& e, Context& context) {
    const auto arg = [&](size_t i) { return value(*e.args[i], context); };
    switch (e.op) {
      case TaOp::Const: return e.value;
      case TaOp::Variable: return (*context.values)[address(e, context)];
      case TaOp::Slot: return context.slots[static_cast<size_t>(e.value)];
      case TaOp::Parameter: return context.process->instance->arguments[static_cast<size_t>(e.value)];
      case TaOp::Call: return call(e, context);
      case TaOp::Neg: return narrow(-static_cast<int64_t>(arg(0)));
      case TaOp::Not: return arg(0) == 0;
      case TaOp::And: return arg(0) != 0 && arg(1) != 0;
      case TaOp::Or: return arg(0) != 0 || arg(1) != 0;
      case TaOp::Imply: return arg(0) == 0 || arg(1) != 0;
      case TaOp::Ite: return arg(0) != 0 ? arg(1) : arg(2);
      case TaOp::Forall:
      case TaOp::Exists:
      case TaOp::Sum: return quantified(e, context);
      case TaOp::Assign:
      case TaOp::AddAssign:
      case TaOp::SubAssign: {
        const int64_t right = arg(1);
        const int64_t left = e.op == TaOp::Assign ? 0 : arg(0);
        const int32_t v = narrow(e.op == TaOp::SubAssign ? left - right : left + right);
        store(*e.args[0], v, context);
        return v;
      }
      case TaOp::PostIncrement:
      case TaOp::PreIncrement:
      case TaOp::PostDecrement:
      case TaOp::PreDecrement: {
        const bool up = e.op == TaOp::PostIncrement || e.op == TaOp::PreIncrement;
        const int32_t old = arg(0);
        const int32_t v = old + (up ? 1 : -1);
        store(*e.args[0], v, context);
        return e.op == TaOp::PostIncrement || e.op == TaOp::PostDecrement ? old : v;
      }
      default: return binary(e.op, arg(0), arg(1));
    }
  }

  static int32_t binary(TaOp op, int64_t a, int64_t b) {
    switch (op) {
      case TaOp::Mul: return narrow(a * b);
      case TaOp::Div:
      case TaOp::Mod:
        if (b == 0) throw NetRuntimeError("division by zero");
        return narrow(op == TaOp::Div ? a / b : a % b);
      case TaOp::Add: return narrow(a + b);
      case TaOp::Sub: return narrow(a - b);
      case TaOp::Shl:
      case TaOp::Shr:
        if (b < 0 || b > 31) throw NetRuntimeError("shift");
        return narrow(op == TaOp::Shl ? a * (int64_t{1} << b) : a >> b);
      case TaOp::Min: return static_cast<int32_t>(std::min(a, b));
      case TaOp::Max: return static_cast<int32_t>(std::max(a, b));
      case TaOp::Lt: return a < b;
      case TaOp::Le: return a <= b;
      case TaOp::Ge: return a >= b;
      case TaOp::Gt: return a > b;
      case TaOp::Eq: return a == b;
      case TaOp::Ne: return a != b;
      case TaOp::BitAnd: return static_cast<int32_t>(a & b);
      case TaOp::BitXor: return static_cast<int32_t>(a ^ b);
      case TaOp::BitOr: return static_cast<int32_t>(a | b);
      default: std::abort();
    }
  }

  int32_t quantified(const TaExpr& e, Context& context) {
    const size_t slot = static_cast<size_t>(e.value);
    if (context.slots.size() <= slot) context.slots.resize(slot + 1);
    int64_t sum = 0;
    for (int32_t v = e.lo; v <= e.hi; ++v) {
      context.slots[slot] = v;
      const int32_t body = value(*e.args[0], context);
      if (e.op == TaOp::Forall && body == 0) return 0;
      if (e.op == TaOp::Exists && body != 0) return 1;
      sum += body;
    }
    if (e.op == TaOp::Sum) return narrow(sum);
    return e.op == TaOp::Forall;
  }

  // ---- functions ----
  int32_t call(const TaExpr& e, Context& context) {
    const TaFunction& f = model_.functions[static_cast<size_t>(e.value)];
    Context frame{context.values, context.process, std::vector<int32_t>(f.slots), {}};
    frame.slot_ranges = f.parameters;
    frame.slot_ranges.insert(frame.slot_ranges.end(), f.locals.begin(), f.locals.end());
    frame.slot_ranges.resize(f.slots, TaSlot{.bounded = false});
    for (size_t i = 0; i < e.args.size(); ++i) {
      store(TaExpr{.op = TaOp::Slot, .value = static_cast<int32_t>(i)}, value(*e.args[i], context), frame);
    }
    // Initial values read parameters only; their quantifiers use the slots of the locals before those exist.
    std::vector<int32_t> initial;
    for (const TaExprPtr& e_initial : f.local_initial) initial.push_back(value(*e_initial, frame));
    for (size_t i = 0; i < initial.size(); ++i) {
      store(TaExpr{.op = TaOp::Slot, .value = static_cast<int32_t>(f.parameters.size() + i)}, initial[i], frame);
    }
    int32_t result = 0;
    run(f.body, frame, result);
    return result;
  }

  // True when a return statement was met.
  bool run(const std::vector<TaStatement>& body, Context& frame, int32_t& result) {
    for (const TaStatement& s : body) {
      switch (s.kind) {
        case TaStatement::Kind::Expression: value(*s.expr, frame); break;
        case TaStatement::Kind::Return: result = value(*s.expr, frame); return true;
        case TaStatement::Kind::If:
          if (run(value(*s.expr, frame) != 0 ? s.body : s.otherwise, frame, result)) return true;
          break;
        case TaStatement::Kind::While:
          for (int rounds = 0; value(*s.expr, frame) != 0; ++rounds) {
            if (rounds > kMaxLoop) throw NetRuntimeError("endless loop");
            if (run(s.body, frame, result)) return true;
          }
          break;
        case TaStatement::Kind::ForRange:
        case TaStatement::Kind::ForLoop: {
          int32_t& i = frame.slots[static_cast<size_t>(s.slot)];
          for (i = s.lo; i <= s.hi; ++i) {
            if (run(s.body, frame, result)) return true;
          }
          break;
        }
      }
    }
    return false;
  }

  // ---- the largest constant ----
  // The largest absolute value that a bound can have, from the ranges of what it reads.
  std::pair<int64_t, int64_t> range(const TaExpr& e, const TaTemplate& of, const std::vector<TaSlot>& slots) const {
    switch (e.op) {
      case TaOp::Const: return {e.value, e.value};
      case TaOp::Slot: return {slots[static_cast<size_t>(e.value)].lo, slots[static_cast<size_t>(e.value)].hi};
      case TaOp::Parameter: {
        const TaParameter& p = of.parameters[static_cast<size_t>(e.value)];
        return {p.lo, p.hi};
      }
      case TaOp::Variable: {
        if (e.place.scope == TaScope::Reference) {
          const TaParameter& p = of.parameters[e.place.index];
          return {p.lo, p.hi};
        }
        const TaVariable& v =
            e.place.scope == TaScope::Global ? model_.variables[e.place.index] : of.variables[e.place.index];
        return {v.lo, v.hi};
      }
      case TaOp::Add:
      case TaOp::Sub: {
        const auto a = range(*e.args[0], of, slots);
        const auto b = range(*e.args[1], of, slots);
        if (e.op == TaOp::Add) return {a.first + b.first, a.second + b.second};
        return {a.first - b.second, a.second - b.first};
      }
      default: throw NetRuntimeError("a clock bound outside of what the tester understands");
    }
  }

  void scan(const TaExpr& bound, const TaTemplate& of, const std::vector<TaSlot>& slots) {
    const auto [lo, hi] = range(bound, of, slots);
    largest_ = static_cast<int32_t>(std::max({static_cast<int64_t>(largest_), std::abs(lo), std::abs(hi)}));
  }

  void scan(const std::vector<TaCondition>& conditions, const TaTemplate& of, const std::vector<TaSlot>& slots) {
    for (const TaCondition& c : conditions) {
      if (!c.clock) continue;
      scan(*c.clock->bound, of, slots);
      diagonals_ = diagonals_ || c.clock->right.has_value();
      strict_ = strict_ || c.clock->op == TaOp::Lt || c.clock->op == TaOp::Gt;
    }
  }

  void scan_constraints() {
    for (const TaTemplate& of : model_.templates) {
      for (const TaLocation& l : of.locations) scan(l.invariant, of, {});
      for (const TaEdge& e : of.edges) {
        scan(e.guard, of, e.selects);
        for (const TaUpdate& u : e.updates) {
          if (u.clock) scan(*u.expr, of, e.selects);
        }
      }
    }
    for (const TaQuery& query : model_.queries) {
      for (const auto& clause : query.clauses) {
        for (const TaGoalAtom& atom : clause) {
          scan({atom.condition}, *processes_[atom.instance].of, {});
        }
      }
    }
  }

  const TaModel& model_;
  NetValues initial_;
  std::vector<int32_t> lows_;
  std::vector<int32_t> highs_;
  std::vector<uint32_t> global_base_;
  std::vector<uint32_t> channel_base_;
  std::vector<Process> processes_;
  std::vector<ConcreteEdge> edges_;
  int32_t largest_ = 0;
  bool diagonals_ = false;
  bool strict_ = false;
};

}  // namespace

std::unique_ptr<Network> make_network(const TaModel& model) { return std::make_unique<TaNetwork>(model); }

}  // namespace harrier::testing_support
