// Specifications: temporal formulas over state formulas.
#include <algorithm>

#include "lang/smv/flattener.h"

namespace harrier::smv {

namespace {

std::optional<Formula::Kind> connective_of(ExprKind kind) {
  switch (kind) {
    case ExprKind::Not: return Formula::Kind::Not;
    case ExprKind::And: return Formula::Kind::And;
    case ExprKind::Or: return Formula::Kind::Or;
    case ExprKind::Implies: return Formula::Kind::Implies;
    case ExprKind::Iff:
    case ExprKind::Xnor: return Formula::Kind::Iff;
    case ExprKind::Xor: return Formula::Kind::Xor;
    default: return std::nullopt;
  }
}

}  // namespace

bool Flattener::is_temporal(ExprPtr expr) {
  return expr->kind == ExprKind::Temporal || std::any_of(expr->args.begin(), expr->args.end(), is_temporal);
}

FormulaPtr Flattener::formula(ExprPtr expr, Instance& scope, SpecKind kind) {
  diagnostics_.poll();
  auto out = std::make_unique<Formula>();
  out->at = expr->at;
  if (!is_temporal(expr)) {
    const Value value = evaluated(expr, scope);
    const uint8_t mentions = value.set ? uint8_t{0} : values_.terms()[value.term].mentions;
    if (kind == SpecKind::Ltl && (mentions & kMentionsInput) != 0) {
      values_.refuse(expr->at, "input variables in a formula of LTL");
    }
    forbid(value, kMentionsInput | kMentionsRunning, expr->at, "a specification");
    if ((mentions & kMentionsNext) != 0) values_.refuse(expr->at, "'next' in a specification");
    out->state = values_.to_boolean(value, expr->at);
    return out;
  }
  if (expr->kind == ExprKind::Temporal) {
    out->kind = Formula::Kind::Temporal;
    out->temporal = expr->temporal;
  } else if (const auto connective = connective_of(expr->kind)) {
    out->kind = *connective;
  } else {
    values_.fail(expr->at, "a temporal operator inside of an expression");
  }
  for (const ExprPtr part : expr->args) out->parts.push_back(formula(part, scope, kind));
  return out;
}

void Flattener::specify(Instance& instance, const SpecNode& node) {
  Spec spec{.kind = node.kind, .text = node.text, .name = node.name, .refusal = {}, .formula = nullptr, .at = node.at};
  if (!instance.path.empty()) {
    const std::string where = instance.path.substr(0, instance.path.size() - 1);
    spec.text += " IN " + where;
    if (!spec.name.empty()) spec.name = instance.path + spec.name;
  }
  if (node.kind == SpecKind::Other) {
    spec.refusal = node.keyword;
  } else {
    // What is not supported concerns this specification alone.
    std::vector<Diagnostic> before = diagnostics_.take();
    Diagnostics own(diagnostics_.watch());
    std::swap(own, diagnostics_);
    try {
      spec.formula = formula(node.formula, instance, node.kind);
    } catch (const Failure&) {
      spec.formula = nullptr;
    }
    std::swap(own, diagnostics_);
    for (Diagnostic& diagnostic : before) diagnostics_.add(std::move(diagnostic));
    if (own.only_unsupported()) {
      spec.refusal = own.all().front().message;
      spec.at = own.all().front().at;
    } else {
      for (Diagnostic& diagnostic : own.take()) diagnostics_.add(std::move(diagnostic));
    }
  }
  out_.specs.push_back(std::move(spec));
}

}  // namespace harrier::smv
