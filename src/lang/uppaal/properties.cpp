// Queries: state formulas in disjunctive form.
//
// The parts of a formula without clocks and `deadlock` stay whole: each is one condition on variables, or several where
// it is a conjunction. Only what is around clock constraints and `deadlock` is multiplied out.
#include <algorithm>

#include "lang/uppaal/elaborator.h"
#include "model/analysis.h"
#include "model/operators.h"

namespace harrier::uppaal {

namespace {

bool is_comparison(const Expr& expr) { return expr.kind == ExprKind::Binary && model::is_comparison(expr.op); }

}  // namespace

std::optional<model::Property> Elaborator::property(const QueryNode& query) {
  const Context context{.scope = global_, .query = true};
  model::Property result;
  result.text = query.text;
  result.at = query.at;
  const auto fill = [&](const Expr& formula, bool negated, std::vector<model::Clause>& into) {
    auto found = clauses(formula, context, negated);
    if (!found) return false;
    into = std::move(*found);
    return true;
  };
  using model::PropertyKind;
  bool good = true;
  switch (query.kind) {
    case QueryKind::Reachable:
      result.kind = PropertyKind::Reachable;
      good = fill(*query.formula, false, result.goal);
      break;
    case QueryKind::Invariant:
      result.kind = PropertyKind::Invariant;
      good = fill(*query.formula, true, result.goal);
      if (good) result.premise = antecedent(*query.formula, context);
      break;
    case QueryKind::PotentiallyAlways:
      result.kind = PropertyKind::PotentiallyAlways;
      good = fill(*query.formula, false, result.goal);
      break;
    case QueryKind::Eventually:
      result.kind = PropertyKind::Eventually;
      good = fill(*query.formula, true, result.goal);
      break;
    case QueryKind::LeadsTo:
      result.kind = PropertyKind::LeadsTo;
      good = fill(*query.formula, false, result.premise);
      good = fill(*query.target, true, result.goal) && good;
      break;
    case QueryKind::Extrema: {
      result.kind = PropertyKind::Extrema;
      result.smallest = query.smallest;
      result.largest = query.largest;
      if (query.formula != nullptr) {
        good = fill(*query.formula, false, result.goal);
      } else {
        result.goal.emplace_back();
      }
      for (size_t i = 0; i < query.terms.size(); ++i) {
        const Expr& term = *query.terms[i];
        model::Term built;
        built.text = query.term_texts[i];
        Operand operand = lower(term, context);
        if (operand.kind == OperandKind::Place && operand.type->kind == TypeKind::Clock &&
            operand.place.terms.empty()) {
          built.clock = model::ClockId(operand.place.clock);
        } else if (operand.kind == OperandKind::Clock) {
          unsupported(term.at, "the bounds of differences of clocks");
          good = false;
        } else {
          operand = to_scalar(std::move(operand), term.at);
          if (operand.effect) error(term.at, "a query must not have side effects");
          good = good && operand.kind == OperandKind::Value && !operand.effect;
          built.expr = operand.expr;
        }
        result.terms.push_back(std::move(built));
      }
      break;
    }
  }
  if (!good) return std::nullopt;
  return result;
}

// The p of `p imply q`, where it is about variables only: if it never holds, the reader should know.
Elaborator::Clauses Elaborator::antecedent(const Expr& formula, Context context) {
  if (formula.kind != ExprKind::Imply || is_structural(*formula.a, context)) return {};
  return clauses(*formula.a, context, false).value_or(Clauses());
}

bool Elaborator::mentions_deadlock(const Expr& expr) const {
  if (expr.kind == ExprKind::Deadlock) return true;
  for (const Expr* child : {expr.a, expr.b, expr.c}) {
    if (child != nullptr && mentions_deadlock(*child)) return true;
  }
  return false;
}

bool Elaborator::is_structural(const Expr& expr, Context context) {
  return mentions_deadlock(expr) || mentions_clock(expr, context);
}

ExprId Elaborator::negated(ExprId id, SourceRef at) {
  const model::Expr node = system_.expr(id);
  if (model::is_comparison(node.op)) {
    return system_.make_binary(model::complement(node.op), node.a, node.b, node.at);
  }
  if (model::is_connective(node.op)) {
    return logical(node.op == Op::And ? Op::Or : Op::And, negated(node.a, at), negated(node.b, at), node.at);
  }
  if (node.op != Op::Not) return negate(id, at);
  if (model::is_truth(system_.expr(node.a).op)) return node.a;
  return system_.make_binary(Op::Ne, node.a, system_.make_const(0, at), node.at);
}

// A condition, taken apart where it is a conjunction.
void Elaborator::split_condition(ExprId id, Conjunction& out, SourceRef at) {
  const model::Expr node = system_.expr(id);
  if (node.op == Op::And) {
    split_condition(node.a, out, at);
    split_condition(node.b, out, at);
    return;
  }
  add_condition(id, out, at);
}

std::optional<Elaborator::Clauses> Elaborator::clauses(const Expr& expr, Context context, bool is_negated) {
  if (!is_structural(expr, context)) {
    const Operand operand = integer(expr, context);
    if (operand.kind == OperandKind::Bad) return std::nullopt;
    if (operand.effect) {
      error(expr.at, "a query must not have side effects");
      return std::nullopt;
    }
    Conjunction found;
    split_condition(is_negated ? negated(operand.expr, expr.at) : operand.expr, found, expr.at);
    model::Clause clause{std::move(found.conditions), {}, model::DeadlockTest::Ignore};
    if (found.impossible && !model::can_fail(system_, clause)) return Clauses{};
    return Clauses{std::move(clause)};
  }
  switch (expr.kind) {
    case ExprKind::Deadlock: {
      model::Clause clause;
      clause.deadlock = is_negated ? model::DeadlockTest::NotDeadlock : model::DeadlockTest::IsDeadlock;
      return Clauses{clause};
    }
    case ExprKind::Unary:
      if (expr.op == Operator::Not) return clauses(*expr.a, context, !is_negated);
      break;
    case ExprKind::Forall:
    case ExprKind::Exists: return quantified(expr, context, is_negated);
    case ExprKind::Conditional: {
      auto then = all_of(clauses(*expr.a, context, false), clauses(*expr.b, context, is_negated), expr.at);
      auto otherwise = all_of(clauses(*expr.a, context, true), clauses(*expr.c, context, is_negated), expr.at);
      return any_of(std::move(then), std::move(otherwise), expr.at);
    }
    case ExprKind::Imply:
    case ExprKind::Binary: {
      const bool implication = expr.kind == ExprKind::Imply;
      if (is_comparison(expr)) return compared(expr, context, is_negated);
      if (implication || model::is_connective(expr.op)) {
        auto left = clauses(*expr.a, context, implication != is_negated);
        auto right = clauses(*expr.b, context, is_negated);
        const bool conjunction = !implication && expr.op == Operator::And;
        return conjunction != is_negated ? all_of(std::move(left), std::move(right), expr.at)
                                         : any_of(std::move(left), std::move(right), expr.at);
      }
      break;
    }
    default: break;
  }
  if (lower(expr, context).kind != OperandKind::Bad) {
    error(expr.at, "a clock is not a condition; compare it with an integer");
  }
  return std::nullopt;
}

std::optional<Elaborator::Clauses> Elaborator::quantified(const Expr& expr, Context context, bool is_negated) {
  const Type* type = resolve(*expr.type, context);
  if (type->kind == TypeKind::Bad) return std::nullopt;
  if (!type->enumerable()) {
    error(expr.type->at, "a bounded integer or scalar type is expected here, not " + describe(*type));
    return std::nullopt;
  }
  const auto count = static_cast<uint64_t>(int64_t{type->hi} - type->lo + 1);
  if (unrolled_ * count > kMaxEdges) {
    unsupported(expr.at, "a query with a quantifier over so many clocks");
    return std::nullopt;
  }
  unrolled_ *= count;
  const bool conjunctive = (expr.kind == ExprKind::Forall) != is_negated;
  std::optional<Clauses> result = conjunctive ? Clauses{{}} : Clauses{};
  for (int64_t i = type->lo; i <= type->hi && result; ++i) {
    NameScope inner(context.scope);
    Symbol bound{.kind = SymbolKind::Place, .at = expr.at};
    bound.place = make_constant(*type, std::string(expr.name), {static_cast<int32_t>(i)}, expr.at);
    inner.declare(expr.name, bound);
    Context inside = context;
    inside.scope = &inner;
    auto part = clauses(*expr.a, inside, is_negated);
    forget(inner);
    result = conjunctive ? all_of(std::move(result), std::move(part), expr.at)
                         : any_of(std::move(result), std::move(part), expr.at);
  }
  unrolled_ /= count;
  return result;
}

std::optional<Elaborator::Clauses> Elaborator::any_of(std::optional<Clauses> a, std::optional<Clauses> b,
                                                      SourceRef at) {
  if (!a || !b) return std::nullopt;
  if (a->size() + b->size() > kMaxClauses) {
    unsupported(at, "a query whose disjunctive form has more than " + std::to_string(kMaxClauses) + " clauses");
    return std::nullopt;
  }
  protect(*b, *a, at);
  a->insert(a->end(), std::make_move_iterator(b->begin()), std::make_move_iterator(b->end()));
  return a;
}

// The right side of a disjunction is evaluated only where the left side does not hold. A clause that can fail says so
// itself, since clauses are taken apart from here on.
void Elaborator::protect(Clauses& right, const Clauses& left, SourceRef at) {
  std::vector<ExprId> otherwise;
  for (const model::Clause& clause : left) {
    if (!clause.clocks.empty() || clause.deadlock != model::DeadlockTest::Ignore) continue;
    ExprId holds = system_.make_const(1, at);
    for (const ExprId condition : clause.conditions) holds = logical(Op::And, holds, condition, at);
    otherwise.push_back(negated(holds, at));
  }
  for (model::Clause& clause : right) {
    if (!model::can_fail(system_, clause)) continue;
    clause.conditions.insert(clause.conditions.begin(), otherwise.begin(), otherwise.end());
  }
}

std::optional<Elaborator::Clauses> Elaborator::all_of(std::optional<Clauses> a, std::optional<Clauses> b,
                                                      SourceRef at) {
  if (!a || !b) return std::nullopt;
  if (a->size() * b->size() > kMaxClauses) {
    unsupported(at, "a query whose disjunctive form has more than " + std::to_string(kMaxClauses) + " clauses");
    return std::nullopt;
  }
  if (b->empty()) {
    // Nothing satisfies both, but the left side may fail.
    std::erase_if(*a, [&](const model::Clause& left) { return !model::can_fail(system_, left); });
    for (model::Clause& left : *a) left.conditions.push_back(system_.make_const(0, at));
    return a;
  }
  using model::DeadlockTest;
  const auto clash = [](const model::Clause& left, const model::Clause& right) {
    return left.deadlock != DeadlockTest::Ignore && right.deadlock != DeadlockTest::Ignore &&
           left.deadlock != right.deadlock;
  };
  const auto join = [](model::Clause& into, const model::Clause& right) {
    into.conditions.insert(into.conditions.end(), right.conditions.begin(), right.conditions.end());
    into.clocks.insert(into.clocks.end(), right.clocks.begin(), right.clocks.end());
    if (into.deadlock == DeadlockTest::Ignore) into.deadlock = right.deadlock;
  };
  if (b->size() == 1) {
    // The usual case, in place: a long conjunction must not be copied at every step.
    std::erase_if(*a, [&](const model::Clause& left) { return clash(left, b->front()); });
    for (model::Clause& left : *a) join(left, b->front());
    return a;
  }
  Clauses result;
  for (const model::Clause& left : *a) {
    diagnostics_->poll();
    for (const model::Clause& right : *b) {
      if (clash(left, right)) continue;
      model::Clause joined = left;
      join(joined, right);
      result.push_back(std::move(joined));
    }
  }
  return result;
}

std::optional<Elaborator::Clauses> Elaborator::compared(const Expr& expr, Context context, bool is_negated) {
  const Operator op = is_negated ? model::complement(expr.op) : expr.op;
  // x != c is x < c or x > c.
  const std::vector<Operator> ops = op == Operator::Ne ? std::vector{Operator::Lt, Operator::Gt} : std::vector{op};
  std::optional<Clauses> result = Clauses{};
  for (const Operator one : ops) {
    const auto differences = comparison(expr, one, context);
    if (!differences) return std::nullopt;
    std::optional<Clauses> conjunct = Clauses{{}};
    for (const ClockDifference& difference : *differences) {
      Clauses choices;
      for (const ClockChoice& left : clock_choices(difference.left, difference.has_left, expr.at)) {
        for (const ClockChoice& right : clock_choices(difference.right, difference.has_right, expr.at)) {
          model::Clause clause;
          if (left.condition.valid()) clause.conditions.push_back(left.condition);
          if (right.condition.valid()) clause.conditions.push_back(right.condition);
          if (model::can_fail(system_, difference.bound)) {
            // What follows protects the bound from nothing: its value is asked for here, where it stands.
            clause.conditions.push_back(system_.make_binary(Op::Eq, difference.bound, difference.bound, expr.at));
          }
          clause.clocks.push_back({{}, left.clock, right.clock, difference.strict, difference.bound, expr.at});
          choices.push_back(std::move(clause));
        }
      }
      conjunct = all_of(std::move(conjunct), std::move(choices), expr.at);
    }
    result = any_of(std::move(result), std::move(conjunct), expr.at);
  }
  return result;
}

}  // namespace harrier::uppaal
