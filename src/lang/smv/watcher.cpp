#include "lang/smv/watcher.h"

#include <algorithm>
#include <string>

#include "lang/ltl/buchi.h"

namespace harrier::smv {

using ltl::Buchi;
using ltl::Formulas;
using Kind = Formula::Kind;

namespace {

bool is_past_operator(Temporal op) {
  switch (op) {
    case Temporal::Y:
    case Temporal::Z:
    case Temporal::O:
    case Temporal::H:
    case Temporal::S:
    case Temporal::T: return true;
    default: return false;
  }
}

bool has_future(const Formula& formula) {
  if (formula.kind == Kind::Temporal && !is_past_operator(formula.temporal)) return true;
  return std::any_of(formula.parts.begin(), formula.parts.end(), [](const FormulaPtr& f) { return has_future(*f); });
}

}  // namespace

// The name is a keyword, which no variable of the model has.
uint32_t Watcher::add_variable(Type type, int32_t hi, int32_t initially, SourceRef at) {
  const auto number = static_cast<uint32_t>(flat_.variables.size());
  flat_.variables.push_back({.name = "LTLSPEC." + std::to_string(added_++), .type = type, .hi = hi, .at = at});
  flat_.variables.back().watches = true;
  flat_.assignments.push_back(
      {.variable = number, .time = AssignTime::Init, .value = {type, terms_.constant(initially)}, .at = at});
  return number;
}

// Whoever runs.
void Watcher::assign_next(uint32_t variable, TermId value, SourceRef at) {
  for (uint32_t process = 0; process < flat_.processes.size(); ++process) {
    flat_.assignments.push_back({.variable = variable,
                                 .time = AssignTime::Next,
                                 .process = process,
                                 .value = {flat_.variables[variable].type, value},
                                 .at = at});
  }
}

TermId Watcher::remembered(TermId condition, bool initially, SourceRef at) {
  const uint32_t variable = add_variable({TypeKind::Boolean}, 1, initially ? 1 : 0, at);
  assign_next(variable, condition, at);
  return flat_.current(variable);
}

TermId Watcher::in_states(TermId condition, SourceRef at) {
  const bool about_steps = (terms_[condition].mentions & (kMentionsInput | kMentionsRunning)) != 0;
  return about_steps ? remembered(condition, false, at) : condition;
}

std::vector<TermId> Watcher::justice() {
  std::vector<TermId> out;
  const std::vector<Constraint> all = flat_.constraints;
  for (const Constraint& constraint : all) {
    if (constraint.kind != ConstraintKind::Justice || terms_.is_true(constraint.term)) continue;
    out.push_back(in_states(constraint.term, constraint.at));
  }
  return out;
}

Formulas::Id Watcher::atom(TermId term, bool negated) {
  if (terms_.is_const(term)) return formulas_.constant(terms_.is_true(term) != negated);
  const auto [at, fresh] = atom_numbers_.emplace(term.value, static_cast<uint32_t>(atoms_.size()));
  if (fresh) atoms_.push_back(term);
  return formulas_.literal(at->second, negated);
}

// GF p -> GF q
Formulas::Id Watcher::compassion(const Constraint& constraint) {
  const Formulas::Id never =
      formulas_.eventually(formulas_.always(atom(in_states(constraint.term, constraint.at), true)));
  const Formulas::Id again =
      formulas_.always(formulas_.eventually(atom(in_states(constraint.second, constraint.at), false)));
  return formulas_.either(never, again);
}

TermId Watcher::past(const Formula& f) {
  diagnostics_.poll();
  if (f.kind == Kind::State) return f.state;
  if (const auto known = past_.find(&f); known != past_.end()) return known->second;
  std::vector<TermId> parts;
  for (const FormulaPtr& part : f.parts) parts.push_back(past(*part));
  const auto implies = [&](size_t a, size_t b) { return terms_.either(terms_.negation(parts[a]), parts[b]); };
  TermId out;
  switch (f.kind) {
    case Kind::State: break;
    case Kind::Not: out = terms_.negation(parts[0]); break;
    case Kind::And: out = terms_.all_of(parts, f.at); break;
    case Kind::Or: out = terms_.any_of(parts, f.at); break;
    case Kind::Implies: out = implies(0, 1); break;
    case Kind::Iff: out = terms_.both(implies(0, 1), implies(1, 0)); break;
    case Kind::Xor: out = terms_.negation(terms_.both(implies(0, 1), implies(1, 0))); break;
    case Kind::Temporal: out = past_operator(f, parts); break;
  }
  past_[&f] = out;
  return out;
}

// O p is `p | before`, where a variable has O p one step ago; the others likewise.
TermId Watcher::past_operator(const Formula& f, const std::vector<TermId>& parts) {
  if (f.temporal == Temporal::Y) return remembered(parts[0], false, f.at);
  if (f.temporal == Temporal::Z) return remembered(parts[0], true, f.at);
  const bool initially = f.temporal == Temporal::H || f.temporal == Temporal::T;
  const uint32_t variable = add_variable({TypeKind::Boolean}, 1, initially ? 1 : 0, f.at);
  const TermId before = flat_.current(variable);
  TermId now;
  switch (f.temporal) {
    case Temporal::O: now = terms_.either(parts[0], before); break;
    case Temporal::H: now = terms_.both(parts[0], before); break;
    case Temporal::S: now = terms_.either(parts[1], terms_.both(parts[0], before)); break;
    case Temporal::T: now = terms_.both(parts[1], terms_.either(parts[0], before)); break;
    default: flat_.values.refuse(f.at, "this operator about the past");
  }
  assign_next(variable, now, f.at);
  return now;
}

Formulas::Id Watcher::formula(const Formula& f, bool negated) {
  diagnostics_.poll();
  if (!has_future(f)) return atom(past(f), negated);
  const auto of = [&](size_t part, bool not_so) { return formula(*f.parts[part], not_so); };
  const auto same = [&](bool not_so) {
    const Formulas::Id both = formulas_.both(of(0, false), of(1, not_so));
    return formulas_.either(both, formulas_.both(of(0, true), of(1, !not_so)));
  };
  switch (f.kind) {
    case Kind::State: break;  // it has no future
    case Kind::Not: return of(0, !negated);
    case Kind::And:
    case Kind::Or: {
      const bool all = (f.kind == Kind::And) != negated;
      Formulas::Id out = of(0, negated);
      for (size_t i = 1; i < f.parts.size(); ++i) {
        const Formulas::Id part = of(i, negated);
        out = all ? formulas_.both(out, part) : formulas_.either(out, part);
      }
      return out;
    }
    case Kind::Implies: {
      const Formulas::Id a = of(0, !negated);
      const Formulas::Id b = of(1, negated);
      return negated ? formulas_.both(a, b) : formulas_.either(a, b);
    }
    case Kind::Iff: return same(negated);
    case Kind::Xor: return same(!negated);
    case Kind::Temporal: break;
  }
  return temporal(f, negated);
}

Formulas::Id Watcher::temporal(const Formula& f, bool negated) {
  if (is_past_operator(f.temporal)) flat_.values.refuse(f.at, "the future inside of a formula about the past");
  const Formulas::Id a = formula(*f.parts[0], negated);
  switch (f.temporal) {
    case Temporal::X: return formulas_.next(a);
    case Temporal::G: return negated ? formulas_.eventually(a) : formulas_.always(a);
    case Temporal::F: return negated ? formulas_.always(a) : formulas_.eventually(a);
    case Temporal::U:
    case Temporal::V: {
      const Formulas::Id b = formula(*f.parts[1], negated);
      return (f.temporal == Temporal::U) != negated ? formulas_.until(a, b) : formulas_.release(a, b);
    }
    default: flat_.values.refuse(f.at, "this operator in a formula of linear time");
  }
}

// Its state is a variable. The automaton reads a state of the model when the model leaves it:
//   (state = s) -> (guard & next(state) = t) | …
TermId Watcher::automaton(const Formula& violated) {
  Formulas::Id all = formula(violated, true);
  const std::vector<Constraint> constraints = flat_.constraints;
  for (const Constraint& constraint : constraints) {
    if (constraint.kind == ConstraintKind::Compassion) all = formulas_.both(all, compassion(constraint));
  }
  const std::optional<Buchi> made = translate(formulas_, all, diagnostics_.watch());
  if (!made) flat_.values.refuse(violated.at, "a formula whose automaton is as large as this one's");
  const SourceRef at = violated.at;
  const auto count = static_cast<int32_t>(made->states.size());
  const uint32_t variable = add_variable({TypeKind::Integer}, count - 1, 0, at);
  const TermId now = flat_.current(variable);
  const TermId next = flat_.next(variable);
  const auto is = [&](TermId state, size_t number) {
    return terms_.equal(state, terms_.constant(static_cast<int32_t>(number)), at);
  };
  std::vector<TermId> accepting;
  for (size_t s = 0; s < made->states.size(); ++s) {
    diagnostics_.poll();
    const Buchi::State& state = made->states[s];
    if (state.accepting || state.universal) accepting.push_back(is(now, s));
    std::vector<TermId> moves;
    if (state.universal) moves.push_back(is(next, s));
    for (const Buchi::Transition& transition : state.transitions) {
      std::vector<TermId> parts;
      for (const Buchi::Literal& literal : transition.guard) {
        const TermId term = atoms_[literal.atom];
        parts.push_back(literal.negated ? terms_.negation(term, at) : term);
      }
      parts.push_back(is(next, transition.target));
      moves.push_back(terms_.all_of(std::move(parts), at));
    }
    const TermId rule = terms_.either(terms_.negation(is(now, s), at), terms_.any_of(std::move(moves), at), at);
    flat_.constraints.push_back({.kind = ConstraintKind::Trans, .term = rule, .at = at});
  }
  return terms_.any_of(std::move(accepting), at);
}

}  // namespace harrier::smv
