#include "abstraction/patterns/pattern_choice.h"

#include <algorithm>
#include <set>
#include <string>

#include "base/error.h"
#include "base/suggest.h"
#include "model/participation.h"

namespace harrier::abstraction {

namespace {

constexpr PatternStrategy kStrategies[] = {
    {"cegar", "patterns that grow where their shortest abstract paths cannot be followed",
     "Rovner, Sievers and Helmert 2019", choose_by_counterexamples},
    {"hill", "patterns that improve the estimates of most sampled states", "Haslum et al. 2007",
     choose_by_hill_climbing},
    {"cone", "one pattern: what influences the goal, the nearest first", "Qian and Nymeyer 2004; Bui 2009, §3.2, §7.3",
     choose_cone},
    {"doll", "one pattern: what occurs in an abstract error path of the monotonicity abstraction",
     "Kupferschmid, Hoffmann and Larsen 2008", choose_doll},
    {"downward", "one pattern: all variables but those without which abstract error paths stay real",
     "Kupferschmid and Wehrle 2011", choose_downward},
};

}  // namespace

std::span<const PatternStrategy> pattern_strategies() { return kStrategies; }

const PatternStrategy& pattern_strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const PatternStrategy& strategy : kStrategies) {
    if (name == strategy.name) return strategy;
    names.emplace_back(strategy.name);
  }
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

std::vector<Pattern> goal_patterns(const Factors& factors) {
  size_t most = 0;
  for (const Factors::Label& goal : factors.goals()) {
    const auto parts = factors.parts(goal);
    if (parts.empty()) return {};
    most = std::max(most, parts.size());
  }
  std::set<Pattern> patterns;
  for (size_t i = 0; i < most; ++i) {
    std::set<uint32_t> variables;
    for (const Factors::Label& goal : factors.goals()) {
      const auto parts = factors.parts(goal);
      variables.insert(parts[std::min(i, parts.size() - 1)].variable);
    }
    patterns.emplace(variables.begin(), variables.end());
  }
  return {patterns.begin(), patterns.end()};
}

std::vector<std::vector<uint32_t>> relevant_variables(const Factors& factors, const Watch& watch) {
  std::vector<std::vector<bool>> seen(factors.size(), std::vector<bool>(factors.size(), false));
  for (const Factors::Label& label : factors.labels()) {
    watch.poll();
    for (const Factors::Part& changed : factors.parts(label)) {
      if (factors.relation(changed.relation).keeps()) continue;
      for (const Factors::Part& part : factors.parts(label)) seen[changed.variable][part.variable] = true;
    }
  }
  std::vector<std::vector<uint32_t>> out(factors.size());
  for (uint32_t v = 0; v < factors.size(); ++v) {
    for (uint32_t other = 0; other < factors.size(); ++other) {
      if (other != v && seen[v][other]) out[v].push_back(other);
    }
  }
  return out;
}

std::vector<uint32_t> by_dependency(const Factors& factors, const Watch& watch) {
  model::Property property;
  property.goal = factors.task().goal();
  std::vector<uint32_t> number_of(factors.system().variables.size(), task::kNone);
  for (uint32_t v = 0; v < factors.size(); ++v) number_of[factors.variable(v)] = v;
  std::vector<uint32_t> order;
  for (const model::Layer& layer : model::dependency_layers(factors.system(), property, watch)) {
    const size_t first = order.size();
    for (const model::VarId v : layer.variables) {
      if (number_of[v.value] != task::kNone && factors.values(number_of[v.value]) > 1) {
        order.push_back(number_of[v.value]);
      }
    }
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first), order.end(),
                     [&](uint32_t a, uint32_t b) { return factors.values(a) < factors.values(b); });
  }
  return order;
}

Pattern with(const Pattern& pattern, uint32_t variable) {
  Pattern out = pattern;
  const auto at = std::lower_bound(out.begin(), out.end(), variable);
  if (at == out.end() || *at != variable) out.insert(at, variable);
  return out;
}

Pattern without(const Pattern& pattern, uint32_t variable) {
  Pattern out = pattern;
  std::erase(out, variable);
  return out;
}

std::optional<ChosenPattern> make_pattern(const ChoiceTask& task, const Pattern& pattern, uint64_t room,
                                          const Allowance& allowance) {
  auto space = AbstractSpace::build(task.factors, pattern, task.initial.data(), room, allowance);
  if (!space) return std::nullopt;
  auto distances = space->distances(space->operator_costs(task.costs), allowance);
  if (!distances) return std::nullopt;
  return ChosenPattern{std::move(*space), std::move(*distances)};
}

Choice fill(const ChoiceTask& task, std::span<const uint32_t> order) {
  const auto first = [&](size_t count) {
    Pattern pattern(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    std::sort(pattern.begin(), pattern.end());
    return pattern;
  };
  // So many fit whatever happens. With more variables there are more states that can be reached, but how many shows
  // only when they are: the number of variables is found by bisection.
  const uint64_t room = task.allowance.states();
  size_t fits = 0;
  while (fits < order.size() && Projection::combinations(task.factors, first(fits + 1)) <= room) ++fits;
  Choice choice;
  if (fits == 0) {
    choice.cut = !order.empty();
    return choice;
  }
  std::optional<ChosenPattern> best = make_pattern(task, first(fits), room, task.allowance);
  if (best && fits < order.size()) {
    const Allowance part = task.allowance.part(0.5);
    size_t too_many = order.size() + 1;
    for (size_t count = order.size(); fits + 1 < too_many && !part.is_over(); count = fits + (too_many - fits) / 2) {
      if (auto larger = make_pattern(task, first(count), room, part)) {
        best = std::move(larger);
        fits = count;
      } else {
        too_many = count;
      }
    }
  }
  choice.cut = !best || fits < order.size();
  if (best) choice.patterns.push_back(std::move(*best));
  return choice;
}

Choice choose_cone(const ChoiceTask& task) { return fill(task, by_dependency(task.factors, task.allowance.watch())); }

}  // namespace harrier::abstraction
