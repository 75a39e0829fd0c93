// What is known about a model and a property before any search.
#include <set>

#include "api/config.h"
#include "api/data.h"
#include "api/watching.h"
#include "heur/heuristic.h"
#include "model/dead_values.h"
#include "model/features.h"
#include "model/participation.h"
#include "model/symmetry.h"
#include "model/values_in_states.h"
#include "search/extrema.h"
#include "search/portfolio.h"
#include "search/survey.h"
#include "step/independence.h"
#include "step/layout.h"

namespace harrier {

namespace {

using model::Property;

// By variable, the name that readers know: the variables of a queue have that of the queue.
std::vector<std::string> names_for_readers(const model::System& system) {
  std::vector<std::string> names;
  for (const model::Variable& v : system.variables) names.push_back(v.name);
  for (const model::Queue& queue : system.queues) {
    names[queue.length.value] = queue.name;
    const auto room = static_cast<uint32_t>(system.variable(queue.length).hi);
    for (const model::VarId field : queue.fields) {
      for (uint32_t i = 0; i < room; ++i) names[field.value + i] = queue.name;
    }
  }
  return names;
}

void add_layers(Analysis& out, const model::System& system, const Property& property, const Watch& watch) {
  const std::vector<std::string> names = names_for_readers(system);
  std::set<std::string> seen;
  for (const model::Layer& layer : model::dependency_layers(system, property, watch)) {
    std::vector<std::string> shown;
    const auto show = [&](const std::string& name) {
      if (seen.insert(name).second) shown.push_back(name);
    };
    for (const model::VarId v : layer.variables) show(names[v.value]);
    for (const model::ClockId c : layer.clocks) show(system.clocks[c.value].name);
    if (!shown.empty()) out.layers.push_back(std::move(shown));
  }
  const auto is_weak = [&](const std::string& name) { return seen.insert(name).second; };
  for (size_t v = 0; v < names.size(); ++v) {
    const model::Variable& variable = system.variables[v];
    const bool bookkeeping = (variable.internal && names[v] == variable.name) ||
                             (system.claim.valid() && system.process(system.claim).location == model::VarId(v));
    if (!bookkeeping && is_weak(names[v])) out.weak.push_back(names[v]);
  }
  for (size_t c = 1; c < system.clocks.size(); ++c) {
    if (is_weak(system.clocks[c].name)) out.weak.push_back(system.clocks[c].name);
  }
}

// What makes states simpler.
void add_simplification(Analysis& out, const model::System& system, const Property& property, const Watch& watch) {
  std::vector<model::ValueSet> values = model::values_in_states(system, watch);
  if (search::forgets_for(property)) {
    const std::vector<std::string> names = names_for_readers(system);
    const model::DeadValues dead_values(system, property, values, watch);
    const auto name = [&](const std::vector<model::VarId>& variables, std::vector<std::string>& into) {
      std::set<std::string> seen;
      for (const model::VarId v : variables) {
        if (seen.insert(names[v.value]).second) into.push_back(names[v.value]);
      }
    };
    name(dead_values.forgotten(), out.forgotten);
    name(dead_values.never_needed(), out.never_needed);
    for (const model::VarId v : dead_values.never_needed()) values[v.value] = {false, {system.variable(v).initial}};
  }
  out.simplified_bits = step::Layout(system, values).bits();
}

void add_heuristic(Analysis& out, const model::System& system, const Property& property, const CheckOptions& options,
                   const Watch& watch) {
  if (property.kind == model::PropertyKind::Liveness) {
    throw Error(ErrorKind::Unsupported, "unsupported: a heuristic for a property about infinite paths at " +
                                            system.sources.describe(property.at));
  }
  const auto workshop = workshop_of(options);
  const step::Semantics semantics(system, property, watch);
  const search::Survey survey =
      search::survey(semantics, {.heuristic = options.heuristic, .clocks = options.heuristic_clocks}, workshop, watch);
  out.heuristic = heuristic(options.heuristic).name;
  const bool dead_end = survey.estimate == heur::kDeadEnd;
  if (!dead_end) out.estimate = survey.estimate;
  out.proved = dead_end && survey.safe;
  out.abstractions = workshop->reports();
}

}  // namespace

Analysis Model::analyse(size_t number, const CheckOptions& options) const {
  const Watch watch(api::bounds_of(options, data_->bytes_before));
  const api::InstancePtr instance = data_->place(number).part->now();
  const Property& property = data_->usable(*instance, number);
  const model::System& system = instance->system();
  if (model::is_about_paths(property) || search::asks_for_values(property)) {
    throw Error(ErrorKind::Unsupported,
                "unsupported: the analysis of this kind of query at " + system.sources.describe(property.at));
  }
  const model::Features f = model::features(system, property, watch);
  Analysis out;
  out.property = property.text;
  out.processes = f.processes;
  out.locations = f.locations;
  out.edges = f.edges;
  out.variables = f.variables;
  out.state_bits = step::Layout(system).bits();
  add_simplification(out, system, property, watch);
  out.clocks = f.clocks;
  out.channels = f.channels;
  out.queues = f.queues;
  out.exclusive_control = f.exclusive_control;
  out.claim = f.claim;
  out.proof = f.proof;
  out.liveness = f.liveness;
  out.deadlock_clauses = f.deadlock_clauses;
  out.other_clauses = f.other_clauses;
  for (const model::ProcessId p : f.participation.processes) out.participants.push_back(system.process(p).name);
  out.pep = f.participation.factor();
  out.high_pep = f.high_pep();
  const model::Symmetry symmetry = model::find_symmetry(system, property, watch);
  for (const model::SymmetricGroup& group : symmetry.groups) {
    std::vector<std::string>& names = out.interchangeable.emplace_back();
    for (const model::ProcessId p : group.members) names.push_back(system.process(p).name);
  }
  out.not_interchangeable = symmetry.reason;
  add_layers(out, system, property, watch);
  // Bui 2009, figure 7.11: random walks for formulas about paths, whatever the factor.
  if (f.high_pep() || f.liveness) out.suggestion = Analysis::Suggestion::GuidedRandomWalks;
  if (f.branching) out.suggestion = Analysis::Suggestion::SymbolicSearch;
  out.automatic = search::describe_auto(system, property, f);
  const bool asks_for_state =
      property.kind == model::PropertyKind::Reachable || property.kind == model::PropertyKind::Invariant;
  out.not_reduced_because =
      asks_for_state ? step::hindrance_to_reduction(system, property.goal).value_or("") : "the property is about paths";
  if (!options.heuristic.empty()) add_heuristic(out, system, property, options, watch);
  return out;
}

}  // namespace harrier
