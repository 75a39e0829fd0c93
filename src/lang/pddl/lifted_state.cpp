#include "lang/pddl/lifted_state.h"

#include <algorithm>

#include "lang/pddl/layers.h"

namespace harrier::pddl::lifted {

namespace {

template <class Each>
void each_predicate(const Formula& formula, Each each) {
  if (formula.kind == Formula::Kind::Holds) each(formula.atom->predicate);
  for (const Formula& part : formula.parts) each_predicate(part, each);
}

bool has(const std::vector<uint32_t>& list, uint32_t value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

}  // namespace

State::State(const Task& task, Domains& domains, const Watch& watch)
    : evaluator_(relations_, watch), readers_(task.predicates.size()) {
  for (const Predicate& predicate : task.predicates) relations_.emplace_back(predicate.parameters.size());
  for (const Atom& atom : task.initial) {
    watch.poll();
    relations_[atom.predicate].insert(evaluator_.ground(atom, {}));
  }
  const Layers layers = layers_of(task, watch);
  layers_.resize(layers.axioms.size());
  for (uint32_t l = 0; l < layers_.size(); ++l) {
    for (const uint32_t axiom : layers.axioms[l]) {
      layers_[l].derivations.push_back(derivation_of(task.axioms[axiom], domains));
      if (!has(layers_[l].heads, task.axioms[axiom].head)) layers_[l].heads.push_back(task.axioms[axiom].head);
    }
    find_readers(l);
    find_recursion(layers_[l]);
  }
}

State::Derivation State::derivation_of(const Axiom& axiom, Domains& domains) {
  Atom& head = heads_.emplace_back();
  head.predicate = axiom.head;
  std::vector<uint32_t> parameters;
  for (uint32_t p = 0; p < axiom.parameters; ++p) {
    head.arguments.push_back({.variable = true, .index = p});
    parameters.push_back(p);
  }
  Derivation out{.head = &head, .binding = binding_of(axiom.variables, domains), .rules = {}};
  for (Formula& ways : alternatives_of(parameters, formula_of(axiom.condition))) {
    ways.parts.push_back(atom_formula(head, true));
    ways.apart.push_back(false);
    out.rules.push_back({.ways = std::move(ways), .recursive = {}});
  }
  return out;
}

void State::find_readers(uint32_t layer) {
  for (const Derivation& derivation : layers_[layer].derivations) {
    for (const Rule& rule : derivation.rules) {
      each_predicate(rule.ways, [&](uint32_t predicate) {
        if (readers_[predicate].empty() || readers_[predicate].back() != layer) readers_[predicate].push_back(layer);
      });
    }
  }
}

void State::find_recursion(Layer& layer) {
  for (Derivation& derivation : layer.derivations) {
    for (Rule& rule : derivation.rules) {
      for (size_t p = 0; p + 1 < rule.ways.parts.size(); ++p) {
        const Formula& part = rule.ways.parts[p];
        bool recursive = false;
        each_predicate(part, [&](uint32_t predicate) { recursive = recursive || has(layer.heads, predicate); });
        if (!recursive) continue;
        if (part.kind == Formula::Kind::Holds) {
          rule.recursive.push_back(p);
        } else {
          rule.hides_recursion = true;
        }
      }
    }
  }
}

void State::set(uint32_t predicate, std::span<const uint32_t> row, bool holds) {
  Relation& relation = relations_[predicate];
  if (holds ? relation.insert(row) : relation.erase(row)) changed(predicate);
}

void State::changed(uint32_t predicate) {
  for (const uint32_t reader : readers_[predicate]) layers_[reader].outdated = true;
}

void State::derive() {
  for (Layer& layer : layers_) {
    if (layer.outdated) derive(layer);
  }
}

// Everything once, and then only what comes from atoms that the round before has found.
void State::derive(Layer& layer) {
  for (const uint32_t head : layer.heads) {
    relations_[head].clear();
    changed(head);
  }
  for (Derivation& derivation : layer.derivations) {
    for (const Rule& rule : derivation.rules) evaluator_.solve(rule.ways, derivation.binding, adding(derivation));
  }
  std::vector<size_t> from(relations_.size());
  std::vector<size_t> to(relations_.size());
  while (true) {
    for (const uint32_t head : layer.heads) to[head] = relations_[head].size();
    if (from == to) break;
    for (Derivation& derivation : layer.derivations) {
      for (const Rule& rule : derivation.rules) derive_again(derivation, rule, from, to);
    }
    from = to;
  }
  layer.outdated = false;
}

void State::derive_again(Derivation& derivation, const Rule& rule, const std::vector<size_t>& from,
                         const std::vector<size_t>& to) {
  if (rule.hides_recursion) {
    evaluator_.solve(rule.ways, derivation.binding, adding(derivation));
    return;
  }
  for (const size_t part : rule.recursive) {
    const uint32_t predicate = rule.ways.parts[part].atom->predicate;
    evaluator_.solve(rule.ways, part, from[predicate], to[predicate], derivation.binding, adding(derivation));
  }
}

Evaluator::Found State::adding(const Derivation& derivation) {
  return [this, &derivation] {
    relations_[derivation.head->predicate].insert(evaluator_.ground(*derivation.head, derivation.binding));
    return false;
  };
}

}  // namespace harrier::pddl::lifted
