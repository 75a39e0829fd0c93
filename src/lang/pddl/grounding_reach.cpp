#include "lang/pddl/grounding_reach.h"

#include <algorithm>

namespace harrier::pddl {

void Reachability::add_relation(Relation& relation) {
  numbers_.emplace(&relation, static_cast<uint32_t>(targets_.size()));
  Target& target = targets_.emplace_back();
  target.relation = &relation;
  target.by_object.resize(relation.arity());
  target.awaited = std::make_unique<Relation>(std::vector<uint32_t>(relation.arity()));
}

void Reachability::add_rule(Rule rule) {
  for (Rule::Head& head : rule.heads) head.target = numbers_.at(head.relation);
  if (rule.instances != nullptr) rule.target = numbers_.at(rule.instances);
  Rule& added = rules_.emplace_back(std::move(rule));
  std::erase_if(added.body.atoms, [&](const Body::Present& atom) { return await(added, atom); });
}

// An atom without variables need not be joined: the rule waits for it. False if it is another one.
bool Reachability::await(Rule& rule, const Body::Present& atom) {
  if (std::any_of(atom.terms->begin(), atom.terms->end(), [](const Term& term) { return term.variable; })) return false;
  if (atom.relation->complete()) return false;
  tuple_.clear();
  for (const Term& term : *atom.terms) tuple_.push_back(term.index);
  Target& target = targets_[numbers_.at(atom.relation)];
  target.read = true;
  const uint32_t number = target.awaited->add(tuple_.data()).first;
  target.waiting.resize(target.awaited->size());
  target.waiting[number].push_back(&rule);
  ++rule.missing;
  return true;
}

void Reachability::add_trigger(Rule& rule, size_t atom) {
  const Body::Present& present = rule.body.atoms[atom];
  if (present.relation->complete()) return;
  Target& target = targets_[numbers_.at(present.relation)];
  target.read = true;
  const auto constant =
      std::find_if(present.terms->begin(), present.terms->end(), [](const Term& term) { return !term.variable; });
  if (constant == present.terms->end()) {
    target.always.push_back({.rule = &rule, .atom = atom});
  } else {
    target.by_object[constant - present.terms->begin()][constant->index].push_back({.rule = &rule, .atom = atom});
  }
}

void Reachability::run() {
  size_t variables = 0;
  for (Rule& rule : rules_) {
    watch_.poll();
    variables = std::max(variables, rule.body.domains.size());
    for (size_t atom = 0; atom < rule.body.atoms.size(); ++atom) add_trigger(rule, atom);
  }
  binding_.resize(variables);
  for (uint32_t target = 0; target < targets_.size(); ++target) {
    if (targets_[target].read) queue_.insert(queue_.end(), targets_[target].relation->size(), target);
  }
  for (const Rule& rule : rules_) {
    const auto& atoms = rule.body.atoms;
    const bool known = std::all_of(atoms.begin(), atoms.end(), [](const auto& a) { return a.relation->complete(); });
    if (known && rule.missing == 0) fire(rule);
  }
  while (!queue_.empty()) {
    watch_.poll();
    Target& target = targets_[queue_.front()];
    queue_.pop_front();
    const uint32_t tuple = target.relation->entered();
    target.relation->enter();
    for (Trigger& trigger : target.always) fire(trigger, tuple);
    for (uint32_t column = 0; column < target.by_object.size(); ++column) {
      const auto found = target.by_object[column].find(target.relation->tuple(tuple)[column]);
      if (found == target.by_object[column].end()) continue;
      for (Trigger& trigger : found->second) fire(trigger, tuple);
    }
    // Only now: a rule that has waited for it looks at all tuples, this one too.
    const uint32_t awaited = target.awaited->find(target.relation->tuple(tuple));
    if (awaited == Relation::kNone) continue;
    for (Rule* rule : target.waiting[awaited]) {
      if (--rule->missing == 0) fire(*rule);
    }
  }
  for (const Target& target : targets_) {
    target.relation->enter_all();
    target.relation->set_complete();
  }
}

void Reachability::fire(const Rule& rule) {
  Plan plan(rule.body, std::vector<bool>(rule.body.domains.size()), Plan::kNoAtom, watch_);
  plan.run(binding_.data(), watch_, [&] { derive(rule); });
}

void Reachability::fire(Trigger& trigger, uint32_t tuple) {
  const Rule& rule = *trigger.rule;
  if (rule.missing != 0) return;
  if (trigger.plan == nullptr) {
    trigger.plan = std::make_unique<Plan>(rule.body, std::vector<bool>(rule.body.domains.size()), trigger.atom, watch_);
  }
  trigger.plan->run(binding_.data(), tuple, watch_, [&] { derive(rule); });
}

void Reachability::derive(const Rule& rule) {
  if (rule.instances != nullptr) {
    tuple_.clear();
    for (const uint32_t variable : rule.body.wanted) tuple_.push_back(binding_[variable]);
    add(rule.target, true);
  }
  for (const Rule::Head& head : rule.heads) {
    tuple_.clear();
    for (const Term& term : *head.terms) tuple_.push_back(term.variable ? binding_[term.index] : term.index);
    add(head.target, false);
  }
}

// Where nobody reads a relation, its tuples are entered at the end, and what cannot be there need not be looked for.
void Reachability::add(uint32_t number, bool surely_new) {
  const Target& target = targets_[number];
  if (surely_new && !target.read) {
    target.relation->append(tuple_.data());
  } else if (target.relation->add(tuple_.data()).second && target.read) {
    queue_.push_back(number);
  }
}

}  // namespace harrier::pddl
