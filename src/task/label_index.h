// The labels of a task by their preconditions, to find those that are applicable in a state without looking at all.
//
// What labels need of single variables, the locations of processes above all, becomes a tree (as in planners, Helmert
// 2006, §5.3.1): a node has labels that need nothing more, a variable with a child for each of its values, and a node
// for the labels that need nothing of that variable. The rest of the conditions is tested one by one.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/watch.h"
#include "task/progression.h"
#include "task/task.h"

namespace harrier::task {

class LabelIndex {
 public:
  // Keeps a reference to the task.
  explicit LabelIndex(const Task& task, const Watch& watch = Watch::none());

  // Calls visit(number of a label) for every label that is applicable in a state, in no particular order.
  template <class Visit>
  void for_each_applicable(Progression& progression, const Value* state, Visit&& visit) const {
    if (!nodes_.empty()) walk(0, progression, state, visit);
  }

 private:
  static constexpr uint32_t kNothing = UINT32_MAX;

  struct Node {
    uint32_t first_label = 0;
    uint32_t end_label = 0;
    uint32_t variable = kNothing;
    uint32_t first_child = 0;       // by value
    uint32_t otherwise = kNothing;  // the node of the labels that need nothing of the variable
  };
  // A label with what it needs of single variables, sorted.
  struct Entry {
    uint32_t label = 0;
    std::vector<Fact> needs;
  };

  static bool add_needs(const Task& task, const Label& label, std::vector<Fact>& out);
  uint32_t build(const Task& task, std::span<const Entry> entries, size_t depth, const Watch& watch);

  template <class Visit>
  void walk(uint32_t number, Progression& progression, const Value* state, Visit&& visit) const {
    while (number != kNothing) {
      const Node& node = nodes_[number];
      for (uint32_t i = node.first_label; i < node.end_label; ++i) {
        if (progression.is_applicable(task_.labels()[labels_[i]], state)) visit(labels_[i]);
      }
      if (node.variable == kNothing) return;
      walk(children_[node.first_child + state[node.variable]], progression, state, visit);
      number = node.otherwise;
    }
  }

  const Task& task_;
  std::vector<Node> nodes_;  // the first is the root
  std::vector<uint32_t> children_;
  std::vector<uint32_t> labels_;
};

}  // namespace harrier::task
