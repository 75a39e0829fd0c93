#include "random/expression_generator.h"

#include <algorithm>

namespace harrier::testing_support {

namespace {

constexpr int32_t kLargestBound = 4;

TaExprPtr parameter(int32_t number) {
  return std::make_shared<const TaExpr>(TaExpr{.op = TaOp::Parameter, .value = number});
}

}  // namespace

// ---- what there is to read and write ----

void ExpressionGenerator::add_variables(const std::vector<TaVariable>& variables, TaScope in, const Scope& scope,
                                        std::vector<Readable>& out) {
  for (size_t i = 0; i < variables.size(); ++i) {
    const TaVariable& v = variables[i];
    TaExprPtr element;
    if (v.size != 0) {
      // The index is a slot that fits or a constant; `index` itself builds on what is readable.
      element = ta_const(static_cast<int32_t>(rng_.below(v.size)));
      for (const size_t s : scope.slots) {
        const TaSlot& slot = model_.slots[s];
        if (slot.bounded && slot.lo >= 0 && slot.hi < static_cast<int32_t>(v.size) && rng_.chance(60)) {
          element = ta_slot(s);
        }
      }
    }
    out.push_back({ta_variable({in, i}, element), v.lo, v.hi, v.is_bool});
  }
}

std::vector<ExpressionGenerator::Readable> ExpressionGenerator::readable(const Scope& scope) {
  std::vector<Readable> out;
  add_variables(model_.variables, TaScope::Global, scope, out);
  if (scope.of != nullptr) {
    add_variables(scope.of->variables, TaScope::Local, scope, out);
    for (size_t i = 0; i < scope.of->parameters.size(); ++i) {
      const TaParameter& p = scope.of->parameters[i];
      if (p.kind == TaParameter::Kind::Value) out.push_back({parameter(static_cast<int32_t>(i)), p.lo, p.hi});
      if (p.kind == TaParameter::Kind::Variable && !scope.in_query) {
        out.push_back({ta_variable({TaScope::Reference, i}), p.lo, p.hi});
      }
    }
  }
  for (const size_t i : scope.slots) {
    const TaSlot& s = model_.slots[i];
    out.push_back({ta_slot(i), s.bounded ? s.lo : -100, s.bounded ? s.hi : 100});
  }
  return out;
}

std::vector<ExpressionGenerator::Readable> ExpressionGenerator::writable(const Scope& scope) {
  std::vector<Readable> out;
  for (Readable& r : readable(scope)) {
    if (r.expr->op != TaOp::Variable) continue;
    const TaPlace place = r.expr->place;
    if (place.scope == TaScope::Global && model_.variables[place.index].is_const) continue;
    if (place.scope == TaScope::Local && scope.of->variables[place.index].is_const) continue;
    out.push_back(std::move(r));
  }
  return out;
}

TaExprPtr ExpressionGenerator::index(const Scope& scope, size_t size) {
  const int32_t n = static_cast<int32_t>(size);
  if (rng_.chance(70)) {
    std::vector<TaExprPtr> fitting;
    for (const Readable& r : readable(scope)) {
      if (r.lo >= 0 && r.hi < n) {
        fitting.push_back(r.expr);
      } else if (r.lo >= 0 && r.hi < 100) {
        fitting.push_back(ta_node(TaOp::Mod, {r.expr, ta_const(n)}));
      }
    }
    if (!fitting.empty()) return rng_.pick(fitting);
  }
  return ta_const(rng_.between(0, n - 1));
}

// ---- integer expressions ----

TaExprPtr ExpressionGenerator::integer(const Scope& scope, int depth) {
  const std::vector<Readable> names = readable(scope);
  if (depth <= 0 || rng_.chance(30)) {
    if (names.empty() || rng_.chance(30)) return ta_const(rng_.between(rng_.chance(15) ? -2 : 0, 3));
    return rng_.pick(names).expr;
  }
  if ((profile_.scopes || profile_.violations) && rng_.chance(40)) {
    if (auto value = call(scope, Wanted::Value)) return value;
  }
  if (profile_.rich) {
    switch (rng_.below(12)) {
      case 0: return ta_node(TaOp::Neg, {integer(scope, depth - 1)});
      case 1:
        return ta_node(TaOp::Ite, {boolean(scope, depth - 1), integer(scope, depth - 1), integer(scope, depth - 1)});
      case 2: return quantified(TaOp::Sum, scope, depth);
      case 3:
        if (auto value = call(scope, Wanted::Value)) return value;
        break;
      case 4:
        return ta_node(rng_.chance(50) ? TaOp::Shl : TaOp::Shr,
                       {integer(scope, depth - 1), ta_const(rng_.between(0, 2))});
      case 5: {
        static const std::vector<TaOp> bits{TaOp::BitAnd, TaOp::BitOr, TaOp::BitXor};
        return ta_node(rng_.pick(bits), {integer(scope, depth - 1), integer(scope, depth - 1)});
      }
      case 6:
        return ta_node(rng_.chance(50) ? TaOp::Min : TaOp::Max, {integer(scope, depth - 1), integer(scope, depth - 1)});
      case 7: {
        std::vector<TaExprPtr> elements;
        for (size_t i = 0; i < model_.variables.size(); ++i) {
          const TaVariable& v = model_.variables[i];
          if (v.size != 0) elements.push_back(ta_variable({TaScope::Global, i}, index(scope, v.size)));
        }
        if (!elements.empty()) return rng_.pick(elements);
        break;
      }
      default: break;
    }
  }
  switch (rng_.below(5)) {
    case 0:
    case 1: return ta_node(TaOp::Add, {integer(scope, depth - 1), integer(scope, depth - 1)});
    case 2: return ta_node(TaOp::Sub, {integer(scope, depth - 1), integer(scope, depth - 1)});
    case 3: return ta_node(TaOp::Mul, {integer(scope, depth - 1), integer(scope, depth - 1)});
    default: {
      const int32_t by = rng_.chance(15) ? -2 : rng_.between(1, 3);
      return ta_node(rng_.chance(50) ? TaOp::Mod : TaOp::Div, {integer(scope, depth - 1), ta_const(by)});
    }
  }
}

TaExprPtr ExpressionGenerator::quantified(TaOp op, const Scope& scope, int depth) {
  Scope inner = scope;
  const size_t slot = new_slot("q", small_range(scope.in_query ? nullptr : scope.of, 2));
  inner.slots.push_back(slot);
  TaExpr e{.op = op, .value = static_cast<int32_t>(slot)};
  e.args.push_back(op == TaOp::Sum ? integer(inner, depth - 1) : boolean(inner, depth - 1));
  return std::make_shared<const TaExpr>(std::move(e));
}

size_t ExpressionGenerator::new_slot(const std::string& letter, TaSlot slot) {
  slot.name = letter + std::to_string(model_.slots.size());
  model_.slots.push_back(std::move(slot));
  return model_.slots.size() - 1;
}

TaSlot ExpressionGenerator::small_range(const TaTemplate* of, int32_t longest) {
  TaSlot slot{.lo = rng_.between(0, 1)};
  slot.hi = slot.lo + rng_.between(0, longest);
  if (!rng_.chance(30)) return slot;
  const bool local = of != nullptr && !of->types.empty() && rng_.chance(60);
  const std::vector<TaTypedef>& types = local ? of->types : model_.types;
  if (types.empty()) return slot;
  slot.type = TaPlace{local ? TaScope::Local : TaScope::Global, rng_.below(types.size())};
  slot.lo = types[slot.type->index].lo;
  slot.hi = types[slot.type->index].hi;
  return slot;
}

TaExprPtr ExpressionGenerator::boolean(const Scope& scope, int depth) {
  static const std::vector<TaOp> comparisons{TaOp::Lt, TaOp::Le, TaOp::Ge, TaOp::Gt, TaOp::Eq, TaOp::Ne};
  if (depth > 0 && rng_.chance(40)) {
    switch (rng_.below(profile_.rich ? 7 : 4)) {
      case 0: return ta_node(TaOp::And, {boolean(scope, depth - 1), boolean(scope, depth - 1)});
      case 1: return ta_node(TaOp::Or, {boolean(scope, depth - 1), boolean(scope, depth - 1)});
      case 2: return ta_node(TaOp::Not, {boolean(scope, depth - 1)});
      case 3: return ta_node(TaOp::Imply, {boolean(scope, depth - 1), boolean(scope, depth - 1)});
      case 4: return quantified(TaOp::Forall, scope, depth);
      case 5: return quantified(TaOp::Exists, scope, depth);
      default:
        return ta_node(TaOp::Ite, {boolean(scope, depth - 1), boolean(scope, depth - 1), boolean(scope, depth - 1)});
    }
  }
  const std::vector<Readable> names = readable(scope);
  if (!names.empty() && rng_.chance(profile_.rich ? 40 : 75)) {
    const Readable& r = rng_.pick(names);
    return ta_node(rng_.pick(comparisons), {r.expr, ta_const(rng_.between(r.lo, std::min(r.hi, r.lo + 4)))});
  }
  return ta_node(rng_.pick(comparisons), {integer(scope, depth), integer(scope, depth - 1)});
}

TaExprPtr ExpressionGenerator::condition(const Scope& scope) {
  if (readable(scope).empty()) return nullptr;
  return boolean(scope, profile_.rich ? 3 : 1);
}

TaExprPtr ExpressionGenerator::within(const Scope& scope, int32_t lo, int32_t hi) {
  std::vector<TaExprPtr> fitting;
  for (const Readable& r : readable(scope)) {
    if (r.lo >= lo && r.hi <= hi && !r.is_bool) fitting.push_back(r.expr);
  }
  if (!fitting.empty() && rng_.chance(60)) return rng_.pick(fitting);
  if (rng_.chance(40)) return ta_const(rng_.between(lo, hi));
  // ((e % n) + n) % n + lo
  const TaExprPtr n = ta_const(hi - lo + 1);
  const TaExprPtr rest = ta_node(TaOp::Mod, {integer(scope, 1), n});
  const TaExprPtr whole = ta_node(TaOp::Mod, {ta_node(TaOp::Add, {rest, n}), n});
  return lo == 0 ? whole : ta_node(TaOp::Add, {whole, ta_const(lo)});
}

TaExprPtr ExpressionGenerator::call(const Scope& scope, Wanted wanted, const std::vector<size_t>& locals) {
  // What may be given by reference: variables, and the locals of a function that calls another.
  std::vector<Readable> places;
  if (wanted != Wanted::LocalEffect) {
    for (Readable& r : writable(scope)) {
      if (!r.is_bool && !scope.in_query) places.push_back(std::move(r));
    }
  }
  for (const size_t slot : locals) {
    const TaSlot& s = model_.slots[slot];
    if (s.bounded && !s.reference) places.push_back({ta_slot(slot), s.lo, s.hi});
  }
  const auto fits = [&](const TaFunction& f) {
    const bool value = wanted == Wanted::Value || wanted == Wanted::BoundedValue;
    if (f.returns_value != value) return false;
    if (wanted == Wanted::BoundedValue && !f.bounded) return false;
    if (wanted == Wanted::LocalEffect && (f.changes_state || f.parameters.empty())) return false;
    return std::all_of(f.parameters.begin(), f.parameters.end(), [&](size_t number) {
      const TaSlot& p = model_.slots[number];
      return !p.reference ||
             std::any_of(places.begin(), places.end(), [&](const Readable& r) { return r.lo == p.lo && r.hi == p.hi; });
    });
  };
  std::vector<TaPlace> fitting;
  for (size_t i = 0; i < model_.functions.size(); ++i) {
    if (fits(model_.functions[i])) fitting.push_back({TaScope::Global, i});
  }
  for (size_t i = 0; scope.of != nullptr && i < scope.of->functions.size(); ++i) {
    if (fits(scope.of->functions[i])) fitting.insert(fitting.end(), 2, {TaScope::Local, i});
  }
  if (fitting.empty()) return nullptr;
  TaExpr e{.op = TaOp::Call, .place = rng_.pick(fitting)};
  const bool global = e.place.scope == TaScope::Global;
  const TaFunction& f = global ? model_.functions[e.place.index] : scope.of->functions[e.place.index];
  for (const size_t number : f.parameters) {
    const TaSlot p = model_.slots[number];
    if (!p.reference) {
      e.args.push_back(p.bounded && !rng_.chance(10) ? within(scope, p.lo, p.hi) : integer(scope, 1));
      continue;
    }
    std::vector<TaExprPtr> same;
    for (const Readable& r : places) {
      if (r.lo == p.lo && r.hi == p.hi) same.push_back(r.expr);
    }
    e.args.push_back(rng_.pick(same));
  }
  return std::make_shared<const TaExpr>(std::move(e));
}

// ---- updates ----

TaExprPtr ExpressionGenerator::assignment(const Scope& scope, const Readable& target) {
  const TaExprPtr& v = target.expr;
  if (target.is_bool) return ta_node(TaOp::Assign, {v, boolean(scope, 1)});
  switch (rng_.below(8)) {
    case 0: return ta_node(TaOp::PostIncrement, {v});
    case 1: return ta_node(TaOp::PostDecrement, {v});
    case 2: return ta_node(rng_.chance(50) ? TaOp::PreIncrement : TaOp::PreDecrement, {v});
    case 3:
      return ta_node(rng_.chance(60) ? TaOp::AddAssign : TaOp::SubAssign, {v, integer(scope, profile_.rich ? 2 : 0)});
    case 4: {
      if (target.lo != 0) break;
      const TaExprPtr next = ta_node(TaOp::Add, {v, ta_const(1)});
      return ta_node(TaOp::Assign, {v, ta_node(TaOp::Mod, {next, ta_const(target.hi + 1)})});
    }
    case 5: return ta_node(TaOp::Assign, {v, integer(scope, profile_.rich ? 3 : 1)});
    default: break;
  }
  return ta_node(TaOp::Assign, {v, ta_const(rng_.between(target.lo, std::min(target.hi, target.lo + 4)))});
}

TaExprPtr ExpressionGenerator::update(const Scope& scope) {
  if (rng_.chance(25)) {
    if (auto effect = call(scope, Wanted::Effect)) return effect;
  }
  const std::vector<Readable> targets = writable(scope);
  if (targets.empty()) return nullptr;
  const Readable& target = rng_.pick(targets);
  if (profile_.rich && target.expr->place.scope == TaScope::Global && !target.expr->args.empty()) {
    const size_t i = target.expr->place.index;
    const TaExprPtr element = ta_variable({TaScope::Global, i}, index(scope, model_.variables[i].size));
    return assignment(scope, {element, target.lo, target.hi, target.is_bool});
  }
  return assignment(scope, target);
}

TaExprPtr ExpressionGenerator::impossible_update(const Scope& scope) {
  for (const Readable& r : writable(scope)) {
    if (!r.is_bool) return ta_node(TaOp::AddAssign, {r.expr, ta_const(r.hi - r.lo + 1)});
  }
  return nullptr;
}

// ---- clocks ----

std::vector<TaPlace> ExpressionGenerator::clocks(const Scope& scope) const {
  std::vector<TaPlace> out;
  for (size_t i = 0; i < model_.clocks.size(); ++i) out.push_back({TaScope::Global, i});
  if (scope.of == nullptr) return out;
  for (size_t i = 0; i < scope.of->clocks.size(); ++i) out.push_back({TaScope::Local, i});
  for (size_t i = 0; !scope.in_query && i < scope.of->parameters.size(); ++i) {
    if (scope.of->parameters[i].kind == TaParameter::Kind::Clock) out.push_back({TaScope::Reference, i});
  }
  return out;
}

// A constant from `lo` on, sometimes a small variable, sometimes with a constant added.
TaExprPtr ExpressionGenerator::clock_bound(const Scope& scope, int32_t lo) {
  if (profile_.rich && lo >= 0 && rng_.chance(profile_.violations ? 50 : 15)) {
    if (TaExprPtr bound = call(scope, Wanted::BoundedValue)) return bound;
  }
  if (rng_.chance(20)) {
    std::vector<TaExprPtr> fitting;
    for (const Readable& r : readable(scope)) {
      if (r.lo >= lo && r.hi <= kLargestBound) fitting.push_back(r.expr);
    }
    if (!fitting.empty()) {
      const TaExprPtr& base = rng_.pick(fitting);
      return rng_.chance(30) ? ta_node(TaOp::Add, {base, ta_const(1)}) : base;
    }
  }
  return ta_const(rng_.between(lo, kLargestBound));
}

std::optional<TaClockAtom> ExpressionGenerator::clock_guard(const Scope& scope) {
  const std::vector<TaPlace> all = clocks(scope);
  if (all.empty()) return std::nullopt;
  static const std::vector<TaOp> closed{TaOp::Le, TaOp::Ge, TaOp::Ge, TaOp::Eq};
  static const std::vector<TaOp> any{TaOp::Le, TaOp::Ge, TaOp::Ge, TaOp::Eq, TaOp::Lt, TaOp::Gt, TaOp::Gt};
  TaClockAtom atom{.left = rng_.pick(all), .op = rng_.pick(profile_.strict ? any : closed)};
  if (profile_.diagonals && all.size() > 1 && rng_.chance(35)) {
    atom.right = rng_.pick(all);
    atom.bound = clock_bound(scope, -kLargestBound);
  } else {
    atom.bound = clock_bound(scope, 0);
  }
  if (rng_.chance(profile_.violations ? 40 : 5) && !scope.in_query) atom.condition = condition(scope);
  atom.flipped = rng_.chance(15);
  return atom;
}

std::optional<TaClockAtom> ExpressionGenerator::clock_invariant(const Scope& scope) {
  const std::vector<TaPlace> all = clocks(scope);
  if (all.empty()) return std::nullopt;
  TaClockAtom atom{.left = rng_.pick(all), .op = profile_.strict && rng_.chance(40) ? TaOp::Lt : TaOp::Le};
  if (profile_.diagonals && all.size() > 1 && rng_.chance(15)) {
    atom.right = rng_.pick(all);
    atom.bound = clock_bound(scope, -kLargestBound);
  } else {
    atom.bound = clock_bound(scope, rng_.chance(90) ? 1 : 0);
  }
  if (rng_.chance(profile_.violations ? 40 : 8)) atom.condition = condition(scope);
  return atom;
}

std::optional<TaUpdate> ExpressionGenerator::reset(const Scope& scope) {
  const std::vector<TaPlace> all = clocks(scope);
  if (all.empty()) return std::nullopt;
  return TaUpdate{rng_.chance(75) ? ta_const(0) : clock_bound(scope, 0), rng_.pick(all)};
}

}  // namespace harrier::testing_support
