// The public interface, put together from the rooms: front end, search, trace, validator.
#include <algorithm>
#include <filesystem>
#include <set>

#include "api/config.h"
#include "base/file.h"
#include "base/source.h"
#include "base/watch.h"
#include "harrier/harrier.h"
#include "heur/table.h"
#include "heur/teams.h"
#include "lang/detect.h"
#include "lang/promela/promela.h"
#include "lang/uppaal/uppaal.h"
#include "model/features.h"
#include "model/participation.h"
#include "model/printer.h"
#include "search/extrema.h"
#include "search/polish.h"
#include "search/portfolio.h"
#include "search/search.h"
#include "search/task.h"
#include "search/zone_liveness.h"
#include "step/layout.h"
#include "step/replay.h"
#include "trace/description.h"
#include "trace/failure.h"
#include "trace/goal_path.h"
#include "trace/json.h"
#include "trace/lasso.h"
#include "trace/sequence_chart.h"
#include "trace/spin_trail.h"
#include "trace/text_writer.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier {

using model::Property;
using model::PropertyKind;

namespace {

// Whether a path leads to the start of a process that the system does not have, not to a goal.
bool lacks_room(const Property& property, const model::Path& path) {
  return !path.loop_start && !path.failure && property.goal[path.goal_clause].room;
}

// The watch that the options name, or one that is made of their limits.
class Watching {
 public:
  template <class Options>
  Watching(const Options& options, uint64_t bytes_before) {
    if (options.watch == nullptr) {
      own_.emplace(Watch::Bounds{.seconds = options.time_limit_s,
                                 .bytes = options.memory_limit_bytes,
                                 .bytes_before = bytes_before,
                                 .stop = options.stop});
    }
    watch_ = own_ ? &*own_ : options.watch;
  }
  const Watch& operator*() const { return *watch_; }
  const Watch* operator->() const { return watch_; }

 private:
  std::optional<Watch> own_;
  const Watch* watch_ = nullptr;
};

// Throws if there are errors; returns the warnings.
std::string settle(const Sources& sources, const Diagnostics& diagnostics) {
  if (diagnostics.has_errors()) throw to_error(sources, diagnostics);
  return format_all(sources, diagnostics);
}

// A system and its properties. A Promela model has one for each of its claims.
struct Part {
  std::unique_ptr<promela::Source> source;  // of a Promela model
  std::shared_ptr<model::System> system;
  std::vector<Property> properties;

  // Takes over what the front end makes of a Promela model, with room for the processes that are known to be needed.
  void lower(const Watch& watch) {
    Diagnostics diagnostics(watch);
    source->lower(diagnostics);
    settle(source->system()->sources, diagnostics);
    system = source->system();
    properties = source->properties();
  }

  // Makes the system again, with room for the process that a path starts at its end.
  void make_room(size_t property, const model::Path& path, const Watch& watch) {
    source->make_room(trace::build_trace(*system, properties[property], path, watch).last().values);
    lower(watch);
  }
};

}  // namespace

struct Model::Data {
  uppaal::Loaded loaded;  // of a UPPAAL model
  std::vector<Part> parts;
  std::string warnings;
  double load_seconds = 0;
  uint64_t bytes_before = 0;  // resident before the model was loaded

  // The part that a property belongs to, and its number there.
  std::pair<Part&, size_t> part_of(size_t number) {
    for (Part& part : parts) {
      if (number < part.properties.size()) return {part, number};
      number -= part.properties.size();
    }
    throw std::out_of_range("the model has no such property");
  }
  const Property& property(size_t number) {
    const auto [part, index] = part_of(number);
    return part.properties[index];
  }
  // The part with a property of this text, or else the first.
  Part& part_of(const std::string& text) {
    for (Part& part : parts) {
      const auto& all = part.properties;
      if (std::any_of(all.begin(), all.end(), [&](const Property& p) { return p.text == text; })) return part;
    }
    return parts.front();
  }
};

std::string read_file(const std::string& path, const LoadOptions& limits) {
  return read_whole(path, *Watching(limits, resident_bytes()));
}

namespace {

Language told_language(const std::string& text, const std::string& name) {
  const std::string suffix = std::filesystem::path(name).extension().string();
  for (const char* s : {".pml", ".pm", ".prom", ".pr", ".p", ".promela"}) {
    if (suffix == s) return Language::Promela;
  }
  for (const char* s : {".xta", ".ta", ".xml"}) {
    if (suffix == s) return Language::Uppaal;
  }
  return looks_like_promela(text) ? Language::Promela : Language::Uppaal;
}

constexpr uint64_t kProbedStates = 2000;

promela::Options promela_options(const LoadOptions& o) {
  return {o.defines, o.goals, o.end_states, o.assertions, o.ltl, o.claims, o.non_progress, o.acceptance, o.fairness};
}

// Makes room for the processes that start soon, so that the first real search need not find that out.
void make_room_ahead(Part& part, const Watch& watch) {
  while (part.source->may_lack_room()) {
    const auto asked =
        std::find_if(part.properties.begin(), part.properties.end(), [](const Property& p) { return !p.refusal; });
    if (asked == part.properties.end()) return;
    const std::optional<model::Path> path = search::probe(*part.system, *asked, kProbedStates, watch);
    if (!path || !lacks_room(*asked, *path)) return;
    part.make_room(static_cast<size_t>(asked - part.properties.begin()), *path, watch);
  }
}

// Nothing can happen in a model without processes, which is rarely meant.
std::string warning_if_empty(const model::System& system) {
  return system.processes.empty() ? system.name + ": warning: the model has no process\n" : "";
}

}  // namespace

Model Model::load_file(const std::string& path, const LoadOptions& options) {
  const uint64_t bytes_before = resident_bytes();
  const Watching watch(options, bytes_before);
  LoadOptions watched = options;
  watched.watch = &*watch;
  try {
    Model model = load_text(read_whole(path, *watch), path, watched);
    model.data_->bytes_before = bytes_before;
    model.data_->load_seconds = watch->seconds();
    return model;
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    throw Error(ErrorKind::Limit, path + ": not loaded: " + e.what());
  }
}

Model Model::load_text(std::string text, const std::string& name, const LoadOptions& options) {
  auto data = std::make_shared<Data>();
  data->bytes_before = resident_bytes();
  const Watching watch(options, data->bytes_before);
  const double start = watch->seconds();
  Diagnostics diagnostics(*watch);
  const Language language = options.language == Language::Auto ? told_language(text, name) : options.language;
  if (language == Language::Promela) {
    auto first = std::make_unique<promela::Source>(std::move(text), name, promela_options(options), diagnostics);
    data->warnings = settle(first->system()->sources, diagnostics);
    std::vector<std::unique_ptr<promela::Source>> sources = first->others(diagnostics);
    settle(first->system()->sources, diagnostics);
    sources.insert(sources.begin(), std::move(first));
    for (std::unique_ptr<promela::Source>& source : sources) {
      if (!data->parts.empty()) source->make_room_as(*data->parts.back().source);
      Part& part = data->parts.emplace_back(Part{std::move(source), nullptr, {}});
      part.lower(*watch);
      make_room_ahead(part, *watch);
    }
    data->warnings += warning_if_empty(*data->parts.front().system);
    data->load_seconds = watch->seconds() - start;
    return Model(std::move(data));
  }
  data->loaded = uppaal::load(std::move(text), name, diagnostics);
  data->warnings = settle(data->loaded.system->sources, diagnostics);
  data->parts.push_back({nullptr, data->loaded.system, data->loaded.embedded_queries});
  data->warnings += warning_if_empty(*data->loaded.system);
  data->load_seconds = watch->seconds() - start;
  return Model(std::move(data));
}

Language Model::language() const { return data_->parts.front().source ? Language::Promela : Language::Uppaal; }
double Model::load_seconds() const { return data_->load_seconds; }

void Model::add_queries(std::string text, const std::string& name, const Watch& watch) {
  if (language() == Language::Promela)
    throw Error(ErrorKind::Usage, "queries are for UPPAAL models; a Promela model takes goals");
  Diagnostics diagnostics(watch);
  std::vector<Property> added = uppaal::parse_queries(data_->loaded, std::move(text), name, diagnostics);
  for (const Diagnostic& d : diagnostics.all()) {
    if (d.severity == Severity::Warning) data_->warnings += format_diagnostic(data_->loaded.system->sources, d);
  }
  std::vector<Property>& properties = data_->parts.front().properties;
  properties.insert(properties.end(), added.begin(), added.end());
}

void Model::add_query_file(const std::string& path, const LoadOptions& limits) {
  const Watching watch(limits, data_->bytes_before);
  add_queries(read_whole(path, *watch), path, *watch);
}

void Model::add_query(const std::string& query, const LoadOptions& limits) {
  const size_t before = property_count();
  add_queries(query, "query", *Watching(limits, data_->bytes_before));
  if (property_count() == before) throw Error(ErrorKind::Input, "empty query");
}

size_t Model::property_count() const {
  size_t count = 0;
  for (const Part& part : data_->parts) count += part.properties.size();
  return count;
}
const std::string& Model::property_text(size_t property) const { return data_->property(property).text; }

PropertyInfo Model::property(size_t number) const {
  const Property& p = data_->property(number);
  const bool infinite = p.kind == PropertyKind::Liveness || p.kind == PropertyKind::PotentiallyAlways ||
                        p.kind == PropertyKind::Eventually || p.kind == PropertyKind::LeadsTo;
  return {p.text, p.name, p.comment, p.expected, infinite};
}

const std::string& Model::warnings() const { return data_->warnings; }
const model::System& Model::system() const { return *data_->parts.front().system; }
std::string Model::print() const { return model::to_text(system()); }

namespace {

// Work of polishing after a search: as much as the search did, so that it never takes much longer, and at least this.
constexpr uint64_t kStatesForNearerFailure = 20'000;
constexpr uint64_t kLeastPolishing = 500 * search::kWorkOfState;

// Writes a witness in the forms that are asked for.
void write_witness(CheckResult& result, const Part& part, const trace::Trace& trace, const WitnessForms& forms,
                   const Watch& watch) {
  const model::System& system = *part.system;
  result.witness_length = trace::shown_steps(system, trace);
  if (trace.loop_start) result.loop_start = trace::shown_steps(system, trace, *trace.loop_start);
  if (trace.rest) result.rest = *trace.rest == model::Rest::Delay ? "delay" : "stuck";
  if (forms.text) result.trace_text = trace::to_text(system, trace, false, watch);
  if (forms.json) result.trace_json = trace::to_json(system, trace, watch);
  if (forms.chart) result.trace_chart = trace::to_sequence_chart(system, trace, watch);
  if (!forms.trail || !part.source) return;
  result.trace_trail = trace::to_spin_trail(trace, [&](model::EdgeId edge) -> std::optional<trace::SpinStatement> {
    if (system.edge(edge).process == system.claim) return std::nullopt;
    const promela::TrailStep& step = part.source->trail()[edge.value];
    return trace::SpinStatement{step.pid, step.statement};
  });
}

// A witness shows that such a property holds; of the others it is a violation.
bool holds_by_witness(const Property& property) {
  return property.kind == PropertyKind::Reachable || property.kind == PropertyKind::PotentiallyAlways;
}

// Turns a path into a validated witness. A cycle that comes back too late is proved by the search, but not shown.
void add_witness(CheckResult& result, const Part& part, const Property& property, const model::Path& path,
                 const WitnessForms& forms, const Watch& watch) {
  const model::System& system = *part.system;
  const auto unroll = [&](size_t rounds, size_t beyond_at, const std::vector<model::ClockAtom>& beyond) {
    return search::unroll(system, property, path, rounds, beyond_at, beyond, watch);
  };
  const bool timed_cycle = path.loop_start && search::is_about_paths(property);
  const std::optional<trace::Trace> built = timed_cycle ? trace::build_lasso(system, property, path, unroll, watch)
                                                        : trace::build_trace(system, property, path, watch);
  if (!built) {
    result.warnings.push_back(
        "no witness is shown: its cycle is proved, but does not come back to equivalent values of the "
        "clocks within " +
        std::to_string(trace::kMostLassoSteps) + " steps");
    return;
  }
  const trace::Trace& trace = *built;
  const trace::ValidationReport report = trace::validate(system, property, trace, watch);
  if (!report.valid) {
    throw Error(ErrorKind::Internal, "the witness for '" + property.text + "' does not pass validation: " +
                                         report.text() + "\nthe rejected trace:\n" + trace::to_json(system, trace));
  }
  write_witness(result, part, trace, forms, watch);
  if (trace.rest == model::Rest::Stuck) {
    result.warnings.emplace_back("the witness ends in a time lock: time cannot go on, and no transition is possible");
  }
}

}  // namespace

namespace {

// The figures of a search with those of all that was done for the property.
Statistics of_all(Statistics statistics, const Watch& watch) {
  statistics.time_s = watch.seconds();
  statistics.memory_bytes = std::max(statistics.memory_bytes, watch.peak_bytes());
  return statistics;
}

// What there is for the witness to a path that has been found when the search is told to end: it is worth a little more
// time than the limit. None: there is nothing to be added.
std::optional<Watch> time_for_a_witness(const Watch& watch) {
  constexpr double kShare = 0.1;
  constexpr double kLeastSeconds = 1;
  const Watch::Bounds& all = watch.bounds();
  if (all.polls) return std::nullopt;
  const bool stopped = all.stop != nullptr && all.stop->load(std::memory_order_relaxed);
  if (!stopped && !all.seconds) return std::nullopt;
  const double left = all.seconds ? *all.seconds - watch.seconds() : 0;
  const double more = std::max(kLeastSeconds, all.seconds ? kShare * *all.seconds : 0);
  if (!stopped && left >= more) return std::nullopt;
  return std::optional<Watch>(std::in_place, Watch::Bounds{.seconds = std::max(left, 0.0) + more,
                                                           .bytes = all.bytes,
                                                           .bytes_before = all.bytes_before,
                                                           .stop = stopped ? nullptr : all.stop});
}

std::string failure_text(const model::System& system, const model::EvalFailure& failure) {
  const std::string at = system.sources.describe(failure.at);
  return std::string(model::fault_name(failure.fault)) + (at.empty() ? "" : " at " + at);
}

// Shows a failure of the model that is nearer to the start, if there is one among the first states.
void come_nearer(search::Result& found, const model::System& system, const Property& property,
                 const CheckOptions& options) {
  try {
    auto nearer = search::early_failure(system, property, kStatesForNearerFailure, Watch::or_none(options.watch));
    if (!nearer || nearer->steps.size() >= found.path->steps.size()) return;
    found.failure = nearer->failure->failure;
    found.path = std::move(nearer);
  } catch (const Error& e) {  // the failure that is known will do
    if (e.kind() != ErrorKind::Limit) throw;
  }
}

}  // namespace

const Property& Model::usable(size_t number) const {
  const Property& property = data_->property(number);
  if (property.refusal) throw Error(property.refusal->kind, property.refusal->text);
  return property;
}

search::Result Model::find(size_t number, const CheckOptions& options) const {
  usable(number);
  const auto [part_found, index] = data_->part_of(number);
  Part& part = part_found;
  const auto once = [&, index = index] {
    const Property& property = part.properties[index];
    search::Result found = search::run(*part.system, property, config_of(options));
    const bool witness = found.verdict == Verdict::Reachable && !lacks_room(property, *found.path);
    const bool wanted = options.polish.value_or(property.kind == PropertyKind::Liveness ||
                                                options.search == Search::Auto || options.search == Search::Walk);
    if (found.verdict == Verdict::Failed && wanted && found.path) come_nearer(found, *part.system, property, options);
    const bool refinable = !search::is_about_paths(property);
    if (witness && refinable && wanted && !found.shortest) {
      const uint64_t work = found.improved ? 0
                                           : kLeastPolishing + found.statistics.generated +
                                                 search::kWorkOfEstimate * found.statistics.evaluated;
      const step::Semantics semantics(*part.system, property, Watch::or_none(options.watch));
      search::Polished polished = search::polish(semantics, *found.path, config_of(options), work);
      found.path = std::move(polished.path);
      found.shortest = polished.shortest;
    }
    return found;
  };
  search::Result found = once();
  while (found.path && lacks_room(part.properties[index], *found.path)) {
    part.make_room(index, *found.path, Watch::or_none(options.watch));
    found = once();
  }
  return found;
}

CheckResult Model::check(size_t number, const CheckOptions& options) const {
  const Watching watch(options, data_->bytes_before);
  CheckOptions watched = options;
  watched.watch = &*watch;
  if (options.progress) {
    watched.progress = [&](const Statistics& s) { options.progress(of_all(s, *watch)); };
  }
  search::Result found;
  try {
    found = find(number, watched);
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::Limit) throw;
    found.reason = e.what();
  }
  const auto [part, index] = data_->part_of(number);
  const Property& property = part.properties[index];
  CheckResult result;
  result.property = property.text;
  result.verdict = found.verdict;
  result.reason = std::move(found.reason);
  result.statistics = found.statistics;
  result.shortest = found.shortest;
  result.search = std::move(found.search);
  result.search_reason = std::move(found.search_reason);
  result.warnings = std::move(found.warnings);
  if (found.verdict == Verdict::Failed) {
    result.failure = failure_text(*part.system, *found.failure);
    const std::optional<Watch> more = time_for_a_witness(*watch);
    const Watch& last = more ? *more : *watch;
    try {
      const auto trace = found.path ? trace::failure_trace(*part.system, property, *found.path, last) : std::nullopt;
      if (trace) write_witness(result, part, *trace, options.forms, last);
    } catch (const Error& e) {  // what fails is known, only not how to get there
      if (e.kind() != ErrorKind::Limit) throw;
      result.witness_length.reset();
    }
    result.statistics = of_all(result.statistics, *watch);
    return result;
  }
  result.values = std::move(found.values);
  if (found.verdict == Verdict::Reachable || found.verdict == Verdict::Unreachable) {
    result.holds = (found.verdict == Verdict::Reachable) == holds_by_witness(property);
  }
  if (found.path) {
    const std::optional<Watch> more = time_for_a_witness(*watch);
    try {
      add_witness(result, part, property, *found.path, options.forms, more ? *more : *watch);
    } catch (const Error& e) {
      if (e.kind() != ErrorKind::Limit) throw;
      CheckResult unknown;
      unknown.property = property.text;
      unknown.statistics = found.statistics;
      unknown.reason = std::string(e.what()) + ", reached while a path of " + std::to_string(found.path->steps.size()) +
                       " steps was validated and described";
      result = std::move(unknown);
    }
  }
  result.statistics = of_all(result.statistics, *watch);
  return result;
}

namespace {

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

}  // namespace

Analysis Model::analyse(size_t number, const CheckOptions& limits) const {
  const Watching watch(limits, data_->bytes_before);
  const Property& property = usable(number);
  const model::System& system = *data_->part_of(number).first.system;
  if (search::is_about_paths(property) || search::asks_for_values(property)) {
    throw Error(ErrorKind::Unsupported,
                "unsupported: the analysis of this kind of query at " + system.sources.describe(property.at));
  }
  const model::Features f = model::features(system, property, *watch);
  Analysis out;
  out.property = property.text;
  out.processes = f.processes;
  out.locations = f.locations;
  out.edges = f.edges;
  out.variables = f.variables;
  out.state_bits = step::Layout(system).bits();
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
  add_layers(out, system, property, *watch);
  // 002 figure 7.11: random walks for formulas about paths, whatever the factor.
  if (f.high_pep() || f.liveness) out.suggestion = Analysis::Suggestion::GuidedRandomWalks;
  out.automatic = search::describe_auto(f);
  return out;
}

GoalPath Model::goal_path(size_t number, const CheckOptions& limits) const {
  const PropertyKind kind = usable(number).kind;
  if (kind != PropertyKind::Reachable && kind != PropertyKind::Invariant) {
    throw Error(ErrorKind::Unsupported, "unsupported: guidance by a property that is not about a state to be reached");
  }
  CheckOptions options;
  const Watching watch(limits, data_->bytes_before);
  options.watch = &*watch;
  options.memory_limit_bytes = limits.memory_limit_bytes;
  options.progress = limits.progress;
  // Both find a shortest path. No heuristic that is admissible knows where a deadlock is.
  const auto& goal = data_->property(number).goal;
  const bool deadlocks = std::any_of(goal.begin(), goal.end(),
                                     [](const model::Clause& c) { return c.deadlock != model::DeadlockTest::Ignore; });
  options.search = deadlocks ? Search::BreadthFirst : Search::AStar;
  options.heuristic = "hL";
  const search::Result found = find(number, options);
  const auto [part, index] = data_->part_of(number);
  const Property& property = part.properties[index];
  const model::System& system = *part.system;
  if (found.verdict == Verdict::Unknown) {
    throw Error(ErrorKind::Limit, "'" + system.name + "' gives no guidance: " + found.reason +
                                      " reached before a path to the goal of '" + property.text + "' was found");
  }
  if (found.verdict == Verdict::Failed) throw model::to_error(system, *found.failure);
  if (!found.path) {
    throw Error(ErrorKind::Usage,
                "'" + system.name + "' gives no guidance: no path leads to the goal of '" + property.text + "' there");
  }
  return trace::to_goal_path(system, property, trace::build_trace(system, property, *found.path, *watch));
}

std::shared_ptr<const GoalPath> Model::guide_from(const Model& sibling, size_t number,
                                                  const CheckOptions& options) const {
  const std::string& name = sibling.system().name;
  if (sibling.language() != language()) {
    throw Error(ErrorKind::Usage, "'" + name + "' gives no guidance: it is not in the language of the model");
  }
  const size_t count = sibling.property_count();
  if (count != 1 && number >= count) {
    throw Error(ErrorKind::Usage, "'" + name + "' gives no guidance for '" + property_text(number) + "': it has " +
                                      (count == 0 ? "no" : "only " + std::to_string(count)) + " properties");
  }
  auto path = std::make_shared<GoalPath>(sibling.goal_path(count == 1 ? 0 : number, options));
  heur::make_teams(*data_->part_of(number).first.system, *path);
  return path;
}

const Property& Model::property_of(const std::string& text, int kind, const std::string& trace_name,
                                   std::vector<Property>& parsed) const {
  // The trace names its property; it may be one of the model's, or one that was given on the command line then.
  for (const Property& property : data_->part_of(text).properties) {
    if (!property.refusal && property.text == text && static_cast<int>(property.kind) == kind) return property;
  }
  if (language() == Language::Promela) {
    throw Error(ErrorKind::Input, trace_name + ": the property '" + text +
                                      "' is not one of the model's: give the options with which the trace was made");
  }
  Diagnostics diagnostics;
  parsed = uppaal::parse_queries(data_->loaded, text, trace_name, diagnostics);
  settle(system().sources, diagnostics);
  if (parsed.size() != 1) throw Error(ErrorKind::Input, trace_name + ": the trace names no property");
  return parsed.front();
}

trace::Trace Model::read_trace(const std::string& trace_json, const std::string& trace_name, const Watch& watch) const {
  try {
    Part& part = data_->part_of(trace::property_of(trace_json, watch));
    if (part.source) {
      // Edges are numbered as the processes ask for that the trace was made with.
      part.source->make_room_for(trace::processes_of(trace_json, watch));
      part.lower(watch);
    }
    return trace::from_json(*part.system, trace_json, watch);
  } catch (const Error& e) {
    throw Error(e.kind(), trace_name + ": " + e.what());
  }
}

Validation Model::validate(const std::string& trace_json, const std::string& trace_name,
                           const CheckOptions& limits) const {
  const Watching watch(limits, data_->bytes_before);
  const trace::Trace trace = read_trace(trace_json, trace_name, *watch);
  std::vector<Property> parsed;
  const Property& property = property_of(trace.property, static_cast<int>(trace.kind), trace_name, parsed);
  Validation result;
  result.problem = problem_of(trace, property, *watch);
  result.property = property.text;
  result.of_model = parsed.empty();
  if (result.problem.empty()) result.length = trace::shown_steps(*data_->part_of(trace.property).system, trace);
  if (result.problem.empty() && trace.failure) {
    result.verdict = Verdict::Failed;
    result.failure = trace::failure_text(*trace.failure);
  } else if (result.problem.empty()) {
    result.verdict = Verdict::Reachable;
    result.holds = holds_by_witness(property);
  }
  return result;
}

std::string Model::problem_of(const trace::Trace& trace, const Property& property, const Watch& watch) const {
  const model::System& system = *data_->part_of(trace.property).system;
  const trace::ValidationReport report = trace::validate(system, property, trace, watch);
  return report.valid ? trace::description_problem(system, property, trace, watch) : report.text();
}

CheckResult Model::polish(const std::string& trace_json, const std::string& trace_name, const CheckOptions& options,
                          uint64_t effort) const {
  const Watching watch(options, data_->bytes_before);
  CheckOptions watched = options;
  watched.watch = &*watch;
  const trace::Trace trace = read_trace(trace_json, trace_name, *watch);
  std::vector<Property> parsed;
  const Property& property = property_of(trace.property, static_cast<int>(trace.kind), trace_name, parsed);
  const std::string problem = problem_of(trace, property, *watch);
  if (!problem.empty()) throw Error(ErrorKind::Input, trace_name + ": not a valid trace: " + problem);
  if (trace.failure) throw Error(ErrorKind::Unsupported, "unsupported: polishing the path to a run-time error");
  if (search::is_about_paths(property)) {
    throw Error(ErrorKind::Unsupported, "unsupported: polishing the witness of E[], A<> or -->");
  }
  const Part& part = data_->part_of(trace.property);
  const model::Path path = trace::path_of(trace);
  CheckResult result;
  result.property = property.text;
  result.verdict = Verdict::Reachable;
  result.holds = holds_by_witness(property);
  const step::Semantics semantics(*part.system, property, *watch);
  search::Polished polished = search::polish(semantics, path, config_of(watched), effort * search::kWorkOfState);
  // With room for one more process, edges would have other numbers than in the trace: the path stays as it is.
  if (lacks_room(property, polished.path)) polished = {path, false};
  result.shortest = polished.shortest;
  const std::optional<Watch> extended = time_for_a_witness(*watch);
  const Watch* more = extended ? &*extended : &*watch;
  if (polished.path.steps.size() == path.steps.size() && !step::Replay::supports(*part.system, property.goal)) {
    // Nothing better was found, and the edges alone do not describe the path: keep the trace as it is.
    write_witness(result, part, trace, options.forms, *more);
    result.trace_json = trace_json;
  } else {
    add_witness(result, part, property, polished.path, options.forms, *more);
  }
  result.statistics = of_all(result.statistics, *watch);
  return result;
}

std::vector<HeuristicInfo> heuristics() {
  std::vector<HeuristicInfo> out;
  for (const heur::Entry& e : heur::table())
    out.push_back({e.name, e.admissible, e.safe, e.clocks, e.preferred, e.sibling, e.summary, e.citation, e.help});
  return out;
}

}  // namespace harrier
