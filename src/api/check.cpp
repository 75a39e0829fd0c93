// Checking a property: search, witness, answer.
#include "api/data.h"
#include "api/find.h"
#include "api/watching.h"
#include "api/witness.h"
#include "model/cost.h"
#include "trace/failure.h"

namespace harrier {

namespace {

using api::Found;

std::string failure_text(const model::System& system, const model::EvalFailure& failure) {
  const std::string at = system.sources.describe(failure.at);
  return model::fault_text(system, failure.fault) + (at.empty() ? "" : " at " + at);
}

// The model fails. If there is no time to find out how to get there, it is known what fails.
void add_failure(CheckResult& result, const Found& found, const model::Property& property, const WitnessForms& forms,
                 const Watch& watch) {
  const model::System& system = found.instance->system();
  const std::optional<model::Path>& path = found.result.path;
  result.failure = failure_text(system, *found.result.failure);
  try {
    auto trace = path ? trace::failure_trace(system, property, *path, watch) : std::nullopt;
    if (trace) api::write_witness(result, found.instance, std::move(*trace), forms, watch);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    result.witness_length.reset();
  }
}

void add_answer(CheckResult& result, Found& found, const model::Property& property, const WitnessForms& forms,
                const Watch& watch) {
  result.values = std::move(found.result.values);
  if (result.verdict == Verdict::Reachable || result.verdict == Verdict::Unreachable) {
    result.holds = (result.verdict == Verdict::Reachable) == api::holds_by_witness(property);
  }
  const std::optional<model::Path>& path = found.result.path;
  if (!path) return;
  try {
    const model::System& system = found.instance->system();
    if (system.counts_costs || found.result.costs != CostType::Unit) {
      result.witness_cost = model::cost_of(system, *path, CostType::Real);
    }
    api::add_witness(result, found.instance, property, *path, forms, watch);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    CheckResult unknown;
    unknown.property = property.text;
    unknown.statistics = result.statistics;
    unknown.abstractions = std::move(result.abstractions);
    unknown.kept_abstractions = std::move(result.kept_abstractions);
    unknown.reason = std::string(e.what()) + ", reached while a path of " + std::to_string(path->steps.size()) +
                     " steps was validated and described";
    result = std::move(unknown);
  }
}

}  // namespace

CheckResult Model::check(size_t number, const CheckOptions& options) const {
  const Watch watch(api::bounds_of(options, data_->bytes_before));
  CheckOptions watched = options;
  if (options.progress) {
    watched.progress = [&](const Statistics& s) { options.progress(api::of_all(s, watch)); };
  }
  Found found = api::find(*data_, number, watched, watch);
  const model::Property& property = found.asked();
  CheckResult result;
  result.property = property.text;
  result.verdict = found.result.verdict;
  result.reason = std::move(found.result.reason);
  result.statistics = found.result.statistics;
  result.shortest = found.result.shortest;
  result.cheapest = found.result.cheapest;
  result.search = std::move(found.result.search);
  result.search_reason = std::move(found.result.search_reason);
  result.warnings = std::move(found.result.warnings);
  result.abstractions = found.workshop->reports();
  result.kept_abstractions = found.workshop->kept();
  const std::optional<Watch> more = api::time_for_a_witness(watch);
  const Watch& last = more ? *more : watch;
  if (result.verdict == Verdict::Failed) {
    add_failure(result, found, property, options.forms, last);
  } else {
    add_answer(result, found, property, options.forms, last);
  }
  result.statistics = api::of_all(result.statistics, watch);
  return result;
}

}  // namespace harrier
