// The variable domain system of a task (Wehrle 2011, def. 5.1, 5.2; in planning: its domain transition graphs).
//
// Every variable with an exact domain, the location of a process included, becomes a graph over its values. The graphs
// run in lockstep: a *label* stands for a label of the task and says of every variable that it concerns from which
// values it can be taken (the set of its *part*) and which value comes out (the map of its part). Of all other
// variables it says nothing. A label *restricts* a variable if its set leaves values out, and *affects* it if its map
// changes some.
//
// What ties several variables together (`x < y`, `x := x + y`) makes several labels of one, one for each combination of
// the values of all variables but one. What has too many combinations is over-approximated: such a condition counts as
// satisfied, such an effect may yield any value; the labels are not *exact* then. Variables without exact domains are
// left out.
//
// An axiom is a label of its own, which makes no step and costs nothing: it takes the variable that it derives to the
// value. So is, for each derived variable, the way back to its initial value, which can always be gone. Labels that are
// steps do not say what follows from them, and are not exact where there are axioms.
//
// The goal is one more variable, `goal()`, with an edge from 0 to 1 for each clause, at no cost: its distance from 0 to
// 1 is the estimate (Wehrle 2011, §5.4: the sum of the costs of reaching the error locations).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/watch.h"
#include "model/value_numbers.h"
#include "task/task.h"

namespace harrier::task {

class VariableDomains {
 public:
  static constexpr uint32_t kIdentity = UINT32_MAX;    // a map that changes nothing
  static constexpr uint32_t kEverything = UINT32_MAX;  // a set without restriction

  explicit VariableDomains(std::shared_ptr<const Task> task, const Watch& watch = Watch::none());

  struct Variable {
    uint32_t variable = 0;  // of the system; the goal has none
    bool is_process = false;
    bool derived = false;                         // its labels are axioms
    uint32_t size = 0;                            // number of values
    const model::ValueNumbers* number = nullptr;  // of the task; the goal has none
  };
  // What a label has to do with one variable.
  struct Part {
    uint32_t variable = 0;
    uint32_t set = kEverything;
    uint32_t map = kIdentity;
    bool restricts = false;
    bool affects = false;
  };
  struct Label {
    uint32_t transition = kNone;  // of the task; the goal and axioms have none
    uint32_t split_from = kNone;  // the label of the task that it stands for
    bool axiom = false;
    uint32_t first_part = 0;
    uint32_t end_part = 0;
    bool exact = true;  // it says all that there is to say of the label that it stands for
  };
  struct Set {
    std::vector<Value> values;   // sorted
    std::vector<uint8_t> holds;  // by value
  };
  // A way to change a variable.
  struct Edge {
    uint32_t label = 0;
    Value from = 0;
    Value to = 0;  // may be kAnyValue
  };

  const Task& task() const { return *task_; }
  uint32_t size() const { return static_cast<uint32_t>(variables_.size()); }  // goal included
  uint32_t goal() const { return size() - 1; }
  const Variable& variable(uint32_t v) const { return variables_[v]; }
  // Whether edges of a variable are steps of the model.
  bool makes_steps(uint32_t v) const { return v != goal() && !variables_[v].derived; }
  std::span<const Label> labels() const { return labels_; }
  std::span<const Part> parts(const Label& label) const {
    return std::span(parts_).subspan(label.first_part, label.end_part - label.first_part);
  }
  const Set& set(uint32_t id) const { return sets_[id]; }
  bool contains(uint32_t set, Value value) const { return set == kEverything || sets_[set].holds[value] != 0; }
  Value mapped(uint32_t map, Value value) const { return map == kIdentity ? value : maps_[map][value]; }
  // The edges of a variable that change it, by source value.
  std::span<const Edge> edges(uint32_t v) const { return edges_[v]; }
  std::span<const Edge> edges_from(uint32_t v, Value value) const {
    return std::span(edges_[v]).subspan(first_edge_[v][value], first_edge_[v][value + 1] - first_edge_[v][value]);
  }

  // The labels that go with an edge of the model.
  std::span<const uint32_t> labels_of(uint32_t edge) const { return by_edge_[edge]; }

  // The values of a state, as numbers; the goal's is 0. `out` has room for size().
  void read(const int32_t* values, Value* out) const {
    for (const Variable& v : variables_) {
      *out++ = v.number == nullptr ? Value{0} : static_cast<Value>((*v.number)(values[v.variable]));
    }
  }

 private:
  class Splitter;

  std::shared_ptr<const Task> task_;
  std::vector<Variable> variables_;
  std::vector<Label> labels_;
  std::vector<Part> parts_;
  std::vector<Set> sets_;
  std::vector<std::vector<Value>> maps_;
  std::vector<std::vector<Edge>> edges_;
  std::vector<std::vector<uint32_t>> first_edge_;
  std::vector<std::vector<uint32_t>> by_edge_;
};

}  // namespace harrier::task
