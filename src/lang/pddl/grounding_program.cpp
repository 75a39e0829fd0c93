#include "lang/pddl/grounding_program.h"

#include <algorithm>
#include <numeric>

namespace harrier::pddl {

Program::Program(const Task& task, const Watch& watch)
    : task_(task), watch_(watch), domains_(task, watch), reachability_(watch) {
  make_symbols();
  for (const Action& action : task.actions) add_action(action);
  for (const Axiom& axiom : task.axioms) {
    Schema& schema = axioms_.emplace_back();
    schema.scope = scope_of(axiom.variables, axiom.parameters);
    schema.condition = normal_form(axiom.condition, watch);
    schema.cases = cases_of(schema.condition, schema.scope, {});
    for (Case& one : schema.cases) keep(one, schema.scope);
  }
  goal_.scope = scope_of(task.goal_variables, 0);
  goal_.condition = normal_form(task.goal, watch);
}

void Program::make_symbols() {
  symbols_.symbols.resize(task_.predicates.size());
  for (size_t p = 0; p < task_.predicates.size(); ++p) {
    std::vector<uint32_t> widths;
    for (const Variable& parameter : task_.predicates[p].parameters) {
      widths.push_back(static_cast<uint32_t>(domains_.of(parameter).objects.size()));
    }
    symbols_.symbols[p].relation = std::make_unique<Relation>(std::move(widths));
    symbols_.symbols[p].changing = task_.predicates[p].derived;
  }
  for (const Action& action : task_.actions) {
    for (const Effect& effect : action.effects) {
      symbols_.of(effect.atom).changing = true;
      if (!effect.adds) symbols_.of(effect.atom).deleted = true;
    }
  }
  std::vector<uint32_t> tuple;
  for (const Atom& atom : task_.initial) {
    watch_.poll();
    tuple.clear();
    for (const Term& term : atom.arguments) tuple.push_back(term.index);
    symbols_.of(atom).relation->add(tuple.data());
  }
  for (SymbolTable::Symbol& symbol : symbols_.symbols) {
    symbol.initial = symbol.relation->size();
    if (symbol.changing) {
      reachability_.add_relation(*symbol.relation);
    } else {
      symbol.relation->enter_all();
      symbol.relation->set_complete();
    }
  }
}

Scope Program::scope_of(const std::vector<Variable>& variables, uint32_t parameters) {
  Scope out{.parameters = parameters};
  for (const Variable& variable : variables) {
    out.domains.push_back(&domains_.of(variable));
    out.inhabited.push_back(!out.domains.back()->objects.empty());
  }
  return out;
}

// False if it cannot be: then it need not be looked at any more.
bool Program::add_literal(const Atom& atom, bool positive, Body& body) const {
  const SymbolTable::Symbol& symbol = symbols_.of(atom);
  if (positive) {
    if (!symbol.relation->complete()) {
      body.atoms.push_back({symbol.relation.get(), &atom.arguments});
      return true;
    }
    std::vector<uint32_t> tuple;
    for (const Term& term : atom.arguments) {
      if (!term.variable) tuple.push_back(term.index);
    }
    if (tuple.size() == atom.arguments.size()) return symbol.relation->find(tuple.data()) != Relation::kNone;
    body.atoms.push_back({symbol.relation.get(), &atom.arguments});
    return symbol.relation->size() != 0;
  }
  // What holds at the start and is never deleted always holds.
  if (!symbol.deleted && symbol.initial != 0) {
    body.absent.push_back({symbol.relation.get(), &atom.arguments, symbol.initial});
  }
  return true;
}

// `variables`: those that shall have a value besides the parameters.
std::vector<Case> Program::cases_of(const Formula& formula, const Scope& scope,
                                    const std::vector<uint32_t>& variables) const {
  std::vector<Case> out;
  for (Branch& branch : branches(formula, scope.inhabited, watch_)) {
    Case one{.branch = std::move(branch)};
    bool possible = true;
    for (const Atom* atom : one.branch.atoms) possible = add_literal(*atom, true, one.body) && possible;
    for (const Atom* atom : one.branch.absent) add_literal(*atom, false, one.body);
    if (!possible) continue;
    one.body.domains = scope.domains;
    one.body.comparisons = one.branch.comparisons;
    one.body.wanted = variables;
    one.body.wanted.insert(one.body.wanted.end(), one.branch.variables.begin(), one.branch.variables.end());
    out.push_back(std::move(one));
  }
  return out;
}

// Parameters come first in the instances.
void Program::keep(Case& one, const Scope& scope) {
  std::vector<uint32_t> wanted(scope.parameters);
  std::iota(wanted.begin(), wanted.end(), 0);
  wanted.insert(wanted.end(), one.body.wanted.begin(), one.body.wanted.end());
  one.body.wanted = std::move(wanted);
  std::vector<uint32_t> widths;
  for (const uint32_t variable : one.body.wanted) {
    one.terms.push_back({.variable = true, .index = variable});
    widths.push_back(static_cast<uint32_t>(scope.domains[variable]->objects.size()));
  }
  one.instances = std::make_unique<Relation>(std::move(widths));
  reachability_.add_relation(*one.instances);
}

void Program::add_action(const Action& action) {
  watch_.poll();
  ActionSchema& schema = actions_.emplace_back();
  schema.scope = scope_of(action.variables, action.parameters);
  schema.condition = normal_form(action.precondition, watch_);
  schema.cases = cases_of(schema.condition, schema.scope, {});
  for (Case& one : schema.cases) keep(one, schema.scope);
  for (const Effect& effect : action.effects) {
    EffectSchema& made = schema.effects.emplace_back();
    made.effect = &effect;
    made.condition = normal_form(effect.condition, watch_);
    made.plain = effect.variables.empty() && made.condition.is_true();
    const auto inhabited = [&](uint32_t variable) { return schema.scope.inhabited[variable]; };
    if (made.plain || !std::all_of(effect.variables.begin(), effect.variables.end(), inhabited)) continue;
    made.cases = cases_of(made.condition, schema.scope, effect.variables);
    for (Case& one : made.cases) {
      if (!effect.adds) add_literal(effect.atom, true, one.body);
    }
  }
}

void Program::add_rules(ActionSchema& action) {
  for (Case& one : action.cases) {
    Rule rule{.body = one.body, .instances = one.instances.get()};
    for (const EffectSchema& effect : action.effects) {
      if (!effect.effect->adds) continue;
      const Rule::Head head{symbols_.of(effect.effect->atom).relation.get(), &effect.effect->atom.arguments};
      if (effect.plain) rule.heads.push_back(head);
      for (const Case& condition : effect.cases) {
        Rule conditional{.body = condition.body, .heads = {head}};
        conditional.body.atoms.insert(conditional.body.atoms.begin(), {one.instances.get(), &one.terms});
        reachability_.add_rule(std::move(conditional));
      }
    }
    reachability_.add_rule(std::move(rule));
  }
}

void Program::run() {
  for (ActionSchema& action : actions_) add_rules(action);
  for (size_t a = 0; a < axioms_.size(); ++a) {
    const Axiom& axiom = task_.axioms[a];
    for (Case& one : axioms_[a].cases) {
      std::vector<Term>& head = heads_.emplace_back();
      for (uint32_t p = 0; p < axiom.parameters; ++p) head.push_back({.variable = true, .index = p});
      Relation* relation = symbols_.symbols[axiom.head].relation.get();
      reachability_.add_rule({.body = one.body, .heads = {{relation, &head}}, .instances = one.instances.get()});
    }
  }
  reachability_.run();
  goal_.cases = cases_of(goal_.condition, goal_.scope, {});
}

void Program::add_necessary(const Formula& formula, bool negated, Body& body) const {
  using Kind = Formula::Kind;
  switch (formula.kind) {
    case Kind::And:
    case Kind::Or:
      if ((formula.kind == Kind::Or) != negated) return;
      for (const Formula& part : formula.parts) add_necessary(part, negated, body);
      return;
    case Kind::Exists:
    case Kind::Forall:
      if ((formula.kind == Kind::Forall) == negated) add_necessary(formula.parts.front(), negated, body);
      return;
    case Kind::Holds: add_literal(*formula.atom, formula.positive != negated, body); return;
    case Kind::Equal: body.comparisons.push_back({formula.atom, formula.positive != negated}); return;
  }
}

}  // namespace harrier::pddl
