#include "abstraction/merging/transition_system.h"

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/hash.h"

namespace harrier::abstraction {

namespace {

// Neighbours by state, with costs.
struct Neighbours {
  std::vector<size_t> first;
  std::vector<uint32_t> state;
  std::vector<uint32_t> cost;
};

// Of each state the least cost of a path from one of the sources.
std::vector<uint32_t> distances(const Neighbours& graph, const std::vector<uint32_t>& sources) {
  std::vector<uint32_t> distance(graph.first.size() - 1, kInfinity);
  std::map<uint32_t, std::vector<uint32_t>> waiting;  // by distance
  if (!sources.empty()) waiting[0] = sources;
  for (const uint32_t s : sources) distance[s] = 0;
  while (!waiting.empty()) {
    const uint32_t d = waiting.begin()->first;
    std::vector<uint32_t> now = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    uint32_t bucket_of = 0;
    std::vector<uint32_t>* bucket = nullptr;
    // Steps without cost lead to states at the same distance, which are appended.
    for (size_t i = 0; i < now.size(); ++i) {
      const uint32_t s = now[i];
      if (distance[s] != d) continue;
      for (size_t n = graph.first[s]; n < graph.first[s + 1]; ++n) {
        const uint32_t cost = graph.cost[n];
        uint32_t& known = distance[graph.state[n]];
        if (cost >= kInfinity - d || known <= d + cost) continue;
        known = d + cost;
        if (cost == 0) {
          now.push_back(graph.state[n]);
          continue;
        }
        if (bucket == nullptr || bucket_of != known) {
          bucket_of = known;
          bucket = &waiting[known];
        }
        bucket->push_back(graph.state[n]);
      }
    }
  }
  return distance;
}

// Sorts arcs between so many states, and leaves each once. Many are put into their places by counting.
void sort(std::vector<Arc>& arcs, uint32_t states) {
  if (!std::is_sorted(arcs.begin(), arcs.end())) {
    if (arcs.size() < states / 4) {
      std::sort(arcs.begin(), arcs.end());
    } else {
      std::vector<Arc> sorted(arcs.size());
      std::vector<size_t> next(states + size_t{1});
      const auto pass = [&](uint32_t Arc::*key) {
        std::fill(next.begin(), next.end(), 0);
        for (const Arc& arc : arcs) ++next[arc.*key + size_t{1}];
        for (size_t s = 0; s < states; ++s) next[s + 1] += next[s];
        for (const Arc& arc : arcs) sorted[next[arc.*key]++] = arc;
        arcs.swap(sorted);
      };
      pass(&Arc::to);
      pass(&Arc::from);
    }
  }
  arcs.erase(std::unique(arcs.begin(), arcs.end()), arcs.end());
}

// Not 0.
uint64_t hash_of(const std::vector<Arc>& arcs) {
  uint64_t hash = arcs.size();
  for (const Arc& arc : arcs) {
    hash = (hash ^ (uint64_t{arc.from} << 32 | arc.to)) * 0x9fb21c651e98df25ULL;
    hash ^= hash >> 29;
  }
  return mix64(hash) | 1;
}

}  // namespace

bool TransitionSystem::is_about_goal(const GoalSets& sets) const {
  return std::any_of(goals_.begin(), goals_.end(), [&](uint32_t set) { return set != sets.all(); });
}

void TransitionSystem::measure(std::span<const uint32_t> costs) {
  const auto neighbours = [&](bool backwards) {
    Neighbours graph;
    graph.first.assign(size() + size_t{1}, 0);
    for (const Group& group : groups_) {
      for (const Arc& arc : group.arcs) ++graph.first[(backwards ? arc.to : arc.from) + size_t{1}];
    }
    for (size_t s = 0; s < size(); ++s) graph.first[s + 1] += graph.first[s];
    graph.state.resize(graph.first.back());
    graph.cost.resize(graph.first.back());
    std::vector<size_t> next(graph.first.begin(), graph.first.end() - 1);
    for (const Group& group : groups_) {
      uint32_t cost = kInfinity;
      for (const uint32_t l : group.labels) cost = std::min(cost, costs[l]);
      for (const Arc& arc : group.arcs) {
        const size_t at = next[backwards ? arc.to : arc.from]++;
        graph.state[at] = backwards ? arc.from : arc.to;
        graph.cost[at] = cost;
      }
    }
    return graph;
  };
  std::vector<uint32_t> sources;
  for (uint32_t s = 0; s < size(); ++s) {
    if (goals_[s] != GoalSets::kNoClause) sources.push_back(s);
  }
  to_goal_ = distances(neighbours(true), sources);
  sources.clear();
  if (is_state(initial_)) sources.push_back(initial_);
  from_initial_ = distances(neighbours(false), sources);
}

bool TransitionSystem::is_loop_everywhere(const std::vector<Arc>& arcs) const {
  return arcs.size() == size() &&
         std::all_of(arcs.begin(), arcs.end(), [](const Arc& arc) { return arc.from == arc.to; });
}

void TransitionSystem::tidy(std::vector<uint32_t>& impossible) {
  std::vector<Group> groups;
  std::unordered_map<uint64_t, std::vector<uint32_t>> known;  // by the hash of the arcs
  for (Group& group : groups_) {
    if (group.labels.empty()) continue;
    if (group.hash == 0) {
      sort(group.arcs, size());
      group.hash = hash_of(group.arcs);
    }
    if (group.arcs.empty()) {
      impossible.insert(impossible.end(), group.labels.begin(), group.labels.end());
      continue;
    }
    if (is_loop_everywhere(group.arcs)) continue;
    std::vector<uint32_t>& alike = known[group.hash];
    const auto same =
        std::find_if(alike.begin(), alike.end(), [&](uint32_t g) { return groups[g].arcs == group.arcs; });
    if (same != alike.end()) {
      std::vector<uint32_t>& labels = groups[*same].labels;
      labels.insert(labels.end(), group.labels.begin(), group.labels.end());
    } else {
      alike.push_back(static_cast<uint32_t>(groups.size()));
      groups.push_back(std::move(group));
    }
  }
  for (Group& group : groups) std::sort(group.labels.begin(), group.labels.end());
  groups_ = std::move(groups);
}

void TransitionSystem::apply(const Mapping& mapping, GoalSets& sets) {
  std::vector<uint32_t> goals(mapping.size, GoalSets::kNoClause);
  for (uint32_t s = 0; s < size(); ++s) {
    if (is_state(mapping.to[s])) goals[mapping.to[s]] = sets.together(goals[mapping.to[s]], goals_[s]);
  }
  goals_ = std::move(goals);
  if (is_state(initial_)) initial_ = is_state(mapping.to[initial_]) ? mapping.to[initial_] : kDeadState;
  for (Group& group : groups_) {
    size_t kept = 0;
    for (const Arc& arc : group.arcs) {
      const Arc after{mapping.to[arc.from], mapping.to[arc.to]};
      if (is_state(after.from) && is_state(after.to)) group.arcs[kept++] = after;
    }
    group.arcs.resize(kept);
    group.hash = 0;
  }
  const auto mapped = [&](const std::vector<uint32_t>& distances) {
    std::vector<uint32_t> least(mapping.size, kInfinity);
    for (size_t s = 0; s < distances.size(); ++s) {
      if (is_state(mapping.to[s])) least[mapping.to[s]] = std::min(least[mapping.to[s]], distances[s]);
    }
    return least;
  };
  to_goal_ = mapped(to_goal_);
  from_initial_ = mapped(from_initial_);
}

std::optional<TransitionSystem::Mapping> TransitionSystem::pruning() const {
  Mapping mapping;
  mapping.to.resize(size());
  for (uint32_t s = 0; s < size(); ++s) {
    mapping.to[s] = to_goal_[s] == kInfinity        ? kDeadState
                    : from_initial_[s] == kInfinity ? kUnknownState
                                                    : mapping.size++;
  }
  if (mapping.size == size()) return std::nullopt;
  return mapping;
}

std::vector<TransitionSystem::Joint> TransitionSystem::joint_groups(const TransitionSystem& a,
                                                                    const TransitionSystem& b, uint32_t labels) {
  std::vector<uint32_t> group_in_b(labels, kNoGroup);
  for (uint32_t g = 0; g < b.groups_.size(); ++g) {
    for (const uint32_t l : b.groups_[g].labels) group_in_b[l] = g;
  }
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> known;
  std::vector<Joint> joints;
  const auto insert = [&](uint32_t in_a, uint32_t in_b, uint32_t label) {
    const auto [at, fresh] = known.try_emplace({in_a, in_b}, static_cast<uint32_t>(joints.size()));
    if (fresh) joints.push_back({in_a, in_b, {}});
    joints[at->second].labels.push_back(label);
  };
  for (uint32_t g = 0; g < a.groups_.size(); ++g) {
    for (const uint32_t l : a.groups_[g].labels) {
      insert(g, group_in_b[l], l);
      group_in_b[l] = kNoGroup;
    }
  }
  for (uint32_t g = 0; g < b.groups_.size(); ++g) {
    for (const uint32_t l : b.groups_[g].labels) {
      if (group_in_b[l] == g) insert(kNoGroup, g, l);
    }
  }
  return joints;
}

uint64_t TransitionSystem::product_arcs(const TransitionSystem& a, const TransitionSystem& b, uint32_t labels) {
  uint64_t count = 0;
  for (const Joint& joint : joint_groups(a, b, labels)) {
    count += (joint.a == kNoGroup ? a.size() : a.groups_[joint.a].arcs.size()) *
             uint64_t{joint.b == kNoGroup ? b.size() : b.groups_[joint.b].arcs.size()};
  }
  return count;
}

std::optional<TransitionSystem> TransitionSystem::product(const TransitionSystem& a, const TransitionSystem& b,
                                                          GoalSets& sets, uint32_t labels, Allowance& allowance) {
  TransitionSystem both;
  both.goals_.reserve(size_t{a.size()} * b.size());
  for (uint32_t s = 0; s < a.size(); ++s) {
    if (allowance.glance()) return std::nullopt;
    for (uint32_t t = 0; t < b.size(); ++t) both.goals_.push_back(sets.intersection(a.goals_[s], b.goals_[t]));
  }
  if (is_state(a.initial_) && is_state(b.initial_)) both.initial_ = a.initial_ * b.size() + b.initial_;
  const auto loops = [](uint32_t size) {
    std::vector<Arc> arcs(size);
    for (uint32_t s = 0; s < size; ++s) arcs[s] = {s, s};
    return arcs;
  };
  const std::vector<Arc> loops_of_a = loops(a.size());
  const std::vector<Arc> loops_of_b = loops(b.size());
  for (Joint& joint : joint_groups(a, b, labels)) {
    const std::vector<Arc>& in_a = joint.a == kNoGroup ? loops_of_a : a.groups_[joint.a].arcs;
    const std::vector<Arc>& in_b = joint.b == kNoGroup ? loops_of_b : b.groups_[joint.b].arcs;
    Group group;
    group.labels = std::move(joint.labels);
    group.arcs.reserve(in_a.size() * in_b.size());
    for (const Arc& x : in_a) {
      if (allowance.glance()) return std::nullopt;
      for (const Arc& y : in_b) group.arcs.push_back({x.from * b.size() + y.from, x.to * b.size() + y.to});
    }
    both.groups_.push_back(std::move(group));
  }
  return both;
}

}  // namespace harrier::abstraction
