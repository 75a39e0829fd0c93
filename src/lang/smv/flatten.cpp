#include <algorithm>
#include <map>

#include "lang/smv/flattener.h"

namespace harrier::smv {

bool Variable::has(int32_t value) const {
  if (value < lo || value > hi) return false;
  return values.empty() || std::binary_search(values.begin(), values.end(), value);
}

TermId FlatModel::current(uint32_t variable) {
  const Variable& v = variables[variable];
  return values.terms().variable(variable, {v.lo, v.hi}, v.kind == VarClass::Input, v.at);
}

TermId FlatModel::next(uint32_t variable) {
  const Variable& v = variables[variable];
  return v.kind == VarClass::Frozen ? current(variable) : values.terms().next(variable, {v.lo, v.hi}, v.at);
}

TermId FlatModel::shifted(TermId term) {
  return values.terms().rewrite(term, shifts_, [&](TermId leaf) {
    const Term& t = values.terms()[leaf];
    return t.kind == TermKind::Current ? next(static_cast<uint32_t>(t.value)) : leaf;
  });
}

Value FlatModel::shifted(const Value& value) {
  if (!value.set) return {value.type, shifted(value.term)};
  return {value.type, {}, values.rewrite(value.set, [&](TermId term) { return shifted(term); })};
}

std::unique_ptr<FlatModel> flatten(const ModelNode& model, const std::string& main, Diagnostics& diagnostics,
                                   const SpecNode* condition) {
  auto out = std::make_unique<FlatModel>(diagnostics);
  Flattener(model, *out, diagnostics).run(main, condition);
  return out;
}

void Flattener::run(const std::string& main, const SpecNode* condition) {
  find_modules();
  guarded([&] {
    const auto found = modules_.find(main);
    if (found == modules_.end()) {
      const SourceRef at = model_.modules.empty() ? SourceRef{0, 1, 1, 0} : model_.modules.front().at;
      values_.fail(at, "there is no module '" + main + "'");
    }
    if (!found->second->parameters.empty()) {
      values_.fail(found->second->parameters.front().at, "the module '" + main + "' cannot have parameters");
    }
    out_.processes.push_back({main, main, found->second->at});
    populate(*instantiate(*found->second, nullptr, "", found->second->at));
  });
  if (diagnostics_.has_errors()) return;
  for (Instance& instance : instances_) declare_defines(instance, false);
  for (Instance& instance : instances_) {
    for (const ModuleNode* module : instance.modules) {
      for (const AssignNode& node : module->assigns) guarded([&] { assign(instance, node); });
      for (const ConstraintNode& node : module->constraints) guarded([&] { constrain(instance, node); });
    }
  }
  for (Define& define : defines_) {
    guarded([&] {
      if (define.state == Define::State::New) evaluate_alone({&define});
    });
  }
  guarded([&] { check_assignments(); });
  if (diagnostics_.has_errors()) return;
  // Last: what is not supported in them, and in nothing else, is no error of the model.
  for (Instance& instance : instances_) {
    for (const ModuleNode* module : instance.modules) {
      for (const SpecNode& node : module->specs) guarded([&] { specify(instance, node); });
    }
  }
  const auto before = [](const Spec& a, const Spec& b) {
    return std::pair(a.at.line, a.at.column) < std::pair(b.at.line, b.at.column);
  };
  std::stable_sort(out_.specs.begin(), out_.specs.end(), before);
  if (condition != nullptr) guarded([&] { specify(instances_.front(), *condition); });
}

// What must not occur at this place.
void Flattener::forbid(const Value& value, uint8_t mentions, SourceRef at, std::string_view where) {
  uint8_t found = value.set ? uint8_t{0} : values_.terms()[value.term].mentions;
  if (value.set) {
    values_.rewrite(value.set, [&](TermId term) {
      found |= values_.terms()[term].mentions;
      return term;
    });
  }
  found &= mentions;
  if ((found & kMentionsNext) != 0) values_.fail(at, "'next' is not allowed in " + std::string(where));
  if ((found & kMentionsInput) != 0) values_.fail(at, "input variables are not allowed in " + std::string(where));
  if ((found & kMentionsRunning) != 0) values_.fail(at, "'running' is not allowed in " + std::string(where));
}

void Flattener::assign(Instance& instance, const AssignNode& node) {
  diagnostics_.poll();
  const Ref target = resolve(node.target, instance);
  if (target.kind != RefKind::Variable) values_.fail(node.at, "only variables can be assigned to");
  const Variable& variable = out_.variables[target.variable];
  if (variable.kind == VarClass::Input) values_.fail(node.at, "an input variable cannot be assigned to");
  if (variable.kind == VarClass::Frozen && node.time != AssignTime::Init) {
    values_.fail(node.at, "a frozen variable has only an initial value");
  }
  if (node.time == AssignTime::Always && instance.process != 0) {
    values_.refuse(node.at, "an assignment to a current value inside a process");
  }
  Value value = evaluated(node.value, instance);
  if (node.time == AssignTime::Init) {
    forbid(value, kMentionsNext | kMentionsInput | kMentionsRunning, node.at, "an initial value");
  } else if (node.time == AssignTime::Always) {
    forbid(value, kMentionsNext | kMentionsInput | kMentionsRunning, node.at, "the assignment to a current value");
  }
  out_.assignments.push_back({target.variable, node.time, instance.process, std::move(value), node.at});
}

// No variable is assigned twice at a time.
void Flattener::check_assignments() {
  struct Seen {
    bool always = false;
    bool init = false;
    std::vector<uint32_t> next;  // in which processes
  };
  std::unordered_map<uint32_t, Seen> all;
  for (const Assignment& assignment : out_.assignments) {
    if (diagnostics_.full()) return;
    diagnostics_.poll();
    Seen& seen = all[assignment.variable];
    const std::string& name = out_.variables[assignment.variable].name;
    const bool in_process = std::find(seen.next.begin(), seen.next.end(), assignment.process) != seen.next.end();
    switch (assignment.time) {
      case AssignTime::Always:
        if (seen.always || seen.init || !seen.next.empty()) {
          diagnostics_.error(assignment.at, "'" + name + "' is assigned to twice");
        }
        seen.always = true;
        break;
      case AssignTime::Init:
        if (seen.always || seen.init) diagnostics_.error(assignment.at, "'" + name + "' is assigned to twice");
        seen.init = true;
        break;
      case AssignTime::Next:
        if (seen.always || in_process) diagnostics_.error(assignment.at, "'" + name + "' is assigned to twice");
        seen.next.push_back(assignment.process);
        break;
    }
  }
}

void Flattener::constrain(Instance& instance, const ConstraintNode& node) {
  diagnostics_.poll();
  const auto term = [&](ExprPtr expr) {
    const Value value = evaluated(expr, instance);
    constexpr uint8_t kNoState = kMentionsNext | kMentionsInput | kMentionsRunning;
    if (node.kind == ConstraintKind::Init) forbid(value, kNoState, node.at, "INIT");
    if (node.kind == ConstraintKind::Invar) forbid(value, kNoState, node.at, "INVAR");
    if (node.kind == ConstraintKind::Justice || node.kind == ConstraintKind::Compassion) {
      forbid(value, kMentionsNext, node.at, "a fairness constraint");
    }
    return values_.to_boolean(value, node.at);
  };
  Constraint constraint{.kind = node.kind, .term = term(node.formula), .at = node.at};
  if (node.second != nullptr) constraint.second = term(node.second);
  out_.constraints.push_back(constraint);
}

}  // namespace harrier::smv
