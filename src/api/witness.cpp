#include "api/witness.h"

#include <fmt/format.h>

#include "harrier/version.h"
#include "search/zone_liveness.h"
#include "trace/description.h"
#include "trace/json.h"
#include "trace/lasso.h"
#include "trace/page.h"
#include "trace/sequence_chart.h"
#include "trace/text_writer.h"
#include "trace/validator.h"

namespace harrier::api {

using model::Property;
using model::PropertyKind;

namespace {

// What a page tells of the search.
trace::PageFacts facts_of(const CheckResult& result) {
  const Statistics& s = result.statistics;
  trace::PageFacts out;
  if (!result.search.empty()) out.emplace_back("found by", result.search);
  if (s.expanded != 0) {
    out.emplace_back("states", fmt::format("{} expanded, {} generated, {} stored", s.expanded, s.generated, s.stored));
  }
  if (s.walks != 0) out.emplace_back("random walks", fmt::format("{} with {} steps", s.walks, s.steps));
  if (s.images != 0) out.emplace_back("images", fmt::format("{}, at most {} nodes", s.images, s.peak_nodes));
  if (result.witness_cost) out.emplace_back("cost", std::to_string(*result.witness_cost));
  if (result.shortest) out.emplace_back("length", "proved to be shortest");
  if (result.cheapest) out.emplace_back("cheapest", "proved");
  out.emplace_back("time", fmt::format("{:.3f} s", s.time_s));
  out.emplace_back("written by", "Harrier " HARRIER_VERSION);
  return out;
}

}  // namespace

bool holds_by_witness(const Property& property) {
  return property.kind == PropertyKind::Reachable || property.kind == PropertyKind::PotentiallyAlways;
}

Trace published(Trace trace, const InstancePtr& instance) {
  trace.origin = {std::make_shared<const Trace::Names>(trace::names_of(instance->system())), instance};
  return trace;
}

void write_witness(CheckResult& result, const InstancePtr& instance, Trace trace, const WitnessForms& forms,
                   const Watch& watch) {
  const model::System& system = instance->system();
  result.witness_length = trace::shown_steps(system, trace);
  if (trace.loop_start) result.loop_start = trace::shown_steps(system, trace, *trace.loop_start);
  if (trace.rest) result.rest = *trace.rest == Rest::Delay ? "delay" : "stuck";
  if (forms.text) result.trace_text = trace::to_text(system, trace, false, watch);
  if (forms.json) result.trace_json = trace::to_json(system, trace, watch);
  if (forms.chart) result.trace_chart = trace::to_sequence_chart(system, trace, forms.chart_form, watch);
  if (forms.trail) result.trace_trail = instance->trail(trace::path_of(trace));
  if (forms.page) result.trace_page = trace::to_page(system, instance->drawing(), trace, facts_of(result), watch);
  if (forms.trace) result.trace = std::make_shared<const Trace>(published(std::move(trace), instance));
}

void add_witness(CheckResult& result, const InstancePtr& instance, const Property& property, const model::Path& path,
                 const WitnessForms& forms, const Watch& watch) {
  const model::System& system = instance->system();
  const auto unroll = [&](size_t rounds, size_t beyond_at, const std::vector<model::ClockAtom>& beyond) {
    return search::unroll(system, property, path, rounds, beyond_at, beyond, watch);
  };
  const bool timed_cycle = path.loop_start && model::is_about_paths(property);
  std::optional<Trace> built = timed_cycle ? trace::build_lasso(system, property, path, unroll, watch)
                                           : trace::build_trace(system, property, path, watch);
  if (!built) {
    result.warnings.push_back(
        "no witness is shown: its cycle is proved, but does not come back to equivalent values of the "
        "clocks within " +
        std::to_string(trace::kMostLassoSteps) + " steps");
    return;
  }
  const trace::ValidationReport report = trace::validate(system, property, *built, watch);
  if (!report.valid) {
    throw Error(ErrorKind::Internal, "the witness for '" + property.text + "' does not pass validation: " +
                                         report.text() + "\nthe rejected trace:\n" + trace::to_json(system, *built));
  }
  const std::string objection = instance->objection(path, watch);
  if (!objection.empty()) {
    throw Error(ErrorKind::Internal, "the witness for '" + property.text + "' is none by the rules of " +
                                         system.language + ": " + objection + "\n" + instance->trail(path));
  }
  const bool stuck = built->rest == Rest::Stuck;
  write_witness(result, instance, std::move(*built), forms, watch);
  if (stuck) {
    result.warnings.emplace_back("the witness ends in a time lock: time cannot go on, and no transition is possible");
  }
}

}  // namespace harrier::api
