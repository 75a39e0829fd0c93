#include "api/simulation_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/printer.h"
#include "trace/trace.h"
#include "trace/values.h"

namespace harrier::api {

namespace {

using Kind = Simulation::Value::Kind;
using model::System;
using model::Telling;
using model::VarId;

// Of "dir/file:line:column (XPath)" the file and what stands behind it.
std::string place(const std::string& position) {
  const std::string file = position.substr(0, position.find(" ("));
  return file.empty() ? "" : "  (" + file.substr(file.rfind('/') + 1) + ")";
}

std::string edge_text(const System& system, model::EdgeId id) {
  const TraceFiring edge = trace::describe(system, id);
  if (system.telling == Telling::Statements) {
    return fmt::format("{}  {}{}", edge.process, edge.label, place(edge.position));
  }
  std::string out = fmt::format("{}: {} -> {}", edge.process, edge.source, edge.target);
  if (edge.direction != Direction::Internal) {
    out += fmt::format("  {}{}", edge.channel, edge.direction == Direction::Send ? '!' : '?');
  }
  if (!edge.label.empty()) out += "  " + edge.label;
  std::vector<std::string> effects;
  for (const model::StmtId statement : system.edge(id).effect) {
    effects.push_back(model::to_text(system, statement));
    if (effects.back().ends_with(';')) effects.back().pop_back();
  }
  if (!effects.empty()) out += fmt::format("  [{}]", fmt::join(effects, ", "));
  return out + place(edge.position);
}

// "at(truck, depot)" says it all.
bool is_atom(const System& system, const std::string& value) {
  return system.telling == Telling::Actions && value.ends_with(')');
}

std::string changes(const System& system, const Values& before, const Values& after) {
  std::vector<std::string> out;
  for (const Simulation::Value& value : shown_values(system, before, after)) {
    if (value.changed) out.push_back(value.name.empty() ? value.value : value.name + " = " + value.value);
  }
  return out.empty() ? "nothing changes" : fmt::format("{}", fmt::join(out, ", "));
}

bool is_claim(const System& system, const model::Process& process) {
  return system.claim.valid() && &process == &system.process(system.claim);
}

std::string location_text(const model::Process& process, const Values& values) {
  return trace::runs(process, values) ? process.locations[trace::location_of(process, values)].name : "does not run";
}

std::string queue_text(const System& system, const model::Queue& queue, const Values& values) {
  return fmt::format("<{}>", fmt::join(trace::messages(system, queue, values), " "));
}

void add_processes(const System& system, const Values& before, const Values& after,
                   std::vector<Simulation::Value>& out) {
  for (const model::Process& process : system.processes) {
    if (is_claim(system, process)) continue;
    const VarId location = process.location;
    const bool changed = before[location.value] != after[location.value];
    if (!trace::runs(process, after) && !changed) continue;
    out.push_back({Kind::Location, process.name, location_text(process, after), changed});
  }
}

void add_variables(const System& system, const Values& before, const Values& after,
                   std::vector<Simulation::Value>& out) {
  std::vector<std::string> atoms;
  for (size_t v = 0; v < system.variables.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    if (variable.internal || variable.kind == model::VarKind::Location) continue;
    std::string value = trace::value_text(system, VarId(v), after);
    if (value == variable.name) continue;  // a channel of a program, which is known by its content
    const bool changed = before[v] != after[v];
    if (!is_atom(system, value)) {
      out.push_back({Kind::Variable, variable.name, std::move(value), changed});
    } else if (std::find(atoms.begin(), atoms.end(), value) == atoms.end()) {
      atoms.push_back(value);
      out.push_back({Kind::Variable, "", std::move(value), changed});
    }
  }
}

}  // namespace

std::string step_text(const System& system, const model::PathStep& step, const Values& before, const Values& after) {
  if (system.telling == Telling::Actions) return system.edge(step.edges.front()).label;
  if (system.telling == Telling::States) {
    std::string text = changes(system, before, after);
    if (system.processes.size() == 1) return text;
    return system.process(system.edge(step.edges.front()).process).name + ": " + text;
  }
  std::vector<std::string> parts;
  for (const model::EdgeId edge : step.edges) parts.push_back(edge_text(system, edge));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::vector<Simulation::Value> shown_values(const System& system, const Values& before, const Values& after) {
  std::vector<Simulation::Value> out;
  const bool by_values = system.telling == Telling::States || system.telling == Telling::Actions;
  if (!by_values) add_processes(system, before, after, out);
  add_variables(system, before, after, out);
  for (const model::Queue& queue : system.queues) {
    std::string now = queue_text(system, queue, after);
    const bool changed = now != queue_text(system, queue, before);
    out.push_back({Kind::Queue, queue.name, std::move(now), changed});
  }
  return out;
}

}  // namespace harrier::api
