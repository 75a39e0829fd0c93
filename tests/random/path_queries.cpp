#include "random/path_queries.h"

#include <algorithm>
#include <exception>
#include <vector>

#include "base/rng.h"
#include "random/explorer.h"
#include "search/zone_liveness.h"
#include "support/options.h"
#include "trace/failure.h"
#include "trace/json.h"
#include "trace/lasso.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

namespace {

constexpr size_t kMaxStates = 30'000;
constexpr int32_t kMore = 7;  // by so much beyond the largest constant are values of clocks compared

struct Disagreement {
  std::string stage;
  std::string problem;
};

// The states from which a maximal path leads through states of the set only: infinite, or ending where nothing more can
// happen, or where time passes for ever.
std::vector<bool> can_stay(const RegionGraph& graph, const std::vector<bool>& set) {
  std::vector<bool> stays = set;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = graph.states.size(); i-- > 0;) {
      if (!stays[i]) continue;
      const RegionGraph::State& s = graph.states[i];
      const bool ends = s.endless || (!s.later && s.next.empty());
      const bool goes_on = (s.later && stays[*s.later]) ||
                           std::any_of(s.next.begin(), s.next.end(), [&](uint32_t n) { return stays[n]; });
      if (ends || goes_on) continue;
      stays[i] = false;
      changed = true;
    }
  }
  return stays;
}

std::vector<bool> where(const RegionGraph& graph, size_t query, bool value) {
  std::vector<bool> out;
  for (const RegionGraph::State& s : graph.states) out.push_back(!s.fails[query] && s.holds[query] == value);
  return out;
}

// Whether the query fails where a path leads that starts in one of these states and stays in the set before.
bool fails_on_the_way(const RegionGraph& graph, size_t query, std::vector<uint32_t> open,
                      const std::vector<bool>& set) {
  std::vector<bool> seen(graph.states.size(), false);
  while (!open.empty()) {
    const uint32_t i = open.back();
    open.pop_back();
    if (seen[i]) continue;
    seen[i] = true;
    const RegionGraph::State& s = graph.states[i];
    if (s.fails[query]) return true;
    if (!set[i]) continue;
    if (s.later) open.push_back(*s.later);
    open.insert(open.end(), s.next.begin(), s.next.end());
  }
  return false;
}

bool fails_somewhere(const RegionGraph& graph, size_t query) {
  return std::any_of(graph.states.begin(), graph.states.end(), [&](const auto& s) { return s.fails[query]; });
}

std::string formula(const TaModel& model, size_t query) {
  TaQuery plain = model.queries[query];
  plain.as_invariant = false;
  return "(" + to_query(model, plain).substr(4) + ")";
}

model::Property parse(uppaal::Loaded& loaded, const std::string& text) {
  Diagnostics diagnostics;
  std::vector<model::Property> parsed = uppaal::parse_queries(loaded, text, "random.q", diagnostics);
  if (diagnostics.has_errors() || parsed.size() != 1) throw Disagreement{"path query rejected", text};
  return parsed.front();
}

void check_failure(const std::string& stage, const std::string& text, const model::System& system,
                   const model::Property& property, const search::Result& result) {
  if (result.path && trace::failure_trace(system, property, *result.path)) return;
  throw Disagreement{stage + " failure", text + ": no valid trace to it"};
}

// With a failure on the way, a search may find a path before; it must not say that there is none. `remark` must be
// among the warnings of a proof iff it is to be expected.
void check_paths(const std::string& text, uppaal::Loaded& loaded, bool path_exists, bool fails,
                 const std::string& remark, bool remark_expected) {
  const model::System& system = *loaded.system;
  const model::Property property = parse(loaded, text);
  const std::string stage = "paths " + std::string(trace::kind_name(property.kind));
  const search::Result result = search::run(system, property, CheckOptions());
  const bool found = result.verdict == Verdict::Reachable;
  if (fails && result.verdict == Verdict::Failed) return check_failure(stage, text, system, property, result);
  const bool wrong = fails ? !found : result.verdict == Verdict::Failed || found != path_exists;
  if (result.verdict == Verdict::Unknown || wrong) {
    throw Disagreement{stage, text + ": expected " +
                                  (fails         ? "a failure"
                                   : path_exists ? "a path"
                                                 : "no path") +
                                  ", found " +
                                  (found                               ? "a path"
                                   : result.verdict == Verdict::Failed ? "a failure"
                                                                       : "none")};
  }
  if (!found) {
    const bool remarked = std::count(result.warnings.begin(), result.warnings.end(), remark) != 0;
    if (remarked != remark_expected) throw Disagreement{stage + " remark", text + ": '" + remark + "'"};
    return;
  }
  const auto unroll = [&](size_t rounds, size_t beyond_at, const std::vector<model::ClockAtom>& beyond) {
    return search::unroll(system, property, *result.path, rounds, beyond_at, beyond);
  };
  try {
    const std::optional<trace::Trace> built = result.path->loop_start
                                                  ? trace::build_lasso(system, property, *result.path, unroll)
                                                  : trace::build_trace(system, property, *result.path);
    if (!built) throw Disagreement{stage + " lasso", text + ": the cycle does not come back"};
    const trace::Trace& trace = *built;
    const trace::ValidationReport report = trace::validate(system, property, trace);
    if (!report.valid) throw Disagreement{stage + " validation", text + ": " + report.text()};
    if (trace::from_json(system, trace::to_json(system, trace)) != trace) {
      throw Disagreement{stage + " JSON", text + ": the trace does not survive"};
    }
  } catch (const std::exception& e) {
    throw Disagreement{stage + " witness", text + ": " + e.what()};
  }
}

std::string show(const std::optional<Extremum>& e) {
  if (!e) return "nothing";
  return e->infinite ? "infinity" : std::to_string(e->value) + (e->strict ? " strict" : "");
}

void check_failing_values(const std::string& query, const std::string& term, uppaal::Loaded& loaded) {
  for (const std::string kind : {"sup", "inf", "bounds"}) {
    const std::string text = kind + "{" + query + "}: " + term;
    const model::Property property = parse(loaded, text);
    const search::Result result = search::run(*loaded.system, property, CheckOptions());
    if (result.verdict != Verdict::Failed) throw Disagreement{"values", text + ": the query fails in some state"};
    check_failure("values", text, *loaded.system, property, result);
  }
}

TermValues ask(const std::string& text, uppaal::Loaded& loaded, bool any) {
  const search::Result result = search::run(*loaded.system, parse(loaded, text), CheckOptions());
  if (result.verdict != Verdict::Computed || result.values.size() != 1) throw Disagreement{"values", text + ": none"};
  const bool none = std::any_of(result.warnings.begin(), result.warnings.end(), [](const std::string& warning) {
    return warning == "no state satisfies the condition" || warning.ends_with("the model has no run");
  });
  if (any == none) throw Disagreement{"values remark", text};
  return result.values.front();
}

void check_values(const std::string& query, const std::string& term, uppaal::Loaded& loaded,
                  const std::optional<Extremum>& inf, const std::optional<Extremum>& sup, int32_t largest) {
  const std::string rest = "{" + query + "}: " + term;
  const std::optional<Extremum> top = ask("sup" + rest, loaded, sup.has_value()).sup;
  const std::optional<Extremum> bottom = ask("inf" + rest, loaded, inf.has_value()).inf;
  const TermValues both = ask("bounds" + rest, loaded, sup.has_value());
  if (both.inf != bottom || both.sup != top) {
    throw Disagreement{"bounds", rest + ": " + show(both.inf) + " and " + show(both.sup) + " instead of " +
                                     show(bottom) + " and " + show(top)};
  }
  // Beyond the largest constant the reference knows only that a value is larger.
  const bool same_sup = sup && sup->infinite ? top && (top->infinite || top->value > largest) : top == sup;
  const bool same_inf = inf && inf->infinite ? bottom && !bottom->infinite && bottom->value >= largest : bottom == inf;
  if (same_sup && same_inf) return;
  throw Disagreement{"values", rest + ": expected " + show(inf) + " and " + show(sup) + ", found " + show(bottom) +
                                   " and " + show(top)};
}

// Infinite: beyond what is told apart.
void check_clock(const TaModel& model, const RegionGraph& graph, size_t query, size_t clock, uppaal::Loaded& loaded) {
  if (fails_somewhere(graph, query)) {
    return check_failing_values(formula(model, query), model.clocks[clock], loaded);
  }
  std::optional<Extremum> inf, sup;
  for (const RegionGraph::State& s : graph.states) {
    if (!s.holds[query]) continue;
    const RegionGraph::Clock& x = s.clocks[1 + clock];
    const bool beyond = x.whole > graph.largest || (x.whole == graph.largest && x.fraction);
    const Extremum top =
        beyond ? Extremum{true, 0, false} : Extremum{false, x.whole + (x.fraction ? 1 : 0), x.fraction};
    const Extremum bottom = beyond ? Extremum{true, 0, false} : Extremum{false, x.whole, x.fraction};
    const auto rank = [](const Extremum& e, bool upper) {
      return e.infinite ? INT64_MAX : 2 * e.value + (e.strict ? (upper ? -1 : 1) : 0);
    };
    if (!sup || rank(top, true) > rank(*sup, true)) sup = top;
    if (!inf || rank(bottom, false) < rank(*inf, false)) inf = bottom;
  }
  check_values(formula(model, query), model.clocks[clock], loaded, inf, sup, graph.largest);
}

void check_variable(const TaModel& model, const RegionGraph& graph, size_t query, size_t variable,
                    uppaal::Loaded& loaded) {
  if (fails_somewhere(graph, query)) {
    return check_failing_values(formula(model, query), model.variables[variable].name, loaded);
  }
  size_t at = 0;
  for (size_t i = 0; i < variable; ++i) at += std::max<size_t>(model.variables[i].size, 1);
  std::optional<Extremum> inf, sup;
  for (const RegionGraph::State& s : graph.states) {
    if (!s.holds[query]) continue;
    const Extremum value{false, s.values[at], false};
    if (!sup || value.value > sup->value) sup = value;
    if (!inf || value.value < inf->value) inf = value;
  }
  check_values(formula(model, query), model.variables[variable].name, loaded, inf, sup, 0);
}

void compare(const TaModel& model, Network& network, uppaal::Loaded& loaded, uint64_t seed) {
  harrier::Rng rng(seed);
  const size_t count = model.queries.size();
  if (const auto graph = region_graph(network, kMaxStates, 0)) {
    const bool starts = !graph->states.empty();
    for (size_t q = 0; q < count; ++q) {
      const std::string text = formula(model, q);
      const std::vector<bool> holds = where(*graph, q, true);
      const std::vector<bool> other = where(*graph, q, false);
      const std::vector<uint32_t> start(starts ? 1 : 0, 0);
      const std::string initial = "the formula does not hold in the initial state";
      check_paths("E[] " + text, loaded, starts && can_stay(*graph, holds)[0],
                  fails_on_the_way(*graph, q, start, holds), initial, starts && !graph->states[0].holds[q]);
      const std::vector<bool> avoid = can_stay(*graph, other);
      check_paths("A<> " + text, loaded, starts && avoid[0], fails_on_the_way(*graph, q, start, other), initial, false);
      const size_t p = rng.below(count);
      bool violated = false;
      std::vector<uint32_t> premises;
      for (uint32_t i = 0; i < graph->states.size(); ++i) {
        violated = violated || (graph->states[i].holds[p] && avoid[i]);
        if (graph->states[i].holds[p]) premises.push_back(i);
      }
      check_paths(formula(model, p) + " --> " + text, loaded, violated,
                  fails_somewhere(*graph, p) || fails_on_the_way(*graph, q, premises, other),
                  "the left side of --> never holds", starts && premises.empty());
    }
  }
  const auto graph = region_graph(network, kMaxStates, kMore);
  if (!graph) return;
  const size_t q = rng.below(count);
  if (!model.clocks.empty()) check_clock(model, *graph, q, rng.below(model.clocks.size()), loaded);
  std::vector<size_t> scalars;
  for (size_t i = 0; i < model.variables.size(); ++i) {
    if (model.variables[i].size == 0) scalars.push_back(i);
  }
  if (!scalars.empty()) check_variable(model, *graph, q, scalars[rng.below(scalars.size())], loaded);
}

}  // namespace

std::optional<std::pair<std::string, std::string>> compare_path_queries(const TaModel& model, Network& network,
                                                                        uppaal::Loaded& loaded, uint64_t seed) {
  try {
    compare(model, network, loaded, seed);
  } catch (const Disagreement& d) {
    return std::pair(d.stage, d.problem);
  } catch (const NetRuntimeError&) {
    return std::nullopt;
  } catch (const std::exception& e) {
    return std::pair(std::string("paths exception"), std::string(e.what()));
  }
  return std::nullopt;
}

}  // namespace harrier::testing_support
