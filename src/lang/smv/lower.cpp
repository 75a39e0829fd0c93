#include "lang/smv/lower.h"

#include <algorithm>
#include <optional>

namespace harrier::smv {

namespace {

constexpr size_t kMaxProcesses = 10'000;

class SystemLowering {
 public:
  SystemLowering(FlatModel& flat, model::System& system, Diagnostics& diagnostics)
      : flat_(flat), terms_(flat.values.terms()), system_(system), diagnostics_(diagnostics) {}

  void run();

 private:
  struct Step {
    Plan plan;
    std::vector<std::pair<uint32_t, uint32_t>> stores;  // variable, slot
  };
  void add_variables();
  uint32_t names_of(const Variable& variable);
  void add_processes();
  void add_beginning();
  void add_step(uint32_t process);
  Step plan_beginning();
  Step plan_step(uint32_t process);
  bool set_initial(const Step& step);
  model::EdgeId add_edge(uint32_t process, const Step& step);
  Value rewritten(const Value& value, Terms::Memo& memo, const std::function<TermId(TermId)>& leaf);

  FlatModel& flat_;
  Terms& terms_;
  model::System& system_;
  Diagnostics& diagnostics_;
  std::unordered_map<const Coding*, uint32_t> coding_names_;
  uint32_t boolean_names_ = 0;
};

void SystemLowering::run() {
  system_.telling = model::Telling::States;
  add_variables();
  add_processes();
  add_beginning();
  for (uint32_t process = 0; process < flat_.processes.size(); ++process) add_step(process);
}

uint32_t SystemLowering::names_of(const Variable& variable) {
  if (variable.type.kind == TypeKind::Boolean) {
    if (boolean_names_ == 0) {
      system_.value_names.push_back({"FALSE", "TRUE"});
      boolean_names_ = static_cast<uint32_t>(system_.value_names.size());
    }
    return boolean_names_;
  }
  if (variable.type.kind != TypeKind::Symbolic) return 0;
  uint32_t& names = coding_names_[variable.type.coding];
  if (names == 0) {
    std::vector<std::string> texts;
    for (const Atom atom : variable.type.coding->atoms) texts.push_back(flat_.values.atom_name(atom));
    system_.value_names.push_back(std::move(texts));
    names = static_cast<uint32_t>(system_.value_names.size());
  }
  return names;
}

// The variables keep their numbers. Those that are no part of a state are there with one value.
void SystemLowering::add_variables() {
  for (const Variable& variable : flat_.variables) {
    diagnostics_.poll();
    const bool input = variable.kind == VarClass::Input;
    system_.variables.push_back({.name = variable.name,
                                 .lo = variable.lo,
                                 .hi = input ? variable.lo : variable.hi,
                                 .initial = variable.lo,
                                 .at = variable.at,
                                 .internal = input || variable.watches,
                                 .value_names = names_of(variable)});
  }
}

void SystemLowering::add_processes() {
  if (flat_.processes.size() > kMaxProcesses) {
    flat_.values.refuse(flat_.processes.back().at,
                        "a model with more than " + std::to_string(kMaxProcesses) + " processes");
  }
  for (const Process& process : flat_.processes) {
    system_.variables.push_back({.name = process.name, .kind = model::VarKind::Location, .at = process.at});
    model::Process made{.name = process.name, .type = process.module};
    made.location = model::VarId(system_.variables.size() - 1);
    made.locations.push_back({.name = "state", .at = process.at});
    made.at = process.at;
    system_.processes.push_back(std::move(made));
  }
}

Value SystemLowering::rewritten(const Value& value, Terms::Memo& memo, const std::function<TermId(TermId)>& leaf) {
  if (!value.set) return {value.type, terms_.rewrite(value.term, memo, leaf)};
  return {value.type, {}, flat_.values.rewrite(value.set, [&](TermId t) { return terms_.rewrite(t, memo, leaf); })};
}

// The unknowns are the variables of the state.
SystemLowering::Step SystemLowering::plan_beginning() {
  Step out;
  Planner planner(flat_, diagnostics_);
  std::unordered_map<uint32_t, uint32_t> slots;
  for (uint32_t i = 0; i < flat_.variables.size(); ++i) {
    if (flat_.variables[i].kind == VarClass::Input) continue;
    slots[i] = planner.add_slot(flat_.variables[i]);
    out.stores.emplace_back(i, slots[i]);
  }
  Terms::Memo memo;
  const auto leaf = [&](TermId id) {
    const Term& term = terms_[id];
    return term.kind == TermKind::Current ? planner.slot_term(slots.at(static_cast<uint32_t>(term.value))) : id;
  };
  for (const Assignment& assignment : flat_.assignments) {
    if (assignment.time == AssignTime::Next) continue;
    planner.define(slots[assignment.variable], rewritten(assignment.value, memo, leaf), assignment.at);
  }
  for (const Constraint& constraint : flat_.constraints) {
    if (constraint.kind != ConstraintKind::Init && constraint.kind != ConstraintKind::Invar) continue;
    planner.constrain(terms_.rewrite(constraint.term, memo, leaf));
  }
  out.plan = planner.run();
  return out;
}

// The unknowns are the input variables, and the variables of the state after the step that the process may change.
SystemLowering::Step SystemLowering::plan_step(uint32_t process) {
  Step out;
  const auto count = static_cast<uint32_t>(flat_.variables.size());
  std::vector<const Assignment*> assigned(count, nullptr);
  std::vector<bool> kept(count, false);
  for (const Assignment& assignment : flat_.assignments) {
    if (assignment.time == AssignTime::Init) continue;
    if (assignment.time == AssignTime::Always || assignment.process == process) {
      assigned[assignment.variable] = &assignment;
    } else {
      kept[assignment.variable] = true;  // unless the process assigns to it, too
    }
  }
  Planner planner(flat_, diagnostics_);
  std::unordered_map<uint32_t, uint32_t> slots;
  for (uint32_t i = 0; i < count; ++i) {
    const Variable& variable = flat_.variables[i];
    if (assigned[i] != nullptr) {
      const Value& value = assigned[i]->value;
      const bool same = assigned[i]->time == AssignTime::Next && !value.set && value.term == flat_.current(i);
      kept[i] = same && value.type == variable.type;
    }
    if (kept[i] || variable.kind == VarClass::Frozen) continue;
    slots[i] = planner.add_slot(variable);
    if (variable.kind != VarClass::Input) out.stores.emplace_back(i, slots[i]);
  }
  Terms::Memo memo;
  const auto leaf = [&](TermId id) {
    const Term term = terms_[id];
    const auto number = static_cast<uint32_t>(term.value);
    const bool next = term.kind == TermKind::Next;
    if (term.kind == TermKind::Running) return terms_.truth(number == process);
    if (next && kept[number]) return flat_.current(number);
    const bool input = term.kind == TermKind::Current && flat_.variables[number].kind == VarClass::Input;
    return next || input ? planner.slot_term(slots.at(number)) : id;
  };
  for (uint32_t i = 0; i < count; ++i) {
    if (assigned[i] == nullptr || kept[i]) continue;
    const bool always = assigned[i]->time == AssignTime::Always;
    const Value value = always ? flat_.shifted(assigned[i]->value) : assigned[i]->value;
    planner.define(slots[i], rewritten(value, memo, leaf), assigned[i]->at);
  }
  for (const Constraint& constraint : flat_.constraints) {
    const bool invariant = constraint.kind == ConstraintKind::Invar;
    if (!invariant && constraint.kind != ConstraintKind::Trans) continue;
    const TermId term = invariant ? flat_.shifted(constraint.term) : constraint.term;
    planner.constrain(terms_.rewrite(term, memo, leaf));
  }
  out.plan = planner.run();
  return out;
}

// One initial state whose values are constants needs no edge.
bool SystemLowering::set_initial(const Step& step) {
  if (!step.plan.guard.empty()) return false;
  std::unordered_map<uint32_t, int32_t> values;
  for (const Action& action : step.plan.actions) {
    const bool single = action.kind == ActionKind::Guess && action.domain.count() == 1;
    if (action.kind == ActionKind::Assign && terms_.is_const(action.term)) {
      values[action.slot] = terms_[action.term].value;
    } else if (single) {
      values[action.slot] = action.domain.values.empty() ? action.domain.lo : action.domain.values.front();
    } else {
      return false;
    }
  }
  for (const auto& [variable, slot] : step.stores) system_.variables[variable].initial = values.at(slot);
  return true;
}

void SystemLowering::add_beginning() {
  const Step step = plan_beginning();
  if (!set_initial(step)) system_.beginning = add_edge(0, step);
}

void SystemLowering::add_step(uint32_t process) {
  const model::EdgeId edge = add_edge(process, plan_step(process));
  system_.processes[process].edges.push_back(edge);
}

model::EdgeId SystemLowering::add_edge(uint32_t process, const Step& step) {
  model::Edge edge{.process = model::ProcessId(process), .at = flat_.processes[process].at};
  Lowering guards(terms_, system_);
  for (const TermId guard : step.plan.guard) {
    if (is_too_large(terms_[guard])) flat_.values.refuse(terms_[guard].at, "a constraint that is so large");
    edge.guard.push_back(guards.expr(guard));
  }
  uint32_t slots = 0;
  edge.effect = lower_plan(step.plan, terms_, system_, slots, diagnostics_);
  for (const auto& [variable, slot] : step.stores) {
    const model::ExprId value = system_.make({.op = model::Op::Local, .base = slot});
    edge.effect.push_back(system_.make_expr_stmt(system_.make({.op = model::Op::Store, .base = variable, .b = value})));
  }
  system_.quantifier_slots = std::max(system_.quantifier_slots, slots);
  system_.edges.push_back(std::move(edge));
  return model::EdgeId(system_.edges.size() - 1);
}

}  // namespace

void lower(FlatModel& flat, model::System& system, Diagnostics& diagnostics) {
  try {
    SystemLowering(flat, system, diagnostics).run();
  } catch (const Failure&) {  // NOLINT(bugprone-empty-catch): it was reported
  }
}

}  // namespace harrier::smv
