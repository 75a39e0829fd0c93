#include "abstraction/merging/label_reduction.h"

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/hash.h"

namespace harrier::abstraction {

namespace {

class Reducer {
 public:
  Reducer(FactoredSystem& system, Allowance& allowance) : system_(system), allowance_(allowance) {
    places_.resize(system.label_count());
    hashes_.resize(system.label_count(), 0);
    for (const uint32_t f : system.active()) enter(f);
  }

  void run() {
    remove_copies();
    size_t without_change = 0;
    while (without_change < system_.active().size()) {
      for (const uint32_t f : system_.active()) {
        if (allowance_.glance()) return;
        without_change = reduce(f) ? 0 : without_change + 1;
        if (without_change >= system_.active().size()) return;
      }
    }
  }

 private:
  using Group = TransitionSystem::Group;
  // In which group of which factor a label is; a label has one for each factor that it concerns, increasing.
  using Place = std::pair<uint32_t, uint32_t>;

  static uint64_t hash_of(const Place& place) { return mix64(uint64_t{place.first} << 32 | place.second); }

  // Tells the labels of a factor where they are.
  void enter(uint32_t factor) {
    const auto groups = system_.system(factor).groups();
    for (uint32_t g = 0; g < groups.size(); ++g) {
      for (const uint32_t l : groups[g].labels) {
        std::vector<Place>& places = places_[l];
        const Place place{factor, g};
        places.insert(std::lower_bound(places.begin(), places.end(), place), place);
        hashes_[l] += hash_of(place);
      }
    }
  }
  void leave(uint32_t factor) {
    for (const Group& group : system_.system(factor).groups()) {
      for (const uint32_t l : group.labels) {
        std::vector<Place>& places = places_[l];
        const auto at = std::lower_bound(places.begin(), places.end(), Place{factor, 0});
        if (at == places.end() || at->first != factor) continue;
        hashes_[l] -= hash_of(*at);
        places.erase(at);
      }
    }
  }
  // The hash of its places but the one in this factor.
  uint64_t hash_without(uint32_t label, uint32_t factor) const {
    const std::vector<Place>& places = places_[label];
    const auto at = std::lower_bound(places.begin(), places.end(), Place{factor, 0});
    return at == places.end() || at->first != factor ? hashes_[label] : hashes_[label] - hash_of(*at);
  }
  bool same_without(uint32_t a, uint32_t b, uint32_t factor) const {
    const auto skip = [&](auto& at, const std::vector<Place>& places) {
      if (at != places.end() && at->first == factor) ++at;
    };
    auto x = places_[a].begin();
    auto y = places_[b].begin();
    for (;; ++x, ++y) {
      skip(x, places_[a]);
      skip(y, places_[b]);
      if (x == places_[a].end() || y == places_[b].end()) return x == places_[a].end() && y == places_[b].end();
      if (*x != *y) return false;
    }
  }

  // Of labels that are the same everywhere the cheapest is enough, and one that concerns no factor is none. Notes one
  // label for every hash.
  void remove_copies() {
    by_hash_.clear();
    for (uint32_t l = 0; l < system_.label_count(); ++l) {
      if (places_[l].empty()) system_.remove_label(l);
      if (!system_.is_label(l)) continue;
      const auto [at, fresh] = by_hash_.try_emplace(hashes_[l], l);
      if (fresh || places_[at->second] != places_[l]) continue;
      uint32_t other = l;
      if (system_.cost(other) < system_.cost(at->second)) std::swap(other, at->second);
      system_.remove_label(other);
    }
  }

  bool reduce(uint32_t factor) {
    std::vector<std::pair<uint64_t, uint32_t>> candidates;  // hash and label
    for (const Group& group : system_.system(factor).groups()) {
      for (const uint32_t l : group.labels) {
        if (!system_.is_label(l)) continue;
        const uint64_t hash = hash_without(l, factor);
        candidates.emplace_back(hash, l);
        // One that does not concern this factor.
        const auto at = by_hash_.find(hash);
        if (at != by_hash_.end() && system_.is_label(at->second) && hashes_[at->second] == hash &&
            hash_without(at->second, factor) == hash) {
          candidates.emplace_back(hash, at->second);
        }
      }
    }
    std::sort(candidates.begin(), candidates.end());
    candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
    std::vector<std::vector<uint32_t>> classes;
    for (size_t i = 0; i < candidates.size();) {
      size_t end = i + 1;
      while (end < candidates.size() && candidates[end].first == candidates[i].first) ++end;
      const size_t first_class = classes.size();
      for (; i < end; ++i) {
        const uint32_t l = candidates[i].second;
        const auto fits = [&](const std::vector<uint32_t>& some) {
          return system_.cost(some[0]) == system_.cost(l) && same_without(some[0], l, factor);
        };
        const auto at = std::find_if(classes.begin() + static_cast<ptrdiff_t>(first_class), classes.end(), fits);
        if (at != classes.end()) {
          at->push_back(l);
        } else {
          classes.push_back({l});
        }
      }
    }
    std::erase_if(classes, [](const std::vector<uint32_t>& some) { return some.size() == 1; });
    if (!classes.empty()) join(factor, classes);
    return !classes.empty();
  }

  // The first label of each class stands for all of it.
  void join(uint32_t factor, const std::vector<std::vector<uint32_t>>& classes) {
    TransitionSystem& system = system_.change(factor);
    std::vector<uint32_t> group_of(system_.label_count(), UINT32_MAX);
    for (uint32_t g = 0; g < system.groups().size(); ++g) {
      for (const uint32_t l : system.groups()[g].labels) group_of[l] = g;
    }
    leave(factor);
    std::vector<uint8_t> moved(system_.label_count(), 0);
    std::vector<Group> joined;
    for (const std::vector<uint32_t>& some : classes) {
      Group group;
      group.labels = {some[0]};
      std::vector<uint32_t> parts;
      for (const uint32_t l : some) parts.push_back(group_of[l]);
      std::sort(parts.begin(), parts.end());
      parts.erase(std::unique(parts.begin(), parts.end()), parts.end());
      for (const uint32_t part : parts) {
        if (part != UINT32_MAX) {
          const std::vector<Arc>& arcs = system.groups()[part].arcs;
          group.arcs.insert(group.arcs.end(), arcs.begin(), arcs.end());
        } else {
          for (uint32_t s = 0; s < system.size(); ++s) group.arcs.push_back({s, s});
        }
      }
      joined.push_back(std::move(group));
      for (const uint32_t l : some) moved[l] = 1;
      for (size_t i = 1; i < some.size(); ++i) system_.remove_label(some[i]);
    }
    std::vector<uint32_t> impossible;
    system.tidy([&](uint32_t l) { return system_.is_label(l) && moved[l] == 0; }, impossible);
    for (Group& group : joined) system.add(std::move(group));
    system.tidy(impossible);
    enter(factor);
    remove_copies();
  }

  FactoredSystem& system_;
  Allowance& allowance_;
  std::vector<std::vector<Place>> places_;  // by label
  std::vector<uint64_t> hashes_;            // by label: the sum of the hashes of its places
  std::unordered_map<uint64_t, uint32_t> by_hash_;
};

}  // namespace

void reduce_labels(FactoredSystem& system, Allowance& allowance) {
  Reducer(system, allowance).run();
  system.settle();
}

}  // namespace harrier::abstraction
