// Read and write sets by one walk over the nodes; functions are walked once and put together along their calls.
#include "model/analysis.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::model {

namespace {

template <class T>
void normalise(std::vector<T>& set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
}

template <class T>
void append(std::vector<T>& to, const std::vector<T>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

void normalise(Access& access) {
  normalise(access.reads);
  normalise(access.writes);
  normalise(access.clocks_read);
  normalise(access.clocks_written);
}

void append(Access& to, const Access& from) {
  append(to.reads, from.reads);
  append(to.writes, from.writes);
  append(to.clocks_read, from.clocks_read);
  append(to.clocks_written, from.clocks_written);
}

}  // namespace

// Walks nodes and notes accesses and calls; does not look into functions.
class Accesses::Collector {
 public:
  explicit Collector(const System& system) : system_(system) {}

  void expr(ExprId id) {
    if (!id.valid()) return;
    const Expr& e = system_.expr(id);
    switch (kind_of(e.op)) {
      case OpKind::Var: out.access.reads.push_back(VarId(e.base)); return;
      case OpKind::Load: block(e, out.access.reads); break;
      case OpKind::Store:
        if (e.a.valid()) {
          block(e, out.access.writes);
        } else {
          out.access.writes.push_back(VarId(e.base));
        }
        break;
      case OpKind::Call:
        out.calls.push_back(e.base);
        for (const ExprId argument : system_.call_arguments(e)) expr(argument);
        return;
      case OpKind::Const:
      case OpKind::Local:
      case OpKind::LoadLocal:
      case OpKind::Index:
      case OpKind::InRange:
      case OpKind::Unary:
      case OpKind::Arithmetic:
      case OpKind::Comparison:
      case OpKind::Connective:
      case OpKind::Ite:
      case OpKind::Quantifier:
      case OpKind::StoreLocal:
      case OpKind::Comma:
      case OpKind::Fail: break;
    }
    expr(e.a);
    expr(e.b);
    expr(e.c);
  }

  void stmt(StmtId id) {
    if (!id.valid()) return;
    const Stmt& s = system_.stmt(id);
    expr(s.expr);
    if (s.kind == StmtKind::Block) {
      for (const StmtId child : system_.block(s)) stmt(child);
    }
    if (s.kind == StmtKind::Reset) {
      const auto [first, count] = narrowed(s.offset, s.count);
      for (uint32_t i = 0; i < count; ++i) out.access.clocks_written.push_back(ClockId(s.clock.value + first + i));
      expr(s.offset);
    }
    stmt(s.a);
    stmt(s.b);
  }

  void constraint(const ClockConstraint& c) {
    expr(c.condition);
    expr(c.bound);
    for (const ClockId clock : {c.left, c.right}) {
      if (clock.value != 0) out.access.clocks_read.push_back(clock);
    }
  }

  void location(const Location& l) {
    for (const ExprId e : l.invariant) expr(e);
    for (const ClockConstraint& c : l.clock_invariant) constraint(c);
  }

  void edge(const Edge& e) {
    const VarId location = system_.process(e.process).location;
    out.access.reads.push_back(location);
    if (e.source != e.target) out.access.writes.push_back(location);
    for (const ExprId guard : e.guard) expr(guard);
    for (const ClockConstraint& c : e.clock_guard) constraint(c);
    for (const StmtId s : e.effect) stmt(s);
  }

  Direct out;

 private:
  // The part of a block of `count` elements that an index can reach: first and number.
  std::pair<uint32_t, uint32_t> narrowed(ExprId index, uint32_t count) const {
    if (!index.valid()) return {0, 1};
    const Interval range = range_of(system_, index);
    const int64_t lo = std::max<int64_t>(range.lo, 0);
    const int64_t hi = std::min<int64_t>(range.hi, int64_t{count} - 1);
    if (lo > hi) return {0, 0};
    return {static_cast<uint32_t>(lo), static_cast<uint32_t>(hi - lo + 1)};
  }

  void block(const Expr& e, std::vector<VarId>& set) const {
    const auto [first, count] = narrowed(e.a, e.count);
    for (uint32_t i = 0; i < count; ++i) set.push_back(VarId(e.base + first + i));
  }

  const System& system_;
};

const Accesses::Direct& Accesses::direct(uint32_t function) {
  auto& known = functions_[function];
  if (!known) {
    Collector collector(system_);
    collector.stmt(system_.functions[function].body);
    normalise(collector.out.access);
    normalise(collector.out.calls);
    known = std::move(collector.out);
  }
  return *known;
}

template <class Visit>
Access Accesses::collect(const Visit& visit) {
  watch_.poll();
  Collector collector(system_);
  visit(collector);
  Access access = std::move(collector.out.access);
  std::vector<bool> seen(system_.functions.size(), false);
  std::vector<uint32_t> open = std::move(collector.out.calls);
  while (!open.empty()) {
    const uint32_t function = open.back();
    open.pop_back();
    if (seen[function]) continue;
    seen[function] = true;
    append(access, direct(function).access);
    append(open, direct(function).calls);
  }
  normalise(access);
  return access;
}

Access Accesses::of(ExprId expr) {
  return collect([&](Collector& c) { c.expr(expr); });
}

Access Accesses::of(StmtId stmt) {
  return collect([&](Collector& c) { c.stmt(stmt); });
}

Access Accesses::of(const ClockConstraint& constraint) {
  return collect([&](Collector& c) { c.constraint(constraint); });
}

Access Accesses::of(const Location& location) {
  return collect([&](Collector& c) { c.location(location); });
}

Access Accesses::of(const Axiom& axiom) {
  return collect([&](Collector& c) {
    for (const ExprId condition : axiom.body) c.expr(condition);
    c.out.access.writes.push_back(axiom.head);
  });
}

Access Accesses::of(const Edge& edge) {
  Access access = collect([&](Collector& c) { c.edge(edge); });
  add_derived(access);
  return access;
}

Access Accesses::of(const Transition& transition) {
  Access access = collect([&](Collector& c) {
    for (const StmtId s : system_.before_update) c.stmt(s);
    for (const EdgeId id : transition.edges) c.edge(system_.edge(id));
    for (const EdgeId id : transition.optional) c.edge(system_.edge(id));
    for (const StmtId s : system_.after_update) c.stmt(s);
  });
  add_derived(access);
  return access;
}

void Accesses::add_derived(Access& access) {
  if (system_.axioms.empty() || access.writes.empty()) return;
  if (!derivations_) {
    derivations_.emplace();
    derivations_->heads.resize(system_.variables.size());
    derivations_->added.resize(system_.variables.size());
    for (const Axiom& axiom : system_.axioms) {
      for (const VarId v : of(axiom).reads) derivations_->heads[v.value].push_back(axiom.head);
    }
    for (std::vector<VarId>& heads : derivations_->heads) normalise(heads);
  }
  const uint64_t answer = ++answers_;
  for (size_t i = 0; i < access.writes.size(); ++i) {
    for (const VarId head : derivations_->heads[access.writes[i].value]) {
      if (std::exchange(derivations_->added[head.value], answer) != answer) access.writes.push_back(head);
    }
  }
  normalise(access.writes);
}

Access Accesses::of(const Clause& clause) {
  return collect([&](Collector& c) {
    for (const ExprId condition : clause.conditions) c.expr(condition);
    for (const ClockConstraint& constraint : clause.clocks) c.constraint(constraint);
  });
}

std::vector<Transition> flat_transitions(const System& system, const Watch& watch) {
  std::vector<std::vector<EdgeId>> receivers(system.channels.size());
  for (size_t i = 0; i < system.edges.size(); ++i) {
    const Edge& e = system.edges[i];
    if (e.direction == Direction::Receive) receivers[e.channel.value].push_back(EdgeId(i));
  }
  std::vector<Transition> out;
  for (size_t i = 0; i < system.edges.size(); ++i) {
    watch.poll();
    const Edge& e = system.edges[i];
    if (system.beginning == EdgeId(i)) continue;
    if (e.direction == Direction::Internal) out.push_back({{EdgeId(i)}, {}});
    if (e.direction != Direction::Send) continue;
    const bool broadcast = system.channel(e.channel).broadcast;
    Transition sent{{EdgeId(i)}, {}};
    for (const EdgeId receiver : receivers[e.channel.value]) {
      if (system.edge(receiver).process == e.process) continue;
      if (broadcast) {
        sent.optional.push_back(receiver);
      } else {
        out.push_back({{EdgeId(i), receiver}, {}});
      }
    }
    if (broadcast) out.push_back(std::move(sent));
  }
  return out;
}

std::vector<ProcessId> participants(const System& system, const Transition& transition) {
  std::vector<ProcessId> out;
  for (const EdgeId id : transition.edges) out.push_back(system.edge(id).process);
  for (const EdgeId id : transition.optional) out.push_back(system.edge(id).process);
  normalise(out);
  return out;
}

namespace {

bool arithmetic_can_fail(Op op, Interval a, Interval b) {
  const auto fits = [](int64_t lo, int64_t hi) { return lo >= INT32_MIN && hi <= INT32_MAX; };
  switch (static_cast<ArithmeticOp>(op)) {
    case ArithmeticOp::Add: return !fits(a.lo + b.lo, a.hi + b.hi);
    case ArithmeticOp::Sub: return !fits(a.lo - b.hi, a.hi - b.lo);
    case ArithmeticOp::Div:
    case ArithmeticOp::Mod: return b.contains(0) || b.contains(-1);
    case ArithmeticOp::Mul:
    case ArithmeticOp::Shl:
    case ArithmeticOp::Shr: return true;
    case ArithmeticOp::BitAnd:
    case ArithmeticOp::BitOr:
    case ArithmeticOp::BitXor:
    case ArithmeticOp::Min:
    case ArithmeticOp::Max: return false;
  }
  return true;
}

// What of an evaluation can fail, with range violations or without.
class Failures {
 public:
  Failures(const System& system, bool ranges) : system_(system), ranges_(ranges) {}

  bool in(ExprId id) const {
    if (!id.valid()) return false;
    const Expr& e = system_.expr(id);
    return in(e.a) || in(e.b) || in(e.c) || in_operator(e);
  }
  bool in(StmtId id) const {
    if (!id.valid()) return false;
    const Stmt& s = system_.stmt(id);
    switch (s.kind) {
      case StmtKind::Expr:
      case StmtKind::Return: return in(s.expr);
      case StmtKind::Block: return in_some(system_.block(s));
      case StmtKind::If: return in(s.expr) || in(s.a) || in(s.b);
      case StmtKind::While: return true;  // it may not end
      case StmtKind::Reset:
        return in(s.expr) || in(s.offset) || range_of(system_, s.expr).lo < 0 || leaves(s.offset, s.count);
      case StmtKind::Choose: return false;
      case StmtKind::Assume: return in(s.expr);
    }
    return true;
  }
  bool in(const ClockConstraint& c) const { return in(c.condition) || in(c.bound); }
  template <class List>
  bool in_some(const List& list) const {
    return std::any_of(list.begin(), list.end(), [&](const auto& item) { return in(item); });
  }

 private:
  // An index can be outside of an array; none is not.
  bool leaves(ExprId index, uint32_t count) const {
    if (!index.valid()) return false;
    const Interval range = range_of(system_, index);
    return range.lo < 0 || range.hi >= count;
  }
  // What is stored can be no value of the variable, or of one of those that it may be.
  bool leaves_domain(const Expr& store) const {
    const Interval value = range_of(system_, store.b);
    const auto first = system_.variables.begin() + store.base;
    return std::any_of(first, first + (store.a.valid() ? store.count : 1),
                       [&](const Variable& v) { return value.lo < v.lo || value.hi > v.hi; });
  }
  // Whether the operator itself can fail for operands that did not.
  bool in_operator(const Expr& e) const {
    const auto range = [&](ExprId id) { return range_of(system_, id); };
    switch (kind_of(e.op)) {
      case OpKind::Const:
      case OpKind::Var:
      case OpKind::Local:
      case OpKind::Comparison:
      case OpKind::Connective:
      case OpKind::Ite:
      case OpKind::Comma: return false;
      case OpKind::Quantifier: return e.op == Op::Sum;
      case OpKind::Load:
      case OpKind::LoadLocal:
      case OpKind::Index:
      case OpKind::StoreLocal: return leaves(e.a, e.count);
      case OpKind::InRange:
        return ranges_ && (range(e.a).lo < system_.expr(e.b).value || range(e.a).hi > system_.expr(e.c).value);
      case OpKind::Unary: return e.op == Op::Neg && range(e.a).lo == INT32_MIN;
      case OpKind::Arithmetic: return arithmetic_can_fail(e.op, range(e.a), range(e.b));
      case OpKind::Call: {
        const StmtId body = system_.functions[e.base].body;
        return in_some(system_.call_arguments(e)) || !body.valid() || in(body);
      }
      case OpKind::Store: return leaves(e.a, e.count) || (ranges_ && leaves_domain(e));
      case OpKind::Fail: return true;
    }
    return true;
  }

  const System& system_;
  bool ranges_;
};

}  // namespace

bool can_fail(const System& system, ExprId id) { return Failures(system, true).in(id); }

bool can_fail(const System& system, StmtId statement) { return Failures(system, true).in(statement); }

bool can_fail(const System& system, const Clause& clause) {
  const Failures failures(system, true);
  return failures.in_some(clause.conditions) || failures.in_some(clause.clocks);
}

namespace {

// Where a conjunction is evaluated from left to right, what comes later sees only the values that the conditions before
// it let through.
class Narrowing {
 public:
  explicit Narrowing(const System& system) : narrowed_(system), failures_(narrowed_, false) {}

  const Failures& failures() const { return failures_; }

  // Whether one of the conditions can fail, or of the constraints, which are looked at if these hold.
  bool can_fail(const std::vector<ExprId>& conditions, const std::vector<ClockConstraint>& constraints) {
    bool fails = false;
    for (const ExprId condition : conditions) fails = fails || fails_in(condition);
    fails = fails || failures_.in_some(constraints);
    for (auto at = changed_.rbegin(); at != changed_.rend(); ++at) narrowed_.variables[at->variable] = at->before;
    changed_.clear();
    return fails;
  }

 private:
  struct Change {
    uint32_t variable = 0;
    Variable before;
  };

  bool fails_in(ExprId id) {
    const Expr e = narrowed_.expr(id);
    if (e.op == Op::And) return fails_in(e.a) || fails_in(e.b);
    if (failures_.in(id)) return true;
    if (!is_comparison(e.op)) return false;
    if (const auto right = narrowed_.constant(e.b)) narrow(e.a, e.op, *right);
    if (const auto left = narrowed_.constant(e.a)) narrow(e.b, mirrored(e.op), *left);
    return false;
  }
  // To the values of a variable for which a comparison with a constant holds. Where there are none, nothing follows.
  void narrow(ExprId variable, Op comparison, int32_t constant) {
    const Expr& e = narrowed_.expr(variable);
    if (e.op != Op::Var) return;
    Variable& v = narrowed_.variables[e.base];
    int64_t lo = v.lo;
    int64_t hi = v.hi;
    switch (static_cast<ComparisonOp>(comparison)) {
      case ComparisonOp::Lt: hi = std::min<int64_t>(hi, int64_t{constant} - 1); break;
      case ComparisonOp::Le: hi = std::min<int64_t>(hi, constant); break;
      case ComparisonOp::Eq:
        lo = std::max<int64_t>(lo, constant);
        hi = std::min<int64_t>(hi, constant);
        break;
      case ComparisonOp::Ne:
        lo += lo == constant ? 1 : 0;
        hi -= hi == constant ? 1 : 0;
        break;
      case ComparisonOp::Ge: lo = std::max<int64_t>(lo, constant); break;
      case ComparisonOp::Gt: lo = std::max<int64_t>(lo, int64_t{constant} + 1); break;
    }
    if (lo > hi) return;
    changed_.push_back({e.base, v});
    v.lo = static_cast<int32_t>(lo);
    v.hi = static_cast<int32_t>(hi);
  }

  System narrowed_;
  Failures failures_;
  std::vector<Change> changed_;
};

}  // namespace

bool can_stop(const System& system, const Watch& watch) {
  Narrowing narrowing(system);
  for (const Process& p : system.processes) {
    for (const Location& l : p.locations) {
      watch.poll();
      if (narrowing.can_fail(l.invariant, l.clock_invariant)) return true;
    }
  }
  const Failures& failures = narrowing.failures();
  for (const Edge& e : system.edges) {
    watch.poll();
    if (narrowing.can_fail(e.guard, e.clock_guard) || failures.in_some(e.effect)) return true;
  }
  return failures.in_some(system.before_update) || failures.in_some(system.after_update);
}

std::vector<uint32_t> edge_ranks(const System& system) {
  using Between = std::tuple<std::string, uint32_t, uint32_t>;
  using Place = std::tuple<uint32_t, uint32_t, uint32_t>;  // in the text
  std::map<Between, std::set<Place>> places;
  const auto between = [&](const Edge& e) { return Between(system.process(e.process).type, e.source, e.target); };
  const auto place = [](const Edge& e) { return Place(e.at.context, e.at.line, e.at.column); };
  for (const Edge& e : system.edges) places[between(e)].insert(place(e));
  std::vector<uint32_t> out;
  for (const Edge& e : system.edges) {
    const std::set<Place>& all = places[between(e)];
    out.push_back(static_cast<uint32_t>(std::distance(all.begin(), all.find(place(e)))));
  }
  return out;
}

std::optional<ProcessId> process_located_by(const System& system, Accesses& accesses, ExprId condition) {
  const std::vector<VarId> reads = accesses.of(condition).reads;
  if (reads.size() != 1 || system.variable(reads[0]).kind != VarKind::Location) return std::nullopt;
  const auto at = std::find_if(system.processes.begin(), system.processes.end(),
                               [&](const Process& p) { return p.location == reads[0]; });
  return ProcessId(static_cast<size_t>(at - system.processes.begin()));
}

}  // namespace harrier::model
