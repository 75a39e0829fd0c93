#include "lang/pddl/grounding_conditions.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"

namespace harrier::pddl {

namespace {

// Alternatives that a conjunction inside of a condition is multiplied to.
constexpr size_t kMaxAlternatives = 16;
// A conjunction that is longer gets an atom of its own, if so many literals are saved.
constexpr size_t kLongConjunction = 16;
constexpr uint64_t kWorthAnAtom = 10'000;
constexpr uint64_t kMaxAtoms = uint64_t{1} << 31;

bool is_false(const Alternatives& alternatives) { return alternatives.empty(); }

}  // namespace

bool tidy(Literals& literals) {
  std::sort(literals.begin(), literals.end());
  literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
  const auto contradicts = [](LiteralWord a, LiteralWord b) { return atom_of(a) == atom_of(b); };
  return std::adjacent_find(literals.begin(), literals.end(), contradicts) == literals.end();
}

GroundConditions::GroundConditions(const Program& program, Draft& draft, const Watch& watch)
    : program_(program), draft_(draft), watch_(watch) {
  const auto& symbols = program.symbols().symbols;
  uint64_t count = 0;
  for (const auto& symbol : symbols) count += symbol.changing ? symbol.relation->size() : 0;
  if (count >= kMaxAtoms / 2) throw Error(ErrorKind::Unsupported, "unsupported: more than 1,073,741,824 atoms");
  draft.atoms.reserve(count);
  for (uint32_t p = 0; p < symbols.size(); ++p) {
    first_atom_.push_back(static_cast<uint32_t>(draft.atoms.size()));
    if (!symbols[p].changing) continue;
    for (uint32_t tuple = 0; tuple < symbols[p].relation->size(); ++tuple) {
      watch.poll();
      draft.atoms.push_back({p, tuple, program.task().predicates[p].derived, tuple < symbols[p].initial});
    }
  }
}

const uint32_t* GroundConditions::tuple(const Atom& atom, const std::vector<uint32_t>& binding) {
  tuple_.clear();
  for (const Term& term : atom.arguments) tuple_.push_back(term.variable ? binding[term.index] : term.index);
  return tuple_.data();
}

uint32_t GroundConditions::atom(const Atom& atom, const std::vector<uint32_t>& binding) {
  const uint32_t number = program_.symbols().of(atom).relation->find(tuple(atom, binding));
  return number == Relation::kNone ? kNone : first_atom_[atom.predicate] + number;
}

// The atoms that do not change have been joined already.
const Alternatives& GroundConditions::of(const Case& one, const Scope& scope, std::vector<uint32_t>& binding,
                                         uint64_t instances, size_t most) {
  watch_.poll();
  Conjunction all;
  if (!out_.empty()) all.common = std::move(out_.front());
  all.common.clear();
  for (const Atom* present : one.branch.atoms) {
    if (program_.symbols().of(*present).changing) all.common.push_back(literal_word(atom(*present, binding), true));
  }
  for (const Atom* absent : one.branch.absent) {
    if (!program_.symbols().of(*absent).changing) continue;
    const uint32_t number = atom(*absent, binding);
    if (number != kNone) all.common.push_back(literal_word(number, false));
  }
  for (const Formula* formula : one.branch.rest) {
    add(all, shared(*formula, scope, binding, one.terms.size(), instances));
    if (!all.possible) break;
  }
  out_.clear();
  if (all.possible && all.several.empty()) {
    if (tidy(all.common)) out_.push_back(std::move(all.common));
  } else {
    out_ = multiply(std::move(all), most);
  }
  return out_;
}

// Where it does not depend on all variables of a case, the same is asked again and again.
Alternatives GroundConditions::shared(const Formula& formula, const Scope& scope, std::vector<uint32_t>& binding,
                                      size_t variables, uint64_t instances) {
  Expansion& expansion = this->expansion(formula, scope);
  if (expansion.free.size() >= variables) return expand(formula, scope, binding);
  if (expansion.known == nullptr) {
    expansion.known = std::make_unique<Relation>(std::vector<uint32_t>(expansion.free.size()));
  }
  std::vector<uint32_t> key;
  for (const uint32_t variable : expansion.free) key.push_back(binding[variable]);
  const auto [number, added] = expansion.known->add(key.data());
  if (added) {
    Alternatives found = expand(formula, scope, binding);
    if (found.size() == 1 && found.front().size() > kLongConjunction &&
        found.front().size() * instances > kWorthAnAtom) {
      found = {{made_for(found)}};
    }
    expansion.answers.push_back(std::move(found));
  }
  return expansion.answers[number];
}

GroundConditions::Expansion& GroundConditions::expansion(const Formula& formula, const Scope& scope) {
  const auto [found, added] = expansions_.try_emplace(&formula);
  Expansion& out = found->second;
  if (!added) return out;
  out.free = free_variables(formula);
  if (formula.kind == Formula::Kind::Exists || formula.kind == Formula::Kind::Forall) {
    Body body{.domains = scope.domains, .wanted = formula.variables};
    program_.add_necessary(formula.parts.front(), formula.kind == Formula::Kind::Forall, body);
    std::vector<bool> known(scope.domains.size());
    for (const uint32_t variable : out.free) known[variable] = true;
    out.plan = std::make_unique<Plan>(body, std::move(known), Plan::kNoAtom, watch_);
  }
  return out;
}

Alternatives GroundConditions::expand(const Formula& formula, const Scope& scope, std::vector<uint32_t>& binding) {
  watch_.poll();
  switch (formula.kind) {
    case Formula::Kind::And: {
      Conjunction all;
      for (const Formula& part : formula.parts) {
        add(all, expand(part, scope, binding));
        if (!all.possible) return {};
      }
      return multiply(std::move(all), kMaxAlternatives);
    }
    case Formula::Kind::Or: {
      std::vector<Alternatives> parts;
      for (const Formula& part : formula.parts) parts.push_back(expand(part, scope, binding));
      return unite(std::move(parts));
    }
    case Formula::Kind::Exists:
    case Formula::Kind::Forall: return expand_quantifier(formula, scope, binding);
    case Formula::Kind::Holds: return literal(formula, binding);
    case Formula::Kind::Equal: break;
  }
  const uint32_t* values = tuple(*formula.atom, binding);
  return (values[0] == values[1]) == formula.positive ? Alternatives{{}} : Alternatives{};
}

Alternatives GroundConditions::literal(const Formula& formula, const std::vector<uint32_t>& binding) {
  const uint32_t number = atom(*formula.atom, binding);
  if (number == kNone) return formula.positive ? Alternatives{} : Alternatives{{}};
  if (program_.symbols().of(*formula.atom).changing) return {{literal_word(number, formula.positive)}};
  return formula.positive ? Alternatives{{}} : Alternatives{};
}

Alternatives GroundConditions::expand_quantifier(const Formula& formula, const Scope& scope,
                                                 std::vector<uint32_t>& binding) {
  Relation found(std::vector<uint32_t>(formula.variables.size()));
  std::vector<uint32_t> objects(formula.variables.size());
  expansion(formula, scope).plan->run(binding.data(), watch_, [&] {
    for (size_t i = 0; i < objects.size(); ++i) objects[i] = binding[formula.variables[i]];
    found.add(objects.data());
  });
  Conjunction all;
  std::vector<Alternatives> any;
  for (uint32_t number = 0; number < found.size(); ++number) {
    for (size_t i = 0; i < objects.size(); ++i) binding[formula.variables[i]] = found.tuple(number)[i];
    Alternatives part = expand(formula.parts.front(), scope, binding);
    if (formula.kind == Formula::Kind::Exists) {
      any.push_back(std::move(part));
      continue;
    }
    add(all, std::move(part));
    if (!all.possible) return {};
  }
  return formula.kind == Formula::Kind::Exists ? unite(std::move(any)) : multiply(std::move(all), kMaxAlternatives);
}

void GroundConditions::add(Conjunction& to, Alternatives part) {
  if (is_false(part)) {
    to.possible = false;
  } else if (part.size() == 1) {
    to.common.insert(to.common.end(), part.front().begin(), part.front().end());
  } else {
    to.several.push_back(std::move(part));
  }
}

// Those with few alternatives first; for what would make too many, atoms are made.
Alternatives GroundConditions::multiply(Conjunction conjunction, size_t most) {
  if (!conjunction.possible) return {};
  std::stable_sort(conjunction.several.begin(), conjunction.several.end(),
                   [](const Alternatives& a, const Alternatives& b) { return a.size() < b.size(); });
  size_t product = 1;
  size_t multiplied = 0;
  for (const Alternatives& part : conjunction.several) {
    if (product * part.size() > most) break;
    product *= part.size();
    ++multiplied;
  }
  for (size_t i = multiplied; i < conjunction.several.size(); ++i) {
    conjunction.common.push_back(made_for(conjunction.several[i]));
  }
  Alternatives out{std::move(conjunction.common)};
  for (size_t i = 0; i < multiplied; ++i) {
    Alternatives next;
    for (const Literals& left : out) {
      for (const Literals& right : conjunction.several[i]) {
        next.push_back(left);
        next.back().insert(next.back().end(), right.begin(), right.end());
      }
    }
    out = std::move(next);
  }
  std::erase_if(out, [](Literals& literals) { return !tidy(literals); });
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Alternatives GroundConditions::unite(std::vector<Alternatives> parts) const {
  Alternatives out;
  for (Alternatives& part : parts) {
    watch_.poll();
    std::move(part.begin(), part.end(), std::back_inserter(out));
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  if (!out.empty() && out.front().empty()) return {{}};
  return out;
}

LiteralWord GroundConditions::made_for(const Alternatives& alternatives) {
  std::u32string key;
  for (const Literals& literals : alternatives) {
    key.append(literals.begin(), literals.end());
    key.push_back(UINT32_MAX);
  }
  const auto [found, added] = made_.try_emplace(std::move(key), static_cast<uint32_t>(draft_.atoms.size()));
  if (added) {
    draft_.atoms.push_back({.derived = true});
    for (const Literals& literals : alternatives) draft_.axioms.push_back({draft_.add(literals), found->second});
  }
  return literal_word(found->second, true);
}

}  // namespace harrier::pddl
