#include "lang/pddl/lower.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <tuple>

namespace harrier::pddl {

namespace {

using model::ExprId;
using model::Op;
using model::StmtId;
using model::VarId;

constexpr uint32_t kMostCases = 200;  // nested in one expression: others walk them recursively

class Lowering {
 public:
  Lowering(const FiniteTask& task, const Watch& watch)
      : task_(task), watch_(watch), readers_(task.variables.size(), 0), place_(task.variables.size(), kNowhere) {}

  Lowered run() {
    system_.counts_costs = task_.costs;
    add_variables();
    add_process();
    system_.edges.reserve(task_.operators.size());
    for (const Operator& op : task_.operators) add_edge(op);
    for (const FiniteAxiom& axiom : task_.axioms) add_axiom(axiom);
    std::stable_sort(system_.axioms.begin(), system_.axioms.end(),
                     [](const model::Axiom& a, const model::Axiom& b) { return a.layer < b.layer; });
    Lowered out;
    out.properties.push_back(property());
    out.system = std::move(system_);
    return out;
  }

 private:
  static constexpr uint32_t kNowhere = UINT32_MAX;

  // All that an operator does to one variable, in order.
  struct Update {
    uint32_t variable = 0;
    std::vector<const FiniteEffect*> effects;
  };

  void add_variables();
  uint32_t names_of(const std::vector<std::string>& values);
  static std::string readable(const std::string& value);
  void add_process();
  void add_edge(const Operator& op);
  void add_axiom(const FiniteAxiom& axiom);
  model::Property property();

  ExprId constant(uint32_t value);
  ExprId holds(Fact fact);
  std::vector<ExprId> all(const std::vector<Fact>& facts);
  ExprId conjunction(const std::vector<Fact>& facts);
  ExprId joined(Op op, const std::vector<ExprId>& parts, size_t begin, size_t end);
  StmtId store(uint32_t variable, ExprId value);
  StmtId store_slot(uint32_t slot, ExprId value);
  StmtId assignment(Fact fact);

  std::vector<StmtId> effect(const Operator& op);
  void gather(const Operator& op);
  ExprId value_after(const Update& update, std::vector<StmtId>& before);
  StmtId written(const Update& update, std::vector<StmtId>& before);
  std::vector<size_t> order();
  template <class Visit>
  void for_each_read(const Update& update, Visit&& visit) const;

  const FiniteTask& task_;
  const Watch& watch_;
  model::System system_;
  std::map<std::vector<std::string>, uint32_t> names_;
  // What is the same in many operators is made once, so that others look at it once.
  std::vector<ExprId> constants_;    // by value
  std::vector<size_t> first_fact_;   // by variable, in the next two
  std::vector<ExprId> facts_;        // that the variable has the value
  std::vector<StmtId> assignments_;  // that it gets it
  std::map<std::vector<Fact>, ExprId> conditions_;
  std::map<std::tuple<ExprId, uint32_t, uint32_t>, StmtId> conditional_;  // by condition, variable and value

  // Of the operator at hand.
  std::vector<Update> updates_;
  std::vector<uint32_t> readers_;  // by variable: updates of other variables that read it, and are still to come
  std::vector<uint32_t> place_;    // by variable: of its update
  uint32_t slots_ = 0;
};

// The variables keep their numbers.
void Lowering::add_variables() {
  for (size_t v = 0; v < task_.variables.size(); ++v) {
    watch_.poll();
    const FiniteVariable& variable = task_.variables[v];
    system_.variables.push_back({.name = variable.name,
                                 .hi = static_cast<int32_t>(variable.values.size()) - 1,
                                 .initial = static_cast<int32_t>(task_.initial[v]),
                                 .value_names = names_of(variable.values)});
    first_fact_.push_back(facts_.size());
    facts_.resize(facts_.size() + variable.values.size());
  }
  assignments_.resize(facts_.size());
}

uint32_t Lowering::names_of(const std::vector<std::string>& values) {
  const auto [at, fresh] = names_.try_emplace(values, static_cast<uint32_t>(system_.value_names.size()) + 1);
  if (fresh) {
    std::vector<std::string>& names = system_.value_names.emplace_back();
    std::transform(values.begin(), values.end(), std::back_inserter(names), readable);
  }
  return at->second;
}

// "Atom at(truck, depot)" and "NegatedAtom clear(a)" are how .sas files have it.
std::string Lowering::readable(const std::string& value) {
  constexpr std::string_view kAtom = "Atom ";
  constexpr std::string_view kNegated = "NegatedAtom ";
  if (value.starts_with(kAtom)) return value.substr(kAtom.size());
  if (value.starts_with(kNegated)) return "not " + value.substr(kNegated.size());
  return value;
}

void Lowering::add_process() {
  std::string name = "task";
  const auto taken = [&](const FiniteVariable& v) { return v.name == name; };
  while (std::any_of(task_.variables.begin(), task_.variables.end(), taken)) name += '_';
  system_.variables.push_back({.name = name, .kind = model::VarKind::Location});
  model::Process process{.name = name, .type = name, .location = VarId(task_.variables.size())};
  process.locations.push_back({.name = "state"});
  for (size_t i = 0; i < task_.operators.size(); ++i) process.edges.emplace_back(i);
  system_.processes.push_back(std::move(process));
}

void Lowering::add_edge(const Operator& op) {
  watch_.poll();
  model::Edge edge{.process = model::ProcessId(0), .guard = all(op.preconditions), .label = op.name, .cost = op.cost};
  edge.effect = effect(op);
  system_.edges.push_back(std::move(edge));
}

void Lowering::add_axiom(const FiniteAxiom& axiom) {
  watch_.poll();
  system_.axioms.push_back({.head = VarId(axiom.head.variable),
                            .value = static_cast<int32_t>(axiom.head.value),
                            .layer = static_cast<uint32_t>(task_.variables[axiom.head.variable].layer),
                            .body = all(axiom.body)});
}

model::Property Lowering::property() {
  model::Property out{.kind = model::PropertyKind::Reachable, .text = "goal", .name = "goal"};
  if (task_.solvable) out.goal.push_back({.conditions = all(task_.goal)});
  return out;
}

ExprId Lowering::constant(uint32_t value) {
  if (value >= constants_.size()) constants_.resize(value + 1);
  if (!constants_[value].valid()) constants_[value] = system_.make_const(static_cast<int32_t>(value));
  return constants_[value];
}

ExprId Lowering::holds(Fact fact) {
  ExprId& known = facts_[first_fact_[fact.variable] + fact.value];
  if (!known.valid()) {
    known = system_.make_binary(Op::Eq, system_.make_var(VarId(fact.variable)), constant(fact.value));
  }
  return known;
}

std::vector<ExprId> Lowering::all(const std::vector<Fact>& facts) {
  std::vector<ExprId> out;
  out.reserve(facts.size());
  for (const Fact fact : facts) out.push_back(holds(fact));
  return out;
}

// As flat a tree as there is.
ExprId Lowering::joined(Op op, const std::vector<ExprId>& parts, size_t begin, size_t end) {
  if (end - begin == 1) return parts[begin];
  const size_t middle = begin + (end - begin) / 2;
  const ExprId left = joined(op, parts, begin, middle);
  return system_.make_binary(op, left, joined(op, parts, middle, end));
}

ExprId Lowering::conjunction(const std::vector<Fact>& facts) {
  const auto [at, fresh] = conditions_.try_emplace(facts);
  if (fresh) at->second = joined(Op::And, all(facts), 0, facts.size());
  return at->second;
}

StmtId Lowering::store(uint32_t variable, ExprId value) {
  return system_.make_expr_stmt(system_.make({.op = Op::Store, .base = variable, .b = value}));
}

StmtId Lowering::store_slot(uint32_t slot, ExprId value) {
  return system_.make_expr_stmt(system_.make({.op = Op::StoreLocal, .base = slot, .b = value}));
}

StmtId Lowering::assignment(Fact fact) {
  StmtId& known = assignments_[first_fact_[fact.variable] + fact.value];
  if (!known.valid()) known = store(fact.variable, constant(fact.value));
  return known;
}

// Where several effects give a variable values, the last one counts; what comes before one without conditions is lost.
void Lowering::gather(const Operator& op) {
  updates_.clear();
  for (const FiniteEffect& effect : op.effects) {
    uint32_t& place = place_[effect.fact.variable];
    if (place == kNowhere) {
      place = static_cast<uint32_t>(updates_.size());
      updates_.push_back({effect.fact.variable, {}});
    }
    if (effect.conditions.empty()) updates_[place].effects.clear();
    updates_[place].effects.push_back(&effect);
  }
  for (const Update& update : updates_) place_[update.variable] = kNowhere;
}

template <class Visit>
void Lowering::for_each_read(const Update& update, Visit&& visit) const {
  for (const FiniteEffect* effect : update.effects) {
    for (const Fact fact : effect->conditions) {
      if (fact.variable != update.variable) visit(fact.variable);
    }
  }
}

// The updates such that none comes before others that read what it writes; then those for which there is no such place.
// An update counts as reading a variable as often as it names it.
std::vector<size_t> Lowering::order() {
  for (size_t i = 0; i < updates_.size(); ++i) {
    place_[updates_[i].variable] = static_cast<uint32_t>(i);
    for_each_read(updates_[i], [&](uint32_t v) { ++readers_[v]; });
  }
  std::vector<size_t> out;
  for (size_t i = 0; i < updates_.size(); ++i) {
    if (readers_[updates_[i].variable] == 0) out.push_back(i);
  }
  for (size_t done = 0; done < out.size(); ++done) {
    for_each_read(updates_[out[done]], [&](uint32_t v) {
      if (--readers_[v] == 0 && place_[v] != kNowhere) out.push_back(place_[v]);
    });
  }
  for (const Update& update : updates_) {
    place_[update.variable] = kNowhere;
    for_each_read(update, [&](uint32_t v) { readers_[v] = 0; });
  }
  return out;
}

// Of several effects in a row that give the variable the same value, any condition will do.
ExprId Lowering::value_after(const Update& update, std::vector<StmtId>& before) {
  ExprId value = system_.make_var(VarId(update.variable));
  uint32_t cases = 0;
  uint32_t slot = kNowhere;
  for (size_t i = 0, end = 0; i < update.effects.size(); i = end) {
    const Fact fact = update.effects[i]->fact;
    std::vector<ExprId> conditions;
    bool always = false;
    for (; end < update.effects.size() && update.effects[end]->fact == fact; ++end) {
      always = always || update.effects[end]->conditions.empty();
      if (!always) conditions.push_back(conjunction(update.effects[end]->conditions));
    }
    if (always) {
      value = constant(fact.value);
      continue;
    }
    value = system_.make_ite(joined(Op::Or, conditions, 0, conditions.size()), constant(fact.value), value);
    if (++cases % kMostCases != 0) continue;
    if (slot == kNowhere) slot = slots_++;
    before.push_back(store_slot(slot, value));
    value = system_.make({.op = Op::Local, .base = slot});
  }
  return value;
}

StmtId Lowering::written(const Update& update, std::vector<StmtId>& before) {
  const FiniteEffect& first = *update.effects.front();
  if (update.effects.size() > 1) {
    const ExprId value = value_after(update, before);
    return store(update.variable, value);
  }
  if (first.conditions.empty()) return assignment(first.fact);
  StmtId& known = conditional_[{conjunction(first.conditions), first.fact.variable, first.fact.value}];
  if (!known.valid()) known = store(update.variable, value_after(update, before));
  return known;
}

std::vector<StmtId> Lowering::effect(const Operator& op) {
  std::vector<StmtId> out;
  gather(op);
  slots_ = 0;
  std::vector<bool> placed(updates_.size(), false);
  const std::vector<size_t> ordered = order();
  for (const size_t i : ordered) placed[i] = true;
  std::vector<StmtId> last;
  for (size_t i = 0; i < updates_.size(); ++i) {
    if (placed[i]) continue;
    const ExprId value = value_after(updates_[i], out);
    const uint32_t slot = slots_++;
    out.push_back(store_slot(slot, value));
    last.push_back(store(updates_[i].variable, system_.make({.op = Op::Local, .base = slot})));
  }
  for (const size_t i : ordered) {
    const StmtId statement = written(updates_[i], out);
    out.push_back(statement);
  }
  out.insert(out.end(), last.begin(), last.end());
  system_.quantifier_slots = std::max(system_.quantifier_slots, slots_);
  return out;
}

}  // namespace

Lowered lower(const FiniteTask& task, const Watch& watch) { return Lowering(task, watch).run(); }

}  // namespace harrier::pddl
