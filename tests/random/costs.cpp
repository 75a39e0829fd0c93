#include "random/costs.h"

#include <exception>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "heur/table.h"
#include "model/cost.h"
#include "model/interpreter.h"
#include "random/estimates.h"
#include "support/options.h"
#include "support/state_graph.h"
#include "trace/trace.h"
#include "trace/validator.h"

namespace harrier::testing_support {

namespace {

constexpr size_t kMostStates = 4000;

using Problem = std::pair<std::string, std::string>;

struct Run {
  CheckOptions options;
  std::string name;
  bool cheapest = false;  // its paths must be cheapest ones
};

std::vector<const heur::Entry*> usable(const model::System& system) {
  std::vector<const heur::Entry*> out;
  for (const heur::Entry& entry : heur::table()) {
    if (!entry.sibling && entry.is_for(system)) out.push_back(&entry);
  }
  return out;
}

std::vector<Run> runs(const model::System& system, harrier::Rng& rng, CostType costs) {
  const bool timed = system.clocks.size() > 1;
  std::vector<Run> out;
  const auto add = [&](Search search, const std::string& name, bool cheapest) {
    CheckOptions options;
    options.search = search;
    options.cost = costs;
    out.push_back({options, name + (costs == CostType::Real ? " real" : " plus-one"), cheapest});
    return &out.back().options;
  };
  for (const heur::Entry* entry : usable(system)) {
    if (!entry->costs || !entry->admissible) continue;
    CheckOptions* options = add(Search::AStar, std::string("A* ") + entry->name, true);
    options->heuristic = entry->name;
    options->heuristic_clocks = timed && entry->clocks && rng.below(2) == 0;
  }
  add(Search::Anytime, "anytime", true);
  add(Search::Anytime, "anytime lazy", true)->lazy = true;
  const auto all = usable(system);
  for (const Search search : {Search::Greedy, Search::WeightedAStar, Search::Greedy, Search::WeightedAStar}) {
    const heur::Entry& one = *all[rng.below(all.size())];
    const heur::Entry& other = *all[rng.below(all.size())];
    const bool lazy = rng.below(2) == 0;
    const bool two = rng.below(2) == 0;
    CheckOptions* options = add(search,
                                std::string(search == Search::Greedy ? "greedy " : "wA* ") + one.name +
                                    (two ? std::string(", ") + other.name : "") + (lazy ? " lazy" : ""),
                                false);
    options->heuristic = two ? std::string(one.name) + ", " + other.name : one.name;
    options->weight = static_cast<uint32_t>(2 + rng.below(4));
    options->lazy = lazy;
    options->prefer = preferences_in(lazy ? 4 * rng.below(2) : rng.below(8));
  }
  return out;
}

std::optional<Problem> wrong_run(const Run& run, const model::System& system, const model::Property& property,
                                 CostType costs, std::optional<std::optional<uint64_t>>& expected) {
  const auto problem = [&](const std::string& text) { return Problem{run.name, text}; };
  const search::Result result = search::run(system, property, run.options);
  const bool reachable = result.verdict == Verdict::Reachable;
  if (!reachable && result.verdict != Verdict::Unreachable) return problem("no answer: " + result.reason);
  const std::optional<uint64_t> found =
      reachable ? std::optional(model::cost_of(system, *result.path, costs)) : std::nullopt;
  if (!expected && run.cheapest) expected = found;
  if (!expected) return std::nullopt;
  if (reachable != expected->has_value()) return problem(reachable ? "reachable" : "not reachable");
  if (!reachable) return std::nullopt;
  if (*found < **expected || (*found > **expected && (run.cheapest || result.cheapest))) {
    return problem("a path that costs " + std::to_string(*found) + ", and a cheapest one " +
                   std::to_string(**expected));
  }
  if (run.cheapest && !result.cheapest) return problem("it does not say that its path is a cheapest one");
  if (result.shortest) return problem("it says that its path is a shortest one");
  const trace::ValidationReport report =
      trace::validate(system, property, trace::build_trace(system, property, *result.path));
  if (!report.valid) return problem(report.text());
  return std::nullopt;
}

std::optional<Problem> wrong_by(const model::System& system, const model::Property& property, CostType costs,
                                harrier::Rng& rng) {
  const bool timed = system.clocks.size() > 1;
  std::optional<std::optional<uint64_t>> expected;  // none: not known yet
  if (!timed) {
    const auto graph = StateGraph::explore(system, property, kMostStates, costs);
    if (!graph || graph->states.empty()) return std::nullopt;
    const uint32_t distance = graph->distance[0];
    expected = distance == heur::kDeadEnd ? std::nullopt : std::optional<uint64_t>(distance);
    std::vector<std::string> heuristics;
    for (const heur::Entry* entry : usable(system)) {
      if (entry->costs) heuristics.emplace_back(entry->name);
    }
    if (const auto wrong = wrong_estimate(system, property, heuristics, costs)) return Problem{"estimate", *wrong};
  }
  for (const Run& run : runs(system, rng, costs)) {
    try {
      if (auto wrong = wrong_run(run, system, property, costs, expected)) return wrong;
    } catch (const std::exception& e) {
      return Problem{run.name + " exception", e.what()};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<Problem> compare_costs(const model::System& original, const model::Property& property, uint64_t seed) {
  constexpr uint32_t kCosts[] = {0, 0, 1, 1, 2, 3, 5, 10, 1000, 70'000};
  harrier::Rng rng(seed);
  model::System system = original;
  for (model::Edge& edge : system.edges) edge.cost = kCosts[rng.below(std::size(kCosts))];
  for (const CostType costs : {CostType::Real, CostType::PlusOne}) {
    if (auto wrong = wrong_by(system, property, costs, rng)) return Problem{"costs: " + wrong->first, wrong->second};
  }
  return std::nullopt;
}

}  // namespace harrier::testing_support
