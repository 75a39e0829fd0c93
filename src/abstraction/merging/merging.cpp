#include "abstraction/merging/merging.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "base/error.h"
#include "base/suggest.h"

namespace harrier::abstraction {

namespace {

using Pair = std::pair<uint32_t, uint32_t>;
using Group = TransitionSystem::Group;

bool moves(const Group& group) {
  return std::any_of(group.arcs.begin(), group.arcs.end(), [](const Arc& arc) { return arc.from != arc.to; });
}

// One factor grows, a variable at a time: next is one that has a say in what the factor does, else one of the goal
// (Helmert, Haslum and Hoffmann 2007); of several the one that `before` puts first.
template <class Before>
std::optional<Pair> linear(const FactoredSystem& system, const MergeContext& context, Before&& before) {
  std::vector<uint32_t> about_goal;
  for (const uint32_t f : system.active()) {
    if (system.system(f).is_about_goal(system.goal_sets())) about_goal.push_back(f);
  }
  const auto first = [&](const std::vector<uint32_t>& some) {
    return *std::min_element(some.begin(), some.end(), before);
  };
  const auto is_active = [&](uint32_t f) {
    return std::find(system.active().begin(), system.active().end(), f) != system.active().end();
  };
  uint32_t grown = 0;
  if (context.last && is_active(*context.last)) {
    grown = *context.last;
  } else if (!about_goal.empty()) {
    grown = first(about_goal);
  } else {
    return std::nullopt;
  }
  std::erase(about_goal, grown);
  std::vector<uint8_t> moving(system.label_count(), 0);
  for (const Group& group : system.system(grown).groups()) {
    if (!moves(group)) continue;
    for (const uint32_t l : group.labels) moving[l] = 1;
  }
  std::vector<uint32_t> with_a_say;
  for (const uint32_t f : system.active()) {
    if (f == grown) continue;
    const auto groups = system.system(f).groups();
    const bool has_a_say = std::any_of(groups.begin(), groups.end(), [&](const Group& group) {
      return std::any_of(group.labels.begin(), group.labels.end(), [&](uint32_t l) { return moving[l] != 0; });
    });
    if (has_a_say) with_a_say.push_back(f);
  }
  if (!with_a_say.empty()) return Pair{grown, first(with_a_say)};
  if (!about_goal.empty()) return Pair{grown, first(about_goal)};
  return std::nullopt;
}

std::optional<Pair> level(const FactoredSystem& system, const MergeContext& context) {
  return linear(system, context, [&](uint32_t a, uint32_t b) {
    return context.levels[system.variable_of(a)] > context.levels[system.variable_of(b)];
  });
}

std::optional<Pair> reverse_level(const FactoredSystem& system, const MergeContext& context) {
  return linear(system, context, [&](uint32_t a, uint32_t b) {
    return context.levels[system.variable_of(a)] < context.levels[system.variable_of(b)];
  });
}

// The factors that have to agree on a step nearest to the goal: a label is as far in a factor as the nearest state that
// it leads to, and in two factors as far as in the one where it is farther. One of the two is about the goal.
std::optional<Pair> by_goal_distance(const FactoredSystem& system, const MergeContext&) {
  std::vector<uint8_t> about_goal;                             // by position in active()
  std::vector<std::vector<Pair>> ranks(system.label_count());  // positions and distances
  for (uint32_t i = 0; i < system.active().size(); ++i) {
    const TransitionSystem& factor = system.system(system.active()[i]);
    about_goal.push_back(factor.is_about_goal(system.goal_sets()) ? 1 : 0);
    for (const Group& group : factor.groups()) {
      uint32_t rank = kInfinity;
      for (const Arc& arc : group.arcs) rank = std::min(rank, factor.to_goal()[arc.to]);
      for (const uint32_t l : group.labels) ranks[l].emplace_back(i, rank);
    }
  }
  std::map<Pair, uint32_t> distances;
  for (const std::vector<Pair>& places : ranks) {
    for (size_t a = 0; a < places.size(); ++a) {
      for (size_t b = a + 1; b < places.size(); ++b) {
        if (about_goal[places[a].first] == 0 && about_goal[places[b].first] == 0) continue;
        uint32_t& known = distances.try_emplace({places[a].first, places[b].first}, kInfinity).first->second;
        known = std::min(known, std::max(places[a].second, places[b].second));
      }
    }
  }
  const auto states = [&](const Pair& pair) {
    return uint64_t{system.system(system.active()[pair.first]).size()} *
           system.system(system.active()[pair.second]).size();
  };
  std::optional<std::tuple<uint32_t, uint64_t, Pair>> best;
  const auto consider = [&](uint32_t distance, const Pair& pair) {
    const std::tuple candidate{distance, states(pair), pair};
    if (!best || candidate < *best) best = candidate;
  };
  for (const auto& [pair, distance] : distances) consider(distance, pair);
  if (!best) {  // they share no labels; what they say of the goal adds up
    for (uint32_t a = 0; a < about_goal.size(); ++a) {
      for (uint32_t b = a + 1; b < about_goal.size(); ++b) {
        if (about_goal[a] != 0 && about_goal[b] != 0) consider(0, {a, b});
      }
    }
  }
  if (!best) return std::nullopt;
  const Pair& chosen = std::get<2>(*best);
  return Pair{system.active()[chosen.first], system.active()[chosen.second]};
}

constexpr MergeOrder kOrders[] = {
    {"level", "one factor takes in the variables that have a say in it, those nearest to the goal first",
     "Helmert, Haslum and Hoffmann 2007", level},
    {"reverse-level", "one factor takes in the variables that have a say in it, those that influence most first",
     "Helmert et al. 2014", reverse_level},
    {"dfp", "any two factors, those that take a step nearest to the goal together",
     "Dräger, Finkbeiner and Podelski 2006; Sievers, Wehrle and Helmert 2014", by_goal_distance},
};

}  // namespace

std::span<const MergeOrder> merge_orders() { return kOrders; }

const MergeOrder& merge_order(std::string_view name) {
  std::vector<std::string> names;
  for (const MergeOrder& order : kOrders) {
    if (name == order.name) return order;
    names.emplace_back(order.name);
  }
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

}  // namespace harrier::abstraction
