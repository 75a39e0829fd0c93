// Traces that are read back: validation and polishing.
#include "step/replay.h"

#include "api/config.h"
#include "api/data.h"
#include "api/read_trace.h"
#include "api/watching.h"
#include "api/witness.h"
#include "search/polish.h"
#include "step/semantics.h"
#include "trace/description.h"

namespace harrier {

namespace {

using api::InstancePtr;
using api::Replayed;
using model::Property;

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
  const Replayed replayed = api::read_replayed(*data_, trace_json, trace_name, watch);
  const trace::Trace& trace = replayed.trace;
  Validation result;
  result.problem = replayed.problem(watch);
  result.property = replayed.property().text;
  result.of_model = replayed.of_model;
  if (!result.problem.empty()) return result;
  result.length = trace::shown_steps(replayed.instance->system(), trace);
  result.run = replayed.run.has_value();
  if (result.run) return result;
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
  Replayed replayed =
      api::read_replayed(*data_, trace_json, trace_name, Watch(api::bounds_of(limits, data_->bytes_before)));
  return api::published(std::move(replayed.trace), replayed.instance);
}

CheckResult Model::polish(const std::string& trace_json, const std::string& trace_name, const CheckOptions& options,
                          uint64_t effort) const {
  const Watch watch(api::bounds_of(options, data_->bytes_before));
  const Replayed replayed = api::read_replayed(*data_, trace_json, trace_name, watch);
  const Property& property = replayed.property();
  const lang::Instance& instance = *replayed.instance;
  const std::string problem = replayed.problem(watch);
  if (!problem.empty()) throw Error(ErrorKind::Input, trace_name + ": not a valid trace: " + problem);
  if (replayed.run) {
    throw Error(ErrorKind::Usage, trace_name + ": a run leads to no goal, so that nothing of it can be left out");
  }
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
