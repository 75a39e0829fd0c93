#include "lang/promela/ltl.h"

#include <algorithm>

#include "lang/promela/expression_text.h"
#include "model/operators.h"

namespace harrier::promela {

namespace {

Formulas::Id atom(const ExprNode& e, bool negated, Formulas& f, Atoms& atoms) {
  if (e.kind == ExprKind::Number) return f.constant((e.value != 0) != negated);
  const std::string text = text_of(e);
  const auto at = std::find(atoms.texts.begin(), atoms.texts.end(), text);
  const auto number = static_cast<uint32_t>(at - atoms.texts.begin());
  if (at == atoms.texts.end()) {
    atoms.expressions.push_back(&e);
    atoms.texts.push_back(text);
  }
  return f.literal(number, negated);
}

}  // namespace

Formulas::Id formula_of(const ExprNode& e, bool negated, Formulas& f, Atoms& atoms) {
  const auto of = [&](const ExprPtr& part, bool not_so) { return formula_of(*part, not_so, f, atoms); };
  if (e.kind == ExprKind::Unary && e.op == Op::Not) return of(e.a, !negated);
  if (e.kind == ExprKind::Binary && model::is_connective(e.op)) {
    const Formulas::Id a = of(e.a, negated);
    const Formulas::Id b = of(e.b, negated);
    return (e.op == Op::And) != negated ? f.both(a, b) : f.either(a, b);
  }
  if (e.kind != ExprKind::Temporal) return atom(e, negated, f, atoms);
  switch (e.temporal) {
    case Temporal::Implies: {
      const Formulas::Id a = of(e.a, !negated);
      const Formulas::Id b = of(e.b, negated);
      return negated ? f.both(a, b) : f.either(a, b);
    }
    case Temporal::Equivalent: {
      const Formulas::Id same = f.both(of(e.a, false), of(e.b, negated));
      return f.either(same, f.both(of(e.a, true), of(e.b, !negated)));
    }
    case Temporal::Always:
    case Temporal::Eventually: {
      const Formulas::Id a = of(e.a, negated);
      return (e.temporal == Temporal::Always) != negated ? f.always(a) : f.eventually(a);
    }
    case Temporal::Next: return f.next(of(e.a, negated));
    case Temporal::Until:
    case Temporal::Release: {
      const Formulas::Id a = of(e.a, negated);
      const Formulas::Id b = of(e.b, negated);
      return (e.temporal == Temporal::Until) != negated ? f.until(a, b) : f.release(a, b);
    }
    case Temporal::WeakUntil: {
      // a W b: b releases (a or b).
      const Formulas::Id a = of(e.a, negated);
      const Formulas::Id b = of(e.b, negated);
      return negated ? f.until(b, f.both(a, b)) : f.release(b, f.either(a, b));
    }
  }
  return atom(e, negated, f, atoms);
}

}  // namespace harrier::promela
