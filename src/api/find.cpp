#include "api/find.h"

#include "api/config.h"
#include "search/polish.h"
#include "search/task.h"
#include "step/semantics.h"
#include "trace/trace.h"

namespace harrier::api {

namespace {

using model::Property;

// Work of polishing after a search: as much as the search did, so that it never takes much longer, and at least this.
constexpr uint64_t kLeastPolishing = 500 * search::kWorkOfState;
constexpr uint64_t kStatesForNearerFailure = 20'000;

// Shows a failure of the model that is nearer to the start, if there is one among the first states.
void come_nearer(search::Result& found, const model::System& system, const Property& property, const Watch& watch) {
  try {
    auto nearer = search::early_failure(system, property, kStatesForNearerFailure, watch);
    if (!nearer || nearer->steps.size() >= found.path->steps.size()) return;
    found.failure = nearer->failure->failure;
    found.path = std::move(nearer);
  } catch (const Error& e) {  // the failure that is known will do
    if (e.kind() != ErrorKind::Limit) throw;
  }
}

// Polishes the path. When a limit is reached, the path that is known will do.
void make_shorter(search::Result& found, const model::System& system, const Property& property,
                  const CheckOptions& options, const Watch& watch) {
  const uint64_t work = found.improved ? 0
                                       : kLeastPolishing + found.statistics.generated +
                                             search::kWorkOfEstimate * found.statistics.evaluated;
  try {
    const step::Semantics semantics(system, property, watch);
    search::Polished polished = search::polish(semantics, *found.path, config_of(options, watch), work);
    found.path = std::move(polished.path);
    found.shortest = polished.shortest;
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
  }
}

search::Result find_once(const model::System& system, const Property& property, const CheckOptions& options,
                         const Watch& watch, const std::shared_ptr<abstraction::Workshop>& workshop) {
  search::Result found = search::run(system, property, config_of(options, watch, workshop));
  const bool witness =
      found.verdict == Verdict::Reachable && found.path && !model::is_incomplete(property, *found.path);
  const bool wanted =
      options.polish.value_or(property.kind == model::PropertyKind::Liveness || options.search == Search::Auto ||
                              options.search == Search::Walk || options.search == Search::SymbolicWalk);
  if (found.verdict == Verdict::Failed && wanted && found.path) come_nearer(found, system, property, watch);
  // Where costs count, a shorter path may be a dearer one.
  const bool improvable = !model::is_about_paths(property) && property.kind != model::PropertyKind::Branching &&
                          found.costs == CostType::Unit;
  if (witness && wanted && !found.shortest && improvable) make_shorter(found, system, property, options, watch);
  return found;
}

// A state of the goal was found: does a fair path lead there, or to another one?
void ask_for_fair_paths(Found& found, const CheckOptions& options, const Watch& watch) {
  const std::string state =
      "a state that violates it can be reached in " + std::to_string(found.result.path->steps.size()) + " steps";
  found.result = {};
  try {
    found.instance = found.instance->fairly(found.property, watch);
    found.property = 0;
    if (const auto& refusal = found.asked().refusal) throw Error(refusal->kind, refusal->text);
    CheckOptions own;
    own.polish = options.polish;
    own.memory_limit_bytes = options.memory_limit_bytes;
    own.progress = options.progress;
    found.result = find_once(found.instance->system(), found.asked(), own, watch, workshop_of(own));
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    found.result.reason = e.what();
  }
  if (found.result.verdict == Verdict::Unknown) {
    found.result.reason += " (" + state + "; whether a fair path leads there is open)";
  } else if (found.result.verdict == Verdict::Unreachable) {
    found.result.warnings.push_back(state + ", but no fair path leads there");
  }
}

}  // namespace

Found find_anywhere(const Data& data, size_t number, const CheckOptions& options, const Watch& watch) {
  const Part& part = *data.place(number).part;
  Found found{{}, part.now(), data.place(number).number, workshop_of(options)};
  data.usable(*found.instance, number);
  if (const std::string refutation = found.instance->refutation(); !refutation.empty()) {
    config_of(options, watch);  // it refuses options as it would for a search
    found.result.verdict = Verdict::Unreachable;
    found.result.search = "translation";
    found.result.search_reason = refutation;
    return found;
  }
  try {
    while (true) {
      const InstancePtr instance = found.instance;
      const Property& property = data.usable(*instance, number);
      found.result = find_once(instance->system(), property, options, watch, found.workshop);
      const std::optional<model::Path>& path = found.result.path;
      if (!path || !model::is_incomplete(property, *path)) break;
      const trace::Trace trace = trace::build_trace(instance->system(), property, *path, watch);
      found.instance = instance->refined(trace.last().values, watch);
      part.refine(instance, found.instance);
    }
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    found.result = {};
    found.result.reason = e.what();
  }
  return found;
}

Found find(const Data& data, size_t number, const CheckOptions& options, const Watch& watch) {
  Found found = find_anywhere(data, number, options, watch);
  if (found.result.verdict == Verdict::Reachable && found.asked().on_fair_paths) {
    ask_for_fair_paths(found, options, watch);
  }
  return found;
}

}  // namespace harrier::api
