#include "search/config.h"

#include <algorithm>

#include "base/error.h"
#include "heur/recipe.h"
#include "search/preference.h"

namespace harrier::search {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;

[[noreturn]] void wrong(const std::string& text) { throw Error(ErrorKind::Usage, text); }
[[noreturn]] void unsupported(const std::string& text) { throw Error(ErrorKind::Unsupported, "unsupported: " + text); }

bool is_probability(double p) { return p > 0 && p < 1; }

void check_preferences(const Preferences& prefer, bool guided) {
  for (const std::string& name : prefer.names) {
    if (get_preference(name).guided && !guided) {
      wrong("useless and preferred transitions need a guided search (greedy, astar, wastar, …)");
    }
  }
  if (prefer.queues != Queues::Boosted && (!prefer.has("preferred") || prefer.has("contexts"))) {
    wrong("alternating queues are for preferred transitions, with useless ones or alone");
  }
}

enum class Heuristics : uint8_t { One, Several };

void check_estimate(const Estimate& estimate, Heuristics allowed) {
  const std::vector<heur::Recipe> recipes = heur::recipes(estimate.heuristic);
  if (allowed == Heuristics::One && recipes.size() > 1) {
    wrong("several heuristics in turns are for greedy and wastar; max(…) and sum(…) make one of several");
  }
  const auto follows = [](const heur::Recipe& recipe) { return recipe.sibling(); };
  if (estimate.sibling && std::none_of(recipes.begin(), recipes.end(), follows)) {
    wrong("the path of a smaller sibling guides a search with the heuristic h0 or h1, or auto");
  }
}

void check_walks(const RandomWalks& walks, const model::Property& property) {
  constexpr uint32_t kMostThreads = 1024;
  if (walks.threads == 0 || walks.threads > kMostThreads) {
    wrong("from 1 to " + std::to_string(kMostThreads) + " threads can walk");
  }
  if (walks.delta.has_value() != walks.epsilon.has_value())
    wrong("delta and epsilon together tell the number of walks");
  if (walks.delta && (!is_probability(*walks.delta) || !is_probability(*walks.epsilon))) {
    wrong("delta and epsilon are probabilities between 0 and 1");
  }
  if (walks.restart == RandomWalks::Restart::Best && !walks.estimate) {
    wrong("only guided walks know the best state: give a heuristic");
  }
  // Also if they are no numbers.
  if (!(walks.temperature > 0)) wrong("the temperature must be positive");
  if (walks.saturation && !(*walks.saturation >= 0 && *walks.saturation <= 1)) {
    wrong("the saturation is a share between 0 and 1");
  }
  if (walks.estimate && walks.estimate->cache_entries != 0) wrong("random walks have no cache of estimates");
  if (property.kind == model::PropertyKind::Liveness && property.fair) unsupported("fairness with random walks");
}

// What a method can do by itself.
void check_method(const Config& config, const model::Property& property) {
  std::visit(
      Overloaded{[](const AutoSearch&) {}, [](const BreadthFirstSearch& s) { check_preferences(s.prefer, false); },
                 [](const DepthFirstSearch& s) { check_preferences(s.prefer, false); },
                 [](const BestFirstSearch& s) {
                   check_preferences(s.prefer, true);
                   check_estimate(s.estimate, s.optimal() ? Heuristics::One : Heuristics::Several);
                 },
                 [&](const ContextBoundSearch& s) {
                   if (config.depth_limit) wrong("context bounding counts context switches, not steps: no depth");
                   if (s.within == ContextBoundSearch::Order::BestFirst) check_estimate(s.estimate, Heuristics::One);
                 },
                 [&](const RandomWalks& s) {
                   if (config.depth_limit) wrong("random walks have no common depth: their own limits them");
                   if (s.estimate) check_estimate(*s.estimate, Heuristics::One);
                   check_walks(s, property);
                 },
                 [](const AnytimeSearch&) {}},
      config.method);
}

void check_reduction(const Config& config, const model::System& system) {
  if (!config.reduction) return;
  const auto* best = config.as<BestFirstSearch>();
  const bool suits = config.as<BreadthFirstSearch>() || config.as<DepthFirstSearch>() || (best && best->greedy());
  if (!suits || config.prefer().has("contexts")) {
    wrong("partial-order reduction is for bfs, dfs, rdfs and greedy, without contexts");
  }
  if (system.clocks.size() > 1 || system.claim.valid()) {
    wrong("partial-order reduction is for models without clocks and claims");
  }
}

// E[], A<> and --> are answered by a depth-first search, sup, inf and bounds by a breadth-first one.
void check_own_search(const Config& config, const model::Property& property) {
  const bool values = model::asks_for_values(property);
  const auto refuse = [&](const std::string& option) {
    unsupported(option + " with '" + property.text + "': " + (values ? "sup, inf and bounds" : "E[], A<> and -->") +
                " have a search of their own");
  };
  const auto* dfs = config.as<DepthFirstSearch>();
  const bool suits =
      config.as<AutoSearch>() || (values ? config.as<BreadthFirstSearch>() != nullptr : dfs != nullptr && !dfs->seed);
  if (!suits) refuse(values ? "a search other than bfs and auto" : "a search other than dfs and auto");
  const Estimate* estimate = config.estimate();
  if (estimate != nullptr && (!estimate->heuristic.empty() || estimate->clocks)) refuse("a heuristic");
  if (!config.prefer().names.empty()) refuse("preferred transitions");
  if (config.safe_abstraction) refuse("safe abstraction");
  if (config.reduction) refuse("partial-order reduction");
  if (estimate != nullptr && estimate->sibling) refuse("the path of a smaller sibling");
  if (estimate != nullptr && estimate->cache_entries != 0) refuse("a cache of estimates");
  if (config.polish == true) refuse("polishing");
  if (values && config.depth_limit) refuse("a depth limit");
}

// For cycles there are two searches.
void check_liveness(const Config& config) {
  const auto* dfs = config.as<DepthFirstSearch>();
  const bool suits = config.as<AutoSearch>() || (dfs != nullptr && !dfs->seed) || config.as<RandomWalks>();
  if (!suits || config.safe_abstraction || !config.prefer().names.empty()) {
    unsupported("this property is about infinite paths, which only dfs and walk look for");
  }
}

std::string words_of(const Preferences& prefer) {
  std::string out;
  for (const std::string& name : prefer.names) out += " " + name;
  return prefer.queues == Queues::Alternating ? out + " alternating" : out;
}

}  // namespace

bool Preferences::has(std::string_view name) const {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Estimate* Config::estimate() const {
  if (const auto* s = as<BestFirstSearch>()) return &s->estimate;
  if (const auto* s = as<ContextBoundSearch>()) return &s->estimate;
  if (const auto* s = as<RandomWalks>()) return s->estimate ? &*s->estimate : nullptr;
  if (const auto* s = as<AutoSearch>()) return &s->estimate;
  return nullptr;
}

const Preferences& Config::prefer() const {
  static const Preferences kNone;
  if (const auto* s = as<BreadthFirstSearch>()) return s->prefer;
  if (const auto* s = as<DepthFirstSearch>()) return s->prefer;
  if (const auto* s = as<BestFirstSearch>()) return s->prefer;
  return kNone;
}

void check(const Config& config, const model::System& system, const model::Property& property) {
  if (property.kind == model::PropertyKind::Liveness) check_liveness(config);
  if (model::is_about_paths(property) || model::asks_for_values(property)) check_own_search(config, property);
  check_method(config, property);
  check_reduction(config, system);
}

std::string describe(const Config& config) {
  const auto within = [](const ContextBoundSearch& s) -> std::string {
    switch (s.within) {
      case ContextBoundSearch::Order::BestFirst: return s.estimate.heuristic;
      case ContextBoundSearch::Order::BreadthFirst: return "bfs";
      case ContextBoundSearch::Order::DepthFirst: return "dfs";
    }
    return {};
  };
  const std::string text = std::visit(
      Overloaded{
          [](const AutoSearch&) -> std::string { return "auto"; },
          [](const BreadthFirstSearch& s) { return "bfs" + words_of(s.prefer); },
          [](const DepthFirstSearch& s) { return (s.seed ? "rdfs" : "dfs") + words_of(s.prefer); },
          [](const BestFirstSearch& s) {
            std::string out = s.greedy() ? "greedy " : s.optimal() ? "astar " : "wastar ";
            out += s.estimate.heuristic;
            if (!s.greedy() && !s.optimal()) out += " weight " + std::to_string(s.estimate_weight);
            return out + words_of(s.prefer);
          },
          [&](const ContextBoundSearch& s) {
            return (s.by == ContextBoundSearch::By::Process ? "ib-process " : "ib-interference ") + within(s);
          },
          [](const RandomWalks& s) { return s.estimate ? "walk " + s.estimate->heuristic : std::string("walk"); },
          [](const AnytimeSearch&) -> std::string { return "anytime"; }},
      config.method);
  return config.reduction ? text + " reduced" : text;
}

}  // namespace harrier::search
