// Descriptions of the parts of a trace.
#include "trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "model/printer.h"

namespace harrier::trace {

FiredEdge describe(const model::System& system, model::EdgeId edge) {
  const model::Edge& e = system.edge(edge);
  const model::Process& process = system.process(e.process);
  FiredEdge out{.edge = edge.value,
                .process = process.name,
                .source = process.locations[e.source].name,
                .target = process.locations[e.target].name,
                .direction = e.direction,
                .label = e.label,
                .position = system.sources.describe(e.at)};
  if (e.direction != model::Direction::Internal) out.channel = system.channel(e.channel).name;
  return out;
}

std::string effect_text(const model::System& system, const model::Edge& edge) {
  std::string out;
  for (const model::StmtId id : edge.effect) {
    std::string text = model::to_text(system, id);
    if (text.ends_with(';')) text.pop_back();
    if (!out.empty()) out += ", ";
    out += text;
  }
  return out;
}

Trace::Names names_of(const model::System& system) {
  Trace::Names out;
  for (const model::Variable& v : system.variables) {
    out.variables.push_back({v.name, v.internal || v.kind == model::VarKind::Location});
    if (v.value_names != 0) out.variables.back().values = system.value_names[v.value_names - 1];
  }
  for (size_t p = 0; p < system.processes.size(); ++p) {
    const model::Process& process = system.processes[p];
    out.processes.push_back(
        {process.name, process.location.value, {}, model::ProcessId(p) == system.claim, process.dynamic});
    for (const model::Location& l : process.locations) out.processes.back().locations.push_back(l.name);
  }
  for (const model::Clock& c : system.clocks) out.clocks.push_back(c.name);
  return out;
}

bool is_watching(const model::System& system, const TraceStep& step) {
  return system.claim.valid() && system.edge(id_of(step.edges.front())).process == system.claim;
}

size_t shown_steps(const model::System& system, const Trace& trace, size_t count) {
  const auto end = trace.steps.begin() + static_cast<ptrdiff_t>(std::min(count, trace.steps.size()));
  return static_cast<size_t>(
      std::count_if(trace.steps.begin(), end, [&](const TraceStep& step) { return !is_watching(system, step); }));
}

std::vector<uint32_t> differences(const std::vector<int32_t>& before, const std::vector<int32_t>& after) {
  std::vector<uint32_t> out;
  for (size_t i = 0; i < after.size(); ++i) {
    if (before[i] != after[i]) out.push_back(static_cast<uint32_t>(i));
  }
  return out;
}

const char* kind_name(model::PropertyKind kind) {
  switch (kind) {
    case model::PropertyKind::Reachable: return "reachable";
    case model::PropertyKind::Invariant: return "invariant";
    case model::PropertyKind::PotentiallyAlways: return "potentially-always";
    case model::PropertyKind::Eventually: return "eventually";
    case model::PropertyKind::LeadsTo: return "leads-to";
    case model::PropertyKind::Liveness: return "liveness";
    case model::PropertyKind::Branching: return "branching";
    case model::PropertyKind::Extrema: return "extrema";
  }
  return "unknown";
}

const char* part_name(PathFailure::Part part) {
  switch (part) {
    case PathFailure::Part::Unknown: return "unknown";
    case PathFailure::Part::Invariant: return "invariant";
    case PathFailure::Part::Guard: return "guard";
    case PathFailure::Part::Transition: return "transition";
    case PathFailure::Part::Goal: return "goal";
  }
  return "unknown";
}

std::string failure_text(const TraceFailure& failure) {
  std::string out = fmt::format("{} in the {}", failure.error, part_name(failure.part));
  if (!failure.position.empty()) out += fmt::format(" ({})", failure.position);
  return out;
}

std::string time_text(int64_t time, int64_t denominator) {
  const int64_t common = std::gcd(time, denominator);
  if (common == 0) return std::to_string(time);
  if (denominator == common) return std::to_string(time / common);
  return fmt::format("{}/{}", time / common, denominator / common);
}

}  // namespace harrier::trace
