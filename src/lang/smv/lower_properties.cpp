// Specifications as properties: those that say that something always holds, or never does.
//
//   INVARSPEC p, AG p, G p          no reachable state has !p
//   !EF p, !F p                     no reachable state has p
//   EF p, !AG p                     some reachable state has p, or !p; only with one initial state: a specification has
//   to
//                                   hold in all of them
#include "lang/smv/lower.h"

namespace harrier::smv {

using model::Op;

namespace {

class PropertyLowering {
 public:
  PropertyLowering(FlatModel& flat, model::System& system, Diagnostics& diagnostics)
      : terms_(flat.values.terms()), flat_(flat), system_(system), diagnostics_(diagnostics) {}

  std::vector<model::Property> run();

 private:
  enum class Shape : uint8_t { None, Always, Sometimes };
  struct Reading {
    Shape shape = Shape::None;
    TermId term;
  };
  Reading read(const Formula& formula, bool negated);
  Reading read_spec(const Spec& spec);
  TermId negated(TermId term, int depth);
  model::Property property(const Spec& spec);
  std::string why_not(const Spec& spec, const Reading& reading);
  std::vector<model::Clause> goal(TermId term);

  Terms& terms_;
  FlatModel& flat_;
  model::System& system_;
  Diagnostics& diagnostics_;
  bool fair_ = false;    // there are fairness constraints
  bool warned_ = false;  // that they are left out
};

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
    case Temporal::AG: return {negation ? Shape::Sometimes : Shape::Always, negation ? negated(state, 0) : state};
    case Temporal::EF: return {negation ? Shape::Always : Shape::Sometimes, negation ? negated(state, 0) : state};
    case Temporal::G: return negation ? Reading{} : Reading{Shape::Always, state};
    case Temporal::F: return negation ? Reading{Shape::Always, negated(state, 0)} : Reading{};
    default: return {};
  }
}

PropertyLowering::Reading PropertyLowering::read_spec(const Spec& spec) {
  if (!spec.formula) return {};
  if (spec.kind != SpecKind::Invariant) return read(*spec.formula, false);
  return {Shape::Always, spec.formula->state};
}

// Empty: it can be checked.
std::string PropertyLowering::why_not(const Spec& spec, const Reading& reading) {
  if (!spec.refusal.empty()) return spec.refusal;
  if (reading.shape == Shape::None) {
    return spec.kind == SpecKind::Ltl ? "a formula of LTL that is neither G p nor !F p"
                                      : "a formula of CTL that is none of AG p, EF p, !EF p and !AG p";
  }
  if (reading.shape == Shape::Sometimes && system_.beginning.valid()) {
    return "EF p, or !AG p, in a model with several initial states";
  }
  if (reading.shape == Shape::Sometimes && fair_) return "EF p, or !AG p, in a model with fairness constraints";
  if (is_too_large(terms_[reading.term])) return "a formula that is so large";
  return {};
}

std::vector<model::Clause> PropertyLowering::goal(TermId root) {
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

model::Property PropertyLowering::property(const Spec& spec) {
  model::Property out;
  out.text = spec.text;
  out.name = spec.name;
  out.at = spec.at;
  const Reading reading = read_spec(spec);
  if (const std::string reason = why_not(spec, reading); !reason.empty()) {
    const Diagnostic refused{Severity::Unsupported, spec.at, reason};
    out.refusal = model::Refusal{ErrorKind::Unsupported, format_diagnostic(system_.sources, refused)};
    return out;
  }
  const bool always = reading.shape == Shape::Always;
  out.kind = always ? model::PropertyKind::Invariant : model::PropertyKind::Reachable;
  out.goal = goal(always ? negated(reading.term, 0) : reading.term);
  if (always && fair_ && spec.kind != SpecKind::Invariant && !warned_) {
    warned_ = true;
    diagnostics_.warning(spec.at,
                         "fairness constraints are left out of AG p, G p, !EF p and !F p: a state counts also where no "
                         "fair path leads through it");
  }
  return out;
}

std::vector<model::Property> PropertyLowering::run() {
  for (const Constraint& constraint : flat_.constraints) {
    fair_ = fair_ || constraint.kind == ConstraintKind::Justice || constraint.kind == ConstraintKind::Compassion;
  }
  std::vector<model::Property> out;
  for (const Spec& spec : flat_.specs) {
    diagnostics_.poll();
    out.push_back(property(spec));
  }
  return out;
}

}  // namespace

std::vector<model::Property> lower_properties(FlatModel& flat, model::System& system, Diagnostics& diagnostics) {
  return PropertyLowering(flat, system, diagnostics).run();
}

}  // namespace harrier::smv
