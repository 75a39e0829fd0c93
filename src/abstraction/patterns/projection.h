// Factors projected to some of their variables, a *pattern*: what is left of a system if one looks at these alone.
//
// An abstract state is one number, its *key*: the values of the pattern's variables in mixed radix. So a step adds a
// constant to the key, or one of several. Labels that do the same to the pattern are one *operator*; those that do
// nothing to it are left out.
//
//     const Projection projection(factors, {3, 7}, watch);
//     projection.decode(key, values);
//     projection.for_each_predecessor(key, values, [&](uint32_t op, uint64_t before) { … });
//
// Which operators lead to or from a state tells a tree over the values that they need (as for successors in planners,
// Helmert 2006, §5.3.1); what they need of a variable besides a single value is looked up in lists by value.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "abstraction/factors.h"
#include "base/watch.h"

namespace harrier::abstraction {

using Pattern = std::vector<uint32_t>;  // variables of factors, increasing

class Projection {
 public:
  static constexpr uint64_t kTooMany = UINT64_MAX;
  // How many keys there are; kTooMany if they do not fit into a signed number.
  static uint64_t combinations(const Factors& factors, std::span<const uint32_t> pattern);

  // There must not be too many keys. Keeps a reference to the factors.
  Projection(const Factors& factors, Pattern pattern, const Watch& watch = Watch::none());

  const Factors& factors() const { return factors_; }
  const Pattern& pattern() const { return pattern_; }
  size_t width() const { return pattern_.size(); }
  uint64_t multiplier(size_t position) const { return multipliers_[position]; }
  uint64_t keys() const { return keys_; }

  uint32_t operators() const { return static_cast<uint32_t>(first_label_.size()) - 1; }
  // The labels that an operator stands for, increasing.
  std::span<const uint32_t> labels_of(uint32_t op) const {
    return std::span(labels_).subspan(first_label_[op], first_label_[op + 1] - first_label_[op]);
  }

  // The key of a state, which has a value for every variable of the factors.
  uint64_t key(const Value* state) const;
  // `out` has room for width() values.
  void decode(uint64_t key, Value* out) const {
    for (size_t i = 0; i < pattern_.size(); ++i) {
      const uint64_t rest = key / sizes_[i];
      out[i] = static_cast<Value>(key - rest * sizes_[i]);
      key = rest;
    }
  }
  bool is_goal(const Value* values) const;
  // Calls visit(key) for every goal state, perhaps several times.
  template <class Visit>
  void for_each_goal(Visit&& visit) const {
    for (const auto& goal : goals_) spread_goal(goal, 0, 0, visit);
  }
  // Calls visit(operator, key) for every step that ends or starts in a state.
  template <class Visit>
  void for_each_predecessor(uint64_t key, const Value* values, Visit&& visit) const {
    if (!backward_.nodes.empty()) walk(backward_, 0, key, values, visit);
  }
  template <class Visit>
  void for_each_successor(uint64_t key, const Value* values, Visit&& visit) const {
    if (!forward_.nodes.empty()) walk(forward_, 0, key, values, visit);
  }

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;

  // What a step may add to the key, by value of the variable at this end of it.
  struct Moves {
    std::vector<uint32_t> first;
    std::vector<int64_t> deltas;

    std::span<const int64_t> at(Value value) const {
      return std::span(deltas).subspan(first[value], first[value + size_t{1}] - first[value]);
    }
  };
  struct Rest {
    uint32_t position = 0;
    uint32_t moves = 0;
  };
  struct Step {
    uint32_t op = 0;
    uint32_t first_rest = 0;
    uint32_t end_rest = 0;
    int64_t delta = 0;  // of what needs a single value and leads to a single one
  };
  struct Node {
    uint32_t first_step = 0;
    uint32_t end_step = 0;
    uint32_t position = kNothing;
    uint32_t first_child = 0;       // by value
    uint32_t otherwise = kNothing;  // the node of what needs nothing of this variable
  };
  // One direction.
  struct Side {
    std::vector<Node> nodes;  // the first is the root
    std::vector<uint32_t> children;
    std::vector<Step> steps;
    std::vector<Rest> rests;
    std::vector<Moves> moves;
  };
  // Of a step, the single values that it needs, by position.
  struct Need {
    uint32_t position = 0;
    Value value = 0;

    auto operator<=>(const Need&) const = default;
  };
  struct Entry {
    std::vector<Need> needs;
    Step step;
  };
  using Parts = std::vector<Factors::Part>;            // positions instead of variables
  using GoalValues = std::vector<std::vector<Value>>;  // by position

  Parts project(const Factors::Label& label, const std::vector<uint32_t>& position_of) const;
  void add_goals(const std::vector<uint32_t>& position_of);
  void index(Side& side, const std::vector<Parts>& operators, bool forward, const Watch& watch) const;
  Moves moves_of(const Factors::Part& part, bool forward) const;
  uint32_t build(Side& side, std::span<const Entry> entries, size_t depth) const;

  template <class Visit>
  void walk(const Side& side, uint32_t number, uint64_t key, const Value* values, Visit& visit) const {
    while (number != kNothing) {
      const Node& node = side.nodes[number];
      for (uint32_t i = node.first_step; i < node.end_step; ++i) {
        const Step& step = side.steps[i];
        const uint64_t reached = key + static_cast<uint64_t>(step.delta);
        if (step.first_rest == step.end_rest) {
          visit(step.op, reached);
        } else {
          spread(side, step, step.first_rest, reached, values, visit);
        }
      }
      if (node.position == kNothing) return;
      walk(side, side.children[node.first_child + values[node.position]], key, values, visit);
      number = node.otherwise;
    }
  }
  template <class Visit>
  void spread(const Side& side, const Step& step, uint32_t rest, uint64_t key, const Value* values,
              Visit& visit) const {
    const Rest& r = side.rests[rest];
    for (const int64_t delta : side.moves[r.moves].at(values[r.position])) {
      const uint64_t reached = key + static_cast<uint64_t>(delta);
      if (rest + 1 == step.end_rest) {
        visit(step.op, reached);
      } else {
        spread(side, step, rest + 1, reached, values, visit);
      }
    }
  }
  template <class Visit>
  void spread_goal(const GoalValues& goal, size_t position, uint64_t key, Visit& visit) const {
    if (position == pattern_.size()) {
      visit(key);
      return;
    }
    for (const Value value : goal[position]) {
      spread_goal(goal, position + 1, key + value * multipliers_[position], visit);
    }
  }

  const Factors& factors_;
  Pattern pattern_;
  std::vector<uint64_t> sizes_;  // by position
  std::vector<uint64_t> multipliers_;
  uint64_t keys_ = 1;
  std::vector<uint32_t> first_label_;  // by operator
  std::vector<uint32_t> labels_;
  std::vector<GoalValues> goals_;
  Side forward_;
  Side backward_;
};

}  // namespace harrier::abstraction
