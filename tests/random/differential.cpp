#include "random/differential.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "heur/recipe.h"
#include "heur/table.h"
#include "lang/uppaal/uppaal.h"
#include "model/analysis.h"
#include "random/costs.h"
#include "random/derived.h"
#include "random/estimates.h"
#include "random/evaluators.h"
#include "random/explorer.h"
#include "random/native.h"
#include "random/path_queries.h"
#include "random/system_network.h"
#include "random/ta_network.h"
#include "random/threads.h"
#include "search/contexts.h"
#include "support/options.h"
#include "trace/failure.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

namespace {

constexpr size_t kMaxStates = 60'000;
constexpr uint64_t kMostBytes = 2 << 20;  // of searches that are compared with each other
constexpr uint64_t kPolishingEffort = 1000 * search::kWorkOfState;

struct Disagreement {
  std::string stage;
  std::string problem;
};

std::string length_text(const std::optional<uint32_t>& length) {
  return length ? "reachable in " + std::to_string(*length) : "unreachable";
}

void compare(const std::string& stage, const TaModel& model, const Exploration& expected, const Exploration& found) {
  for (size_t q = 0; q < expected.shortest.size(); ++q) {
    if (expected.fails[q] != found.fails[q]) {
      throw Disagreement{stage, to_query(model, model.queries[q]) + ": expected to fail in " +
                                    (expected.fails[q] ? "some" : "no") + " state"};
    }
    if (expected.shortest[q] == found.shortest[q]) continue;
    throw Disagreement{stage, to_query(model, model.queries[q]) + ": expected " + length_text(expected.shortest[q]) +
                                  ", found " + length_text(found.shortest[q])};
  }
}

// Integer time is exact if no constraint is strict or negated.
bool integer_time_is_exact(const Network& network, const TaModel& model, const Profile& profile) {
  if (network.has_strict_bounds() || profile.priorities || profile.broadcast_clock_guards) return false;
  for (const TaQuery& query : model.queries) {
    for (const auto& clause : query.clauses) {
      for (const TaGoalAtom& atom : clause) {
        if (atom.kind == TaGoalAtom::Kind::Deadlock) return false;
      }
    }
  }
  return true;
}

std::string diagnostics_text(const model::System& system, const Diagnostics& diagnostics) {
  std::string s;
  for (const Diagnostic& d : diagnostics.all()) s += format_diagnostic(system.sources, d) + "\n";
  return s;
}

struct NamedSearch {
  CheckOptions options;
  std::string name;
  bool shortest = false;        // its paths must be shortest ones
  bool only_databases = false;  // of auto

  // It need not find what there is.
  bool may_miss() const { return options.search == Search::Walk || options.bitstate_mb; }
  // It never says that there is nothing. Hashes of 64 bits miss nothing in the little that is searched here.
  bool proves_nothing() const { return options.bitstate_mb || options.compact; }

  search::Result run(const model::System& system, const model::Property& property) const {
    const Watch watch(api::bounds_of(options, resident_bytes()));
    search::Config config = config_of(options, watch);
    if (auto* own = std::get_if<search::AutoSearch>(&config.method)) own->only_databases = only_databases;
    return search::run(system, property, config);
  }
};

// Two of the ways to walk, a little: walks need not find what there is, but must not find anything else.
void add_walks(uint64_t seed, std::vector<NamedSearch>& out) {
  constexpr uint64_t kWays = 6;
  for (const uint64_t way : {seed % kWays, (seed / kWays + 1 + seed) % kWays}) {
    CheckOptions options;
    options.search = Search::Walk;
    options.seed = seed;
    options.walk.walks = 8;
    options.walk.depth = 15;
    if (way == 1 || way == 3) options.heuristic = "hU";
    switch (way) {
      case 1: options.walk.selection = WalkOptions::Selection::All; break;
      case 2: options.walk.trails = true; break;
      case 3: options.walk.restart = WalkOptions::Restart::Best; break;
      case 4: options.walk.restart = WalkOptions::Restart::Previous; break;
      case 5: options.walk.threads = 2; break;
      default: break;
    }
    out.push_back({options, "walk " + std::to_string(way), false});
  }
}

// A database, or landmarks.
bool is_found_before(const heur::Entry& entry) {
  return !entry.abstraction.empty() || std::string_view(entry.name).starts_with("lm");
}

// All of them, and compositions that depend on the seed.
std::vector<std::string> found_before(uint64_t seed, const model::System& system) {
  std::vector<std::string> names;
  for (const heur::Entry& entry : heur::table()) {
    if (is_found_before(entry) && entry.is_for(system)) names.emplace_back(entry.name);
  }
  harrier::Rng rng(seed);
  const auto any = [&] { return names[rng.below(names.size())]; };
  std::vector<std::string> out = names;
  out.push_back("max(" + any() + ", " + any() + ")");
  out.push_back("sum(" + any() + ", " + any() + ")");
  return out;
}

// A*, and greedy search, which lives on dead ends being real, with each of them; and auto with databases alone.
std::vector<NamedSearch> database_searches(uint64_t seed, const model::System& system) {
  const bool timed = system.clocks.size() > 1;
  std::vector<NamedSearch> out;
  const auto add = [&](Search order, const heur::Recipe& recipe, bool clocks) {
    CheckOptions options;
    options.search = order;
    options.heuristic = recipe.text();
    options.heuristic_clocks = clocks;
    const bool shortest = order == Search::AStar && recipe.admissible();
    out.push_back(
        {options, (order == Search::AStar ? "A* " : "greedy ") + recipe.text() + (clocks ? " clocks" : ""), shortest});
  };
  for (const std::string& text : found_before(seed, system)) {
    const heur::Recipe recipe(text);
    const bool clocks = timed && recipe.clocks();
    add(Search::AStar, recipe, false);
    if (clocks) add(Search::AStar, recipe, true);
    add(Search::Greedy, recipe, clocks && seed % 2 == 0);
  }
  CheckOptions options;
  options.search = Search::Auto;
  options.seed = seed;
  out.push_back({options, "auto databases", false, true});
  return out;
}

// The blind searches, those that combine several, A* with every admissible heuristic, and a sample of all other
// combinations that depends on the seed. And random walks.
std::vector<NamedSearch> searches(uint64_t seed, const model::System& system) {
  const bool timed = system.clocks.size() > 1;
  std::vector<NamedSearch> out;
  const auto add = [&](Search order, const std::string& name, bool shortest) {
    CheckOptions options;
    options.search = order;
    options.seed = seed;
    out.push_back({options, name, shortest});
    return &out.back();
  };
  add(Search::BreadthFirst, "breadth-first", true);
  add(Search::DepthFirst, "depth-first", false);
  add(Search::BreadthFirst, "breadth-first as written", true)->options.simplify = false;
  add(Search::RandomDepthFirst, "random depth-first", false);
  add(Search::DepthFirst, "depth-first contexts", false)->options.prefer = {"contexts"};
  add(Search::Auto, "auto", false);
  add(Search::Auto, "auto databases", false)->only_databases = true;
  add(Search::Anytime, "anytime", true);
  for (const heur::Entry& entry : heur::table()) {
    if (!entry.admissible || !entry.is_for(system)) continue;
    add(Search::AStar, std::string("A* ") + entry.name, true)->options.heuristic = entry.name;
    if (!entry.clocks) continue;
    CheckOptions& options = add(Search::AStar, std::string("A* ") + entry.name + " clocks", true)->options;
    options.heuristic = entry.name;
    options.heuristic_clocks = true;
  }
  add(Search::AStar, "A* max(hL, dL)", true)->options.heuristic = "max(hL, dL)";
  if (!timed) {
    for (const Search order : {Search::BreadthFirst, Search::DepthFirst, Search::Greedy}) {
      add(order, "reduced " + std::to_string(static_cast<int>(order)), false)->options.reduction = true;
    }
    for (const Search order : {Search::DepthFirst, Search::RandomDepthFirst}) {
      const bool reduced = !system.has_choices() && seed % 2 == 0;
      CheckOptions& bits = add(order, "bitstate", false)->options;
      bits.bitstate_mb = 1;
      bits.bitstate_functions = 1 + static_cast<uint32_t>(seed % 4);
      bits.reduction = reduced;
      CheckOptions& compact = add(order, "compact", false)->options;
      compact.compact = true;
      compact.reduction = reduced;
    }
    add(Search::BreadthFirst, "breadth-first compressed", true)->options.compress = true;
    add(Search::Greedy, "greedy compressed", false)->options.compress = true;
  }
  constexpr std::pair<Search, const char*> kGuided[] = {{Search::Greedy, "greedy"},
                                                        {Search::AStar, "A*"},
                                                        {Search::WeightedAStar, "weighted A*"},
                                                        {Search::ContextBoundProcess, "process contexts"},
                                                        {Search::ContextBoundInterference, "interference contexts"}};
  constexpr size_t kSample = 8;
  std::vector<const heur::Entry*> general;
  for (const heur::Entry& entry : heur::table()) {
    if (!entry.sibling && entry.is_for(system)) general.push_back(&entry);
  }
  harrier::Rng rng(seed);
  const auto any = [&] { return std::string(general[rng.below(general.size())]->name); };
  for (const Search order : {Search::Greedy, Search::WeightedAStar}) {
    const std::string several = any() + ", " + (rng.below(2) == 0 ? "max(" : "sum(") + any() + ", " + any() + ")";
    CheckOptions& options = add(order, several, false)->options;
    options.heuristic = several;
    options.heuristic_clocks = rng.below(2) == 0;
    options.prefer = preferences_in(rng.below(8));
  }
  for (size_t i = 0; i < kSample; ++i) {
    const auto& [order, name] = kGuided[rng.below(std::size(kGuided))];
    const heur::Entry& entry = *general[rng.below(general.size())];
    const bool bounding = order == Search::ContextBoundProcess || order == Search::ContextBoundInterference;
    const uint64_t prefer = bounding ? 0 : rng.below(8);
    const bool clocks = rng.below(2) == 0;
    CheckOptions& options = add(order, std::string(name) + " " + entry.name, false)->options;
    options.heuristic = entry.name;
    options.heuristic_clocks = clocks;
    options.prefer = preferences_in(prefer);
    if ((prefer & 4) != 0 && (prefer & 2) == 0 && rng.below(2) == 0) options.queues = Queues::Alternating;
    options.context_clocks = rng.below(2) == 0;
    const bool may_wait = order == Search::Greedy || order == Search::WeightedAStar;
    options.lazy = may_wait && (prefer & 3) == 0 && rng.below(2) == 0;
    if (options.lazy) out.back().name += " lazy";
    out.back().name += std::string(clocks ? " clocks" : "") + (prefer & 1 ? " useless" : "") +
                       (prefer & 2 ? " contexts" : "") + (prefer & 4 ? " preferred" : "");
  }
  add_walks(seed, out);
  return out;
}

// A few that differ in what they do with states.
std::vector<NamedSearch> few_searches(uint64_t seed, const model::System& system) {
  std::vector<NamedSearch> out;
  const auto add = [&](Search order, const std::string& name, bool shortest) {
    CheckOptions options;
    options.search = order;
    options.seed = seed;
    out.push_back({options, name, shortest});
    return &out.back().options;
  };
  add(Search::BreadthFirst, "breadth-first", true);
  add(Search::DepthFirst, "depth-first", false);
  add(Search::RandomDepthFirst, "random depth-first", false);
  add(Search::AStar, "A* hL", true)->heuristic = "hL";
  add(Search::Greedy, "greedy hcea", false)->heuristic = system.has_choices() ? "hU" : "hcea";
  if (system.clocks.size() <= 1) add(Search::DepthFirst, "reduced", false)->reduction = true;
  return out;
}

std::vector<NamedSearch> searches(uint64_t seed, const model::System& system, Scope scope) {
  return scope == Scope::Databases ? database_searches(seed, system) : searches(seed, system);
}

void check_witness(const std::string& stage, const std::string& query, const model::System& system,
                   const model::Property& property, const search::Result& result, bool must_be_shortest,
                   uint32_t shortest) {
  if (!result.path) throw Disagreement{stage + " witness", query + ": no path"};
  const size_t length = result.path->steps.size();
  const bool too_long = must_be_shortest && length != shortest;
  if (length < shortest || too_long) {
    throw Disagreement{stage + " length", query + ": a path of " + std::to_string(length) +
                                              " steps, the shortest has " + std::to_string(shortest)};
  }
  const trace::Trace trace = trace::build_trace(system, property, *result.path);
  const trace::ValidationReport report = trace::validate(system, property, trace);
  if (!report.valid) throw Disagreement{stage + " validation", query + ": " + report.text()};
}

void check_failure(const std::string& stage, const std::string& query, const model::System& system,
                   const model::Property& property, const search::Result& result) {
  if (!result.path) throw Disagreement{stage + " failure", query + ": no path to it"};
  if (trace::failure_trace(system, property, *result.path)) return;
  throw Disagreement{stage + " failure",
                     query + ": no valid trace to " + model::to_error(system, *result.failure).what()};
}

// Polishing the witness leaves one that is valid, not longer, and shortest if it says so.
void check_polish(const std::string& query, const model::System& system, const model::Property& property,
                  search::Result result, uint32_t shortest) {
  const size_t length = result.path->steps.size();
  search::Polished polished =
      search::polish(step::Semantics(system, property), *result.path, CheckOptions(), kPolishingEffort);
  if (polished.path.steps.size() > length) {
    throw Disagreement{"polish", query + ": " + std::to_string(length) + " steps became " +
                                     std::to_string(polished.path.steps.size())};
  }
  result.path = std::move(polished.path);
  check_witness("polish", query, system, property, result, polished.shortest, shortest);
}

// A query that fails in some state: no search may miss that, unless it finds a goal first.
void check_failing_query(const std::string& query, const model::System& system, const model::Property& property,
                         const NamedSearch& named) {
  try {
    const search::Result result = named.run(system, property);
    if (result.verdict == Verdict::Failed) return check_failure(named.name, query, system, property, result);
    if (result.verdict == Verdict::Reachable) {
      return check_witness(named.name, query, system, property, result, false, 0);
    }
    if (named.may_miss() && result.verdict == Verdict::Unknown) return;
    throw Disagreement{named.name, query + ": fails in some state, and the search does not say so"};
  } catch (const std::exception& e) {
    throw Disagreement{named.name + " exception", query + ": " + e.what()};
  }
}

void check_search(const std::string& query, const model::System& system, const model::Property& property,
                  const NamedSearch& named, const std::optional<uint32_t>& expected) {
  const std::string& stage = named.name;
  try {
    const search::Result result = named.run(system, property);
    const bool reachable = result.verdict == Verdict::Reachable;
    if (named.may_miss() && result.verdict == Verdict::Unknown) return;
    if (named.proves_nothing() && result.verdict == Verdict::Unreachable) {
      throw Disagreement{stage, query + ": unreachable, says a search that cannot know"};
    }
    if (named.proves_nothing() && result.verdict == Verdict::Unknown && !expected) return;
    if (result.verdict == Verdict::Unknown || reachable != expected.has_value()) {
      const std::string found = reachable                                ? "reachable"
                                : result.verdict == Verdict::Unreachable ? "unreachable"
                                                                         : "unknown: " + result.reason;
      throw Disagreement{stage, query + ": expected " + length_text(expected) + ", found " + found};
    }
    if (!reachable) return;
    check_witness(stage, query, system, property, result, named.shortest || result.shortest, *expected);
    if (named.options.search == Search::RandomDepthFirst) check_polish(query, system, property, result, *expected);
  } catch (const std::exception& e) {
    throw Disagreement{stage + " exception", query + ": " + e.what()};
  }
}

// Also where it ends at a depth.
void check_threads(const std::string& query, const model::System& system, const model::Property& property,
                   uint64_t seed) {
  try {
    const auto depth = seed % 4 == 0 ? std::optional<uint64_t>(seed / 4 % 8) : std::nullopt;
    if (const auto wrong = compare_threads(system, property, depth))
      throw Disagreement{"threads", query + ": " + *wrong};
  } catch (const std::exception& e) {
    throw Disagreement{"threads exception", query + ": " + e.what()};
  }
}

// A compiler takes longer than all searches of a small model: of some only.
bool is_compiled(uint64_t seed) { return seed % 32 == 0; }

void check_native(const std::string& query, const model::System& system, const model::Property& property,
                  uint64_t seed) {
  try {
    if (const auto wrong = compare_native_searches(system, property, seed)) {
      throw Disagreement{"native code", query + ": " + *wrong};
    }
  } catch (const std::exception& e) {
    throw Disagreement{"native code exception", query + ": " + e.what()};
  }
}

// Switches as Wehrle (2011, §4.4.1) defines them, by the last transition and nothing cleverer.
class PlainSwitches : public SwitchRule {
 public:
  PlainSwitches(const model::System& system, const model::Property& property, bool by_process)
      : system_(system), by_process_(by_process), contexts_(system, property.goal, CheckOptions().context_clocks) {}

  uint32_t context(std::span<const uint32_t> edges) override {
    const std::vector<uint32_t> key(edges.begin(), edges.end());
    const auto [at, fresh] = numbers_.emplace(key, static_cast<uint32_t>(moves_.size()) + 1);
    if (fresh) moves_.push_back(key);
    return at->second;
  }
  bool is_switch(uint32_t before, uint32_t after) override {
    const std::vector<uint32_t>& a = moves_[before - 1];
    const std::vector<uint32_t>& b = moves_[after - 1];
    if (!by_process_) return contexts_.distance(contexts_.find(a), contexts_.find(b)) > 2;
    for (const uint32_t x : a) {
      for (const uint32_t y : b) {
        if (system_.edges[x].process == system_.edges[y].process) return false;
      }
    }
    return true;
  }
  uint32_t on(const model::Path& path) {
    uint32_t count = 0;
    uint32_t before = 0;
    for (const model::PathStep& step : path.steps) {
      std::vector<uint32_t> edges;
      for (const model::EdgeId e : step.edges) edges.push_back(e.value);
      const uint32_t after = context(edges);
      count += before != 0 && is_switch(before, after);
      before = after;
    }
    return count;
  }

 private:
  const model::System& system_;
  bool by_process_;
  search::Contexts contexts_;
  std::map<std::vector<uint32_t>, uint32_t> numbers_;
  std::vector<std::vector<uint32_t>> moves_;
};

// Context bounding promises the fewest context switches.
void check_switches(const TaModel& model, const model::System& system, const std::vector<model::Property>& properties,
                    uint64_t seed) {
  harrier::Rng rng(seed);
  for (size_t q = 0; q < properties.size(); ++q) {
    const std::string query = to_query(model, model.queries[q]);
    const std::vector<model::Property> alone{properties[q]};
    for (const Search search : {Search::ContextBoundProcess, Search::ContextBoundInterference}) {
      PlainSwitches rule(system, properties[q], search == Search::ContextBoundProcess);
      const auto network = make_network(system, alone);
      const Exploration fewest = count_switches(*network, kMaxStates, rule);
      if (!fewest.complete || !fewest.shortest[0] || fewest.fails[0]) continue;
      CheckOptions options;
      options.search = search;
      options.within = static_cast<Order>(rng.below(3));
      const search::Result result = search::run(system, properties[q], options);
      const std::string stage = "context bounding " + std::to_string(static_cast<int>(search)) + " within " +
                                std::to_string(static_cast<int>(options.within));
      check_witness(stage, query, system, properties[q], result, false, 0);
      if (const uint32_t found = rule.on(*result.path); found != *fewest.shortest[0]) {
        throw Disagreement{stage, query + ": " + std::to_string(found) + " context switches, " +
                                      std::to_string(*fewest.shortest[0]) + " are enough"};
      }
    }
  }
}

// A model that fails somewhere: a search may find a goal first, or never ask for what fails, but what it shows is
// valid.
void check_failing(const TaModel& model, uint64_t seed, Scope scope) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(to_xta(model), "random.xta", diagnostics);
  const auto properties = uppaal::parse_queries(loaded, queries_text(model), "random.q", diagnostics);
  if (diagnostics.has_errors()) return;  // it may fail while it is read
  const model::System& system = *loaded.system;
  for (size_t q = 0; q < properties.size(); ++q) {
    const std::string query = to_query(model, model.queries[q]);
    if (scope == Scope::Everything) check_threads(query, system, properties[q], seed + q);
    if (scope == Scope::Everything && is_compiled(seed + q)) check_native(query, system, properties[q], seed + q);
    for (const NamedSearch& named : searches(seed + q, system, scope)) {
      try {
        const search::Result result = named.run(system, properties[q]);
        if (result.verdict == Verdict::Failed) {
          check_failure(named.name, query, system, properties[q], result);
        } else if (result.verdict == Verdict::Reachable) {
          check_witness(named.name, query, system, properties[q], result, false, 0);
        }
      } catch (const std::exception& e) {
        throw Disagreement{named.name + " exception", query + ": " + e.what()};
      }
    }
  }
}

// Everything but searches for goal states.
void check_rest(const TaModel& model, Network& network, uppaal::Loaded& loaded,
                const std::vector<model::Property>& properties, uint64_t seed) {
  if (const auto difference = compare_evaluators(*loaded.system, seed)) throw Disagreement{"evaluators", *difference};
  check_switches(model, *loaded.system, properties, seed);
  if (const auto wrong = compare_path_queries(model, network, loaded, seed)) {
    throw Disagreement{wrong->first, wrong->second};
  }
}

void count(const Exploration& expected, Outcome& outcome) {
  for (const auto& length : expected.shortest) {
    ++outcome.queries;
    outcome.reachable += length.has_value();
  }
  outcome.failing = static_cast<size_t>(std::count(expected.fails.begin(), expected.fails.end(), true));
}

// Every query by all searches.
void check_queries(const TaModel& model, const model::System& system, const std::vector<model::Property>& properties,
                   const Exploration& expected, uint64_t seed, Scope scope) {
  const bool timed = system.clocks.size() > 1;
  for (size_t q = 0; q < properties.size(); ++q) {
    const std::string query = to_query(model, model.queries[q]);
    if (scope == Scope::Databases && !timed && !expected.fails[q]) {
      const auto wrong = wrong_estimate(system, properties[q], found_before(seed + q, system));
      if (wrong) throw Disagreement{"estimate", query + ": " + *wrong};
    }
    if (scope != Scope::Databases && !expected.fails[q]) {
      if (const auto wrong = compare_costs(system, properties[q], seed + q)) {
        throw Disagreement{wrong->first, query + ": " + wrong->second};
      }
    }
    if (scope == Scope::Costs) continue;
    if (scope == Scope::Everything) check_threads(query, system, properties[q], seed + q);
    if (scope == Scope::Everything && is_compiled(seed + q)) check_native(query, system, properties[q], seed + q);
    for (const NamedSearch& named : searches(seed + q, system, scope)) {
      if (expected.fails[q]) {
        check_failing_query(query, system, properties[q], named);
      } else {
        check_search(query, system, properties[q], named, expected.shortest[q]);
      }
    }
  }
}

// The same with derived variables. That the model is read as it was meant is known of others.
void check_derived(const TaModel& model, uint64_t seed, Scope scope, Outcome& outcome) {
  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(to_xta(model), "random.xta", diagnostics);
  auto properties = uppaal::parse_queries(loaded, queries_text(model), "random.q", diagnostics);
  if (diagnostics.has_errors() || properties.size() != model.queries.size()) {
    throw Disagreement{"rejected", diagnostics_text(*loaded.system, diagnostics)};
  }
  model::System system = *loaded.system;
  add_derived(system, properties, seed);
  const auto network = make_network(system, properties);
  const Exploration expected = explore(*network, TimeDomain::Dense, kMaxStates);
  if (!expected.complete) {
    outcome = {.kind = Outcome::Kind::Skipped, .problem = "too many states"};
    return;
  }
  count(expected, outcome);
  check_queries(model, system, properties, expected, seed, scope);
  if (scope == Scope::Everything) check_switches(model, system, properties, seed);
}

void check_all(const TaModel& model, const Profile& profile, uint64_t seed, Scope scope, Outcome& outcome) {
  const auto network = make_network(model);
  const Exploration expected = explore(*network, TimeDomain::Dense, kMaxStates);
  if (!expected.complete) {
    outcome = {.kind = Outcome::Kind::Skipped, .problem = "too many states"};
    return;
  }
  count(expected, outcome);
  if (scope == Scope::Everything && integer_time_is_exact(*network, model, profile)) {
    const Exploration integer = explore(*network, TimeDomain::Integer, kMaxStates);
    if (integer.complete) compare("reference explorer, integer against dense time", model, expected, integer);
  }

  Diagnostics diagnostics;
  uppaal::Loaded loaded = uppaal::load(to_xta(model), "random.xta", diagnostics);
  if (diagnostics.has_errors()) throw Disagreement{"model rejected", diagnostics_text(*loaded.system, diagnostics)};
  const auto properties = uppaal::parse_queries(loaded, queries_text(model), "random.q", diagnostics);
  if (diagnostics.has_errors() || properties.size() != model.queries.size()) {
    throw Disagreement{"queries rejected", diagnostics_text(*loaded.system, diagnostics)};
  }
  const model::System& system = *loaded.system;

  const auto lowered = make_network(system, properties);
  const Exploration understood = explore(*lowered, TimeDomain::Dense, 4 * kMaxStates);
  if (understood.complete) compare("front end (its model means something else)", model, expected, understood);

  check_queries(model, system, properties, expected, seed, scope);
  if (scope == Scope::Everything) check_rest(model, *network, loaded, properties, seed);
}

// A model as the front end reads it.
struct Reread {
  uppaal::Loaded loaded;
  model::System system;
  std::vector<model::Property> properties;
};

// None: it may fail while it is read.
std::optional<Reread> reread(const TaModel& model, const Profile& profile, uint64_t seed) {
  Diagnostics diagnostics;
  Reread out{uppaal::load(to_xta(model), "random.xta", diagnostics), {}, {}};
  out.properties = uppaal::parse_queries(out.loaded, queries_text(model), "random.q", diagnostics);
  if (diagnostics.has_errors()) return std::nullopt;
  out.system = *out.loaded.system;
  if (profile.derived) add_derived(out.system, out.properties, seed);
  return out;
}

// Breadth-first search on the model as it was written is the reference, so that this is fast.
void check_simplified(const TaModel& model, const Profile& profile, uint64_t seed, Outcome& outcome) {
  const std::optional<Reread> read = reread(model, profile, seed);
  if (!read) return;
  const model::System& system = read->system;
  const std::vector<model::Property>& properties = read->properties;
  for (size_t q = 0; q < properties.size(); ++q) {
    const std::string query = to_query(model, model.queries[q]);
    NamedSearch as_written{{}, "breadth-first as written", true};
    as_written.options.search = Search::BreadthFirst;
    as_written.options.simplify = false;
    as_written.options.memory_limit_bytes = resident_bytes() + kMostBytes;
    const search::Result expected = as_written.run(system, properties[q]);
    if (expected.verdict == Verdict::Unknown) continue;
    ++outcome.queries;
    outcome.reachable += expected.verdict == Verdict::Reachable;
    outcome.failing += expected.verdict == Verdict::Failed;
    // Where the goal is reached, the model or the query may fail elsewhere.
    const auto fails = [&](const model::Clause& clause) { return model::can_fail(system, clause); };
    const bool failing =
        expected.verdict != Verdict::Unreachable &&
        (model::can_stop(system) || std::any_of(properties[q].goal.begin(), properties[q].goal.end(), fails));
    for (const NamedSearch& named : few_searches(seed + q, system)) {
      if (failing) {
        check_failing_query(query, system, properties[q], named);
      } else {
        std::optional<uint32_t> length;
        if (expected.path) length = static_cast<uint32_t>(expected.path->steps.size());
        check_search(query, system, properties[q], named, length);
      }
    }
    if (expected.verdict != Verdict::Unreachable) continue;
    // Bisimilar states become one, and none become two.
    as_written.options.simplify = true;
    const uint64_t stored = as_written.run(system, properties[q]).statistics.stored;
    if (stored > expected.statistics.stored) {
      throw Disagreement{"states", query + ": " + std::to_string(stored) + " instead of " +
                                       std::to_string(expected.statistics.stored)};
    }
  }
}

// Every query once with the bytecode and once with native code.
void check_natively(const TaModel& model, const Profile& profile, uint64_t seed, Outcome& outcome) {
  const std::optional<Reread> read = reread(model, profile, seed);
  if (!read) return;
  const model::System& system = read->system;
  const std::vector<model::Property>& properties = read->properties;
  for (size_t q = 0; q < properties.size(); ++q) {
    ++outcome.queries;
    check_native(to_query(model, model.queries[q]), system, properties[q], seed + q);
  }
}

}  // namespace

Outcome check(const TaModel& model, const Profile& profile, uint64_t seed, Scope scope) {
  Outcome outcome;
  try {
    if (scope == Scope::Simplified) {
      check_simplified(model, profile, seed, outcome);
    } else if (scope == Scope::Native) {
      check_natively(model, profile, seed, outcome);
    } else if (profile.derived) {
      check_derived(model, seed, scope, outcome);
    } else {
      check_all(model, profile, seed, scope, outcome);
    }
  } catch (const NetRuntimeError& e) {
    outcome = {.kind = Outcome::Kind::Skipped, .problem = e.what()};
    try {
      check_failing(model, seed, scope);
    } catch (const Disagreement& d) {
      outcome = {.kind = Outcome::Kind::Disagreed, .stage = d.stage, .problem = d.problem};
    }
  } catch (const Disagreement& d) {
    outcome = {.kind = Outcome::Kind::Disagreed, .stage = d.stage, .problem = d.problem};
  } catch (const std::exception& e) {
    outcome = {.kind = Outcome::Kind::Disagreed, .stage = "exception", .problem = e.what()};
  }
  return outcome;
}

std::string queries_text(const TaModel& model) {
  std::string s;
  for (const TaQuery& query : model.queries) s += to_query(model, query) + "\n";
  return s;
}

}  // namespace harrier::testing_support
