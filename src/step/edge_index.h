// The edges of a location by what their guards need of single variables, to find those that may be enabled without
// looking at all (as in planners, Helmert 2006, §5.3.1).
//
// Conditions `variable == constant` (and `!variable`) that a guard begins with become a tree: a node has the edges that
// need nothing more, a variable with a child for each value that some edge needs, and a node for the edges that need
// nothing of that variable. What follows in a guard is its `rest`, to be tested one by one; it is looked at only where
// all before it holds, as in the guard.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/system.h"
#include "step/program.h"

namespace harrier::step {

class EdgeIndex {
 public:
  // Fewer edges are looked at as fast without.
  static constexpr size_t kFewestEdges = 12;

  // Of no edges.
  EdgeIndex() = default;
  EdgeIndex(const model::System& system, std::span<const uint32_t> edges, Program& program, const Watch& watch);

  bool empty() const { return entries_.empty(); }
  // Appends the numbers of the entries whose edges have all that they need, in the order of the edges.
  void collect(const int32_t* values, std::vector<uint32_t>& out) const;
  uint32_t edge(uint32_t entry) const { return entries_[entry].edge; }
  Code rest(uint32_t entry) const { return entries_[entry].rest; }

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;

  struct Need {
    uint32_t variable = 0;
    int32_t value = 0;
    auto operator<=>(const Need&) const = default;
  };
  struct Entry {
    uint32_t edge = 0;
    Code rest;
  };
  // An entry with what it needs, sorted.
  struct Draft {
    uint32_t entry = 0;
    std::vector<Need> needs;
  };
  struct Child {
    int32_t value = 0;
    uint32_t node = 0;
  };
  struct Node {
    uint32_t first_entry = 0;
    uint32_t end_entry = 0;
    uint32_t variable = kNothing;
    uint32_t first_child = 0;  // sorted by value
    uint32_t end_child = 0;
    uint32_t otherwise = kNothing;  // the node of the edges that need nothing of the variable
  };

  static void take_needs(const model::System& system, model::ExprId condition, std::vector<Need>& needs,
                         std::vector<model::ExprId>& rest);
  uint32_t build(std::span<const Draft> drafts, size_t depth, const Watch& watch);
  uint32_t child(const Node& node, int32_t value) const;
  void walk(uint32_t number, const int32_t* values, std::vector<uint32_t>& out) const;

  std::vector<Entry> entries_;  // in the order of the edges
  std::vector<Node> nodes_;     // the first is the root
  std::vector<Child> children_;
  std::vector<uint32_t> listed_;  // entries, by node
};

}  // namespace harrier::step
