#include "lang/pddl/grounding_formula.h"

#include <algorithm>
#include <iterator>

namespace harrier::pddl {

namespace {

using Kind = Formula::Kind;

// At most so many branches are made of a disjunction, and of several together.
constexpr size_t kMaxBranches = 64;
constexpr size_t kMaxProduct = 16;

Formula truth(bool value) { return {.kind = value ? Kind::And : Kind::Or}; }

// A conjunction or a disjunction.
Formula join(Kind kind, std::vector<Formula> parts) {
  Formula out{.kind = kind};
  for (Formula& part : parts) {
    if (part.parts.empty() && part.kind != kind && (part.is_true() || part.is_false())) return part;
    if (part.kind == kind) {
      std::move(part.parts.begin(), part.parts.end(), std::back_inserter(out.parts));
    } else {
      out.parts.push_back(std::move(part));
    }
  }
  if (out.parts.size() != 1) return out;
  Formula only = std::move(out.parts.front());
  return only;
}

// Disjunctions are drawn out of existential quantifiers, conjunctions out of universal ones: what is inside has fewer
// variables together then.
Formula quantify(Kind kind, const std::vector<uint32_t>& variables, Formula part) {
  const Kind outer = kind == Kind::Exists ? Kind::Or : Kind::And;
  if (part.kind == outer) {
    for (Formula& inner : part.parts) inner = quantify(kind, variables, std::move(inner));
    return join(outer, std::move(part.parts));
  }
  Formula out{.kind = kind, .variables = variables};
  if (part.kind == kind) {
    out.variables.insert(out.variables.end(), part.variables.begin(), part.variables.end());
    out.parts = std::move(part.parts);
  } else {
    out.parts.push_back(std::move(part));
  }
  return out;
}

class Normaliser {
 public:
  explicit Normaliser(const Watch& watch) : watch_(watch) {}

  Formula of(const Condition& condition, bool positive) const {
    watch_.poll();
    switch (condition.kind) {
      case Condition::Kind::And:
      case Condition::Kind::Or: {
        std::vector<Formula> parts;
        for (const Condition& part : condition.parts) parts.push_back(of(part, positive));
        return join((condition.kind == Condition::Kind::And) == positive ? Kind::And : Kind::Or, std::move(parts));
      }
      case Condition::Kind::Not: return of(condition.parts[0], !positive);
      case Condition::Kind::Imply: {
        std::vector<Formula> parts;
        parts.push_back(of(condition.parts[0], !positive));
        parts.push_back(of(condition.parts[1], positive));
        return join(positive ? Kind::Or : Kind::And, std::move(parts));
      }
      case Condition::Kind::Exists:
      case Condition::Kind::Forall:
        return quantify((condition.kind == Condition::Kind::Exists) == positive ? Kind::Exists : Kind::Forall,
                        condition.variables, of(condition.parts[0], positive));
      case Condition::Kind::Holds: return {.kind = Kind::Holds, .positive = positive, .atom = &condition.atom};
      case Condition::Kind::Equal: break;
    }
    const Term& a = condition.atom.arguments[0];
    const Term& b = condition.atom.arguments[1];
    if (a == b) return truth(positive);
    if (!a.variable && !b.variable) return truth(!positive);
    return {.kind = Kind::Equal, .positive = positive, .atom = &condition.atom};
  }

 private:
  const Watch& watch_;
};

void sort_unique(std::vector<uint32_t>& numbers) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

void add_variables(const Atom& atom, std::vector<uint32_t>& out) {
  for (const Term& term : atom.arguments) {
    if (term.variable) out.push_back(term.index);
  }
}

// Also those that are bound inside.
void add_variables(const Formula& formula, std::vector<uint32_t>& used, std::vector<uint32_t>& bound) {
  if (formula.atom != nullptr) add_variables(*formula.atom, used);
  bound.insert(bound.end(), formula.variables.begin(), formula.variables.end());
  for (const Formula& part : formula.parts) add_variables(part, used, bound);
}

std::vector<uint32_t> variables_of(const Branch& branch) {
  std::vector<uint32_t> out;
  for (const Atom* atom : branch.atoms) add_variables(*atom, out);
  for (const Atom* atom : branch.absent) add_variables(*atom, out);
  for (const Comparison& comparison : branch.comparisons) add_variables(*comparison.terms, out);
  for (const Formula* formula : branch.rest) {
    const std::vector<uint32_t> inner = free_variables(*formula);
    out.insert(out.end(), inner.begin(), inner.end());
  }
  sort_unique(out);
  return out;
}

void append(Branch& to, const Branch& from) {
  const auto add = [](auto& out, const auto& in) { out.insert(out.end(), in.begin(), in.end()); };
  add(to.variables, from.variables);
  add(to.atoms, from.atoms);
  add(to.absent, from.absent);
  add(to.comparisons, from.comparisons);
  add(to.rest, from.rest);
}

class Splitter {
 public:
  Splitter(const std::vector<bool>& inhabited, const Watch& watch) : inhabited_(inhabited), watch_(watch) {}

  std::vector<Branch> split(const Formula& formula) const {
    watch_.poll();
    switch (formula.kind) {
      case Kind::And: return conjunction(formula);
      case Kind::Or: return disjunction(formula);
      case Kind::Exists: return existential(formula);
      case Kind::Forall: return {{.rest = {&formula}}};
      case Kind::Holds:
        if (formula.positive) return {{.atoms = {formula.atom}}};
        return {{.absent = {formula.atom}}};
      case Kind::Equal: break;
    }
    return {{.comparisons = {{formula.atom, formula.positive}}}};
  }

 private:
  // Disjunctions with few branches first: as long as there are not too many together, they are multiplied. The first is
  // split in any case, since that makes no more of it than there was.
  std::vector<Branch> conjunction(const Formula& formula) const {
    std::vector<Branch> out{{}};
    std::vector<std::pair<const Formula*, std::vector<Branch>>> several;
    for (const Formula& part : formula.parts) {
      std::vector<Branch> own = split(part);
      if (own.empty()) return {};
      if (own.size() == 1) {
        append(out.front(), own.front());
      } else {
        several.emplace_back(&part, std::move(own));
      }
    }
    std::stable_sort(several.begin(), several.end(),
                     [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    for (const auto& [part, own] : several) {
      if (out.size() > 1 && out.size() * own.size() > kMaxProduct) {
        for (Branch& branch : out) branch.rest.push_back(part);
        continue;
      }
      std::vector<Branch> product;
      for (const Branch& left : out) {
        for (const Branch& right : own) {
          watch_.poll();
          product.push_back(left);
          append(product.back(), right);
        }
      }
      out = std::move(product);
    }
    return out;
  }

  std::vector<Branch> disjunction(const Formula& formula) const {
    std::vector<Branch> out;
    for (const Formula& part : formula.parts) {
      std::vector<Branch> own = split(part);
      if (out.size() + own.size() > kMaxBranches) return {{.rest = {&formula}}};
      std::move(own.begin(), own.end(), std::back_inserter(out));
    }
    return out;
  }

  // A variable that a branch does not speak of only asks for an object.
  std::vector<Branch> existential(const Formula& formula) const {
    for (const uint32_t variable : formula.variables) {
      if (!inhabited_[variable]) return {};
    }
    std::vector<Branch> out = split(formula.parts.front());
    for (Branch& branch : out) {
      const std::vector<uint32_t> used = variables_of(branch);
      for (const uint32_t variable : formula.variables) {
        if (std::binary_search(used.begin(), used.end(), variable)) branch.variables.push_back(variable);
      }
    }
    return out;
  }

  const std::vector<bool>& inhabited_;
  const Watch& watch_;
};

}  // namespace

Formula normal_form(const Condition& condition, const Watch& watch) { return Normaliser(watch).of(condition, true); }

std::vector<uint32_t> free_variables(const Formula& formula) {
  std::vector<uint32_t> used;
  std::vector<uint32_t> bound;
  add_variables(formula, used, bound);
  sort_unique(used);
  sort_unique(bound);
  std::vector<uint32_t> out;
  std::set_difference(used.begin(), used.end(), bound.begin(), bound.end(), std::back_inserter(out));
  return out;
}

std::vector<Branch> branches(const Formula& formula, const std::vector<bool>& inhabited, const Watch& watch) {
  return Splitter(inhabited, watch).split(formula);
}

}  // namespace harrier::pddl
