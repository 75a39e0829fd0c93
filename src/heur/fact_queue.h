// Facts that wait in an exploration that takes the cheapest first. Small costs have their buckets side by side, larger
// ones share a heap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace harrier::heur {

class FactQueue {
 public:
  void clear() {
    for (auto& bucket : near_) bucket.clear();
    far_.clear();
  }
  void push(uint32_t cost, uint32_t fact) {
    if (cost < kNear) {
      if (near_.size() <= cost) near_.resize(std::max<size_t>(cost + size_t{1}, near_.size() * 2));
      near_[cost].push_back(fact);
      return;
    }
    far_.emplace_back(cost, fact);
    std::push_heap(far_.begin(), far_.end(), std::greater<>());
  }
  // Takes everything out, also what is pushed meanwhile, which must not cost less than what is at hand. Calls
  // begin(cost) for each cost that occurs and visit(cost, fact) for what waits, until one of them says no.
  template <class Begin, class Visit>
  void drain(Begin&& begin, Visit&& visit) {
    if (!drain_near(begin, visit)) return;
    bool first = true;
    for (uint32_t last = 0; !far_.empty(); first = false) {
      std::pop_heap(far_.begin(), far_.end(), std::greater<>());
      const auto [cost, fact] = far_.back();
      far_.pop_back();
      if ((first || cost != last) && !begin(cost)) return;
      last = cost;
      if (!visit(cost, fact)) return;
    }
  }

 private:
  static constexpr uint32_t kNear = 1 << 12;

  template <class Begin, class Visit>
  bool drain_near(Begin&& begin, Visit&& visit) {
    for (uint32_t cost = 0; cost < near_.size(); ++cost) {
      if (near_[cost].empty()) continue;
      if (!begin(cost)) return false;
      for (size_t i = 0; i < near_[cost].size(); ++i) {
        if (!visit(cost, near_[cost][i])) return false;
      }
      near_[cost].clear();
    }
    return true;
  }

  std::vector<std::vector<uint32_t>> near_;         // by cost
  std::vector<std::pair<uint32_t, uint32_t>> far_;  // cost and fact, a heap
};

}  // namespace harrier::heur
