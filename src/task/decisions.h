// Functions of the values of variables, as trees: an inner node asks for the value of a variable and has a child for
// each of its values, a leaf is the result. A way through a tree asks only for what matters there: of `x == 1 and y ==
// 2`,
//
//     x ─┬─ 0: no
//        ├─ 1: y ─┬─ …          the ways that end with "yes": { x = 1, y = 2 }
//        └─ …     └─ 2: yes
//
// All trees share one array. They are grown from the root (enumeration.h does it) and never changed.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace harrier::task {

using Value = uint16_t;                         // the number of a value of a variable, in increasing order
inline constexpr Value kAnyValue = UINT16_MAX;  // whatever value one wants

struct Fact {
  uint32_t variable = 0;
  Value value = 0;

  auto operator<=>(const Fact&) const = default;
};

class Decisions {
 public:
  using Node = uint32_t;
  static constexpr Node kNone = UINT32_MAX;

  static constexpr Node leaf(uint32_t result) { return kLeaf | result; }
  static constexpr bool is_leaf(Node node) { return (node & kLeaf) != 0; }
  static constexpr uint32_t result(Node leaf) { return leaf & ~kLeaf; }

  uint32_t variable(Node inner) const { return cells_[inner]; }
  std::span<const Node> children(Node inner) const { return std::span(cells_).subspan(inner + 2, cells_[inner + 1]); }

  // The result for a state, which has a value for every variable.
  uint32_t at(Node node, const Value* state) const {
    while (!is_leaf(node)) node = cells_[node + 2 + state[cells_[node]]];
    return result(node);
  }

  // Calls visit(facts on the way, result) for every leaf, in increasing order of values. `way` is scratch memory.
  template <class Visit>
  void for_each_way(Node node, std::vector<Fact>& way, Visit&& visit) const {
    way.clear();
    walk(node, way, visit);
  }

  // Growing: a new node without children, whose children are set one by one; kNone if there is no room.
  Node grow(uint32_t variable, size_t children) {
    if (cells_.size() + children + 2 >= kLeaf) return kNone;
    const auto node = static_cast<Node>(cells_.size());
    cells_.push_back(variable);
    cells_.push_back(static_cast<uint32_t>(children));
    cells_.resize(cells_.size() + children, kNone);
    return node;
  }
  void set_child(Node inner, size_t value, Node child) { cells_[inner + 2 + value] = child; }
  size_t size() const { return cells_.size(); }
  // Takes back what was grown since the size was this.
  void shrink_to(size_t size) { cells_.resize(size); }
  void shrink_to_fit() { cells_.shrink_to_fit(); }

 private:
  static constexpr Node kLeaf = 1u << 31;

  template <class Visit>
  void walk(Node node, std::vector<Fact>& way, Visit&& visit) const {
    if (is_leaf(node)) {
      visit(std::span<const Fact>(way), result(node));
      return;
    }
    const std::span<const Node> below = children(node);
    way.push_back({variable(node), 0});
    for (size_t value = 0; value < below.size(); ++value) {
      way.back().value = static_cast<Value>(value);
      walk(below[value], way, visit);
    }
    way.pop_back();
  }

  std::vector<uint32_t> cells_;  // of an inner node: its variable, the number of its children, the children
};

}  // namespace harrier::task
