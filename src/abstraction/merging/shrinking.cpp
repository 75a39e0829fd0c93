#include "abstraction/merging/shrinking.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/hash.h"
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

// In which order states are told apart, as long as there is room.
enum class Precedence : uint8_t { Distance, Cost };

// Partition refinement by signatures: a state's are the pairs of a group of labels and a class to which an arc leads.
// All states of a class had the same one when it was last looked at; so only those are looked at again of which a
// successor changed its class, and one of the others. Signatures are compared by hashes of 128 bits: should two ever be
// the same, a class stays too large, which is as sound as any shrinking.
class Refinement {
 public:
  Refinement(const TransitionSystem& system, uint32_t most, Precedence precedence, Allowance& allowance)
      : system_(system), most_(most), precedence_(precedence), allowance_(allowance) {}

  // Whether the partition is a bisimulation.
  bool run() {
    start();
    if (is_full()) return members_.size() == system_.size();
    index();
    std::vector<uint32_t> dirty(system_.size());
    std::iota(dirty.begin(), dirty.end(), 0U);
    bool first = true;
    while (!dirty.empty()) {
      // Classes in the order in which they deserve to be split.
      const auto key = [&](uint32_t s) { return std::pair(rank_[class_of_[s]], class_of_[s]); };
      std::sort(dirty.begin(), dirty.end(),
                [&](uint32_t a, uint32_t b) { return std::pair(key(a), a) < std::pair(key(b), b); });
      ends_.clear();
      for (size_t i = 0; i < dirty.size(); ++i) {
        if (i + 1 == dirty.size() || class_of_[dirty[i]] != class_of_[dirty[i + 1]]) ends_.push_back(i + 1);
      }
      moved_.clear();
      size_t begin = 0;
      for (const size_t end : ends_) {
        if (allowance_.glance()) return false;
        split(std::span(dirty).subspan(begin, end - begin), first);
        if (is_full()) return members_.size() == system_.size();
        begin = end;
      }
      first = false;
      dirty = predecessors_of_moved();
    }
    return exact_;
  }

  Mapping mapping() const { return {class_of_, static_cast<uint32_t>(members_.size())}; }

 private:
  struct Signed {
    std::array<uint64_t, 2> hash;
    uint32_t state;

    auto operator<=>(const Signed&) const = default;
  };

  bool is_full() const { return members_.size() >= most_; }

  // States that differ in distance or in what they satisfy of the goal; if those are too many, the last ones are one.
  void start() {
    std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> sorted;
    for (uint32_t s = 0; s < system_.size(); ++s) {
      const uint32_t h = system_.to_goal()[s];
      const uint32_t f = precedence_ == Precedence::Cost ? system_.from_initial()[s] + h : h;
      sorted[{f, kInfinity - h, system_.goals(s)}].push_back(s);
    }
    class_of_.resize(system_.size());
    for (const auto& [key, states] : sorted) {
      if (is_full()) {
        exact_ = false;
      } else {
        members_.emplace_back();
        rank_.push_back(key[0]);
      }
      for (const uint32_t s : states) class_of_[s] = static_cast<uint32_t>(members_.size()) - 1;
      members_.back().insert(members_.back().end(), states.begin(), states.end());
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

  Signed signature(uint32_t state) {
    entries_.clear();
    for (size_t i = first_out_[state]; i < first_out_[state + size_t{1}]; ++i) {
      entries_.push_back(uint64_t{out_[i].first} << 32 | class_of_[out_[i].second]);
    }
    std::sort(entries_.begin(), entries_.end());
    Signed made{{0, 0}, state};
    uint64_t last = UINT64_MAX;
    for (const uint64_t entry : entries_) {
      if (entry == last) continue;
      last = entry;
      made.hash[0] += mix64(entry ^ 0x9e3779b97f4a7c15ULL);
      made.hash[1] += mix64(entry * 0x9fb21c651e98df25ULL + 1);
    }
    return made;
  }

  // Splits the class of some states by their signatures, if there is room; the others of the class have the same one.
  void split(std::span<const uint32_t> states, bool all) {
    const uint32_t number = class_of_[states[0]];
    if (members_[number].size() == 1) return;
    signed_.clear();
    for (const uint32_t s : states) signed_.push_back(signature(s));
    if (!all && states.size() < members_[number].size()) {
      ++now_;
      for (const uint32_t s : states) stamp_[s] = now_;
      std::optional<Signed> other;
      for (const uint32_t s : members_[number]) {
        if (stamp_[s] == now_) continue;
        if (!other) other = signature(s);
        signed_.push_back({other->hash, s});
      }
    }
    std::sort(signed_.begin(), signed_.end());
    // The largest part keeps the number, so that few predecessors have to look again.
    size_t parts = 0;
    size_t largest = 0;
    size_t size_of_largest = 0;
    for (size_t i = 0; i < signed_.size();) {
      const size_t begin = i;
      while (i < signed_.size() && signed_[i].hash == signed_[begin].hash) ++i;
      ++parts;
      if (i - begin > size_of_largest) {
        largest = begin;
        size_of_largest = i - begin;
      }
    }
    if (parts == 1) return;
    if (members_.size() + parts - 1 > most_) {
      exact_ = false;
      return;
    }
    for (size_t i = 0; i < signed_.size();) {
      const size_t begin = i;
      std::vector<uint32_t> part;
      for (; i < signed_.size() && signed_[i].hash == signed_[begin].hash; ++i) part.push_back(signed_[i].state);
      if (begin == largest) {
        members_[number] = std::move(part);
        continue;
      }
      for (const uint32_t s : part) class_of_[s] = static_cast<uint32_t>(members_.size());
      moved_.insert(moved_.end(), part.begin(), part.end());
      members_.push_back(std::move(part));
      rank_.push_back(rank_[number]);
    }
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
    return dirty;
  }

  const TransitionSystem& system_;
  uint32_t most_;
  Precedence precedence_;
  Allowance& allowance_;
  bool exact_ = true;                               // nothing was left together that had to be told apart
  std::vector<uint32_t> class_of_;                  // by state
  std::vector<std::vector<uint32_t>> members_;      // by class
  std::vector<uint32_t> rank_;                      // by class
  std::vector<size_t> first_out_, first_in_;        // by state
  std::vector<std::pair<uint32_t, uint32_t>> out_;  // group and successor
  std::vector<uint32_t> in_;                        // predecessors
  std::vector<size_t> ends_;                        // of classes among the states that are looked at
  std::vector<uint32_t> moved_;                     // states that changed their class in this round
  std::vector<uint32_t> stamp_;                     // by state
  uint32_t now_ = 0;
  std::vector<uint64_t> entries_;  // scratch of signatures
  std::vector<Signed> signed_;
};

// The coarsest bisimulation if it fits, else by the precedence.
template <Precedence precedence>
Mapping refined(const TransitionSystem& system, uint32_t most, Allowance& allowance) {
  Refinement refinement(system, most, Precedence::Distance, allowance);
  if (refinement.run()) return refinement.mapping();
  if (system.size() <= most) return identity(system);
  if (precedence == Precedence::Distance) return refinement.mapping();
  Refinement other(system, most, precedence, allowance);
  other.run();
  return other.mapping();
}

constexpr ShrinkStrategy kStrategies[] = {
    {"bisimulation", "states that behave alike become one; where that is not enough, those farthest from the goal",
     "Nissim, Hoffmann and Helmert 2011", true, refined<Precedence::Distance>},
    {"bisimulation-f", "states that behave alike become one; where that is not enough, those on expensive paths",
     "Nissim, Hoffmann and Helmert 2011; Helmert et al. 2007", true, refined<Precedence::Cost>},
    {"f", "states on expensive paths become one first, with others of the same distances", "Helmert et al. 2007; 2014",
     false, by_f},
    {"distance", "states far from the goal become one first, with others of the same distance",
     "Dräger, Finkbeiner and Podelski 2006", false, by_distance},
};

}  // namespace

Mapping bisimulation(const TransitionSystem& system, uint32_t most, Allowance& allowance) {
  return refined<Precedence::Distance>(system, most, allowance);
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
