// Traces that are read back: validation and polishing.
#include "step/replay.h"

#include <algorithm>

#include "api/config.h"
#include "api/data.h"
#include "api/watching.h"
#include "api/witness.h"
#include "search/polish.h"
#include "step/semantics.h"
#include "trace/description.h"
#include "trace/json.h"
#include "trace/validator.h"

namespace harrier {

namespace {

using api::InstancePtr;
using model::Property;

// A trace with the property that it is about, which may be one of the model's, or one that was given as a query then.
struct Replayed {
  InstancePtr instance;
  size_t number = 0;  // of the property in the instance
  bool of_model = true;
  trace::Trace trace;

  const Property& property() const { return instance->properties()[number]; }
  // What is wrong with the trace; empty: nothing.
  std::string problem(const Watch& watch) const {
    const trace::ValidationReport report = trace::validate(instance->system(), property(), trace, watch);
    if (!report.valid) return report.text();
    const std::string problem = trace::description_problem(instance->system(), property(), trace, watch);
    return problem.empty() && !trace.failure ? instance->objection(trace::path_of(trace), watch) : problem;
  }
};

bool find_property(Replayed& out, const api::Data& data, const trace::Head& head) {
  for (const auto& part : data.parts) {
    out.instance = part->now();
    const auto& all = out.instance->properties();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Property& p) {
      return !p.refusal && p.text == head.property && p.kind == head.kind;
    });
    out.number = static_cast<size_t>(it - all.begin());
    if (it != all.end()) return true;
  }
  return false;
}

// The same for a path that had to be a fair one, in a system that can tell.
bool find_fair_property(Replayed& out, const api::Data& data, const trace::Head& head, const Watch& watch) {
  for (const auto& part : data.parts) {
    const InstancePtr instance = part->now();
    for (size_t p = 0; p < instance->properties().size(); ++p) {
      const Property& property = instance->properties()[p];
      if (property.refusal || !property.on_fair_paths || property.text != head.property) continue;
      out.instance = instance->fairly(p, watch);
      out.number = 0;
      if (!out.property().refusal && out.property().kind == head.kind) return true;
    }
  }
  return false;
}

// The property as a query that is added.
void add_property(Replayed& out, const api::Data& data, const trace::Head& head, const std::string& name,
                  const Watch& watch) {
  if (!data.frontend->info.queries) {
    throw Error(ErrorKind::Input, name + ": the property '" + head.property +
                                      "' is not one of the model's: give the options with which the trace was made");
  }
  out.of_model = false;
  out.instance = data.document->with_queries(head.property, name, watch)->instance(0, nullptr, watch);
  out.number = data.properties.size();
  if (out.instance->properties().size() != out.number + 1) {
    throw Error(ErrorKind::Input, name + ": the trace names no property");
  }
  if (const auto& refusal = out.property().refusal) throw Error(refusal->kind, refusal->text);
}

Replayed read(const api::Data& data, const std::string& trace_json, const std::string& name, const Watch& watch) {
  const auto named = [&](const auto& work) {
    try {
      return work();
    } catch (const Error& e) {
      throw Error(e.kind(), name + ": " + e.what());
    }
  };
  Replayed out;
  const trace::Head head = named([&] { return trace::head_of(trace_json, watch); });
  if (!find_property(out, data, head) && !find_fair_property(out, data, head, watch)) {
    add_property(out, data, head, name, watch);
  }
  if (const InstancePtr as_then = out.instance->with_processes(head.processes, watch)) out.instance = as_then;
  out.trace = named([&] { return trace::from_json(out.instance->system(), trace_json, watch); });
  return out;
}

// A trace is a JSON object, which no plan is.
bool is_trace(std::string_view text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin != std::string_view::npos && text[begin] == '{';
}

Validation validate_plan(const api::Data& data, const std::string& text, const std::string& name, const Watch& watch) {
  const api::PropertyPlace& place = data.place(0);
  const InstancePtr instance = place.part->now();
  const Property& property = data.usable(*instance, 0);
  const lang::Replayed replayed = instance->replay(text, name, watch);
  Validation result;
  result.problem = replayed.problem;
  result.property = property.text;
  if (!result.problem.empty()) return result;
  result.length = replayed.steps;
  result.plan_cost = replayed.cost;
  result.verdict = Verdict::Reachable;
  result.holds = api::holds_by_witness(property);
  return result;
}

}  // namespace

Validation Model::validate(const std::string& trace_json, const std::string& trace_name,
                           const CheckOptions& limits) const {
  const Watch watch(api::bounds_of(limits, data_->bytes_before));
  if (language().plan && !is_trace(trace_json)) return validate_plan(*data_, trace_json, trace_name, watch);
  const Replayed replayed = read(*data_, trace_json, trace_name, watch);
  const trace::Trace& trace = replayed.trace;
  Validation result;
  result.problem = replayed.problem(watch);
  result.property = replayed.property().text;
  result.of_model = replayed.of_model;
  if (!result.problem.empty()) return result;
  result.length = trace::shown_steps(replayed.instance->system(), trace);
  if (trace.failure) {
    result.verdict = Verdict::Failed;
    result.failure = trace::failure_text(*trace.failure);
  } else {
    result.verdict = Verdict::Reachable;
    result.holds = api::holds_by_witness(replayed.property());
  }
  return result;
}

Trace Model::read_trace(const std::string& trace_json, const std::string& trace_name,
                        const CheckOptions& limits) const {
  if (!is_trace(trace_json)) throw Error(ErrorKind::Input, trace_name + ": not a trace: those are JSON objects");
  Replayed replayed = read(*data_, trace_json, trace_name, Watch(api::bounds_of(limits, data_->bytes_before)));
  return api::published(std::move(replayed.trace), replayed.instance);
}

CheckResult Model::polish(const std::string& trace_json, const std::string& trace_name, const CheckOptions& options,
                          uint64_t effort) const {
  const Watch watch(api::bounds_of(options, data_->bytes_before));
  const Replayed replayed = read(*data_, trace_json, trace_name, watch);
  const Property& property = replayed.property();
  const lang::Instance& instance = *replayed.instance;
  const std::string problem = replayed.problem(watch);
  if (!problem.empty()) throw Error(ErrorKind::Input, trace_name + ": not a valid trace: " + problem);
  if (replayed.trace.failure) {
    throw Error(ErrorKind::Unsupported, "unsupported: polishing the path to a run-time error");
  }
  if (model::is_about_paths(property)) {
    throw Error(ErrorKind::Unsupported, "unsupported: polishing the witness of E[], A<> or -->");
  }
  const model::Path path = trace::path_of(replayed.trace);
  CheckResult result;
  result.property = property.text;
  result.verdict = Verdict::Reachable;
  result.holds = api::holds_by_witness(property);
  const step::Semantics semantics(instance.system(), property, watch);
  search::Polished polished = search::polish(semantics, path, config_of(options, watch), effort * search::kWorkOfState);
  // In a refined system, edges would have other numbers than in the trace: the path stays as it is.
  if (model::is_incomplete(property, polished.path)) polished = {path, false};
  result.shortest = polished.shortest;
  const std::optional<Watch> extended = api::time_for_a_witness(watch);
  const Watch& more = extended ? *extended : watch;
  if (polished.path.steps.size() == path.steps.size() && !step::Replay::supports(instance.system(), property.goal)) {
    // Nothing better was found, and the edges alone do not describe the path: keep the trace as it is.
    api::write_witness(result, replayed.instance, replayed.trace, options.forms, more);
    result.trace_json = trace_json;
  } else {
    api::add_witness(result, replayed.instance, property, polished.path, options.forms, more);
  }
  result.statistics = api::of_all(result.statistics, watch);
  return result;
}

}  // namespace harrier
