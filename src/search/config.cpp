#include "search/config.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "heur/recipe.h"
#include "search/vacuity.h"
#include "step/independence.h"

namespace harrier::search {

namespace {

void check_reduction(const Config& config, const model::System& system) {
  if (!config.reduction.value_or(false)) return;
  if (!config.traits().reducible || config.prefer().has("contexts")) {
    refuse("partial-order reduction is for bfs, dfs, rdfs and greedy, without contexts");
  }
  if (system.clocks.size() > 1 || system.claim.valid() || system.has_choices()) {
    refuse("partial-order reduction is for models without clocks, claims and choices");
  }
}

void check_compression(const Config& config, const model::System& system, const model::Property& property) {
  if (!config.compress) return;
  if (system.clocks.size() > 1) refuse_unsupported("compression of the states of a model with clocks");
  const bool of_states =
      property.kind == model::PropertyKind::Reachable || property.kind == model::PropertyKind::Invariant;
  if (!of_states)
    refuse_unsupported("compression of states with '" + property.text + "', which has a search of its own");
}

// Sets of states, and extreme values, are found without running what would be compiled.
void check_native(const Config& config, const model::Property& property) {
  if (config.native != true) return;
  if (config.as<SymbolicSearch>() != nullptr || config.as<SymbolicWalks>() != nullptr) {
    refuse("native code is for searches that look at states one by one");
  }
  if (property.kind == model::PropertyKind::Branching || model::asks_for_values(property)) {
    refuse_unsupported("native code with '" + property.text + "', which has a search of its own");
  }
}

void check_choices(const Config& config, const model::System& system, const model::Property& property) {
  if (!system.has_choices()) return;
  if (config.safe_abstraction) refuse_unsupported("safe abstraction of a model with choices or several initial states");
  if (model::is_about_paths(property)) {
    refuse_unsupported("'" + property.text + "' in a model with choices or several initial states");
  }
}

// E[], A<> and --> are answered by a depth-first search, sup, inf and bounds by a breadth-first one.
void check_own_search(const Config& config, const model::Property& property) {
  const bool values = model::asks_for_values(property);
  const auto refuse_here = [&](const std::string& option) {
    refuse_unsupported(option + " with '" + property.text +
                       "': " + (values ? "sup, inf and bounds" : "E[], A<> and -->") + " have a search of their own");
  };
  if (!config.answers(values ? Question::Values : Question::MaximalPaths)) {
    refuse_here(values ? "a search other than bfs and auto" : "a search other than dfs and auto");
  }
  const Estimate* estimate = config.estimate();
  if (estimate != nullptr && (!estimate->heuristic.empty() || estimate->clocks)) refuse_here("a heuristic");
  if (!config.prefer().names.empty()) refuse_here("preferred transitions");
  if (config.safe_abstraction) refuse_here("safe abstraction");
  if (config.reduction.value_or(false)) refuse_here("partial-order reduction");
  if (estimate != nullptr && estimate->sibling) refuse_here("the path of a smaller sibling");
  if (estimate != nullptr && estimate->cache_entries != 0) refuse_here("a cache of estimates");
  if (config.polish == true) refuse_here("polishing");
  if (values && config.depth_limit) refuse_here("a depth limit");
  if (config.cost.value_or(CostType::Unit) != CostType::Unit) refuse_here("costs");
}

// For infinite paths there are a few searches.
void check_temporal(const Config& config, Question question, const char* rule) {
  if (!config.answers(question) || config.safe_abstraction || !config.prefer().names.empty()) refuse_unsupported(rule);
}

// Not of a property with a search of its own, which counts nothing.
void check_costs(const Config& config, const model::System& system) {
  if (config.costs(system) == CostType::Unit) return;
  if (!config.traits().costs) refuse("costs are counted by astar, wastar, greedy and anytime");
  const char* const instead = " (--cost unit counts steps)";
  if (config.depth_limit) refuse(std::string("a depth limit is for searches that count steps, not costs") + instead);
  if (config.safe_abstraction) refuse(std::string("safe abstraction keeps lengths, not costs, of paths") + instead);
  if (config.polish == true) refuse(std::string("polishing shortens paths, whatever they cost") + instead);
  if (!config.traits().optimal || config.estimate() == nullptr) return;
  const heur::Recipe recipe(config.estimate()->heuristic);
  if (recipe.costs()) return;
  refuse("astar by costs needs a heuristic that counts them, and " + recipe.text() + " counts steps" + instead);
}

const Estimate* pointer_to(const Estimate& estimate) { return &estimate; }
const Estimate* pointer_to(const std::optional<Estimate>& estimate) { return estimate ? &*estimate : nullptr; }

}  // namespace

bool forgets_for(const model::Property& property) {
  using model::PropertyKind;
  return !model::is_about_paths(property) && property.kind != PropertyKind::Liveness &&
         property.kind != PropertyKind::Branching;
}

step::Simplification Config::simplification(const model::Property& property) const {
  using step::Simplification;
  if (!simplify) return Simplification::None;
  const Estimate* guide = estimate();
  if (!forgets_for(property)) return Simplification::Domains;
  if (guide == nullptr) return Simplification::DeadValues;
  const std::vector<heur::Recipe> recipes = heur::recipes(guide->heuristic);
  const bool forgets =
      std::all_of(recipes.begin(), recipes.end(), [](const auto& r) { return r.abstraction().empty(); });
  return forgets ? Simplification::DeadValues : Simplification::Domains;
}

Traits Config::traits() const {
  return std::visit(
      [](const auto& search) -> Traits {
        if constexpr (requires { search.traits(); }) return search.traits();
        return {};
      },
      method);
}

bool Config::answers(Question question) const {
  return std::visit(
      [&](const auto& search) -> bool {
        if constexpr (requires { search.answers(question); }) return search.answers(question);
        return question == Question::States;
      },
      method);
}

CostType Config::costs(const model::System& system) const {
  if (cost) return *cost;
  return system.counts_costs && traits().costs ? CostType::Real : CostType::Unit;
}

const Estimate* Config::estimate() const {
  return std::visit(
      [](const auto& search) -> const Estimate* {
        if constexpr (requires { search.estimate; }) return pointer_to(search.estimate);
        return nullptr;
      },
      method);
}

const Preferences& Config::prefer() const {
  static const Preferences kNone;
  return std::visit(
      [](const auto& search) -> const Preferences& {
        if constexpr (requires { search.prefer; }) return search.prefer;
        return kNone;
      },
      method);
}

bool Config::reduces(const model::System& system, const model::Property& property) const {
  if (reduction) return *reduction;
  const bool asks_for_state =
      property.kind == model::PropertyKind::Reachable || property.kind == model::PropertyKind::Invariant;
  return asks_for_state && !property.on_fair_paths && traits().last_first && prefer().names.empty() && !depth_limit &&
         !cost_limit && !step::hindrance_to_reduction(system, property.goal) && !remarks_need_states(system, property);
}

void check(const Config& config, const model::System& system, const model::Property& property) {
  if (property.kind == model::PropertyKind::Liveness) {
    const bool hashed = config.as<HashedSearch>() != nullptr;
    check_temporal(config, Question::Cycles,
                   hashed ? "this property is about infinite paths, which a search that stores no states cannot find"
                          : "this property is about infinite paths, which only dfs, walk and sbfs look for");
  }
  if (property.kind == model::PropertyKind::Branching) {
    check_temporal(config, Question::Formula, "this property is a formula of branching time, which only sbfs checks");
  }
  if (model::is_about_paths(property) || model::asks_for_values(property)) {
    check_own_search(config, property);
  } else {
    check_costs(config, system);
  }
  std::visit(
      [&](const auto& search) {
        if constexpr (requires { search.check(config, property); }) search.check(config, property);
      },
      config.method);
  check_reduction(config, system);
  check_compression(config, system, property);
  check_native(config, property);
  check_choices(config, system, property);
}

std::string describe(const Config& config) {
  const std::string text = std::visit([](const auto& search) { return search.describe(); }, config.method);
  const std::string costs = config.cost == CostType::Real      ? " cost real"
                            : config.cost == CostType::PlusOne ? " cost plus-one"
                                                               : "";
  return text + costs + (config.reduction.value_or(false) ? " reduced" : "");
}

}  // namespace harrier::search
