#include "search/vacuity.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "model/interpreter.h"
#include "step/discrete_generator.h"
#include "step/network.h"

namespace harrier::search {

namespace {

using model::Clause;
using model::Op;
using model::PropertyKind;
using model::System;

std::string at_place(const System& system, const SourceRef& at) {
  return at.known() ? " (" + system.sources.describe(at) + ")" : "";
}

// A location whose invariant does not hold in the initial state, where all clocks are 0.
std::optional<std::string> violated_at_start(const System& system) {
  if (system.beginning.valid()) return std::nullopt;  // an initial state satisfies them
  model::Interpreter run(system);
  const std::vector<int32_t> values = system.initial_values();
  for (const model::Process& process : system.processes) {
    const auto& location = process.locations[static_cast<size_t>(values[process.location.value])];
    const auto met = [&](const model::ClockConstraint& c) {
      if (c.condition.valid() && run.value(c.condition, values) == 0) return true;
      const int32_t bound = run.value(c.bound, values);
      return bound > 0 || (bound == 0 && !c.strict);
    };
    bool holds = false;
    try {
      holds = run.holds(location.invariant, values) &&
              std::all_of(location.clock_invariant.begin(), location.clock_invariant.end(), met);
    } catch (const model::EvalFailure&) {  // a range violation: the invariant is false
    }
    if (!holds) return process.name + "." + location.name + at_place(system, location.at);
  }
  return std::nullopt;
}

// A location that a goal asks for.
struct Wanted {
  uint32_t variable = 0;
  int32_t value = 0;
  bool operator==(const Wanted&) const = default;
};

// Of clauses that ask for more than one thing: that a single location is never reached is the answer itself. Clauses
// with a text, as of assertions, are not the user's words.
std::vector<Wanted> wanted_locations(const System& system, const std::vector<Clause>& goal) {
  std::vector<Wanted> out;
  for (const Clause& clause : goal) {
    const bool more =
        clause.conditions.size() + clause.clocks.size() > 1 || clause.deadlock != model::DeadlockTest::Ignore;
    if (!more || clause.incomplete || !clause.text.empty()) continue;
    for (const model::ExprId id : clause.conditions) {
      const model::Expr& e = system.expr(id);
      if (e.op != Op::Eq) continue;
      const model::Expr* variable = &system.expr(e.a);
      const model::Expr* constant = &system.expr(e.b);
      if (variable->op != Op::Var) std::swap(variable, constant);
      if (variable->op != Op::Var || constant->op != Op::Const) continue;
      if (system.variables[variable->base].kind != model::VarKind::Location) continue;
      const Wanted wanted{variable->base, constant->value};
      if (std::find(out.begin(), out.end(), wanted) == out.end()) out.push_back(wanted);
    }
  }
  return out;
}

std::string name_of(const System& system, const Wanted& wanted) {
  for (const model::Process& process : system.processes) {
    if (process.location.value != wanted.variable) continue;
    return process.name + "." + process.locations[static_cast<size_t>(wanted.value)].name;
  }
  return "?";
}

void add_never_seen(const step::Semantics& semantics, const Explored& explored, const Watch& watch,
                    std::vector<std::string>& out) {
  const System& system = semantics.system();
  const model::Property& property = semantics.property();
  const bool leads_to = property.kind == PropertyKind::LeadsTo;
  std::vector<Wanted> missing = wanted_locations(system, leads_to ? property.premise : property.goal);
  bool implies = property.kind == PropertyKind::Invariant && !property.premise.empty();
  if (missing.empty() && !implies) return;
  step::Machine machine(semantics.network().program());
  const auto see = [&](const int32_t* values) {
    watch.poll();
    std::erase_if(missing, [&](const Wanted& w) { return values[w.variable] == w.value; });
    if (implies) {
      implies = std::none_of(semantics.premise().begin(), semantics.premise().end(),
                             [&](const auto& clause) { return machine.holds(clause.conditions, values); });
    }
    return implies || !missing.empty();
  };
  try {
    if (!explored.for_each_state(see)) return;
  } catch (const model::EvalFailure&) {  // the left side alone cannot be evaluated
    return;
  } catch (const Error& e) {  // the answer is there, and does not get lost
    if (e.kind() != ErrorKind::Limit) throw;
    return;
  }
  for (const Wanted& wanted : missing) out.push_back(name_of(system, wanted) + " is never reached");
  if (implies) out.emplace_back("the left side of the implication never holds");
}

// There is an initial state; or a limit is reached before it is known.
bool begins(const step::Semantics& semantics, const Watch& watch) {
  bool found = false;
  try {
    step::DiscreteGenerator generator(semantics, watch);
    generator.initial([&] {
      found = true;
      return false;
    });
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    return true;
  }
  return found;
}

// Where steps are a relation between states, every state should have one that follows.
void add_stuck(const step::Semantics& semantics, const Explored& explored, const Watch& watch,
               std::vector<std::string>& out) {
  const System& system = semantics.system();
  step::DiscreteGenerator generator(semantics, watch);
  std::optional<std::vector<int32_t>> stuck;
  const auto see = [&](const int32_t* values) {
    generator.load(std::span(values, system.variables.size()));
    if (!generator.can_move()) stuck.emplace(values, values + system.variables.size());
    return !stuck;
  };
  try {
    explored.for_each_state(see);
  } catch (const model::EvalFailure&) {  // whoever looks for failures finds it
  } catch (const Error& e) {             // the answer is there, and does not get lost
    if (e.kind() != ErrorKind::Limit) throw;
  }
  if (stuck)
    out.push_back("the transition relation is not total: no step is possible from " + state_text(system, *stuck));
}

}  // namespace

std::string state_text(const System& system, std::span<const int32_t> values) {
  std::string out;
  for (size_t v = 0; v < system.variables.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    if (variable.kind == model::VarKind::Location || variable.internal) continue;
    const auto* names = variable.value_names == 0 ? nullptr : &system.value_names[variable.value_names - 1];
    const bool named = names != nullptr && values[v] >= 0 && static_cast<size_t>(values[v]) < names->size();
    out += (out.empty() ? "" : ", ") + variable.name + " = " +
           (named ? (*names)[static_cast<size_t>(values[v])] : std::to_string(values[v]));
  }
  return out;
}

bool remarks_need_states(const System& system, const model::Property& property) {
  if (system.telling == model::Telling::States) return true;
  if (property.kind == PropertyKind::Invariant && !property.premise.empty()) return true;
  return system.telling != model::Telling::Statements && !wanted_locations(system, property.goal).empty();
}

std::vector<std::string> vacuity(const step::Semantics& semantics, const Explored& explored, const Watch& watch) {
  const System& system = semantics.system();
  const model::Property& property = semantics.property();
  std::vector<std::string> out;
  if (const auto location = violated_at_start(system)) {
    out.push_back("the initial state violates the invariant of " + *location + ": the model has no run");
    return out;
  }
  // A claim, or a formula that has to hold all along, keeps a search away from states that the model reaches.
  const bool sees_all = !system.claim.valid() && property.kind != PropertyKind::Liveness &&
                        property.kind != PropertyKind::PotentiallyAlways && property.kind != PropertyKind::Eventually;
  const Statistics& statistics = explored.statistics;
  if (system.beginning.valid() && statistics.stored == 0 && !begins(semantics, watch)) {
    out.emplace_back("the model has no initial state, so that everything holds");
    return out;
  }
  if (sees_all && !system.processes.empty() && statistics.expanded == 1 && statistics.generated == 0) {
    out.emplace_back("the model makes no step: only the initial state was looked at");
  }
  for (const auto& violation : explored.violations) {
    const model::Edge& edge = system.edges[violation.edge];
    const model::Process& process = system.process(edge.process);
    std::string text = fmt::format("a range violation disables the edge {}: {} -> {}{}", process.name,
                                   process.locations[edge.source].name, process.locations[edge.target].name,
                                   at_place(system, edge.at));
    if (violation.variable < system.variables.size()) {
      const model::Variable& variable = system.variables[violation.variable];
      text += fmt::format(": {} would leave [{}, {}]", variable.name, variable.lo, variable.hi);
    }
    out.push_back(std::move(text));
  }
  if (sees_all) add_never_seen(semantics, explored, watch, out);
  if (sees_all && system.telling == model::Telling::States) add_stuck(semantics, explored, watch, out);
  out.insert(out.end(), explored.remarks.begin(), explored.remarks.end());
  return out;
}

std::vector<std::string> vacuity(const step::Semantics& semantics, const Task& task, const Watch& watch) {
  const auto for_each_state = [&](const std::function<bool(const int32_t*)>& visit) {
    return task.for_each_state(visit);
  };
  return vacuity(semantics, {task.statistics(), task.violations(), for_each_state, task.remarks()}, watch);
}

}  // namespace harrier::search
