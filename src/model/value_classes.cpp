#include "model/value_classes.h"

#include <numeric>
#include <string>
#include <unordered_map>

#include "model/operators.h"

namespace harrier::model {

namespace {

// "P(1).n" and "a[0][3]" without their numbers: "P().n", "a[][]".
std::string without_numbers(const std::string& name) {
  std::string out;
  for (const char c : name) {
    if (c < '0' || c > '9') out += c;
  }
  return out;
}

}  // namespace

// Walks over all expressions and statements. What a walk over an expression returns is a place that its value is of one
// kind with, or kComputed or kAny.
class ValueClasses::Collector {
 public:
  explicit Collector(ValueClasses& classes, uint32_t places)
      : classes_(classes), system_(classes.system_), parent_(places), computed_with_(places) {
    std::iota(parent_.begin(), parent_.end(), 0u);
  }

  uint32_t root(uint32_t place) {
    while (parent_[place] != place) place = parent_[place] = parent_[parent_[place]];
    return place;
  }
  bool is_computed_with(uint32_t place) { return computed_with_[root(place)]; }
  void join(uint32_t a, uint32_t b) {
    a = root(a);
    b = root(b);
    if (a == b) return;
    parent_[b] = a;
    computed_with_[a] = computed_with_[a] || computed_with_[b];
  }
  void compute_with(uint32_t kind) {
    if (kind < kAny) computed_with_[root(kind)] = true;
  }
  // A value of this kind comes to a place, or is compared with what is there.
  void meet(uint32_t place, uint32_t kind) {
    if (kind < kAny) {
      join(place, kind);
    } else if (kind == kComputed) {
      compute_with(place);
    }
  }
  void computed(ExprId id, uint32_t frame) {
    if (id.valid()) compute_with(walk(id, frame));
  }
  void index(ExprId id, uint32_t frame);
  uint32_t walk(ExprId id, uint32_t frame);
  void walk(StmtId id, uint32_t frame);
  void walk(const ClockConstraint& c) {
    computed(c.condition, classes_.outside());
    computed(c.bound, classes_.outside());
  }
  void walk(const std::vector<ExprId>& conditions, const std::vector<ClockConstraint>& clocks) {
    for (const ExprId e : conditions) computed(e, classes_.outside());
    for (const ClockConstraint& c : clocks) walk(c);
  }

 private:
  void join_block(uint32_t first, uint32_t count) {
    for (uint32_t i = 1; i < count; ++i) join(first, first + i);
  }
  uint32_t slot(uint32_t frame, uint32_t number) const { return classes_.first_slot_[frame] + number; }
  uint32_t either(uint32_t a, uint32_t b) {
    if (a < kAny) {
      meet(a, b);
      return a;
    }
    if (b < kAny) {
      meet(b, a);
      return b;
    }
    return a == kComputed || b == kComputed ? kComputed : kAny;
  }

  ValueClasses& classes_;
  const System& system_;
  std::vector<uint32_t> parent_;
  std::vector<bool> computed_with_;
};

// An index is a sum of names, multiplied by constants.
void ValueClasses::Collector::index(ExprId id, uint32_t frame) {
  if (!id.valid()) return;
  const Expr& e = system_.expr(id);
  if (e.op == Op::Index || e.op == Op::InRange) {
    index(e.a, frame);
  } else if (e.op == Op::Add || e.op == Op::Sub ||
             (e.op == Op::Mul && (system_.constant(e.a) || system_.constant(e.b)))) {
    index(e.a, frame);
    index(e.b, frame);
  } else {
    walk(id, frame);
  }
}

uint32_t ValueClasses::Collector::walk(ExprId id, uint32_t frame) {
  const Expr& e = system_.expr(id);
  switch (kind_of(e.op)) {
    case OpKind::Const: return kAny;
    case OpKind::Var: return e.base;
    case OpKind::Load:
      index(e.a, frame);
      join_block(e.base, e.count);
      return e.base;
    case OpKind::Local: return slot(frame, e.base);
    case OpKind::LoadLocal:
      index(e.a, frame);
      join_block(slot(frame, e.base), e.count);
      return slot(frame, e.base);
    case OpKind::Index:
    case OpKind::InRange: return walk(e.a, frame);
    case OpKind::Unary: computed(e.a, frame); return kComputed;
    case OpKind::Arithmetic:
    case OpKind::Connective:
      computed(e.a, frame);
      computed(e.b, frame);
      return kComputed;
    case OpKind::Comparison:
      if (e.op == Op::Eq || e.op == Op::Ne) {
        either(walk(e.a, frame), walk(e.b, frame));
      } else {
        computed(e.a, frame);
        computed(e.b, frame);
      }
      return kComputed;
    case OpKind::Ite: {
      computed(e.a, frame);
      const uint32_t then = walk(e.b, frame);
      return either(then, walk(e.c, frame));
    }
    case OpKind::Quantifier: computed(e.c, frame); return kComputed;
    case OpKind::Call: {
      const auto arguments = system_.call_arguments(e);
      for (uint32_t i = 0; i < arguments.size(); ++i) meet(slot(e.base, i), walk(arguments[i], frame));
      return classes_.first_result_ + e.base;
    }
    case OpKind::Store:
      index(e.a, frame);
      if (e.a.valid()) join_block(e.base, e.count);
      meet(e.base, walk(e.b, frame));
      return e.base;
    case OpKind::StoreLocal:
      index(e.a, frame);
      if (e.a.valid()) join_block(slot(frame, e.base), e.count);
      meet(slot(frame, e.base), walk(e.b, frame));
      return slot(frame, e.base);
    case OpKind::Comma: walk(e.a, frame); return walk(e.b, frame);
    case OpKind::Fail: return kComputed;
  }
  return kComputed;
}

void ValueClasses::Collector::walk(StmtId id, uint32_t frame) {
  if (!id.valid()) return;
  const Stmt& s = system_.stmt(id);
  switch (s.kind) {
    case StmtKind::Expr: walk(s.expr, frame); return;
    case StmtKind::Block:
      for (const StmtId child : system_.block(s)) walk(child, frame);
      return;
    case StmtKind::If:
      computed(s.expr, frame);
      walk(s.a, frame);
      walk(s.b, frame);
      return;
    case StmtKind::While:
      computed(s.expr, frame);
      walk(s.a, frame);
      return;
    case StmtKind::Return:
      if (s.expr.valid()) meet(classes_.first_result_ + frame, walk(s.expr, frame));
      return;
    case StmtKind::Reset:
      computed(s.expr, frame);
      index(s.offset, frame);
      return;
    case StmtKind::Choose:
    case StmtKind::Assume: computed(s.expr, frame); return;
  }
}

ValueClasses::ValueClasses(const System& system, const Property& property, const Watch& watch) : system_(system) {
  auto places = static_cast<uint32_t>(system.variables.size());
  for (const Function& f : system.functions) {
    first_slot_.push_back(places);
    places += f.slots;
  }
  first_slot_.push_back(places);
  places += system.quantifier_slots;
  first_result_ = places;
  places += static_cast<uint32_t>(system.functions.size());

  Collector collector(*this, places);
  std::unordered_map<std::string, uint32_t> named;
  for (uint32_t v = 0; v < system.variables.size(); ++v) {
    const Variable& variable = system.variables[v];
    if (variable.kind == VarKind::Location)
      collector.compute_with(v);
    else
      collector.join(named.emplace(without_numbers(variable.name), v).first->second, v);
  }
  for (const Process& p : system.processes) {
    watch.poll();
    for (const Location& l : p.locations) collector.walk(l.invariant, l.clock_invariant);
  }
  for (const Edge& e : system.edges) {
    watch.poll();
    collector.walk(e.guard, e.clock_guard);
    for (const StmtId s : e.effect) collector.walk(s, outside());
  }
  for (const StmtId s : system.before_update) collector.walk(s, outside());
  for (const StmtId s : system.after_update) collector.walk(s, outside());
  for (uint32_t f = 0; f < system.functions.size(); ++f) collector.walk(system.functions[f].body, f);
  for (const Clause& c : property.goal) {
    watch.poll();
    collector.walk(c.conditions, c.clocks);
  }

  constexpr uint32_t kNone = UINT32_MAX;
  std::vector<uint32_t> number(places, kNone);
  class_.resize(places);
  for (uint32_t place = 0; place < places; ++place) {
    uint32_t& n = number[collector.root(place)];
    if (n == kNone) {
      n = count_++;
      computed_with_.push_back(collector.is_computed_with(place));
    }
    class_[place] = n;
  }
}

uint32_t ValueClasses::of(ExprId id, uint32_t frame) const {
  const Expr& e = system_.expr(id);
  switch (kind_of(e.op)) {
    case OpKind::Const: return kAny;
    case OpKind::Var:
    case OpKind::Load:
    case OpKind::Store: return class_[e.base];
    case OpKind::Local:
    case OpKind::LoadLocal:
    case OpKind::StoreLocal: return of_slot(frame, e.base);
    case OpKind::Index:
    case OpKind::InRange: return of(e.a, frame);
    case OpKind::Ite: {
      const uint32_t then = of(e.b, frame);
      return then < kAny ? then : of(e.c, frame);
    }
    case OpKind::Call: return of_result(e.base);
    case OpKind::Comma: return of(e.b, frame);
    case OpKind::Unary:
    case OpKind::Arithmetic:
    case OpKind::Comparison:
    case OpKind::Connective:
    case OpKind::Quantifier:
    case OpKind::Fail: return kComputed;
  }
  return kComputed;
}

}  // namespace harrier::model
