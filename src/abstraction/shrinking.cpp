#include "abstraction/shrinking.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/suggest.h"

namespace harrier::abstraction {

namespace {

using Mapping = TransitionSystem::Mapping;

Mapping identity(const TransitionSystem& system) {
  Mapping mapping{std::vector<uint32_t>(system.size()), system.size()};
  std::iota(mapping.to.begin(), mapping.to.end(), 0U);
  return mapping;
}

// Buckets in the order in which they deserve to keep their states. Each is given as much room as it asks for, as long
// as one state is left for each that follows; a bucket that gets less is cut into so many runs of states. If there are
// more buckets than states, the last ones share one.
Mapping by_buckets(const TransitionSystem& system, const std::vector<std::vector<uint32_t>>& buckets, uint32_t most) {
  Mapping mapping{std::vector<uint32_t>(system.size()), 0};
  size_t buckets_left = buckets.size();
  for (const std::vector<uint32_t>& bucket : buckets) {
    --buckets_left;
    const uint32_t room = most - mapping.size;
    if (room == 0) {
      for (const uint32_t s : bucket) mapping.to[s] = mapping.size - 1;
      continue;
    }
    const uint64_t allowed = std::max<uint64_t>(1, room - std::min<uint64_t>(buckets_left, room));
    const auto classes = static_cast<uint32_t>(std::min<uint64_t>(bucket.size(), allowed));
    for (size_t i = 0; i < bucket.size(); ++i) {
      mapping.to[bucket[i]] = mapping.size + static_cast<uint32_t>(uint64_t{i} * classes / bucket.size());
    }
    mapping.size += classes;
  }
  return mapping;
}

template <class Key>
Mapping by_keys(const TransitionSystem& system, uint32_t most, Key&& key) {
  std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> sorted;
  for (uint32_t s = 0; s < system.size(); ++s) sorted[key(s)].push_back(s);
  std::vector<std::vector<uint32_t>> buckets;
  for (auto& [at, states] : sorted) buckets.push_back(std::move(states));
  return by_buckets(system, buckets, most);
}

// The nearer to the goal, the longer a state stays itself.
Mapping by_distance(const TransitionSystem& system, uint32_t most, Allowance&) {
  return by_keys(system, most, [&](uint32_t s) { return std::array{system.to_goal()[s], system.goals(s), 0U}; });
}

// The cheaper a path through it to the goal may be, the longer a state stays itself; among equals, the farther from it.
Mapping by_f(const TransitionSystem& system, uint32_t most, Allowance&) {
  return by_keys(system, most, [&](uint32_t s) {
    const uint32_t h = system.to_goal()[s];
    return std::array{system.from_initial()[s] + h, kInfinity - h, system.goals(s)};
  });
}

// Partition refinement by signatures: a state's are the pairs of a group of labels and a class to which an arc leads.
// All states of a class had the same one when it was last looked at; so only those are looked at again of which a
// successor changed its class, and one of the others.
class Refinement {
 public:
  Refinement(const TransitionSystem& system, uint32_t most, Allowance& allowance)
      : system_(system), most_(most), allowance_(allowance) {}

  // Whether the partition is a bisimulation.
  bool run() {
    start();
    if (most_ <= members_.size()) return false;
    index();
    std::vector<uint32_t> dirty(system_.size());
    std::iota(dirty.begin(), dirty.end(), 0U);
    bool first = true;
    bool exact = true;
    while (!dirty.empty()) {
      std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> by_class;  // near ones first
      for (const uint32_t s : dirty) by_class[{distance_[class_of_[s]], class_of_[s]}].push_back(s);
      moved_.clear();
      for (const auto& [at, states] : by_class) {
        if (allowance_.over()) return false;
        exact = split(at.second, states, first) && exact;
      }
      first = false;
      dirty = predecessors_of_moved();
    }
    return exact;
  }

  Mapping mapping() const { return {class_of_, static_cast<uint32_t>(members_.size())}; }

 private:
  using Signature = std::vector<uint64_t>;

  // States that differ in distance or in what they satisfy of the goal; if those are too many, the far ones are one.
  void start() {
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> sorted;
    for (uint32_t s = 0; s < system_.size(); ++s) sorted[{system_.to_goal()[s], system_.goals(s)}].push_back(s);
    class_of_.resize(system_.size());
    for (const auto& [key, states] : sorted) {
      if (members_.size() < most_) {
        members_.emplace_back();
        distance_.push_back(key.first);
      }
      for (const uint32_t s : states) {
        class_of_[s] = static_cast<uint32_t>(members_.size()) - 1;
        members_.back().push_back(s);
      }
    }
  }

  void index() {
    const uint32_t size = system_.size();
    first_out_.assign(size + size_t{1}, 0);
    first_in_.assign(size + size_t{1}, 0);
    for (const TransitionSystem::Group& group : system_.groups()) {
      for (const Arc& arc : group.arcs) {
        ++first_out_[arc.from + size_t{1}];
        ++first_in_[arc.to + size_t{1}];
      }
    }
    for (size_t s = 0; s < size; ++s) {
      first_out_[s + 1] += first_out_[s];
      first_in_[s + 1] += first_in_[s];
    }
    out_.resize(first_out_.back());
    in_.resize(first_in_.back());
    std::vector<size_t> next_out(first_out_.begin(), first_out_.end() - 1);
    std::vector<size_t> next_in(first_in_.begin(), first_in_.end() - 1);
    for (uint32_t g = 0; g < system_.groups().size(); ++g) {
      for (const Arc& arc : system_.groups()[g].arcs) {
        out_[next_out[arc.from]++] = {g, arc.to};
        in_[next_in[arc.to]++] = arc.from;
      }
    }
    stamp_.assign(size, 0);
  }

  Signature signature(uint32_t state) const {
    Signature signature;
    for (size_t i = first_out_[state]; i < first_out_[state + size_t{1}]; ++i) {
      signature.push_back(uint64_t{out_[i].first} << 32 | class_of_[out_[i].second]);
    }
    std::sort(signature.begin(), signature.end());
    signature.erase(std::unique(signature.begin(), signature.end()), signature.end());
    return signature;
  }

  // Splits a class by the signatures of some of its states; the others have the same one. False if there is no room.
  bool split(uint32_t number, const std::vector<uint32_t>& states, bool all) {
    std::vector<uint32_t>& members = members_[number];
    if (members.size() == 1) return true;
    std::map<Signature, std::vector<uint32_t>> parts;
    for (const uint32_t s : states) parts[signature(s)].push_back(s);
    if (!all && states.size() < members.size()) {
      ++now_;
      for (const uint32_t s : states) stamp_[s] = now_;
      std::vector<uint32_t> others;
      for (const uint32_t s : members) {
        if (stamp_[s] != now_) others.push_back(s);
      }
      std::vector<uint32_t>& alike = parts[signature(others[0])];
      alike.insert(alike.end(), others.begin(), others.end());
    }
    if (parts.size() == 1) return true;
    if (members_.size() + parts.size() - 1 > most_) return false;
    // The largest part keeps the number, so that few predecessors have to look again.
    auto largest = parts.begin();
    for (auto at = parts.begin(); at != parts.end(); ++at) {
      if (at->second.size() > largest->second.size()) largest = at;
    }
    const uint32_t distance = distance_[number];
    members = std::move(largest->second);
    parts.erase(largest);
    for (auto& [alike, part] : parts) {
      for (const uint32_t s : part) class_of_[s] = static_cast<uint32_t>(members_.size());
      moved_.insert(moved_.end(), part.begin(), part.end());
      members_.push_back(std::move(part));
      distance_.push_back(distance);
    }
    return true;
  }

  std::vector<uint32_t> predecessors_of_moved() {
    std::vector<uint32_t> dirty;
    ++now_;
    for (const uint32_t s : moved_) {
      for (size_t i = first_in_[s]; i < first_in_[s + size_t{1}]; ++i) {
        if (stamp_[in_[i]] == now_) continue;
        stamp_[in_[i]] = now_;
        dirty.push_back(in_[i]);
      }
    }
    std::sort(dirty.begin(), dirty.end());
    return dirty;
  }

  const TransitionSystem& system_;
  uint32_t most_;
  Allowance& allowance_;
  std::vector<uint32_t> class_of_;                  // by state
  std::vector<std::vector<uint32_t>> members_;      // by class
  std::vector<uint32_t> distance_;                  // by class, to the goal
  std::vector<size_t> first_out_, first_in_;        // by state
  std::vector<std::pair<uint32_t, uint32_t>> out_;  // group and successor
  std::vector<uint32_t> in_;                        // predecessors
  std::vector<uint32_t> moved_;                     // states that changed their class in this round
  std::vector<uint32_t> stamp_;                     // by state
  uint32_t now_ = 0;
};

constexpr ShrinkStrategy kStrategies[] = {
    {"bisimulation", "states that behave alike become one; where that is not enough, those farthest from the goal",
     "Nissim, Hoffmann and Helmert 2011", true, bisimulation},
    {"f", "states on expensive paths become one first, with others of the same distances", "Helmert et al. 2007; 2014",
     false, by_f},
    {"distance", "states far from the goal become one first, with others of the same distance",
     "Dräger, Finkbeiner and Podelski 2006", false, by_distance},
};

}  // namespace

Mapping bisimulation(const TransitionSystem& system, uint32_t most, Allowance& allowance) {
  Refinement refinement(system, most, allowance);
  const bool exact = refinement.run();
  if (!exact && system.size() <= most) return identity(system);
  return refinement.mapping();
}

std::span<const ShrinkStrategy> shrink_strategies() { return kStrategies; }

const ShrinkStrategy& shrink_strategy(std::string_view name) {
  std::vector<std::string> names;
  for (const ShrinkStrategy& strategy : kStrategies) {
    if (name == strategy.name) return strategy;
    names.emplace_back(strategy.name);
  }
  throw Error(ErrorKind::Usage, not_one_of(name, names));
}

}  // namespace harrier::abstraction
