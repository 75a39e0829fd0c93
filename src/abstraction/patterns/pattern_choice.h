// Which patterns to make databases of: the strategies, each by name.
//
// A strategy gets the factors and an allowance, and returns abstract spaces that fit into it together. What it chooses
// depends on nothing else, so that the same options give the same patterns, unless the time was over.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "abstraction/allowance.h"
#include "abstraction/factors.h"
#include "abstraction/patterns/abstract_space.h"

namespace harrier::abstraction {

struct ChoiceTask {
  const Factors& factors;
  const std::vector<Value>& initial;   // by variable
  const std::vector<uint32_t>& costs;  // by label
  const Allowance& allowance;
};

struct ChosenPattern {
  AbstractSpace space;
  std::vector<uint32_t> distances;  // by state

  const Pattern& pattern() const { return space.projection().pattern(); }
  uint32_t initial() const { return distances[space.initial()]; }
};
// None if there are more states than `room`, or the time is over.
std::optional<ChosenPattern> make_pattern(const ChoiceTask& task, const Pattern& pattern, uint64_t room,
                                          const Allowance& allowance);

struct Choice {
  std::vector<ChosenPattern> patterns;
  bool cut = false;  // there would have been more, had the allowance been larger
};

struct PatternStrategy {
  const char* name;
  const char* summary;
  const char* citation;
  Choice (*choose)(const ChoiceTask& task);
};

std::span<const PatternStrategy> pattern_strategies();
// Throws Error(Usage) if there is none of this name.
const PatternStrategy& pattern_strategy(std::string_view name);

// The strategies.
Choice choose_cone(const ChoiceTask& task);
Choice choose_doll(const ChoiceTask& task);
Choice choose_downward(const ChoiceTask& task);
Choice choose_by_hill_climbing(const ChoiceTask& task);
Choice choose_by_counterexamples(const ChoiceTask& task);

// What several of them need.

// The smallest patterns that tell goal states from others: one variable of each clause of the goal. None if some clause
// speaks of no variable.
std::vector<Pattern> goal_patterns(const Factors& factors);
// By variable: which others occur in labels that change it.
std::vector<std::vector<uint32_t>> relevant_variables(const Factors& factors, const Watch& watch);
// Variables in order of their distance to the goal, first in the dependency layers of the model, then by number of
// values. Those without influence are left out.
std::vector<uint32_t> by_dependency(const Factors& factors, const Watch& watch);
Pattern with(const Pattern& pattern, uint32_t variable);
Pattern without(const Pattern& pattern, uint32_t variable);
// A pattern of the first variables in this order, as many as there is room for.
Choice fill(const ChoiceTask& task, std::span<const uint32_t> order);

}  // namespace harrier::abstraction
