#include "abstraction/predicates/cartesian.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/operators.h"

namespace harrier::abstraction {

using model::Op;

namespace {

constexpr uint64_t kMostPoints = 2048;  // combinations of values that are enumerated

// Sets that grow together.
class Groups {
 public:
  uint32_t find(uint32_t x) {
    const auto at = parent_.try_emplace(x, x).first;
    if (at->second == x) return x;
    const uint32_t root = find(at->second);
    parent_[x] = root;
    return root;
  }
  void unite(const std::vector<uint32_t>& all) {
    for (size_t i = 1; i < all.size(); ++i) parent_[find(all[i])] = find(all[0]);
  }
  const std::map<uint32_t, uint32_t>& all() const { return parent_; }

 private:
  std::map<uint32_t, uint32_t> parent_;
};

}  // namespace

// Takes a step or a clause apart into components.
class Cartesian::RuleMaker {
 public:
  RuleMaker(Cartesian& of, std::vector<int32_t>& state) : of_(of), terms_(of.bench_.terms), state_(state) {}

  Rule make(const std::vector<TermId>& conditions, const std::vector<std::pair<uint32_t, TermId>>& writes) {
    Rule rule;
    for (const auto& [variable, term] : writes) {
      if (of_.dimensions_of_.contains(variable)) writes_[variable] = term;
    }
    std::vector<uint32_t> touched;
    for (const TermId condition : conditions) touch(terms_.variables(condition), touched);
    for (const auto& [variable, term] : writes_) touch({variable}, touched);
    std::map<uint32_t, TermId> inputs;  // of dimensions that the step changes
    for (const auto& [variable, term] : writes_) {
      for (const uint32_t d : of_.dimensions_of_[variable]) substitute(d, rule, inputs, touched);
    }
    // What hangs together with what is touched.
    std::set<uint32_t> dimensions;
    for (size_t i = 0; i < touched.size(); ++i) {
      const auto at = of_.dimensions_of_.find(touched[i]);
      if (at == of_.dimensions_of_.end()) continue;
      for (const uint32_t d : at->second) {
        if (dimensions.insert(d).second) touch(of_.support_[d], touched);
      }
    }
    std::map<uint32_t, Draft> drafts;
    for (const TermId condition : conditions) {
      drafts[groups_.find(terms_.variables(condition).front())].conditions.push_back(condition);
    }
    for (const uint32_t d : dimensions) {
      drafts[groups_.find(of_.support_[d][0])].outputs.push_back(d);
      if (!changed_.contains(d)) inputs[d] = of_.terms_[d];
    }
    for (const auto& [d, term] : inputs) {
      Draft& draft = drafts[groups_.find(terms_.variables(term).front())];
      draft.inputs.push_back(d);
      draft.input_terms.push_back(term);
    }
    for (const auto& [variable, parent] : std::map(groups_.all()))
      drafts[groups_.find(variable)].variables.push_back(variable);
    for (auto& [root, draft] : drafts) rule.components.push_back(finish(std::move(draft)));
    return rule;
  }

 private:
  struct Draft {
    std::vector<uint32_t> variables;
    std::vector<TermId> conditions;
    std::vector<uint32_t> inputs;
    std::vector<TermId> input_terms;
    std::vector<uint32_t> outputs;
  };

  void touch(const std::vector<uint32_t>& variables, std::vector<uint32_t>& touched) {
    for (const uint32_t v : variables) {
      groups_.find(v);
      if (seen_.insert(v).second) touched.push_back(v);
    }
    groups_.unite(variables);
  }
  void substitute(uint32_t d, Rule& rule, std::map<uint32_t, TermId>& inputs, std::vector<uint32_t>& touched) {
    if (!changed_.insert(d).second) return;
    const TermId term = terms_.replace(of_.terms_[d], [&](TermId leaf) {
      const auto at = writes_.find(terms_[leaf].number);
      return terms_[leaf].kind == Terms::Kind::Variable && at != writes_.end() ? at->second : leaf;
    });
    if (terms_.has_unknown(term)) return;
    if (terms_.is_constant(term)) {
      const int32_t value = terms_[term].value;
      rule.filters.emplace_back(d, static_cast<uint16_t>(std::clamp<int32_t>(value, 0, kAny - 1)));
      return;
    }
    inputs[d] = term;
    touch(terms_.variables(term), touched);
  }

  Component finish(Draft draft) {
    Component out;
    out.inputs = draft.inputs;
    out.outputs = draft.outputs;
    std::vector<std::vector<int32_t>> domains;
    uint64_t points = 1;
    for (const uint32_t v : draft.variables) {
      std::vector<int32_t> domain = domain_of(v, draft.conditions);
      points = std::min(kMostPoints + 1, points * std::max<uint64_t>(1, domain.size()));
      domains.push_back(std::move(domain));
    }
    out.enumerated = points <= kMostPoints;
    if (out.enumerated) {
      enumerate(draft, domains, out);
    } else {
      out.conditions = std::move(draft.conditions);
      out.input_terms = std::move(draft.input_terms);
    }
    return out;
  }
  // The values of a variable that conditions on it alone allow.
  std::vector<int32_t> domain_of(uint32_t variable, const std::vector<TermId>& conditions) {
    const model::ValueSet& set = of_.bench_.values[variable];
    const model::Variable& own = of_.bench_.system.variables[variable];
    std::vector<int32_t> domain = set.values;
    if (set.wide) {
      const int64_t size = int64_t{own.hi} - own.lo + 1;
      domain.clear();
      if (size > static_cast<int64_t>(kMostPoints)) {
        domain.resize(kMostPoints + 1);
        return domain;
      }
      for (int64_t value = own.lo; value <= own.hi; ++value) domain.push_back(static_cast<int32_t>(value));
    }
    for (const TermId condition : conditions) {
      if (terms_.variables(condition).size() != 1 || terms_.variables(condition)[0] != variable) continue;
      std::erase_if(domain, [&](int32_t value) {
        state_[variable] = value;
        const auto holds = terms_.value(condition, state_);
        return holds && *holds == 0;
      });
    }
    return domain;
  }
  void enumerate(const Draft& draft, const std::vector<std::vector<int32_t>>& domains, Component& out) {
    out.possible = false;
    if (std::any_of(domains.begin(), domains.end(), [](const auto& d) { return d.empty(); })) return;
    std::set<std::vector<uint16_t>> rows;
    std::vector<size_t> at(domains.size(), 0);
    std::vector<uint16_t> row;
    const auto number = [&](TermId term) {
      const auto value = terms_.value(term, state_);
      return value ? static_cast<uint16_t>(std::clamp<int32_t>(*value, 0, kAny - 1)) : kAny;
    };
    for (bool more = true; more;) {
      for (size_t i = 0; i < at.size(); ++i) state_[draft.variables[i]] = domains[i][at[i]];
      const bool possible = std::all_of(draft.conditions.begin(), draft.conditions.end(), [&](TermId condition) {
        const auto holds = terms_.value(condition, state_);
        return !holds || *holds != 0;
      });
      if (possible) {
        row.clear();
        for (const TermId term : draft.input_terms) row.push_back(number(term));
        for (const uint32_t d : draft.outputs) row.push_back(number(of_.terms_[d]));
        rows.insert(row);
      }
      more = false;
      for (size_t i = 0; i < at.size() && !more; ++i) {
        more = ++at[i] < domains[i].size();
        if (!more) at[i] = 0;
      }
    }
    out.possible = !rows.empty();
    for (const auto& r : rows) out.rows.insert(out.rows.end(), r.begin(), r.end());
  }

  Cartesian& of_;
  Terms& terms_;
  std::vector<int32_t>& state_;
  std::map<uint32_t, TermId> writes_;
  std::set<uint32_t> changed_;  // dimensions
  std::set<uint32_t> seen_;     // variables
  Groups groups_;
};

Cartesian::Cartesian(Workbench& bench, const Part& part, const std::vector<Predicate>& predicates, Solver& solver,
                     const std::function<bool()>& over)
    : bench_(bench), part_(part), solver_(solver) {
  make_dimensions(predicates);
  number_clocks();
  std::vector<int32_t> state = bench.system.initial_values();
  const auto add_clocks = [&](Rule& rule, const std::vector<Part::ClockCondition>& conditions) {
    for (const auto& condition : conditions) {
      if (const auto atom = local(condition.atom)) rule.guard.push_back(*atom);
    }
  };
  for (const Part::Aim& aim : part.aims) {
    aims_.push_back(RuleMaker(*this, state).make(aim.conditions, {}));
    add_clocks(aims_.back(), aim.clock_conditions);
  }
  for (const Part::Step& step : part.steps) {
    if (over()) return;
    Rule& rule = steps_.emplace_back(RuleMaker(*this, state).make(step.conditions, step.writes));
    rule.step = &step;
    add_clocks(rule, step.clock_conditions);
    for (const auto& reset : step.resets) {
      const uint32_t clock = local_clock_[reset.clock];
      if (clock == 0) continue;
      std::optional<int32_t> value;
      if (reset.value && bench.terms.is_constant(*reset.value)) value = bench.terms[*reset.value].value;
      if (value && (*value < 0 || *value > zone::kLargestConstant)) value.reset();
      rule.resets.emplace_back(clock, value);
    }
  }
  complete_ = true;
}

void Cartesian::make_dimensions(const std::vector<Predicate>& predicates) {
  for (uint32_t p = 0; p < part_.processes.size(); ++p) {
    const Part::Process& process = part_.processes[p];
    const size_t locations = process.locations.size();
    const model::ValueSet& values = bench_.values[process.variable];
    const bool constant = !values.wide && values.values.size() == 1;
    if (!process.located || constant || locations >= kAny) continue;
    Dimension d;
    d.process = p;
    d.values = static_cast<uint16_t>(locations);
    dimensions_.push_back(std::move(d));
    terms_.push_back(bench_.terms.variable(process.variable));
    support_.push_back({process.variable});
  }
  for (const Predicate& predicate : predicates) {
    Dimension d;
    d.kind = predicate.is_about_clocks() ? Dimension::Kind::Clocks : Dimension::Kind::Variables;
    d.predicate = predicate;
    if (predicate.is_about_clocks()) clock_dimensions_.push_back(static_cast<uint32_t>(dimensions_.size()));
    dimensions_.push_back(std::move(d));
    terms_.push_back(predicate.is_about_clocks() ? 0 : term_of(bench_.terms, predicate));
    std::vector<uint32_t>& support = support_.emplace_back();
    for (const auto& part : predicate.parts) support.push_back(part.first);
  }
  for (uint32_t d = 0; d < dimensions_.size(); ++d) {
    dimensions_[d].first_element = elements_;
    elements_ += dimensions_[d].values;
    for (const uint32_t v : support_[d]) dimensions_of_[v].push_back(d);
  }
  answer_.resize(dimensions_.size());
}

void Cartesian::number_clocks() {
  local_clock_.assign(bench_.system.clocks.size(), 0);
  const auto see = [&](uint32_t clock) {
    if (clock != 0 && local_clock_[clock] == 0) local_clock_[clock] = clocks_++;
  };
  const auto see_all = [&](const std::vector<Part::ClockCondition>& conditions) {
    for (const auto& condition : conditions) {
      if (!condition.atom) continue;
      see(condition.atom->left);
      see(condition.atom->right);
    }
  };
  for (const uint32_t d : clock_dimensions_) {
    see(dimensions_[d].predicate.clocks.left);
    see(dimensions_[d].predicate.clocks.right);
  }
  for (const Part::Step& step : part_.steps) see_all(step.clock_conditions);
  for (const Part::Aim& aim : part_.aims) see_all(aim.clock_conditions);
  for (const Part::Process& process : part_.processes) {
    for (const Part::Location& location : process.locations) see_all(location.invariant);
  }
  zone_.resize(size_t{clocks_} * clocks_);
  for (const Part::Process& process : part_.processes) {
    auto& own = invariants_.emplace_back();
    for (const Part::Location& location : process.locations) {
      auto& atoms = own.emplace_back();
      for (const auto& condition : location.invariant) {
        if (const auto atom = local(condition.atom)) atoms.push_back(*atom);
      }
    }
  }
  for (uint32_t d = 0; d < dimensions_.size(); ++d) {
    if (dimensions_[d].kind != Dimension::Kind::Location) continue;
    const uint32_t p = dimensions_[d].process;
    for (size_t l = 0; l < invariants_[p].size(); ++l) {
      if (invariants_[p][l].empty() && !part_.processes[p].locations[l].holds_time()) continue;
      timed_locations_.push_back(d);
      break;
    }
  }
}

std::optional<ClockAtom> Cartesian::local(const std::optional<ClockAtom>& atom) const {
  if (!atom) return std::nullopt;
  return ClockAtom{local_clock_[atom->left], local_clock_[atom->right], atom->bound};
}

bool Cartesian::aim(size_t clause, uint16_t* out) {
  const std::vector<uint16_t> anything(width(), kAny);
  return apply(aims_[clause], anything.data(), out);
}

bool Cartesian::regress(size_t step, const uint16_t* after, uint16_t* before) {
  Rule& rule = steps_[step];
  if (!apply(rule, after, before)) return false;
  // While somebody is in a committed location, others wait.
  return rule.step->open || rule.step->leaves_committed || !in_committed(before);
}

bool Cartesian::apply(Rule& rule, const uint16_t* after, uint16_t* before) {
  for (const auto& [d, value] : rule.filters) {
    if (after[d] != kAny && after[d] != value) {
      ++settled_.syntax;
      return false;
    }
  }
  std::copy(after, after + width(), before);
  for (Component& component : rule.components) {
    if (!apply(component, after, before)) return false;
  }
  return clocks_ == 1 || apply_clocks(rule, after, before);
}

bool Cartesian::apply(Component& component, const uint16_t* after, uint16_t* before) {
  key_.clear();
  for (const uint32_t d : component.inputs) key_.push_back(static_cast<char16_t>(after[d]));
  const auto [at, fresh] = component.known.try_emplace(key_, 0);
  if (fresh) {
    at->second = ask(component, after);
  } else {
    ++settled_.memory;
  }
  if (at->second == kImpossible) return false;
  for (size_t i = 0; i < component.outputs.size(); ++i) {
    before[component.outputs[i]] = component.answers[at->second + i];
  }
  return true;
}

// Where the answer stands.
uint32_t Cartesian::ask(Component& component, const uint16_t* after) {
  bench_.watch.poll();
  const auto where = static_cast<uint32_t>(component.answers.size());
  if (component.enumerated) {
    ++settled_.enumeration;
    bool possible = false;
    look_up(component, after, possible);
    if (!possible) return kImpossible;
    component.answers.insert(component.answers.end(), answer_.begin(),
                             answer_.begin() + static_cast<std::ptrdiff_t>(component.outputs.size()));
    return where;
  }
  ++settled_.solver;
  std::vector<TermId> conditions = component.conditions;
  for (size_t i = 0; i < component.inputs.size(); ++i) {
    const uint16_t value = after[component.inputs[i]];
    if (value == kAny) continue;
    conditions.push_back(bench_.terms.make(Op::Eq, component.input_terms[i], bench_.terms.constant(value)));
  }
  std::vector<TermId> outputs;
  for (const uint32_t d : component.outputs) outputs.push_back(terms_[d]);
  const auto values = solver_.common(conditions, outputs);
  if (!values) return kImpossible;
  component.answers.insert(component.answers.end(), values->begin(), values->end());
  return where;
}

void Cartesian::look_up(const Component& component, const uint16_t* after, bool& possible) {
  const size_t inputs = component.inputs.size();
  const size_t outputs = component.outputs.size();
  const size_t size = inputs + outputs;
  if (size == 0) {
    possible = component.possible;
    return;
  }
  for (size_t row = 0; row < component.rows.size(); row += size) {
    const uint16_t* values = component.rows.data() + row;
    bool fits = true;
    for (size_t i = 0; i < inputs && fits; ++i) {
      const uint16_t wanted = after[component.inputs[i]];
      fits = wanted == kAny || values[i] == kAny || values[i] == wanted;
    }
    if (!fits) continue;
    for (size_t i = 0; i < outputs; ++i) {
      if (!possible) {
        answer_[i] = values[inputs + i];
      } else if (answer_[i] != values[inputs + i]) {
        answer_[i] = kAny;
      }
    }
    possible = true;
  }
}

bool Cartesian::apply_clocks(Rule& rule, const uint16_t* after, uint16_t* before) {
  key_.clear();
  for (const uint32_t d : clock_dimensions_) key_.push_back(static_cast<char16_t>(after[d]));
  for (const uint32_t d : timed_locations_) {
    key_.push_back(static_cast<char16_t>(after[d]));
    key_.push_back(static_cast<char16_t>(before[d]));
  }
  const auto [at, fresh] = rule.known.try_emplace(key_, 0);
  if (fresh) {
    ++settled_.zones;
    at->second = kImpossible;
    if (compute_clocks(rule, after, before)) {
      at->second = static_cast<uint32_t>(rule.answers.size());
      for (const uint32_t d : clock_dimensions_) {
        const auto atom = *local(dimensions_[d].predicate.clocks);
        const bool may_hold = zone::dbm::satisfiable(zone_.data(), clocks_, atom.left, atom.right, atom.bound);
        const bool may_fail =
            zone::dbm::satisfiable(zone_.data(), clocks_, atom.right, atom.left, zone::negate(atom.bound));
        rule.answers.push_back(may_hold && may_fail ? kAny : static_cast<uint16_t>(may_hold));
      }
    }
  } else {
    ++settled_.memory;
  }
  if (at->second == kImpossible) return false;
  for (size_t i = 0; i < clock_dimensions_.size(); ++i) before[clock_dimensions_[i]] = rule.answers[at->second + i];
  return true;
}

bool Cartesian::compute_clocks(const Rule& rule, const uint16_t* after, const uint16_t* before) {
  zone::Bound* const zone = zone_.data();
  zone::dbm::set_universal(zone, clocks_);
  for (const uint32_t d : clock_dimensions_) {
    if (after[d] == kAny) continue;
    const auto atom = *local(dimensions_[d].predicate.clocks);
    const ClockAtom literal = after[d] != 0 ? atom : ClockAtom{atom.right, atom.left, zone::negate(atom.bound)};
    if (!constrain(std::span(&literal, 1))) return false;
  }
  if (rule.step != nullptr) {
    if (!constrain_by_invariants(after)) return false;
    if (!holds_time(after)) {
      zone::dbm::down(zone, clocks_);
      if (!constrain_by_invariants(after)) return false;
    }
    for (const auto& [clock, value] : rule.resets) {
      if (value && !(zone::dbm::constrain(zone, clocks_, clock, 0, zone::bound_le(*value)) &&
                     zone::dbm::constrain(zone, clocks_, 0, clock, zone::bound_le(-*value)))) {
        return false;
      }
    }
    for (const auto& [clock, value] : rule.resets) zone::dbm::forget(zone, clocks_, clock);
  }
  if (!constrain(rule.guard) || !constrain_by_invariants(before)) return false;
  if (part_.whole || holds_time(before)) return true;
  zone::dbm::down(zone, clocks_);
  return constrain_by_invariants(before);
}

bool Cartesian::constrain(std::span<const ClockAtom> atoms) {
  return std::all_of(atoms.begin(), atoms.end(), [&](const ClockAtom& atom) {
    if (atom.left == atom.right) return atom.bound >= zone::kZeroLe;
    return zone::dbm::constrain(zone_.data(), clocks_, atom.left, atom.right, atom.bound);
  });
}

bool Cartesian::constrain_by_invariants(const uint16_t* state) {
  return std::all_of(timed_locations_.begin(), timed_locations_.end(), [&](uint32_t d) {
    return state[d] == kAny || constrain(invariants_[dimensions_[d].process][state[d]]);
  });
}

bool Cartesian::holds_time(const uint16_t* state) const {
  return std::any_of(timed_locations_.begin(), timed_locations_.end(), [&](uint32_t d) {
    return state[d] != kAny && part_.processes[dimensions_[d].process].locations[state[d]].holds_time();
  });
}

bool Cartesian::in_committed(const uint16_t* state) const {
  return std::any_of(timed_locations_.begin(), timed_locations_.end(), [&](uint32_t d) {
    return state[d] != kAny &&
           part_.processes[dimensions_[d].process].locations[state[d]].kind == model::LocationKind::Committed;
  });
}

std::vector<uint8_t> Cartesian::initial_members() const {
  std::vector<uint8_t> out(elements_, 0);
  const std::vector<int32_t> values = bench_.system.initial_values();
  std::vector<zone::Bound> zone(size_t{clocks_} * clocks_);
  zone::dbm::set_zero(zone.data(), clocks_);
  const auto initial_location = [&](uint32_t p) { return static_cast<size_t>(values[part_.processes[p].variable]); };
  bool held = false;
  for (uint32_t p = 0; p < part_.processes.size(); ++p) {
    held |= part_.processes[p].locations[initial_location(p)].holds_time();
  }
  if (!held) {
    zone::dbm::up(zone.data(), clocks_);
    bool empty = false;
    for (uint32_t p = 0; p < part_.processes.size(); ++p) {
      for (const ClockAtom& atom : invariants_[p][initial_location(p)]) {
        empty |= atom.left != atom.right && !empty &&
                 !zone::dbm::constrain(zone.data(), clocks_, atom.left, atom.right, atom.bound);
      }
    }
    if (empty) return out;  // there is no initial state
  }
  for (const Dimension& d : dimensions_) {
    switch (d.kind) {
      case Dimension::Kind::Location:
        out[d.first_element + static_cast<uint32_t>(values[part_.processes[d.process].variable])] = 1;
        break;
      case Dimension::Kind::Variables: out[d.first_element + (d.predicate.holds(values.data()) ? 1 : 0)] = 1; break;
      case Dimension::Kind::Clocks: {
        const auto atom = *local(d.predicate.clocks);
        out[d.first_element + 1] = zone::dbm::satisfiable(zone.data(), clocks_, atom.left, atom.right, atom.bound);
        out[d.first_element] =
            zone::dbm::satisfiable(zone.data(), clocks_, atom.right, atom.left, zone::negate(atom.bound));
        break;
      }
    }
  }
  return out;
}

}  // namespace harrier::abstraction
