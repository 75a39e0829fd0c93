#include "lang/pddl/pruning.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace harrier::pddl {

namespace {

constexpr uint32_t kGone = UINT32_MAX;

class Pruning {
 public:
  Pruning(FiniteTask task, const Watch& watch) : task_(std::move(task)), watch_(watch) {}

  FiniteTask run() {
    number_facts();
    reach();
    const auto is_reached = [&](Fact fact) { return reached_[number(fact)]; };
    if (!std::all_of(task_.goal.begin(), task_.goal.end(), is_reached)) return unsolvable(task_);
    drop_unreached();
    find_relevant();
    renumber();
    rewrite();
    merge_operators();
    merge_axioms();
    return std::move(task_);
  }

 private:
  // Reachability: a rule fires when nothing is missing any more.
  struct Rule {
    uint32_t missing = 0;
    uint32_t gives = kGone;  // a fact; else it is an operator, and those of its effects follow
    uint32_t effects = 0;
  };

  void number_facts();
  uint32_t number(Fact fact) const { return first_fact_[fact.variable] + fact.value; }
  void add_rule(const std::vector<Fact>& needs, uint32_t more, uint32_t gives, uint32_t effects);
  void make_rules();
  void index_rules();
  void reach();
  void reached(uint32_t fact);
  bool all_reached(const std::vector<Fact>& facts) const;
  void drop_unreached();

  void find_relevant();
  void need(const std::vector<Fact>& facts);
  void renumber();
  void rewrite(std::vector<Fact>& facts) const;
  void rewrite(Operator& op) const;
  void rewrite();
  void merge_operators();
  void merge_axioms();

  FiniteTask task_;
  const Watch& watch_;
  std::vector<uint32_t> first_fact_;  // by variable
  std::vector<Rule> rules_;           // of each operator one, followed by those of its effects; then axioms
  std::vector<std::pair<uint32_t, uint32_t>> needs_;  // fact, rule
  std::vector<uint32_t> first_need_;                  // by fact
  std::vector<bool> reached_;                         // by fact
  std::vector<uint32_t> open_;                        // facts
  std::vector<bool> relevant_;                        // by variable
  std::vector<uint32_t> relevant_open_;
  std::vector<uint32_t> new_variable_;
  std::vector<uint32_t> new_value_;  // by fact
};

void Pruning::number_facts() {
  uint32_t facts = 0;
  for (const FiniteVariable& variable : task_.variables) {
    first_fact_.push_back(facts);
    facts += static_cast<uint32_t>(variable.values.size());
  }
  reached_.assign(facts, false);
}

void Pruning::add_rule(const std::vector<Fact>& needs, uint32_t more, uint32_t gives, uint32_t effects) {
  for (const Fact fact : needs) needs_.emplace_back(number(fact), static_cast<uint32_t>(rules_.size()));
  rules_.push_back({static_cast<uint32_t>(needs.size()) + more, gives, effects});
}

void Pruning::make_rules() {
  for (const Operator& op : task_.operators) {
    watch_.poll();
    add_rule(op.preconditions, 0, kGone, static_cast<uint32_t>(op.effects.size()));
    for (const FiniteEffect& effect : op.effects) add_rule(effect.conditions, 1, number(effect.fact), 0);
  }
  for (const FiniteAxiom& axiom : task_.axioms) add_rule(axiom.body, 0, number(axiom.head), 0);
}

// The needs by facts, those of each in a row.
void Pruning::index_rules() {
  first_need_.assign(reached_.size() + 1, 0);
  for (const auto& [fact, rule] : needs_) ++first_need_[fact + 1];
  for (size_t i = 1; i < first_need_.size(); ++i) first_need_[i] += first_need_[i - 1];
  std::vector<std::pair<uint32_t, uint32_t>> sorted(needs_.size());
  std::vector<uint32_t> next = first_need_;
  for (const auto& need : needs_) sorted[next[need.first]++] = need;
  needs_ = std::move(sorted);
}

void Pruning::reached(uint32_t fact) {
  if (reached_[fact]) return;
  reached_[fact] = true;
  open_.push_back(fact);
}

void Pruning::reach() {
  make_rules();
  index_rules();
  const auto fire = [&](uint32_t r) {
    if (rules_[r].gives != kGone) {
      reached(rules_[r].gives);
      return;
    }
    for (uint32_t e = r + 1; e <= r + rules_[r].effects; ++e) {
      if (--rules_[e].missing == 0) reached(rules_[e].gives);
    }
  };
  for (uint32_t v = 0; v < task_.variables.size(); ++v) reached(number({v, task_.initial[v]}));
  std::vector<uint32_t> free;
  for (uint32_t r = 0; r < rules_.size(); ++r) {
    if (rules_[r].missing == 0) free.push_back(r);
  }
  for (const uint32_t r : free) fire(r);
  while (!open_.empty()) {
    watch_.poll();
    const uint32_t fact = open_.back();
    open_.pop_back();
    for (uint32_t i = first_need_[fact]; i < first_need_[fact + 1]; ++i) {
      const uint32_t r = needs_[i].second;
      if (--rules_[r].missing == 0) fire(r);
    }
  }
}

bool Pruning::all_reached(const std::vector<Fact>& facts) const {
  return std::all_of(facts.begin(), facts.end(), [&](Fact fact) { return reached_[number(fact)]; });
}

void Pruning::drop_unreached() {
  std::erase_if(task_.operators, [&](const Operator& op) { return !all_reached(op.preconditions); });
  for (Operator& op : task_.operators) {
    std::erase_if(op.effects, [&](const FiniteEffect& effect) { return !all_reached(effect.conditions); });
  }
  std::erase_if(task_.axioms, [&](const FiniteAxiom& axiom) { return !all_reached(axiom.body); });
  needs_ = {};
  rules_ = {};
}

void Pruning::need(const std::vector<Fact>& facts) {
  for (const Fact fact : facts) {
    if (relevant_[fact.variable]) continue;
    relevant_[fact.variable] = true;
    relevant_open_.push_back(fact.variable);
  }
}

// Backwards from the goal: what changes a variable that matters.
void Pruning::find_relevant() {
  struct Writers {
    std::vector<std::pair<uint32_t, uint32_t>> effects;  // operator, effect
    std::vector<uint32_t> axioms;
  };
  std::vector<Writers> writers(task_.variables.size());
  for (uint32_t o = 0; o < task_.operators.size(); ++o) {
    const auto& effects = task_.operators[o].effects;
    for (uint32_t e = 0; e < effects.size(); ++e) writers[effects[e].fact.variable].effects.emplace_back(o, e);
  }
  for (uint32_t a = 0; a < task_.axioms.size(); ++a) {
    writers[task_.axioms[a].head.variable].axioms.push_back(a);
  }
  relevant_.assign(task_.variables.size(), false);
  std::vector<bool> needed(task_.operators.size(), false);
  need(task_.goal);
  while (!relevant_open_.empty()) {
    watch_.poll();
    const Writers& own = writers[relevant_open_.back()];
    relevant_open_.pop_back();
    for (const auto& [o, e] : own.effects) {
      watch_.poll();
      if (!needed[o]) need(task_.operators[o].preconditions);
      needed[o] = true;
      need(task_.operators[o].effects[e].conditions);
    }
    for (const uint32_t a : own.axioms) need(task_.axioms[a].body);
  }
}

void Pruning::renumber() {
  new_value_.assign(reached_.size(), kGone);
  new_variable_.assign(task_.variables.size(), kGone);
  std::vector<FiniteVariable> kept;
  std::vector<uint32_t> initial;
  for (uint32_t v = 0; v < task_.variables.size(); ++v) {
    FiniteVariable& variable = task_.variables[v];
    uint32_t values = 0;
    for (uint32_t i = 0; i < variable.values.size(); ++i) {
      if (!reached_[first_fact_[v] + i]) continue;
      new_value_[first_fact_[v] + i] = values;
      if (values != i) variable.values[values] = std::move(variable.values[i]);
      ++values;
    }
    if (values < 2 || !relevant_[v]) continue;
    variable.values.resize(values);
    new_variable_[v] = static_cast<uint32_t>(kept.size());
    variable.name = "var" + std::to_string(kept.size());
    initial.push_back(new_value_[first_fact_[v] + task_.initial[v]]);
    kept.push_back(std::move(variable));
  }
  task_.variables = std::move(kept);
  task_.initial = std::move(initial);
}

// What is left of a condition: what it says of variables without a choice is true.
void Pruning::rewrite(std::vector<Fact>& facts) const {
  size_t kept = 0;
  for (const Fact fact : facts) {
    if (new_variable_[fact.variable] != kGone) facts[kept++] = {new_variable_[fact.variable], new_value_[number(fact)]};
  }
  facts.resize(kept);
}

void Pruning::rewrite(Operator& op) const {
  rewrite(op.preconditions);
  std::erase_if(op.effects, [&](const FiniteEffect& e) { return new_variable_[e.fact.variable] == kGone; });
  for (FiniteEffect& effect : op.effects) {
    effect.fact = {new_variable_[effect.fact.variable], new_value_[number(effect.fact)]};
    rewrite(effect.conditions);
    std::erase_if(effect.conditions, [&](Fact fact) {
      return std::binary_search(op.preconditions.begin(), op.preconditions.end(), fact);
    });
  }
}

void Pruning::rewrite() {
  for (Operator& op : task_.operators) rewrite(op);
  std::erase_if(task_.operators, [](const Operator& op) { return op.effects.empty(); });
  std::erase_if(task_.axioms, [&](const FiniteAxiom& axiom) { return new_variable_[axiom.head.variable] == kGone; });
  for (FiniteAxiom& axiom : task_.axioms) {
    rewrite(axiom.body);
    axiom.head = {new_variable_[axiom.head.variable], new_value_[number(axiom.head)]};
  }
  rewrite(task_.goal);
  for (auto& group : task_.mutexes) {
    std::erase_if(group, [&](Fact fact) { return !reached_[number(fact)]; });
    rewrite(group);
  }
  std::erase_if(task_.mutexes, [](const std::vector<Fact>& group) { return group.size() < 2; });
}

// Also sorts them. Effects on one variable stay in their order.
void Pruning::merge_operators() {
  std::map<std::vector<uint32_t>, uint32_t> known;
  std::vector<Operator> kept;
  std::vector<uint32_t> key;
  for (Operator& op : task_.operators) {
    watch_.poll();
    std::stable_sort(op.effects.begin(), op.effects.end(),
                     [](const FiniteEffect& a, const FiniteEffect& b) { return a.fact.variable < b.fact.variable; });
    key.clear();
    const auto append = [&](const std::vector<Fact>& facts) {
      key.push_back(static_cast<uint32_t>(facts.size()));
      for (const Fact fact : facts) key.insert(key.end(), {fact.variable, fact.value});
    };
    append(op.preconditions);
    for (const FiniteEffect& effect : op.effects) {
      append(effect.conditions);
      key.insert(key.end(), {effect.fact.variable, effect.fact.value});
    }
    const auto [at, fresh] = known.try_emplace(key, static_cast<uint32_t>(kept.size()));
    if (fresh) {
      kept.push_back(std::move(op));
    } else if (op.cost < kept[at->second].cost) {
      kept[at->second] = std::move(op);
    }
  }
  // Among equals, searches take what comes first. In the order of their names that is the same however operators were
  // found, and what other planners do.
  std::stable_sort(kept.begin(), kept.end(), [](const Operator& a, const Operator& b) { return a.name < b.name; });
  task_.operators = std::move(kept);
}

void Pruning::merge_axioms() {
  std::set<std::pair<Fact, std::vector<Fact>>> known;
  std::erase_if(task_.axioms, [&](const FiniteAxiom& axiom) { return !known.insert({axiom.head, axiom.body}).second; });
}

}  // namespace

FiniteTask pruned(FiniteTask task, const Watch& watch) { return Pruning(std::move(task), watch).run(); }

FiniteTask unsolvable(const FiniteTask& task) {
  FiniteTask out;
  out.costs = task.costs;
  out.solvable = false;
  out.translation = task.translation;
  return out;
}

}  // namespace harrier::pddl
