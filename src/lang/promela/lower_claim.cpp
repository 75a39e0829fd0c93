// The claim as a process of the model, and the properties that come with it.
#include <algorithm>

#include "lang/promela/lowering.h"

namespace harrier::promela {

using model::ExprId;

void Lowering::add_claim() {
  const auto at =
      std::find_if(automata_.begin(), automata_.end(), [&](const auto& a) { return &a->proctype() == claim_.node; });
  const Automaton& a = **at;
  observer_.pid = UINT32_MAX;
  observer_.proctype = static_cast<uint32_t>(at - automata_.begin());
  observer_.process = model::ProcessId(system_.processes.size());
  observer_.location = add_variable(a.name(), {BaseType::Int, 0}, claim_.node->at);
  model::Variable& location = system_.variables.back();
  location.kind = model::VarKind::Location;
  location.lo = 0;
  location.hi = static_cast<int32_t>(a.control_count()) - 1;
  location.initial = static_cast<int32_t>(a.start());
  // The claim and the others never compete.
  const int32_t priority = system_.processes.empty() ? 1 : system_.processes.front().priority;
  system_.processes.push_back({.name = a.name(),
                               .type = a.name(),
                               .location = observer_.location,
                               .priority = priority,
                               .at = claim_.node->at});
  system_.claim = observer_.process;
  system_.variables[system_.control.value].initial = system_.control_at_rest();
  add_locations(observer_);
  add_edges(observer_);
  if (!claim_.stutters) return;
  for (uint32_t control = 1; control < a.control_count(); ++control) {
    model::Edge stutter;
    stutter.source = stutter.target = control;
    stutter.label = "(the system stands still)";
    stutter.when_idle = true;
    stutter.at = claim_.node->at;
    finish(std::move(stutter), observer_, 0);
  }
}

void Lowering::add_claim_to(model::Property& property) {
  const ExprId rests = system_.control.valid()
                           ? equal(system_.make_var(system_.control), number(system_.control_at_rest()), {})
                           : number(1);
  const auto is_at = [&](const Instance& i, uint32_t control) {
    return equal(system_.make_var(i.location), number(control), {});
  };
  std::vector<model::Clause> accepting;
  const auto accept = [&](const Instance& i) {
    for (uint32_t control = 1; control < automaton(i).control_count(); ++control) {
      if (automaton(i).has_label(control, "accept")) {
        accepting.push_back({{is_at(i, control), rests}, {}, model::DeadlockTest::Ignore, ""});
      }
    }
  };
  if (claim_.exists()) {
    property.name = claim_.name;
    property.at = claim_.node->at;
    property.text = claim_.text + (property.text.empty() ? "" : ", " + property.text);
    const Automaton& a = automaton(observer_);
    for (uint32_t control = 1; control < a.control_count(); ++control) {
      if ((a.ends() && control == a.end_control()) || a.has_label(control, "end")) {
        property.goal.push_back(
            {{is_at(observer_, control)}, {}, model::DeadlockTest::Ignore, "the claim has come to its end"});
      }
    }
    accept(observer_);
  }
  if (options_.acceptance) {
    property.text += property.text.empty() ? "no acceptance cycle" : ", no acceptance cycle";
    for (const Instance& i : instances_) accept(i);
  }
  if (accepting.empty()) return;
  property.accepting.push_back(std::move(accepting));
  property.kind = model::PropertyKind::Liveness;
  property.fair = options_.fairness;
  if (options_.fairness) property.text += ", on fair paths";
}

}  // namespace harrier::promela
