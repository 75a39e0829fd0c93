// Random functions: parameters by value and by reference, locals of functions and blocks, loops, early returns.
#include <algorithm>

#include "random/expression_generator.h"

namespace harrier::testing_support {

void ExpressionGenerator::add_function(TaTemplate* of) {
  Draft draft;
  TaFunction& f = draft.f;
  auto& functions = of != nullptr ? of->functions : model_.functions;
  f.name = (of != nullptr ? "g" : "f") + std::to_string(functions.size());
  f.returns_value = rng_.chance(profile_.violations ? 85 : 60);
  f.bounded = f.returns_value && rng_.chance(profile_.violations ? 70 : 40);
  f.hi = rng_.between(1, 3);
  Scope scope{.of = of};
  const size_t parameters = rng_.below(3);
  for (size_t i = 0; i < parameters; ++i) {
    TaSlot p = small_range(of, 3);
    p.bounded = p.type || rng_.chance(50);
    std::vector<Readable> variables = writable(scope);
    std::erase_if(variables, [](const Readable& r) { return r.is_bool; });
    if (rng_.chance(f.returns_value ? 15 : 50)) {
      // The range of a variable, so that there is something to give.
      p = {.bounded = true, .reference = true};
      const bool have = !variables.empty() && rng_.chance(70);
      p.lo = have ? variables[rng_.below(variables.size())].lo : 0;
      p.hi = 3;
      for (const Readable& r : variables) {
        if (have && r.lo == p.lo) p.hi = r.hi;
      }
    }
    f.parameters.push_back(new_slot("p", p));
    scope.slots.push_back(f.parameters.back());
    if (p.reference && !f.returns_value) draft.locals.push_back(f.parameters.back());
  }
  add_locals(scope, draft, f.locals);
  // The counter of loops, which nothing else writes and nothing gets by reference.
  draft.counter = new_slot("w", {.bounded = false});
  f.locals.push_back({*draft.counter, ta_const(0)});
  f.body = statements(scope, draft, 2);
  if (f.returns_value) f.body.push_back(return_statement(scope, draft));
  functions.push_back(std::move(f));
  (of != nullptr ? of->order : model_.order).push_back({TaDeclaration::Kind::Function, functions.size() - 1});
}

void ExpressionGenerator::add_locals(Scope& scope, Draft& draft, std::vector<TaLocal>& into) {
  const size_t count = 1 + rng_.below(2);
  for (size_t i = 0; i < count; ++i) {
    TaSlot slot{.hi = 3, .bounded = rng_.chance(40)};
    if (slot.bounded && rng_.chance(50)) slot = small_range(scope.of, 3);
    // The initial value is read before the variable is there.
    const TaExprPtr initial = slot.bounded ? within(scope, slot.lo, slot.hi) : integer(scope, 1);
    into.push_back({new_slot("n", slot), initial});
    scope.slots.push_back(into.back().slot);
    draft.locals.push_back(into.back().slot);
  }
}

std::vector<TaStatement> ExpressionGenerator::statements(const Scope& scope, Draft& draft, int depth) {
  std::vector<TaStatement> out;
  const size_t count = 1 + rng_.below(2);
  for (size_t i = 0; i < count; ++i) add_statement(scope, draft, depth, out);
  return out;
}

void ExpressionGenerator::add_statement(const Scope& scope, Draft& draft, int depth, std::vector<TaStatement>& out) {
  const size_t kind = depth > 0 ? rng_.below(8) : 7;
  TaStatement s;
  if (kind <= 1) {
    s.kind = TaStatement::Kind::If;
    s.expr = boolean(scope, 1);
    s.body = statements(scope, draft, depth - 1);
    if (rng_.chance(50)) s.otherwise = statements(scope, draft, depth - 1);
    if (rng_.chance(30)) s.body.push_back(return_statement(scope, draft));
  } else if (kind == 2) {
    s.kind = TaStatement::Kind::ForRange;
    s.slot = new_slot("i", small_range(scope.of, 2));
    Scope inner = scope;
    inner.slots.push_back(s.slot);
    s.body = statements(inner, draft, 0);
  } else if (kind <= 4 && draft.counter) {
    return add_loop(scope, draft, out);
  } else if (kind <= 6) {
    s.kind = TaStatement::Kind::Block;
    Scope inner = scope;
    const size_t outside = draft.locals.size();
    add_locals(inner, draft, s.locals);
    s.body = statements(inner, draft, depth - 1);
    draft.locals.resize(outside);
  } else {
    s = simple_statement(scope, draft);
  }
  out.push_back(std::move(s));
}

void ExpressionGenerator::add_loop(const Scope& scope, Draft& draft, std::vector<TaStatement>& out) {
  const size_t counter = *draft.counter;
  draft.counter.reset();  // only one loop at a time may use it
  TaStatement s;
  if (rng_.chance(50)) {
    s.kind = TaStatement::Kind::ForLoop;
    s.slot = counter;
    s.last = rng_.between(0, 2);
    s.body = statements(scope, draft, 0);
  } else {
    const TaExprPtr w = ta_slot(counter);
    out.push_back({.kind = TaStatement::Kind::Expression, .expr = ta_node(TaOp::Assign, {w, ta_const(0)})});
    s.kind = TaStatement::Kind::While;
    s.expr = ta_node(TaOp::Lt, {w, ta_const(rng_.between(1, 3))});
    s.body = statements(scope, draft, 0);
    s.body.push_back({.kind = TaStatement::Kind::Expression, .expr = ta_node(TaOp::PostIncrement, {w})});
  }
  out.push_back(std::move(s));
  draft.counter = counter;
}

// An assignment, a call or the reset of a clock.
TaStatement ExpressionGenerator::simple_statement(const Scope& scope, Draft& draft) {
  TaStatement s;
  TaFunction& f = draft.f;
  const bool may_change = !f.returns_value && rng_.chance(60);
  if (may_change && rng_.chance(20)) {
    if (auto update = reset(scope)) {
      f.changes_state = true;
      return {.kind = TaStatement::Kind::Reset, .expr = update->expr, .clock = *update->clock};
    }
  }
  if (rng_.chance(25)) {
    s.expr = call(scope, may_change ? Wanted::Effect : Wanted::LocalEffect, draft.locals);
    f.changes_state = f.changes_state || (s.expr && may_change);
    if (s.expr) return s;
  }
  const std::vector<Readable> variables = may_change ? writable(scope) : std::vector<Readable>{};
  if (!variables.empty()) {
    f.changes_state = true;
    s.expr = assignment(scope, rng_.pick(variables));
    return s;
  }
  const size_t local = rng_.pick(draft.locals);
  const TaSlot& slot = model_.slots[local];
  s.expr = assignment(scope, {ta_slot(local), slot.bounded ? slot.lo : 0, slot.bounded ? slot.hi : 3});
  return s;
}

TaStatement ExpressionGenerator::return_statement(const Scope& scope, const Draft& draft) {
  TaStatement s{.kind = TaStatement::Kind::Return};
  if (!draft.f.returns_value) return s;
  s.expr = draft.f.bounded && !rng_.chance(profile_.violations ? 50 : 25) ? within(scope, draft.f.lo, draft.f.hi)
                                                                          : integer(scope, 2);
  return s;
}

}  // namespace harrier::testing_support
