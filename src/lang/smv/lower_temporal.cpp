// Specifications about paths.
#include "lang/smv/lower.h"

namespace harrier::smv {

using model::FormulaKind;

void PropertyLowering::refuse_large(TermId term, SourceRef at) {
  if (is_too_large(terms_[term])) flat_.values.refuse(at, "a formula that is so large");
}

model::ExprId PropertyLowering::condition(TermId term) {
  Lowering lowering(terms_, system_);
  return lowering.expr(term);
}

std::vector<std::vector<model::Clause>> PropertyLowering::sets(const std::vector<TermId>& terms) {
  std::vector<std::vector<model::Clause>> out;
  for (const TermId term : terms) {
    refuse_large(term, terms_[term].at);
    out.push_back(clauses(term));
  }
  return out;
}

model::Property PropertyLowering::linear(const Spec& spec, TermId accepting, const std::vector<TermId>& justice) {
  model::Property out = named(spec);
  out.kind = model::PropertyKind::Liveness;
  out.accepting = sets({accepting});
  for (std::vector<model::Clause>& set : sets(justice)) out.accepting.push_back(std::move(set));
  return out;
}

model::Property PropertyLowering::branching(const Spec& spec, const std::vector<TermId>& justice) {
  model::Property out = named(spec);
  out.kind = model::PropertyKind::Branching;
  out.accepting = sets(justice);
  nodes_.clear();
  known_.clear();
  const uint32_t root = node(*spec.formula, true);
  // The whole comes last.
  if (root + 1 != nodes_.size()) add(FormulaKind::And, root, root);
  out.formula = std::move(nodes_);
  return out;
}

uint32_t PropertyLowering::add(FormulaKind kind, uint32_t a, uint32_t b) {
  nodes_.push_back({.kind = kind, .a = a, .b = b});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t PropertyLowering::state_node(TermId term) {
  refuse_large(term, terms_[term].at);
  nodes_.push_back({.kind = FormulaKind::State, .condition = condition(term)});
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t PropertyLowering::node(const Formula& f, bool negation) {
  diagnostics_.poll();
  const auto found = known_.find({&f, negation});
  if (found != known_.end()) return found->second;
  const auto of = [&](size_t part, bool not_so) { return node(*f.parts[part], not_so); };
  const auto join = [&](bool all, uint32_t a, uint32_t b) {
    return add(all ? FormulaKind::And : FormulaKind::Or, a, b);
  };
  // a and b, or neither; or exactly one.
  const auto same = [&](bool not_so) {
    const uint32_t with = join(true, of(0, false), of(1, not_so));
    return join(false, with, join(true, of(0, true), of(1, !not_so)));
  };
  uint32_t out = 0;
  switch (f.kind) {
    case Formula::Kind::State: out = state_node(negation ? negated(f.state) : f.state); break;
    case Formula::Kind::Not: out = of(0, !negation); break;
    case Formula::Kind::And:
    case Formula::Kind::Or:
      out = of(0, negation);
      for (size_t i = 1; i < f.parts.size(); ++i) {
        out = join((f.kind == Formula::Kind::And) != negation, out, of(i, negation));
      }
      break;
    case Formula::Kind::Implies: {
      const uint32_t a = of(0, !negation);
      out = join(negation, a, of(1, negation));
      break;
    }
    case Formula::Kind::Iff: out = same(negation); break;
    case Formula::Kind::Xor: out = same(!negation); break;
    case Formula::Kind::Temporal: out = temporal_node(f, negation); break;
  }
  known_[{&f, negation}] = out;
  return out;
}

// !E[a U b] is A[!b W !a & !b], and !A[a U b] is E[!b W !a & !b].
uint32_t PropertyLowering::temporal_node(const Formula& f, bool negation) {
  const uint32_t a = node(*f.parts[0], negation);
  const auto before_ever = [&](FormulaKind kind) {
    const uint32_t always = state_node(terms_.truth(true));
    return add(kind, always, a);
  };
  const auto for_ever = [&](FormulaKind kind) {
    const uint32_t never = state_node(terms_.truth(false));
    return add(kind, a, never);
  };
  const auto until = [&](FormulaKind plain, FormulaKind otherwise) {
    const uint32_t b = node(*f.parts[1], negation);
    return negation ? add(otherwise, b, add(FormulaKind::And, a, b)) : add(plain, a, b);
  };
  switch (f.temporal) {
    case Temporal::EX: return add(negation ? FormulaKind::AllNext : FormulaKind::SomeNext, a);
    case Temporal::AX: return add(negation ? FormulaKind::SomeNext : FormulaKind::AllNext, a);
    case Temporal::EF: return negation ? for_ever(FormulaKind::AllWeak) : before_ever(FormulaKind::SomeUntil);
    case Temporal::AF: return negation ? for_ever(FormulaKind::SomeWeak) : before_ever(FormulaKind::AllUntil);
    case Temporal::EG: return negation ? before_ever(FormulaKind::AllUntil) : for_ever(FormulaKind::SomeWeak);
    case Temporal::AG: return negation ? before_ever(FormulaKind::SomeUntil) : for_ever(FormulaKind::AllWeak);
    case Temporal::EU: return until(FormulaKind::SomeUntil, FormulaKind::AllWeak);
    case Temporal::AU: return until(FormulaKind::AllUntil, FormulaKind::SomeWeak);
    default: flat_.values.refuse(f.at, "this operator in a formula of branching time");
  }
}

}  // namespace harrier::smv
