// Specifications as properties: those that say that something always holds, never does, or can happen.
//
//   INVARSPEC p, AG p, G p   no reachable state has !p
//   !EF p, !F p              no reachable state has p; with fairness, as the above, one that a fair path leads through
//   EF p, !AG p              some reachable state has p, or !p. That is so only with one initial state: a specification
//                            has to hold in all of them; and without fairness. Else it is one about paths
#include "lang/smv/lower.h"

namespace harrier::smv {

using model::Op;

PropertyLowering::PropertyLowering(FlatModel& flat, model::System& system, Diagnostics& diagnostics)
    : terms_(flat.values.terms()), flat_(flat), system_(system), diagnostics_(diagnostics) {
  for (const Constraint& constraint : flat_.constraints) {
    compassion_ = compassion_ || constraint.kind == ConstraintKind::Compassion;
    fair_ = fair_ || compassion_ || (constraint.kind == ConstraintKind::Justice && !terms_.is_true(constraint.term));
  }
}

// Negations go inwards, so that the goal of a search is in parts.
TermId PropertyLowering::negated(TermId id, int depth) {
  const Term term = terms_[id];
  const bool connective = terms_.is_node(id, Op::And) || terms_.is_node(id, Op::Or);
  if (!connective || depth > 100) return terms_.negation(id, term.at);
  const TermId a = negated(term.a, depth + 1);
  const TermId b = negated(term.b, depth + 1);
  return terms_.make(term.op == Op::And ? Op::Or : Op::And, a, b, term.at);
}

// What a formula, or its negation, says.
PropertyLowering::Reading PropertyLowering::read(const Formula& formula, bool negation) {
  using enum Formula::Kind;
  if (formula.kind == Not) return read(*formula.parts[0], !negation);
  const bool all = formula.kind == And && !negation;
  if (all || (formula.kind == Or && negation)) {
    // AG p & AG q
    std::vector<TermId> parts;
    for (const FormulaPtr& part : formula.parts) {
      const Reading reading = read(*part, negation);
      if (reading.shape != Shape::Always) return {};
      parts.push_back(reading.term);
    }
    return {Shape::Always, terms_.all_of(std::move(parts), formula.at)};
  }
  if (formula.kind != Temporal || formula.parts[0]->kind != State) return {};
  const TermId state = formula.parts[0]->state;
  switch (formula.temporal) {
    case Temporal::AG: return {negation ? Shape::Sometimes : Shape::Always, negation ? negated(state) : state};
    case Temporal::EF: return {negation ? Shape::Always : Shape::Sometimes, negation ? negated(state) : state};
    case Temporal::G: return negation ? Reading{} : Reading{Shape::Always, state};
    case Temporal::F: return negation ? Reading{Shape::Always, negated(state)} : Reading{};
    default: return {};
  }
}

PropertyLowering::Reading PropertyLowering::read_spec(const Spec& spec) {
  if (!spec.formula) return {};
  if (spec.kind != SpecKind::Invariant) return read(*spec.formula, false);
  return {Shape::Always, spec.formula->state};
}

std::unique_ptr<const Formula> PropertyLowering::always(const Spec& spec) {
  const Reading reading = read_spec(spec);
  if (reading.shape != Shape::Always) return nullptr;
  auto state = std::make_unique<Formula>();
  state->state = reading.term;
  state->at = spec.at;
  auto out = std::make_unique<Formula>();
  out->kind = Formula::Kind::Temporal;
  out->temporal = Temporal::G;
  out->at = spec.at;
  out->parts.push_back(std::move(state));
  return out;
}

SpecForm PropertyLowering::form(const Spec& spec) {
  if (!spec.refusal.empty()) return SpecForm::Refused;
  const Reading reading = read_spec(spec);
  const bool exact = reading.shape == Shape::Always || (!system_.beginning.valid() && !fair_);
  if (reading.shape != Shape::None && exact) {
    return is_too_large(terms_[reading.term]) ? SpecForm::Refused : SpecForm::States;
  }
  if (spec.kind == SpecKind::Ltl) return SpecForm::Linear;
  return compassion_ ? SpecForm::Refused : SpecForm::Branching;
}

// Of a specification that is refused.
std::string PropertyLowering::why_not(const Spec& spec, const Reading& reading) const {
  if (!spec.refusal.empty()) return spec.refusal;
  if (reading.shape == Shape::Always) return "a formula that is so large";
  return compassion_ ? "a formula of CTL with COMPASSION" : "a formula that is so large";
}

model::Property PropertyLowering::named(const Spec& spec) {
  model::Property out;
  out.text = spec.text;
  out.name = spec.name;
  out.at = spec.at;
  return out;
}

model::Property PropertyLowering::refused(const Spec& spec, const model::System& system, const Diagnostic& why) {
  model::Property out = named(spec);
  out.refusal = model::Refusal{ErrorKind::Unsupported, format_diagnostic(system.sources, why)};
  return out;
}

std::vector<model::Clause> PropertyLowering::clauses(TermId root) {
  if (terms_.is_false(root)) return {};
  model::Clause clause;
  Lowering lowering(terms_, system_);
  std::vector<TermId> open{root};
  while (!open.empty()) {
    const TermId id = open.back();
    open.pop_back();
    if (terms_.is_node(id, Op::And)) {
      open.insert(open.end(), {terms_[id].b, terms_[id].a});
    } else if (!terms_.is_true(id)) {
      clause.conditions.push_back(lowering.expr(id));
    }
  }
  return {std::move(clause)};
}

model::Property PropertyLowering::reached(const Spec& spec) {
  if (!spec.refusal.empty() || is_too_large(terms_[spec.formula->state])) {
    return refused(spec, system_, {Severity::Unsupported, spec.at, why_not(spec, {Shape::Always, {}})});
  }
  model::Property out = named(spec);
  out.goal = clauses(spec.formula->state);
  return out;
}

model::Property PropertyLowering::states(const Spec& spec) {
  const Reading reading = read_spec(spec);
  if (form(spec) == SpecForm::Refused) {
    return refused(spec, system_, {Severity::Unsupported, spec.at, why_not(spec, reading)});
  }
  model::Property out = named(spec);
  const bool always = reading.shape == Shape::Always;
  out.kind = always ? model::PropertyKind::Invariant : model::PropertyKind::Reachable;
  out.goal = clauses(always ? negated(reading.term) : reading.term);
  out.on_fair_paths = always && fair_ && spec.kind != SpecKind::Invariant;
  return out;
}

}  // namespace harrier::smv
