#include "model/value_sets.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "model/operators.h"
#include "model/ranges.h"

namespace harrier::model {

namespace {

constexpr size_t kMostPairs = 1 << 14;

void normalise(std::vector<int32_t>& values) {
  if (!std::is_sorted(values.begin(), values.end())) std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

class Accumulation {
 public:
  Accumulation(const System& system, const Watch& watch) : system_(system), watch_(watch) {
    for (const Variable& v : system.variables) sets_.push_back({false, {v.initial}});
    for (const Axiom& axiom : system.axioms) {
      std::vector<int32_t>& values = sets_[axiom.head.value].values;
      values.push_back(axiom.value);
      normalise(values);
    }
    changed_at_.resize(sets_.size());
  }

  std::vector<ValueSet> run() {
    std::vector<Piece> edges(system_.edges.size());
    Piece rest;
    do {
      changed_ = false;
      for (size_t e = 0; e < edges.size(); ++e) {
        watch_.poll();
        if (!begin(edges[e])) continue;
        const Edge& edge = system_.edges[e];
        // A receiver's effect follows the sender's, which its guard has not seen; the same goes for before_update.
        const bool first = edge.direction != Direction::Receive && system_.before_update.empty();
        guard_ = first ? &edge.guard : nullptr;
        written_.clear();
        slots_.assign(system_.quantifier_slots, std::vector{0});
        add(system_.process(edge.process).location.value, {static_cast<int32_t>(edge.target)});
        for (const StmtId id : edge.effect) {
          replaces_ = sets_one_slot(id);
          statement(id);
          replaces_ = false;
        }
      }
      if (!begin(rest)) continue;
      guard_ = nullptr;
      slots_.clear();
      for (const StmtId id : system_.before_update) statement(id);
      for (const StmtId id : system_.after_update) statement(id);
      for (const Function& function : system_.functions) {
        if (function.body.valid()) statement(function.body);
      }
    } while (changed_);
    return std::move(sets_);
  }

 private:
  using Values = std::optional<std::vector<int32_t>>;  // none: any value

  // A part of the model that is applied as a whole.
  struct Piece {
    uint64_t applied_at = 0;      // 0: never
    std::vector<uint32_t> reads;  // the variables whose values it used then
  };

  // False if applying it again yields nothing new.
  bool begin(Piece& piece) {
    if (piece.applied_at != 0 && std::none_of(piece.reads.begin(), piece.reads.end(),
                                              [&](uint32_t v) { return changed_at_[v] >= piece.applied_at; })) {
      return false;
    }
    piece.applied_at = ++now_;
    piece.reads.clear();
    reads_ = &piece.reads;
    return true;
  }

  bool sets_one_slot(StmtId id) const {
    const Stmt& s = system_.stmt(id);
    if (s.kind != StmtKind::Expr) return s.kind == StmtKind::Choose;
    const Expr& e = system_.expr(s.expr);
    return e.op == Op::StoreLocal && !e.a.valid() && system_.expr(e.b).op != Op::StoreLocal;
  }

  void statement(StmtId id) {
    const Stmt& s = system_.stmt(id);
    if (s.kind == StmtKind::While) {  // it reads what it wrote itself
      guard_ = nullptr;
      slots_.clear();
    }
    if (s.kind == StmtKind::Choose) choose(s);
    if (s.expr.valid()) stores(s.expr);
    if (s.offset.valid()) stores(s.offset);
    if (s.kind == StmtKind::Block) {
      for (const StmtId child : system_.block(s)) statement(child);
    }
    if (s.a.valid()) statement(s.a);
    if (s.b.valid()) statement(s.b);
  }

  // Applies every store inside an expression.
  void stores(ExprId id) {
    const Expr& e = system_.expr(id);
    if (e.op == Op::Forall || e.op == Op::Exists || e.op == Op::Sum) {  // as in a loop
      guard_ = nullptr;
      set_slots(e.base, 1, std::nullopt);
    }
    for (const ExprId child : {e.a, e.b, e.c}) {
      if (child.valid()) stores(child);
    }
    if (e.op == Op::Call) {
      for (const ExprId argument : system_.call_arguments(e)) stores(argument);
      guard_ = nullptr;  // the function may have written anything
    }
    if (e.op == Op::StoreLocal) set_slots(e.base, e.a.valid() ? e.count : 1, values_of(e.b));
    if (e.op != Op::Store) return;
    const uint32_t count = e.a.valid() ? e.count : 1;
    const Values values = values_of(e.b);
    for (uint32_t v = e.base; v < e.base + count; ++v) {
      if (values) {
        add(v, *values);
      } else {
        add_interval(v, e.b);
      }
      written_.push_back(v);
    }
  }

  void choose(const Stmt& s) {
    Values values;
    if (s.count <= ValueSet::kMostValues) {
      values.emplace();
      for (uint32_t i = 0; i < s.count; ++i) values->push_back(static_cast<int32_t>(s.low + int64_t{i}));
    }
    set_slots(s.first, 1, values);
  }

  // Slots get further values, or others instead.
  void set_slots(uint32_t first, uint32_t count, const Values& values) {
    for (uint32_t i = first; i < first + count && i < slots_.size(); ++i) {
      slots_[i] = replaces_ ? values : joined(std::move(slots_[i]), values);
      if (slots_[i] && slots_[i]->size() > ValueSet::kMostValues) slots_[i].reset();
    }
  }
  Values slot(uint32_t number) const { return number < slots_.size() ? slots_[number] : std::nullopt; }

  void note_change(uint32_t variable) {
    changed_ = true;
    changed_at_[variable] = now_;
  }

  // The values are sorted.
  void add(uint32_t variable, const std::vector<int32_t>& values) {
    ValueSet& set = sets_[variable];
    if (set.wide) return;
    const Variable& v = system_.variables[variable];
    const auto first = std::lower_bound(values.begin(), values.end(), v.lo);
    const auto last = std::upper_bound(first, values.end(), v.hi);
    if (std::includes(set.values.begin(), set.values.end(), first, last)) return;
    std::vector<int32_t> both;
    std::set_union(set.values.begin(), set.values.end(), first, last, std::back_inserter(both));
    set.values = std::move(both);
    note_change(variable);
    if (set.values.size() > ValueSet::kMostValues) set = {true, {}};
  }

  void add_interval(uint32_t variable, ExprId expr) {
    ValueSet& set = sets_[variable];
    if (set.wide) return;
    const Variable& v = system_.variables[variable];
    const Interval range = range_of(system_, expr);
    const int64_t lo = std::max<int64_t>(v.lo, range.lo);
    const int64_t hi = std::min<int64_t>(v.hi, range.hi);
    if (hi - lo >= static_cast<int64_t>(ValueSet::kMostValues)) {
      set = {true, {}};
      note_change(variable);
      return;
    }
    std::vector<int32_t> values;
    for (int64_t x = lo; x <= hi; ++x) values.push_back(static_cast<int32_t>(x));
    add(variable, values);
  }

  // The values of a variable that the guard of the edge lets through; all of them if it has been written since.
  Values guarded(uint32_t variable) {
    reads_->push_back(variable);
    const ValueSet& set = sets_[variable];
    if (set.wide) return std::nullopt;
    Values values = set.values;
    if (guard_ == nullptr || std::find(written_.begin(), written_.end(), variable) != written_.end()) return values;
    for (const ExprId id : *guard_) {
      const Expr& g = system_.expr(id);
      if (!is_comparison(g.op)) continue;
      const Expr& left = system_.expr(g.a);
      const Expr& right = system_.expr(g.b);
      if (left.op != Op::Var || left.base != variable || right.op != Op::Const) continue;
      std::erase_if(*values, [&](int32_t x) {
        Fault fault = Fault::None;
        return apply_binary(g.op, x, right.value, fault) == 0;
      });
    }
    return values;
  }

  Values values_of(ExprId id) {
    const Expr& e = system_.expr(id);
    switch (kind_of(e.op)) {
      case OpKind::Const: return std::vector{e.value};
      case OpKind::Var: return all_of(e.base, 1);
      case OpKind::Load: return all_of(e.base, e.count);
      case OpKind::Index: {
        Values values = values_of(e.a);
        if (values) std::erase_if(*values, [&](int32_t x) { return x < 0 || x >= static_cast<int64_t>(e.count); });
        return values;
      }
      case OpKind::InRange: {
        Values values = values_of(e.a);
        const int32_t lo = system_.expr(e.b).value;
        const int32_t hi = system_.expr(e.c).value;
        if (values) std::erase_if(*values, [&](int32_t x) { return x < lo || x > hi; });
        return values;
      }
      case OpKind::Ite: return joined(values_of(e.b), values_of(e.c));
      case OpKind::Store:
      case OpKind::Comma: return values_of(e.b);
      case OpKind::Fail: return std::vector<int32_t>();
      case OpKind::Unary: {
        Values values = values_of(e.a);
        if (!values) return values;
        std::vector<int32_t> out;
        for (const int32_t x : *values) {
          Fault fault = Fault::None;
          const int32_t y = apply_unary(e.op, x, fault);
          if (fault == Fault::None) out.push_back(y);
        }
        normalise(out);
        return out;
      }
      case OpKind::Connective: return std::vector{0, 1};
      case OpKind::Quantifier:
        if (e.op == Op::Sum) return std::nullopt;
        return std::vector{0, 1};
      case OpKind::Local: return slot(e.base);
      case OpKind::StoreLocal: return values_of(e.b);
      case OpKind::LoadLocal:
      case OpKind::Call: return std::nullopt;
      case OpKind::Arithmetic:
      case OpKind::Comparison: return combined(e);
    }
    return std::nullopt;
  }

  // The values of a binary operator.
  Values combined(const Expr& e) {
    const Values left = values_of(e.a);
    const Values right = values_of(e.b);
    watch_.poll();
    if (!left || !right || left->size() * right->size() > kMostPairs) {
      return is_comparison(e.op) ? Values(std::vector{0, 1}) : std::nullopt;
    }
    std::vector<int32_t> out;
    for (const int32_t x : *left) {
      for (const int32_t y : *right) {
        Fault fault = Fault::None;
        const int32_t z = apply_binary(e.op, x, y, fault);
        if (fault == Fault::None) out.push_back(z);
      }
    }
    normalise(out);
    return out;
  }

  Values all_of(uint32_t first, uint32_t count) {
    if (count == 1) return guarded(first);
    Values out = std::vector<int32_t>();
    for (uint32_t v = first; v < first + count; ++v) {
      reads_->push_back(v);
      if (sets_[v].wide) return std::nullopt;
      out->insert(out->end(), sets_[v].values.begin(), sets_[v].values.end());
    }
    normalise(*out);
    return out;
  }

  static Values joined(Values a, const Values& b) {
    if (!a || !b) return std::nullopt;
    a->insert(a->end(), b->begin(), b->end());
    normalise(*a);
    return a;
  }

  const System& system_;
  const Watch& watch_;
  std::vector<ValueSet> sets_;
  const std::vector<ExprId>* guard_ = nullptr;  // of the edge at hand, as far as it still tells something
  std::vector<uint32_t> written_;               // by the effect of the edge so far
  bool replaces_ = false;                       // the statement at hand sets a slot in any case, and only one
  std::vector<Values> slots_;                   // what the effect may have put there so far; beyond its end: anything
  bool changed_ = false;
  uint64_t now_ = 0;                        // counts the applications of pieces
  std::vector<uint64_t> changed_at_;        // by variable
  std::vector<uint32_t>* reads_ = nullptr;  // of the piece at hand
};

}  // namespace

std::vector<ValueSet> reachable_values(const System& system, const Watch& watch) {
  return Accumulation(system, watch).run();
}

}  // namespace harrier::model
