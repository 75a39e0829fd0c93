#include "lang/pddl/lifted_formula.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/hash.h"

namespace harrier::pddl::lifted {

namespace {

constexpr size_t kFewRows = 8;      // it is not worth while to choose among them
constexpr size_t kMostParts = 256;  // that a conjunction comes to when the disjunctions in it are multiplied

uint64_t hash_of(std::span<const uint32_t> row) {
  uint64_t hash = 0;
  for (const uint32_t value : row) hash = mix64(hash ^ (uint64_t{value} + 1)) + hash;
  return hash;
}

bool is_bound(std::span<const uint32_t> variables, const Binding& binding) {
  return std::all_of(variables.begin(), variables.end(), [&](uint32_t v) { return binding.objects[v] != kNone; });
}

void sort_unique(std::vector<uint32_t>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

// From those of the parts.
void find_free(Formula& formula) {
  std::vector<uint32_t> all;
  for (const Formula& part : formula.parts) all.insert(all.end(), part.free.begin(), part.free.end());
  sort_unique(all);
  std::vector<uint32_t> bound = formula.variables;
  sort_unique(bound);
  formula.free.clear();
  std::set_difference(all.begin(), all.end(), bound.begin(), bound.end(), std::back_inserter(formula.free));
}

// Of one part, it is that part.
Formula join(Formula::Kind kind, std::vector<Formula> parts, const Condition* source) {
  if (parts.size() == 1) return std::move(parts.front());
  Formula out{.kind = kind, .parts = {}, .variables = {}, .free = {}, .source = source};
  for (Formula& part : parts) {
    if (part.kind != kind) {
      out.parts.push_back(std::move(part));
      continue;
    }
    for (Formula& inner : part.parts) out.parts.push_back(std::move(inner));
  }
  find_free(out);
  return out;
}

// A conjunction, with the variables that objects have to be found for.
struct Way {
  std::vector<uint32_t> variables;
  std::vector<Formula> parts;
};

// Parts have to do with each other if there is a variable in both.
void find_apart(Formula& exists) {
  std::vector<uint32_t> reached(exists.variables.begin(),
                                exists.variables.begin() + static_cast<ptrdiff_t>(exists.wanted));
  sort_unique(reached);
  std::vector<uint32_t> bound = exists.variables;
  sort_unique(bound);
  exists.apart.assign(exists.parts.size(), true);
  for (bool more = true; more;) {
    more = false;
    for (size_t p = 0; p < exists.parts.size(); ++p) {
      const std::vector<uint32_t>& free = exists.parts[p].free;
      const auto is_reached = [&](uint32_t v) { return std::binary_search(reached.begin(), reached.end(), v); };
      if (!exists.apart[p] || std::none_of(free.begin(), free.end(), is_reached)) continue;
      exists.apart[p] = false;
      more = true;
      std::set_intersection(free.begin(), free.end(), bound.begin(), bound.end(), std::back_inserter(reached));
      sort_unique(reached);
    }
  }
}

void append(Way& to, const Way& from) {
  to.variables.insert(to.variables.end(), from.variables.begin(), from.variables.end());
  to.parts.insert(to.parts.end(), from.parts.begin(), from.parts.end());
}

std::vector<Way> ways_of(const Formula& formula) {
  std::vector<Way> out;
  if (formula.kind == Formula::Kind::Or) {
    for (const Formula& part : formula.parts) {
      for (Way& way : ways_of(part)) out.push_back(std::move(way));
    }
    return out;
  }
  if (formula.kind != Formula::Kind::And && (formula.kind != Formula::Kind::Exists || formula.negated)) {
    return {{{}, {formula}}};
  }
  out.push_back({formula.variables, {}});
  for (const Formula& part : formula.parts) {
    std::vector<Way> own = ways_of(part);
    if (own.size() > 1 && out.size() * own.size() * formula.parts.size() > kMostParts) own = {{{}, {part}}};
    if (own.size() == 1) {
      for (Way& way : out) append(way, own.front());
      continue;
    }
    std::vector<Way> product;
    for (const Way& left : out) {
      for (const Way& right : own) append(product.emplace_back(left), right);
    }
    out = std::move(product);
  }
  return out;
}

Formula quantified(const Condition& condition, bool negated) {
  const bool forall = condition.kind == Condition::Kind::Forall;
  std::vector<Formula> ways = alternatives_of(condition.variables, formula_of(condition.parts.front(), forall));
  for (Formula& way : ways) {
    way.negated = forall != negated;
    way.source = &condition;
  }
  return join(forall != negated ? Formula::Kind::And : Formula::Kind::Or, std::move(ways), &condition);
}

}  // namespace

bool Relation::insert(std::span<const uint32_t> row) {
  if (contains(row)) return false;
  for (size_t place = 0; place < by_object_.size(); ++place) {
    if (by_object_[place]) (*by_object_[place])[row[place]].push_back(static_cast<uint32_t>(size_));
  }
  rows_.emplace(hash_of(row), static_cast<uint32_t>(size_++));
  values_.insert(values_.end(), row.begin(), row.end());
  return true;
}

bool Relation::erase(std::span<const uint32_t> row) {
  const uint32_t at = find(row);
  if (at == kNone) return false;
  const auto last = static_cast<uint32_t>(--size_);
  renumber(at, kNone);
  if (at != last) {
    renumber(last, at);
    std::copy_n(values_.begin() + static_cast<ptrdiff_t>(last * arity_), arity_,
                values_.begin() + static_cast<ptrdiff_t>(at * arity_));
  }
  values_.resize(size_ * arity_);
  return true;
}

void Relation::clear() {
  size_ = 0;
  values_.clear();
  rows_.clear();
  by_object_.clear();
}

const std::vector<uint32_t>& Relation::with(size_t place, uint32_t object) const {
  by_object_.resize(arity_);
  std::optional<Table>& table = by_object_[place];
  if (!table) {
    table.emplace();
    for (size_t r = 0; r < size_; ++r) (*table)[row(r)[place]].push_back(static_cast<uint32_t>(r));
  }
  return (*table)[object];
}

uint32_t Relation::find(std::span<const uint32_t> wanted) const {
  const auto [first, last] = rows_.equal_range(hash_of(wanted));
  const auto found = std::find_if(first, last, [&](const auto& entry) {
    const auto there = row(entry.second);
    return std::equal(there.begin(), there.end(), wanted.begin());
  });
  return found == last ? kNone : found->second;
}

// Of kNone, the row is forgotten.
void Relation::renumber(uint32_t from, uint32_t to) {
  for (size_t place = 0; place < by_object_.size(); ++place) {
    if (!by_object_[place]) continue;
    std::vector<uint32_t>& numbers = (*by_object_[place])[row(from)[place]];
    const auto at = std::find(numbers.begin(), numbers.end(), from);
    if (to == kNone) {
      numbers.erase(at);
    } else {
      *at = to;
    }
  }
  const auto [first, last] = rows_.equal_range(hash_of(row(from)));
  const auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second == from; });
  if (to == kNone) {
    rows_.erase(found);
  } else {
    found->second = to;
  }
}

const Domain& Domains::of(const Variable& variable) {
  const auto [known, is_new] = known_.try_emplace(variable.types);
  Domain& domain = known->second;
  if (!is_new) return domain;
  domain.contains.resize(task_.objects.size());
  for (uint32_t object = 0; object < task_.objects.size(); ++object) {
    watch_.poll();
    if (!task_.fits(object, variable)) continue;
    domain.objects.push_back(object);
    domain.contains[object] = true;
  }
  return domain;
}

Formula atom_formula(const Atom& atom, bool negated) {
  Formula out{
      .kind = Formula::Kind::Holds, .negated = negated, .parts = {}, .variables = {}, .free = {}, .atom = &atom};
  for (const Term& term : atom.arguments) {
    if (term.variable) out.free.push_back(term.index);
  }
  sort_unique(out.free);
  return out;
}

Formula formula_of(const Condition& condition, bool negated) {
  using Kind = Condition::Kind;
  switch (condition.kind) {
    case Kind::Holds:
    case Kind::Equal: {
      Formula out = atom_formula(condition.atom, negated);
      if (condition.kind == Kind::Equal) out.kind = Formula::Kind::Equal;
      out.source = &condition;
      return out;
    }
    case Kind::Not: return formula_of(condition.parts.front(), !negated);
    case Kind::Exists:
    case Kind::Forall: return quantified(condition, negated);
    case Kind::And:
    case Kind::Or:
    case Kind::Imply: break;
  }
  std::vector<Formula> parts;
  for (const Condition& part : condition.parts) {
    const bool premise = condition.kind == Kind::Imply && &part == condition.parts.data();
    parts.push_back(formula_of(part, negated != premise));
  }
  const bool all = (condition.kind == Kind::And) != negated;
  return join(all ? Formula::Kind::And : Formula::Kind::Or, std::move(parts), &condition);
}

std::vector<Formula> alternatives_of(const std::vector<uint32_t>& variables, const Formula& formula) {
  std::vector<Formula> out;
  for (Way& way : ways_of(formula)) {
    Formula& made = out.emplace_back();
    made.kind = Formula::Kind::Exists;
    made.variables = variables;
    made.variables.insert(made.variables.end(), way.variables.begin(), way.variables.end());
    made.wanted = variables.size();
    made.parts = std::move(way.parts);
    find_free(made);
    find_apart(made);
  }
  return out;
}

Binding binding_of(const std::vector<Variable>& variables, Domains& domains) {
  Binding out;
  out.objects.assign(variables.size(), kNone);
  for (const Variable& variable : variables) out.domains.push_back(&domains.of(variable));
  return out;
}

std::span<const uint32_t> Evaluator::ground(const Atom& atom, const Binding& binding) {
  row_.clear();
  for (const Term& term : atom.arguments) row_.push_back(term.variable ? binding.objects[term.index] : term.index);
  return row_;
}

bool Evaluator::holds(const Formula& formula, Binding& binding) {
  const auto part_holds = [&](const Formula& part) { return holds(part, binding); };
  watch_.poll();
  switch (formula.kind) {
    case Formula::Kind::And: return std::all_of(formula.parts.begin(), formula.parts.end(), part_holds);
    case Formula::Kind::Or: return std::any_of(formula.parts.begin(), formula.parts.end(), part_holds);
    case Formula::Kind::Holds:
      return relations_[formula.atom->predicate].contains(ground(*formula.atom, binding)) != formula.negated;
    case Formula::Kind::Equal: {
      const auto sides = ground(*formula.atom, binding);
      return (sides[0] == sides[1]) != formula.negated;
    }
    case Formula::Kind::Exists: return solve(formula, binding, [] { return true; }) != formula.negated;
  }
  return false;
}

bool Evaluator::solve(const Formula& exists, Binding& binding, const Found& found) {
  Search search{exists, binding, &found, std::vector<bool>(exists.parts.size())};
  return go_on(search);
}

bool Evaluator::solve(const Formula& exists, size_t part, size_t from, size_t to, Binding& binding,
                      const Found& found) {
  Search search{exists, binding, &found, std::vector<bool>(exists.parts.size())};
  search.done[part] = true;
  return over_rows(search, part, {.from = from, .to = to});
}

bool Evaluator::go_on(Search& search) {
  watch_.poll();
  const size_t checked = checked_.size();
  const bool stop = check_parts(search) && branch(search);
  for (; checked_.size() > checked; checked_.pop_back()) search.done[checked_.back()] = false;
  return stop;
}

// Those whose variables all stand for something, as soon as they do.
bool Evaluator::check_parts(Search& search) {
  for (size_t p = 0; p < search.exists.parts.size(); ++p) {
    const Formula& part = search.exists.parts[p];
    if (search.done[p] || !is_bound(part.free, search.binding)) continue;
    if (!holds(part, search.binding)) return false;
    search.done[p] = true;
    checked_.push_back(p);
  }
  return true;
}

// Where there are fewest ways.
bool Evaluator::branch(Search& search) {
  if (!search.settled && is_bound(std::span(search.exists.variables).first(search.exists.wanted), search.binding)) {
    return settle(search);
  }
  size_t fewest = SIZE_MAX;
  size_t part = SIZE_MAX;
  Rows rows;
  uint32_t variable = kNone;
  for (size_t p = 0; p < search.exists.parts.size(); ++p) {
    const Formula& candidate = search.exists.parts[p];
    if (search.done[p] || candidate.kind != Formula::Kind::Holds || candidate.negated) continue;
    if (!search.settled && search.exists.apart[p]) continue;
    const Rows fitting = rows_for(*candidate.atom, search.binding);
    if (fitting.count() < fewest) {
      fewest = fitting.count();
      part = p;
      rows = fitting;
    }
  }
  const size_t asked = search.settled ? search.exists.variables.size() : search.exists.wanted;
  for (const uint32_t v : std::span(search.exists.variables).first(asked)) {
    if (search.binding.objects[v] != kNone) continue;
    const size_t ways = search.binding.domains[v]->objects.size();
    if (variable == kNone || ways < search.binding.domains[variable]->objects.size()) variable = v;
    if (ways < fewest) {
      fewest = ways;
      part = SIZE_MAX;
    }
  }
  if (variable == kNone) return (*search.found)();
  if (part == SIZE_MAX) return over_objects(search, variable);
  search.done[part] = true;
  const bool stop = over_rows(search, part, rows);
  search.done[part] = false;
  return stop;
}

// Of the other variables, one way is enough.
bool Evaluator::settle(Search& search) {
  const Found enough = [] { return true; };
  const Found* const found = std::exchange(search.found, &enough);
  search.settled = true;
  const bool holds = branch(search);
  search.settled = false;
  search.found = found;
  return holds && (*found)();
}

// Those that have what is known at one of the places, the place that leaves the fewest.
Evaluator::Rows Evaluator::rows_for(const Atom& atom, const Binding& binding) const {
  const Relation& relation = relations_[atom.predicate];
  Rows out{.to = relation.size()};
  for (size_t place = 0; place < atom.arguments.size() && out.count() > kFewRows; ++place) {
    const Term& term = atom.arguments[place];
    const uint32_t object = term.variable ? binding.objects[term.index] : term.index;
    if (object == kNone) continue;
    const std::vector<uint32_t>& numbers = relation.with(place, object);
    if (numbers.size() < out.count()) out = {.numbers = &numbers, .to = numbers.size()};
  }
  return out;
}

bool Evaluator::over_rows(Search& search, size_t part, Rows rows) {
  const Atom& atom = *search.exists.parts[part].atom;
  const Relation& relation = relations_[atom.predicate];
  for (size_t i = rows.from; i < rows.to; ++i) {
    watch_.poll();
    const size_t bound = bound_.size();
    const size_t number = rows.numbers != nullptr ? (*rows.numbers)[i] : i;
    const bool stop = match(atom, relation.row(number), search.binding) && go_on(search);
    unbind(search.binding, bound);
    if (stop) return true;
  }
  return false;
}

bool Evaluator::over_objects(Search& search, uint32_t variable) {
  uint32_t& value = search.binding.objects[variable];
  for (const uint32_t object : search.binding.domains[variable]->objects) {
    value = object;
    const bool stop = go_on(search);
    value = kNone;
    if (stop) return true;
  }
  return false;
}

// Variables that stand for nothing yet get what the row says.
bool Evaluator::match(const Atom& atom, std::span<const uint32_t> row, Binding& binding) {
  for (size_t i = 0; i < row.size(); ++i) {
    const Term& term = atom.arguments[i];
    const uint32_t value = term.variable ? binding.objects[term.index] : term.index;
    if (value == row[i]) continue;
    if (value != kNone || !binding.domains[term.index]->contains[row[i]]) return false;
    binding.objects[term.index] = row[i];
    bound_.push_back(term.index);
  }
  return true;
}

void Evaluator::unbind(Binding& binding, size_t count) {
  for (; bound_.size() > count; bound_.pop_back()) binding.objects[bound_.back()] = kNone;
}

}  // namespace harrier::pddl::lifted
