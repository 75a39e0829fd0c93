#include "trace/description.h"

#include <fmt/format.h>

#include <algorithm>

namespace harrier::trace {

namespace {

using model::System;

std::string without_folders(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// "file:line:column", with files named as they are if the model is: "dir/old.pml:3:1" in a trace of "dir/old.pml" is
// "new.pml:3:1" in "here/new.pml", and the same file included from elsewhere keeps its own name.
std::string place(const std::string& text, const std::string& model, const System& system) {
  const bool of_model = text.rfind(model + ":", 0) == 0;
  const size_t end = of_model ? model.size() : std::min(text.find(':'), text.size());
  return without_folders(of_model ? system.name : text.substr(0, end)) + text.substr(end);
}

// A reason may end with its place: "assertion failed: assert(x)  (m.pml:3:1)".
std::string reason(const std::string& text, const std::string& model, const System& system) {
  const size_t at = text.rfind("  (");
  return at == std::string::npos ? text : text.substr(0, at + 3) + place(text.substr(at + 3), model, system);
}

bool has_diagonal(const std::vector<model::ClockConstraint>& constraints) {
  return std::any_of(constraints.begin(), constraints.end(),
                     [](const model::ClockConstraint& c) { return c.left.value != 0 && c.right.value != 0; });
}

bool edges_determine_zones(const System& system, const model::Property& property) {
  if (system.has_priorities() || system.is_preemptive()) return false;
  // A formula that holds without a break bounds the zones of a maximal path, too.
  if (property.kind != model::PropertyKind::Reachable && property.kind != model::PropertyKind::Invariant) return false;
  for (const model::Process& process : system.processes) {
    for (const model::Location& location : process.locations) {
      if (has_diagonal(location.clock_invariant)) return false;
    }
  }
  for (const model::Clause& clause : property.goal) {
    if (has_diagonal(clause.clocks)) return false;
  }
  return std::none_of(system.edges.begin(), system.edges.end(), [&](const model::Edge& e) {
    const bool listens = e.direction == model::Direction::Receive && system.channel(e.channel).broadcast;
    return (listens && !e.clock_guard.empty()) || has_diagonal(e.clock_guard);
  });
}

}  // namespace

std::string failure_place(const System& system, const model::Property& property, const SourceRef& at) {
  const SourceRef& query = property.at;
  const auto lines = static_cast<uint32_t>(std::count(property.text.begin(), property.text.end(), '\n'));
  const bool in_query = at.known() && query.known() && at.file == query.file && at.context == 0 &&
                        at.line >= query.line && at.line <= query.line + lines &&
                        (at.line > query.line || at.column >= query.column) &&
                        (lines > 0 || at.column < query.column + property.text.size());
  if (!in_query || system.sources.describe({query.file, 1, 1}) == system.name + ":1:1") {
    return system.sources.describe(at);
  }
  return fmt::format("query:{}:{}", at.line - query.line + 1,
                     at.line == query.line ? at.column - query.column + 1 : at.column);
}

bool same_place(const System& system, const Trace& trace, const std::string& claimed, const std::string& true_one) {
  return place(claimed, trace.model, system) == place(true_one, system.name, system);
}

Path path_of(const Trace& trace) {
  Path path;
  path.beginning = trace.beginning;
  path.goal_clause = trace.goal_clause;
  path.loop_start = trace.loop_start;
  if (trace.failure) {
    path.failure = {{}, trace.failure->part, {}, trace.failure->choices};
    for (const FiredEdge& fired : trace.failure->edges) path.failure->edges.push_back(id_of(fired));
  }
  for (const TraceStep& step : trace.steps) {
    path.steps.emplace_back().choices = step.choices;
    for (const FiredEdge& fired : step.edges) path.steps.back().edges.push_back(id_of(fired));
  }
  return path;
}

std::string description_problem(const System& system, const model::Property& property, const Trace& trace,
                                const Watch& watch) {
  for (size_t i = 0; i <= trace.steps.size(); ++i) {
    watch.poll();
    if (i == trace.steps.size() && !trace.failure) break;
    for (const FiredEdge& fired : i < trace.steps.size() ? trace.steps[i].edges : trace.failure->edges) {
      const std::string at = describe(system, id_of(fired)).position;
      if (same_place(system, trace, fired.position, at)) continue;
      return fmt::format("step {}: edge {} stands at {}, not at {}", i + 1, fired.edge,
                         at.empty() ? "no known place" : at, fired.position.empty() ? "no place" : fired.position);
    }
  }
  const bool at_goal =
      !trace.loop_start && !trace.rest && !trace.failure && property.kind != model::PropertyKind::Branching;
  const std::string meaning = at_goal ? property.goal[trace.goal_clause].text : "";
  if (reason(trace.reason, trace.model, system) != reason(meaning, system.name, system)) {
    return fmt::format("the reason at the end is '{}', not '{}'", meaning, trace.reason);
  }
  if (system.clocks.size() == 1 || !edges_determine_zones(system, property)) return "";
  const Trace again = build_trace(system, property, path_of(trace), watch);
  for (size_t i = 0; i <= trace.steps.size(); ++i) {
    if (trace.state(i).zone != again.state(i).zone) return fmt::format("step {}: the zone is another one", i);
  }
  return "";
}

}  // namespace harrier::trace
