#include "lang/pddl/grounding_join.h"

#include <algorithm>
#include <utility>

namespace harrier::pddl {

const Domain& Domains::of(const Variable& variable) {
  std::vector<uint32_t> types = variable.types;
  std::sort(types.begin(), types.end());
  const auto [found, added] = domains_.try_emplace(std::move(types));
  Domain& domain = found->second;
  if (!added) return domain;
  domain.has.resize(task_.objects.size());
  for (uint32_t object = 0; object < task_.objects.size(); ++object) {
    watch_.poll();
    if (!task_.fits(object, variable)) continue;
    domain.has[object] = true;
    domain.objects.push_back(object);
  }
  domain.all = domain.objects.size() == task_.objects.size();
  return domain;
}

// Greedy: next is always the atom of which the fewest tuples are expected, as far as the sizes of relations tell.
class Planner {
 public:
  Planner(const Body& body, std::vector<bool> known, size_t trigger, const Watch& watch, Plan& plan)
      : body_(body), known_(std::move(known)), watch_(watch), plan_(plan) {
    for (size_t a = 0; a < body.atoms.size(); ++a) {
      if (a != trigger) open_.push_back({body.atoms[a], earlier(a, trigger)});
    }
    for (const Body::Absent& absent : body.absent) absent_.push_back(&absent);
    for (const Comparison& comparison : body.comparisons) comparisons_.push_back(&comparison);
    if (trigger != Plan::kNoAtom) {
      plan_.trigger_.relation = body.atoms[trigger].relation;
      add_columns(plan_.trigger_, *body.atoms[trigger].terms, {});
    }
  }

  void run() {
    for (filter(); !open_.empty(); filter()) {
      watch_.poll();
      const auto best = std::min_element(open_.begin(), open_.end(), [&](const Open& a, const Open& b) {
        return estimate(a.atom) < estimate(b.atom);
      });
      const Open chosen = *best;
      open_.erase(best);
      match(chosen);
    }
    for (uint32_t variable = smallest(); variable != Plan::kNone; variable = smallest()) {
      watch_.poll();
      plan_.last_choice_ = add({.kind = Plan::Kind::Enumerate,
                                .variable = variable,
                                .domain = body_.domains[variable],
                                .choice = plan_.last_choice_});
      known_[variable] = true;
      filter();
    }
  }

 private:
  struct Open {
    Body::Present atom;
    bool earlier = false;
  };

  bool earlier(size_t atom, size_t trigger) const {
    return trigger != Plan::kNoAtom && atom < trigger && body_.atoms[atom].relation == body_.atoms[trigger].relation;
  }
  bool is_known(const Term& term) const { return !term.variable || known_[term.index]; }
  bool all_known(const std::vector<Term>& terms) const {
    return std::all_of(terms.begin(), terms.end(), [&](const Term& term) { return is_known(term); });
  }
  uint32_t add(Plan::Step step) {
    plan_.steps_.push_back(step);
    return static_cast<uint32_t>(plan_.steps_.size() - 1);
  }
  uint32_t add_terms(const std::vector<Term>& terms) {
    plan_.terms_.insert(plan_.terms_.end(), terms.begin(), terms.end());
    return static_cast<uint32_t>(plan_.terms_.size() - terms.size());
  }

  double estimate(const Body::Present& atom) const {
    double out = atom.relation->complete() ? atom.relation->entered() : 1;
    for (uint32_t column = 0; column < atom.terms->size(); ++column) {
      const bool known = is_known((*atom.terms)[column]);
      if (atom.relation->complete()) {
        if (known) out /= std::max(atom.relation->distinct(column), 1U);
      } else if (!known) {
        out *= atom.relation->width(column);
      }
    }
    return out;
  }

  void match(const Open& open) {
    Plan::Step step{.kind = Plan::Kind::Match, .earlier = open.earlier, .relation = open.atom.relation};
    std::vector<uint32_t> columns;
    std::vector<Term> key;
    for (uint32_t column = 0; column < open.atom.terms->size(); ++column) {
      const Term& term = (*open.atom.terms)[column];
      if (!is_known(term)) continue;
      columns.push_back(column);
      key.push_back(term);
    }
    if (!columns.empty()) step.index = &open.atom.relation->index(columns);
    step.terms = add_terms(key);
    step.term_count = static_cast<uint32_t>(key.size());
    add_columns(step, *open.atom.terms, columns);
    step.choice = plan_.last_choice_;
    plan_.last_choice_ = add(step);
  }

  void add_columns(Plan::Step& step, const std::vector<Term>& terms, const std::vector<uint32_t>& without) {
    using Kind = Plan::Column::Kind;
    step.columns = static_cast<uint32_t>(plan_.columns_.size());
    for (uint32_t column = 0; column < terms.size(); ++column) {
      if (std::binary_search(without.begin(), without.end(), column)) continue;
      const Term& term = terms[column];
      Plan::Column out{.kind = Kind::Constant, .column = column, .value = term.index};
      if (term.variable) {
        out.kind = known_[term.index] ? Kind::Known : Kind::New;
        known_[term.index] = true;
        out.domain = checked(term.index);
      }
      plan_.columns_.push_back(out);
    }
    step.column_count = static_cast<uint32_t>(plan_.columns_.size()) - step.columns;
  }
  const Domain* checked(uint32_t variable) const {
    return body_.domains[variable]->all ? nullptr : body_.domains[variable];
  }

  // What has become a filter.
  void filter() {
    while (compare()) {
    }
    std::erase_if(absent_, [&](const Body::Absent* absent) {
      if (!all_known(*absent->terms)) return false;
      add({.kind = Plan::Kind::Lacks,
           .relation = absent->relation,
           .terms = add_terms(*absent->terms),
           .term_count = static_cast<uint32_t>(absent->terms->size()),
           .among = absent->among,
           .choice = plan_.last_choice_});
      return true;
    });
    std::erase_if(open_, [&](const Open& open) {
      if (!all_known(*open.atom.terms)) return false;
      add({.kind = Plan::Kind::Contains,
           .earlier = open.earlier,
           .relation = open.atom.relation,
           .terms = add_terms(*open.atom.terms),
           .term_count = static_cast<uint32_t>(open.atom.terms->size()),
           .choice = plan_.last_choice_});
      return true;
    });
  }
  // Whether an equality has given a variable its value.
  bool compare() {
    bool assigned = false;
    std::erase_if(comparisons_, [&](const Comparison* comparison) {
      const Term& a = comparison->terms->arguments[0];
      const Term& b = comparison->terms->arguments[1];
      if (is_known(a) && is_known(b)) {
        add({.kind = Plan::Kind::Compare,
             .equal = comparison->equal,
             .terms = add_terms({a, b}),
             .choice = plan_.last_choice_});
        return true;
      }
      if (!comparison->equal || (!is_known(a) && !is_known(b))) return false;
      const uint32_t variable = is_known(a) ? b.index : a.index;
      add({.kind = Plan::Kind::Assign,
           .terms = add_terms({is_known(a) ? a : b}),
           .variable = variable,
           .domain = checked(variable),
           .choice = plan_.last_choice_});
      known_[variable] = true;
      assigned = true;
      return true;
    });
    return assigned;
  }

  uint32_t smallest() const {
    uint32_t best = Plan::kNone;
    for (const uint32_t variable : body_.wanted) {
      const auto size = [&](uint32_t v) { return body_.domains[v]->objects.size(); };
      if (!known_[variable] && (best == Plan::kNone || size(variable) < size(best))) best = variable;
    }
    return best;
  }

  const Body& body_;
  std::vector<bool> known_;
  const Watch& watch_;
  Plan& plan_;
  std::vector<Open> open_;
  std::vector<const Body::Absent*> absent_;
  std::vector<const Comparison*> comparisons_;
};

Plan::Plan(const Body& body, std::vector<bool> known, size_t trigger, const Watch& watch) {
  Planner(body, std::move(known), trigger, watch, *this).run();
}

const uint32_t* Plan::values(const Step& step, const uint32_t* binding) {
  buffer_.resize(std::max<size_t>(buffer_.size(), size_t{step.term_count} + 1));
  for (uint32_t i = 0; i < step.term_count; ++i) buffer_[i] = value(terms_[step.terms + i], binding);
  return buffer_.data();
}

bool Plan::fits(const Step& step, uint32_t tuple, uint32_t* binding) const {
  const uint32_t* objects = step.relation->tuple(tuple);
  for (uint32_t i = step.columns; i < step.columns + step.column_count; ++i) {
    const Column& column = columns_[i];
    const uint32_t object = objects[column.column];
    switch (column.kind) {
      case Column::Kind::New:
        if (column.domain != nullptr && !column.domain->has[object]) return false;
        binding[column.value] = object;
        break;
      case Column::Kind::Known:
        if (binding[column.value] != object) return false;
        break;
      case Column::Kind::Constant:
        if (column.value != object) return false;
        break;
    }
  }
  return true;
}

bool Plan::begin(Step& step, uint32_t* binding, uint32_t start) {
  switch (step.kind) {
    case Kind::Match:
      step.cursor = step.index != nullptr           ? step.index->first(values(step, binding))
                    : step.relation->entered() != 0 ? step.relation->entered() - 1
                                                    : kNone;
      return settle(step, binding, start);
    case Kind::Contains: {
      const uint32_t number = step.relation->find(values(step, binding));
      return number < step.relation->entered() && (!step.earlier || number != start);
    }
    case Kind::Lacks: return step.relation->find(values(step, binding)) >= step.among;
    case Kind::Compare:
      return (value(terms_[step.terms], binding) == value(terms_[step.terms + 1], binding)) == step.equal;
    case Kind::Assign:
      binding[step.variable] = value(terms_[step.terms], binding);
      return step.domain == nullptr || step.domain->has[binding[step.variable]];
    case Kind::Enumerate: break;
  }
  step.cursor = 0;
  if (step.domain->objects.empty()) return false;
  binding[step.variable] = step.domain->objects[0];
  return true;
}

bool Plan::advance(Step& step, uint32_t* binding, uint32_t start) const {
  if (step.kind == Kind::Enumerate) {
    if (++step.cursor == step.domain->objects.size()) return false;
    binding[step.variable] = step.domain->objects[step.cursor];
    return true;
  }
  step.cursor = step.index != nullptr ? step.index->next(step.cursor) : step.cursor - 1;
  return settle(step, binding, start);
}

// From the tuple at hand on, the first that fits.
bool Plan::settle(Step& step, uint32_t* binding, uint32_t start) const {
  while (step.cursor != kNone) {
    if ((!step.earlier || step.cursor != start) && fits(step, step.cursor, binding)) return true;
    step.cursor = step.index != nullptr ? step.index->next(step.cursor) : step.cursor - 1;
  }
  return false;
}

}  // namespace harrier::pddl
