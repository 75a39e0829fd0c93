// A decision diagram with distances at its leaves (an algebraic decision diagram: Bahar et al. 1997), which is looked
// up by the values of a state and never changes.
//
//     node 1: bit 1 of x?        x = 0, 1     distance 0
//       0: 0                     x = 2        distance 3
//       1: node 0: bit 0 of x?   x = 3        far
//            0: 3
//            1: far
//
// A node asks for one bit of a variable, counted from the least value of the variable, and has a successor for either
// answer: another node, or a leaf. The leaf `far` stands for all states of which no distance is known: they are farther
// than all others, or the goal cannot be reached from them. Nodes with the same question and the same successors are
// one.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/archive.h"

namespace harrier::abstraction {

class DistanceDiagram {
 public:
  // Nodes and leaves in one number: a distance, kFar, or that of a node from here on.
  static constexpr uint32_t kFar = 0x7fffffff;
  static constexpr uint32_t kFirstNode = 0x80000000;

  struct Digit {
    uint32_t variable = 0;
    uint32_t shift = 0;
    int32_t lo = 0;  // of the variable
  };
  struct Node {
    uint32_t digit = 0;
    std::array<uint32_t, 2> next = {kFar, kFar};
  };

  // What is far from everywhere.
  explicit DistanceDiagram(uint32_t far) : far_(far) {}
  // The successors of a node come before it, and ask for later digits. `far` is the distance of the leaf.
  DistanceDiagram(std::vector<Digit> digits, std::vector<Node> nodes, uint32_t root, uint32_t far);

  // The values must be in the domains that the diagram was made for. Allocates nothing.
  uint32_t look_up(const int32_t* values) const {
    uint32_t at = root_;
    while (at >= kFirstNode) {
      const Node& node = nodes_[at - kFirstNode];
      const Digit& digit = digits_[node.digit];
      const uint32_t code = static_cast<uint32_t>(values[digit.variable]) - static_cast<uint32_t>(digit.lo);
      at = node.next[(code >> digit.shift) & 1];
    }
    return at == kFar ? far_ : at;
  }

  uint64_t size() const { return nodes_.size(); }
  uint32_t far() const { return far_; }
  uint64_t bytes() const;

  void save(ArchiveWriter& out) const;
  // For systems of so many variables. Throws Error(Input) if it would lead astray.
  static DistanceDiagram load(ArchiveReader& in, uint64_t variables);

 private:
  bool leads_on() const;

  std::vector<Digit> digits_;
  std::vector<Node> nodes_;
  uint32_t root_ = kFar;
  uint32_t far_ = 0;
};

}  // namespace harrier::abstraction
