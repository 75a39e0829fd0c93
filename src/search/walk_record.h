// What a walk keeps of its way: the edges and choices of every step, in one flat list.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/budget.h"
#include "base/counted_vector.h"
#include "step/network.h"

namespace harrier::search {

// A transition that can be made: the edges that fire together and, where a firing leads to several zones, which one.
struct Move {
  static constexpr uint32_t kAnyPart = UINT32_MAX;
  uint32_t first = 0;  // in the list of edges
  uint32_t count = 0;
  uint32_t refused = 0;  // after them: receiving edges that must not be able to take part (Firing)
  uint32_t part = kAnyPart;
  uint32_t choice = 0;  // the first one in the list of choices
  uint32_t choices = 0;
};

// Moves that were listed, each with its edges. Nothing is allocated once the lists have grown.
class MoveList {
 public:
  void clear() {
    moves_.clear();
    edges_.clear();
    choices_.clear();
  }
  void add(const step::Firing& firing) {
    moves_.push_back({static_cast<uint32_t>(edges_.size()), static_cast<uint32_t>(firing.edges.size()),
                      static_cast<uint32_t>(firing.refused.size()), Move::kAnyPart,
                      static_cast<uint32_t>(choices_.size()), static_cast<uint32_t>(firing.choices.size())});
    choices_.insert(choices_.end(), firing.choices.begin(), firing.choices.end());
    edges_.insert(edges_.end(), firing.edges.begin(), firing.edges.end());
    edges_.insert(edges_.end(), firing.refused.begin(), firing.refused.end());
  }
  size_t size() const { return moves_.size(); }
  Move& operator[](size_t i) { return moves_[i]; }
  step::Firing firing(size_t i) const {
    const Move& m = moves_[i];
    return {{edges_.data() + m.first, m.count},
            {edges_.data() + m.first + m.count, m.refused},
            0,
            {choices_.data() + m.choice, m.choices}};
  }
  // Takes a move out of the list; the last one gets its number.
  void drop(size_t i) {
    moves_[i] = moves_.back();
    moves_.pop_back();
  }

 private:
  std::vector<Move> moves_;
  std::vector<uint32_t> edges_;
  std::vector<int32_t> choices_;
};

// The steps of a walk. The memory comes out of a budget.
class WalkRecord {
 public:
  explicit WalkRecord(Budget& budget) : words_(budget) {}

  void append(std::span<const uint32_t> edges, uint32_t part, std::span<const int32_t> choices = {}) {
    words_.push_back(part);
    words_.append(edges);
    words_.back() |= kLast;
    if (!choices.empty()) {
      words_.back() |= kChooses;
      words_.push_back(static_cast<uint32_t>(choices.size()));
      for (const int32_t value : choices) words_.push_back(static_cast<uint32_t>(value));
    }
    ++steps_;
  }
  uint64_t steps() const { return steps_; }
  void clear() {
    words_.clear();
    steps_ = 0;
  }

  struct Step {
    uint32_t part = 0;
    std::vector<uint32_t> edges;
    std::vector<int32_t> choices;
  };
  // The first `count` steps, one after the other: visit(const Step&).
  template <class Visit>
  void for_each(uint64_t count, Visit&& visit) const {
    size_t at = 0;
    Step step;
    for (uint64_t i = 0; i < count; ++i) {
      at = read(at, step);
      visit(std::as_const(step));
    }
  }
  // Forgets all but the first `count` steps.
  void cut(uint64_t count) {
    size_t at = 0;
    Step step;
    for (uint64_t i = 0; i < count; ++i) at = read(at, step);
    words_.cut(at);
    steps_ = count;
  }

 private:
  // Marks of the last edge of a step; the second one: choices follow, after their number.
  static constexpr uint32_t kLast = 1u << 31;
  static constexpr uint32_t kChooses = 1u << 30;

  size_t read(size_t at, Step& step) const {
    step.part = words_[at++];
    step.edges.clear();
    step.choices.clear();
    uint32_t word = 0;
    do {
      word = words_[at++];
      step.edges.push_back(word & ~(kLast | kChooses));
    } while ((word & kLast) == 0);
    if ((word & kChooses) != 0) {
      const uint32_t count = words_[at++];
      for (uint32_t i = 0; i < count; ++i) step.choices.push_back(static_cast<int32_t>(words_[at++]));
    }
    return at;
  }

  CountedVector<uint32_t> words_;
  uint64_t steps_ = 0;
};

}  // namespace harrier::search
