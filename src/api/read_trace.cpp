#include "api/read_trace.h"

#include <algorithm>
#include <set>

#include "trace/description.h"
#include "trace/json.h"
#include "trace/run.h"
#include "trace/validator.h"

namespace harrier::api {

namespace {

using model::Property;

bool find_property(Replayed& out, const Data& data, const trace::Head& head) {
  for (const auto& part : data.parts) {
    out.instance = part->now();
    const auto& all = out.instance->properties();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Property& p) {
      return !p.refusal && p.text == head.property && p.kind == head.kind;
    });
    out.number = static_cast<size_t>(it - all.begin());
    out.part = part.get();
    if (it != all.end()) return true;
  }
  return false;
}

// The same for a path that had to be a fair one, in a system that can tell.
bool find_fair_property(Replayed& out, const Data& data, const trace::Head& head, const Watch& watch) {
  for (const auto& part : data.parts) {
    const InstancePtr instance = part->now();
    for (size_t p = 0; p < instance->properties().size(); ++p) {
      const Property& property = instance->properties()[p];
      if (property.refusal || !property.on_fair_paths || property.text != head.property) continue;
      out.instance = instance->fairly(p, watch);
      out.number = 0;
      out.part = nullptr;
      if (!out.property().refusal && out.property().kind == head.kind) return true;
    }
  }
  return false;
}

// The property as a query that is added.
void add_property(Replayed& out, const Data& data, const trace::Head& head, const std::string& name,
                  const Watch& watch) {
  if (!data.frontend->info.queries) {
    throw Error(ErrorKind::Input, name + ": the property '" + head.property +
                                      "' is not one of the model's: give the options with which the trace was made");
  }
  out.of_model = false;
  out.part = data.parts.front().get();  // it has the properties of the model, and this one
  out.instance = data.document->with_queries(head.property, name, watch)->instance(0, nullptr, watch);
  out.number = data.properties.size();
  if (out.instance->properties().size() != out.number + 1) {
    throw Error(ErrorKind::Input, name + ": the trace names no property");
  }
  if (const auto& refusal = out.property().refusal) throw Error(refusal->kind, refusal->text);
}

// The system that has the processes of the run, which may be one without the claim of another.
void find_run(Replayed& out, const Data& data, const trace::Head& head, const Watch& watch) {
  out.run = trace::run_property();
  const std::set<std::string> wanted(head.processes.begin(), head.processes.end());
  for (const auto& part : data.parts) {
    InstancePtr instance = part->now();
    if (const InstancePtr as_then = instance->with_processes(head.processes, watch)) instance = as_then;
    std::set<std::string> names;
    for (const model::Process& process : instance->system().processes) names.insert(process.name);
    if (!out.instance || names == wanted) {
      out.instance = part->now();
      out.part = part.get();
    }
    if (names == wanted) return;
  }
}

}  // namespace

std::string Replayed::problem(const Watch& watch) const {
  const trace::ValidationReport report = trace::validate(instance->system(), property(), trace, watch);
  if (!report.valid) return report.text();
  std::string problem = trace::description_problem(instance->system(), property(), trace, watch);
  if (!problem.empty() || trace.failure || run) return problem;
  return instance->objection(trace::path_of(trace), watch);
}

Replayed read_replayed(const Data& data, const std::string& trace_json, const std::string& name, const Watch& watch) {
  const auto named = [&](const auto& work) {
    try {
      return work();
    } catch (const Error& e) {
      throw Error(e.kind(), name + ": " + e.what());
    }
  };
  Replayed out;
  const trace::Head head = named([&] { return trace::head_of(trace_json, watch); });
  if (trace::is_run(head)) {
    find_run(out, data, head, watch);
  } else if (!find_property(out, data, head) && !find_fair_property(out, data, head, watch)) {
    add_property(out, data, head, name, watch);
  }
  if (const InstancePtr as_then = out.instance->with_processes(head.processes, watch)) out.instance = as_then;
  out.trace = named([&] { return trace::from_json(out.instance->system(), trace_json, watch); });
  return out;
}

}  // namespace harrier::api
